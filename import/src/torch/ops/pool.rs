//! Pooling.

use super::row::{Row, row};
use crate::{
    compose::{reduce::along, sliding::Window},
    graph::{
        attr::Param,
        builder::GraphBuilder,
        constant::element_count,
        error::Result,
        value::{Value, is_open},
    },
    torch::node::Node,
};
use relay_dialects::{dim::Dim, index::ceil_div, relay::ops::window::LARGEST};

/// The family's rows.
pub const ROWS: &[Row] = &[
    row("adaptive_avg_pool1d", |n, b| {
        adaptive(n, b, (1, "mean", ADAPTIVE_AVERAGE))
    }),
    row("adaptive_avg_pool2d", |n, b| {
        adaptive(n, b, (2, "mean", ADAPTIVE_AVERAGE))
    }),
    row("adaptive_avg_pool3d", |n, b| {
        adaptive(n, b, (3, "mean", ADAPTIVE_AVERAGE))
    }),
    row("_adaptive_avg_pool2d", |n, b| {
        adaptive(n, b, (2, "mean", ADAPTIVE_AVERAGE))
    }),
    row("_adaptive_avg_pool3d", |n, b| {
        adaptive(n, b, (3, "mean", ADAPTIVE_AVERAGE))
    }),
    row("avg_pool1d", |n, b| average(n, b, 1)),
    row("avg_pool2d", |n, b| average(n, b, 2)),
    row("avg_pool3d", |n, b| average(n, b, 3)),
    row("avg_pool2d_backward", average_gradient),
    row("max_pool1d", |n, b| max(n, b, 1)),
    row("max_pool2d", |n, b| max(n, b, 2)),
    row("max_pool3d", |n, b| max(n, b, 3)),
];

const LAYOUTS: [&str; 3] = ["NCW", "NCHW", "NCDHW"];
const MAX: [&str; 3] = ["nn.max_pool1d", "nn.max_pool2d", "nn.max_pool3d"];
const AVERAGE: [&str; 3] = ["nn.avg_pool1d", "nn.avg_pool2d", "nn.avg_pool3d"];
const ADAPTIVE_MAX: [&str; 3] = [
    "nn.adaptive_max_pool1d",
    "nn.adaptive_max_pool2d",
    "nn.adaptive_max_pool3d",
];
const ADAPTIVE_AVERAGE: [&str; 3] = [
    "nn.adaptive_avg_pool1d",
    "nn.adaptive_avg_pool2d",
    "nn.adaptive_avg_pool3d",
];

/// The input with an axis for samples, and whether it came without.
pub fn batched(b: &mut GraphBuilder, x: Value, axes: usize) -> Result<(Value, bool)> {
    match x.rank() {
        rank if rank == axes + 2 => Ok((x, false)),
        rank if rank == axes + 1 => {
            let shape = [&[Dim::Known(1)], x.dims()].concat();
            Ok((b.reshape(&x, &shape)?, true))
        }
        _ => Err(format!(
            "an input of shape {:?} has no {axes} spatial axes",
            x.dims()
        )),
    }
}

/// The result without the axis for samples if the input had none.
pub fn unbatched(b: &mut GraphBuilder, x: Value, is_single: bool) -> Result<Value> {
    match is_single {
        true => b.reshape(&x, &x.dims()[1..]),
        false => Ok(x),
    }
}

/// Attributes of an operator.
type Attrs = Vec<(&'static str, Param)>;

/// The windows of a pool.
pub struct Windows {
    kernel: Vec<i64>,
    strides: Vec<i64>,
    padding: Vec<i64>,
    dilation: Vec<i64>,
    /// Whether the number of windows is rounded up.
    rounds_up: bool,
}

impl Windows {
    /// The windows of a node.
    pub fn read(n: &Node<'_>, axes: usize) -> Result<Self> {
        let kernel = n.ints_of("kernel_size", axes, 1)?;
        let strides = match n.ints("stride")?.is_some_and(|strides| !strides.is_empty()) {
            true => n.ints_of("stride", axes, 1)?,
            false => kernel.clone(),
        };
        Ok(Self {
            kernel,
            strides,
            padding: n.ints_of("padding", axes, 0)?,
            dilation: n.ints_of("dilation", axes, 1)?,
            rounds_up: n.bool_or("ceil_mode", false)?,
        })
    }

    /// The attributes of an operator, without the padding.
    fn attrs(&self) -> Attrs {
        vec![
            ("pool_size", Param::Ints(self.kernel.clone())),
            ("strides", Param::Ints(self.strides.clone())),
            ("dilation", Param::Ints(self.dilation.clone())),
            ("layout", Param::Str(LAYOUTS[self.kernel.len() - 1])),
            ("ceil_mode", Param::Bool(self.rounds_up)),
        ]
    }

    /// The windows as they slide over an image, with padding at its end for the last one where their number is rounded up.
    pub fn over(self, image: &[Dim]) -> Result<Window> {
        let fit = |values: &[i64], least: i64| {
            values.iter().all(|value| (least..=LARGEST).contains(value))
        };
        if !fit(&self.kernel, 1)
            || !fit(&self.strides, 1)
            || !fit(&self.dilation, 1)
            || !fit(&self.padding, 0)
        {
            return Err("a kernel, stride, dilation or padding is out of range".into());
        }
        let mut window = Window {
            after: self.padding.clone(),
            before: self.padding,
            kernel: self.kernel,
            strides: self.strides,
            dilations: self.dilation,
            around: Vec::new(),
        };
        window.check_fit(image)?;
        for (axis, extent) in image.iter().enumerate().filter(|_| self.rounds_up) {
            let extent = extent.known().ok_or_else(|| is_open(*extent))?;
            let (stride, before) = (window.strides[axis], window.before[axis]);
            let room = extent + 2 * before - window.span(axis);
            // Rounded up, except for a window that would start in the padding at the end.
            let mut rounded = ceil_div(room, stride);
            rounded -= i64::from(rounded * stride >= extent + before);
            window.after[axis] += (rounded * stride - room).max(0);
        }
        Ok(window)
    }
}

/// The greatest element of each window.
pub fn max(n: &Node<'_>, b: &mut GraphBuilder, axes: usize) -> Result<Value> {
    let (x, is_single) = batched(b, n.tensor("self")?, axes)?;
    let windows = Windows::read(n, axes)?;
    let mut attrs = windows.attrs();
    attrs.push(("padding", Param::Ints(windows.padding.repeat(2))));
    let result = b.op(MAX[axes - 1], &[x], &attrs)?;
    unbatched(b, result, is_single)
}

/// Padding of the model counts if it says so; what rounding up adds to that never does.
fn average(n: &Node<'_>, b: &mut GraphBuilder, axes: usize) -> Result<Value> {
    let (mut x, is_single) = batched(b, n.tensor("self")?, axes)?;
    let windows = Windows::read(n, axes)?;
    let (mut attrs, mut padding) = (windows.attrs(), windows.padding.clone());
    let mut counts = n.bool_or("count_include_pad", true)?;
    let rounds_up = n.bool_or("ceil_mode", false)?;
    let divisor = n.int("divisor_override")?;
    if divisor.is_some() || (counts && rounds_up) {
        let zero = b.scalar(x.element(), 0.0);
        let mut widths = vec![0; 4];
        widths.extend(padding.iter().flat_map(|width| [*width; 2]));
        x = b.pad(&x, &zero, &widths, "constant")?;
        padding = vec![0; axes];
        counts = false;
    }
    attrs.push(("padding", Param::Ints(padding.repeat(2))));
    attrs.push(("count_include_pad", Param::Bool(counts)));
    let mut result = b.op(AVERAGE[axes - 1], &[x], &attrs)?;
    if let Some(divisor) = divisor {
        if rounds_up {
            return Err(
                "arguments 'divisor_override' and 'ceil_mode' together are not supported".into(),
            );
        }
        let elements = element_count(&n.ints_of("kernel_size", axes, 1)?)?;
        result = b.with_scalar("multiply", &result, elements as f64 / divisor as f64)?;
    }
    unbatched(b, result, is_single)
}

/// The gradient of each window, shared by its elements.
fn average_gradient(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let (gradient, _) = batched(b, n.tensor("grad_output")?, 2)?;
    let (x, is_single) = batched(b, n.tensor("self")?, 2)?;
    let windows = Windows::read(n, 2)?;
    let mut attrs = windows.attrs();
    attrs.push(("padding", Param::Ints(windows.padding.repeat(2))));
    attrs.push((
        "count_include_pad",
        Param::Bool(n.bool_or("count_include_pad", true)?),
    ));
    if windows.rounds_up {
        return Err("argument 'ceil_mode' is true, which is not supported".into());
    }
    let result = b.op("nn.avg_pool2d_grad", &[gradient, x], &attrs)?;
    unbatched(b, result, is_single)
}

/// So many windows over all of an image.
fn adaptive(
    n: &Node<'_>,
    b: &mut GraphBuilder,
    (axes, reduce, operators): (usize, &str, [&str; 3]),
) -> Result<Value> {
    let (x, is_single) = batched(b, n.tensor("self")?, axes)?;
    let size = n.ints_of("output_size", axes, 1)?;
    let result = match (size.iter().all(|size| *size == 1), x.rank()) {
        (true, 4) => {
            let op = match reduce {
                "mean" => "nn.global_avg_pool2d",
                _ => "nn.global_max_pool2d",
            };
            b.op(op, &[x], &[("layout", Param::Str("NCHW"))])?
        }
        (true, rank) => along(b, reduce, &x, (&(2..rank).collect::<Vec<_>>(), true))?,
        (false, _) => {
            let attrs = [
                ("output_size", Param::Ints(size)),
                ("layout", Param::Str(LAYOUTS[axes - 1])),
            ];
            b.op(operators[axes - 1], &[x], &attrs)?
        }
    };
    unbatched(b, result, is_single)
}

/// The greatest element of each of so many windows over all of an image.
pub fn adaptive_max(n: &Node<'_>, b: &mut GraphBuilder, axes: usize) -> Result<Value> {
    adaptive(n, b, (axes, "max", ADAPTIVE_MAX))
}
