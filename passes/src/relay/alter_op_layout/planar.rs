//! Convolutions of one and three dimensions as those of two, for which there are packed channels,
//! Winograd's algorithm and products over all pixels.
//!
//! A line is an image of one row. A window over planes alone sees an image whose rows are planes. A volume is a stack of images: the planes that a window meets lie beside
//! each other as channels of one image, and the planes of the result are samples.

use super::{amx_conv2d, flatten::Flattened, has_known_channels, stacks::Stacks};
use crate::graph::{
    operators::{is_computed_in_f32, make},
    shapes::{pad_widths, reshape, slice_axis},
};
use relay_dialects::{
    dim::Dim,
    index::product,
    ir::{Attr, Block, Builder, Op, Value},
    names,
    relay::{Attrs, ops::window::Window, row::LayoutRule, row_of},
};
use relay_topi::{
    Machine,
    cost::layout::{MIN_PRODUCTS_OF_BLOCKS, Volume},
};

/// Makes the convolutions of a block planar, where their groups are one, and what follows them element by
/// element work on their shape.
pub fn make_planar(block: Block, machine: Machine) {
    let (mut flattened, mut stacks) = (Flattened::default(), Stacks::default());
    for op in block.ops() {
        let done = match row_of(op).map(|row| row.layout) {
            Some(LayoutRule::Convolution(1)) => line(&mut flattened, op),
            Some(LayoutRule::Convolution(3)) => volume((&mut flattened, &mut stacks), op, machine),
            _ => {
                let elementwise = flattened.elementwise(op);
                let elementwise = elementwise.or_else(|| stacks.elementwise(op));
                elementwise.or_else(|| stacks.view(op))
            }
        };
        if done.is_some() {
            op.erase();
        }
    }
}

/// The window of a convolution of one group on the plain layout of `letters`, of static shapes and of a
/// type that is laid out in blocks.
fn window(op: Op, letters: &str) -> Option<Window> {
    let attrs = Attrs::of(op);
    let types = [op.operand(0).ty(), op.operand(1).ty()];
    let element = types[0].element();
    let fits = types[1].is_static()
        && has_known_channels(types[0])
        && is_computed_in_f32(element)
        && attrs.int("groups").ok()? == 1
        && attrs.str("data_layout").ok()? == format!("NC{letters}")
        && attrs.str("kernel_layout").ok()? == format!("OI{letters}");
    fits.then(|| Window::of(&attrs, &types[1].shape()[2..]).ok())?
}

/// A planar convolution with the last two dimensions of a window, or the last one in rows.
fn conv2d(builder: &Builder, data: Value, weight: Value, window: &Window) -> Value {
    let last = |numbers: &[i64], missing: i64| match numbers {
        [.., rows, columns] => [*rows, *columns],
        [columns] => [missing, *columns],
        [] => [missing; 2],
    };
    let ints = |numbers: &[i64]| Attr::ints(builder.ctx, numbers);
    let padding = [last(&window.before, 0), last(&window.after, 0)].concat();
    let attrs = [
        ("strides", ints(&last(&window.strides, 1))),
        ("padding", ints(&padding)),
        ("dilation", ints(&last(&window.dilation, 1))),
    ];
    make(builder, names::relay::NN_CONV2D, &[data, weight], &attrs)
}

/// `nn.conv1d` as a convolution of rows.
fn line(flattened: &mut Flattened, op: Op) -> Option<()> {
    let window = window(op, "W")?;
    let (data, weight) = (op.operand(0), op.operand(1));
    if weight.ty().shape()[1..].iter().product::<i64>() < MIN_PRODUCTS_OF_BLOCKS {
        return None;
    }
    let builder = Builder::before(op);
    let row = |value: Value| {
        let shape = value.ty().dims();
        [shape[0], shape[1], Dim::Known(1), shape[2]]
    };
    let data = flattened.flat(&builder, data, &row(data));
    let weight = reshape(&builder, weight, &row(weight));
    let made = conv2d(&builder, data, weight, &window);
    flattened.replace(op, made);
    Some(())
}

/// `nn.conv3d`, the planes of its result samples.
fn volume(
    (flattened, stacks): (&mut Flattened, &mut Stacks),
    op: Op,
    machine: Machine,
) -> Option<()> {
    let window = window(op, "DHW").filter(|_| op.operand(0).ty().is_static())?;
    let builder = Builder::before(op);
    if is_pointwise(&window) {
        return pointwise(flattened, op);
    }
    if is_of_planes(&window) {
        return planes(flattened, op, &window);
    }
    let volume = shape(op, &window, machine);
    if volume.as_planes(machine) > volume.plain(machine) {
        return None;
    }
    let result = op.result(0).ty().shape();
    let (samples, outputs, planes) = (result[0], result[1], result[2]);
    let weight = transpose(&builder, op.operand(1), [0, 2, 1, 3, 4]);
    let weight = joined(&builder, weight, 1);
    if is_stack(&result) {
        let stack = stacks.stack(&builder, op.operand(0));
        let data = taps(&builder, stack, 0, &window, planes);
        stacks.replace(op, conv2d(&builder, data, weight, &window));
        return Some(());
    }
    let data = stacked(&builder, op.operand(0), &window, planes);
    let made = conv2d(&builder, data, weight, &window);
    let split = [samples, planes, outputs, result[3], result[4]];
    if planes == 1 {
        flattened.replace(op, made);
    } else {
        let planes = reshape(&builder, made, &split);
        let whole = transpose(&builder, planes, [0, 2, 1, 3, 4]);
        op.result(0).replace_all_uses_with(whole);
    }
    Some(())
}

/// Whether a volume [samples, channels, planes, height, width] has its planes in place of samples: those of the only one.
fn is_stack(volume: &[i64]) -> bool {
    volume[0] == 1 && volume[2] > 1
}

/// What the costs of a convolution of volumes need to know of it.
fn shape(op: Op, window: &Window, machine: Machine) -> Volume {
    let (data, result) = (op.operand(0).ty().shape(), op.result(0).ty().shape());
    let all = |numbers: &[i64], number: i64| numbers.iter().all(|&found| found == number);
    let amx = amx_conv2d::takes_planes(op, machine);
    Volume {
        results: product(&result),
        kernel: product(&op.operand(1).ty().shape()[1..]),
        stacked: product(&[
            result[0],
            result[2],
            window.size[0],
            data[1],
            data[3],
            data[4],
        ]),
        row: result[4],
        stride: window.strides[2],
        winograd: all(&window.size[1..], 3)
            && all(&window.strides[1..], 1)
            && all(&window.dilation[1..], 1),
        amx,
        stacks_blocks: amx && is_stack(&result),
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

/// A convolution over planes, as of clips over time: of an image whose rows are the planes.
fn planes(flattened: &mut Flattened, op: Op, window: &Window) -> Option<()> {
    let builder = Builder::before(op);
    let image = |value: Value| {
        let shape = value.ty().shape();
        [shape[0], shape[1], shape[2], shape[3] * shape[4]]
    };
    let data = flattened.flat(&builder, op.operand(0), &image(op.operand(0)));
    let weight = reshape(&builder, op.operand(1), &image(op.operand(1)));
    let ints = |numbers: &[i64]| Attr::ints(builder.ctx, numbers);
    let attrs = [
        ("strides", ints(&[window.strides[0], 1])),
        ("padding", ints(&[window.before[0], 0, window.after[0], 0])),
        ("dilation", ints(&[window.dilation[0], 1])),
    ];
    let made = make(&builder, names::relay::NN_CONV2D, &[data, weight], &attrs);
    flattened.replace(op, made);
    Some(())
}

fn is_pointwise(window: &Window) -> bool {
    let all = |numbers: &[i64], number: i64| numbers.iter().all(|&found| found == number);
    all(&window.size, 1)
        && all(&window.strides, 1)
        && all(&window.before, 0)
        && all(&window.after, 0)
}

/// A 1 x 1 x 1 convolution: a product over the pixels of all planes.
fn pointwise(flattened: &mut Flattened, op: Op) -> Option<()> {
    let builder = Builder::before(op);
    let (data, weight) = (op.operand(0), op.operand(1));
    let shape = data.ty().shape();
    let data = flattened.flat(
        &builder,
        data,
        &[shape[0], shape[1], shape[2..].iter().product()],
    );
    let kernel = weight.ty().shape();
    let weight = reshape(&builder, weight, &[1, kernel[0], kernel[1]]);
    let product = make(
        &builder,
        names::relay::NN_BATCH_MATMUL,
        &[weight, data],
        &[],
    );
    flattened.replace(op, product);
    Some(())
}

/// [samples, channels, depth, height, width] as [samples planes, taps channels, height, width]: for each
/// plane of the result those that its window meets.
fn stacked(builder: &Builder, data: Value, window: &Window, planes: i64) -> Value {
    let beside = taps(builder, data, 2, window, planes);
    let samples = transpose(builder, beside, [0, 2, 1, 3, 4]);
    joined(builder, samples, 0)
}

/// Data whose planes lie along `axis`, and its channels along the second one, with those of all planes that a
/// window meets beside each other for each of so many `planes` of the result.
fn taps(builder: &Builder, data: Value, axis: usize, window: &Window, planes: i64) -> Value {
    let (stride, dilation) = (window.strides[0], window.dilation[0]);
    let data = pad_widths(builder, data, axis, [window.before[0], window.after[0]]);
    let slices: Vec<Value> = (0..window.size[0])
        .map(|tap| {
            let begin = tap * dilation;
            let end = begin + (planes - 1) * stride + 1;
            match begin == 0 && stride == 1 && end == data.ty().shape()[axis] {
                true => data,
                false => slice_axis(builder, data, axis, (begin, end, stride)),
            }
        })
        .collect();
    match slices[..] {
        [only] => only,
        _ => make(
            builder,
            names::relay::CONCATENATE,
            &slices,
            &[("axis", Attr::i64(builder.ctx, 1))],
        ),
    }
}

fn transpose(builder: &Builder, value: Value, axes: [i64; 5]) -> Value {
    let attrs = [("axes", Attr::ints(builder.ctx, &axes))];
    make(builder, names::relay::TRANSPOSE, &[value], &attrs)
}

/// A value with its dimensions `at` and `at + 1` as one.
fn joined(builder: &Builder, value: Value, at: usize) -> Value {
    let mut shape = value.ty().shape();
    shape[at] *= shape.remove(at + 1);
    reshape(builder, value, &shape)
}
