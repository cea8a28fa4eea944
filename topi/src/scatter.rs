//! Elements that indices replace: loop programs, because it is the data that says where an update goes.
//!
//! The data are copied. Then updates come in their order, of which threads share those that cannot meet: of different lines, or of
//! different elements of a part.

use crate::{
    Compute, Expression,
    precision::computed,
    program::{flat, load, repeat, share, store},
    scalar,
    schedule::cost::programs::{COPIED_BY_THREAD, ELEMENTS_OF_LINE},
    transform::wrapped,
};
use relay_dialects::{
    dim::{self, Dim},
    index::{self, Extent},
    ir::{Builder, Type, Value},
    relay::relation::normalize_axis,
    te::build,
};

/// The family's rows.
pub const ROWS: &[(&str, Compute)] = &[("scatter_elements", elements), ("scatter_nd", parts)];

/// What becomes of an element and its update.
type Join = fn(&Builder, Value, Value) -> Value;

/// The operator of a reduction; None where the update stands for the element.
fn join_of(reduction: &str) -> Option<Join> {
    match reduction {
        "add" => Some(scalar::add),
        "mul" => Some(scalar::mul),
        "min" => Some(scalar::min),
        "max" => Some(scalar::max),
        _ => None,
    }
}

/// An operator that scatters. Its data are `outer` times `extent` parts of `inner` elements.
struct Scatter<'e> {
    e: &'e Expression<'e>,
    join: Option<Join>,
    /// The extents of the indices before those that choose, and the strides of the data there, in elements.
    outer: Vec<(Dim, Dim)>,
    /// How many updates each line of parts has, one after the other.
    count: Dim,
    /// The extents of the updates behind, and the strides of the data there.
    inner: Vec<(Dim, Dim)>,
    /// Where the part begins that an update is for: of the buffer of indices, the number of the update, and that of the update's element.
    part: &'e dyn Fn(&Builder, Value, [Value; 3]) -> Value,
}

/// Data with extents and strides of some dimensions.
fn dims(updates: &[Dim], strides: &[Dim], from: usize, to: usize) -> Vec<(Dim, Dim)> {
    let dims = updates.iter().copied().zip(strides.iter().copied());
    dims.skip(from).take(to - from).collect()
}

/// The strides of a dense row-major tensor.
fn strides(shape: &[Dim]) -> Result<Vec<Dim>, String> {
    let stride = |dim: usize| dim::product(&shape[dim + 1..]);
    (0..shape.len()).map(stride).collect()
}

/// The product of the extents in pairs with strides.
fn count_of(dims: &[(Dim, Dim)]) -> Result<Dim, String> {
    let extents: Vec<Dim> = dims.iter().map(|(extent, _)| *extent).collect();
    dim::product(&extents)
}

fn elements(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let (data, updates) = (e.dims(0), e.dims(2));
    let axis = normalize_axis(e.attrs().int("axis")?, data.len())?;
    let strides = strides(&data)?;
    let (extent, stride) = (data[axis], strides[axis]);
    let (count, inner) = (updates[axis], dim::product(&updates[axis + 1..])?);
    let part = |b: &Builder, indices: Value, [line, number, element]: [Value; 3]| {
        let row = index::add(b, index::scale(b, line, count), number);
        let at = index::add(b, index::scale(b, row, inner), element);
        let chosen = scalar::to_index(b, load(b, indices, &[at]));
        index::scale(b, wrapped(b, chosen, extent), stride)
    };
    Scatter {
        e,
        join: join_of(&e.attrs().str("reduction")?),
        outer: dims(&updates, &strides, 0, axis),
        count,
        inner: dims(&updates, &strides, axis + 1, data.len()),
        part: &part,
    }
    .write()
}

fn parts(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let (data, indices) = (e.dims(0), e.dims(1));
    let chosen = e.known_dim(1, 0)? as usize;
    let count = dim::product(&indices[1..])?;
    let strides = strides(&data)?;
    let part = |b: &Builder, indices: Value, [_, number, _]: [Value; 3]| {
        let places = (0..chosen).map(|dim| {
            let first = index::scale(b, count.to_value(b), dim as i64);
            let at = index::add(b, first, number);
            let subscript = scalar::to_index(b, load(b, indices, &[at]));
            index::scale(b, wrapped(b, subscript, data[dim]), strides[dim])
        });
        places.fold(b.index(0), |sum, place| index::add(b, sum, place))
    };
    Scatter {
        e,
        join: join_of(&e.attrs().str("mode")?),
        outer: Vec::new(),
        count,
        inner: dims(&data, &strides, chosen, data.len()),
        part: &part,
    }
    .write()
}

impl Scatter<'_> {
    fn write(&self) -> Result<Vec<Value>, String> {
        let (e, shape) = (self.e, self.e.dims(0));
        let empty = Dim::Known(0);
        if shape.contains(&empty) || e.dims(2).contains(&empty) {
            return e.elements(|b, at| build::read(b, e.inputs[0], at));
        }
        let ty = Type::tensor_of(&shape, e.element);
        let [all, places, more] = [0, 1, 2].map(|operand| dim::product(&e.dims(operand)));
        let (all, places, more) = (all?, places?, more?);
        let (lines, inner) = (count_of(&self.outer)?, count_of(&self.inner)?);
        let write = |b: &Builder, read: &[Value], filled: &[Value]| {
            let buffers = [
                (read[0], all),
                (read[1], places),
                (read[2], more),
                (filled[0], all),
            ];
            let [data, indices, updates, result] =
                buffers.map(|(buffer, count)| flat(b, buffer, count));
            chunks(b, all, COPIED_BY_THREAD, |b, at| {
                store(b, load(b, data, &[at]), result, &[at]);
            });
            self.update(b, (indices, updates), result, (lines, inner));
        };
        Ok(build::program(e.b, &e.name(), e.inputs, &[ty], write))
    }

    /// What becomes of an element and its update, computed as numbers of the type are.
    fn joined(&self, b: &Builder, old: Value, update: Value) -> Value {
        let Some(join) = self.join else {
            return update;
        };
        let wide = computed(old.ty());
        let joined = join(b, scalar::cast(b, old, wide), scalar::cast(b, update, wide));
        scalar::cast(b, joined, update.ty())
    }

    /// Writes the updates into a copy of the data: so many lines of parts, of so many elements.
    fn update(
        &self,
        b: &Builder,
        (indices, updates): (Value, Value),
        result: Value,
        (lines, inner): (Dim, Dim),
    ) {
        let one = |b: &Builder, [line, number, element]: [Value; 3]| {
            let row = index::add(b, index::scale(b, line, self.count), number);
            let from = index::add(b, index::scale(b, row, inner), element);
            let part = (self.part)(b, indices, [line, number, element]);
            let line = offset(b, line, &self.outer);
            let within = index::add(b, part, offset(b, element, &self.inner));
            let to = index::add(b, line, within);
            let (old, update) = (load(b, result, &[to]), load(b, updates, &[from]));
            store(b, self.joined(b, old, update), result, &[to]);
        };
        if lines != 1 {
            share(b, lines, |b, line| {
                repeat(b, self.count, |b, number| {
                    repeat(b, inner, |b, element| one(b, [line, number, element]));
                });
            });
            return;
        }
        // Updates of one element keep their order: each thread makes all updates of its elements.
        chunks_of(b, inner, ELEMENTS_OF_LINE, |b, (first, width)| {
            repeat(b, self.count, |b, number| {
                repeat(b, width, |b, element| {
                    one(b, [b.index(0), number, index::add(b, first, element)]);
                });
            });
        });
    }
}

/// Where an element is whose number in tensors of these extents is given, in tensors of these strides.
fn offset(b: &Builder, number: Value, dims: &[(Dim, Dim)]) -> Value {
    let (mut rest, mut sum) = (number, b.index(0));
    for (place, &(extent, stride)) in dims.iter().enumerate().rev() {
        let mut at = rest;
        if place > 0 {
            at = index::rem(b, rest, extent);
            rest = index::div(b, rest, extent);
        }
        sum = index::add(b, sum, index::scale(b, at, stride));
    }
    sum
}

/// Does something for each of `all` numbers, of which threads share chunks of `most`.
pub(crate) fn chunks(b: &Builder, all: Dim, most: i64, body: impl Fn(&Builder, Value)) {
    chunks_of(b, all, most, |b, (first, width)| {
        repeat(b, width, |b, number| body(b, index::add(b, first, number)));
    });
}

/// Does something for chunks of `all` numbers, which threads share: it gets the first one, and how many there are.
fn chunks_of(b: &Builder, all: Dim, most: i64, body: impl Fn(&Builder, (Value, Value))) {
    let all = all.to_value(b);
    let (whole, rest) = (index::div(b, all, most), index::rem(b, all, most));
    if index::constant(whole) != Some(0) {
        share(b, whole, |b, chunk| {
            body(b, (index::scale(b, chunk, most), b.index(most)));
        });
    }
    if index::constant(rest) != Some(0) {
        body(b, (index::sub(b, all, rest), rest));
    }
}
