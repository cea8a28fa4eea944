//! Convolutions.

use super::row::{Row, row};
use crate::{
    compose::subscript::one_axis,
    graph::{attr::Param, builder::GraphBuilder, error::Result, value::Value},
    torch::node::Node,
};
use relay_dialects::{dim::Dim, relay::ops::window::LARGEST};

/// The family's rows.
pub const ROWS: &[Row] = &[
    row("_convolution", convolution),
    row("conv1d", |n, b| conv(n, b, Kind::Forward)),
    row("conv2d", |n, b| conv(n, b, Kind::Forward)),
    row("conv3d", |n, b| conv(n, b, Kind::Forward)),
    row("conv_transpose1d", |n, b| conv(n, b, Kind::Transposed)),
    row("conv_transpose2d", |n, b| conv(n, b, Kind::Transposed)),
    row("conv_transpose3d", |n, b| conv(n, b, Kind::Transposed)),
    row("convolution", convolution),
    row("conv_tbc", conv_tbc),
    row("conv_depthwise3d", depthwise),
    row("_conv_depthwise2d", depthwise),
];

/// The operators and layouts by the number of spatial axes.
const FORWARD: [(&str, &str, &str); 3] = [
    ("nn.conv1d", "NCW", "OIW"),
    ("nn.conv2d", "NCHW", "OIHW"),
    ("nn.conv3d", "NCDHW", "OIDHW"),
];
/// The same of transposed convolutions.
const TRANSPOSED: [(&str, &str, &str); 3] = [
    ("nn.conv1d_transpose", "NCW", "IOW"),
    ("nn.conv2d_transpose", "NCHW", "IOHW"),
    ("nn.conv3d_transpose", "NCDHW", "IODHW"),
];

/// How a kernel moves.
pub struct Window {
    /// Its steps.
    pub strides: Vec<i64>,
    /// Padding before each axis.
    pub before: Vec<i64>,
    /// Padding after each axis.
    pub after: Vec<i64>,
    /// The distance between its elements.
    pub dilation: Vec<i64>,
    /// The groups of channels.
    pub groups: i64,
    /// More rows and columns at the end of the result of a transposed convolution.
    pub output_padding: Vec<i64>,
}

impl Window {
    /// The window of a node, for a kernel of these extents.
    pub fn read(n: &Node<'_>, kernel: &[i64]) -> Result<Self> {
        let axes = kernel.len();
        let strides = n.ints_of("stride", axes, 1)?;
        let dilation = n.ints_of("dilation", axes, 1)?;
        let (before, after) = match n.text("padding") {
            Ok(Some("same")) => {
                let total: Vec<i64> = kernel
                    .iter()
                    .zip(&dilation)
                    .map(|(kernel, dilation)| (kernel - 1).saturating_mul(*dilation))
                    .collect();
                let before: Vec<i64> = total.iter().map(|total| total / 2).collect();
                let after = total
                    .iter()
                    .zip(&before)
                    .map(|(total, before)| total - before);
                (before.clone(), after.collect())
            }
            Ok(Some("valid")) => (vec![0; axes], vec![0; axes]),
            Ok(Some(other)) => return Err(format!("argument 'padding' is '{other}'")),
            Ok(None) | Err(_) => {
                let padding = n.ints_of("padding", axes, 0)?;
                (padding.clone(), padding)
            }
        };
        let window = Self {
            output_padding: n.ints_of("output_padding", axes, 0)?,
            groups: n.int_or("groups", 1)?,
            strides,
            before,
            after,
            dilation,
        };
        window.check()?;
        Ok(window)
    }

    fn check(&self) -> Result<()> {
        let fit = |values: &[i64], least: i64| {
            values.iter().all(|value| (least..=LARGEST).contains(value))
        };
        let is_right = fit(&self.strides, 1)
            && fit(&self.dilation, 1)
            && fit(&self.before, 0)
            && fit(&self.after, 0)
            && fit(&self.output_padding, 0)
            && self.groups >= 1;
        match is_right {
            true => Ok(()),
            false => Err("a stride, padding, dilation or number of groups is out of range".into()),
        }
    }
}

/// The kinds of convolutions.
#[derive(Clone, Copy, PartialEq)]
pub enum Kind {
    /// Each window makes an element.
    Forward,
    /// Each element makes a window.
    Transposed,
    /// Each channel by itself.
    Depthwise,
}

fn conv(n: &Node<'_>, b: &mut GraphBuilder, kind: Kind) -> Result<Value> {
    let (x, weight) = (n.tensor("input")?, n.tensor("weight")?);
    convolved(n, b, (x, weight), kind)
}

fn convolution(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    n.ignore(&["benchmark", "deterministic", "cudnn_enabled", "allow_tf32"]);
    let kind = match n.bool_or("transposed", false)? {
        true => Kind::Transposed,
        false => Kind::Forward,
    };
    conv(n, b, kind)
}

/// A convolution over time of [time, samples, channels], by a kernel of [time, inputs, outputs].
fn conv_tbc(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let (x, weight) = (n.tensor("self")?, n.tensor("weight")?);
    if x.rank() != 3 || weight.rank() != 3 {
        return Err(format!(
            "an input of shape {:?} and a kernel of shape {:?} are not of rank 3",
            x.dims(),
            weight.dims()
        ));
    }
    let (x, weight) = (
        b.transpose(&x, &[1, 2, 0])?,
        b.transpose(&weight, &[2, 1, 0])?,
    );
    let padding = n.int_or("pad", 0)?;
    let kernel = weight.extent(2)?;
    let window = Window {
        strides: vec![1],
        before: vec![padding],
        after: vec![padding],
        dilation: vec![1],
        groups: 1,
        output_padding: vec![0],
    };
    window.check()?;
    if kernel < 1 {
        return Err(format!("a kernel of {kernel} elements is not supported"));
    }
    let result = with_bias(n, b, (&x, &weight), window, Kind::Forward)?;
    b.transpose(&result, &[2, 0, 1])
}

fn depthwise(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    n.ignore(&["kernel_size"]);
    let (x, weight) = (n.tensor("self")?, n.tensor("weight")?);
    convolved(n, b, (x, weight), Kind::Depthwise)
}

fn convolved(
    n: &Node<'_>,
    b: &mut GraphBuilder,
    (x, weight): (Value, Value),
    kind: Kind,
) -> Result<Value> {
    let axes = weight
        .rank()
        .checked_sub(2)
        .filter(|axes| (1..=3).contains(axes));
    let axes =
        axes.ok_or_else(|| format!("a kernel of shape {:?} is not supported", weight.dims()))?;
    let kernel: Vec<i64> = weight.shape()?[2..].to_vec();
    let mut window = Window::read(n, &kernel)?;
    // One sample may come without an axis for samples.
    let is_single = x.rank() == axes + 1;
    let x = match is_single {
        true => b.reshape(&x, &[&[Dim::Known(1)], x.dims()].concat())?,
        false => x,
    };
    if x.rank() != axes + 2 {
        return Err(format!(
            "an input of shape {:?} does not fit a kernel of shape {kernel:?}",
            x.dims()
        ));
    }
    if kind == Kind::Depthwise {
        window.groups = x.extent(1)?;
    }
    let result = with_bias(n, b, (&x, &weight), window, kind)?;
    match is_single {
        true => b.reshape(&result, &result.dims()[1..]),
        false => Ok(result),
    }
}

/// The convolution of data with a kernel, both with the axes for samples and channels in front.
pub fn by_kernel(
    b: &mut GraphBuilder,
    (x, weight): (&Value, &Value),
    window: Window,
    kind: Kind,
) -> Result<Value> {
    let is_transposed = kind == Kind::Transposed;
    let operators = if is_transposed { TRANSPOSED } else { FORWARD };
    let (op, data_layout, kernel_layout) = operators[weight.rank() - 3];
    let mut attrs = vec![
        (
            "padding",
            Param::Ints([window.before, window.after].concat()),
        ),
        ("strides", Param::Ints(window.strides)),
        ("dilation", Param::Ints(window.dilation)),
        ("groups", Param::Int(window.groups)),
        ("data_layout", Param::Str(data_layout)),
        ("kernel_layout", Param::Str(kernel_layout)),
    ];
    if is_transposed {
        attrs.push(("output_padding", Param::Ints(window.output_padding)));
    }
    b.op(op, &[x.clone(), weight.clone()], &attrs)
}

fn with_bias(
    n: &Node<'_>,
    b: &mut GraphBuilder,
    (x, weight): (&Value, &Value),
    window: Window,
    kind: Kind,
) -> Result<Value> {
    let result = by_kernel(b, (x, weight), window, kind)?;
    match n.optional_tensor("bias")? {
        None => Ok(result),
        Some(bias) => {
            let shape = one_axis(result.rank() - 1, 0, result.dims()[1]);
            let bias = b.reshape(&bias, &shape)?;
            b.binary("add", &result, &bias)
        }
    }
}
