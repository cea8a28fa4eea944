//! Values with their elements cut, filled up, or in another order.

use relay_dialects::{
    dim::{Dim, dims},
    index::ceil_div,
    ir::{Attr, Builder, Value},
    names,
    relay::build::{extents, make, scalar},
};

/// A value with `count` zeros after its elements along `axis`; the value itself if that is 0.
pub fn pad_axis(builder: &Builder, value: Value, axis: usize, count: i64) -> Value {
    pad_widths(builder, value, axis, [0, count])
}

/// A value with zeros behind its elements along `axis`, up to whole blocks of so many.
pub fn fill_axis(builder: &Builder, value: Value, axis: usize, block: i64) -> Value {
    let extent = value.ty().shape()[axis];
    pad_axis(
        builder,
        value,
        axis,
        ceil_div(extent, block) * block - extent,
    )
}

/// A value with zeros before and after its elements along `axis`.
pub fn pad_widths(builder: &Builder, value: Value, axis: usize, around: [i64; 2]) -> Value {
    if around == [0, 0] {
        return value;
    }
    let mut widths = vec![0; value.ty().shape().len() * 2];
    widths[2 * axis..2 * axis + 2].copy_from_slice(&around);
    let zero = scalar(builder, value.ty().element(), 0.0);
    let attrs = [("pad_width", Attr::ints(builder.ctx, &widths))];
    make(builder, names::relay::NN_PAD, &[value, zero], &attrs)
}

/// The first `channels` of a value along its second dimension.
pub fn first_channels(builder: &Builder, value: Value, channels: i64) -> Value {
    if value.ty().shape()[1] == channels {
        return value;
    }
    slice_axis(builder, value, 1, (0, channels, 1))
}

/// The elements of a value along `axis` from `begin` to before `end`, `stride` apart: numpy's slice.
pub fn slice_axis(
    builder: &Builder,
    value: Value,
    axis: usize,
    (begin, end, stride): (i64, impl Into<Dim>, i64),
) -> Value {
    let one = |number: i64| Attr::ints(builder.ctx, &[number]);
    let attrs = [
        ("begin", one(begin)),
        ("end", extents(builder.ctx, &[end.into()])),
        ("strides", one(stride)),
        ("axes", one(axis as i64)),
    ];
    make(builder, names::relay::STRIDED_SLICE, &[value], &attrs)
}

/// A value in another shape of as many elements.
pub fn reshape<D: Into<Dim> + Copy>(builder: &Builder, value: Value, shape: &[D]) -> Value {
    let shape = dims(shape);
    if value.ty().dims() == shape {
        return value;
    }
    make(
        builder,
        names::relay::RESHAPE,
        &[value],
        &[("newshape", extents(builder.ctx, &shape))],
    )
}

/// A value in another layout.
pub fn transform(builder: &Builder, value: Value, source: &str, target: &str) -> Value {
    // Blocks of one channel leave all elements where they are.
    if (source, target) == ("NCHW", "NCHW1c") {
        return reshape(
            builder,
            value,
            &[&value.ty().dims()[..], &[Dim::Known(1)]].concat(),
        );
    }
    let layout = |text| Attr::str(builder.ctx, text);
    let attrs = [
        ("src_layout", layout(source)),
        ("dst_layout", layout(target)),
    ];
    make(builder, names::relay::LAYOUT_TRANSFORM, &[value], &attrs)
}
