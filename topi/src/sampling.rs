//! Images sampled at places that are given, in windows, and in regions.

use crate::{
    Compute, Expression,
    program::{between, flat, load, local, share, store},
    scalar::{self, Comparison, compare},
    transform::{clipped, in_range},
};
use relay_dialects::{
    Element,
    dim::{self, Dim},
    index::{self, Extent},
    ir::{Builder, Value},
    ops::{arith, math},
    relay::ops::sampling::Patches,
    te::{Reducer, build},
};

/// The family's rows.
pub const ROWS: &[(&str, Compute)] = &[
    ("image.affine_grid", affine_grid),
    ("image.grid_sample", grid_sample),
    ("image.crop_and_resize", crop_and_resize),
    ("image.dilation2d", dilation2d),
    ("nn.correlation", correlation),
    ("vision.roi_pool", roi_pool),
];

/// x and y of each pixel, as a map says.
fn affine_grid(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let shape = e.attrs().ints("target_shape")?;
    let ty = e.inputs[0].ty().element();
    e.elements(|b, indices| {
        let [sample, coordinate, row, column] = [indices[0], indices[1], indices[2], indices[3]];
        let place = |at: Value, extent: i64| {
            let step = b.constant(ty, 2.0 / (extent - 1) as f64);
            let from_first = scalar::mul(b, scalar::from_index(b, at, ty), step);
            scalar::sub(b, from_first, b.constant(ty, 1.0))
        };
        let (y, x) = (place(row, shape[0]), place(column, shape[1]));
        let [of_x, of_y, shift] =
            [0, 1, 2].map(|part| build::read(b, e.inputs[0], &[sample, coordinate, b.index(part)]));
        let turned = scalar::add(b, scalar::mul(b, of_x, x), scalar::mul(b, of_y, y));
        scalar::add(b, turned, shift)
    })
}

/// An image, the rows and columns that it has, and what lies outside of it.
struct Image<'e> {
    e: &'e Expression<'e>,
    extents: [Dim; 2],
    /// Whether what is outside of the image is as at its border; else it is 0.
    is_border: bool,
}

impl Image<'_> {
    /// The element at a row and a column, which may be outside.
    fn at(&self, b: &Builder, before: &[Value], place: [Value; 2]) -> Result<Value, String> {
        let mut inside = Vec::new();
        for (at, extent) in place.into_iter().zip(self.extents) {
            inside.push(clipped(b, at, extent.minus(1)?));
        }
        let x = build::read(b, self.e.inputs[0], &[before, &inside].concat());
        if self.is_border {
            return Ok(x);
        }
        let [row, column] = place;
        let is_row = in_range(b, row, 0, self.extents[0]);
        let is_column = in_range(b, column, 0, self.extents[1]);
        let is_inside = scalar::and(b, is_row, is_column);
        Ok(b.select(is_inside, x, b.constant(x.ty(), 0.0)))
    }

    /// The mean of the four elements around a place, by their distance.
    fn between(&self, b: &Builder, before: &[Value], place: [Value; 2]) -> Result<Value, String> {
        let ty = place[0].ty();
        let low = place.map(|at| math::Floor::build(b, at));
        let far = [0, 1].map(|axis| scalar::sub(b, place[axis], low[axis]));
        let near = far.map(|share| scalar::sub(b, b.constant(ty, 1.0), share));
        let low = low.map(|at| subscript(b, at));
        let mut sum = None;
        for (down, across) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let row = index::add(b, low[0], b.index(down));
            let column = index::add(b, low[1], b.index(across));
            let x = self.at(b, before, [row, column])?;
            let share = scalar::mul(
                b,
                if down == 0 { near[0] } else { far[0] },
                if across == 0 { near[1] } else { far[1] },
            );
            let term = scalar::mul(b, x, share);
            sum = Some(match sum {
                Some(sum) => scalar::add(b, sum, term),
                None => term,
            });
        }
        sum.ok_or_else(|| "no element is around a place".into())
    }

    /// The element that is nearest to a place.
    fn nearest(&self, b: &Builder, before: &[Value], place: [Value; 2]) -> Result<Value, String> {
        let place = place.map(|at| subscript(b, math::RoundEven::build(b, at)));
        self.at(b, before, place)
    }
}

/// A whole number as a subscript.
pub fn subscript(b: &Builder, number: Value) -> Value {
    scalar::to_index(b, scalar::cast(b, number, Element::I64.ty(b.ctx)))
}

/// A place that is so near the image that a subscript holds it; far outside all are alike.
fn near_image(b: &Builder, at: Value, extent: Dim) -> Value {
    let extent = scalar::from_index(b, extent.to_value(b), at.ty());
    let far = scalar::add(b, extent, b.constant(at.ty(), 2.0));
    let least = b.constant(at.ty(), -3.0);
    scalar::max(b, scalar::min(b, at, far), least)
}

fn grid_sample(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let attrs = e.attrs();
    let (shape, is_aligned) = (e.dims(0), attrs.bool("align_corners")?);
    let is_nearest = attrs.str("method")? == "nearest";
    let image = Image {
        e,
        extents: [shape[2], shape[3]],
        is_border: attrs.str("padding_mode")? == "border",
    };
    let mut failed = Ok(());
    let result = e.elements(|b, indices| {
        let place = [1, 0].map(|coordinate| {
            let at = [indices[0], b.index(coordinate), indices[2], indices[3]];
            let at = build::read(b, e.inputs[1], &at);
            let extent = image.extents[1 - coordinate as usize];
            let count = scalar::from_index(b, extent.to_value(b), at.ty());
            let [one, half] = [1.0, 0.5].map(|number| b.constant(at.ty(), number));
            let from_edge = scalar::mul(b, scalar::add(b, at, one), half);
            let place = match is_aligned {
                true => scalar::mul(b, from_edge, scalar::sub(b, count, one)),
                false => scalar::sub(b, scalar::mul(b, from_edge, count), half),
            };
            near_image(b, place, extent)
        });
        let sampled = match is_nearest {
            true => image.nearest(b, &indices[..2], place),
            false => image.between(b, &indices[..2], place),
        };
        sampled.unwrap_or_else(|reason| {
            failed = Err(reason);
            place[0]
        })
    });
    failed.and(result)
}

fn crop_and_resize(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let attrs = e.attrs();
    let (shape, size) = (e.dims(0), attrs.ints("crop_size")?);
    let is_nearest = attrs.str("method")? != "bilinear";
    let outside = attrs.float("extrapolation_value")?;
    let image = Image {
        e,
        extents: [shape[2], shape[3]],
        is_border: true,
    };
    let mut failed = Ok(());
    let result = e.elements(|b, indices| {
        let number = scalar::to_index(b, build::read(b, e.inputs[2], &indices[..1]));
        let sample = clipped(b, number, shape[0].minus(1).unwrap_or(shape[0]));
        let place = [0, 1].map(|axis| crop_place(e, b, indices, (axis, size[axis as usize])));
        let is_inside = [0, 1].map(|axis| {
            let extent = scalar::from_index(b, image.extents[axis].to_value(b), place[axis].ty());
            let last = scalar::sub(b, extent, b.constant(extent.ty(), 1.0));
            let zero = b.constant(extent.ty(), 0.0);
            let above = compare(b, Comparison::GreaterEqual, place[axis], zero);
            scalar::and(
                b,
                above,
                compare(b, Comparison::LessEqual, place[axis], last),
            )
        });
        let is_inside = scalar::and(b, is_inside[0], is_inside[1]);
        let place = [0, 1].map(|axis| near_image(b, place[axis], image.extents[axis]));
        let before = [sample, indices[1]];
        let sampled = match is_nearest {
            true => image.nearest(b, &before, place),
            false => image.between(b, &before, place),
        };
        let x = sampled.unwrap_or_else(|reason| {
            failed = Err(reason);
            place[0]
        });
        b.select(is_inside, x, b.constant(x.ty(), outside))
    });
    failed.and(result)
}

/// Where a pixel of a crop lies along an axis of the image.
fn crop_place(
    e: &Expression<'_>,
    b: &Builder,
    indices: &[Value],
    (axis, count): (i64, i64),
) -> Value {
    let edge = |part: i64| build::read(b, e.inputs[1], &[indices[0], b.index(part)]);
    let (first, last) = (edge(axis), edge(axis + 2));
    let ty = first.ty();
    let extent = e.dims(0)[axis as usize + 2];
    let extent = scalar::from_index(b, extent.to_value(b), ty);
    let end = scalar::sub(b, extent, b.constant(ty, 1.0));
    if count == 1 {
        let middle = scalar::mul(b, scalar::add(b, first, last), b.constant(ty, 0.5));
        return scalar::mul(b, middle, end);
    }
    let step = scalar::mul(b, scalar::sub(b, last, first), end);
    let step = scalar::div(b, step, b.constant(ty, (count - 1) as f64));
    let at = scalar::from_index(b, indices[axis as usize + 2], ty);
    scalar::add(b, scalar::mul(b, first, end), scalar::mul(b, at, step))
}

fn dilation2d(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let attrs = e.attrs();
    let (strides, dilations) = (attrs.ints("strides")?, attrs.ints("dilations")?);
    let padding = attrs.ints("padding")?;
    let (data, window) = (e.dims(0), e.dims(1)[1..].to_vec());
    let ty = e.inputs[0].ty().element();
    let least = Element::require(ty)?.least();
    let body = |b: &Builder, indices: &[Value], taps: &[Value]| {
        let place = [0, 1].map(|axis| {
            let first = index::scale(b, indices[axis + 2], strides[axis]);
            let at = index::add(b, first, index::scale(b, taps[axis], dilations[axis]));
            index::sub(b, at, b.index(padding[axis]))
        });
        let weight = build::read(b, e.inputs[1], &[indices[1], taps[0], taps[1]]);
        let is_row = in_range(b, place[0], 0, data[2]);
        let is_inside = scalar::and(b, is_row, in_range(b, place[1], 0, data[3]));
        build::if_then_else(
            b,
            is_inside,
            |b| {
                let at = [indices[0], indices[1], place[0], place[1]];
                scalar::add(b, build::read(b, e.inputs[0], &at), weight)
            },
            |b| b.constant(ty, least),
        )
    };
    let shape = e.result_dims();
    let reduction = (Reducer::Max, &window[..]);
    Ok(vec![build::reduce(
        e.b,
        &e.name(),
        &shape,
        ty,
        reduction,
        body,
    )])
}

fn correlation(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let patches = Patches::read(&e.attrs())?;
    let is_product = e.attrs().bool("is_multiply")?;
    let shape = e.shape(0)?;
    let ty = e.inputs[0].ty().element();
    let (radius, across) = (patches.radius(), 2 * patches.radius() + 1);
    let taps = [shape[1], patches.kernel, patches.kernel];
    let body = |b: &Builder, indices: &[Value], taps: &[Value]| {
        let first = [0, 1].map(|axis| {
            let at = index::scale(b, indices[axis + 2], patches.strides[0]);
            let at = index::add(b, at, taps[axis + 1]);
            index::add(b, at, b.index(patches.displacement - patches.padding))
        });
        let channel = indices[1];
        let away = [
            index::div(b, channel, across),
            index::rem(b, channel, across),
        ];
        let second = [0, 1].map(|axis| {
            let steps = index::sub(b, away[axis], b.index(radius));
            index::add(b, first[axis], index::scale(b, steps, patches.strides[1]))
        });
        let read = |operand: usize, at: [Value; 2]| {
            let is_row = in_range(b, at[0], 0, shape[2]);
            let is_inside = scalar::and(b, is_row, in_range(b, at[1], 0, shape[3]));
            build::if_then_else(
                b,
                is_inside,
                |b| build::read(b, e.inputs[operand], &[indices[0], taps[0], at[0], at[1]]),
                |b| b.constant(ty, 0.0),
            )
        };
        let (one, other) = (read(0, first), read(1, second));
        match is_product {
            true => scalar::mul(b, one, other),
            false => math::AbsF::build(b, scalar::sub(b, one, other)),
        }
    };
    let result = e.result_dims();
    let sum = build::reduce(e.b, "sum", &result, ty, (Reducer::Sum, &taps[..]), body);
    let count = (shape[1] * patches.kernel * patches.kernel) as f64;
    e.elements(|b, indices| {
        let sum = build::read(b, sum, indices);
        scalar::div(b, sum, b.constant(ty, count))
    })
}

/// The nearest whole number; of two as near, the one that is farther from 0.
fn rounded(b: &Builder, x: Value) -> Value {
    let half = b.constant(x.ty(), 0.5);
    let up = math::Floor::build(b, scalar::add(b, x, half));
    let down = math::Ceil::build(b, scalar::sub(b, x, half));
    let is_negative = compare(b, Comparison::Less, x, b.constant(x.ty(), 0.0));
    subscript(b, b.select(is_negative, down, up))
}

/// A region along an axis of the image, 0 for rows and 1 for columns: its first pixel, and how many it has.
fn region(b: &Builder, rois: Value, roi: Value, axis: i64, scale: f64) -> [Value; 2] {
    let [first, last] = [2 - axis, 4 - axis].map(|column| {
        let at = load(b, rois, &[roi, b.index(column)]);
        rounded(b, scalar::mul(b, at, b.constant(at.ty(), scale)))
    });
    let count = index::add(b, index::sub(b, last, first), b.index(1));
    [first, arith::MaxSI::build(b, count, b.index(1))]
}

/// The pixels of a cell along an axis: from the first one to before the last one.
fn cell(b: &Builder, [first, count]: [Value; 2], at: Value, cells: i64, extent: Dim) -> [Value; 2] {
    let begin = index::div(b, index::mul(b, at, count), cells);
    let next = index::mul(b, index::add(b, at, b.index(1)), count);
    // Rounded up.
    let end = index::div(b, index::add(b, next, b.index(cells - 1)), cells);
    [begin, end].map(|bound| clipped(b, index::add(b, first, bound), extent))
}

fn roi_pool(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let ty = e.op.result(0).ty();
    let scale = e.attrs().float("spatial_scale")?;
    let cells = e.attrs().ints("pooled_size")?;
    let (data, result) = (e.dims(0), e.result_dims());
    let count: Dim = dim::product(&result)?;
    let last_image = data[0].minus(1)?;
    if count == 0 || data.contains(&Dim::Known(0)) {
        return Ok(e.zeros(&[ty]));
    }
    let planes = result[0].times(result[1])?;
    let write = |b: &Builder, read: &[Value], filled: &[Value]| {
        let result_buffer = flat(b, filled[0], count);
        share(b, planes, |b, plane| {
            let (roi, channel) = (index::div(b, plane, data[1]), index::rem(b, plane, data[1]));
            let sample = subscript(b, load(b, read[1], &[roi, b.index(0)]));
            let sample = clipped(b, sample, last_image);
            let regions = [0, 1].map(|axis| region(b, read[1], roi, axis, scale));
            let best = local(b, Dim::Known(1), ty.element(), "best");
            let zero = b.index(0);
            between(b, zero, b.index(cells[0]), |b, row| {
                between(b, zero, b.index(cells[1]), |b, column| {
                    let rows = cell(b, regions[0], row, cells[0], data[2]);
                    let columns = cell(b, regions[1], column, cells[1], data[3]);
                    let has_rows = index::compare(b, index::Predicate::Slt, rows[0], rows[1]);
                    let has_columns =
                        index::compare(b, index::Predicate::Slt, columns[0], columns[1]);
                    let has_pixels = scalar::and(b, has_rows, has_columns);
                    let least = b.constant(ty.element(), f64::NEG_INFINITY);
                    let nothing = b.constant(ty.element(), 0.0);
                    store(b, b.select(has_pixels, least, nothing), best, &[zero]);
                    between(b, rows[0], rows[1], |b, y| {
                        between(b, columns[0], columns[1], |b, x| {
                            let found = load(b, read[0], &[sample, channel, y, x]);
                            let before = load(b, best, &[zero]);
                            store(b, scalar::max(b, before, found), best, &[zero]);
                        });
                    });
                    let at = index::scale(b, plane, cells[0] * cells[1]);
                    let inside = index::add(b, index::scale(b, row, cells[1]), column);
                    let found = load(b, best, &[zero]);
                    store(b, found, result_buffer, &[index::add(b, at, inside)]);
                });
            });
        });
    };
    Ok(build::program(e.b, &e.name(), e.inputs, &[ty], write))
}
