//! Activation functions.

use super::row::{Row, row};
use crate::{
    compose::activation::{
        clipped, exponential_below_zero, gelu_by_tanh, gelu_of, leak, log_of_1_and_exp, mish_of,
        self_gated, softsign_of,
    },
    graph::{
        attr::Param,
        builder::GraphBuilder,
        error::Result,
        value::{Value, are_equal, broadcasts},
    },
    onnx::node::Node,
};
use relay_dialects::dim::Dim;

/// The family's rows.
pub const ROWS: &[Row] = &[
    row("Celu", 12, celu),
    row("Clip", 1, clip_attrs).until(10),
    row("Clip", 11, clip_inputs),
    row("Elu", 1, elu),
    row("Gelu", 20, gelu),
    row("HardSigmoid", 1, hard_sigmoid),
    row("HardSwish", 14, hard_swish),
    row("LeakyRelu", 1, leaky_relu),
    row("Mish", 18, mish),
    row("PRelu", 1, prelu),
    row("Relu", 1, |n, b| simple(n, b, "nn.relu")),
    row("Selu", 1, selu),
    row("Shrink", 9, shrink),
    row("Sigmoid", 1, |n, b| simple(n, b, "sigmoid")),
    row("Softplus", 1, softplus),
    row("Softsign", 1, softsign),
    row("SwiGLU", 28, swiglu),
    row("Swish", 24, swish),
    row("Tanh", 1, |n, b| simple(n, b, "tanh")),
    row("ThresholdedRelu", 1, thresholded_relu),
];

/// An activation of a recurrent operator, by its name there. Numbers that are not given are the defaults of the operator of that name.
pub(super) fn activated(
    b: &mut GraphBuilder,
    name: &str,
    x: &Value,
    (alpha, beta): (Option<f64>, Option<f64>),
) -> Result<Value> {
    let line = |alpha, beta| match (alpha, beta) {
        (Some(alpha), Some(beta)) => Ok((alpha, beta)),
        _ => Err(format!("the activation {name} lacks its alpha or beta")),
    };
    match name {
        "Affine" => {
            let (alpha, beta) = line(alpha, beta)?;
            let scaled = b.with_scalar("multiply", x, alpha)?;
            b.with_scalar("add", &scaled, beta)
        }
        "Elu" => exponential_below_zero(b, x, x, alpha.unwrap_or(1.0)),
        "HardSigmoid" => clipped_line(b, x, alpha.unwrap_or(0.2), beta.unwrap_or(0.5)),
        "LeakyRelu" => leak(b, x, alpha.unwrap_or(0.01)),
        "Relu" => b.unary("nn.relu", x),
        "ScaledTanh" => {
            let (alpha, beta) = line(alpha, beta)?;
            let scaled = b.with_scalar("multiply", x, beta)?;
            let tanh = b.unary("tanh", &scaled)?;
            b.with_scalar("multiply", &tanh, alpha)
        }
        "Sigmoid" => b.unary("sigmoid", x),
        "Softplus" => log_of_1_and_exp(b, x),
        "Softsign" => softsign_of(b, x),
        "Tanh" => b.unary("tanh", x),
        "ThresholdedRelu" => above(b, x, alpha.unwrap_or(1.0)),
        other => Err(format!("the activation {other} is not supported")),
    }
}

fn simple(n: &Node<'_>, b: &mut GraphBuilder, name: &str) -> Result<Vec<Value>> {
    n.check_inputs(1)?;
    Ok(vec![b.unary(name, &n.input(0)?)?])
}

fn clip_attrs(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(1)?;
    let low = n.attr_f32_or("min", f32::MIN)?;
    let high = n.attr_f32_or("max", f32::MAX)?;
    Ok(vec![clipped(b, &n.input(0)?, low, high)?])
}

/// Bounds are tensors of rank 0, either of which may be absent.
fn clip_inputs(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(3)?;
    let x = n.input(0)?;
    let (low, high) = (n.optional(1), n.optional(2));
    let number = |bound: &Option<Value>| bound.as_ref().and_then(Value::scalar);
    // The op's bounds are doubles, which do not hold every integer. It refuses a lower bound above the upper one, where ONNX's result is
    // the upper one.
    if let (true, Some(low), Some(high)) = (x.element().is_float(), number(&low), number(&high))
        && low <= high
    {
        return Ok(vec![clipped(b, &x, low, high)?]);
    }
    let mut result = x.clone();
    for (bound, op) in [(low, "maximum"), (high, "minimum")] {
        if let Some(bound) = bound {
            if bound.dims().iter().any(|&dim| dim != 1) || bound.rank() > x.rank() {
                return Err(format!(
                    "a bound has shape {:?}, expected a scalar",
                    bound.dims()
                ));
            }
            result = b.binary(op, &result, &bound)?;
        }
    }
    Ok(vec![result])
}

fn elu(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(1)?;
    let alpha = n.attr_f32_or("alpha", 1.0)?;
    let x = n.input(0)?;
    Ok(vec![exponential_below_zero(b, &x, &x, alpha)?])
}

/// This is ELU with the exponential of `x / alpha`.
fn celu(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(1)?;
    let alpha = n.attr_f32_or("alpha", 1.0)?;
    let x = n.input(0)?;
    let exponent = b.with_scalar("divide", &x, alpha)?;
    Ok(vec![exponential_below_zero(b, &x, &exponent, alpha)?])
}

/// `gamma` times an ELU.
fn selu(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(1)?;
    let alpha = n.attr_f32_or("alpha", 1.673_263_2)?;
    let gamma = n.attr_f32_or("gamma", 1.050_701)?;
    let x = n.input(0)?;
    let elu = exponential_below_zero(b, &x, &x, alpha)?;
    Ok(vec![b.with_scalar("multiply", &elu, gamma)?])
}

fn softplus(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(1)?;
    Ok(vec![log_of_1_and_exp(b, &n.input(0)?)?])
}

fn mish(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(1)?;
    Ok(vec![mish_of(b, &n.input(0)?)?])
}

fn swish(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(1)?;
    let alpha = n.attr_f32_or("alpha", 1.0)?;
    Ok(vec![self_gated(b, &n.input(0)?, alpha)?])
}

/// Swish of the first input, times the second.
fn swiglu(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(2)?;
    let (gate, x) = (n.input(0)?, n.input(1)?);
    if !are_equal(gate.dims(), x.dims()) {
        return Err(format!(
            "the inputs have shapes {:?} and {:?}, expected the same",
            gate.dims(),
            x.dims()
        ));
    }
    let gate = self_gated(b, &gate, n.attr_f32_or("alpha", 1.0)?)?;
    Ok(vec![b.binary("multiply", &gate, &x)?])
}

/// `x + bias` below `-lambd`, `x - bias` above `lambd`, else 0.
fn shrink(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(1)?;
    let x = n.input(0)?;
    let lambd = n.attr_f32_or("lambd", 0.5)?;
    let bias = n.attr_f32_or("bias", 0.0)?;
    if !x.element().is_float() {
        return Err("the input is not of floats; only those are supported".into());
    }
    let (below, above) = (
        b.with_scalar("less", &x, -lambd)?,
        b.with_scalar("greater", &x, lambd)?,
    );
    let (raised, lowered) = (
        b.with_scalar("add", &x, bias)?,
        b.with_scalar("subtract", &x, bias)?,
    );
    let zero = b.scalar(x.element(), 0.0);
    let rest = b.op("where", &[above, lowered, zero], &[])?;
    Ok(vec![b.op("where", &[below, raised, rest], &[])?])
}

fn softsign(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(1)?;
    Ok(vec![softsign_of(b, &n.input(0)?)?])
}

fn thresholded_relu(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(1)?;
    let alpha = n.attr_f32_or("alpha", 1.0)?;
    Ok(vec![above(b, &n.input(0)?, alpha)?])
}

/// `x` where it is more than `alpha`, else 0.
fn above(b: &mut GraphBuilder, x: &Value, alpha: f64) -> Result<Value> {
    let above = b.with_scalar("greater", x, alpha)?;
    let zero = b.scalar(x.element(), 0.0);
    b.op("where", &[above, x.clone(), zero], &[])
}

fn gelu(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(1)?;
    let x = n.input(0)?;
    Ok(vec![match n.attr_str_or("approximate", "none")?.as_str() {
        "none" => gelu_of(b, &x)?,
        "tanh" => gelu_by_tanh(b, &x)?,
        other => {
            return Err(format!(
                "attribute 'approximate' is '{other}', expected none or tanh"
            ));
        }
    }])
}

fn hard_sigmoid(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(1)?;
    let alpha = n.attr_f32_or("alpha", 0.2)?;
    let beta = n.attr_f32_or("beta", 0.5)?;
    Ok(vec![clipped_line(b, &n.input(0)?, alpha, beta)?])
}

fn hard_swish(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(1)?;
    let x = n.input(0)?;
    let gate = clipped_line(b, &x, 1.0 / 6.0, 0.5)?;
    Ok(vec![b.binary("multiply", &x, &gate)?])
}

/// `max(0, min(1, alpha * x + beta))`.
fn clipped_line(b: &mut GraphBuilder, x: &Value, alpha: f64, beta: f64) -> Result<Value> {
    let scaled = b.with_scalar("multiply", x, alpha)?;
    let moved = b.with_scalar("add", &scaled, beta)?;
    clipped(b, &moved, 0.0, 1.0)
}

fn leaky_relu(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(1)?;
    let alpha = n.attr_f32_or("alpha", 0.01)?;
    Ok(vec![leak(b, &n.input(0)?, alpha)?])
}

/// `nn.prelu` if there is one slope per channel, else by selection.
fn prelu(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(2)?;
    let (x, mut slope) = (n.input(0)?, n.input(1)?);
    // Before operator set 7 a list has a slope for each channel.
    if n.opset < 7 && slope.rank() == 1 && x.rank() > 2 {
        let shape = [slope.dims(), &vec![Dim::Known(1); x.rank() - 2]].concat();
        slope = b.reshape(&slope, &shape)?;
    }
    if !broadcasts(slope.dims(), x.dims()) {
        return Err(format!(
            "slope of shape {:?} does not broadcast to {:?}",
            slope.dims(),
            x.dims()
        ));
    }
    let channel = (x.rank() >= 2).then(|| x.dims()[1]);
    let position = (slope.rank() + 1).checked_sub(x.rank());
    if let (Some(channels), Some(position)) = (channel, position) {
        let per_channel = slope.dims().iter().enumerate().all(|(axis, &dim)| {
            if axis == position {
                dim == channels
            } else {
                dim == 1
            }
        });
        if per_channel && position < slope.rank() {
            let slope = b.reshape(&slope, &[channels])?;
            return Ok(vec![b.op(
                "nn.prelu",
                &[x, slope],
                &[("axis", Param::Int(1))],
            )?]);
        }
    }
    let scaled = b.binary("multiply", &x, &slope)?;
    let negative = b.with_scalar("less", &x, 0.0)?;
    Ok(vec![b.op("where", &[negative, scaled, x], &[])?])
}
