//! Reductions.

use super::row::{Row, row};
use crate::{
    compose::reduce::{along, arg_along},
    graph::{
        attr::Param,
        builder::GraphBuilder,
        error::Result,
        value::{Value, normalize_axes},
    },
    mxnet::node::Node,
};
use relay_dialects::element::Element;

/// The family's rows.
pub const ROWS: &[Row] = &[
    row(&["argmax", "_npi_argmax"], |n, b| subscript(n, b, "argmax")),
    row(&["argmax_channel"], greatest_channel),
    row(&["argmin"], |n, b| subscript(n, b, "argmin")),
    row(&["argsort"], argsort),
    row(&["max", "max_axis", "_np_max"], |n, b| reduce(n, b, "max")),
    row(&["mean", "_npi_mean"], |n, b| reduce(n, b, "mean")),
    row(&["min", "min_axis", "_np_min"], |n, b| reduce(n, b, "min")),
    row(&["norm"], norm),
    row(&["prod", "_np_prod"], |n, b| reduce(n, b, "prod")),
    row(&["sum", "sum_axis", "_np_sum"], |n, b| reduce(n, b, "sum")),
    row(&["topk"], topk),
];

/// The axes that a node reduces along, and whether they stay.
fn axes(n: &Node<'_>, rank: usize) -> Result<(Vec<usize>, bool)> {
    let stay = n.attrs.flag("keepdims", false)?;
    let given = n.attrs.ints("axis")?.filter(|axes| !axes.is_empty());
    let named = match given {
        Some(axes) => normalize_axes(&axes, rank)?,
        None => (0..rank).collect(),
    };
    let axes = match n.attrs.flag("exclude", false)? {
        true => (0..rank).filter(|axis| !named.contains(axis)).collect(),
        false => named,
    };
    Ok((axes, stay))
}

/// A tensor without dimensions as MXNet returns it: with one of extent 1.
fn with_dims(b: &mut GraphBuilder, x: Value) -> Result<Vec<Value>> {
    Ok(vec![match x.rank() {
        0 => b.reshape(&x, &[1i64])?,
        _ => x,
    }])
}

fn reduce(n: &Node<'_>, b: &mut GraphBuilder, op: &str) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let (axes, stay) = axes(n, x.rank())?;
    let made = along(b, op, &x, (&axes, stay))?;
    with_dims(b, made)
}

fn norm(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let (axes, stay) = axes(n, x.rank())?;
    super::elementwise::dtype(n, "out_dtype")?;
    let made = match n.attrs.int("ord")?.unwrap_or(2) {
        1 => {
            let size = b.unary("abs", &x)?;
            along(b, "sum", &size, (&axes, stay))?
        }
        2 => {
            let squares = b.binary("multiply", &x, &x)?;
            let sum = along(b, "sum", &squares, (&axes, stay))?;
            b.unary("sqrt", &sum)?
        }
        other => return Err(format!("norms of order {other} are not supported")),
    };
    with_dims(b, made)
}

/// Subscripts are floats.
fn subscript(n: &Node<'_>, b: &mut GraphBuilder, op: &str) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let stay = n.attrs.flag("keepdims", false)?;
    let (x, axis) = match n.attrs.int("axis")? {
        Some(axis) => (x.clone(), x.axis(axis)?),
        None => (b.matrix(&x, 0)?, 1),
    };
    let made = arg_along(b, op, &x, (axis, stay), false)?;
    let made = b.cast(&made, Element::F32)?;
    with_dims(b, made)
}

fn greatest_channel(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let made = arg_along(b, "argmax", &n.input(0)?, (1, false), false)?;
    Ok(vec![b.cast(&made, Element::F32)?])
}

fn argsort(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let axis = x.axis(n.attrs.int("axis")?.unwrap_or(-1))?;
    let is_ascending = n.attrs.flag("is_ascend", true)?;
    let to = super::elementwise::dtype(n, "dtype")?.unwrap_or(Element::F32);
    let places = b.argsort(&x, axis, is_ascending)?;
    Ok(vec![b.cast(&places, to)?])
}

fn topk(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let axis = x.axis(n.attrs.int("axis")?.unwrap_or(-1))?;
    let to = super::elementwise::dtype(n, "dtype")?.unwrap_or(Element::F32);
    let attrs = [
        ("k", Param::Int(n.attrs.int("k")?.unwrap_or(1))),
        ("axis", Param::Int(axis as i64)),
        ("ret_type", Param::Str("both")),
        ("is_ascend", Param::Bool(n.attrs.flag("is_ascend", false)?)),
        ("dtype", Param::Type(Element::I64)),
    ];
    let made = b.ops("topk", &[x], &attrs)?;
    let [values, places] = &made[..] else {
        return Err("relay.topk does not have two results".into());
    };
    let places = b.cast(places, to)?;
    match n.attrs.text_or("ret_typ", "indices") {
        "indices" => Ok(vec![places]),
        "value" => Ok(vec![values.clone()]),
        "both" => Ok(vec![values.clone(), places]),
        other => Err(format!("results of type {other} are not supported")),
    }
}
