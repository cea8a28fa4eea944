//! Checks of a graph's names, and its order.

use super::proto;
use crate::graph::error::Result;
use std::collections::{HashMap, HashSet};

/// A node's name, or one made from its operator and index.
pub fn node_name(index: usize, node: &proto::Node) -> String {
    if node.name.is_empty() {
        format!("{}_{index}", node.op_type)
    } else {
        node.name.clone()
    }
}

/// The graph's inputs that are not initializers, which older files list among the inputs.
pub fn inputs(graph: &proto::Graph) -> impl Iterator<Item = &proto::ValueInfo> {
    let constants: HashSet<&str> = graph
        .initializer
        .iter()
        .map(|tensor| tensor.name.as_str())
        .collect();
    graph
        .input
        .iter()
        .filter(move |input| !constants.contains(input.name.as_str()))
}

/// The graph's outputs. One that is listed twice is returned once, under its one name.
pub fn outputs(graph: &proto::Graph) -> impl Iterator<Item = &proto::ValueInfo> {
    let mut seen = HashSet::new();
    graph
        .output
        .iter()
        .filter(move |output| seen.insert(output.name.as_str()))
}

/// Checks that every name is defined once and every name read is defined. Returns an order of the nodes in which
/// each reads only what is defined before; the file's own order is kept where that is possible.
pub fn order(graph: &proto::Graph) -> Result<Vec<usize>> {
    let makers = makers(graph)?;
    let mut waits: Vec<usize> = vec![0; graph.node.len()];
    let mut readers: Vec<Vec<usize>> = vec![Vec::new(); graph.node.len()];
    for (index, node) in graph.node.iter().enumerate() {
        for name in node.input.iter().filter(|name| !name.is_empty()) {
            match makers.get(name.as_str()) {
                None => {
                    return Err(format!(
                        "node '{}' ({}) reads '{name}', which no input, initializer or node \
                         defines",
                        node_name(index, node),
                        node.op_type
                    ));
                }
                Some(Some(maker)) => {
                    waits[index] += 1;
                    readers[*maker].push(index);
                }
                Some(None) => {}
            }
        }
    }
    for output in &graph.output {
        if !makers.contains_key(output.name.as_str()) {
            return Err(format!(
                "nothing defines the graph's output '{}'",
                output.name
            ));
        }
    }
    let mut ready: std::collections::BTreeSet<usize> = (0..graph.node.len())
        .filter(|&index| waits[index] == 0)
        .collect();
    let mut order = Vec::with_capacity(graph.node.len());
    while let Some(index) = ready.pop_first() {
        order.push(index);
        for &reader in &readers[index] {
            waits[reader] -= 1;
            if waits[reader] == 0 {
                ready.insert(reader);
            }
        }
    }
    if order.len() < graph.node.len() {
        let stuck: Vec<String> = (0..graph.node.len())
            .filter(|&index| waits[index] > 0)
            .take(8)
            .map(|index| format!("'{}'", node_name(index, &graph.node[index])))
            .collect();
        return Err(format!(
            "the graph has a cycle through or before {}",
            stuck.join(", ")
        ));
    }
    Ok(order)
}

/// The node that defines each name; `None` for an input or initializer.
fn makers(graph: &proto::Graph) -> Result<HashMap<&str, Option<usize>>> {
    let mut makers: HashMap<&str, Option<usize>> = HashMap::new();
    for tensor in &graph.initializer {
        if makers.insert(&tensor.name, None).is_some() {
            return Err(format!("initializer '{}' is defined twice", tensor.name));
        }
    }
    for input in inputs(graph) {
        if input.name.is_empty() {
            return Err("an input of the graph has no name".into());
        }
        if makers.insert(&input.name, None).is_some() {
            return Err(format!("input '{}' is defined twice", input.name));
        }
    }
    for (index, node) in graph.node.iter().enumerate() {
        for name in node.output.iter().filter(|name| !name.is_empty()) {
            if makers.insert(name, Some(index)).is_some() {
                return Err(format!(
                    "node '{}' ({}) defines '{name}', which is defined already",
                    node_name(index, node),
                    node.op_type
                ));
            }
        }
    }
    Ok(makers)
}
