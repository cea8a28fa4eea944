//! What a model keeps from run to run.
//!
//! Recurrent operators change tensors that the file marks as variables, and others read and assign resources by name. A library keeps
//! nothing: such a state is an input of the model, and what it becomes is an output. The caller hands it back in the next run, or
//! donates its memory.

use super::{
    constant,
    flat::Flat,
    operators,
    schema::{Graph, Model, Tensor, tensor},
};
use crate::graph::{error::Result, state::only_number, value::Value};
use bytes::Bytes;
use std::{
    cell::{Cell, RefCell},
    collections::{BTreeMap, BTreeSet},
};

/// A state that a run changes.
pub struct State<'m> {
    /// The name of its input.
    pub name: String,
    /// What it is in the file.
    pub kept: Kept,
    /// A tensor of its type.
    pub tensor: &'m Tensor,
    /// What all its elements are before the first run, if that is one number.
    pub first: Option<f64>,
}

/// What a state is in the file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kept {
    /// A tensor of the imported graph that is a variable.
    Variable(i32),
    /// A resource, by its container and name.
    Resource(String),
}

/// Where the handle is among the inputs of operators on resources.
const HANDLE: usize = 0;
/// Where the value is among those of an assignment.
const ASSIGNED: usize = 1;

/// The operators of a graph of a name, with their inputs and outputs.
fn named<'m>(
    model: &'m Model,
    graph: &'m Graph,
    name: &'static str,
) -> impl Iterator<Item = &'m super::schema::Operator> {
    let is_it = move |code: u32| {
        let code = model.codes.get(code as usize);
        code.and_then(|code| operators::find(code.builtin))
            .is_some_and(|known| known.name == name)
    };
    graph
        .operators
        .iter()
        .filter(move |operator| is_it(operator.code))
}

/// The container and the name of the resource whose handle a tensor is.
///
/// # Errors
/// If no operator of the graph makes the handle.
pub fn resource(model: &Model, flat: &Flat<'_>, graph: &Graph, handle: i32) -> Result<String> {
    let mut makers = named(model, graph, "VAR_HANDLE");
    let maker = makers.find(|operator| operator.outputs.contains(&handle));
    let maker = maker.ok_or("its handle comes from another graph, which is not supported")?;
    let Some(options) = maker.options else {
        return Ok(String::new());
    };
    let table = flat.table(options.at)?;
    let (container, name) = (table.text(0)?, table.text(1)?);
    Ok(match container.is_empty() {
        true => name,
        false => format!("{container}/{name}"),
    })
}

/// The states that a run of a graph changes: variables that are read, and resources that are assigned beside those that are made first.
///
/// # Errors
/// If a handle is not valid.
pub fn changed<'m>(model: &'m Model, entry: usize, file: &Bytes) -> Result<Vec<State<'m>>> {
    let flat = &Flat::new(file);
    let mut states = model.graphs.get(entry).map_or_else(Vec::new, variables);
    let mut first_graphs = BTreeSet::new();
    for graph in &model.graphs {
        for operator in named(model, graph, "CALL_ONCE") {
            if let Some(options) = operator.options {
                first_graphs.insert(flat.table(options.at)?.i32(0, 0)?);
            }
        }
    }
    for (index, graph) in model.graphs.iter().enumerate() {
        if !first_graphs.contains(&(index as i32)) && model.belongs_to(index, entry) {
            add_assigned(model, flat, graph, &mut states)?;
        }
    }
    for index in first_graphs {
        let graph = usize::try_from(index)
            .ok()
            .and_then(|index| model.graphs.get(index));
        if let Some(graph) = graph {
            note_first(model, (file, flat), graph, &mut states)?;
        }
    }
    Ok(states)
}

/// The variables of a graph that it reads. They are zeros at first.
fn variables(graph: &Graph) -> Vec<State<'_>> {
    let inputs = graph.operators.iter().flat_map(|operator| &operator.inputs);
    let read: BTreeSet<i32> = inputs.copied().collect();
    let tensors = (0..).zip(&graph.tensors);
    let variables = tensors.filter(|(number, tensor)| tensor.is_variable && read.contains(number));
    let states = variables.map(|(number, tensor)| State {
        name: tensor.name.clone(),
        kept: Kept::Variable(number),
        tensor,
        first: Some(0.0),
    });
    states.collect()
}

/// Adds the resources that a graph assigns.
fn add_assigned<'m>(
    model: &'m Model,
    flat: &Flat<'_>,
    graph: &'m Graph,
    states: &mut Vec<State<'m>>,
) -> Result<()> {
    for operator in named(model, graph, "ASSIGN_VARIABLE") {
        let inputs = (operator.inputs.get(HANDLE), operator.inputs.get(ASSIGNED));
        let (Some(handle), Some(value)) = inputs else {
            continue;
        };
        let name = resource(model, flat, graph, *handle)?;
        let kept = Kept::Resource(name.clone());
        let is_known = states.iter().any(|state| state.kept == kept);
        if let Some(tensor) = tensor(graph, *value).filter(|_| !is_known) {
            states.push(State {
                kept,
                first: None,
                name,
                tensor,
            });
        }
    }
    Ok(())
}

/// Notes what a graph that runs before the first run assigns.
fn note_first(
    model: &Model,
    (file, flat): (&Bytes, &Flat<'_>),
    graph: &Graph,
    states: &mut [State<'_>],
) -> Result<()> {
    for operator in named(model, graph, "ASSIGN_VARIABLE") {
        let inputs = (operator.inputs.get(HANDLE), operator.inputs.get(ASSIGNED));
        let (Some(handle), Some(value)) = inputs else {
            continue;
        };
        let kept = Kept::Resource(resource(model, flat, graph, *handle)?);
        let state = states.iter_mut().find(|state| state.kept == kept);
        let (Some(state), Some(tensor)) = (state, tensor(graph, *value)) else {
            continue;
        };
        let known = constant::read(model, file, tensor)?;
        state.first = known.as_ref().and_then(only_number);
    }
    Ok(())
}

/// The values of states while a model is imported.
#[derive(Default)]
pub struct States {
    values: RefCell<BTreeMap<Kept, Value>>,
    /// Whether what runs is what a model runs once, before its first run.
    is_first: Cell<bool>,
}

impl States {
    /// What a state is now.
    pub fn get(&self, kept: &Kept) -> Option<Value> {
        self.values.borrow().get(kept).cloned()
    }

    /// Says what a state is now. Before the first run, what is an input stays one.
    pub fn set(&self, kept: Kept, value: Value) {
        let mut values = self.values.borrow_mut();
        if !self.is_first.get() || !values.contains_key(&kept) {
            values.insert(kept, value);
        }
    }

    /// Writes what runs once before the first run.
    pub fn first<T>(&self, write: impl FnOnce() -> T) -> T {
        let around = self.is_first.replace(true);
        let written = write();
        self.is_first.set(around);
        written
    }
}
