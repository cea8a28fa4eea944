//! Reductions over axes.

use crate::{
    Compute, Expression,
    binary::read_broadcast,
    scalar::{self, Comparison, compare},
};
use relay_dialects::{
    dim::{self, Dim},
    index::Extent,
    ir::{Attr, Builder, Type, Value},
    ops::arith,
    relay::ops::reduce::{reduced_axes, reduced_shape},
    te::{Reducer, build},
};

/// The family's rows.
pub const ROWS: &[(&str, Compute)] = &[
    ("sum", |e| reduce(e, Reducer::Sum)),
    ("mean", mean),
    ("max", |e| reduce(e, Reducer::Max)),
    ("min", |e| reduce(e, Reducer::Min)),
    ("prod", |e| reduce(e, Reducer::Prod)),
    ("all", |e| reduce(e, Reducer::All)),
    ("any", |e| reduce(e, Reducer::Any)),
    ("argmax", |e| {
        arg_reduce(e, Comparison::Greater, f64::NEG_INFINITY)
    }),
    ("argmin", |e| arg_reduce(e, Comparison::Less, f64::INFINITY)),
    ("variance", variance),
];

/// The axes that an operator reduces.
pub struct Axes {
    reduced: Vec<usize>,
    extents: Vec<Dim>,
    keepdims: bool,
    shape: Vec<Dim>,
}

impl Axes {
    fn new(shape: &[Dim], reduced: Vec<usize>, keepdims: bool) -> Self {
        let extents = reduced.iter().map(|&axis| shape[axis]).collect();
        Self {
            reduced,
            extents,
            keepdims,
            shape: shape.to_vec(),
        }
    }

    /// The axes `reduced` of an operand of `shape`, which leave dimensions of 1 behind.
    pub fn kept(shape: &[Dim], reduced: Vec<usize>) -> Self {
        Self::new(shape, reduced, true)
    }

    fn of(e: &Expression<'_>) -> Result<Self, String> {
        let shape = e.dims(0);
        let exclude = e
            .attrs()
            .get("exclude")
            .and_then(Attr::as_bool)
            .unwrap_or(false);
        let reduced = reduced_axes(&e.attrs().ints("axis")?, exclude, shape.len())?;
        Ok(Self::new(&shape, reduced, e.attrs().bool("keepdims")?))
    }

    /// How many elements of the operand go into one of the result.
    ///
    /// # Errors
    /// If 64 bits do not hold it.
    pub fn count(&self) -> Result<Dim, String> {
        dim::product(&self.extents)
    }

    /// The shape of the result.
    fn result_shape(&self) -> Vec<Dim> {
        reduced_shape(&self.shape, &self.reduced, self.keepdims)
    }

    /// The operand's index from the result's and the reduce index.
    fn source(&self, indices: &[Value], reduce: &[Value]) -> Vec<Value> {
        let (mut kept, mut reduce) = (indices.iter(), reduce.iter());
        let axis = |axis| {
            if self.reduced.contains(&axis) {
                if self.keepdims {
                    kept.next();
                }
                reduce.next()
            } else {
                kept.next()
            }
        };
        (0..self.shape.len())
            .map(axis)
            .map(|index| *index.expect("as many indices as axes"))
            .collect()
    }
}

/// `reducer` over what `element` gives for an index of the operand; just that if there are no axes
/// to reduce.
fn reduced(
    b: &Builder,
    name: &str,
    ty: Type,
    (reducer, axes): (Reducer, &Axes),
    element: impl FnOnce(&Builder, &[Value]) -> Value,
) -> Value {
    let shape = axes.result_shape();
    if axes.reduced.is_empty() {
        return build::compute(b, name, &shape, ty, element);
    }
    let body = |b: &Builder, indices: &[Value], reduce: &[Value]| {
        element(b, &axes.source(indices, reduce))
    };
    build::reduce(b, name, &shape, ty, (reducer, &axes.extents), body)
}

/// A number of elements as a number of a type.
fn number(b: &Builder, count: Dim, ty: Type) -> Value {
    match count.known() {
        Some(count) => b.constant(ty, count as f64),
        None => scalar::from_index(b, count.to_value(b), ty),
    }
}

/// The sum of what `element` gives for an index of the operand, over `count`: two stages.
pub fn mean_of(
    b: &Builder,
    name: &str,
    ty: Type,
    axes: &Axes,
    count: Dim,
    element: impl FnOnce(&Builder, &[Value]) -> Value,
) -> Value {
    let sum = reduced(b, "sum", ty, (Reducer::Sum, axes), element);
    build::compute(b, name, &axes.result_shape(), ty, |b, indices| {
        let sum = build::read(b, sum, indices);
        scalar::div(b, sum, number(b, count, ty))
    })
}

fn reduce(e: &Expression<'_>, reducer: Reducer) -> Result<Vec<Value>, String> {
    let axes = Axes::of(e)?;
    let ty = e.inputs[0].ty().element();
    let read = |b: &Builder, at: &[Value]| build::read(b, e.inputs[0], at);
    Ok(vec![reduced(e.b, &e.name(), ty, (reducer, &axes), read)])
}

fn mean(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let axes = Axes::of(e)?;
    let ty = e.inputs[0].ty().element();
    let read = |b: &Builder, at: &[Value]| build::read(b, e.inputs[0], at);
    let mean = mean_of(e.b, "mean", ty, &axes, axes.count()?, read);
    Ok(vec![mean])
}

/// An unbiased one of a single element is not a number, as 0 / 0 is.
fn variance(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let axes = Axes::of(e)?;
    let ty = e.inputs[0].ty().element();
    let count = axes
        .count()?
        .minus(i64::from(e.attrs().bool("unbiased")?))?;
    let square = |b: &Builder, at: &[Value]| {
        let mean = read_broadcast(b, e.inputs[1], at);
        let distance = scalar::sub(b, build::read(b, e.inputs[0], at), mean);
        scalar::mul(b, distance, distance)
    };
    let variance = mean_of(e.b, "variance", ty, &axes, count, square);
    Ok(vec![variance])
}

/// Among equals the first subscript wins, or the last if `select_last_index`. NaN is better than
/// any number, as in numpy.
fn arg_reduce(e: &Expression<'_>, better: Comparison, start: f64) -> Result<Vec<Value>, String> {
    let axes = Axes::of(e)?;
    let last = e.attrs().bool("select_last_index")?;
    let (element, int) = (e.inputs[0].ty().element(), Type::int(e.b.ctx, 64));
    let start = if element.is_float() {
        Attr::float(element, start)
    } else {
        let (least, greatest) = element.int_range();
        Attr::int(element, if start < 0.0 { least } else { greatest })
    };
    let identity = [start, Attr::int(int, -1)];
    let body = |b: &Builder, indices: &[Value], reduce: &[Value]| {
        let value = build::read(b, e.inputs[0], &axes.source(indices, reduce));
        vec![value, scalar::from_index(b, reduce[0], int)]
    };
    let combine = |b: &Builder, old: &[Value], new: &[Value]| {
        let (wins, equal) = rank(b, better, new[0], old[0]);
        let nearer = if last {
            Comparison::Greater
        } else {
            Comparison::Less
        };
        // The identity's subscript is no subscript: anything is nearer.
        let none = compare(b, Comparison::Less, old[1], b.constant(int, 0.0));
        let nearer = arith::OrI::build(b, none, compare(b, nearer, new[1], old[1]));
        let take = arith::OrI::build(b, wins, arith::AndI::build(b, equal, nearer));
        vec![
            b.select(take, new[0], old[0]),
            b.select(take, new[1], old[1]),
        ]
    };
    let results = build::reduce_tuple(
        e.b,
        &e.name(),
        &e.result_dims(),
        &identity,
        &axes.extents,
        body,
        combine,
    );
    Ok(vec![results[1]])
}

/// Whether `new` is better than `old`, and whether it is as good.
fn rank(b: &Builder, better: Comparison, new: Value, old: Value) -> (Value, Value) {
    let wins = compare(b, better, new, old);
    let equal = compare(b, Comparison::Equal, new, old);
    if !new.ty().is_float() {
        return (wins, equal);
    }
    let is_nan = |value| compare(b, Comparison::NotEqual, value, value);
    let (new_nan, old_nan) = (is_nan(new), is_nan(old));
    let old_number = compare(b, Comparison::Equal, old, old);
    let first_nan = arith::AndI::build(b, new_nan, old_number);
    let both_nan = arith::AndI::build(b, new_nan, old_nan);
    (
        arith::OrI::build(b, wins, first_nan),
        arith::OrI::build(b, equal, both_nan),
    )
}
