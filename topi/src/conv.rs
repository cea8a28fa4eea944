//! Convolutions.

use crate::{
    Compute, Expression, precision, scalar,
    window::{covered, image_axes, padded, space_axes},
};
use relay_dialects::{
    dim::Dim,
    index,
    ir::{Attr, Builder, Value},
    ops::arith,
    relay::ops::window::Window,
    te::{Reducer, Role, build},
};

/// The family's rows.
pub const ROWS: &[(&str, Compute)] = &[
    ("nn.conv1d", conv),
    ("nn.conv2d", conv),
    ("nn.conv3d", conv),
    ("nn.conv1d_transpose", conv_transpose),
    ("nn.conv2d_transpose", conv_transpose),
    ("nn.conv3d_transpose", conv_transpose),
    ("nn.contrib_conv2d_NCHWc", conv_packed),
    ("nn.contrib_depthwise_conv2d_NCHWc", depthwise_packed),
];

/// The attribute that tells schedules the groups of a convolution.
pub const GROUPS: &str = relay_dialects::attrs::GROUPS;
/// The attribute that tells schedules the strides of a convolution, and then its dilation.
pub const STEPS: &str = relay_dialects::attrs::STEPS;

fn plain_layout(e: &Expression<'_>, data: &[&str], kernel: &[&str]) -> Result<(), String> {
    let (data_layout, kernel_layout) = (
        e.attrs().str("data_layout")?,
        e.attrs().str("kernel_layout")?,
    );
    if data.contains(&data_layout.as_str()) && kernel.contains(&kernel_layout.as_str()) {
        return Ok(());
    }
    Err(format!(
        "has no tensor expression for layouts {data_layout} and {kernel_layout}"
    ))
}

/// The padding of the spatial dimensions, behind `lead` others and before `tail`.
pub fn spatial_padding(window: &Window, lead: usize, tail: usize) -> Vec<(i64, i64)> {
    let space = window
        .before
        .iter()
        .copied()
        .zip(window.after.iter().copied());
    std::iter::repeat_n((0, 0), lead)
        .chain(space)
        .chain(std::iter::repeat_n((0, 0), tail))
        .collect()
}

/// Any rank, any groups, channels first.
fn conv(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    plain_layout(e, &["NCW", "NCHW", "NCDHW"], &["OIW", "OIHW", "OIDHW"])?;
    let weight = e.shape(1)?;
    let window = Window::of(&e.attrs(), &weight[2..])?;
    let widths = spatial_padding(&window, 2, 0);
    let pad = |data: Value| padded(e.b, data, &space(&window), &widths, 0.0);
    // Matrix instructions read numbers as they lie.
    let data = precision::before_widening(e.b, e.inputs[0], pad)?;
    let result = grouped(e, data, &window, |b, index| {
        build::read(b, e.inputs[1], index)
    })?;
    Ok(vec![result])
}

/// The convolution of padded data: sums over the channels of a group and the window. `weight` reads at (output, input, space...).
pub fn grouped(
    e: &Expression<'_>,
    data: Value,
    window: &Window,
    weight: impl FnOnce(&Builder, &[Value]) -> Value,
) -> Result<Value, String> {
    let shape = e.result_dims();
    let groups = e.attrs().int("groups").unwrap_or(1);
    let number = |dim: Dim| dim.known().ok_or("takes channels whose number is known");
    let channels = number(data.ty().dims()[1])? / groups;
    let outputs = number(shape[1])? / groups;
    let extents = [&[channels], &window.size[..]].concat();
    let element = data.ty().element();
    let role = if channels == 1 && outputs == 1 {
        Role::DepthwiseConv
    } else {
        Role::Conv
    };
    let result = build::reduce(
        e.b,
        &e.name(),
        &shape,
        element,
        (Reducer::Sum, &extents),
        |b, indices, reduce| {
            let group = index::div(b, indices[1], outputs);
            let first = if groups == 1 {
                b.index(0)
            } else {
                index::scale(b, group, channels)
            };
            let mut source = vec![indices[0], index::add(b, first, reduce[0])];
            for dim in 0..window.size.len() {
                source.push(covered(b, window, dim, indices[dim + 2], reduce[dim + 1]));
            }
            let kernel = [&[indices[1]], reduce].concat();
            scalar::mul(b, build::read(b, data, &source), weight(b, &kernel))
        },
    );
    build::with_role(result, role);
    let mut names = image_axes(&space(window), shape.len());
    names.push("rc".into());
    let along = space_axes(window.size.len()).iter();
    names.extend(along.map(|axis| format!("r{axis}")));
    build::name_axes(result, &names);
    set_groups(result, groups);
    Ok(result)
}

/// The spatial dimensions, which the window has, behind images and channels.
pub fn space(window: &Window) -> Vec<usize> {
    (2..2 + window.size.len()).collect()
}

/// The adjoint as a convolution: zeros between the data, the kernel flipped, windows at every place.
/// `canonicalize-ops` leaves those only that can not be taken apart into phases, which multiply no zeros.
fn conv_transpose(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    plain_layout(e, &["NCW", "NCHW", "NCDHW"], &["IOW", "IOHW", "IODHW"])?;
    let weight_shape = e.shape(1)?;
    let window = Window::of(&e.attrs(), &weight_shape[2..])?;
    let extra = e.attrs().ints("output_padding")?;
    let groups = e.attrs().int("groups")?;
    let rank = window.size.len();

    let spread = spread_out(e, &window.strides)?;
    // Where the padding is more than the kernel reaches, data is cut off.
    let widths: Vec<(i64, i64)> = (0..rank)
        .map(|dim| {
            let reach = window.span(dim) - 1;
            (
                reach - window.before[dim],
                reach - window.after[dim] + extra[dim],
            )
        })
        .collect();
    let widths: Vec<(i64, i64)> = [(0, 0), (0, 0)].into_iter().chain(widths).collect();
    let data = padded(e.b, spread, &space(&window), &widths, 0.0)?;
    let flat = Window {
        strides: vec![1; rank],
        ..window.clone()
    };
    let (inputs, outputs) = (weight_shape[0] / groups, weight_shape[1]);
    let result = grouped(e, data, &flat, |b, kernel| {
        // The weight is [inputs, outputs per group, space], the input counted over all groups.
        let group = if groups == 1 {
            b.index(0)
        } else {
            index::div(b, kernel[0], outputs)
        };
        let output = if groups == 1 {
            kernel[0]
        } else {
            index::rem(b, kernel[0], outputs)
        };
        let mut source = vec![
            index::add(b, index::scale(b, group, inputs), kernel[1]),
            output,
        ];
        for dim in 0..rank {
            source.push(index::sub(b, b.index(flat.size[dim] - 1), kernel[dim + 2]));
        }
        build::read(b, e.inputs[1], &source)
    })?;
    Ok(vec![result])
}

/// The data with stride - 1 zeros between neighbours.
fn spread_out(e: &Expression<'_>, strides: &[i64]) -> Result<Value, String> {
    let data = e.inputs[0];
    if strides.iter().all(|&stride| stride == 1) {
        return Ok(data);
    }
    let mut shape = data.ty().dims();
    for (dim, stride) in strides.iter().enumerate() {
        shape[dim + 2] = shape[dim + 2].minus(1)?.times(*stride)?.plus(1)?;
    }
    let element = data.ty().element();
    let spread = build::compute(e.b, "dilate", &shape, element, |b, indices| {
        let mut source = indices.to_vec();
        let mut on_data: Option<Value> = None;
        for (dim, &stride) in strides
            .iter()
            .enumerate()
            .filter(|(_, stride)| **stride != 1)
        {
            let rest = index::rem(b, indices[dim + 2], stride);
            let here = index::less(b, rest, 1);
            on_data = Some(on_data.map_or(here, |others| arith::AndI::build(b, others, here)));
            source[dim + 2] = index::div(b, indices[dim + 2], stride);
        }
        let on_data = on_data.expect("a stride is not 1");
        build::if_then_else(
            b,
            on_data,
            |b| build::read(b, data, &source),
            |b| b.constant(element, 0.0),
        )
    });
    let space: Vec<usize> = (2..shape.len()).collect();
    Ok(build::name_axes(spread, &image_axes(&space, shape.len())))
}

/// Data [n, c/i, h, w, i], weight [o/o, c/i, kh, kw, i, o], result [n, o/o, y, x, o]. In a weight
/// [o/o, c/i, kh, kw, i/2, o, 2], the inputs come in groups, here of two.
fn conv_packed(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    conv_packed_by(e, scalar::mul)
}

/// The same, with another product of two elements.
///
/// # Errors
/// If there is no expression for its layouts or its padding.
pub fn conv_packed_by(
    e: &Expression<'_>,
    multiply: fn(&Builder, Value, Value) -> Value,
) -> Result<Vec<Value>, String> {
    let (data, weight) = (e.dims(0), e.shape(1)?);
    let groups = e.attrs().int("groups")?;
    let (input_block, inputs) = packed_layouts(e, &weight)?;
    if weight[0] % groups != 0 || data[1] != weight[1] * groups || data[4] != input_block {
        return Err("has no tensor expression for groups that cut blocks of channels".into());
    }
    let window = Window::of(&e.attrs(), &weight[2..4])?;
    let widths = spatial_padding(&window, 2, 1);
    let pad = |data: Value| padded(e.b, data, &space(&window), &widths, 0.0);
    // Tiles read numbers as they lie.
    let data = match inputs {
        Inputs::Grouped(_) => precision::before_widening(e.b, e.inputs[0], pad)?,
        _ => pad(e.inputs[0])?,
    };
    let extents = [weight[1], weight[2], weight[3], inputs.steps(input_block)];
    let element = data.ty().element();
    let body = |b: &Builder, at: &[Value], reduce: &[Value]| {
        let y = covered(b, &window, 0, at[2], reduce[1]);
        let x = covered(b, &window, 1, at[3], reduce[2]);
        let group = index::div(b, at[1], weight[0] / groups);
        let first = index::scale(b, group, extents[0]);
        let block = if groups == 1 {
            reduce[0]
        } else {
            index::add(b, first, reduce[0])
        };
        let (input, in_block) = inputs.place(b, at[4], reduce[3]);
        let value = build::read(b, data, &[at[0], block, y, x, input]);
        let place = [&[at[1], reduce[0], reduce[1], reduce[2]], &in_block[..]].concat();
        multiply(b, value, build::read(b, e.inputs[1], &place))
    };
    let mut shape = e.result_dims();
    shape[4] = shape[4].times(inputs.sums())?;
    let sum = (Reducer::Sum, &extents[..]);
    let result = build::reduce(e.b, "conv2d", &shape, element, sum, body);
    build::with_role(result, Role::PackedConv);
    let names = ["n", "c", "y", "x", "c.block", "rc", "ry", "rx", "rc.block"];
    build::name_axes(result, &names);
    set_groups(result, groups);
    if let Some(op) = result.def() {
        let steps = [window.strides, window.dilation].concat();
        op.set_attr(STEPS, Attr::ints(op.ctx(), &steps));
    }
    Ok(vec![sum_of_parts(e, result, inputs.sums())])
}

/// How a packed convolution meets the inputs of a block.
#[derive(Clone, Copy)]
enum Inputs {
    /// One after the other.
    Single,
    /// In groups of so many, each of which an instruction of the processor sums up.
    Grouped(i64),
    /// As many at a time, each of which has a sum of its own beside those of the other outputs: so a block of few
    /// outputs fills a vector.
    Apart(i64),
}

impl Inputs {
    /// The steps of a sum over a block of so many inputs.
    fn steps(self, block: i64) -> i64 {
        match self {
            Self::Apart(count) => block / count,
            _ => block,
        }
    }

    /// The sums of each output.
    fn sums(self) -> i64 {
        match self {
            Self::Apart(count) => count,
            _ => 1,
        }
    }

    /// The input that a lane of the result meets in a step of the sum, and where a block of the weight has what it
    /// is multiplied with.
    fn place(self, b: &Builder, lane: Value, step: Value) -> (Value, Vec<Value>) {
        match self {
            Self::Single => (step, vec![step, lane]),
            Self::Grouped(count) => {
                let (outer, inner) = (index::div(b, step, count), index::rem(b, step, count));
                (step, vec![outer, lane, inner])
            }
            Self::Apart(count) => {
                let (output, part) = (index::div(b, lane, count), index::rem(b, lane, count));
                let input = index::add(b, index::scale(b, step, count), part);
                (input, vec![step, output, part])
            }
        }
    }
}

/// The sums of outputs that have `count` sums each, side by side.
fn sum_of_parts(e: &Expression<'_>, parts: Value, count: i64) -> Value {
    if count == 1 {
        return parts;
    }
    let element = parts.ty().element();
    let result = build::compute(e.b, "sum", &e.result_dims(), element, |b, at| {
        let first = index::scale(b, at[4], count);
        let part = |number: i64| {
            let lane = index::add(b, first, b.index(number));
            build::read(b, parts, &[&at[..4], &[lane]].concat())
        };
        let others = (1..count).map(part);
        others.fold(part(0), |sum, part| scalar::add(b, sum, part))
    });
    build::name_axes(result, &["n", "c", "y", "x", "c.block"])
}

/// The channels of a block of data, and how they are met.
fn packed_layouts(e: &Expression<'_>, weight: &[i64]) -> Result<(i64, Inputs), String> {
    let letters = |layout: &str| {
        let text = e.attrs().str(layout)?;
        Ok::<_, String>(text.replace(|letter: char| letter.is_ascii_digit(), ""))
    };
    let (data, kernel) = (letters("data_layout")?, letters("kernel_layout")?);
    match (data.as_str(), kernel.as_str(), weight) {
        ("NCHWc", "OIHWio", [.., inputs, _]) => Ok((*inputs, Inputs::Single)),
        ("NCHWc", "OIHWioi", [.., outer, _, inner]) => {
            let inputs = match precision::is_widened(e.inputs[0]) {
                true => Inputs::Grouped(*inner),
                false => Inputs::Apart(*inner),
            };
            Ok((outer * inner, inputs))
        }
        _ => Err(format!(
            "has no tensor expression for layouts such as {data} and {kernel}"
        )),
    }
}

/// Tells schedules of groups.
fn set_groups(result: Value, groups: i64) {
    if let Some(op) = result.def() {
        op.set_attr(GROUPS, Attr::i64(op.ctx(), groups));
    }
}

/// Data [n, c/c, h, w, c], weight [c/c, 1, kh, kw, 1, c], result [n, c/c, y, x, c].
///
/// # Errors
/// If there is no expression for its padding.
pub fn depthwise_packed(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let weight = e.shape(1)?;
    let window = Window::of(&e.attrs(), &weight[2..4])?;
    let widths = spatial_padding(&window, 2, 1);
    let data = padded(e.b, e.inputs[0], &space(&window), &widths, 0.0)?;
    let extents = [weight[2], weight[3]];
    let element = data.ty().element();
    let body = |b: &Builder, at: &[Value], reduce: &[Value]| {
        let y = covered(b, &window, 0, at[2], reduce[0]);
        let x = covered(b, &window, 1, at[3], reduce[1]);
        let zero = b.index(0);
        let value = build::read(b, data, &[at[0], at[1], y, x, at[4]]);
        let weight = build::read(
            b,
            e.inputs[1],
            &[at[1], zero, reduce[0], reduce[1], zero, at[4]],
        );
        scalar::mul(b, value, weight)
    };
    let result = build::reduce(
        e.b,
        "conv2d",
        &e.result_dims(),
        element,
        (Reducer::Sum, &extents),
        body,
    );
    build::with_role(result, Role::PackedDepthwiseConv);
    let names = ["n", "c", "y", "x", "c.block", "ry", "rx"];
    Ok(vec![build::name_axes(result, &names)])
}
