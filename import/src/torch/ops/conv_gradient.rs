//! Derivatives of convolutions.

use super::{
    conv::{Kind, Window, by_kernel},
    row::{Row, rows},
};
use crate::{
    compose::{reduce::along, slice::sliced},
    graph::{attr::Param, builder::GraphBuilder, error::Result, value::Value},
    torch::node::Node,
};
use relay_dialects::dim::Dim;

/// The family's rows.
pub const ROWS: &[Row] = &[rows("convolution_backward", gradients)];

/// The gradients of the data, the kernel and the bias, as far as they are asked for.
fn gradients(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.ignore(&["bias_sizes"]);
    let (gradient, x) = (n.tensor("grad_output")?, n.tensor("input")?);
    let weight = n.tensor("weight")?;
    let axes = weight.rank().checked_sub(2).filter(|axes| {
        (1..=3).contains(axes) && x.rank() == axes + 2 && gradient.rank() == x.rank()
    });
    let axes = axes.ok_or_else(|| {
        format!(
            "a kernel of shape {:?} for an input of shape {:?} is not supported",
            weight.dims(),
            x.dims()
        )
    })?;
    let kernel = weight.shape()?[2..].to_vec();
    let is_transposed = n.bool_or("transposed", false)?;
    let asked = n.ints("output_mask")?.unwrap_or_else(|| vec![1; 3]);
    let is_asked = |place: usize| asked.get(place).is_some_and(|flag| *flag != 0);
    let mut results = Vec::new();
    if is_asked(0) {
        let window = Window::read(n, &kernel)?;
        results.push(match is_transposed {
            true => by_kernel(b, (&gradient, &weight), window, Kind::Forward)?,
            false => {
                let window = filled_up(window, (&gradient, &x), &kernel)?;
                by_kernel(b, (&gradient, &weight), window, Kind::Transposed)?
            }
        });
    }
    if is_asked(1) {
        let window = Window::read(n, &kernel)?;
        // In a transposed convolution, the data and the gradient of the result change places.
        let pair = match is_transposed {
            true => (&x, &gradient),
            false => (&gradient, &x),
        };
        results.push(match axes {
            3 => of_volumes(b, pair, &kernel, &window)?,
            _ => of_images(b, pair, &kernel, &window)?,
        });
    }
    if is_asked(2) {
        let others: Vec<usize> = (0..gradient.rank()).filter(|axis| *axis != 1).collect();
        results.push(along(b, "sum", &gradient, (&others, false))?);
    }
    Ok(results)
}

/// The window of the transposed convolution that has a result of the extents of the data.
fn filled_up(
    mut window: Window,
    (gradient, x): (&Value, &Value),
    kernel: &[i64],
) -> Result<Window> {
    for (axis, kernel) in kernel.iter().enumerate() {
        let span = (kernel - 1).saturating_mul(window.dilation[axis]) + 1;
        let steps = gradient.dims()[axis + 2]
            .minus(1)?
            .times(window.strides[axis])?;
        let padding = window.before[axis] + window.after[axis];
        let covered = steps.plus(span)?.plus(padding.saturating_neg())?;
        let missing = x.dims()[axis + 2].minus(covered)?.known();
        window.output_padding[axis] = missing.ok_or_else(|| {
            format!(
                "how many elements of {} no window meets is open; give the sizes with --dim",
                x.dims()[axis + 2]
            )
        })?;
    }
    Ok(window)
}

/// The gradient of the kernel of a convolution of images, or of lines, which are images of one row.
fn of_images(
    b: &mut GraphBuilder,
    (gradient, x): (&Value, &Value),
    kernel: &[i64],
    window: &Window,
) -> Result<Value> {
    let is_line = kernel.len() == 1;
    let image = |b: &mut GraphBuilder, value: &Value| match is_line {
        true => {
            let mut shape = value.dims().to_vec();
            shape.insert(2, Dim::Known(1));
            b.reshape(value, &shape)
        }
        false => Ok(value.clone()),
    };
    let numbers = |values: &[i64], one: i64| match is_line {
        true => vec![one, values[0]],
        false => values.to_vec(),
    };
    let padding = [numbers(&window.before, 0), numbers(&window.after, 0)].concat();
    let attrs = [
        ("kernel_size", Param::Ints(numbers(kernel, 1))),
        ("strides", Param::Ints(numbers(&window.strides, 1))),
        ("padding", Param::Ints(padding)),
        ("dilation", Param::Ints(numbers(&window.dilation, 1))),
        ("groups", Param::Int(window.groups)),
        ("data_layout", Param::Str("NCHW")),
        ("kernel_layout", Param::Str("NCHW")),
        ("out_layout", Param::Str("OIHW")),
    ];
    let operands = [image(b, gradient)?, image(b, x)?];
    let found = b.op("nn.conv2d_backward_weight", &operands, &attrs)?;
    match is_line {
        true => b.reshape(&found, &[found.dims()[0], found.dims()[1], found.dims()[3]]),
        false => Ok(found),
    }
}

/// The most groups of channels of volumes: each is a convolution.
const MOST_GROUPS: i64 = 1 << 6;

/// The gradient of the kernel of a convolution of volumes. It is the convolution of the data, whose samples count as channels, by the gradient
/// of the result: the strides of the one are the dilations of the other.
fn of_volumes(
    b: &mut GraphBuilder,
    (gradient, x): (&Value, &Value),
    kernel: &[i64],
    window: &Window,
) -> Result<Value> {
    let groups = window.groups;
    if groups > MOST_GROUPS {
        return Err(format!(
            "{groups} groups of channels are too many; up to {MOST_GROUPS} are supported"
        ));
    }
    let (inputs, outputs) = (x.extent(1)? / groups, gradient.extent(1)? / groups);
    let mut parts = Vec::new();
    for group in 0..groups {
        let mut turned = |value: &Value, count: i64| {
            let (start, end) = (Dim::Known(group * count), Dim::Known((group + 1) * count));
            let part = sliced(b, value, &[(1, start, end, 1)])?;
            b.transpose(&part, &[1, 0, 2, 3, 4])
        };
        let (x, gradient) = (turned(x, inputs)?, turned(gradient, outputs)?);
        let swapped = Window {
            strides: window.dilation.clone(),
            dilation: window.strides.clone(),
            before: window.before.clone(),
            after: window.after.clone(),
            groups: 1,
            output_padding: vec![0; kernel.len()],
        };
        let found = by_kernel(b, (&x, &gradient), swapped, Kind::Forward)?;
        // Elements of the data that no window meets make more.
        let cuts = kernel.iter().enumerate();
        let cuts: Vec<_> = cuts
            .map(|(axis, extent)| (axis + 2, Dim::Known(0), Dim::Known(*extent), 1))
            .collect();
        let found = sliced(b, &found, &cuts)?;
        parts.push(b.transpose(&found, &[1, 0, 2, 3, 4])?);
    }
    b.concatenate(&parts, 0)
}
