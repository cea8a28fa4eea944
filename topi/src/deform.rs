//! Images read between their pixels: where offsets say, and in the cells of regions.

use crate::{
    Compute, Expression,
    detection::result_types,
    program::{between, flat, load, local, share, store},
    sampling::subscript,
    scalar::{self, Comparison, compare},
    transform::clipped,
};
use relay_dialects::{
    dim::{self, Dim},
    index::{self, Extent},
    ir::{Builder, Value},
    ops::math,
    relay::ops::{sampling::Order, window::Window},
    te::build,
};

/// The family's rows.
pub const ROWS: &[(&str, Compute)] = &[
    ("nn.deformable_conv2d", deformable_conv2d),
    ("vision.roi_align", roi_align),
];

/// An extent as a number.
fn number(b: &Builder, extent: Dim, like: Value) -> Value {
    scalar::from_index(b, extent.to_value(b), like.ty())
}

/// Whether a place is from `low` to an extent, or below it.
fn is_between(b: &Builder, place: Value, low: f64, (end, extent): (Comparison, Dim)) -> Value {
    let is_behind = compare(
        b,
        Comparison::GreaterEqual,
        place,
        b.constant(place.ty(), low),
    );
    let is_before = compare(b, end, place, number(b, extent, place));
    scalar::and(b, is_behind, is_before)
}

/// The mean of the four elements around a place, by their distance; what is outside of the image is as at its edge.
fn mean_around(
    b: &Builder,
    place: [Value; 2],
    extents: [Dim; 2],
    read: impl Fn(&Builder, [Value; 2]) -> Value,
) -> Value {
    let ty = place[0].ty();
    let last = extents.map(|extent| extent.minus(1).unwrap_or(extent));
    let place = [0, 1].map(|axis| {
        let low = scalar::max(b, place[axis], b.constant(ty, 0.0));
        scalar::min(b, low, number(b, last[axis], low))
    });
    let low = place.map(|at| math::Floor::build(b, at));
    let far = [0, 1].map(|axis| scalar::sub(b, place[axis], low[axis]));
    let near = far.map(|share| scalar::sub(b, b.constant(ty, 1.0), share));
    let places = [0, 1].map(|axis| {
        let at = clipped(b, subscript(b, low[axis]), last[axis]);
        [at, index::min(b, index::add(b, at, b.index(1)), last[axis])]
    });
    let corner = |down: usize, across: usize| {
        let share = scalar::mul(b, [near[0], far[0]][down], [near[1], far[1]][across]);
        scalar::mul(b, share, read(b, [places[0][down], places[1][across]]))
    };
    let upper = scalar::add(b, corner(0, 0), corner(0, 1));
    let lower = scalar::add(b, corner(1, 0), corner(1, 1));
    scalar::add(b, upper, lower)
}

fn deformable_conv2d(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let attrs = e.attrs();
    let order = Order::read(&attrs)?;
    let [data, weight, result] = [e.dims(0), e.dims(2), e.result_dims()];
    let [batch, inputs, height, width] = order.image.map(|at| data[at]);
    let [outputs, of_group, _, _] = order.weight.map(|at| weight[at]);
    let size = [
        e.known_dim(2, order.weight[2])?,
        e.known_dim(2, order.weight[3])?,
    ];
    let window = Window::of(&attrs, &size)?;
    let groups = attrs.int("groups")?;
    let of_offsets = inputs.floor_div(attrs.int("deformable_groups")?)?;
    let outputs = outputs.floor_div(groups)?;
    let [_, _, rows, columns] = order.image.map(|at| result[at]);
    let (ty, extents) = (e.inputs[0].ty().element(), [height, width]);
    let elements = [Dim::Known(size[0]), Dim::Known(size[1])];
    let shape = [&[batch, inputs], &elements[..], &[rows, columns]].concat();
    // The image as the windows see it.
    let moved = build::compute(e.b, "moved", &shape, ty, |b, at| {
        let group = index::div(b, at[1], of_offsets);
        let element = index::add(b, index::scale(b, at[2], size[1]), at[3]);
        let of_group = index::scale(b, group, size[0] * size[1]);
        let first = index::scale(b, index::add(b, of_group, element), 2);
        let place = [0, 1].map(|axis| {
            let channel = index::add(b, first, b.index(axis as i64));
            let offset = order.of_image([at[0], channel, at[4], at[5]]);
            let start = index::scale(b, at[axis + 4], window.strides[axis]);
            let step = index::scale(b, at[axis + 2], window.dilation[axis]);
            let at = index::sub(b, index::add(b, start, step), b.index(window.before[axis]));
            let offset = build::read(b, e.inputs[1], &offset);
            scalar::add(b, scalar::from_index(b, at, ty), offset)
        });
        let is_inside =
            [0, 1].map(|axis| is_between(b, place[axis], 0.0, (Comparison::Less, extents[axis])));
        let mean = mean_around(b, place, extents, |b, [row, column]| {
            build::read(b, e.inputs[0], &order.of_image([at[0], at[1], row, column]))
        });
        let is_inside = scalar::and(b, is_inside[0], is_inside[1]);
        b.select(is_inside, mean, b.constant(ty, 0.0))
    });
    let body = |b: &Builder, outer: &[Value], inner: &[Value]| {
        let [sample, output, row, column] = order.image.map(|at| outer[at]);
        let group = index::div(b, output, outputs);
        let input = index::add(b, index::scale(b, group, of_group), inner[0]);
        let x = build::read(b, moved, &[sample, input, inner[1], inner[2], row, column]);
        let factor = order.of_weight([output, inner[0], inner[1], inner[2]]);
        scalar::mul(b, x, build::read(b, e.inputs[2], &factor))
    };
    let reduced = [&[of_group], &elements[..]].concat();
    e.sums(&reduced, body)
}

/// What `vision.roi_align` is told.
struct Regions {
    /// Where channels, rows and columns are.
    dims: [usize; 3],
    channels: Dim,
    /// Rows and columns of the image.
    extents: [Dim; 2],
    last_image: Dim,
    cells: [i64; 2],
    scale: f64,
    samples: i64,
    takes_mean: bool,
}

fn roi_align(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let types = result_types(e);
    let (attrs, data, result) = (e.attrs(), e.dims(0), e.result_dims());
    let count = dim::product(&result)?;
    if count == 0 || data.contains(&Dim::Known(0)) {
        return Ok(e.zeros(&types));
    }
    let dims = match attrs.str("layout")?.as_str() {
        "NCHW" => [1, 2, 3],
        _ => [3, 1, 2],
    };
    let cells = attrs.ints("pooled_size")?;
    let regions = Regions {
        dims,
        channels: data[dims[0]],
        extents: [data[dims[1]], data[dims[2]]],
        last_image: data[0].minus(1)?,
        cells: [cells[0], cells[1]],
        scale: attrs.float("spatial_scale")?,
        samples: attrs.int("sample_ratio")?,
        takes_mean: attrs.str("mode")? == "avg",
    };
    let planes = result[0].times(regions.channels)?;
    let write = |b: &Builder, read: &[Value], filled: &[Value]| {
        let result = flat(b, filled[0], count);
        share(b, planes, |b, plane| {
            let roi = index::div(b, plane, regions.channels);
            let channel = index::rem(b, plane, regions.channels);
            regions.write(b, read, (result, [roi, channel]));
        });
    };
    Ok(build::program(e.b, &e.name(), e.inputs, &types, write))
}

impl Regions {
    /// Fills the cells of a region in one channel.
    fn write(&self, b: &Builder, read: &[Value], (result, [roi, channel]): (Value, [Value; 2])) {
        let ty = result.ty().element();
        let sample = subscript(b, load(b, read[1], &[roi, b.index(0)]));
        let sample = clipped(b, sample, self.last_image);
        let edges = [1, 2, 3, 4].map(|edge| {
            let edge = load(b, read[1], &[roi, b.index(edge)]);
            scalar::mul(b, edge, b.constant(ty, self.scale))
        });
        // Rows and columns: where the region begins, the extent of a cell, and its parts.
        let axes = [0, 1].map(|axis: usize| {
            let (first, last) = (edges[1 - axis], edges[3 - axis]);
            let side = scalar::max(b, scalar::sub(b, last, first), b.constant(ty, 1.0));
            let cell = scalar::div(b, side, b.constant(ty, self.cells[axis] as f64));
            let parts = match self.samples > 0 {
                true => b.index(self.samples),
                false => subscript(b, math::Ceil::build(b, cell)),
            };
            (first, cell, parts)
        });
        let sum = local(b, Dim::Known(1), ty, "sum");
        between(b, b.index(0), b.index(self.cells[0]), |b, i| {
            between(b, b.index(0), b.index(self.cells[1]), |b, j| {
                let start = if self.takes_mean {
                    0.0
                } else {
                    f64::NEG_INFINITY
                };
                store(b, b.constant(ty, start), sum, &[b.index(0)]);
                between(b, b.index(0), axes[0].2, |b, y| {
                    between(b, b.index(0), axes[1].2, |b, x| {
                        let place = [(axes[0], i, y), (axes[1], j, x)];
                        let place = place.map(|(axis, cell, part)| middle(b, axis, cell, part));
                        let found = self.sampled(b, read[0], [sample, channel], place);
                        let before = load(b, sum, &[b.index(0)]);
                        let joined = match self.takes_mean {
                            true => scalar::add(b, before, found),
                            false => scalar::max(b, before, found),
                        };
                        store(b, joined, sum, &[b.index(0)]);
                    });
                });
                let found = load(b, sum, &[b.index(0)]);
                let cell = match self.takes_mean {
                    true => {
                        let count = index::mul(b, axes[0].2, axes[1].2);
                        scalar::div(b, found, scalar::from_index(b, count, ty))
                    }
                    false => found,
                };
                store(b, cell, result, &[self.place(b, [roi, channel, i, j])]);
            });
        });
    }

    /// Where a cell is in the result.
    fn place(&self, b: &Builder, [roi, channel, row, column]: [Value; 4]) -> Value {
        let mut parts = [(roi, Dim::Known(1)); 4];
        parts[self.dims[0]] = (channel, self.channels);
        parts[self.dims[1]] = (row, Dim::Known(self.cells[0]));
        parts[self.dims[2]] = (column, Dim::Known(self.cells[1]));
        let next = |place: Value, (at, extent): (Value, Dim)| {
            index::add(b, index::scale(b, place, extent), at)
        };
        parts[1..].iter().copied().fold(roi, next)
    }

    /// The image at a place; 0 if that is more than a pixel outside.
    fn sampled(
        &self,
        b: &Builder,
        data: Value,
        [sample, channel]: [Value; 2],
        place: [Value; 2],
    ) -> Value {
        let is_inside = [0, 1].map(|axis| {
            is_between(
                b,
                place[axis],
                -1.0,
                (Comparison::LessEqual, self.extents[axis]),
            )
        });
        let is_inside = scalar::and(b, is_inside[0], is_inside[1]);
        let mean = mean_around(b, place, self.extents, |b, [row, column]| {
            let mut at = [sample; 4];
            at[self.dims[0]] = channel;
            at[self.dims[1]] = row;
            at[self.dims[2]] = column;
            load(b, data, &at)
        });
        b.select(is_inside, mean, b.constant(mean.ty(), 0.0))
    }
}

/// The middle of a part of a cell.
fn middle(
    b: &Builder,
    (first, side, parts): (Value, Value, Value),
    cell: Value,
    part: Value,
) -> Value {
    let ty = first.ty();
    let [cell, part, parts] = [cell, part, parts].map(|number| scalar::from_index(b, number, ty));
    let half = scalar::div(b, b.constant(ty, 1.0), b.constant(ty, 2.0));
    let inside = scalar::div(b, scalar::add(b, part, half), parts);
    let cells = scalar::mul(b, scalar::add(b, cell, inside), side);
    scalar::add(b, first, cells)
}
