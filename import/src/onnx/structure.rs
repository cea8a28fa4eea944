//! Checks of a graph's names, and its order.

use super::proto;
use crate::graph::error::Result;
use petgraph::{algo::kosaraju_scc, graphmap::DiGraphMap, visit::DfsPostOrder};
use std::{
    collections::{HashMap, HashSet},
    iter,
};

/// The most nodes of a cycle that a message names.
const MOST_NAMES: usize = 8;

/// A node's name, or one made from its operator and index.
pub fn node_name(index: usize, node: &proto::Node) -> String {
    if node.name.is_empty() {
        format!("{}_{index}", node.op_type)
    } else {
        node.name.clone()
    }
}

/// Whether a domain is that of ONNX's own operators.
pub fn is_default_domain(domain: &str) -> bool {
    matches!(domain, "" | "ai.onnx")
}

/// A node's operator, with the domain if that is not ONNX's own.
pub fn full_name(node: &proto::Node) -> String {
    if is_default_domain(&node.domain) {
        node.op_type.clone()
    } else {
        format!("{}.{}", node.domain, node.op_type)
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

/// The names that a node reads, and those that its graphs take from around them.
pub fn names_read(node: &proto::Node) -> impl Iterator<Item = &str> {
    let graphs = node.attribute.iter().filter_map(|attr| attr.g.as_deref());
    let own = node.input.iter().map(String::as_str);
    own.filter(|name| !name.is_empty())
        .chain(graphs.flat_map(free_names))
}

/// The names that a graph reads and does not define.
fn free_names(graph: &proto::Graph) -> HashSet<&str> {
    let mut names = names_used(graph);
    for tensor in &graph.initializer {
        names.remove(tensor.name.as_str());
    }
    for input in &graph.input {
        names.remove(input.name.as_str());
    }
    for output in graph.node.iter().flat_map(|node| &node.output) {
        names.remove(output.as_str());
    }
    names
}

/// The names that a graph's nodes read, and those of its outputs.
pub fn names_used(graph: &proto::Graph) -> HashSet<&str> {
    let outputs = graph.output.iter().map(|output| output.name.as_str());
    graph
        .node
        .iter()
        .flat_map(names_read)
        .chain(outputs)
        .collect()
}

/// Checks that every name is defined once and every name read is defined, in the graph or around it. Returns an order
/// of the nodes in which each reads only what is defined before: the file's, but that a node stands where the first of
/// its readers does if the file has it later.
pub fn order(graph: &proto::Graph, is_around: impl Fn(&str) -> bool) -> Result<Vec<usize>> {
    let makers = makers(graph)?;
    let reads = reads(graph, &makers, &is_around)?;
    for output in &graph.output {
        if !makers.contains_key(output.name.as_str()) && !is_around(&output.name) {
            return Err(format!(
                "nothing defines the graph's output '{}'",
                output.name
            ));
        }
    }
    if let Some(cycle) = cycle(&reads) {
        let names = cycle.into_iter().take(MOST_NAMES);
        let names = names.map(|index| format!("'{}'", node_name(index, &graph.node[index])));
        let names: Vec<String> = names.collect();
        return Err(format!(
            "the graph has a cycle through {}",
            names.join(", ")
        ));
    }
    let mut order = Vec::with_capacity(graph.node.len());
    let mut walk = DfsPostOrder::empty(&reads);
    for index in 0..graph.node.len() {
        walk.move_to(index);
        order.extend(iter::from_fn(|| walk.next(&reads)));
    }
    Ok(order)
}

/// From each node to the nodes that define what it reads.
type Reads = DiGraphMap<usize, ()>;

fn reads(
    graph: &proto::Graph,
    makers: &HashMap<&str, Option<usize>>,
    is_around: impl Fn(&str) -> bool,
) -> Result<Reads> {
    let mut reads = Reads::new();
    for (index, node) in graph.node.iter().enumerate() {
        reads.add_node(index);
        for name in names_read(node) {
            match makers.get(name) {
                Some(Some(maker)) => {
                    reads.add_edge(index, *maker, ());
                }
                Some(None) => {}
                None if is_around(name) => {}
                None => {
                    return Err(format!(
                        "node '{}' ({}) reads '{name}', which no input, initializer or node defines",
                        node_name(index, node),
                        node.op_type
                    ));
                }
            }
        }
    }
    Ok(reads)
}

/// The nodes of a cycle, in the file's order, if there is one. A file can be deep, so nothing recurses here.
fn cycle(reads: &Reads) -> Option<Vec<usize>> {
    let reads_itself = |node: usize| reads.contains_edge(node, node);
    let mut parts = kosaraju_scc(reads).into_iter();
    let mut cycle = parts.find(|part| part.len() > 1 || reads_itself(part[0]))?;
    cycle.sort_unstable();
    Some(cycle)
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
