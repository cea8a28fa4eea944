//! Operators that compare elements: conditions, orders, and groups.

use super::{
    row::{Row, floats, row},
    shape::known_axis,
};
use crate::{
    compose::{
        segment::{distinct, segmented, sorted_segments},
        subscript::computed_places,
    },
    graph::{
        attr::Param,
        builder::GraphBuilder,
        constant::{Const, Numbers},
        error::Result,
        value::Value,
    },
    tflite::node::Node,
};
use relay_dialects::{dim::Dim, element::Element};

/// The family's rows.
pub const ROWS: &[Row] = &[
    row("ONE_HOT", one_hot),
    row("SELECT", select),
    row("SELECT_V2", select),
    row("WHERE", places),
    row("UNIQUE", unique),
    row("TOPK_V2", top_k),
    row("ARG_MAX", |n, b| arg(n, b, "argmax")),
    row("ARG_MIN", |n, b| arg(n, b, "argmin")),
    row("SEGMENT_SUM", segment_sum),
    row("UNSORTED_SEGMENT_SUM", |n, b| {
        segments(n, b, "add", |_| 0.0)
    }),
    row("UNSORTED_SEGMENT_PROD", |n, b| {
        segments(n, b, "mul", |_| 1.0)
    }),
    row("UNSORTED_SEGMENT_MAX", |n, b| {
        segments(n, b, "max", Element::least)
    }),
    row("UNSORTED_SEGMENT_MIN", |n, b| {
        segments(n, b, "min", Element::greatest)
    }),
    floats("BUCKETIZE", bucketize),
];

fn one_hot(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let (places, on, off) = (n.input(0)?, n.input(2)?, n.input(3)?);
    let depth = n.scalar(1)?;
    let [on, off] = [on, off].map(|value| b.reshape_to_scalar(&value));
    let (on, off) = (on?, off?);
    let attrs = [
        ("depth", Param::Int(depth as i64)),
        ("axis", Param::Int(n.int("axis")?)),
        ("dtype", Param::Type(on.element())),
    ];
    Ok(vec![b.op("one_hot", &[places, on, off], &attrs)?])
}

/// One of two where a condition holds, and the other elsewhere. A list of conditions chooses slices of the first dimension.
fn select(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let (mut condition, x, y) = (n.input(0)?, n.input(1)?, n.input(2)?);
    if n.kind.name == "SELECT" && condition.rank() == 1 && x.rank() > 1 {
        let mut dims = vec![Dim::Known(1); x.rank()];
        dims[0] = condition.dims()[0];
        condition = b.reshape(&condition, &dims)?;
    }
    Ok(vec![b.op("where", &[condition, x, y], &[])?])
}

/// The subscripts of the elements that hold.
fn places(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let places = computed_places(&x, b)?;
    let rows = b.transpose(&places, &[1, 0])?;
    Ok(vec![b.cast(&rows, n.element(0)?)?])
}

fn unique(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.ignore("idx_out_type")?;
    let [values, inverse, _] = distinct(b, &n.of_rank(0, 1)?, false)?;
    Ok(vec![values, b.cast(&inverse, n.element(1)?)?])
}

fn top_k(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let k = n.scalar(1)? as i64;
    if k < 1 {
        return Err(format!("the first {k} elements"));
    }
    let attrs = [
        ("k", Param::Int(k)),
        ("axis", Param::Int(-1)),
        ("ret_type", Param::Str("both")),
        ("is_ascend", Param::Bool(false)),
        ("dtype", Param::Type(Element::I32)),
    ];
    let mut made = b.ops("topk", &[x], &attrs)?;
    if n.results() > 1
        && let Some(places) = made.get_mut(1)
    {
        *places = b.cast(places, n.element(1)?)?;
    }
    Ok(made)
}

fn arg(n: &Node<'_>, b: &mut GraphBuilder, op: &str) -> Result<Vec<Value>> {
    n.ignore("output_type")?;
    let x = n.input(0)?;
    let axis = known_axis(n, 1, x.rank())?;
    let attrs = [
        ("axis", Param::Ints(vec![axis as i64])),
        ("keepdims", Param::Bool(false)),
    ];
    let made = b.op(op, &[x], &attrs)?;
    Ok(vec![b.cast(&made, n.element(0)?)?])
}

/// The sums of rows of equal numbers.
fn segment_sum(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let count = sorted_segments(&n.known(1)?);
    let inputs = (&n.input(0)?, &n.input(1)?);
    Ok(vec![segmented(b, inputs, count.into(), "add", 0.0)?])
}

/// What an operation makes of all slices of a number, for each number below one that is given.
fn segments(
    n: &Node<'_>,
    b: &mut GraphBuilder,
    mode: &'static str,
    first: fn(Element) -> f64,
) -> Result<Vec<Value>> {
    let (x, numbers) = (n.input(0)?, n.input(1)?);
    let count = n.sizes_of_number(b, 2)?;
    let first = first(x.element());
    Ok(vec![segmented(b, (&x, &numbers), count, mode, first)?])
}

/// How many bounds are not above each number.
fn bucketize(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let bounds: Vec<f64> = n.floats("boundaries")?.into_iter().map(f64::from).collect();
    let list = Const::new(
        x.element(),
        vec![bounds.len() as i64],
        &Numbers::Floats(bounds),
    );
    let list = b.known(list);
    let attrs = [
        ("right", Param::Bool(true)),
        ("dtype", Param::Type(Element::I32)),
    ];
    Ok(vec![b.op("searchsorted", &[list, x], &attrs)?])
}
