//! From a program to a module.

use super::{
    eval::{Evaluator, Made},
    program::Script,
    signature::{self, Given},
    value::Val,
};
use crate::{
    compose::complex::Complex,
    error::{ImportError, Unsupported},
    graph::{
        builder::GraphBuilder,
        entry::{Entry, Given as Values, Outputs, expose},
        error::Result,
        names::Names,
        options::Options,
        value::Value,
    },
    model::{Model, NodeInfo, Summary, TensorInfo, count_operators},
    source::Source,
    torch::{
        item::{Item, Number},
        promote::of_number,
    },
};
use melior::{Context, ir::Module};
use relay_dialects::element::Element;
use std::path::{Path, PathBuf};

/// The method by which an object makes its attributes.
const SET_STATE: &str = "__setstate__";

/// What the file should be.
const FORMAT: &str = "a TorchScript program";

/// A program of `torch.jit.save` that was read.
pub struct TorchScript {
    path: PathBuf,
    script: Script,
}

impl TorchScript {
    /// Reads a program.
    ///
    /// # Errors
    /// If the file is none, or a damaged one.
    pub fn read(source: Source) -> Result<Self, ImportError> {
        let path = source.path;
        let script = Script::read(source.bytes).map_err(|reason| ImportError::Decode {
            path: path.clone(),
            format: FORMAT,
            reason,
        })?;
        Ok(Self { path, script })
    }

    /// Writes the body of `@main`. Returns what the program returns.
    fn write(
        &self,
        options: &Options,
        b: &mut GraphBuilder,
        values: Values,
    ) -> Result<Outputs, Vec<ImportError>> {
        let made = Made::default();
        let mut evaluator = Evaluator::new(&self.script, &made, b);
        let written = self.run(&mut evaluator, options, values);
        let state = &mut evaluator.state;
        if !state.unsupported.is_empty() {
            return Err(vec![ImportError::Unsupported {
                path: self.path.clone(),
                operators: std::mem::take(&mut state.unsupported),
            }]);
        }
        written.map_err(|reason| {
            vec![match state.place.is_empty() {
                true => self.wrong(reason),
                false => {
                    let node = std::mem::take(&mut state.place);
                    self.wrong_node(node, std::mem::take(&mut state.op), reason)
                }
            }]
        })
    }

    fn run<'g>(
        &'g self,
        evaluator: &mut Evaluator<'g, '_>,
        options: &Options,
        mut values: Values,
    ) -> Result<Outputs> {
        let forward = self.script.forward()?;
        let (root, states) = self.script.root()?;
        restore(evaluator, states)?;
        let mut places = vec![root];
        let mut named = Vec::new();
        // The first parameter is the module itself. Arguments behind one that is left out are given by name.
        let parameters = forward.parameters.iter().skip(1);
        let mut is_by_place = true;
        for (parameter, given) in parameters.zip(signature::given(&self.script, options)?) {
            if matches!(given, Given::Default) {
                is_by_place = false;
                continue;
            }
            let argument = argument(evaluator, &given, &mut values)?;
            match is_by_place {
                true => places.push(argument),
                false => named.push((parameter.name.as_str(), argument)),
            }
        }
        let returned = evaluator.call(forward, places, named)?;
        evaluator.state.place.clear();
        self.check_state(evaluator)?;
        let mut outputs = Outputs::new();
        let mut taken = Names::default();
        add_outputs(
            evaluator,
            &returned,
            "output",
            (&mut outputs, &mut taken),
            0,
        )?;
        if options.expose {
            let mut computed = Vec::new();
            for name in evaluator.state.computed.clone() {
                computed.push((name.into(), evaluator.found(name)?));
            }
            expose(evaluator.b(), &mut outputs, computed)?;
        }
        Ok(outputs)
    }

    /// Fails if a tensor of the file was changed: a compiled model has no state.
    fn check_state(&self, evaluator: &Evaluator<'_, '_>) -> Result<()> {
        for name in evaluator.converter.scope.changed() {
            if let Some(path) = evaluator.state.stored.get(name) {
                return Err(format!(
                    "the model changes its buffer '{path}'; state is not supported: make it an input and an output of the model"
                ));
            }
        }
        Ok(())
    }
}

/// Calls the methods by which objects make their attributes of what the file holds of them.
fn restore<'g>(evaluator: &mut Evaluator<'g, '_>, states: Vec<(Val<'g>, Val<'g>)>) -> Result<()> {
    evaluator.state.is_restoring = true;
    for (object, state) in states {
        // Objects of classes that the file does not define have no attributes; whoever asks for one is told.
        if evaluator.has_method(&object, SET_STATE) {
            evaluator.method(object, SET_STATE, vec![state], Vec::new())?;
        }
    }
    evaluator.state.is_restoring = false;
    Ok(())
}

/// An argument of the program.
fn argument<'g>(
    evaluator: &mut Evaluator<'g, '_>,
    given: &Given,
    values: &mut Values,
) -> Result<Val<'g>> {
    Ok(match given {
        Given::Default => Val::None,
        Given::Tensor(port) | Given::Complex(port) => {
            let value = values.remove(&port.name);
            let value = value.ok_or_else(|| format!("input '{}' is not there", port.name))?;
            let item = match given {
                Given::Complex(_) => Complex::of_pairs(evaluator.b(), &value)?.into(),
                _ => Item::Tensor(value),
            };
            let name = evaluator.define(&port.name, item);
            Val::Tensor(name)
        }
        Given::List(items) | Given::Tuple(items) => {
            let all = items.iter().map(|item| argument(evaluator, item, values));
            let all = all.collect::<Result<Vec<_>>>()?;
            match given {
                Given::List(_) => Val::list(all),
                _ => Val::tuple(all),
            }
        }
        Given::Dict(items) => {
            let mut entries = Vec::new();
            for (key, item) in items {
                entries.push((
                    Val::Text(key.as_str().into()),
                    argument(evaluator, item, values)?,
                ));
            }
            Val::Dict(std::rc::Rc::new(std::cell::RefCell::new(entries.into())))
        }
    })
}

/// How deep results may lie in others.
const DEEPEST: usize = 50;

/// Adds the tensors and numbers of a result, with names by their places.
fn add_outputs<'g>(
    evaluator: &mut Evaluator<'g, '_>,
    value: &Val<'g>,
    name: &str,
    (outputs, taken): (&mut Outputs, &mut Names),
    depth: usize,
) -> Result<()> {
    if depth > DEEPEST {
        return Err("its result has too many levels".into());
    }
    let inner = |key: &str| match (name, key.parse::<usize>()) {
        // Keys and fields name what they hold; places do not.
        ("output", Err(_)) => key.to_owned(),
        ("output", Ok(_)) => format!("output_{key}"),
        _ => format!("{name}.{key}"),
    };
    match value {
        Val::None => Ok(()),
        Val::Tensor(_) | Val::Weight(..) | Val::Quantized(..) | Val::Number(_) => {
            let value = returned(evaluator, value)?;
            let value = evaluator.b().materialize(&value)?;
            outputs.push((taken.unique(name, '.'), value));
            Ok(())
        }
        Val::List(items) => {
            let items = items.borrow().clone();
            let mut items = items.iter().enumerate();
            items.try_for_each(|(place, item)| {
                let name = inner(&place.to_string());
                add_outputs(evaluator, item, &name, (outputs, taken), depth + 1)
            })
        }
        Val::Tuple(items, names) => {
            let mut items = items.iter().enumerate();
            items.try_for_each(|(place, item)| {
                let field = names.as_ref().and_then(|names| names.get(place).cloned());
                let key = field.unwrap_or_else(|| place.to_string());
                add_outputs(evaluator, item, &inner(&key), (outputs, taken), depth + 1)
            })
        }
        Val::Dict(items) => {
            let items = items.borrow().clone();
            items.iter().try_for_each(|(key, item)| {
                let key = match key {
                    Val::Text(text) => text.to_string(),
                    Val::Number(Number::Int(number)) => number.to_string(),
                    other => return Err(format!("a key of its result is {}", other.kind())),
                };
                add_outputs(evaluator, item, &inner(&key), (outputs, taken), depth + 1)
            })
        }
        other => Err(format!("it returns {}", other.kind())),
    }
}

/// A tensor, or a number as one: floats of Python have 64 bits.
fn returned<'g>(evaluator: &mut Evaluator<'g, '_>, value: &Val<'g>) -> Result<Value> {
    match value {
        Val::Tensor(name) => evaluator.found(name),
        Val::Number(number) => {
            let element = match number {
                Number::Float(_) => Element::F64,
                number => of_number(number),
            };
            number.cast(evaluator.b(), element)
        }
        Val::Weight(path, stored) => evaluator.script.parameter(evaluator.b(), path, stored),
        Val::Quantized(..) => evaluator.value_of(value),
        other => Err(format!("it returns {}", other.kind())),
    }
}

impl Model for TorchScript {
    fn path(&self) -> &Path {
        &self.path
    }

    fn inspect(&self) -> Summary {
        let calls = signature::calls(&self.script).into_iter();
        let inputs = signature::signature(&self.script, &Options::default());
        Summary {
            inputs: inputs
                .map(|signature| signature.ports.iter().map(TensorInfo::from).collect())
                .unwrap_or_default(),
            outputs: signature::outputs(&self.script),
            operators: count_operators(calls.map(|(_, op)| op)),
            parameters: self.script.parameters(),
            unsupported: self.unsupported(),
        }
    }

    fn nodes(&self) -> Vec<NodeInfo> {
        let calls = signature::calls(&self.script).into_iter();
        let nodes = calls.map(|(name, op_type)| NodeInfo {
            name,
            op_type,
            outputs: Vec::new(),
        });
        nodes.collect()
    }

    fn unsupported(&self) -> Vec<Unsupported> {
        signature::unsupported(&self.script)
    }

    fn import_as_far_as_possible<'c>(
        &self,
        context: &'c Context,
        options: &Options,
    ) -> Result<Module<'c>, Vec<ImportError>> {
        let wrong = |reason| vec![self.wrong(reason)];
        let signature = signature::signature(&self.script, options).map_err(wrong)?;
        signature::check_shapes(&signature, options).map_err(wrong)?;
        let entry = Entry {
            path: &self.path,
            name: "main",
            signature: &signature,
            options,
        };
        entry.import(context, |b, inputs| self.write(options, b, inputs))
    }

    /// Code that these shapes do not reach may have operators without a conversion.
    fn import<'c>(
        &self,
        context: &'c Context,
        options: &Options,
    ) -> Result<Module<'c>, ImportError> {
        self.import_as_far_as_possible(context, options)
            .map_err(|mut errors| errors.swap_remove(0))
    }

    fn leaves_dimensions_open(&self, options: &Options) -> bool {
        let signature = signature::signature(&self.script, options);
        signature.is_ok_and(|signature| signature.leaves_dimensions_open(options))
    }
}
