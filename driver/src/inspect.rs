//! Describes a model: what is in it, and what keeps it from being compiled.

use crate::{
    DriverError,
    compile::{self, CompileOptions},
    frontend::{self, Reading},
};
use melior::{Context, ir::Module};
use relay_dialects::{
    ir::{Attr, Op, Type},
    names,
    pass::{run_pipeline, with_diagnostics},
    relay::custom,
    rewrite,
    symbols::symbols,
};
use relay_import::{
    error::group,
    model::{Model, TensorInfo},
};
use relay_passes::{
    analysis::flops::flops,
    pipeline::{Level, Order},
};
use serde::Serialize;
use std::{collections::BTreeMap, fmt, path::Path};

/// A model's operators and tensors, and what keeps it from being compiled.
#[derive(Debug, Default, Serialize)]
pub struct Summary {
    /// Inputs with their types.
    pub inputs: Vec<PortSummary>,
    /// Outputs with their types.
    pub outputs: Vec<PortSummary>,
    /// The signatures to choose from, in a format whose models have them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub signatures: Vec<String>,
    /// The elements of all constants.
    pub parameters: i64,
    /// The floating-point operations of a run, if they are known.
    pub flops: Option<u64>,
    /// Whether they are not known because a function calls itself.
    #[serde(skip)]
    pub recursive: bool,
    /// What each node gives, in the order in which they are computed; none if the model cannot be imported.
    pub nodes: Vec<NodeSummary>,
    /// Operators with how often they occur.
    pub operators: BTreeMap<String, usize>,
    /// The nodes that cannot be imported, those of an operator and a reason together.
    pub unsupported: Vec<Unsupported>,
    /// Everything else that compiling reports before it makes code.
    pub errors: Vec<Problem>,
}

/// An input or output of a model.
#[derive(Debug, Serialize)]
pub struct PortSummary {
    /// Its name.
    pub name: String,
    /// Its type as the model writes it.
    pub declared: String,
    /// Its type when it is compiled; `None` if the model cannot be imported.
    pub resolved: Option<String>,
}

/// An operator of a model.
#[derive(Debug, Serialize)]
pub struct NodeSummary {
    /// The name of the node that it is of; empty if that has none.
    pub name: String,
    /// The operator.
    pub operator: String,
    /// The types of what it gives.
    pub results: Vec<String>,
}

/// Nodes that cannot be imported.
#[derive(Debug, Serialize)]
pub struct Unsupported {
    /// Their operator.
    pub operator: String,
    /// Why.
    pub reason: String,
    /// Their names, in the model's order.
    pub nodes: Vec<String>,
    /// The attributes of the first of them, as `name=value`.
    pub attributes: Vec<String>,
    /// All of it in a line.
    #[serde(skip)]
    line: String,
}

/// An error.
#[derive(Debug, Serialize)]
pub struct Problem {
    /// Its code.
    pub code: &'static str,
    /// What it says.
    pub message: String,
}

impl From<DriverError> for Problem {
    fn from(error: DriverError) -> Self {
        Self {
            code: error.code(),
            message: error.to_string(),
        }
    }
}

impl Summary {
    /// Whether compiling would fail before it makes code.
    pub fn has_errors(&self) -> bool {
        !self.unsupported.is_empty() || !self.errors.is_empty()
    }

    /// Notes what the model's tensors are once it is imported.
    fn resolve(&mut self, module: Op) {
        let (inputs, outputs) = ports(module);
        for (ports, found) in [(&mut self.inputs, inputs), (&mut self.outputs, outputs)] {
            for port in ports {
                let found = found.iter().find(|(name, _)| *name == port.name);
                port.resolved = found.map(|(_, ty)| describe(*ty));
            }
        }
        self.nodes = nodes(module);
    }

    /// What `inspect --nodes` prints: a line for each node.
    pub fn nodes_text(&self) -> String {
        let nodes = self.nodes.iter();
        let lines = nodes.map(
            |NodeSummary {
                 name,
                 operator,
                 results,
             }| {
                let name = if name.is_empty() { "-" } else { name };
                format!("  {name}: {operator} -> {}\n", results.join(", "))
            },
        );
        format!("nodes:\n{}", lines.collect::<String>())
    }
}

/// Describes a model file, and does all that compiling does before it makes code, to find every error. As in compiling, dimensions that
/// cannot stay open are 1.
///
/// # Errors
/// If the file cannot be read.
pub fn inspect(path: &Path, options: &CompileOptions) -> Result<Summary, DriverError> {
    let problem = |summary: &Result<Summary, DriverError>| {
        let first = summary.as_ref().ok()?.errors.first();
        first.map(|problem| problem.message.clone())
    };
    let is_good = |summary: &Result<Summary, DriverError>| {
        summary.as_ref().is_ok_and(|summary| !summary.has_errors())
    };
    let make = |options: &CompileOptions| inspect_as_said(path, options);
    compile::open_or_known(path, options, make, problem, is_good)
}

fn inspect_as_said(path: &Path, options: &CompileOptions) -> Result<Summary, DriverError> {
    let context = compile::prepare();
    let (mut summary, module) = match options.reading.open(path)? {
        Some(model) => of_model(&context, model.as_ref(), &options.reading),
        None => {
            let module = frontend::load(&context, path, &options.reading)?;
            (of_module(Op::of_module(&module)), Some(module))
        }
    };
    let Some(mut module) = module else {
        return Ok(summary);
    };
    summary.resolve(Op::of_module(&module));
    let options = &options.of_module(&module);
    // The number depends on the inputs of a program, and on open dimensions.
    let is_open = symbols(Op::of_module(&module)).is_ok_and(|symbols| !symbols.is_empty());
    if !options.program && !is_open {
        let counted = count_flops(&context, relay_dialects::copy(&module), options);
        summary.recursive = counted == Some(None);
        summary.flops = counted.flatten();
    }
    let lowered = compile::has_entry(&module)
        .and_then(|()| compile::lower_to(&context, &mut module, Level::Planned, options));
    summary.errors.extend(lowered.err().map(Problem::from));
    Ok(summary)
}

/// Operations are counted on tensor expressions of the operators as the model has them, none fused or folded.
/// `None` if it cannot be compiled so far, and without a number if a function calls itself.
#[allow(
    clippy::option_option,
    reason = "what cannot be compiled, and what calls itself, are two things"
)]
fn count_flops(
    context: &Context,
    mut module: Module<'_>,
    options: &CompileOptions,
) -> Option<Option<u64>> {
    let order = Order {
        opt_level: 0,
        ..Order::standard(&options.target)
    };
    let passes = order.passes(Level::Te);
    let (result, _) = with_diagnostics(context, || {
        run_pipeline(context, &mut module, &passes.join(","))
    });
    result.ok()?;
    let module = Op::of_module(&module);
    let main = module
        .function("main")
        .filter(|main| main.block_in(0).is_some())?;
    Some(flops(main, module))
}

/// A model of another framework is described from its own nodes, so that a model that cannot be imported can be described, too.
fn of_model<'c>(
    context: &'c Context,
    model: &dyn Model,
    reading: &Reading,
) -> (Summary, Option<Module<'c>>) {
    let found = model.inspect();
    let port = |tensor: TensorInfo| PortSummary {
        name: tensor.name,
        declared: tensor.ty,
        resolved: None,
    };
    let groups = group(&found.unsupported).into_iter();
    let unsupported = groups.map(|group| Unsupported {
        line: group.to_string(),
        operator: group.first.op_type,
        reason: group.first.reason,
        nodes: group.nodes,
        attributes: group.first.attributes,
    });
    let mut summary = Summary {
        operators: found.operators,
        signatures: model.signatures(),
        inputs: found.inputs.into_iter().map(port).collect(),
        outputs: found.outputs.into_iter().map(port).collect(),
        parameters: i64::try_from(found.parameters).unwrap_or(i64::MAX),
        flops: None,
        recursive: false,
        nodes: Vec::new(),
        unsupported: unsupported.collect(),
        errors: Vec::new(),
    };
    let options = match reading.options() {
        Ok(options) => options,
        Err(error) => {
            summary.errors = vec![Problem::from(error)];
            return (summary, None);
        }
    };
    match model.import_as_far_as_possible(context, &options) {
        Ok(module) => (summary, Some(module)),
        Err(errors) => {
            let errors = errors.into_iter().map(DriverError::from);
            summary.errors = errors.map(Problem::from).collect();
            (summary, None)
        }
    }
}

fn of_module(module: Op) -> Summary {
    let mut summary = Summary::default();
    module.walk(|op| {
        let name = op.name();
        if name == names::relay::CONSTANT {
            summary.parameters += op.result(0).ty().count();
        } else if name.starts_with("relay.") {
            let outside = custom::of(op).map(|known| known.name().to_owned());
            let name = outside.unwrap_or(name);
            *summary.operators.entry(name).or_default() += 1;
        }
    });
    let port = |(name, ty): (String, Type)| PortSummary {
        name,
        declared: ty.to_string(),
        resolved: None,
    };
    let (inputs, outputs) = ports(module);
    summary.inputs = inputs.into_iter().map(port).collect();
    summary.outputs = outputs.into_iter().map(port).collect();
    summary
}

/// The operators of a module, of all its functions.
fn nodes(module: Op) -> Vec<NodeSummary> {
    let mut found = Vec::new();
    for function in module.functions() {
        for op in rewrite::operators(function) {
            let of_tree = || op.name().strip_prefix("relay.").map(str::to_owned);
            let outside = custom::of(op).map(|known| known.name().to_owned());
            let Some(operator) = outside.or_else(of_tree) else {
                continue;
            };
            if !op.is(names::relay::CONSTANT) {
                found.push(NodeSummary {
                    name: op.loc().names().join(" + "),
                    operator,
                    results: op
                        .results()
                        .iter()
                        .map(|value| describe(value.ty()))
                        .collect(),
                });
            }
        }
    }
    found
}

/// The inputs and outputs of `@main` by name.
type Ports = Vec<(String, Type)>;

fn ports(module: Op) -> (Ports, Ports) {
    let Some(main) = module.function("main") else {
        return Default::default();
    };
    let Some(ty) = main.function_type() else {
        return Default::default();
    };
    let ports = |attr: &str, types: Vec<Type>, kind: &str| {
        let attrs = main.attr(attr).and_then(Attr::as_array).unwrap_or_default();
        let name = |index: usize| -> Option<String> {
            attrs.get(index)?.get(relay_dialects::attrs::NAME)?.as_str()
        };
        let types = types.into_iter().enumerate();
        types
            .map(|(index, ty)| (name(index).unwrap_or_else(|| format!("{kind}{index}")), ty))
            .collect()
    };
    (
        ports("arg_attrs", ty.inputs(), "input"),
        ports("res_attrs", ty.results(), "output"),
    )
}

/// A type as libraries' are written: `f32[1, 3]`.
fn describe(ty: Type) -> String {
    if ty.is_tensor() {
        format!("{}{:?}", ty.element(), ty.dims())
    } else {
        ty.to_string()
    }
}

impl fmt::Display for PortSummary {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.name, self.declared)?;
        match &self.resolved {
            Some(resolved) => write!(formatter, " -> {resolved}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (title, ports) in [("inputs", &self.inputs), ("outputs", &self.outputs)] {
            writeln!(formatter, "{title}:")?;
            for port in ports {
                writeln!(formatter, "  {port}")?;
            }
        }
        if !self.signatures.is_empty() {
            writeln!(formatter, "signatures: {}", self.signatures.join(", "))?;
        }
        writeln!(formatter, "parameters: {}", self.parameters)?;
        match self.flops {
            Some(flops) => writeln!(formatter, "FLOPs: {flops}")?,
            None if self.recursive => {
                writeln!(formatter, "FLOPs: not known: a function is recursive")?;
            }
            None => writeln!(formatter, "FLOPs: not known")?,
        }
        writeln!(formatter, "operators:")?;
        for (name, count) in &self.operators {
            writeln!(formatter, "  {count:5} {name}")?;
        }
        if !self.unsupported.is_empty() {
            writeln!(formatter, "not supported:")?;
        }
        for group in &self.unsupported {
            writeln!(formatter, "  {}", group.line)?;
        }
        if !self.errors.is_empty() {
            writeln!(formatter, "errors:")?;
        }
        for Problem { message, .. } in &self.errors {
            writeln!(formatter, "  {}", message.replace('\n', "\n  "))?;
        }
        Ok(())
    }
}
