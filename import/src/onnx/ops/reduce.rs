//! Reductions.

use super::row::{Row, row};
use crate::{
    graph::{
        attr::Param,
        builder::GraphBuilder,
        error::Result,
        value::{Value, normalize_axes},
    },
    onnx::node::Node,
};

/// The rows of the reductions. Their axes moved from an attribute to an input, for sums in an earlier version
/// than for others.
pub const ROWS: &[Row] = &[
    row("ArgMax", 1, |n, b| arg(n, b, "argmax")),
    row("ArgMin", 1, |n, b| arg(n, b, "argmin")),
    row("ReduceMax", 1, |n, b| by_attr(n, b, "max")).until(17),
    row("ReduceMax", 18, |n, b| by_input(n, b, "max")),
    row("ReduceMean", 1, |n, b| by_attr(n, b, "mean")).until(17),
    row("ReduceMean", 18, |n, b| by_input(n, b, "mean")),
    row("ReduceMin", 1, |n, b| by_attr(n, b, "min")).until(17),
    row("ReduceMin", 18, |n, b| by_input(n, b, "min")),
    row("ReduceProd", 1, |n, b| by_attr(n, b, "prod")).until(17),
    row("ReduceProd", 18, |n, b| by_input(n, b, "prod")),
    row("ReduceSum", 1, |n, b| by_attr(n, b, "sum")).until(12),
    row("ReduceSum", 13, |n, b| by_input(n, b, "sum")),
];

fn by_attr(n: &Node<'_>, b: &mut GraphBuilder, op: &str) -> Result<Vec<Value>> {
    n.check_inputs(1)?;
    let axes = n.attr_ints("axes")?.unwrap_or_default();
    reduce(n, b, op, &axes, false)
}

fn by_input(n: &Node<'_>, b: &mut GraphBuilder, op: &str) -> Result<Vec<Value>> {
    n.check_inputs(2)?;
    let axes = n.optional_ints(1, "the axes")?.unwrap_or_default();
    let keep_all = n.attr_bool_or("noop_with_empty_axes", false)?;
    reduce(n, b, op, &axes, keep_all)
}

fn reduce(
    n: &Node<'_>,
    b: &mut GraphBuilder,
    op: &str,
    axes: &[i64],
    noop: bool,
) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let keepdims = n.attr_bool_or("keepdims", true)?;
    let mut axes = normalize_axes(axes, x.rank())?;
    if axes.is_empty() {
        if noop || x.rank() == 0 {
            return Ok(vec![x]);
        }
        axes = (0..x.rank()).collect();
    }
    let attrs = [
        (
            "axis",
            Param::Ints(axes.iter().map(|&axis| axis as i64).collect()),
        ),
        ("keepdims", Param::Bool(keepdims)),
        ("exclude", Param::Bool(false)),
    ];
    Ok(vec![b.op(op, &[x], &attrs)?])
}

fn arg(n: &Node<'_>, b: &mut GraphBuilder, op: &str) -> Result<Vec<Value>> {
    n.check_inputs(1)?;
    let x = n.input(0)?;
    let axis = x.axis(n.attr_i64_or("axis", 0)?)?;
    let last = n.opset >= 12 && n.attr_bool_or("select_last_index", false)?;
    let attrs = [
        ("axis", Param::Ints(vec![axis as i64])),
        ("keepdims", Param::Bool(n.attr_bool_or("keepdims", true)?)),
        ("select_last_index", Param::Bool(last)),
    ];
    Ok(vec![b.op(op, &[x], &attrs)?])
}
