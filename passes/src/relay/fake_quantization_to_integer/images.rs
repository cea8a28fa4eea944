//! Convolutions of bytes in one and three dimensions, as convolutions of images, for which there are kernels of bytes.

use super::{Quantized, has_kernel, product};
use crate::graph::{
    operators::{cast, make},
    shapes::{reshape, slice_axis},
};
use relay_dialects::{
    dim::Dim,
    ir::{Attr, Builder, Op, Value},
    names::relay,
    relay::{Attrs, ops::window::Window},
};

/// Whether a convolution has these layouts.
fn has_layouts(op: Op, data: &str, kernel: &str) -> bool {
    let attrs = Attrs::of(op);
    let is = |name: &str, layout: &str| attrs.str(name).is_ok_and(|it| it == layout);
    is("data_layout", data) && is("kernel_layout", kernel)
}

/// A convolution in one dimension, as one of images of one row.
pub fn conv1d(op: Op) -> Option<Vec<Value>> {
    let is_plain = op.is(relay::NN_CONV1D) && has_layouts(op, "NCW", "OIW");
    let (groups, kernel) = (
        Attrs::of(op).int("groups").ok()?,
        op.operand(1).ty().shape(),
    );
    let fits = is_plain && has_kernel(groups, &kernel);
    fits.then(|| rows(op, (relay::QNN_CONV2D, 0)))?
}

/// A transposed convolution in one dimension.
pub fn conv1d_transpose(op: Op) -> Option<Vec<Value>> {
    let is_plain = op.is(relay::NN_CONV1D_TRANSPOSE) && has_layouts(op, "NCW", "IOW");
    let fits = is_plain && Attrs::of(op).int("groups").ok()? == 1;
    fits.then(|| rows(op, (relay::QNN_CONV2D_TRANSPOSE, 1)))?
}

/// A convolution of rows by an operator on images; the outputs of its weight are along `axis`.
fn rows(op: Op, (name, axis): (&str, usize)) -> Option<Vec<Value>> {
    let [batch, channels @ Dim::Known(_), width] = op.operand(0).ty().dims()[..] else {
        return None;
    };
    let weight = Quantized::of_weight(op.operand(1), axis)?;
    let data = Quantized::of_data(op.operand(0))?;
    let b = Builder::before(op);
    let one = Dim::Known(1);
    let kernel = op.operand(1).ty().shape();
    let data = Quantized {
        bytes: reshape(&b, data.bytes, &[batch, channels, one, width]),
        ..data
    };
    let weight = Quantized {
        bytes: reshape(&b, weight.bytes, &[kernel[0], kernel[1], 1, kernel[2]]),
        ..weight
    };
    let attrs = Attrs::of(op);
    let list = |numbers: &[i64]| Attr::ints(b.ctx, numbers);
    // Of the first row there is nothing to skip, to spread or to surround.
    let mut image = Vec::new();
    for (name, number) in [("strides", 1), ("dilation", 1), ("output_padding", 0)] {
        if op.has_attr(name) {
            image.push((name, list(&[number, *attrs.ints(name).ok()?.first()?])));
        }
    }
    let [left, right] = attrs.ints("padding").ok()?[..] else {
        return None;
    };
    image.push(("padding", list(&[0, left, 0, right])));
    image.push(("groups", Attr::i64(b.ctx, attrs.int("groups").ok()?)));
    let operands = [&data, &weight];
    let image = product(&b, name, operands, &image, 2)?;
    Some(vec![reshape(&b, image, &op.result(0).ty().dims())])
}

/// A convolution of volumes in one group, as one of images.
pub fn conv3d(op: Op) -> Option<Vec<Value>> {
    let is_plain = op.is(relay::NN_CONV3D) && has_layouts(op, "NCDHW", "OIDHW");
    let attrs = Attrs::of(op);
    if !is_plain || attrs.int("groups").ok()? != 1 || !op.operand(0).ty().is_static() {
        return None;
    }
    let window = Window::of(&attrs, &op.operand(1).ty().shape()[2..]).ok()?;
    let operands = [
        Quantized::of_data(op.operand(0))?,
        Quantized::of_weight(op.operand(1), 0)?,
    ];
    match is_of_planes(&window) {
        true => planes(op, operands, &window),
        false => volume(op, operands, &window),
    }
}

/// Whether a window is one pixel of some planes, and is at every pixel.
fn is_of_planes(window: &Window) -> bool {
    let all = |numbers: &[i64], number: i64| numbers[1..].iter().all(|&found| found == number);
    all(&window.size, 1)
        && all(&window.strides, 1)
        && all(&window.before, 0)
        && all(&window.after, 0)
}

/// A convolution over planes alone: of an image whose rows are the planes.
fn planes(op: Op, [data, weight]: [Quantized; 2], window: &Window) -> Option<Vec<Value>> {
    let b = Builder::before(op);
    let image = |value: Value| {
        let shape = value.ty().shape();
        let shape = [shape[0], shape[1], shape[2], shape[3] * shape[4]];
        reshape(&b, value, &shape)
    };
    let data = Quantized {
        bytes: image(data.bytes),
        ..data
    };
    let weight = Quantized {
        bytes: image(weight.bytes),
        ..weight
    };
    let list = |numbers: &[i64]| Attr::ints(b.ctx, numbers);
    let attrs = [
        ("strides", list(&[window.strides[0], 1])),
        ("dilation", list(&[window.dilation[0], 1])),
        ("padding", list(&[window.before[0], 0, window.after[0], 0])),
    ];
    let made = product(&b, relay::QNN_CONV2D, [&data, &weight], &attrs, 2)?;
    Some(vec![reshape(&b, made, &op.result(0).ty().dims())])
}

/// The planes that a window meets lie beside each other as channels of one image, and the planes of the result are samples.
fn volume(op: Op, [data, weight]: [Quantized; 2], window: &Window) -> Option<Vec<Value>> {
    let b = Builder::before(op);
    let result = op.result(0).ty().shape();
    let data = Quantized {
        bytes: stacked(&b, &data, window, result[2]),
        ..data
    };
    let taps = swapped(&b, weight.bytes);
    let shape = taps.ty().shape();
    let shape = [shape[0], shape[1] * shape[2], shape[3], shape[4]];
    let weight = Quantized {
        bytes: reshape(&b, taps, &shape),
        ..weight
    };
    let list = |numbers: &[i64]| Attr::ints(b.ctx, numbers);
    let padding = [&window.before[1..], &window.after[1..]].concat();
    let attrs = [
        ("strides", list(&window.strides[1..])),
        ("dilation", list(&window.dilation[1..])),
        ("padding", list(&padding)),
    ];
    let images = product(&b, relay::QNN_CONV2D, [&data, &weight], &attrs, 2)?;
    let shape = [result[0], result[2], result[1], result[3], result[4]];
    Some(vec![swapped(&b, reshape(&b, images, &shape))])
}

/// A volume with its second and third dimensions exchanged.
fn swapped(b: &Builder, volume: Value) -> Value {
    let axes = [("axes", Attr::ints(b.ctx, &[0, 2, 1, 3, 4]))];
    make(b, relay::TRANSPOSE, &[volume], &axes)
}

/// The bytes of [samples, channels, depth, height, width] as [samples planes, taps channels, height, width]: for each plane of the result those
/// that its window meets.
fn stacked(b: &Builder, data: &Quantized, window: &Window, planes: i64) -> Value {
    let mut volume = swapped(b, data.bytes);
    let shape = volume.ty().shape();
    // The planes of the only sample are samples, so that channels may be laid out in blocks.
    let axis = usize::from(shape[0] != 1);
    volume = reshape(b, volume, &shape[1 - axis..]);
    let around = [window.before[0], window.after[0]];
    if around != [0, 0] {
        let zero = cast(b, data.zero, volume.ty().element());
        let mut widths = vec![0; 2 * volume.ty().shape().len()];
        widths[2 * axis..2 * axis + 2].copy_from_slice(&around);
        let widths = [("pad_width", Attr::ints(b.ctx, &widths))];
        volume = make(b, relay::NN_PAD, &[volume, zero], &widths);
    }
    let (stride, dilation) = (window.strides[0], window.dilation[0]);
    let tap = |tap: i64| {
        let begin = tap * dilation;
        let end = begin + (planes - 1) * stride + 1;
        match begin == 0 && stride == 1 && end == volume.ty().shape()[axis] {
            true => volume,
            false => slice_axis(b, volume, axis, (begin, end, stride)),
        }
    };
    let taps: Vec<Value> = (0..window.size[0]).map(tap).collect();
    let beside = match taps[..] {
        [only] => only,
        _ => {
            let axis = [("axis", Attr::i64(b.ctx, axis as i64 + 1))];
            make(b, relay::CONCATENATE, &taps, &axis)
        }
    };
    let shape = beside.ty().shape();
    let [.., channels, height, width] = shape[..] else {
        unreachable!("a stack of images has their dimensions");
    };
    let samples = shape.iter().product::<i64>() / (channels * height * width).max(1);
    reshape(b, beside, &[samples, channels, height, width])
}
