//! Reductions along axes.

use super::shape;
use crate::graph::{attr::Param, builder::GraphBuilder, error::Result, value::Value};
use relay_dialects::{
    dim::{self, Dim},
    element::Element,
};

/// The axes that a reduction is along, and whether they stay, with an extent of 1.
pub type Dims<'a> = (&'a [usize], bool);

/// log(sum(exp(x))), as m + log(sum(exp(x - m))) with the greatest m, so that nothing overflows. Where m is infinite it is left out:
/// inf - inf is no number.
pub fn log_sum_exp(b: &mut GraphBuilder, x: &Value, (axes, stay): Dims<'_>) -> Result<Value> {
    let greatest = along(b, "max", x, (axes, true))?;
    let size = b.unary("abs", &greatest)?;
    let is_infinite = b.with_scalar("equal", &size, f64::INFINITY)?;
    let zero = b.scalar(x.element(), 0.0);
    let shift = b.op("where", &[is_infinite, zero, greatest], &[])?;
    let shifted = b.binary("subtract", x, &shift)?;
    let exp = b.unary("exp", &shifted)?;
    let sum = along(b, "sum", &exp, (axes, stay))?;
    let log = b.unary("log", &sum)?;
    let shift = b.reshape(&shift, log.dims())?;
    b.binary("add", &log, &shift)
}

/// A reduction of Relay's; `x` itself along no axes.
pub fn along(b: &mut GraphBuilder, op: &str, x: &Value, (axes, stay): Dims<'_>) -> Result<Value> {
    if axes.is_empty() {
        return Ok(x.clone());
    }
    let attrs = [
        (
            "axis",
            Param::Ints(axes.iter().map(|&axis| axis as i64).collect()),
        ),
        ("keepdims", Param::Bool(stay)),
        ("exclude", Param::Bool(false)),
    ];
    b.op(op, std::slice::from_ref(x), &attrs)
}

/// The mean of elements along axes. Integers are added up as int64, and their mean is rounded towards zero.
pub fn mean_along(b: &mut GraphBuilder, x: &Value, (axes, stay): Dims<'_>) -> Result<Value> {
    if x.element().is_float() {
        return along(b, "mean", x, (axes, stay));
    }
    let wide = b.cast(x, Element::I64)?;
    let sums = along(b, "sum", &wide, (axes, stay))?;
    let extents: Vec<Dim> = axes.iter().map(|axis| x.dims()[*axis]).collect();
    let means = b.with_size("trunc_divide", &sums, dim::product(&extents)?)?;
    b.cast(&means, x.element())
}

/// The sums or products of the elements of an axis up to each one, without it if they are `exclusive`; from the last element on if they
/// are `reversed`.
pub fn cumulative(
    b: &mut GraphBuilder,
    op: &str,
    x: &Value,
    axis: usize,
    [exclusive, reversed]: [bool; 2],
) -> Result<Value> {
    let x = match reversed {
        true => shape::reversed(b, x, &[axis as i64])?,
        false => x.clone(),
    };
    let attrs = [
        ("axis", Param::Int(axis as i64)),
        ("exclusive", Param::Bool(exclusive)),
    ];
    let made = b.op(op, &[x], &attrs)?;
    match reversed {
        true => shape::reversed(b, &made, &[axis as i64]),
        false => Ok(made),
    }
}

/// The subscript of the greatest or least element along an axis, which may stay with an extent of 1; of several such elements that of the
/// `last` one, or the first.
pub fn arg_along(
    b: &mut GraphBuilder,
    op: &str,
    x: &Value,
    (axis, stay): (usize, bool),
    last: bool,
) -> Result<Value> {
    let attrs = [
        ("axis", Param::Ints(vec![axis as i64])),
        ("keepdims", Param::Bool(stay)),
        ("select_last_index", Param::Bool(last)),
    ];
    b.op(op, std::slice::from_ref(x), &attrs)
}
