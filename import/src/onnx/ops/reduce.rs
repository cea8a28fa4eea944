//! Reductions.

use super::row::{Row, row};
use crate::compose::reduce::{Dims, log_sum_exp};
pub(super) use crate::compose::reduce::{along, arg_along};
use crate::{
    graph::{
        builder::GraphBuilder,
        error::Result,
        value::{Value, normalize_axes},
    },
    onnx::node::Node,
};
use relay_dialects::element::Element;

/// The family's rows.
pub const ROWS: &[Row] = &[
    row("ArgMax", 1, |n, b| arg(n, b, "argmax")),
    row("ArgMin", 1, |n, b| arg(n, b, "argmin")),
    row("ReduceL1", 1, |n, b| reduce(n, b, &L1)),
    row("ReduceL2", 1, |n, b| reduce(n, b, &L2)),
    row("ReduceLogSum", 1, |n, b| reduce(n, b, &LOG_SUM)),
    row("ReduceLogSumExp", 1, |n, b| reduce(n, b, &LOG_SUM_EXP)),
    row("ReduceMax", 1, |n, b| reduce(n, b, &MAX)),
    row("ReduceMean", 1, |n, b| reduce(n, b, &MEAN)),
    row("ReduceMin", 1, |n, b| reduce(n, b, &MIN)),
    row("ReduceProd", 1, |n, b| reduce(n, b, &PROD)),
    row("ReduceSum", 1, |n, b| reduce(n, b, &SUM)),
    row("ReduceSumSquare", 1, |n, b| reduce(n, b, &SUM_SQUARE)),
];

/// An operator on each element.
type Each = fn(&mut GraphBuilder, &Value) -> Result<Value>;

/// A reduction of a tensor, which may be along no axes.
type Reduce = fn(&mut GraphBuilder, &Value, Dims<'_>) -> Result<Value>;

/// What is done with each term, how terms become one, and what is done with that.
struct Reduction {
    before: Each,
    reduce: Reduce,
    after: Each,
    /// The first operator set in which the axes are an input.
    axes_since: i64,
}

/// A reduction that Relay has.
const fn plain(reduce: Reduce) -> Reduction {
    Reduction {
        before: keep,
        reduce,
        after: keep,
        axes_since: 18,
    }
}

const MAX: Reduction = plain(|b, x, dims| along(b, "max", x, dims));
const MEAN: Reduction = plain(|b, x, dims| along(b, "mean", x, dims));
const MIN: Reduction = plain(|b, x, dims| along(b, "min", x, dims));
const PROD: Reduction = plain(|b, x, dims| along(b, "prod", x, dims));
const SUM: Reduction = Reduction {
    axes_since: 13,
    ..TERMS
};
/// The sum of what other reductions make of each element.
const TERMS: Reduction = plain(|b, x, dims| along(b, "sum", x, dims));
const LOG_SUM_EXP: Reduction = plain(log_sum_exp);
const L1: Reduction = Reduction {
    before: |b, x| b.unary("abs", x),
    ..TERMS
};
const SUM_SQUARE: Reduction = Reduction {
    before: |b, x| b.binary("multiply", x, x),
    ..TERMS
};
const L2: Reduction = Reduction {
    after: |b, x| in_floats(b, "sqrt", x),
    ..SUM_SQUARE
};
const LOG_SUM: Reduction = Reduction {
    after: |b, x| in_floats(b, "log", x),
    ..TERMS
};

fn keep(_: &mut GraphBuilder, x: &Value) -> Result<Value> {
    Ok(x.clone())
}

/// An operator on floats; integers are made floats and the result an integer again.
fn in_floats(b: &mut GraphBuilder, op: &str, x: &Value) -> Result<Value> {
    let element = x.element();
    let wide = match element.is_float() {
        true => x.clone(),
        false => b.cast(x, Element::F64)?,
    };
    let result = b.unary(op, &wide)?;
    b.cast(&result, element)
}

/// No axes stand for all of them, or for none if the node says so.
fn reduce(n: &Node<'_>, b: &mut GraphBuilder, reduction: &Reduction) -> Result<Vec<Value>> {
    let axes = n.axes(reduction.axes_since)?.unwrap_or_default();
    let keep_all =
        n.opset >= reduction.axes_since && n.attr_bool_or("noop_with_empty_axes", false)?;
    let x = n.input(0)?;
    let keepdims = n.attr_bool_or("keepdims", true)?;
    let mut axes = normalize_axes(&axes, x.rank())?;
    if axes.is_empty() && !keep_all {
        axes = (0..x.rank()).collect();
    }
    let terms = (reduction.before)(b, &x)?;
    let reduced = (reduction.reduce)(b, &terms, (&axes, keepdims))?;
    Ok(vec![(reduction.after)(b, &reduced)?])
}

fn arg(n: &Node<'_>, b: &mut GraphBuilder, op: &str) -> Result<Vec<Value>> {
    n.check_inputs(1)?;
    let x = n.input(0)?;
    let axis = x.axis(n.attr_i64_or("axis", 0)?)?;
    let last = n.opset >= 12 && n.attr_bool_or("select_last_index", false)?;
    let keepdims = n.attr_bool_or("keepdims", true)?;
    Ok(vec![arg_along(b, op, &x, (axis, keepdims), last)?])
}
