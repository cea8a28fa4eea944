//! Shapes, slices and layouts.

use crate::{Compute, Expression, binary::read_broadcast, scalar};
use relay_dialects::{
    dim::{self, Dim},
    index::{self, Extent, Predicate},
    ir::{Builder, Value},
    ops::arith,
    relay::{Layout, ops::transform::slice_of, relation::normalize_axis},
    te::build,
};
use std::ops::Range;

/// The family's rows.
pub const ROWS: &[(&str, Compute)] = &[
    ("reshape", reshape),
    ("view_as", reshape),
    ("squeeze", reshape),
    ("expand_dims", reshape),
    ("nn.batch_flatten", reshape),
    ("transpose", transpose),
    ("concatenate", concatenate),
    ("split", split),
    ("strided_slice", strided_slice),
    ("stack", stack),
    ("take", take),
    ("gather", gather),
    ("arange", arange),
    ("full", |e| full(e, 0)),
    ("full_like", |e| full(e, 1)),
    ("zeros", |e| filled(e, 0.0)),
    ("zeros_like", |e| filled(e, 0.0)),
    ("ones", |e| filled(e, 1.0)),
    ("iota", iota),
    ("ones_like", |e| filled(e, 1.0)),
    ("broadcast_to", |e| {
        e.elements(|b, indices| read_broadcast(b, e.inputs[0], indices))
    }),
    ("tile", tile),
    ("layout_transform", layout_transform),
    ("nn.depth_to_space", depth_to_space),
    ("shape_of", shape_of),
    ("vm.shape_of", shape_of),
    ("vm.reshape_tensor", reshape),
];

/// The elements in their order, in the shape of the result.
pub fn reshape(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let (from, to) = (e.dims(0), e.result_dims());
    let runs = dim::runs(&from, &to)?;
    e.elements(|b, indices| {
        let source = runs.iter().flat_map(|run| {
            let flat = flatten(b, &indices[run.to.clone()], &to[run.to.clone()]);
            unflatten(b, flat, &from[run.from.clone()])
        });
        build::read(b, e.inputs[0], &source.collect::<Vec<_>>())
    })
}

/// The number of the element at an index, in row-major order.
pub fn flatten(b: &Builder, index: &[Value], shape: &[Dim]) -> Value {
    let places = index.iter().zip(shape);
    places.fold(b.index(0), |flat, (index, &dim)| {
        let place = if dim == 1 { b.index(0) } else { *index };
        index::add(b, index::scale(b, flat, dim), place)
    })
}

/// The index in `shape` of element number `flat`.
pub fn unflatten<D: Into<Dim> + Copy>(b: &Builder, flat: Value, shape: &[D]) -> Vec<Value> {
    let shape = dim::dims(shape);
    let mut index = vec![flat; shape.len()];
    let mut rest = flat;
    for at in (0..shape.len()).rev() {
        let outermost = shape[..at].iter().all(|&dim| dim == 1);
        index[at] = if outermost && shape[at] != 1 {
            rest
        } else {
            index::rem(b, rest, shape[at])
        };
        rest = if outermost {
            b.index(0)
        } else {
            index::div(b, rest, shape[at])
        };
    }
    index
}

fn transpose(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let axes = e.attrs().ints("axes")?;
    e.elements(|b, indices| {
        let mut source = indices.to_vec();
        for (position, &axis) in axes.iter().enumerate() {
            source[axis as usize] = indices[position];
        }
        build::read(b, e.inputs[0], &source)
    })
}

fn concatenate(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let axis = normalize_axis(e.attrs().int("axis")?, e.dims(0).len())?;
    let (mut ends, mut end) = (Vec::new(), Dim::Known(0));
    for input in e.inputs {
        end = end.plus(input.ty().dims()[axis])?;
        ends.push(end);
    }
    e.elements(|b, indices| {
        pick(b, indices[axis], &ends, 0..ends.len(), &|b, part| {
            let start = part
                .checked_sub(1)
                .map_or(Dim::Known(0), |before| ends[before]);
            let mut own = indices.to_vec();
            own[axis] = index::sub(b, indices[axis], start.to_value(b));
            build::read(b, e.inputs[part], &own)
        })
    })
}

fn stack(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let axis = normalize_axis(e.attrs().int("axis")?, e.result_dims().len())?;
    let ends: Vec<Dim> = (1..=e.inputs.len() as i64).map(Dim::Known).collect();
    e.elements(|b, indices| {
        let own = [&indices[..axis], &indices[axis + 1..]].concat();
        pick(b, indices[axis], &ends, 0..ends.len(), &|b, part| {
            build::read(b, e.inputs[part], &own)
        })
    })
}

/// The most parts that are told apart one after the other.
const MOST_IN_CHAIN: usize = 8;

/// What `read` gives for the one of `parts` that covers `at`: a chain of comparisons with the parts' ends; of many
/// parts, each half is such a chain, so that what is nested is no deeper than the logarithm of their number.
fn pick(
    b: &Builder,
    at: Value,
    ends: &[Dim],
    parts: Range<usize>,
    read: &dyn Fn(&Builder, usize) -> Value,
) -> Value {
    let (first, count) = (parts.start, parts.len());
    if count == 1 {
        return read(b, first);
    }
    let middle = match count > MOST_IN_CHAIN {
        true => first + count / 2,
        false => first + 1,
    };
    let inside = index::less(b, at, ends[middle - 1]);
    build::if_then_else(
        b,
        inside,
        |b| pick(b, at, ends, first..middle, read),
        |b| pick(b, at, ends, middle..parts.end, read),
    )
}

fn split(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let axis = normalize_axis(e.attrs().int("axis")?, e.dims(0).len())?;
    let mut start = Dim::Known(0);
    let parts = e.op.results().into_iter().map(|result| {
        let ty = result.ty();
        let from = start;
        start = start.plus(ty.dims()[axis])?;
        let part = build::compute(e.b, &e.name(), &ty.dims(), ty.element(), |b, indices| {
            let mut source = indices.to_vec();
            source[axis] = index::add(b, indices[axis], from.to_value(b));
            build::read(b, e.inputs[0], &source)
        });
        Ok(part)
    });
    parts.collect()
}

fn strided_slice(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let attrs = e.attrs();
    let (begin, end, strides) = (
        attrs.dims("begin")?,
        attrs.dims("end")?,
        attrs.ints("strides")?,
    );
    let shape = e.dims(0);
    let axes = attrs
        .ints("axes")?
        .into_iter()
        .map(|axis| normalize_axis(axis, shape.len()))
        .collect::<Result<Vec<_>, _>>()?;
    let first = axes.iter().enumerate().map(|(position, &axis)| {
        let range = (begin[position], end[position], strides[position]);
        slice_of(range, shape[axis]).map(|(first, _)| first)
    });
    let first: Vec<Dim> = first.collect::<Result<_, _>>()?;
    e.elements(|b, indices| {
        let mut source = indices.to_vec();
        for (position, &axis) in axes.iter().enumerate() {
            let step = index::scale(b, indices[axis], strides[position]);
            source[axis] = index::add(b, step, first[position].to_value(b));
        }
        build::read(b, e.inputs[0], &source)
    })
}

fn take(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let shape = e.dims(0);
    let axis = normalize_axis(e.attrs().int("axis")?, shape.len())?;
    let (mode, extent, rank) = (e.attrs().str("mode")?, shape[axis], e.dims(1).len());
    let last = extent.minus(1)?;
    e.elements(|b, indices| {
        let chosen = scalar::to_index(b, build::read(b, e.inputs[1], &indices[axis..axis + rank]));
        let chosen = match mode.as_str() {
            "wrap" => wrapped(b, chosen, extent),
            "clip" => clipped(b, chosen, last),
            _ => chosen,
        };
        let source = [&indices[..axis], &[chosen], &indices[axis + rank..]].concat();
        build::read(b, e.inputs[0], &source)
    })
}

/// A number that is moved to the nearest one from 0 to `last`.
pub fn clipped(b: &Builder, at: Value, last: impl Extent) -> Value {
    let low = arith::MaxSI::build(b, at, b.index(0));
    index::min(b, low, last)
}

/// A subscript modulo the extent: whatever a model's indices are, the read stays inside.
pub fn wrapped(b: &Builder, at: Value, extent: impl Extent) -> Value {
    let rest = index::rem(b, at, extent);
    let negative = index::less(b, rest, 0);
    b.select(negative, index::add(b, rest, extent.to_value(b)), rest)
}

fn gather(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let shape = e.dims(0);
    let axis = normalize_axis(e.attrs().int("axis")?, shape.len())?;
    e.elements(|b, indices| {
        let chosen = scalar::to_index(b, build::read(b, e.inputs[1], indices));
        let mut source = indices.to_vec();
        source[axis] = wrapped(b, chosen, shape[axis]);
        build::read(b, e.inputs[0], &source)
    })
}

/// The dimensions of the operand, none of whose elements is read.
fn shape_of(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let dims = e.dims(0);
    let element = e.op.result(0).ty().element();
    e.elements(|b, indices| {
        let number = |dim: Dim| match dim.known() {
            Some(extent) => b.int_constant(element, extent),
            None => scalar::from_index(b, dim.to_value(b), element),
        };
        let last = number(dims.last().copied().unwrap_or(Dim::Known(0)));
        let others = dims.iter().enumerate().rev().skip(1);
        others.fold(last, |behind, (axis, &dim)| {
            let is_here = index::compare(b, Predicate::Eq, indices[0], b.index(axis as i64));
            b.select(is_here, number(dim), behind)
        })
    })
}

/// `start + i * step` for each place `i`.
fn arange(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    e.elements(|b, indices| {
        let [start, step] = [0, 1].map(|input| build::read(b, e.inputs[input], &[]));
        let number = scalar::from_index(b, indices[0], step.ty());
        scalar::add(b, start, scalar::mul(b, number, step))
    })
}

/// The one element of operand `index`, converted, everywhere.
fn full(e: &Expression<'_>, index: usize) -> Result<Vec<Value>, String> {
    let element = e.op.result(0).ty().element();
    e.elements(|b, _| {
        let fill = build::read(b, e.inputs[index], &[]);
        scalar::cast(b, fill, element)
    })
}

fn filled(e: &Expression<'_>, number: f64) -> Result<Vec<Value>, String> {
    let element = e.op.result(0).ty().element();
    e.elements(|b, _| b.constant(element, number))
}

fn iota(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let axis = normalize_axis(e.attrs().int("axis")?, e.result_dims().len())?;
    let element = e.op.result(0).ty().element();
    e.elements(|b, indices| scalar::from_index(b, indices[axis], element))
}

fn tile(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let shape = e.dims(0);
    e.elements(|b, indices| {
        let source: Vec<Value> = indices
            .iter()
            .zip(&shape)
            .map(|(index, &dim)| index::rem(b, *index, dim))
            .collect();
        build::read(b, e.inputs[0], &source)
    })
}

fn layout_transform(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let from = Layout::parse(&e.attrs().str("src_layout")?)?;
    let to = Layout::parse(&e.attrs().str("dst_layout")?)?;
    let parts = |layout: &Layout, letter: char| -> Vec<usize> {
        let axes = layout.axes().iter().enumerate();
        axes.filter(|(_, axis)| axis.letter == letter)
            .map(|(place, _)| place)
            .collect()
    };
    let factors = |layout: &Layout, places: &[usize]| -> Vec<Option<i64>> {
        places
            .iter()
            .map(|place| layout.axes()[*place].factor)
            .collect()
    };
    let (apart, distances) = (from.distances(), to.distances());
    e.elements(|b, indices| {
        // The subscript of a dimension as a whole, then its parts in the source's layout.
        let source = from.axes().iter().enumerate().map(|(place, axis)| {
            let (old, new) = (parts(&from, axis.letter), parts(&to, axis.letter));
            // Equal blocks: parts correspond.
            if factors(&from, &old) == factors(&to, &new) {
                let part = old.iter().position(|old| *old == place);
                return part.map_or_else(|| b.index(0), |part| indices[new[part]]);
            }
            let whole = new.iter().fold(b.index(0), |sum, &part| {
                index::add(b, sum, index::scale(b, indices[part], distances[part]))
            });
            let part = index::div(b, whole, apart[place]);
            axis.factor
                .map_or(part, |factor| index::rem(b, part, factor))
        });
        build::read(b, e.inputs[0], &source.collect::<Vec<_>>())
    })
}

/// `DCR`: channel = (row * block + column) * depth + channel; `CDR`: channel * block^2 + row ...
fn depth_to_space(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let block = e.attrs().int("block_size")?;
    let depth = e.result_dims()[1];
    let channels_first = e.attrs().str("mode")? != "DCR";
    e.elements(|b, indices| {
        let (row, column) = (
            index::rem(b, indices[2], block),
            index::rem(b, indices[3], block),
        );
        let place = index::add(b, index::scale(b, row, block), column);
        let channel = if channels_first {
            index::add(b, index::scale(b, indices[1], block * block), place)
        } else {
            index::add(b, index::scale(b, place, depth), indices[1])
        };
        let (y, x) = (
            index::div(b, indices[2], block),
            index::div(b, indices[3], block),
        );
        build::read(b, e.inputs[0], &[indices[0], channel, y, x])
    })
}

/// The condition that `low <= index < high`; `None` if `index` is known to lie there.
pub fn in_range(b: &Builder, index: Value, low: impl Extent, high: impl Extent) -> Value {
    let above = index::compare(b, Predicate::Sge, index, low.to_value(b));
    arith::AndI::build(b, above, index::less(b, index, high))
}
