//! Variables: what a model keeps from run to run.

use super::row::{Row, row};
use crate::{
    graph::{builder::GraphBuilder, error::Result, value::Value},
    tflite::{node::Node, state::Kept},
};

/// The family's rows.
pub const ROWS: &[Row] = &[
    // What a handle stands for is looked up where it is read.
    row("VAR_HANDLE", |n, _| {
        n.ignore("container")?;
        n.ignore("shared_name")?;
        Ok(Vec::new())
    }),
    row("READ_VARIABLE", read_variable),
    row("ASSIGN_VARIABLE", assign_variable),
    row("CALL_ONCE", call_once),
];

/// The variable whose handle is the first input.
fn variable(n: &Node<'_>) -> Result<Kept> {
    let handle = n.operator.inputs.first().ok_or("there is no handle")?;
    n.importer.resource(n.graph, *handle)
}

fn read_variable(n: &Node<'_>, _: &mut GraphBuilder) -> Result<Vec<Value>> {
    let kept = variable(n)?;
    let value = n.importer.states().get(&kept);
    Ok(vec![value.ok_or_else(|| {
        format!("{kept:?} is read, and nothing assigns it")
    })?])
}

fn assign_variable(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    if b.is_in_region() {
        return Err("a branch or a loop changes a variable, which is not supported".into());
    }
    n.importer.states().set(variable(n)?, n.input(1)?);
    Ok(Vec::new())
}

/// What a model runs once: the first values of variables. Those that runs change are inputs.
fn call_once(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let graph = n.int("init_subgraph_index")?;
    n.importer
        .states()
        .first(|| n.importer.graph(b, graph, Vec::new()))?;
    Ok(Vec::new())
}
