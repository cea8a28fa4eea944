//! Convolutions.

use super::{
    row::{Row, row},
    window::{AutoPad, Window, auto_pad, dims},
};
use crate::{
    graph::{
        attr::Param,
        builder::GraphBuilder,
        error::Result,
        value::{Value, are_equal, is_open},
    },
    onnx::node::Node,
};
use relay_dialects::{dim::Dim, relay::ops::window::LARGEST};

/// The family's rows.
pub const ROWS: &[Row] = &[
    row("Conv", 1, conv),
    row("ConvTranspose", 1, conv_transpose),
];

/// The relay op for a number of spatial axes, with its data layout and the kernel's axes.
const CONV: [(&str, &str, &str); 3] = [
    ("nn.conv1d", "NCW", "OIW"),
    ("nn.conv2d", "NCHW", "OIHW"),
    ("nn.conv3d", "NCDHW", "OIDHW"),
];
const TRANSPOSE: [(&str, &str, &str); 3] = [
    ("nn.conv1d_transpose", "NCW", "IOW"),
    ("nn.conv2d_transpose", "NCHW", "IOHW"),
    ("nn.conv3d_transpose", "NCDHW", "IODHW"),
];

type Form = (&'static str, &'static str, &'static str);

/// Checks the ranks of data and kernel, and picks the op.
fn form(table: &[Form; 3], x: &Value, w: &Value) -> Result<Form> {
    if w.rank() != x.rank() {
        return Err(format!(
            "the kernel has rank {}, the input rank {}",
            w.rank(),
            x.rank()
        ));
    }
    x.rank()
        .checked_sub(3)
        .and_then(|spatial| table.get(spatial))
        .copied()
        .ok_or_else(|| {
            format!(
                "the input has rank {}; only 1 to 3 spatial axes are supported",
                x.rank()
            )
        })
}

/// The kernel's extents; `kernel_shape` must agree with the weights.
pub(super) fn kernel(n: &Node<'_>, w: &Value) -> Result<Vec<i64>> {
    let extents = (2..w.rank()).map(|axis| w.extent(axis));
    let extents: Vec<i64> = extents.collect::<Result<_>>()?;
    match n.attr_ints("kernel_shape")? {
        Some(stated) if stated != extents => Err(format!(
            "attribute 'kernel_shape' is {stated:?}, but the kernel has shape {:?}",
            w.dims()
        )),
        _ => Ok(extents),
    }
}

/// The groups that channels are divided into.
pub(super) fn groups(n: &Node<'_>) -> Result<i64> {
    let group = n.attr_i64_or("group", 1)?;
    if group < 1 || group > i64::from(i32::MAX) {
        return Err(format!("attribute 'group' is {group}"));
    }
    Ok(group)
}

/// Adds the optional bias, one value per channel, which is the input at a place.
pub(super) fn with_bias(
    n: &Node<'_>,
    b: &mut GraphBuilder,
    result: Value,
    (place, channels): (usize, impl Into<Dim>),
) -> Result<Value> {
    let channels = channels.into();
    let Some(bias) = n.optional(place) else {
        return Ok(result);
    };
    if !are_equal(bias.dims(), &[channels]) {
        return Err(format!(
            "the bias has shape {:?}, expected [{channels}]",
            bias.dims()
        ));
    }
    b.op("nn.bias_add", &[result, bias], &[("axis", Param::Int(1))])
}

fn conv(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(3)?;
    Ok(vec![biased(n, b)?])
}

/// The convolution of the first input with the second, with the third as the bias if it is there.
pub(super) fn biased(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let (x, w) = (n.input(0)?, n.input(1)?);
    let result = convolved(n, b, &x, &w)?;
    with_bias(n, b, result, (2, w.dims()[0]))
}

/// The convolution that a node's attributes describe, without its bias.
pub(super) fn convolved(n: &Node<'_>, b: &mut GraphBuilder, x: &Value, w: &Value) -> Result<Value> {
    let fill = b.scalar(x.element(), 0.0);
    convolved_by(n, b, (x, w), &fill, |b, op, x, attrs| {
        b.op(op, &[x, w.clone()], attrs)
    })
}

/// The same by another operator: `make` gets the name of the usual one, the data with what pads it where the padding is open, of
/// which each element is `fill`, and the attributes.
pub(super) fn convolved_by(
    n: &Node<'_>,
    b: &mut GraphBuilder,
    (x, w): (&Value, &Value),
    fill: &Value,
    make: impl FnOnce(&mut GraphBuilder, &'static str, Value, &[(&str, Param)]) -> Result<Value>,
) -> Result<Value> {
    let (op, data_layout, kernel_layout) = form(&CONV, x, w)?;
    let groups = groups(n)?;
    let window = Window::read_open(n, kernel(n, w)?, &x.dims()[2..])?;
    let x = &window.surrounded_by(b, x, fill)?;
    window.check_fit(&x.dims()[2..])?;
    let (channels, filters) = (x.extent(1)?, w.extent(0)?);
    if channels % groups != 0 || w.dims()[1] != channels / groups || filters % groups != 0 {
        return Err(format!(
            "a kernel of shape {:?} does not fit {channels} input channels in {groups} group(s)",
            w.dims()
        ));
    }
    let attrs = [
        ("padding", Param::Ints(window.padding())),
        ("strides", Param::Ints(window.strides)),
        ("dilation", Param::Ints(window.dilations)),
        ("groups", Param::Int(groups)),
        ("data_layout", Param::Str(data_layout)),
        ("kernel_layout", Param::Str(kernel_layout)),
    ];
    make(b, op, x.clone(), &attrs)
}

fn conv_transpose(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(3)?;
    let (x, w) = (n.input(0)?, n.input(1)?);
    let (op, data_layout, kernel_layout) = form(&TRANSPOSE, &x, &w)?;
    let groups = groups(n)?;
    let channels = x.extent(1)?;
    if w.dims()[0] != channels || channels % groups != 0 {
        return Err(format!(
            "a kernel of shape {:?} does not fit {channels} input channels in {groups} group(s)",
            w.dims()
        ));
    }
    let kernel = kernel(n, &w)?;
    let (window, output_padding) = transposed_window(n, kernel, &x.dims()[2..])?;
    let filters = w.dims()[1].times(groups)?;
    let attrs = [
        ("padding", Param::Ints(window.padding())),
        ("strides", Param::Ints(window.strides)),
        ("output_padding", Param::Ints(output_padding)),
        ("dilation", Param::Ints(window.dilations)),
        ("groups", Param::Int(groups)),
        ("data_layout", Param::Str(data_layout)),
        ("kernel_layout", Param::Str(kernel_layout)),
    ];
    let result = b.op(op, &[x, w], &attrs)?;
    Ok(vec![with_bias(n, b, result, (2, filters))?])
}

/// Extents that are numbers.
fn known(extents: &[i64]) -> Vec<Dim> {
    extents.iter().copied().map(Dim::Known).collect()
}

/// The window and output padding of a transposed convolution; `output_shape` and `auto_pad` are
/// turned into padding.
fn transposed_window(n: &Node<'_>, kernel: Vec<i64>, input: &[Dim]) -> Result<(Window, Vec<i64>)> {
    let rank = kernel.len();
    let mode = auto_pad(n)?;
    let mut window = Window::read(n, kernel, input)?;
    let mut extra = dims(n, "output_padding", rank, 0, 0)?;
    let wanted = match (n.attr_ints("output_shape")?, mode) {
        // Some models list batch and channels, too.
        (Some(shape), _) if shape.len() == rank + 2 => Some(known(&shape[2..])),
        (Some(shape), _) if shape.len() == rank => Some(known(&shape)),
        (Some(shape), _) => {
            return Err(format!(
                "attribute 'output_shape' is {shape:?}, expected {rank} values"
            ));
        }
        (None, AutoPad::SameUpper | AutoPad::SameLower) => Some(
            input
                .iter()
                .zip(&window.strides)
                .map(|(extent, stride)| extent.times(*stride))
                .collect::<Result<_>>()?,
        ),
        (None, _) => None,
    };
    for axis in 0..rank {
        let steps = input[axis].minus(1)?.times(window.strides[axis])?;
        let full = steps.plus(extra[axis] + window.span(axis))?;
        if let Some(wanted) = &wanted {
            let is_wrong = |extent: i64| !(1..=LARGEST).contains(&extent);
            if wanted[axis].known().is_some_and(is_wrong) {
                return Err(format!(
                    "the output's extent {} is out of range",
                    wanted[axis]
                ));
            }
            // Where the output is larger than the full result, the rest is output padding.
            let total = full.minus(wanted[axis])?;
            let total = total.known().ok_or_else(|| is_open(total))?;
            extra[axis] += (-total).max(0);
            let total = total.max(0);
            let small = total / 2;
            let upper = mode == AutoPad::SameUpper;
            window.before[axis] = if upper { small } else { total - small };
            window.after[axis] = total - window.before[axis];
        } else if let Dim::Known(full) = full
            && full - window.before[axis] - window.after[axis] < 1
        {
            return Err(format!("the output is empty on spatial axis {axis}"));
        }
    }
    Ok((window, extra))
}
