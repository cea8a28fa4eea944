//! Operators whose sizes are computed when the model runs.
//!
//! Each size becomes a symbol, which the model checks ([`GraphBuilder::define`]). Elements are then taken at computed subscripts: the kernels
//! for slices, pads and copies have sizes that are known.

use super::reduce::along;
use crate::graph::{
    attr::Param,
    builder::{GraphBuilder, count_of_sizes},
    error::Result,
    value::Value,
};
use relay_dialects::{
    dim::{self, Dim},
    element::Element,
    ir::Value as IrValue,
    names::relay,
};

/// A number of rank 0, for arithmetic on sizes.
fn number(b: &mut GraphBuilder, dim: impl Into<Dim>) -> Result<Value> {
    b.size(Element::I64, dim.into())
}

/// `start`, `start + step` and so on, as many as a dimension says.
fn steps(b: &mut GraphBuilder, start: &Value, step: &Value, count: Dim) -> Result<Value> {
    let attrs = [("count", Param::Dims(vec![count]))];
    b.op("arange", &[start.clone(), step.clone()], &attrs)
}

/// A tensor reshaped to a computed shape. In it, 0 keeps a dimension, unless `literal_zero`, and -1 stands for the rest.
pub(super) fn reshape(
    b: &mut GraphBuilder,
    x: &Value,
    wanted: &Value,
    literal_zero: bool,
) -> Result<Value> {
    let rank = count_of_sizes(wanted)?;
    let mut sizes = b.cast(wanted, Element::I64)?;
    if !literal_zero {
        let mut own = x.dims().to_vec();
        own.resize(rank as usize, Dim::Known(0));
        let own = b.sizes(&own);
        let is_kept = b.with_scalar("equal", &sizes, 0.0)?;
        sizes = b.op("where", &[is_kept, own, sizes], &[])?;
    }
    let is_left = b.with_scalar("equal", &sizes, -1.0)?;
    let one = number(b, 1)?;
    let others = b.op("where", &[is_left.clone(), one, sizes.clone()], &[])?;
    let others = along(b, "prod", &others, (&[0], false))?;
    let divisor = b.with_scalar("maximum", &others, 1.0)?;
    let count = dim::product(x.dims())?;
    let all = number(b, count)?;
    let left = b.binary("floor_divide", &all, &divisor)?;
    let sizes = b.op("where", &[is_left, left, sizes], &[])?;
    let shape = b.sizes_of(&sizes)?;
    let elements = along(b, "prod", &sizes, (&[0], false))?;
    b.check_equal(&elements, count, "elements")?;
    b.op(
        "view_as",
        std::slice::from_ref(x),
        &[("newshape", Param::Dims(shape))],
    )
}

/// The shape to which dimensions broadcast by request, where the request is computed. A dimension that is known not to be 1 stays: then 1 or
/// itself may be asked for.
pub(super) fn expanded(b: &mut GraphBuilder, from: &[Dim], wanted: &Value) -> Result<Vec<Dim>> {
    let mut shape = b.sizes_of(wanted)?;
    let added = shape.len().checked_sub(from.len());
    let added =
        added.ok_or_else(|| format!("{} sizes are asked for of shape {from:?}", shape.len()))?;
    let wanted = b.cast(wanted, Element::I64)?;
    for (axis, dim) in from.iter().enumerate().filter(|(_, dim)| **dim != 1) {
        let place = added + axis;
        let asked = b.element(&wanted, place as i64)?;
        let is_one = b.with_scalar("equal", &asked, 1.0)?;
        let own = number(b, *dim)?;
        let size = b.op("where", &[is_one, own, asked], &[])?;
        b.check_equal(&size, *dim, "size")?;
        shape[place] = *dim;
    }
    Ok(shape)
}

/// A tensor so many times along each axis.
pub(super) fn tile(b: &mut GraphBuilder, x: &Value, repeats: &[Dim]) -> Result<Value> {
    let mut result = x.clone();
    let (start, step) = (number(b, 0)?, number(b, 1)?);
    for (axis, repeats) in repeats.iter().enumerate().filter(|(_, count)| **count != 1) {
        let count = x.dims()[axis].times(*repeats)?;
        let places = steps(b, &start, &step, count)?;
        // They are taken modulo the extent.
        result = b.taken(&result, &places, axis)?;
    }
    Ok(result)
}

/// A slice along an axis, with bounds that are computed.
pub(super) struct Range {
    pub axis: usize,
    pub start: Value,
    pub end: Value,
    pub step: i64,
    /// Whether it is of one element, where it is not of none.
    pub is_of_one: bool,
}

/// Whether one list of numbers is another one and 1: then a slice between them is that of an element.
pub(super) fn is_next(first: &Value, next: &Value) -> bool {
    let numbers = [first, next].map(|value| value.ir().map(apart));
    matches!(numbers, [Some((base, number)), Some((other, next))] if base == other && next == number + 1)
}

/// The value and the number that a value is the sum of.
fn apart(mut value: IrValue) -> (IrValue, i64) {
    let mut sum = 0;
    while let Some(op) = value.def_of(relay::ADD) {
        let operands = [op.operand(0), op.operand(1)];
        let [lhs, rhs] = operands.map(|operand| {
            let constant = operand.def_of(relay::CONSTANT)?.attr("value")?;
            constant.splat_value()?.as_i64()
        });
        let Some((place, number)) = rhs
            .map(|number| (0, number))
            .or(lhs.map(|number| (1, number)))
        else {
            break;
        };
        value = operands[place];
        sum += number;
    }
    (value, sum)
}

impl Range {
    /// The slice of a tensor.
    pub(super) fn of(&self, b: &mut GraphBuilder, x: &Value) -> Result<Value> {
        let extent = x.dims()[self.axis];
        if self.step == 0 || self.step == i64::MIN {
            return Err(format!("step {} is out of range", self.step));
        }
        let all = number(b, extent)?;
        let is_down = self.step < 0;
        // The last place where a slice may begin, and how far below the first one it may end.
        let last = number(b, extent.minus(i64::from(is_down))?)?;
        let start = bound(b, &self.start, &all, (0, &last))?;
        let end = bound(b, &self.end, &all, (-i64::from(is_down), &last))?;
        let length = match is_down {
            false => b.binary("subtract", &end, &start)?,
            true => b.binary("subtract", &start, &end)?,
        };
        let step = self.step.abs();
        let length = b.with_scalar("add", &length, (step - 1) as f64)?;
        let count = b.with_size("floor_divide", &length, Dim::Known(step))?;
        let count = at_least_zero(b, &count)?;
        // Steps of loops take elements so. What they compute of one has a known size then, and a run checks that it is there.
        let count = match self.is_of_one && b.is_in_step() {
            true => {
                b.check_equal(&count, Dim::Known(1), "slice")?;
                Dim::Known(1)
            }
            false => b.define(&count, "slice", Some(extent))?,
        };
        let step = number(b, self.step)?;
        let places = steps(b, &start, &step, count)?;
        b.taken(x, &places, self.axis)
    }
}

/// A bound of a slice: counted from the end if negative, and then cut to what there is.
fn bound(
    b: &mut GraphBuilder,
    bound: &Value,
    extent: &Value,
    (least, most): (i64, &Value),
) -> Result<Value> {
    let is_negative = b.with_scalar("less", bound, 0.0)?;
    let from_end = b.binary("add", bound, extent)?;
    let bound = b.op("where", &[is_negative, from_end, bound.clone()], &[])?;
    let bound = b.binary("minimum", &bound, most)?;
    b.with_scalar("maximum", &bound, least as f64)
}

/// The first of two tensors if a condition, a boolean of rank 0, holds, or else the second one. They may differ in one extent, and the
/// model computes that of the result.
pub(super) fn either(
    b: &mut GraphBuilder,
    condition: &Value,
    [yes, no]: [&Value; 2],
) -> Result<Value> {
    let rank = yes.rank();
    if rank != no.rank() || yes.element() != no.element() {
        return Err("the branches return tensors of different ranks or element types".into());
    }
    let mut axes = (0..rank).filter(|axis| yes.dims()[*axis] != no.dims()[*axis]);
    let (axis, None) = (axes.next(), axes.next()) else {
        return Err("the branches return tensors that differ in more than one extent".into());
    };
    let Some(axis) = axis else {
        return b.op("where", &[condition.clone(), yes.clone(), no.clone()], &[]);
    };
    let [first, second] = [yes, no].map(|value| value.dims()[axis]);
    let (lengths, none) = ([number(b, first)?, number(b, second)?], number(b, 0)?);
    let [yes_length, no_length] = lengths;
    let count = [condition.clone(), yes_length.clone(), no_length];
    let count = b.op("where", &count, &[])?;
    let count = b.define(&count, "chosen", None)?;
    let start = b.op("where", &[condition.clone(), none, yes_length], &[])?;
    let step = number(b, 1)?;
    let places = steps(b, &start, &step, count)?;
    let both = b.concatenate(&[yes.clone(), no.clone()], axis)?;
    b.taken(&both, &places, axis)
}

fn at_least_zero(b: &mut GraphBuilder, number: &Value) -> Result<Value> {
    b.with_scalar("maximum", number, 0.0)
}

/// The parts of a tensor along an axis, whose extents are computed.
pub(super) fn split(
    b: &mut GraphBuilder,
    x: &Value,
    axis: usize,
    extents: &Value,
) -> Result<Vec<Value>> {
    let sizes = b.sizes_of(extents)?;
    let extents = b.cast(extents, Element::I64)?;
    let all = along(b, "sum", &extents, (&[0], false))?;
    b.check_equal(&all, x.dims()[axis], "parts")?;
    let step = number(b, 1)?;
    let mut start = Dim::Known(0);
    let mut parts = Vec::new();
    for size in sizes {
        let first = number(b, start)?;
        let places = steps(b, &first, &step, size)?;
        parts.push(b.taken(x, &places, axis)?);
        start = start.plus(size)?;
    }
    Ok(parts)
}

/// The elements that a pad adds.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Padding {
    /// One number.
    Constant,
    /// The nearest element.
    Edge,
    /// The elements before, in reverse.
    Reflect,
}

/// A tensor with more elements before and behind those of an axis, or without some, where they are negative.
pub(super) fn pad(
    b: &mut GraphBuilder,
    x: &Value,
    fill: &Value,
    axis: usize,
    ([before, behind], padding): ([&Value; 2], Padding),
) -> Result<Value> {
    let extent = x.dims()[axis];
    let count = b.binary("add", before, behind)?;
    let count = b.with_size("add", &count, extent)?;
    let count = b.define(&count, "padded", None)?;
    let (start, step) = (b.unary("negative", before)?, number(b, 1)?);
    let places = steps(b, &start, &step, count)?;
    let last = number(b, extent.minus(1)?)?;
    let inside = match padding {
        Padding::Constant | Padding::Edge => {
            let inside = b.binary("minimum", &places, &last)?;
            at_least_zero(b, &inside)?
        }
        Padding::Reflect => reflected(b, &places, &last)?,
    };
    let result = b.taken(x, &inside, axis)?;
    if padding != Padding::Constant {
        return Ok(result);
    }
    let is_inside = b.binary("equal", &places, &inside)?;
    let mut shape = vec![Dim::Known(1); x.rank()];
    shape[axis] = count;
    let is_inside = b.reshape(&is_inside, &shape)?;
    b.op("where", &[is_inside, result, fill.clone()], &[])
}

/// Where places outside of an axis are in its reflections, of which any number follow each other.
fn reflected(b: &mut GraphBuilder, places: &Value, last: &Value) -> Result<Value> {
    let twice = b.binary("add", last, last)?;
    let period = b.with_scalar("maximum", &twice, 1.0)?;
    let within = b.binary("floor_mod", places, &period)?;
    let back = b.binary("subtract", &twice, &within)?;
    let inside = b.binary("minimum", &within, &back)?;
    at_least_zero(b, &inside)
}
