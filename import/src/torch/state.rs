//! What a program keeps from run to run: buffers, parameters and constants that it changes, and inputs that it writes into.
//!
//! A program says so in two ways: in its signature, after `run_decompositions`, or with operators that work in place.

use super::{
    graphs::{Region, passed, region},
    ops::{self, Conversion},
    program::{Program, describe},
    schema::{
        Argument, Graph, InputSpec, NamedArgument, Node, OptionalTensor, OutputSpec, TensorMeta,
        names,
    },
    view::is_view,
};
use crate::graph::{
    constant::element_count,
    names::Names,
    state::{described, only_number},
};
use std::collections::{BTreeMap, HashMap, HashSet};

/// A tensor that a run changes.
pub struct State {
    /// The name of the graph's input.
    pub input: String,
    /// The name of the module's input: that of the buffer in the model.
    pub name: String,
    /// Whether the caller gives it anyway.
    pub is_given: bool,
    /// The name of what it becomes, where the signature says that.
    pub next: Option<String>,
    /// Its type, and what it is before the first run, if that is one number.
    pub text: String,
}

/// The most elements of a state that are compared to find out whether they are one number.
const MOST_COMPARED: i64 = 1 << 24;

/// The parameter, buffer or constant that an input is.
pub fn held(spec: &InputSpec) -> Option<&str> {
    match spec {
        InputSpec::Parameter {
            parameter_name: name,
        }
        | InputSpec::Buffer { buffer_name: name }
        | InputSpec::TensorConstant {
            tensor_constant_name: name,
        } => Some(name),
        _ => None,
    }
}

/// The states of a program, in the order of the graph's inputs.
pub fn states(program: &Program) -> Vec<State> {
    let module = &program.exported.graph_module;
    let mut in_place = HashSet::new();
    add_changed(&module.graph, &mut in_place);
    let mut nexts: HashMap<(bool, &str), &str> = HashMap::new();
    for spec in &module.signature.output_specs {
        match spec {
            OutputSpec::BufferMutation {
                buffer_name: name,
                arg,
            }
            | OutputSpec::ParameterMutation {
                parameter_name: name,
                arg,
            } => nexts.insert((true, name), &arg.name),
            OutputSpec::UserInputMutation {
                user_input_name: name,
                arg,
            } => nexts.insert((false, name), &arg.name),
            _ => None,
        };
    }
    let inputs = module.graph.inputs.iter();
    let inputs: Vec<_> = inputs.zip(&module.signature.input_specs).collect();
    let user_names = inputs.iter().filter(|(_, spec)| held(spec).is_none());
    let mut taken: Names = user_names
        .flat_map(|(input, _)| names(input))
        .map(Into::into)
        .collect();
    let mut states = Vec::new();
    for (input, spec) in inputs {
        let Argument::AsTensor(name) = input else {
            continue;
        };
        let (name, held) = (&name.name, held(spec));
        let next = nexts.get(&(held.is_some(), held.unwrap_or(name))).copied();
        if next.is_none() && !in_place.contains(name.as_str()) {
            continue;
        }
        let text = module.graph.tensor_values.get(name).map(describe);
        let text = text.unwrap_or_else(|| "?".into());
        states.push(State {
            input: name.clone(),
            name: held.map_or_else(|| name.clone(), |held| taken.unique(held, '_')),
            is_given: held.is_none(),
            next: next.map(Into::into),
            text: described(&text, held.and_then(|held| first(program, held))),
        });
    }
    states
}

/// The number that all elements of a tensor in the file are.
fn first(program: &Program, name: &str) -> Option<f64> {
    let stored = program.tensors.get(name)?.as_ref().ok()?;
    let count = element_count(&stored.sizes).ok()?;
    let known = (count <= MOST_COMPARED)
        .then(|| stored.read().ok())
        .flatten()?;
    only_number(&known)
}

/// Adds the names of a graph's tensors, its inputs among them, whose elements nodes change.
fn add_changed<'g>(graph: &'g Graph, changed: &mut HashSet<&'g str>) {
    // Where the elements of views lie.
    let mut bases: HashMap<&str, &str> = HashMap::new();
    for node in &graph.nodes {
        let first = node.inputs.first().and_then(|input| tensor(&input.arg));
        if let Some(Region::Wrapped(inner, before)) = region(node) {
            let mut of_inner = HashSet::new();
            add_changed(inner, &mut of_inner);
            for (inner, outer) in passed(node, inner, before).unwrap_or_default() {
                if of_inner.contains(inner) {
                    changed.insert(root(&bases, outer));
                }
            }
        }
        let Some(conversion) = ops::find(&node.target) else {
            continue;
        };
        for name in targets(node, conversion) {
            changed.insert(root(&bases, name));
        }
        if let Some(first) = first
            && (conversion.is_in_place || is_alias(node, conversion, &graph.tensor_values))
        {
            let base = root(&bases, first);
            let results = node.outputs.iter().flat_map(names);
            bases.extend(
                results
                    .filter(|name| *name != base)
                    .map(|name| (name, base)),
            );
        }
    }
}

fn root<'g>(bases: &HashMap<&'g str, &'g str>, name: &'g str) -> &'g str {
    // Bases are looked up when they are noted, so there is one step.
    bases.get(name).copied().unwrap_or(name)
}

fn tensor(argument: &Argument) -> Option<&str> {
    match argument {
        Argument::AsTensor(name) | Argument::AsOptionalTensor(OptionalTensor::AsTensor(name)) => {
            Some(&name.name)
        }
        _ => None,
    }
}

/// The names of the tensors that a node changes.
fn targets(node: &Node, conversion: Conversion) -> Vec<&str> {
    let mut names = Vec::new();
    if conversion.is_in_place {
        names.extend(node.inputs.first().and_then(|input| tensor(&input.arg)));
    }
    if is_in_training(node) {
        let is_changed = |input: &&NamedArgument| conversion.row.changes.contains(&&*input.name);
        let inputs = node.inputs.iter().filter(is_changed);
        names.extend(inputs.filter_map(|input| tensor(&input.arg)));
    }
    names
}

/// Whether an operator that changes statistics in training does so here.
fn is_in_training(node: &Node) -> bool {
    let flags = ["training", "train", "use_input_stats"];
    let mut inputs = node.inputs.iter();
    let flag = inputs.find(|input| flags.contains(&&*input.name));
    !matches!(flag.map(|input| &input.arg), Some(Argument::AsBool(false)))
}

/// Whether the results of a node lie in its first argument.
fn is_alias(node: &Node, conversion: Conversion, types: &BTreeMap<String, TensorMeta>) -> bool {
    let number = |argument: Option<&Argument>| {
        let name = argument.and_then(|argument| names(argument).first().copied());
        name.and_then(|name| types.get(name)).map(|meta| meta.dtype)
    };
    let of_base = number(node.inputs.first().map(|input| &input.arg));
    is_view(conversion, node, types) && of_base == number(node.outputs.first())
}
