//! From a program to a module.

use super::{
    eval::{Evaluator, Made},
    program::Script,
    signature::{self, Given},
    value::{Object, Val},
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
        state::next,
        value::Value,
    },
    model::{Model, NodeInfo, Summary, count_operators},
    source::Source,
    torch::{
        item::{Item, Number},
        promote::of_number,
    },
};
use melior::{Context, ir::Module};
use relay_dialects::element::Element;
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    rc::Rc,
};

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
        let states = signature::signature(&self.script, options)?.states;
        for path in &states {
            let (object, name) = owner(&root, path)?;
            let value = values.remove(path);
            let value = value.ok_or_else(|| format!("input '{path}' is not there"))?;
            let value = Val::Tensor(evaluator.define(path, Item::Tensor(value)));
            object.attributes.borrow_mut().insert(name, value);
        }
        let mut places = vec![root.clone()];
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
        let mut outputs = Outputs::new();
        let mut taken = Names::default();
        add_outputs(
            evaluator,
            &returned,
            "output",
            (&mut outputs, &mut taken),
            0,
        )?;
        let place = (&mut outputs, &mut taken);
        self.add_states(evaluator, (&root, &states), place)?;
        if options.expose {
            let mut computed = Vec::new();
            for name in evaluator.state.computed.clone() {
                computed.push((name.into(), evaluator.found(name)?));
            }
            expose(evaluator.b(), &mut outputs, computed)?;
        }
        Ok(outputs)
    }

    /// Adds what becomes of the tensors of the model that the program changes, or that are inputs, as outputs.
    fn add_states<'g>(
        &self,
        evaluator: &mut Evaluator<'g, '_>,
        (root, states): (&Val<'g>, &[String]),
        (outputs, taken): (&mut Outputs, &mut Names),
    ) -> Result<()> {
        let mut changed: BTreeMap<String, Val<'g>> = BTreeMap::new();
        for name in evaluator.converter.scope.changed() {
            if let Some(path) = evaluator.state.stored.get(name) {
                changed.insert(path.to_string(), Val::Tensor(name));
            }
        }
        for (path, (object, name)) in &evaluator.state.changed {
            if let Some(value) = object.attributes.borrow().get(name) {
                changed.insert(path.clone(), value.clone());
            }
        }
        changed.retain(|path, _| !states.contains(path));
        self.note_changes(&changed);
        for path in states {
            changed.insert(path.clone(), attribute(root, path)?);
        }
        for (path, value) in &changed {
            if value.has_tensors() {
                let place = (&mut *outputs, &mut *taken);
                add_outputs(evaluator, value, &next(path), place, 0)?;
            }
        }
        Ok(())
    }

    /// Warns of what the program changes and no caller gives: it is in each run what it is in the file.
    fn note_changes(&self, changed: &BTreeMap<String, Val<'_>>) {
        if changed.is_empty() {
            return;
        }
        let names: Vec<&str> = changed.keys().map(String::as_str).collect();
        let mut tensors = changed.iter().filter(|(_, value)| value.has_tensors());
        let remedy = tensors.next().map_or(String::new(), |(first, _)| {
            format!(
                " What tensors become are outputs, such as {}; to give one in each run, give its shape: --shape {first}=...",
                next(first)
            )
        });
        tracing::warn!(
            "{}: the model changes {}; each run begins with what the file holds.{remedy}",
            self.path.display(),
            names.join(", "),
        );
    }
}

/// The attribute of an object at a path.
fn attribute<'g>(root: &Val<'g>, path: &str) -> Result<Val<'g>> {
    let (object, name) = owner(root, path)?;
    let attributes = object.attributes.borrow();
    let value = attributes.get(&name).cloned();
    value.ok_or_else(|| format!("the model has no '{path}'"))
}

/// The object that has the attribute at a path, and the attribute's name.
fn owner<'g>(root: &Val<'g>, path: &str) -> Result<(Rc<Object<'g>>, String)> {
    let no_attribute = || format!("'{path}' is no attribute of a module, and cannot be an input");
    let mut value = root.clone();
    let mut names = path.split('.').peekable();
    while let (Val::Object(object), Some(name)) = (value.clone(), names.next()) {
        if names.peek().is_none() {
            return Ok((object, name.to_owned()));
        }
        let inner = object.attributes.borrow().get(name).cloned();
        value = inner.ok_or_else(no_attribute)?;
    }
    Err(no_attribute())
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
        Given::Scalar(_, value) => value.value(),
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
        Summary {
            inputs: signature::inputs(&self.script),
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
