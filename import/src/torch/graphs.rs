//! Nodes that hold graphs: regions that run as they stand, branches, and loops.

use super::schema::{Argument, Graph, Node, names};
use crate::graph::error::Result;

/// Operators that run a graph as it stands, and the number of arguments before the graph: these concern training, and types that a
/// graph's own nodes say.
const WRAPPERS: [(&str, usize); 3] = [
    ("torch.ops.higher_order.wrap_with_set_grad_enabled", 1),
    ("torch.ops.higher_order.wrap_with_autocast", 4),
    ("torch.ops.higher_order.invoke_subgraph", 0),
];

/// A branch or a loop.
#[derive(Clone, Copy)]
pub enum Control {
    /// Of two graphs one runs.
    Cond,
    /// A graph runs for each element of tensors.
    Map,
    /// So it does, and has states.
    Scan,
    /// A graph runs while another one holds.
    WhileLoop,
}

/// Branches and loops.
const CONTROLS: [(&str, Control); 4] = [
    ("torch.ops.higher_order.cond", Control::Cond),
    ("torch.ops.higher_order.map_impl", Control::Map),
    ("torch.ops.higher_order.scan", Control::Scan),
    ("torch.ops.higher_order.while_loop", Control::WhileLoop),
];

/// The names of the operators that hold graphs.
pub fn operators() -> impl Iterator<Item = &'static str> {
    let wrappers = WRAPPERS.iter().map(|(name, _)| *name);
    let controls = CONTROLS.iter().map(|(name, _)| *name);
    let names = wrappers.chain(controls);
    names.map(|name| name.strip_prefix("torch.ops.").unwrap_or(name))
}

/// How a node is converted that holds graphs.
pub enum Region<'g> {
    /// Its graph runs as it stands. It has so many arguments before that.
    Wrapped(&'g Graph, usize),
    /// It is a branch or a loop.
    Control(Control),
}

/// How a node is converted, if it holds graphs and that is supported.
pub fn region(node: &Node) -> Option<Region<'_>> {
    if let Some((_, control)) = CONTROLS.iter().find(|(name, _)| *name == node.target) {
        return Some(Region::Control(*control));
    }
    let mut wrappers = WRAPPERS.iter();
    let (_, before) = wrappers.find(|(name, _)| *name == node.target)?;
    // With autocast, products have other types than the graph says.
    let casts = node.inputs.iter().find(|input| input.name == "enabled");
    let casts = casts.or_else(|| node.inputs.get(2).filter(|_| *before > 2));
    if matches!(casts.map(|input| &input.arg), Some(Argument::AsBool(true))) && *before > 2 {
        return None;
    }
    match &node.inputs.get(*before)?.arg {
        Argument::AsGraph(named) => Some(Region::Wrapped(&named.graph, *before)),
        _ => None,
    }
}

/// The graphs that a node holds.
pub fn graphs(node: &Node) -> impl Iterator<Item = &Graph> {
    node.inputs.iter().filter_map(|input| match &input.arg {
        Argument::AsGraph(named) => Some(&named.graph),
        _ => None,
    })
}

/// The names that the graph of a node takes, and the ones outside that they stand for.
///
/// # Errors
/// If there are not as many.
pub fn passed<'g>(
    node: &'g Node,
    graph: &'g Graph,
    before: usize,
) -> Result<Vec<(&'g str, &'g str)>> {
    let given = node.inputs.iter().skip(before + 1);
    let given: Vec<&str> = given.flat_map(|input| names(&input.arg)).collect();
    let taken: Vec<&str> = graph.inputs.iter().flat_map(names).collect();
    match given.len() == taken.len() {
        true => Ok(taken.into_iter().zip(given).collect()),
        false => Err(format!(
            "its graph takes {} tensors, and it is given {}",
            taken.len(),
            given.len()
        )),
    }
}
