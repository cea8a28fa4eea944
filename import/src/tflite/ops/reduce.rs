//! Reductions.

use super::row::{Row, floats, row};
use crate::{
    compose::reduce::{along, cumulative, mean_along},
    graph::{
        builder::GraphBuilder,
        error::Result,
        value::{Value, normalize_axis},
    },
    tflite::{
        fixed::{self, Factor},
        node::Node,
    },
};
use relay_dialects::relay::ops::losses::Rounding;

/// The family's rows.
pub const ROWS: &[Row] = &[
    row("MEAN", mean),
    row("SUM", sum),
    floats("REDUCE_PROD", |n, b| reduced(n, b, "prod")),
    row("REDUCE_MAX", |n, b| reduced(n, b, "max")),
    row("REDUCE_MIN", |n, b| reduced(n, b, "min")),
    row("REDUCE_ANY", |n, b| reduced(n, b, "any")),
    row("REDUCE_ALL", |n, b| reduced(n, b, "all")),
    row("CUMSUM", cumsum),
];

/// The axes of a reduction, without repetition.
fn axes(n: &Node<'_>, x: &Value) -> Result<Vec<usize>> {
    let axes = n.known(1)?;
    let mut places: Vec<usize> = axes
        .iter()
        .map(|axis| normalize_axis(*axis, x.rank()))
        .collect::<Result<_>>()?;
    places.sort_unstable();
    places.dedup();
    Ok(places)
}

fn reduced(n: &Node<'_>, b: &mut GraphBuilder, op: &str) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let (axes, stay) = (axes(n, &x)?, n.flag("keep_dims")?);
    Ok(vec![along(b, op, &x, (&axes, stay))?])
}

fn mean(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    if n.is_quantised(0) {
        return quantised(n, b, true);
    }
    let x = n.input(0)?;
    let (axes, stay) = (axes(n, &x)?, n.flag("keep_dims")?);
    Ok(vec![mean_along(b, &x, (&axes, stay))?])
}

fn sum(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    match n.is_quantised(0) {
        true => quantised(n, b, false),
        false => reduced(n, b, "sum"),
    }
}

/// A sum or a mean of quantised integers.
fn quantised(n: &Node<'_>, b: &mut GraphBuilder, is_mean: bool) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let (axes, stay) = (axes(n, &x)?, n.flag("keep_dims")?);
    let (from, to) = (n.grain(0)?, n.grain_of_result(0)?);
    let distances = fixed::distances(b, &x, from.zero()?)?;
    let sums = along(b, "sum", &distances, (&axes, stay))?;
    let mut factor = Factor::of(f64::from(from.scale()?) / f64::from(to.scale()?));
    if is_mean {
        let extents: Result<Vec<i64>> = axes.iter().map(|axis| x.extent(*axis)).collect();
        let count = extents?
            .iter()
            .try_fold(1i64, |count, extent| count.checked_mul(*extent));
        factor = factor.part_of(count.ok_or("there are too many elements")?);
    }
    let scaled = fixed::scaled_by(b, &sums, &[factor], 0, Rounding::Twice)?;
    let range = to.range(None, None)?;
    Ok(vec![fixed::narrowed(
        b,
        &scaled,
        to.zero()?,
        range,
        to.element,
    )?])
}

fn cumsum(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let axis = super::shape::known_axis(n, 1, x.rank())?;
    let flags = [n.flag("exclusive")?, n.flag("reverse")?];
    Ok(vec![cumulative(b, "cumsum", &x, axis, flags)?])
}
