//! Sequences that the steps of a loop append to: what they append is collected like any other output.

use crate::onnx::{item::Item, proto, structure, subgraph::Subgraph};

/// Which states of a loop are empty sequences at first, to each of which a step appends one tensor, and does nothing else with it.
pub(super) fn appended(body: &Subgraph<'_>, states: &[Item]) -> Vec<usize> {
    let (graph, _) = body.described();
    let is_empty = |state: &Item| matches!(state, Item::Sequence(tensors) if tensors.is_empty());
    let places = states.iter().enumerate();
    let places = places
        .filter(|(_, state)| is_empty(state))
        .map(|(place, _)| place);
    places.filter(|place| appends(graph, *place)).collect()
}

/// Whether a body appends to a state, and reads it for nothing else.
fn appends(graph: &proto::Graph, place: usize) -> bool {
    let taken = structure::inputs(graph).nth(2 + place);
    let (Some(taken), Some(returned)) = (taken, graph.output.get(1 + place)) else {
        return false;
    };
    let insert = |node: &proto::Node| {
        node.op_type == "SequenceInsert"
            && node.input.first() == Some(&taken.name)
            && node.input.get(2).is_none_or(String::is_empty)
            && node.output.first() == Some(&returned.name)
    };
    graph.node.iter().any(insert)
        && reads(graph, &taken.name) == 1
        && reads(graph, &returned.name) == 1
}

/// How often a graph and those of its nodes read a name, or return what it stands for.
fn reads(graph: &proto::Graph, name: &str) -> usize {
    let returned = graph
        .output
        .iter()
        .filter(|output| output.name == name)
        .count();
    let read = graph.node.iter().map(|node| {
        let own = node.input.iter().filter(|input| *input == name).count();
        let inner = node.attribute.iter().filter_map(|attr| attr.g.as_ref());
        own + inner.map(|graph| reads(graph, name)).sum::<usize>()
    });
    returned + read.sum::<usize>()
}
