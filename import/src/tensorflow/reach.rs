//! The nodes that results need, in a graph and in the functions that it calls.

use super::{
    body::{Body, Read},
    proto,
};
use std::collections::HashSet;

/// The nodes that results need.
#[derive(Default)]
pub struct Reach<'m> {
    /// What results are computed of.
    pub needed: Vec<&'m proto::Node>,
    /// What changes variables while results are computed.
    pub writes: Vec<&'m proto::Node>,
}

/// Whether an operator changes a variable.
fn is_write(op: &str) -> bool {
    let changes = op.starts_with("Assign") || op.starts_with("ResourceScatter");
    changes || op.starts_with("Scatter") && op != "ScatterNd"
}

impl<'m> Reach<'m> {
    /// The nodes that some results of a graph need.
    pub fn of(graph: &'m proto::Graph, body: &Body<'m>, wanted: &[Read]) -> Self {
        let mut reach = Self::default();
        let mut called = reach.visit(body, wanted);
        let functions = graph.library.iter().flat_map(|library| &library.function);
        let functions: Vec<&proto::Function> = functions.collect();
        let mut seen = HashSet::new();
        while let Some(name) = called.pop() {
            if !seen.insert(name) {
                continue;
            }
            let named = |function: &&&proto::Function| {
                let signature = function.signature.as_ref();
                signature.is_some_and(|signature| signature.name == name)
            };
            let Some(function) = functions.iter().find(named) else {
                continue;
            };
            if let Ok(body) = Body::of_function(function) {
                called.extend(reach.visit(&body, &body.results));
            }
            let writes = function.node.iter().filter(|node| is_write(&node.op));
            reach.writes.extend(writes);
        }
        reach
    }

    /// Notes the nodes of a body, and returns the functions that they call.
    fn visit(&mut self, body: &Body<'m>, wanted: &[Read]) -> Vec<&'m str> {
        let mut called = Vec::new();
        let places = |reads: &[Read]| -> Vec<usize> {
            let nodes = reads.iter().filter_map(|read| body.node(*read));
            nodes.map(|(place, _)| place).collect()
        };
        let mut needed = HashSet::new();
        let mut next = places(wanted);
        while let Some(place) = next.pop() {
            if needed.insert(place) {
                next.extend(places(&body.reads[place]));
            }
        }
        for (place, node) in body.nodes.iter().enumerate() {
            if !needed.contains(&place) {
                continue;
            }
            self.needed.push(node);
            called.push(node.op.as_str());
            for attr in node.attr.values() {
                match &attr.value {
                    Some(proto::Value::Func(function)) => called.push(&function.name),
                    Some(proto::Value::List(list)) => {
                        called.extend(list.func.iter().map(|function| function.name.as_str()));
                    }
                    _ => {}
                }
            }
        }
        let mut before = HashSet::new();
        let mut next: Vec<usize> = needed.into_iter().collect();
        while let Some(place) = next.pop() {
            if before.insert(place) {
                next.extend(places(&body.reads[place]));
                next.extend(body.controls(place));
            }
        }
        let mut before: Vec<usize> = before.into_iter().collect();
        before.sort_unstable();
        let before = before.into_iter().map(|place| &body.nodes[place]);
        self.writes.extend(before.filter(|node| is_write(&node.op)));
        called
    }
}
