//! Derivatives, as exported training steps have them.

use super::{
    loss::{Classes, MEAN, class_axis},
    row::{Row, row},
};
use crate::{
    compose::{linear::product, reduce::along, segment::segmented},
    graph::{
        builder::GraphBuilder,
        constant::{Const, Numbers},
        error::Result,
        value::Value,
    },
    torch::{node::Node, promote::of_values},
};
use relay_dialects::{
    dim::{self, Dim},
    element::Element,
};

/// The family's rows.
pub const ROWS: &[Row] = &[
    row("_log_softmax_backward_data", |n, b| {
        let (gradient, y, axis) = along_axis(n)?;
        let sum = along(b, "sum", &gradient, (&[axis], true))?;
        let exp = b.unary("exp", &y)?;
        let product = b.binary("multiply", &exp, &sum)?;
        b.binary("subtract", &gradient, &product)
    }),
    row("_softmax_backward_data", |n, b| {
        let (gradient, y, axis) = along_axis(n)?;
        let product = b.binary("multiply", &gradient, &y)?;
        let sum = along(b, "sum", &product, (&[axis], true))?;
        let rest = b.binary("subtract", &gradient, &sum)?;
        b.binary("multiply", &y, &rest)
    }),
    row("elu_backward", elu),
    row("gelu_backward", gelu),
    row("hardtanh_backward", |n, b| {
        let (gradient, x) = (n.tensor("grad_output")?, n.tensor("self")?);
        let bounds = (n.float_or("min_val", -1.0)?, n.float_or("max_val", 1.0)?);
        let is_within = within(b, &x, bounds)?;
        kept(b, is_within, &gradient)
    }),
    row("hardsigmoid_backward", |n, b| {
        let (gradient, x) = (n.tensor("grad_output")?, n.tensor("self")?);
        let is_within = within(b, &x, (-3.0, 3.0))?;
        let part = b.with_scalar("multiply", &gradient, 1.0 / 6.0)?;
        kept(b, is_within, &part)
    }),
    row("hardswish_backward", |n, b| {
        let (gradient, x) = (n.tensor("grad_output")?, n.tensor("self")?);
        let slope = b.with_scalar("multiply", &x, 1.0 / 3.0)?;
        let slope = b.with_scalar("add", &slope, 0.5)?;
        let part = b.binary("multiply", &gradient, &slope)?;
        let is_above = b.with_scalar("greater_equal", &x, 3.0)?;
        let part = b.op("where", &[is_above, gradient, part], &[])?;
        let is_there = b.with_scalar("greater", &x, -3.0)?;
        kept(b, is_there, &part)
    }),
    row("embedding_dense_backward", of_rows),
    row("leaky_relu_backward", |n, b| {
        n.ignore(&["self_is_result"]);
        let slope = n.float_or("negative_slope", 0.01)?;
        sloped(n, b, slope)
    }),
    row("log_sigmoid_backward", |n, b| {
        n.ignore(&["buffer"]);
        let (gradient, x) = (n.tensor("grad_output")?, n.tensor("self")?);
        let negative = b.unary("negative", &x)?;
        let gate = b.unary("sigmoid", &negative)?;
        b.binary("multiply", &gradient, &gate)
    }),
    row("mse_loss_backward", |n, b| {
        let (x, target) = (n.tensor("self")?, n.tensor("target")?);
        let difference = b.binary("subtract", &x, &target)?;
        let slope = b.with_scalar("multiply", &difference, 2.0)?;
        let gradient = b.binary("multiply", &n.tensor("grad_output")?, &slope)?;
        match n.int_or("reduction", MEAN)? {
            MEAN => b.with_size("divide", &gradient, dim::product(difference.dims())?),
            _ => Ok(gradient),
        }
    }),
    row("native_dropout_backward", |n, b| {
        let gradient = n.tensor("grad_output")?;
        let mask = b.cast(&n.tensor("mask")?, gradient.element())?;
        let kept = b.binary("multiply", &gradient, &mask)?;
        b.with_scalar("multiply", &kept, n.float_or("scale", 1.0)?)
    }),
    row("nll_loss_backward", of_classes),
    row("rrelu_with_noise_backward", |n, b| {
        n.ignore(&["self_is_result"]);
        let (low, high) = (n.float_or("lower", 0.125)?, n.float_or("upper", 1.0 / 3.0)?);
        // In training, the noise is the slope of each element.
        if n.bool_or("training", false)? && high - low > 1e-6 {
            n.ignore(&["self"]);
            let (gradient, noise) = (n.tensor("grad_output")?, n.tensor("noise")?);
            return b.binary("multiply", &gradient, &noise);
        }
        n.ignore(&["noise"]);
        sloped(n, b, (low + high) / 2.0)
    }),
    row("sigmoid_backward", |n, b| {
        let (gradient, y) = (n.tensor("grad_output")?, n.tensor("output")?);
        let square = b.binary("multiply", &y, &y)?;
        let factor = b.binary("subtract", &y, &square)?;
        b.binary("multiply", &gradient, &factor)
    }),
    row("silu_backward", |n, b| {
        let (gradient, x) = (n.tensor("grad_output")?, n.tensor("self")?);
        let gate = b.unary("sigmoid", &x)?;
        let rest = b.unary("negative", &gate)?;
        let rest = b.with_scalar("add", &rest, 1.0)?;
        let slope = b.binary("multiply", &x, &rest)?;
        let slope = b.with_scalar("add", &slope, 1.0)?;
        let slope = b.binary("multiply", &gate, &slope)?;
        b.binary("multiply", &gradient, &slope)
    }),
    row("softplus_backward", |n, b| {
        let (gradient, x) = (n.tensor("grad_output")?, n.tensor("self")?);
        let scaled = b.with_scalar("multiply", &x, n.float_or("beta", 1.0)?)?;
        let gate = b.unary("sigmoid", &scaled)?;
        let product = b.binary("multiply", &gradient, &gate)?;
        let is_far = b.with_scalar("greater", &scaled, n.float_or("threshold", 20.0)?)?;
        b.op("where", &[is_far, gradient, product], &[])
    }),
    row("upsample_nearest2d_backward", of_repeated),
    row("tanh_backward", |n, b| {
        let (gradient, y) = (n.tensor("grad_output")?, n.tensor("output")?);
        let square = b.binary("multiply", &y, &y)?;
        let product = b.binary("multiply", &gradient, &square)?;
        b.binary("subtract", &gradient, &product)
    }),
    row("threshold_backward", |n, b| {
        let (gradient, x) = (n.tensor("grad_output")?, n.tensor("self")?);
        let threshold = n.float_or("threshold", 0.0)?;
        let is_above = b.with_scalar("greater", &x, threshold)?;
        let gradient = b.cast(&gradient, of_values(&[gradient.clone(), x]))?;
        kept(b, is_above, &gradient)
    }),
];

/// The gradient, the result of the function, and the axis along which it is normalised.
fn along_axis(n: &Node<'_>) -> Result<(Value, Value, usize)> {
    n.ignore(&["input_dtype"]);
    let (gradient, y) = (n.tensor("grad_output")?, n.tensor("output")?);
    let axis = y.axis(n.required_int("dim")?)?;
    Ok((gradient, y, axis))
}

/// A gradient where a condition holds, and else 0.
fn kept(b: &mut GraphBuilder, condition: Value, gradient: &Value) -> Result<Value> {
    let zero = b.scalar(gradient.element(), 0.0);
    b.op("where", &[condition, gradient.clone(), zero], &[])
}

/// Whether elements lie between bounds.
fn within(b: &mut GraphBuilder, x: &Value, (low, high): (f64, f64)) -> Result<Value> {
    let is_above = b.with_scalar("greater", x, low)?;
    let is_below = b.with_scalar("less", x, high)?;
    b.binary("logical_and", &is_above, &is_below)
}

/// The sum of the gradients of each row of a table.
fn of_rows(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    if n.bool_or("scale_grad_by_freq", false)? {
        return Err("argument 'scale_grad_by_freq' is true, which is not supported".into());
    }
    let (gradient, indices) = (n.tensor("grad_output")?, n.tensor("indices")?);
    let count = n
        .dim(b, "num_weights")?
        .ok_or("argument 'num_weights' is missing")?;
    let padding = n.int_or("padding_idx", -1)?;
    let is_padding = b.with_scalar("equal", &indices, padding as f64)?;
    let nowhere = b.scalar(indices.element(), -1.0);
    let indices = b.op("where", &[is_padding, nowhere, indices], &[])?;
    segmented(b, (&gradient, &indices), count, "add", 0.0)
}

/// A gradient, times a slope where the input is not above 0.
fn sloped(n: &Node<'_>, b: &mut GraphBuilder, slope: f64) -> Result<Value> {
    let (gradient, x) = (n.tensor("grad_output")?, n.tensor("self")?);
    let less = b.with_scalar("multiply", &gradient, slope)?;
    let is_above = b.with_scalar("greater", &x, 0.0)?;
    b.op("where", &[is_above, gradient, less], &[])
}

fn elu(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let (gradient, x) = (n.tensor("grad_output")?, n.tensor("self_or_result")?);
    let (alpha, scale) = (n.float_or("alpha", 1.0)?, n.float_or("scale", 1.0)?);
    let of_input = n.float_or("input_scale", 1.0)?;
    // Below 0 the function is alpha * scale * (exp(of_input * x) - 1).
    let factor = match n.bool_or("is_result", false)? {
        true => {
            let sum = b.with_scalar("add", &x, alpha * scale)?;
            b.with_scalar("multiply", &sum, of_input)?
        }
        false => {
            let scaled = b.with_scalar("multiply", &x, of_input)?;
            let exp = b.unary("exp", &scaled)?;
            b.with_scalar("multiply", &exp, alpha * scale * of_input)?
        }
    };
    let below = b.binary("multiply", &gradient, &factor)?;
    let above = b.with_scalar("multiply", &gradient, scale)?;
    let is_below = b.with_scalar("less_equal", &x, 0.0)?;
    b.op("where", &[is_below, below, above], &[])
}

fn gelu(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let (gradient, x) = (n.tensor("grad_output")?, n.tensor("self")?);
    let factor = match n.text("approximate")? {
        None | Some("none") => {
            // The distribution of a normal variable, and x times its density.
            let scaled = b.with_scalar("multiply", &x, std::f64::consts::FRAC_1_SQRT_2)?;
            let erf = b.unary("erf", &scaled)?;
            let sum = b.with_scalar("add", &erf, 1.0)?;
            let share = b.with_scalar("multiply", &sum, 0.5)?;
            let square = b.binary("multiply", &x, &x)?;
            let exponent = b.with_scalar("multiply", &square, -0.5)?;
            let exp = b.unary("exp", &exponent)?;
            let density =
                b.with_scalar("multiply", &exp, (2.0 * std::f64::consts::PI).powf(-0.5))?;
            let product = b.binary("multiply", &x, &density)?;
            b.binary("add", &share, &product)?
        }
        Some(_) => gelu_by_tanh(b, &x)?,
    };
    b.binary("multiply", &gradient, &factor)
}

/// The derivative of x * (1 + tanh(beta * (x + kappa * x^3))) / 2.
fn gelu_by_tanh(b: &mut GraphBuilder, x: &Value) -> Result<Value> {
    let (beta, kappa) = ((2.0 / std::f64::consts::PI).sqrt(), 0.044715);
    let square = b.binary("multiply", x, x)?;
    let more = b.with_scalar("multiply", &square, kappa)?;
    let more = b.with_scalar("add", &more, 1.0)?;
    let inner = b.binary("multiply", x, &more)?;
    let inner = b.with_scalar("multiply", &inner, beta)?;
    let tanh = b.unary("tanh", &inner)?;
    let slope = b.with_scalar("multiply", &square, 3.0 * kappa * beta)?;
    let slope = b.with_scalar("add", &slope, beta)?;
    let of_tanh = b.binary("multiply", &tanh, &tanh)?;
    let of_tanh = b.unary("negative", &of_tanh)?;
    let of_tanh = b.with_scalar("add", &of_tanh, 1.0)?;
    let right = b.binary("multiply", x, &of_tanh)?;
    let right = b.binary("multiply", &right, &slope)?;
    let left = b.with_scalar("add", &tanh, 1.0)?;
    let sum = b.binary("add", &left, &right)?;
    b.with_scalar("multiply", &sum, 0.5)
}

/// Less the weight of each sample, at its class.
fn of_classes(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let (x, mut gradient) = (n.tensor("self")?, n.tensor("grad_output")?);
    let axis = class_axis(&x)?;
    let Classes { classes, weights } = Classes::read(n, b, &x, axis)?;
    match n.int_or("reduction", MEAN)? {
        MEAN => gradient = b.binary("divide", &gradient, &n.tensor("total_weight")?)?,
        _ => n.ignore(&["total_weight"]),
    }
    let scaled = b.binary("multiply", &weights, &gradient)?;
    let negative = b.unary("negative", &scaled)?;
    let mut shape = x.dims().to_vec();
    shape[axis] = Dim::Known(1);
    let (negative, classes) = (b.reshape(&negative, &shape)?, b.reshape(&classes, &shape)?);
    let places = b.iota(Element::I64, x.dims(), axis)?;
    let classes = b.cast(&classes, Element::I64)?;
    let is_class = b.binary("equal", &places, &classes)?;
    kept(b, is_class, &negative)
}

/// The sum of the gradients of all elements of an image that repeat one of a smaller image.
fn of_repeated(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let mut gradient = n.tensor("grad_output")?;
    let size = n.ints_of("input_size", 4, 1)?;
    n.ignore(&["output_size"]);
    if gradient.rank() != 4 {
        return Err(format!(
            "a gradient of shape {:?} is no image",
            gradient.dims()
        ));
    }
    for (axis, scale) in [(3, n.float("scales_w")?), (2, n.float("scales_h")?)] {
        let (from, to) = (gradient.extent(axis)?, size[axis]);
        if from
            .checked_mul(to)
            .is_none_or(|count| count > MOST_NUMBERS)
            || to < 1
        {
            return Err(format!(
                "{from} elements that repeat {to} are not supported"
            ));
        }
        let step = match scale {
            Some(scale) if scale > 0.0 => (1.0 / scale) as f32,
            _ => to as f32 / from as f32,
        };
        let sources = (0..from).map(|place| ((place as f32 * step) as i64).min(to - 1));
        let flags = sources
            .flat_map(|source| (0..to).map(move |place| f64::from(u8::from(place == source))));
        let flags = Const::new(
            gradient.element(),
            vec![from, to],
            &Numbers::Floats(flags.collect()),
        );
        let mut order = vec![0, 1, 2, 3];
        order.swap(axis, 3);
        let rows = b.transpose(&gradient, &order)?;
        let sums = product(b, &rows, &b.known(flags))?;
        gradient = b.transpose(&sums, &order)?;
    }
    Ok(gradient)
}

/// The most numbers of a matrix that is computed while a model is imported.
const MOST_NUMBERS: i64 = 1 << 24;
