//! Branches, loops, and graphs that nodes stand for.

use super::row::{Row, row};
use crate::{
    graph::{builder::GraphBuilder, error::Result, value::Value},
    tflite::node::Node,
};
use relay_dialects::element::Element;

/// The family's rows.
pub const ROWS: &[Row] = &[
    row("IF", branch),
    row("WHILE", repeat),
    row("CALL", |n, b| {
        let graph = n.word("subgraph")?;
        n.importer.graph(b, graph, n.inputs()?)
    }),
    row("STABLEHLO_COMPOSITE", composite),
];

/// A node that is a graph: what it is called is for those who know the name.
fn composite(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    for option in [
        "name",
        "version",
        "composite_attributes",
        "composite_attributes_format",
    ] {
        n.ignore(option)?;
    }
    let graph = n.int("decomposition_subgraph_index")?;
    n.importer.graph(b, graph, n.inputs()?)
}

fn branch(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let graphs = (n.int("then_subgraph_index")?, n.int("else_subgraph_index")?);
    let inputs = n.inputs()?;
    let (condition, inputs) = inputs.split_first().ok_or("there is no condition")?;
    if let Some(holds) = condition.scalar() {
        let chosen = if holds != 0.0 { graphs.0 } else { graphs.1 };
        return n.importer.graph(b, chosen, inputs.to_vec());
    }
    let condition = b.reshape_to_scalar(condition)?;
    let yes = b.branch((&condition, true), |b| {
        n.importer.graph(b, graphs.0, inputs.to_vec())
    })?;
    let no = b.branch((&condition, false), |b| {
        n.importer.graph(b, graphs.1, inputs.to_vec())
    });
    match no {
        Ok(no) => b.either(&condition, [yes, no]),
        Err(reason) => {
            b.give_up(yes);
            Err(reason)
        }
    }
}

/// The states go through a loop while a graph of them says so.
fn repeat(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let (holds, body) = (n.int("cond_subgraph_index")?, n.int("body_subgraph_index")?);
    let states = n.inputs()?;
    let condition = |b: &mut GraphBuilder, states: Vec<Value>| {
        let made = n.importer.graph(b, holds, states)?;
        let first = made
            .first()
            .ok_or("the condition's graph returns nothing")?;
        if first.element() != Element::Bool {
            return Err(format!("the condition is of {:?}", first.element()));
        }
        b.reshape_to_scalar(first)
    };
    let first = condition(b, states.clone())?;
    let trips = b.scalar(Element::I64, i64::from(i32::MAX) as f64);
    b.repeat_while((&trips, &first), &states, |b, step| {
        let next = n.importer.graph(b, body, step.states)?;
        let condition = condition(b, next.clone())?;
        Ok((condition, next))
    })
}
