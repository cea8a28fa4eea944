//! Reductions along axes.

use super::row::{Row, row};
use crate::{
    compose::reduce::{along, arg_along, cumulative, mean_along},
    graph::{
        builder::GraphBuilder,
        error::Result,
        value::{Value, normalize_axis},
    },
    tensorflow::node::Node,
};
use relay_dialects::element::Element;

/// The family's rows.
pub const ROWS: &[Row] = &[
    row(&["Sum"], |n, b| reduced(n, b, "sum")),
    row(&["Prod"], |n, b| reduced(n, b, "prod")),
    row(&["Max"], |n, b| reduced(n, b, "max")),
    row(&["Min"], |n, b| reduced(n, b, "min")),
    row(&["All"], |n, b| reduced(n, b, "all")),
    row(&["Any"], |n, b| reduced(n, b, "any")),
    row(&["Mean"], mean),
    row(&["EuclideanNorm"], norm),
    row(&["ArgMax"], |n, b| arg(n, b, "argmax")),
    row(&["ArgMin"], |n, b| arg(n, b, "argmin")),
    row(&["Cumsum"], |n, b| running(n, b, "cumsum")),
    row(&["Cumprod"], |n, b| running(n, b, "cumprod")),
];

/// The axes of a reduction, without repetition, and whether they stay.
fn axes(n: &Node<'_, '_>, x: &Value) -> Result<(Vec<usize>, bool)> {
    let places = n.known(1)?.into_iter();
    let places = places.map(|axis| normalize_axis(axis, x.rank()));
    let mut places: Vec<usize> = places.collect::<Result<_>>()?;
    places.sort_unstable();
    places.dedup();
    Ok((places, n.attrs.flag("keep_dims", false)?))
}

fn reduced(n: &Node<'_, '_>, b: &mut GraphBuilder, op: &str) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let (axes, stay) = axes(n, &x)?;
    Ok(vec![along(b, op, &x, (&axes, stay))?])
}

fn mean(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let (axes, stay) = axes(n, &x)?;
    Ok(vec![mean_along(b, &x, (&axes, stay))?])
}

/// The root of the sum of squares.
fn norm(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let (axes, stay) = axes(n, &x)?;
    let square = b.binary("multiply", &x, &x)?;
    let sum = along(b, "sum", &square, (&axes, stay))?;
    Ok(vec![b.unary("sqrt", &sum)?])
}

fn arg(n: &Node<'_, '_>, b: &mut GraphBuilder, op: &str) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let axis = n.axis(1, x.rank())?;
    let made = arg_along(b, op, &x, (axis, false), false)?;
    let to = n.attrs.element("output_type", Element::I64)?;
    Ok(vec![b.cast(&made, to)?])
}

fn running(n: &Node<'_, '_>, b: &mut GraphBuilder, op: &str) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let axis = n.axis(1, x.rank())?;
    let exclusive = n.attrs.flag("exclusive", false)?;
    let reversed = n.attrs.flag("reverse", false)?;
    Ok(vec![cumulative(b, op, &x, axis, [exclusive, reversed])?])
}
