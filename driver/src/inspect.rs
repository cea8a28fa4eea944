//! Describes a model.

use crate::{
    DriverError, compile,
    frontend::{self, Shapes},
};
use melior::{Context, ir::Module};
use relay_codegen::Target;
use relay_dialects::{
    ir::{Attr, Op},
    names,
    pass::{run_pipeline, with_diagnostics},
};
use relay_import::onnx::{Onnx, TensorInfo};
use relay_passes::{
    analysis::flops::flops,
    pipeline::{Level, Order, Precision},
};
use std::{collections::BTreeMap, fmt, path::Path};

/// A model's operators and tensors.
#[derive(Debug, Default)]
pub struct Summary {
    /// Operators with how often they occur.
    pub operators: BTreeMap<String, usize>,
    /// Inputs with their types.
    pub inputs: Vec<(String, String)>,
    /// Outputs with their types.
    pub outputs: Vec<(String, String)>,
    /// The elements of all constants.
    pub parameters: i64,
    /// The floating-point operations of a run, or why they are not known.
    pub flops: Option<Result<u64, String>>,
    /// The nodes that cannot be imported, with their attributes and the reason.
    pub unsupported: Vec<String>,
}

/// Describes a model file.
///
/// # Errors
/// If the file cannot be read.
pub fn inspect(path: &Path, shapes: &Shapes) -> Result<Summary, DriverError> {
    let context = compile::prepare();
    if path
        .extension()
        .is_some_and(|extension| extension == "onnx")
    {
        let model = Onnx::open(path)?;
        let mut summary = of_onnx(model.inspect());
        if summary.unsupported.is_empty() {
            let module = model.import(&context, &frontend::with_shapes(shapes));
            let module = module.map_err(|error| error.to_string());
            summary.flops = Some(module.and_then(|module| count_flops(&context, module)));
        }
        return Ok(summary);
    }
    let module = frontend::load(&context, path, shapes)?;
    let mut summary = summarize(Op::of_module(&module));
    summary.flops = Some(count_flops(&context, module));
    Ok(summary)
}

/// Operations are counted on tensor expressions of the operators as the model has them, none fused or folded.
fn count_flops(context: &Context, mut module: Module<'_>) -> Result<u64, String> {
    let target = Target::host().map_err(|error| error.to_string())?;
    let order = Order {
        opt_level: 0,
        kind: target.kind(),
        machine: target.schedules_for(),
        precision: Precision::F32,
        cache: true,
        candidate: 0,
    };
    let passes = order.passes(Level::Te);
    let (result, diagnostics) = with_diagnostics(context, || {
        run_pipeline(context, &mut module, &passes.join(","))
    });
    result.map_err(|_| diagnostics.trim().to_string())?;
    let module = Op::of_module(&module);
    let main = module
        .lookup("main")
        .filter(|main| main.block_in(0).is_some());
    Ok(flops(main.ok_or("there is no function @main")?, module))
}

/// An ONNX model is described from its own nodes, so that a model with unsupported operators can be described,
/// too.
fn of_onnx(model: relay_import::onnx::Summary) -> Summary {
    let ports = |tensors: Vec<TensorInfo>| {
        tensors
            .into_iter()
            .map(|tensor| (tensor.name, tensor.ty))
            .collect()
    };
    Summary {
        operators: model.operators,
        inputs: ports(model.inputs),
        outputs: ports(model.outputs),
        parameters: i64::try_from(model.parameters).unwrap_or(i64::MAX),
        flops: None,
        unsupported: model.unsupported.iter().map(ToString::to_string).collect(),
    }
}

fn summarize(module: Op) -> Summary {
    let mut summary = Summary::default();
    module.walk(|op| {
        let name = op.name();
        if name == names::relay::CONSTANT {
            summary.parameters += op.result(0).ty().count();
        } else if name.starts_with("relay.") {
            *summary.operators.entry(name).or_default() += 1;
        }
    });
    if let Some(main) = module.lookup("main")
        && let Some(ty) = main.attr("function_type").and_then(Attr::as_type)
    {
        let ports = |attr: &str, types: Vec<relay_dialects::ir::Type>, kind: &str| {
            let attrs = main.attr(attr).and_then(Attr::as_array).unwrap_or_default();
            types
                .iter()
                .enumerate()
                .map(|(index, ty)| {
                    let name = attrs
                        .get(index)
                        .and_then(|attrs| attrs.get(relay_dialects::attrs::NAME)?.as_str());
                    (
                        name.unwrap_or_else(|| format!("{kind}{index}")),
                        ty.to_string(),
                    )
                })
                .collect()
        };
        summary.inputs = ports("arg_attrs", ty.inputs(), "input");
        summary.outputs = ports("res_attrs", ty.results(), "output");
    }
    summary
}

impl fmt::Display for Summary {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (title, ports) in [("inputs", &self.inputs), ("outputs", &self.outputs)] {
            writeln!(formatter, "{title}:")?;
            for (name, ty) in ports {
                writeln!(formatter, "  {name}: {ty}")?;
            }
        }
        writeln!(formatter, "parameters: {}", self.parameters)?;
        match &self.flops {
            Some(Ok(flops)) => writeln!(formatter, "FLOPs: {flops}")?,
            Some(Err(reason)) => writeln!(formatter, "FLOPs: not known: {reason}")?,
            None => {}
        }
        writeln!(formatter, "operators:")?;
        for (name, count) in &self.operators {
            writeln!(formatter, "  {count:5} {name}")?;
        }
        if !self.unsupported.is_empty() {
            writeln!(formatter, "not supported:")?;
        }
        for node in &self.unsupported {
            writeln!(formatter, "  {node}")?;
        }
        Ok(())
    }
}
