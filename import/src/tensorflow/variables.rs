//! Which tensor of the checkpoint each variable's value is.
//!
//! A model has nodes that restore its variables: they read tensors of a checkpoint by key, and assign them. So these nodes say which
//! key a variable has, whatever wrote the model.

use super::{
    body::{Body, Read},
    checkpoint::Checkpoint,
    proto,
};
use crate::graph::{constant::Const, error::Result};
use std::collections::{HashMap, HashSet};

/// The variables of a model.
#[derive(Default)]
pub struct Variables {
    checkpoint: Checkpoint,
    /// The key of each variable, by the name of its node.
    keys: HashMap<String, String>,
}

/// How the key of a variable that objects hold ends.
const OF_OBJECT: &str = "/.ATTRIBUTES/VARIABLE_VALUE";

impl Variables {
    /// The variables that a node of a graph restores.
    ///
    /// # Errors
    /// If the nodes are damaged.
    pub fn of(checkpoint: Checkpoint, graph: &proto::Graph, restore: Option<&str>) -> Result<Self> {
        let mut keys = HashMap::new();
        let body = Body::of_graph(&graph.node)?;
        let name = restore.unwrap_or_default();
        let node = body.place(name.split(':').next().unwrap_or_default());
        if let Some(node) = node {
            restored(graph, &body, node, &mut keys)?;
            copied(&body, &mut keys);
        }
        Ok(Self { checkpoint, keys })
    }

    /// The key of the variable that a node stands for.
    ///
    /// # Errors
    /// If nothing restores it.
    pub fn key(&self, node: &proto::Node) -> Result<String> {
        if let Some(key) = self.keys.get(&node.name) {
            return Ok(key.clone());
        }
        let shared = node
            .attr
            .get("shared_name")
            .and_then(|attr| match &attr.value {
                Some(proto::Value::S(text)) => String::from_utf8(text.to_vec()).ok(),
                _ => None,
            });
        let names = [Some(node.name.clone()), shared];
        let names = names.into_iter().flatten();
        let mut keys = names.flat_map(|name| [format!("{name}{OF_OBJECT}"), name]);
        let found = keys.find(|key| self.checkpoint.keys().any(|known| known == key));
        found.ok_or_else(|| {
            "nothing restores this variable from the checkpoint; freeze the graph, or save the variable with it"
                .into()
        })
    }

    /// The value of a key.
    ///
    /// # Errors
    /// If it is not there, or damaged.
    pub fn value(&self, key: &str) -> Result<Const> {
        self.checkpoint.tensor(key)
    }

    /// The number of elements of a variable; 0 if it has no value.
    pub fn count(&self, node: &proto::Node) -> u64 {
        let key = self.key(node);
        key.map_or(0, |key| self.checkpoint.count(&key))
    }
}

/// Notes the keys of what a node of a graph restores, and all nodes before it.
fn restored(
    graph: &proto::Graph,
    body: &Body<'_>,
    node: usize,
    keys: &mut HashMap<String, String>,
) -> Result<()> {
    let mut seen = HashSet::new();
    let mut next = vec![node];
    while let Some(place) = next.pop() {
        if !seen.insert(place) {
            continue;
        }
        let reads = body.reads[place].iter();
        next.extend(reads.filter_map(|read| body.node(*read).map(|(place, _)| place)));
        next.extend(body.controls(place));
        let node = &body.nodes[place];
        if let Some((target, key)) = assigned(body, place)
            && let Some((_, variable)) = body.node(target)
        {
            keys.insert(variable.name.clone(), key);
        }
        let called = node.attr.get("f").and_then(|attr| match &attr.value {
            Some(proto::Value::Func(function)) => Some(function.name.as_str()),
            _ => None,
        });
        let functions = graph.library.iter().flat_map(|library| &library.function);
        let is_called = |function: &&proto::Function| {
            let signature = function.signature.as_ref();
            called.is_some() && signature.map(|it| it.name.as_str()) == called
        };
        for function in functions.filter(is_called) {
            let inner = Body::of_function(function)?;
            for place in 0..inner.nodes.len() {
                if let Some((Read::Argument(argument), key)) = assigned(&inner, place)
                    && let Some(read) = body.reads[node_place(body, node)?].get(argument)
                    && let Some((_, variable)) = body.node(body.origin(*read))
                {
                    keys.insert(variable.name.clone(), key);
                }
            }
        }
    }
    Ok(())
}

/// Notes the keys of variables that restored ones are copies of: of a variable that a layer of Keras holds, a model may have both.
fn copied(body: &Body<'_>, keys: &mut HashMap<String, String>) {
    for (place, node) in body.nodes.iter().enumerate() {
        let [target, value] = body.reads[place][..] else {
            continue;
        };
        let is_assignment = node.op == "AssignVariableOp";
        let copy = body.node(body.origin(target));
        let read = body
            .node(body.origin(value))
            .filter(|(_, read)| read.op == "ReadVariableOp");
        let (true, Some((_, copy)), Some((read, _))) = (is_assignment, copy, read) else {
            continue;
        };
        let original = body.reads[read].first().copied();
        let original = original.and_then(|original| body.node(body.origin(original)));
        if let (Some((_, original)), Some(key)) = (original, keys.get(&copy.name).cloned()) {
            keys.entry(original.name.clone()).or_insert(key);
        }
    }
}

fn node_place(body: &Body<'_>, node: &proto::Node) -> Result<usize> {
    body.place(&node.name)
        .ok_or_else(|| format!("node '{}' is not there", node.name))
}

/// What a node assigns a tensor of a checkpoint to, and the tensor's key.
fn assigned(body: &Body<'_>, place: usize) -> Option<(Read, String)> {
    let node = &body.nodes[place];
    if !matches!(node.op.as_str(), "Assign" | "AssignVariableOp") {
        return None;
    }
    let [target, value] = body.reads[place][..] else {
        return None;
    };
    let Read::Result { node, number } = body.origin(value) else {
        return None;
    };
    if body.nodes[node].op != "RestoreV2" {
        return None;
    }
    let (_, names) = body.node(body.origin(*body.reads[node].get(1)?))?;
    let Some(proto::Value::Tensor(names)) = &names.attr.get("value")?.value else {
        return None;
    };
    let key = names.text.get(number).or_else(|| names.text.last())?;
    let key = String::from_utf8(key.to_vec()).ok()?;
    Some((body.origin(target), key))
}
