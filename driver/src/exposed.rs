//! A model whose inner tensors can be made outputs, to be looked at.

use crate::{
    DriverError, compile,
    compile::{CompileOptions, library_name},
    frontend::{self, Reading},
    output,
};
use melior::{Context, ir::Module};
use relay_codegen::interface;
use relay_dialects::{
    Element,
    ir::{Attr, Op, Type, Value},
    names,
    ops::func,
};
use relay_import::{graph::options::Options, model::Model};
use relay_runtime::{Model as Library, Port, Session, Tensor};
use std::{
    collections::{BTreeMap, BTreeSet, HashMap, HashSet},
    path::Path,
};

/// Tensors by name.
pub type Tensors = BTreeMap<String, Tensor>;

/// A tensor that a model computes.
#[derive(Clone, Debug)]
pub struct Inner {
    /// The tensor, with the name that the model gives it.
    pub port: Port,
    /// The node that computes it.
    pub node: String,
    /// The node's operator.
    pub operator: String,
    /// Whether it is an output of the model itself.
    pub is_output: bool,
    /// Its place among the results of `@main`.
    place: usize,
}

/// A model with all tensors that it computes at hand.
#[derive(Debug)]
pub struct Exposed<'c> {
    /// Its `@main` returns them all.
    module: Module<'c>,
    /// The tensors in the model's order.
    pub tensors: Vec<Inner>,
}

impl<'c> Exposed<'c> {
    /// Reads a model.
    ///
    /// # Errors
    /// As [`frontend::load`], or if there is no `@main`.
    pub fn load(context: &'c Context, path: &Path, reading: &Reading) -> Result<Self, DriverError> {
        let exposed = match reading.open(path)? {
            Some(model) => Self::of_model(context, model.as_ref(), reading)?,
            None => {
                let module = frontend::load(context, path, reading)?;
                compile::has_entry(&module)?;
                Self::of_module(module)
            }
        };
        exposed.ok_or_else(|| DriverError::Model {
            path: path.into(),
            reason: "a tensor of it has an element type that no library takes".into(),
        })
    }

    fn of_model(
        context: &'c Context,
        model: &dyn Model,
        reading: &Reading,
    ) -> Result<Option<Self>, DriverError> {
        let options = Options {
            expose: true,
            ..reading.options()?
        };
        let module = model.import(context, &options)?;
        let own = model.inspect().outputs.len();
        let results = results(&module);
        let tensors = model.nodes().into_iter().flat_map(|node| {
            let found = node.outputs.into_iter().filter_map(|name| {
                let place = results.iter().position(|(known, _)| *known == name)?;
                Some((name, place))
            });
            let (node, operator) = (node.name, node.op_type);
            let tensors =
                found.map(move |(name, place)| (name, place, node.clone(), operator.clone()));
            tensors.collect::<Vec<_>>()
        });
        let tensors: Option<Vec<Inner>> = tensors
            .map(|(name, place, node, operator)| {
                Some(Inner {
                    port: port(name, results[place].1)?,
                    node,
                    operator,
                    is_output: place < own,
                    place,
                })
            })
            .collect();
        Ok(tensors.map(|tensors| Self { module, tensors }))
    }

    /// Of a module, results of operators become outputs that are named after their nodes.
    fn of_module(module: Module<'c>) -> Option<Self> {
        let mut results = results(&module);
        let main = main(&module);
        let back = main.body().terminator()?;
        let mut returned = back.operands();
        let mut names: HashSet<String> = results.iter().map(|(name, _)| name.clone()).collect();
        let mut tensors = Vec::new();
        for (index, op) in main.body().ops().into_iter().enumerate() {
            let is_computed = op.name().starts_with("relay.") || op.is(func::Call::NAME);
            if !is_computed || op.is(names::relay::CONSTANT) {
                continue;
            }
            let operator = op.name().trim_start_matches("relay.").to_owned();
            let node = match op.loc().names() {
                names if names.is_empty() => format!("{operator}_{index}"),
                names => names.join(" + "),
            };
            for value in op.results() {
                if !value.ty().is_tensor() || !value.ty().is_static() {
                    continue;
                }
                let known = returned.iter().position(|other| *other == value);
                let (place, is_output) = match known {
                    Some(place) => (place, true),
                    None => {
                        let mut name = node.clone();
                        while !names.insert(name.clone()) {
                            name.push('\'');
                        }
                        results.push((name, value.ty()));
                        returned.push(value);
                        (returned.len() - 1, false)
                    }
                };
                tensors.push(Inner {
                    port: port(results[place].0.clone(), value.ty())?,
                    node: node.clone(),
                    operator: operator.clone(),
                    is_output,
                    place,
                });
            }
        }
        back.set_operands(&returned);
        set_results(main, &results);
        Some(Self { module, tensors })
    }

    /// The model with its own outputs, and those tensors that `keep` says, as outputs.
    pub fn keep(&self, keep: impl Fn(&Inner) -> bool) -> Module<'c> {
        let module = relay_dialects::copy(&self.module);
        let hidden: HashSet<usize> = self
            .tensors
            .iter()
            .filter(|tensor| !tensor.is_output && !keep(tensor))
            .map(|tensor| tensor.place)
            .collect();
        let results = results(&module).into_iter().enumerate();
        let results: Vec<_> = results
            .filter(|(place, _)| !hidden.contains(place))
            .map(|(_, result)| result)
            .collect();
        let main = main(&module);
        if let Some(back) = main.body().terminator() {
            let values = back.operands().into_iter().enumerate();
            let values: Vec<Value> = values
                .filter(|(place, _)| !hidden.contains(place))
                .map(|(_, value)| value)
                .collect();
            back.set_operands(&values);
        }
        set_results(main, &results);
        module
    }

    /// The operators of the model, each after what it reads.
    pub fn ops(&self) -> Vec<Op> {
        main(&self.module).body().ops()
    }

    /// The IR of the inputs of the model.
    pub fn arguments(&self) -> Vec<Value> {
        main(&self.module).body().args()
    }

    /// The IR of a tensor.
    pub fn value(&self, tensor: &Inner) -> Option<Value> {
        let back = main(&self.module).body().terminator()?;
        Some(back.operand(tensor.place))
    }

    /// The tensors that each tensor is computed of, without another one between: by their places in `tensors`.
    pub fn operands(&self) -> Vec<Vec<usize>> {
        let of_value: HashMap<Value, usize> = self
            .tensors
            .iter()
            .enumerate()
            .filter_map(|(index, tensor)| Some((self.value(tensor)?, index)))
            .collect();
        let tensors = self.tensors.iter();
        tensors
            .map(|tensor| {
                let mut found = Vec::new();
                let mut seen = HashSet::new();
                let mut open: Vec<Op> = self
                    .value(tensor)
                    .and_then(Value::def)
                    .into_iter()
                    .collect();
                while let Some(op) = open.pop() {
                    // Regions read values of the model, too.
                    op.walk(|op| {
                        for value in op.operands() {
                            match of_value.get(&value) {
                                Some(&index) => found.push(index),
                                None if seen.insert(value) => open.extend(value.def()),
                                None => {}
                            }
                        }
                    });
                }
                found.sort_unstable();
                found.dedup();
                found
            })
            .collect()
    }

    /// The places in `tensors` of those that depend on the model's inputs.
    pub fn varying(&self) -> BTreeSet<usize> {
        let mut varying: HashSet<Value> = self.arguments().into_iter().collect();
        for op in self.ops() {
            if op
                .operands()
                .iter()
                .any(|operand| varying.contains(operand))
            {
                varying.extend(op.results());
            }
        }
        let is_varying = |tensor: &Inner| {
            self.value(tensor)
                .is_some_and(|value| varying.contains(&value))
        };
        let tensors = self.tensors.iter().enumerate();
        tensors
            .filter(|(_, tensor)| is_varying(tensor))
            .map(|(place, _)| place)
            .collect()
    }

    /// The inputs of the model.
    pub fn inputs(&self) -> Vec<Port> {
        let main = main(&self.module);
        let types = main.body().args();
        let attrs = main
            .attr("arg_attrs")
            .and_then(Attr::as_array)
            .unwrap_or_default();
        let ports = types.iter().enumerate().filter_map(|(index, value)| {
            let name = attrs
                .get(index)
                .and_then(|attrs| attrs.get(relay_dialects::attrs::NAME)?.as_str());
            port(name.unwrap_or_else(|| format!("input{index}")), value.ty())
        });
        ports.collect()
    }
}

/// The function that a model runs.
pub(crate) fn main(module: &Module<'_>) -> Op {
    let main = Op::of_module(module).function("main");
    main.expect("what was loaded has a @main")
}

/// The names and types of what `@main` returns.
fn results(module: &Module<'_>) -> Vec<(String, Type)> {
    results_of(main(module))
}

/// The outputs of a model; `None` if one has elements that no library takes.
pub(crate) fn outputs(module: &Module<'_>) -> Option<Vec<Port>> {
    let results = results(module).into_iter();
    results.map(|(name, ty)| port(name, ty)).collect()
}

/// Has a function return another value, behind the others.
pub(crate) fn add_result(main: Op, name: &str, value: Value) {
    let Some(back) = main.body().terminator() else {
        return;
    };
    let mut results = results_of(main);
    results.push((name.to_owned(), value.ty()));
    let mut returned = back.operands();
    returned.push(value);
    back.set_operands(&returned);
    set_results(main, &results);
}

fn results_of(main: Op) -> Vec<(String, Type)> {
    let attrs = main
        .attr("res_attrs")
        .and_then(Attr::as_array)
        .unwrap_or_default();
    let values = main
        .body()
        .terminator()
        .map(Op::operands)
        .unwrap_or_default();
    let name = |index: usize| -> Option<String> {
        attrs.get(index)?.get(relay_dialects::attrs::NAME)?.as_str()
    };
    let values = values.into_iter().enumerate();
    values
        .map(|(index, value)| {
            let name = name(index).unwrap_or_else(|| format!("output{index}"));
            (name, value.ty())
        })
        .collect()
}

/// Has a function say what it returns.
pub(crate) fn set_results(main: Op, results: &[(String, Type)]) {
    let ctx = main.ctx();
    let inputs: Vec<Type> = main.body().args().iter().map(|value| value.ty()).collect();
    let types: Vec<Type> = results.iter().map(|(_, ty)| *ty).collect();
    main.set_attr(
        "function_type",
        Attr::ty(Type::function(ctx, &inputs, &types)),
    );
    let names: Vec<Attr> = results
        .iter()
        .map(|(name, _)| Attr::dict(ctx, &[(relay_dialects::attrs::NAME, Attr::str(ctx, name))]))
        .collect();
    main.set_attr("res_attrs", Attr::array(ctx, &names));
}

/// A tensor of IR as the runtime has it.
fn port(name: String, ty: Type) -> Option<Port> {
    let element = Element::of(ty.element())?;
    Some(Port::new(name, interface::dtype(element), ty.shape()))
}

/// Compiles a module and runs it once; its outputs by name.
///
/// # Errors
/// See [`DriverError`].
pub fn run(
    context: &Context,
    mut module: Module<'_>,
    inputs: &Tensors,
    options: &CompileOptions,
    threads: usize,
) -> Result<Tensors, DriverError> {
    run_library(&to_model(context, &mut module, options)?, inputs, threads)
}

/// Compiles a module, and loads what comes of it.
///
/// # Errors
/// See [`DriverError`].
pub(crate) fn to_model(
    context: &Context,
    module: &mut Module<'_>,
    options: &CompileOptions,
) -> Result<Library, DriverError> {
    let program = compile::to_program(context, module, options)?;
    let folder = output::temporary_folder()?;
    let output = folder.path().join("model.so");
    let name = library_name(&output);
    compile::write_library(module, &program, &name, &output, options)?;
    // The mapping outlives the file.
    Ok(Library::load(&output)?)
}

/// Runs a library once; its outputs by name.
///
/// # Errors
/// If it takes something that is not among `inputs`, or fails.
pub fn run_library(
    model: &Library,
    inputs: &Tensors,
    threads: usize,
) -> Result<Tensors, DriverError> {
    let given = model.inputs().iter().map(|port| {
        inputs.get(&port.name).ok_or_else(|| {
            let known: Vec<&str> = inputs.keys().map(String::as_str).collect();
            relay_runtime::RuntimeError::Input(format!(
                "there is no input '{}'; there are {}",
                port.name,
                known.join(", ")
            ))
        })
    });
    let given: Vec<&Tensor> = given.collect::<Result<_, _>>()?;
    let mut session = model.instance(threads)?;
    let outputs = session.run(&given)?;
    let names = model.outputs().iter().map(|port| port.name.clone());
    Ok(names.zip(outputs).collect())
}
