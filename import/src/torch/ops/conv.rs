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
struct Window {
    strides: Vec<i64>,
    before: Vec<i64>,
    after: Vec<i64>,
    dilation: Vec<i64>,
    groups: i64,
    /// More rows and columns at the end of the result of a transposed convolution.
    output_padding: Vec<i64>,
}

impl Window {
    fn read(n: &Node<'_>, kernel: &[i64]) -> Result<Self> {
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
enum Kind {
    Forward,
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

fn with_bias(
    n: &Node<'_>,
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
    let result = b.op(op, &[x.clone(), weight.clone()], &attrs)?;
    match n.optional_tensor("bias")? {
        None => Ok(result),
        Some(bias) => {
            let shape = one_axis(result.rank() - 1, 0, result.dims()[1]);
            let bias = b.reshape(&bias, &shape)?;
            b.binary("add", &result, &bias)
        }
    }
}
