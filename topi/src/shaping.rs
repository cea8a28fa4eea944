//! Elements moved to other places: reversed, repeated, cut, masked, spread.

use crate::{
    Compute, Expression,
    binary::read_broadcast,
    scalar,
    transform::{flatten, in_range, reshape, unflatten, wrapped},
};
use relay_dialects::{
    dim,
    index::{self, Extent, Predicate},
    ir::{Builder, Value},
    ops::arith,
    relay::{ops::shaping::longest_diagonal, relation::normalize_axis},
    te::build,
};

/// The family's rows.
pub const ROWS: &[(&str, Compute)] = &[
    ("reverse", reverse),
    ("repeat", repeat),
    ("one_hot", one_hot),
    ("gather_nd", gather_nd),
    ("reverse_sequence", reverse_sequence),
    ("sequence_mask", sequence_mask),
    ("slice_like", |e| {
        e.elements(|b, indices| build::read(b, e.inputs[0], indices))
    }),
    ("reshape_like", reshape),
    ("broadcast_to_like", |e| {
        e.elements(|b, indices| read_broadcast(b, e.inputs[0], indices))
    }),
    ("cast_like", cast_like),
    ("ndarray_size", ndarray_size),
    ("trilu", trilu),
    ("unravel_index", unravel_index),
    ("matrix_set_diag", matrix_set_diag),
    ("nn.dilate", dilate),
    ("nn.mirror_pad", mirror_pad),
    ("nn.space_to_depth", space_to_depth),
    ("nn.fifo_buffer", fifo_buffer),
    ("sliding_window", sliding_window),
    ("meshgrid", meshgrid),
    ("vision.yolo_reorg", yolo_reorg),
];

/// The attribute `axis` of the first operand.
fn axis_of(e: &Expression<'_>) -> Result<usize, String> {
    normalize_axis(e.attrs().int("axis")?, e.dims(0).len())
}

fn reverse(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let axis = axis_of(e)?;
    let last = e.dims(0)[axis].minus(1)?;
    e.elements(|b, indices| {
        let mut source = indices.to_vec();
        source[axis] = index::sub(b, last.to_value(b), indices[axis]);
        build::read(b, e.inputs[0], &source)
    })
}

fn repeat(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let axis = axis_of(e)?;
    let repeats = e.attrs().int("repeats")?;
    e.elements(|b, indices| {
        let mut source = indices.to_vec();
        source[axis] = index::div(b, indices[axis], repeats);
        build::read(b, e.inputs[0], &source)
    })
}

fn one_hot(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let rank = e.dims(0).len();
    let axis = usize::try_from(e.attrs().int("axis")?).unwrap_or(rank);
    let element = e.op.result(0).ty().element();
    e.elements(|b, indices| {
        let source = [&indices[..axis], &indices[axis + 1..]].concat();
        let chosen = scalar::to_index(b, build::read(b, e.inputs[0], &source));
        let is_it = index::compare(b, Predicate::Eq, chosen, indices[axis]);
        let [on, off] = [1, 2].map(|operand| {
            let number = build::read(b, e.inputs[operand], &[]);
            scalar::cast(b, number, element)
        });
        b.select(is_it, on, off)
    })
}

fn gather_nd(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let (data, places) = (e.dims(0), e.dims(1).len() - 1);
    let chosen = e.known_dim(1, 0)? as usize;
    let batches = e.attrs().int("batch_dims")? as usize;
    e.elements(|b, indices| {
        let subscripts = (0..chosen).map(|number| {
            let at = [&[b.index(number as i64)], &indices[..places]].concat();
            let subscript = scalar::to_index(b, build::read(b, e.inputs[1], &at));
            wrapped(b, subscript, data[batches + number])
        });
        let subscripts: Vec<Value> = subscripts.collect();
        let source = [&indices[..batches], &subscripts, &indices[places..]].concat();
        build::read(b, e.inputs[0], &source)
    })
}

fn reverse_sequence(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let shape = e.dims(0);
    let time = normalize_axis(e.attrs().int("seq_axis")?, shape.len())?;
    let batch = normalize_axis(e.attrs().int("batch_axis")?, shape.len())?;
    let extent = shape[time];
    e.elements(|b, indices| {
        let length = build::read(b, e.inputs[1], &[indices[batch]]);
        let length = index::min(b, scalar::to_index(b, length), extent);
        let last = index::sub(b, length, b.index(1));
        let reversed = index::sub(b, last, indices[time]);
        let is_inside = index::compare(b, Predicate::Slt, indices[time], length);
        let mut source = indices.to_vec();
        source[time] = b.select(is_inside, reversed, indices[time]);
        build::read(b, e.inputs[0], &source)
    })
}

fn sequence_mask(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let axis = e.attrs().int("axis")? as usize;
    let mask = e.attrs().float("mask_value")?;
    e.elements(|b, indices| {
        let length = build::read(b, e.inputs[1], &[indices[1 - axis]]);
        let length = scalar::to_index(b, length);
        let is_inside = index::compare(b, Predicate::Slt, indices[axis], length);
        let x = build::read(b, e.inputs[0], indices);
        b.select(is_inside, x, b.constant(x.ty(), mask))
    })
}

fn cast_like(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let element = e.op.result(0).ty().element();
    e.elements(|b, indices| scalar::cast(b, build::read(b, e.inputs[0], indices), element))
}

fn ndarray_size(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let element = e.op.result(0).ty().element();
    let count = dim::product(&e.dims(0))?;
    e.elements(|b, _| match count.known() {
        Some(count) => b.constant(element, count as f64),
        None => scalar::from_index(b, count.to_value(b), element),
    })
}

fn trilu(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let is_upper = e.attrs().bool("upper")?;
    let first = e.dims(0).len() - 2;
    e.elements(|b, indices| {
        let k = scalar::to_index(b, build::read(b, e.inputs[1], &[]));
        let diagonal = index::sub(b, indices[first + 1], indices[first]);
        let predicate = if is_upper {
            Predicate::Sge
        } else {
            Predicate::Sle
        };
        let is_inside = index::compare(b, predicate, diagonal, k);
        let x = build::read(b, e.inputs[0], indices);
        b.select(is_inside, x, b.constant(x.ty(), 0.0))
    })
}

/// The subscript of a dimension is the number, by what the dimensions behind hold, modulo its extent.
fn unravel_index(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let count = e.known_dim(1, 0)? as usize;
    e.elements(|b, indices| {
        let mut rest = build::read(b, e.inputs[0], &indices[1..]);
        let mut result = rest;
        for axis in (0..count).rev() {
            let extent = build::read(b, e.inputs[1], &[b.index(axis as i64)]);
            let (subscript, next) = match axis {
                0 => (rest, rest),
                _ => (
                    scalar::rem(b, rest, extent),
                    scalar::trunc_div(b, rest, extent),
                ),
            };
            let is_here = index::compare(b, Predicate::Eq, indices[0], b.index(axis as i64));
            result = b.select(is_here, subscript, result);
            rest = next;
        }
        result
    })
}

fn matrix_set_diag(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let attrs = e.attrs();
    let (low, high) = (attrs.int("k1")?, attrs.int("k2")?);
    let rank = e.dims(0).len();
    let extents = (e.known_dim(0, rank - 2)?, e.known_dim(0, rank - 1)?);
    let longest = longest_diagonal(extents, (low, high));
    let aligned = [
        attrs.bool("sub_diag_right_align")?,
        attrs.bool("super_diag_right_align")?,
    ];
    e.elements(|b, indices| {
        let (row, column) = (indices[rank - 2], indices[rank - 1]);
        let diagonal = index::sub(b, column, row);
        let zero = b.index(0);
        // The place in the diagonal: the row of those above the main one, else the column.
        let is_below = index::compare(b, Predicate::Slt, diagonal, zero);
        let place = b.select(is_below, column, row);
        let space = [true, false].map(|below| {
            let length = diagonal_length(b, diagonal, extents, below);
            index::sub(b, b.index(longest), length)
        });
        let [below, above] = [(aligned[0], space[0]), (aligned[1], space[1])]
            .map(|(is_right, space)| if is_right { space } else { zero });
        let place = index::add(b, place, b.select(is_below, below, above));
        let mut source = indices[..rank - 2].to_vec();
        if low < high {
            source.push(index::sub(b, b.index(high), diagonal));
        }
        source.push(place);
        let is_set = in_range(b, diagonal, low, high + 1);
        build::if_then_else(
            b,
            is_set,
            |b| build::read(b, e.inputs[1], &source),
            |b| build::read(b, e.inputs[0], indices),
        )
    })
}

/// The length of a diagonal, which is below the main one or not.
fn diagonal_length(
    b: &Builder,
    diagonal: Value,
    (rows, columns): (i64, i64),
    is_below: bool,
) -> Value {
    match is_below {
        true => index::min(b, index::add(b, b.index(rows), diagonal), columns),
        false => index::min(b, index::sub(b, b.index(columns), diagonal), rows),
    }
}

fn dilate(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let strides = e.attrs().ints("strides")?;
    let between = e.attrs().float("dilation_value")?;
    e.elements(|b, indices| {
        let zero = b.index(0);
        let mut is_there = None;
        for (&at, &stride) in indices.iter().zip(&strides) {
            if stride > 1 {
                let fits = index::compare(b, Predicate::Eq, index::rem(b, at, stride), zero);
                is_there = Some(match is_there {
                    Some(before) => scalar::and(b, before, fits),
                    None => fits,
                });
            }
        }
        let source = indices.iter().zip(&strides);
        let source: Vec<Value> = source
            .map(|(&at, &stride)| index::div(b, at, stride))
            .collect();
        let x = build::read(b, e.inputs[0], &source);
        match is_there {
            Some(is_there) => b.select(is_there, x, b.constant(x.ty(), between)),
            None => x,
        }
    })
}

fn mirror_pad(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let widths = e.attrs().ints("pad_width")?;
    let is_reflected = e.attrs().str("mode")? == "REFLECT";
    let shape = e.dims(0);
    // The edge is between two elements, or an element.
    let (before, behind) = if is_reflected { (0, 2) } else { (1, 1) };
    e.elements(|b, indices| {
        let places = indices.iter().enumerate().map(|(axis, &index)| {
            let extent = shape[axis].to_value(b);
            let at = index::sub(b, index, b.index(widths[2 * axis]));
            let from_first = index::sub(b, b.index(-before), at);
            let at = arith::MaxSI::build(b, at, from_first);
            let last = index::sub(b, index::add(b, extent, extent), b.index(behind));
            index::min(b, index::sub(b, last, at), at)
        });
        let places: Vec<Value> = places.collect();
        build::read(b, e.inputs[0], &places)
    })
}

fn space_to_depth(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let block = e.attrs().int("block_size")?;
    let depth = e.dims(0)[1];
    e.elements(|b, indices| {
        let place = index::div(b, indices[1], depth);
        let channel = index::rem(b, indices[1], depth);
        let (row, column) = (index::div(b, place, block), index::rem(b, place, block));
        let y = index::add(b, index::scale(b, indices[2], block), row);
        let x = index::add(b, index::scale(b, indices[3], block), column);
        build::read(b, e.inputs[0], &[indices[0], channel, y, x])
    })
}

/// Darknet's `reorg`: see the operator's description.
fn yolo_reorg(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let stride = e.attrs().int("stride")?;
    let &[samples, channels, height, width] = &e.shape(0)?[..] else {
        return Err("data are not of rank 4".into());
    };
    let fewer = channels / (stride * stride);
    let result = e.result_shape()?;
    e.elements(|b, indices| {
        let flat = flatten(b, &indices[1..], &dim::dims(&result[1..]));
        let at = unflatten(b, flat, &[channels, height, width]);
        let (part, channel) = (index::div(b, at[0], fewer), index::rem(b, at[0], fewer));
        let (row, column) = (index::div(b, part, stride), index::rem(b, part, stride));
        let y = index::add(b, index::scale(b, at[1], stride), row);
        let x = index::add(b, index::scale(b, at[2], stride), column);
        let spread = dim::dims(&[fewer, height * stride, width * stride]);
        let number = flatten(b, &[channel, y, x], &spread);
        let source = unflatten(b, number, &[channels, height, width]);
        let sample = if samples == 1 { b.index(0) } else { indices[0] };
        build::read(b, e.inputs[0], &[&[sample], &source[..]].concat())
    })
}

fn fifo_buffer(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let shape = e.result_dims();
    let axis = normalize_axis(e.attrs().int("axis")?, shape.len())?;
    let new = e.dims(0)[axis];
    let kept = shape[axis].minus(new)?;
    e.elements(|b, indices| {
        let at = indices[axis];
        let is_old = index::less(b, at, kept);
        let part = |b: &Builder, operand: usize, place: Value| {
            let mut source = indices.to_vec();
            source[axis] = place;
            build::read(b, e.inputs[operand], &source)
        };
        build::if_then_else(
            b,
            is_old,
            |b| part(b, 1, index::add(b, at, new.to_value(b))),
            |b| part(b, 0, index::sub(b, at, kept.to_value(b))),
        )
    })
}

fn sliding_window(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let axis = axis_of(e)?;
    let strides = e.attrs().ints("strides")?;
    e.elements(|b, indices| {
        let mut source = indices[..axis].to_vec();
        for (number, &stride) in strides.iter().enumerate() {
            let first = index::scale(b, indices[axis + number], stride);
            let inside = indices[axis + strides.len() + number];
            source.push(index::add(b, first, inside));
        }
        build::read(b, e.inputs[0], &source)
    })
}

fn meshgrid(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let exchanges = e.attrs().str("indexing")? == "xy" && e.inputs.len() > 1;
    let grids =
        e.op.results()
            .into_iter()
            .enumerate()
            .map(|(number, result)| {
                let ty = result.ty();
                let axis = match number {
                    0 | 1 if exchanges => 1 - number,
                    other => other,
                };
                build::compute(e.b, &e.name(), &ty.dims(), ty.element(), |b, indices| {
                    let at = match e.dims(number).is_empty() {
                        true => &[][..],
                        false => &indices[axis..=axis],
                    };
                    build::read(b, e.inputs[number], at)
                })
            });
    Ok(grids.collect())
}
