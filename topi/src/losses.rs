//! Norms, losses and gradients.

use crate::{
    Compute, Expression,
    fixed_point::{FixedPoint, rounding},
    scalar::{self, Comparison, compare},
    transform::wrapped,
};
use relay_dialects::{
    Element,
    dim::Dim,
    index::Extent,
    ir::{Builder, Value},
    ops::math,
    relay::relation::normalize_axis,
    te::{Reducer, build},
};

/// The family's rows.
pub const ROWS: &[(&str, Compute)] = &[
    ("nn.l2_normalize", l2_normalize),
    ("nn.cross_entropy", |e| cross_entropy(e, true)),
    ("nn.cross_entropy_with_logits", |e| cross_entropy(e, false)),
    ("nn.dropout", dropout),
    ("collapse_sum_to", collapse_sum),
    ("collapse_sum_like", collapse_sum),
    ("fixed_point_multiply", fixed_point_multiply),
    (
        "fixed_point_multiply_per_axis",
        fixed_point_multiply_per_axis,
    ),
    ("nn.nll_loss", nll_loss),
];

fn l2_normalize(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let shape = e.dims(0);
    let axes = e.attrs().ints("axis")?.into_iter();
    let axes = axes.map(|axis| normalize_axis(axis, shape.len()));
    let axes: Vec<usize> = axes.collect::<Result<_, _>>()?;
    let least = e.attrs().float("eps")?;
    let (ty, extents) = (e.element, axes.iter().map(|&axis| shape[axis]));
    let extents: Vec<Dim> = extents.collect();
    let kept: Vec<usize> = (0..shape.len())
        .filter(|axis| !axes.contains(axis))
        .collect();
    let rest: Vec<Dim> = kept.iter().map(|&axis| shape[axis]).collect();
    let square = |b: &Builder, outer: &[Value], inner: &[Value]| {
        let at = (0..shape.len()).map(|axis| {
            let inside = axes.iter().position(|other| *other == axis);
            let outside = kept.iter().position(|other| *other == axis);
            match (inside, outside) {
                (Some(place), _) => inner[place],
                (None, place) => outer[place.unwrap_or_default()],
            }
        });
        let x = build::read(b, e.inputs[0], &at.collect::<Vec<_>>());
        scalar::mul(b, x, x)
    };
    let sum = build::reduce(e.b, "sum", &rest, ty, (Reducer::Sum, &extents[..]), square);
    e.elements(|b, indices| {
        let outer: Vec<Value> = kept.iter().map(|&axis| indices[axis]).collect();
        let sum = scalar::max(b, build::read(b, sum, &outer), b.constant(ty, least));
        let x = build::read(b, e.inputs[0], indices);
        scalar::div(b, x, math::Sqrt::build(b, sum))
    })
}

/// The sum of products of numbers, or their logarithms, and weights, by the number of rows, negated.
fn cross_entropy(e: &Expression<'_>, takes_log: bool) -> Result<Vec<Value>, String> {
    let (shape, ty) = (e.dims(0), e.element);
    let term = |b: &Builder, _: &[Value], at: &[Value]| {
        let [x, y] = [0, 1].map(|operand| build::read(b, e.inputs[operand], at));
        let x = if takes_log { math::Log::build(b, x) } else { x };
        scalar::mul(b, x, y)
    };
    let none: [Dim; 0] = [];
    let sum = build::reduce(e.b, "sum", &none, ty, (Reducer::Sum, &shape[..]), term);
    e.elements(|b, _| {
        let rows = match shape[0].known() {
            Some(rows) => b.constant(ty, -(rows as f64)),
            None => {
                let rows = scalar::from_index(b, shape[0].to_value(b), ty);
                scalar::mul(b, rows, b.constant(ty, -1.0))
            }
        };
        scalar::div(b, build::read(b, sum, &[]), rows)
    })
}

fn dropout(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let ty = e.op.result(1).ty();
    let data = e.elements(|b, indices| build::read(b, e.inputs[0], indices))?;
    let one = |b: &Builder, _: &[Value]| b.constant(ty.element(), 1.0);
    let mask = build::compute(e.b, "mask", &ty.dims(), ty.element(), one);
    Ok([&data[..], &[mask]].concat())
}

/// The dimensions that the result lacks, or of which it has one element, are summed over.
fn collapse_sum(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let (from, to) = (e.dims(0), e.result_dims());
    let before = from.len() - to.len();
    let is_summed = |axis: usize| axis < before || to[axis - before] == 1 && from[axis] != 1;
    let summed: Vec<usize> = (0..from.len()).filter(|&axis| is_summed(axis)).collect();
    if summed.is_empty() {
        return e.elements(|b, indices| build::read(b, e.inputs[0], indices));
    }
    let extents: Vec<Dim> = summed.iter().map(|&axis| from[axis]).collect();
    let term = |b: &Builder, outer: &[Value], inner: &[Value]| {
        let at = (0..from.len()).map(
            |axis| match summed.iter().position(|other| *other == axis) {
                Some(place) => inner[place],
                None => outer[axis - before],
            },
        );
        build::read(b, e.inputs[0], &at.collect::<Vec<_>>())
    };
    e.sums(&extents, term)
}

fn fixed_point_multiply(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let rounding = rounding(e)?;
    let (multiplier, shift) = (e.attrs().int("multiplier")?, e.attrs().int("shift")?);
    e.elements(|b, indices| {
        let wide = Element::I64.ty(b.ctx);
        let factor = FixedPoint {
            multiplier: b.int_constant(wide, multiplier),
            exponent: b.int_constant(wide, shift),
        };
        let product = factor.times(b, build::read(b, e.inputs[0], indices), rounding);
        scalar::cast(b, product, e.element)
    })
}

fn fixed_point_multiply_per_axis(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let attrs = e.attrs();
    let axes = attrs.ints("axes")?;
    let shifts_left = attrs.bool("is_lshift_required")?;
    let rounding = rounding(e)?;
    e.elements(|b, indices| {
        let wide = Element::I64.ty(b.ctx);
        let at: Vec<Value> = axes.iter().map(|axis| indices[*axis as usize]).collect();
        let list = |operand: usize| scalar::cast(b, build::read(b, e.inputs[operand], &at), wide);
        let left = match shifts_left {
            true => list(2),
            false => b.int_constant(wide, 0),
        };
        let factor = FixedPoint {
            multiplier: list(1),
            exponent: scalar::sub(b, left, list(3)),
        };
        let product = factor.times(b, build::read(b, e.inputs[0], indices), rounding);
        scalar::cast(b, product, e.element)
    })
}

fn nll_loss(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let attrs = e.attrs();
    let (ignored, reduction) = (attrs.int("ignore_index")?, attrs.str("reduction")?);
    let shape = e.dims(1);
    let (ty, classes) = (e.element, e.dims(2)[0]);
    // What a target counts: its loss, or its weight.
    let of_target = |b: &Builder, at: &[Value], is_loss: bool| {
        let target = build::read(b, e.inputs[1], at);
        let is_ignored = compare(
            b,
            Comparison::Equal,
            target,
            b.int_constant(target.ty(), ignored),
        );
        let class = wrapped(b, scalar::to_index(b, target), classes);
        let weight = build::read(b, e.inputs[2], &[class]);
        let counted = match is_loss {
            false => weight,
            true => {
                let (first, rest) = at.split_at(at.len().min(1));
                let likelihood = build::read(b, e.inputs[0], &[first, &[class], rest].concat());
                let loss = scalar::mul(b, likelihood, weight);
                scalar::sub(b, b.constant(ty, 0.0), loss)
            }
        };
        b.select(is_ignored, b.constant(ty, 0.0), counted)
    };
    if reduction == "none" {
        return e.elements(|b, at| of_target(b, at, true));
    }
    let none: [Dim; 0] = [];
    let sum = |name: &str, is_loss: bool| match shape.is_empty() {
        true => build::compute(e.b, name, &none, ty, |b, at| of_target(b, at, is_loss)),
        false => {
            let term = |b: &Builder, _: &[Value], at: &[Value]| of_target(b, at, is_loss);
            build::reduce(e.b, name, &none, ty, (Reducer::Sum, &shape[..]), term)
        }
    };
    let loss = sum("losses", true);
    if reduction == "sum" {
        return Ok(vec![loss]);
    }
    let weight = sum("weights", false);
    e.elements(|b, at| scalar::div(b, build::read(b, loss, at), build::read(b, weight, at)))
}
