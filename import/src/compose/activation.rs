//! Functions of elements that networks put between their layers.

use crate::graph::{attr::Param, builder::GraphBuilder, error::Result, value::Value};

/// The scale and the slope of SELU (Klambauer et al., "Self-Normalizing Neural Networks", 2017).
pub const SELU: (f64, f64) = (1.050_700_987_355_480_5, 1.673_263_242_354_377_2);

/// The numbers from `low` to `high`, each the nearest one.
pub fn clipped(b: &mut GraphBuilder, x: &Value, low: f64, high: f64) -> Result<Value> {
    let attrs = [("a_min", Param::Float(low)), ("a_max", Param::Float(high))];
    b.op("clip", std::slice::from_ref(x), &attrs)
}

/// `x` where it is at least 0, else `alpha * x`.
pub fn leak(b: &mut GraphBuilder, x: &Value, alpha: f64) -> Result<Value> {
    let attrs = [("alpha", Param::Float(alpha))];
    b.op("nn.leaky_relu", std::slice::from_ref(x), &attrs)
}

/// `x` where it is at least 0, else `alpha * (exp(exponent) - 1)`.
pub fn exponential_below_zero(
    b: &mut GraphBuilder,
    x: &Value,
    exponent: &Value,
    alpha: f64,
) -> Result<Value> {
    let exp = b.unary("exp", exponent)?;
    let grown = b.with_scalar("subtract", &exp, 1.0)?;
    let scaled = b.with_scalar("multiply", &grown, alpha)?;
    let negative = b.with_scalar("less", x, 0.0)?;
    b.op("where", &[negative, scaled, x.clone()], &[])
}

/// x * sigmoid(alpha * x).
pub fn self_gated(b: &mut GraphBuilder, x: &Value, alpha: f64) -> Result<Value> {
    let scaled = match alpha {
        1.0 => x.clone(),
        alpha => b.with_scalar("multiply", x, alpha)?,
    };
    let gate = b.unary("sigmoid", &scaled)?;
    b.binary("multiply", x, &gate)
}

/// log(1 + exp(x)), as max(x, 0) + log(1 + exp(-|x|)), so that nothing overflows.
pub fn log_of_1_and_exp(b: &mut GraphBuilder, x: &Value) -> Result<Value> {
    let size = b.unary("abs", x)?;
    let negative = b.unary("negative", &size)?;
    let exp = b.unary("exp", &negative)?;
    let log = log_of_1_and(b, &exp)?;
    let positive = b.unary("nn.relu", x)?;
    b.binary("add", &positive, &log)
}

/// log(1 + x) for x from 0 to 1, with the digits of x that the sum rounds away: with u = 1 + x as it is
/// rounded, log(u) is off by the same factor as u - 1 (Goldberg 1991, theorem 4).
fn log_of_1_and(b: &mut GraphBuilder, x: &Value) -> Result<Value> {
    let sum = b.with_scalar("add", x, 1.0)?;
    let rest = b.with_scalar("subtract", &sum, 1.0)?;
    let log = b.unary("log", &sum)?;
    let factor = b.binary("divide", &log, &rest)?;
    let exact = b.binary("multiply", x, &factor)?;
    let tiny = b.with_scalar("equal", &rest, 0.0)?;
    b.op("where", &[tiny, x.clone(), exact], &[])
}

/// x / 2 * (1 + erf(x / sqrt(2))).
pub fn gelu_of(b: &mut GraphBuilder, x: &Value) -> Result<Value> {
    let scaled = b.with_scalar("multiply", x, std::f64::consts::FRAC_1_SQRT_2)?;
    let inner = b.unary("erf", &scaled)?;
    gated_half(b, x, &inner)
}

/// x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 x^3))), which is close to [`gelu_of`].
pub fn gelu_by_tanh(b: &mut GraphBuilder, x: &Value) -> Result<Value> {
    let square = b.binary("multiply", x, x)?;
    let cube = b.binary("multiply", &square, x)?;
    let cube = b.with_scalar("multiply", &cube, 0.044715)?;
    let sum = b.binary("add", x, &cube)?;
    let scaled = b.with_scalar("multiply", &sum, (2.0 / std::f64::consts::PI).sqrt())?;
    let inner = b.unary("tanh", &scaled)?;
    gated_half(b, x, &inner)
}

/// x / 2 * (1 + inner).
fn gated_half(b: &mut GraphBuilder, x: &Value, inner: &Value) -> Result<Value> {
    let gate = b.with_scalar("add", inner, 1.0)?;
    let half = b.with_scalar("multiply", x, 0.5)?;
    b.binary("multiply", &half, &gate)
}

/// x * tanh(softplus(x)).
pub fn mish_of(b: &mut GraphBuilder, x: &Value) -> Result<Value> {
    let softplus = log_of_1_and_exp(b, x)?;
    let gate = b.unary("tanh", &softplus)?;
    b.binary("multiply", x, &gate)
}

/// log(sigmoid(x)), as -softplus(-x), so that nothing overflows.
pub fn log_sigmoid_of(b: &mut GraphBuilder, x: &Value) -> Result<Value> {
    let negative = b.unary("negative", x)?;
    let softplus = log_of_1_and_exp(b, &negative)?;
    b.unary("negative", &softplus)
}

/// x / (1 + |x|).
pub fn softsign_of(b: &mut GraphBuilder, x: &Value) -> Result<Value> {
    let size = b.unary("abs", x)?;
    let shifted = b.with_scalar("add", &size, 1.0)?;
    b.binary("divide", x, &shifted)
}

/// The nearest whole numbers; of two as near the one farther from zero.
pub fn round_from_zero(b: &mut GraphBuilder, x: &Value) -> Result<Value> {
    let size = b.unary("abs", x)?;
    let whole = b.unary("floor", &size)?;
    // What is above the whole number is exact; a half added to the size would be rounded.
    let rest = b.binary("subtract", &size, &whole)?;
    let is_up = b.with_scalar("greater_equal", &rest, 0.5)?;
    let up = b.cast(&is_up, x.element())?;
    let rounded = b.binary("add", &whole, &up)?;
    let sign = b.unary("sign", x)?;
    b.binary("multiply", &sign, &rounded)
}

/// The angle of the point (x, y), from -pi to pi. For x not above 0, the angle of y / x is on the other side.
pub fn angle(b: &mut GraphBuilder, y: &Value, x: &Value) -> Result<Value> {
    let element = y.element();
    let [zero, pi, half] =
        [0.0, std::f64::consts::PI, std::f64::consts::FRAC_PI_2].map(|it| b.scalar(element, it));
    let quotient = b.binary("divide", y, x)?;
    let angle = b.unary("atan", &quotient)?;
    let is_below = b.binary("less", y, &zero)?;
    let turned = b.unary("negative", &pi)?;
    let turn = b.op("where", &[is_below.clone(), turned, pi], &[])?;
    let other = b.binary("add", &angle, &turn)?;
    let is_left = b.binary("less", x, &zero)?;
    let angle = b.op("where", &[is_left, other, angle], &[])?;
    // On the axis x = 0.
    let down = b.unary("negative", &half)?;
    let is_zero = b.binary("equal", y, &zero)?;
    let on_axis = b.op("where", &[is_below, down, half], &[])?;
    let on_axis = b.op("where", &[is_zero, zero.clone(), on_axis], &[])?;
    let is_on_axis = b.binary("equal", x, &zero)?;
    b.op("where", &[is_on_axis, on_axis, angle], &[])
}

/// exp(x) - 1, which near 0 is 2 sinh(x / 2) exp(x / 2): no digits are lost.
pub fn exp_minus_1(b: &mut GraphBuilder, x: &Value) -> Result<Value> {
    let half = b.with_scalar("multiply", x, 0.5)?;
    let sinh = b.unary("sinh", &half)?;
    let exp = b.unary("exp", &half)?;
    let product = b.binary("multiply", &sinh, &exp)?;
    let near = b.with_scalar("multiply", &product, 2.0)?;
    let whole = b.unary("exp", x)?;
    let far = b.with_scalar("subtract", &whole, 1.0)?;
    let size = b.unary("abs", x)?;
    let is_near = b.with_scalar("less", &size, 1.0)?;
    b.op("where", &[is_near, near, far], &[])
}

/// log(1 + x), which near 0 is 2 atanh(x / (x + 2)).
pub fn log_of_sum_with_1(b: &mut GraphBuilder, x: &Value) -> Result<Value> {
    let sum = b.with_scalar("add", x, 2.0)?;
    let quotient = b.binary("divide", x, &sum)?;
    let atanh = b.unary("atanh", &quotient)?;
    let near = b.with_scalar("multiply", &atanh, 2.0)?;
    let shifted = b.with_scalar("add", x, 1.0)?;
    let far = b.unary("log", &shifted)?;
    let size = b.unary("abs", x)?;
    let is_near = b.with_scalar("less", &size, 0.5)?;
    b.op("where", &[is_near, near, far], &[])
}
