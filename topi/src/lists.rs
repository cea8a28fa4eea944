//! Lists: sums up to each element, permutations, places in sorted lists. They are loop programs, because an element follows from others of
//! the result, or data decide where it goes.

use crate::{
    Compute, Expression,
    program::{flat, load, local, repeat, share, store, when},
    scalar::{self, Comparison, compare},
};
use relay_dialects::{
    dim::{self, Dim},
    index::{self, Extent, Predicate},
    ir::{Builder, Type, Value},
    relay::relation::normalize_axis,
    te::build,
};

/// The family's rows.
pub const ROWS: &[(&str, Compute)] = &[
    ("cumsum", |e| cumulative(e, scalar::add, 0.0)),
    ("cumprod", |e| cumulative(e, scalar::mul, 1.0)),
    ("invert_permutation", invert_permutation),
    ("searchsorted", searchsorted),
    ("sparse_to_dense", sparse_to_dense),
];

/// The type of the result.
fn result_type(e: &Expression<'_>) -> Type {
    e.op.result(0).ty()
}

/// Joins two numbers.
type Join = fn(&Builder, Value, Value) -> Value;

/// Of each line of numbers along the axis, what is joined up to each one. Threads share the lines.
fn cumulative(e: &Expression<'_>, join: Join, first: f64) -> Result<Vec<Value>, String> {
    let (ty, shape) = (result_type(e), e.dims(0));
    let axis = normalize_axis(e.attrs().int("axis")?, shape.len())?;
    let is_exclusive = e.attrs().bool("exclusive")?;
    let (outer, extent) = (dim::product(&shape[..axis])?, shape[axis]);
    let inner = dim::product(&shape[axis + 1..])?;
    let (count, lines) = (dim::product(&shape)?, outer.times(inner)?);
    if count == 0 {
        return Ok(e.zeros(&[ty]));
    }
    let element = ty.element();
    let write = |b: &Builder, read: &[Value], filled: &[Value]| {
        let (data, result) = (flat(b, read[0], count), flat(b, filled[0], count));
        share(b, lines, |b, line| {
            let row = index::scale(b, index::div(b, line, inner), extent);
            let start = index::add(b, index::scale(b, row, inner), index::rem(b, line, inner));
            let sum = local(b, Dim::Known(1), element, "sum");
            let zero = b.index(0);
            store(b, b.constant(element, first), sum, &[zero]);
            repeat(b, extent, |b, place| {
                let at = index::add(b, start, index::scale(b, place, inner));
                let before = load(b, sum, &[zero]);
                let x = scalar::cast(b, load(b, data, &[at]), element);
                let after = join(b, before, x);
                store(b, after, sum, &[zero]);
                store(b, if is_exclusive { before } else { after }, result, &[at]);
            });
        });
    };
    Ok(build::program(e.b, &e.name(), e.inputs, &[ty], write))
}

fn invert_permutation(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let (ty, count) = (result_type(e), e.dims(0)[0]);
    if count == 0 {
        return Ok(e.zeros(&[ty]));
    }
    let write = |b: &Builder, read: &[Value], filled: &[Value]| {
        repeat(b, count, |b, place| {
            let at = scalar::to_index(b, load(b, read[0], &[place]));
            let number = scalar::from_index(b, place, ty.element());
            when(b, is_inside(b, at, count), |b| {
                store(b, number, filled[0], &[at])
            });
        });
    };
    Ok(build::program(e.b, &e.name(), e.inputs, &[ty], write))
}

/// Whether a subscript is from 0 to before an extent.
fn is_inside(b: &Builder, at: Value, extent: Dim) -> Value {
    let is_positive = index::compare(b, Predicate::Sge, at, b.index(0));
    scalar::and(b, is_positive, index::less(b, at, extent))
}

/// Halves of what is left of a list are looked at, as often as the list can be halved.
fn searchsorted(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let (ty, list, values) = (result_type(e), e.dims(0), e.dims(1));
    let is_right = e.attrs().bool("right")?;
    let (extent, count) = (list[list.len() - 1], dim::product(&values)?);
    if count == 0 {
        return Ok(e.zeros(&[ty]));
    }
    // A single list serves all values; else each line of values has one.
    let of_line = match list.len() {
        1 => count,
        _ => values[values.len() - 1],
    };
    let steps = extent
        .known()
        .map_or(63, |extent| 64 - extent.leading_zeros() as i64);
    let all = dim::product(&list)?;
    let write = |b: &Builder, read: &[Value], filled: &[Value]| {
        let sorted = flat(b, read[0], all);
        let (values, result) = (flat(b, read[1], count), flat(b, filled[0], count));
        share(b, count, |b, number| {
            let first = index::scale(b, index::div(b, number, of_line), extent);
            let value = load(b, values, &[number]);
            let bounds = local(b, Dim::Known(2), Type::index(b.ctx), "bounds");
            let [low, high] = [b.index(0), b.index(1)];
            store(b, b.index(0), bounds, &[low]);
            store(b, extent.to_value(b), bounds, &[high]);
            repeat(b, steps, |b, _| {
                let [from, to] = [low, high].map(|at| load(b, bounds, &[at]));
                let is_open = index::compare(b, Predicate::Slt, from, to);
                when(b, is_open, |b| {
                    let middle = index::div(b, index::add(b, from, to), 2);
                    let at = index::add(b, first, middle);
                    let found = load(b, sorted, &[at]);
                    let comparison = match is_right {
                        true => Comparison::LessEqual,
                        false => Comparison::Less,
                    };
                    let is_before = compare(b, comparison, found, value);
                    let next = index::add(b, middle, b.index(1));
                    store(b, b.select(is_before, next, from), bounds, &[low]);
                    store(b, b.select(is_before, to, middle), bounds, &[high]);
                });
            });
            let place = load(b, bounds, &[low]);
            store(
                b,
                scalar::from_index(b, place, ty.element()),
                result,
                &[number],
            );
        });
    };
    Ok(build::program(e.b, &e.name(), e.inputs, &[ty], write))
}

fn sparse_to_dense(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let (ty, indices, values) = (result_type(e), e.dims(0), e.dims(1));
    let shape = e.attrs().ints("output_shape")?;
    let total: Dim = dim::product(&shape)?;
    if total == 0 {
        return Ok(e.zeros(&[ty]));
    }
    let count = indices.first().copied().unwrap_or(Dim::Known(1));
    let is_line = indices.len() == 2;
    let write = |b: &Builder, read: &[Value], filled: &[Value]| {
        let result = flat(b, filled[0], total);
        // The body of a shared loop takes buffers from outside, and no numbers.
        share(b, total, |b, at| {
            store(b, load(b, read[2], &[]), result, &[at])
        });
        repeat(b, count, |b, number| {
            let mut place = b.index(0);
            let mut is_there = None;
            for (axis, &extent) in shape.iter().enumerate() {
                let at = match (is_line, indices.is_empty()) {
                    (true, _) => vec![number, b.index(axis as i64)],
                    (_, true) => vec![],
                    _ => vec![number],
                };
                let subscript = scalar::to_index(b, load(b, read[0], &at));
                let fits = is_inside(b, subscript, Dim::Known(extent));
                place = index::add(b, index::scale(b, place, extent), subscript);
                is_there = Some(match is_there {
                    Some(before) => scalar::and(b, before, fits),
                    None => fits,
                });
            }
            let at = if values.is_empty() {
                vec![]
            } else {
                vec![number]
            };
            let value = load(b, read[1], &at);
            match is_there {
                Some(is_there) => when(b, is_there, |b| store(b, value, result, &[place])),
                None => store(b, value, result, &[place]),
            }
        });
    };
    Ok(build::program(e.b, &e.name(), e.inputs, &[ty], write))
}
