//! Derivatives, as exported training steps have them.

use super::{
    loss::{Classes, MEAN, class_axis},
    row::{Row, row},
};
use crate::{
    compose::reduce::along,
    graph::{builder::GraphBuilder, error::Result, value::Value},
    torch::node::Node,
};
use relay_dialects::{dim::Dim, element::Element};

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
        let is_above = b.with_scalar("greater", &x, n.float_or("min_val", -1.0)?)?;
        let is_below = b.with_scalar("less", &x, n.float_or("max_val", 1.0)?)?;
        let is_within = b.binary("logical_and", &is_above, &is_below)?;
        kept(b, is_within, &gradient)
    }),
    row("leaky_relu_backward", |n, b| {
        n.ignore(&["self_is_result"]);
        let slope = n.float_or("negative_slope", 0.01)?;
        sloped(n, b, slope)
    }),
    row("nll_loss_backward", of_classes),
    row("rrelu_with_noise_backward", |n, b| {
        n.ignore(&["self_is_result"]);
        let (low, high) = (n.float_or("lower", 0.125)?, n.float_or("upper", 1.0 / 3.0)?);
        // In training, the noise is the slope of each element.
        if n.bool_or("training", false)? && high - low > 1e-6 {
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
    row("softplus_backward", |n, b| {
        let (gradient, x) = (n.tensor("grad_output")?, n.tensor("self")?);
        let scaled = b.with_scalar("multiply", &x, n.float_or("beta", 1.0)?)?;
        let gate = b.unary("sigmoid", &scaled)?;
        let product = b.binary("multiply", &gradient, &gate)?;
        let is_far = b.with_scalar("greater", &scaled, n.float_or("threshold", 20.0)?)?;
        b.op("where", &[is_far, gradient, product], &[])
    }),
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
