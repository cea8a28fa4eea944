//! Activations.

use super::row::{Row, row, rows};
use crate::{
    compose::activation::{
        SELU, clipped, gelu_by_tanh, gelu_of, leak, log_of_1_and_exp, log_sigmoid_of, mish_of,
        self_gated, softsign_of,
    },
    graph::{attr::Param, builder::GraphBuilder, error::Result, value::Value},
    torch::node::Node,
};

/// The family's rows.
pub const ROWS: &[Row] = &[
    row("celu", |n, b| elu(n, b, n.float_or("alpha", 1.0)?, true)),
    row("elu", |n, b| elu(n, b, n.float_or("alpha", 1.0)?, false)),
    row("gelu", gelu),
    row("glu", glu),
    row("hardsigmoid", |n, b| hard_sigmoid(b, &n.tensor("self")?)),
    row("hardswish", hard_swish),
    row("hardtanh", hard_tanh),
    row("leaky_relu", leaky_relu),
    row("log_sigmoid", log_sigmoid),
    rows("log_sigmoid_forward", |n, b| {
        // The operator of the derivative reads the second result.
        let size = b.unary("abs", &n.tensor("self")?)?;
        let negative = b.unary("negative", &size)?;
        Ok(vec![log_sigmoid(n, b)?, b.unary("exp", &negative)?])
    }),
    row("mish", mish),
    row("prelu", prelu),
    row("_prelu_kernel", prelu),
    row("relu", |n, b| b.unary("nn.relu", &n.tensor("self")?)),
    row("relu6", |n, b| clipped(b, &n.tensor("self")?, 0.0, 6.0)),
    row("rrelu", rrelu),
    rows("rrelu_with_noise_functional", |n, b| {
        Ok(vec![rrelu(n, b)?, n.tensor("noise")?])
    }),
    row("rrelu_with_noise", |n, b| {
        n.ignore(&["noise"]);
        rrelu(n, b)
    }),
    row("selu", selu),
    row("silu", silu),
    row("softplus", softplus),
    row("softshrink", softshrink),
    row("hardshrink", hardshrink),
    row("softsign", softsign),
    row("threshold", threshold),
];

fn elu(n: &Node<'_>, b: &mut GraphBuilder, alpha: f64, is_celu: bool) -> Result<Value> {
    let x = n.tensor("self")?;
    let scale = n.float_or("scale", 1.0)?;
    let input_scale = match is_celu {
        true => 1.0 / alpha,
        false => n.float_or("input_scale", 1.0)?,
    };
    exponential(b, &x, [alpha, scale, input_scale])
}

/// scale * x where x > 0, else scale * alpha * (exp(input_scale * x) - 1).
fn exponential(
    b: &mut GraphBuilder,
    x: &Value,
    [alpha, scale, input_scale]: [f64; 3],
) -> Result<Value> {
    // Where x is large the other side is chosen, and must not overflow.
    let low = clipped(b, x, f64::NEG_INFINITY, 0.0)?;
    let scaled = b.with_scalar("multiply", &low, input_scale)?;
    let exp = b.unary("exp", &scaled)?;
    let shifted = b.with_scalar("subtract", &exp, 1.0)?;
    let negative = b.with_scalar("multiply", &shifted, scale * alpha)?;
    let positive = b.with_scalar("multiply", x, scale)?;
    let is_positive = b.with_scalar("greater", x, 0.0)?;
    b.op("where", &[is_positive, positive, negative], &[])
}

fn selu(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let (scale, alpha) = SELU;
    exponential(b, &n.tensor("self")?, [alpha, scale, 1.0])
}

/// x * Phi(x), or its approximation by tanh.
fn gelu(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let x = n.tensor("self")?;
    match n.text("approximate")?.unwrap_or("none") {
        "none" => gelu_of(b, &x),
        "tanh" => gelu_by_tanh(b, &x),
        other => Err(format!("argument 'approximate' is '{other}'")),
    }
}

/// The first half of an axis times the sigmoid of the second.
fn glu(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let x = n.tensor("self")?;
    let axis = x.axis(n.int_or("dim", -1)?)?;
    let half = x.extent(axis)? / 2;
    let attrs = [
        ("indices", Param::Ints(vec![half])),
        ("axis", Param::Int(axis as i64)),
    ];
    let halves = b.ops("split", &[x], &attrs)?;
    let [first, second] = &halves[..] else {
        return Err("a split does not have two parts".into());
    };
    let gate = b.unary("sigmoid", second)?;
    b.binary("multiply", first, &gate)
}

/// clip(x + 3, 0, 6) / 6.
fn hard_sigmoid(b: &mut GraphBuilder, x: &Value) -> Result<Value> {
    let shifted = b.with_scalar("add", x, 3.0)?;
    let clipped = clipped(b, &shifted, 0.0, 6.0)?;
    b.with_scalar("divide", &clipped, 6.0)
}

fn hard_swish(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let x = n.tensor("self")?;
    let gate = hard_sigmoid(b, &x)?;
    b.binary("multiply", &x, &gate)
}

fn hard_tanh(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let (low, high) = (n.float_or("min_val", -1.0)?, n.float_or("max_val", 1.0)?);
    clipped(b, &n.tensor("self")?, low, high)
}

fn leaky_relu(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    leak(b, &n.tensor("self")?, n.float_or("negative_slope", 0.01)?)
}

/// Without training, the slope is the mean of its bounds.
fn rrelu(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    if n.bool_or("training", false)? {
        return Err(
            "argument 'training' is true: the slope is random; call eval() before the export"
                .into(),
        );
    }
    n.ignore(&["generator"]);
    let (low, high) = (n.float_or("lower", 0.125)?, n.float_or("upper", 1.0 / 3.0)?);
    leak(b, &n.tensor("self")?, (low + high) / 2.0)
}

fn log_sigmoid(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    log_sigmoid_of(b, &n.tensor("self")?)
}

fn mish(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    mish_of(b, &n.tensor("self")?)
}

/// A slope for each channel, or one for all.
fn prelu(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let (x, slope) = (n.tensor("self")?, n.tensor("weight")?);
    let scaled = match slope.dims() {
        [channels] if *channels != 1 && x.rank() > 1 => {
            let shape = crate::compose::subscript::one_axis(x.rank() - 1, 0, *channels);
            let slope = b.reshape(&slope, &shape)?;
            b.binary("multiply", &x, &slope)?
        }
        _ => b.binary("multiply", &x, &slope)?,
    };
    let is_positive = b.with_scalar("greater", &x, 0.0)?;
    b.op("where", &[is_positive, x, scaled], &[])
}

fn silu(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    self_gated(b, &n.tensor("self")?, 1.0)
}

fn softplus(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let x = n.tensor("self")?;
    let (beta, limit) = (n.float_or("beta", 1.0)?, n.float_or("threshold", 20.0)?);
    let scaled = b.with_scalar("multiply", &x, beta)?;
    let softplus = log_of_1_and_exp(b, &scaled)?;
    let result = b.with_scalar("divide", &softplus, beta)?;
    let is_far = b.with_scalar("greater", &scaled, limit)?;
    b.op("where", &[is_far, x, result], &[])
}

fn softshrink(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let x = n.tensor("self")?;
    let lambda = n.float_or("lambd", 0.5)?;
    let inner = clipped(b, &x, -lambda, lambda)?;
    b.binary("subtract", &x, &inner)
}

fn hardshrink(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let x = n.tensor("self")?;
    let size = b.unary("abs", &x)?;
    let is_far = b.with_scalar("greater", &size, n.float_or("lambd", 0.5)?)?;
    let zero = b.scalar(x.element(), 0.0);
    b.op("where", &[is_far, x, zero], &[])
}

fn softsign(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    softsign_of(b, &n.tensor("self")?)
}

fn threshold(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let x = n.tensor("self")?;
    let limit = n
        .float("threshold")?
        .ok_or("argument 'threshold' is missing")?;
    let value = n.float("value")?.ok_or("argument 'value' is missing")?;
    let is_above = b.with_scalar("greater", &x, limit)?;
    let value = b.scalar(x.element(), value);
    b.op("where", &[is_above, x, value], &[])
}
