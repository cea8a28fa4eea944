//! Activations, alone and fused with other operators.

use super::{
    row::{Row, floats, row},
    table,
};
use crate::{
    compose::activation::{clipped, gelu_by_tanh, gelu_of},
    graph::{attr::Param, builder::GraphBuilder, error::Result, value::Value},
    tflite::{fixed, grain::Grain, node::Node},
};

/// The family's rows.
pub const ROWS: &[Row] = &[
    row("RELU", |n, b| alone(n, b, Activation::Relu)),
    row("RELU6", |n, b| alone(n, b, Activation::Relu6)),
    row("RELU_N1_TO_1", |n, b| alone(n, b, Activation::ReluN1To1)),
    row("RELU_0_TO_1", |n, b| alone(n, b, Activation::Relu0To1)),
    row("LOGISTIC", |n, b| table::function(n, b, logistic)),
    row("TANH", |n, b| {
        table::function(n, b, |b, x| b.unary("tanh", x))
    }),
    row("ELU", |n, b| table::function(n, b, elu)),
    row("GELU", gelu),
    row("HARD_SWISH", hard_swish),
    floats("LOG_SOFTMAX", log_softmax),
    row("LEAKY_RELU", leaky_relu),
    row("PRELU", prelu),
];

/// What is done with a result before it is returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activation {
    /// Nothing.
    None,
    /// max(x, 0)
    Relu,
    /// x cut to -1 and 1.
    ReluN1To1,
    /// x cut to 0 and 6.
    Relu6,
    /// x cut to 0 and 1.
    Relu0To1,
    /// tanh(x)
    Tanh,
}

impl Activation {
    /// That of the option `fused_activation_function`.
    pub fn of(n: &Node<'_>) -> Result<Self> {
        match n.byte("fused_activation_function")? {
            0 => Ok(Self::None),
            1 => Ok(Self::Relu),
            2 => Ok(Self::ReluN1To1),
            3 => Ok(Self::Relu6),
            4 => Ok(Self::Tanh),
            other => Err(format!("the activation function {other} is not supported")),
        }
    }

    /// The bounds of its results.
    const fn bounds(self) -> (Option<f32>, Option<f32>) {
        match self {
            Self::None | Self::Tanh => (None, None),
            Self::Relu => (Some(0.0), None),
            Self::ReluN1To1 => (Some(-1.0), Some(1.0)),
            Self::Relu6 => (Some(0.0), Some(6.0)),
            Self::Relu0To1 => (Some(0.0), Some(1.0)),
        }
    }

    /// Its value for numbers.
    pub fn apply(self, b: &mut GraphBuilder, x: &Value) -> Result<Value> {
        match (self, self.bounds()) {
            (Self::Tanh, _) => b.unary("tanh", x),
            (_, (Some(least), Some(greatest))) => clipped(b, x, least.into(), greatest.into()),
            (Self::Relu, _) => b.unary("nn.relu", x),
            _ => Ok(x.clone()),
        }
    }

    /// The integers that its results become.
    ///
    /// # Errors
    /// If it is no range of numbers.
    pub fn range(self, grain: &Grain) -> Result<[f64; 2]> {
        if self == Self::Tanh {
            return Err("a fused tanh of quantised integers is not supported".into());
        }
        let (least, greatest) = self.bounds();
        grain.range(least, greatest)
    }
}

/// An activation that is a node. That of integers requantises them.
fn alone(n: &Node<'_>, b: &mut GraphBuilder, activation: Activation) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    if !n.is_quantised(0) {
        return Ok(vec![activation.apply(b, &x)?]);
    }
    let (from, to) = (n.grain(0)?, n.grain_of_result(0)?);
    let range = activation.range(&to)?;
    let factor = f64::from(from.scale()? / to.scale()?);
    let steps = fixed::distances(b, &x, from.zero()?)?;
    let steps = fixed::scaled(b, &steps, &[factor], 0)?;
    Ok(vec![fixed::narrowed(
        b,
        &steps,
        to.zero()?,
        range,
        to.element,
    )?])
}

fn logistic(b: &mut GraphBuilder, x: &Value) -> Result<Value> {
    b.unary("sigmoid", x)
}

/// x above 0, else exp(x) - 1.
fn elu(b: &mut GraphBuilder, x: &Value) -> Result<Value> {
    let zero = b.scalar(x.element(), 0.0);
    let below = b.binary("minimum", x, &zero)?;
    let power = b.unary("exp", &below)?;
    let less = b.with_scalar("subtract", &power, 1.0)?;
    let is_above = b.binary("greater", x, &zero)?;
    b.op("where", &[is_above, x.clone(), less], &[])
}

fn gelu(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    match n.flag("approximate")? {
        true => table::function(n, b, gelu_by_tanh),
        false => table::function(n, b, gelu_of),
    }
}

/// x * clip(x + 3, 0, 6) / 6
fn hard_swish(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    table::function(n, b, |b, x| {
        let moved = b.with_scalar("add", x, 3.0)?;
        let cut = Activation::Relu6.apply(b, &moved)?;
        let product = b.binary("multiply", x, &cut)?;
        b.with_scalar("divide", &product, 6.0)
    })
}

fn log_softmax(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    Ok(vec![b.op(
        "nn.log_softmax",
        &[x],
        &[("axis", Param::Int(-1))],
    )?])
}

fn leaky_relu(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let (x, alpha) = (n.input(0)?, n.float("alpha")?);
    if !n.is_quantised(0) {
        let attrs = [("alpha", Param::Float(alpha))];
        return Ok(vec![b.op("nn.leaky_relu", &[x], &attrs)?]);
    }
    let (from, to) = (n.grain(0)?, n.grain_of_result(0)?);
    let (scale, target) = (from.scale()?, to.scale()?);
    let factors = [
        f64::from(scale / target),
        f64::from(scale * alpha as f32 / target),
    ];
    let steps = fixed::distances(b, &x, from.zero()?)?;
    by_sign(b, &steps, &steps.clone(), factors, &to)
}

/// Distances from zero times one number where they are not negative, and `below` times another where they are, quantised.
fn by_sign(
    b: &mut GraphBuilder,
    steps: &Value,
    below: &Value,
    factors: [f64; 2],
    to: &Grain,
) -> Result<Vec<Value>> {
    let [above, below] = [(steps, factors[0]), (below, factors[1])].map(|(x, factor)| {
        // A negative slope is a product with a positive one, turned.
        let product = fixed::scaled(b, x, &[factor.abs()], 0)?;
        match factor < 0.0 {
            true => b.unary("negative", &product),
            false => Ok(product),
        }
    });
    let zero = b.scalar(steps.element(), 0.0);
    let is_above = b.binary("greater_equal", steps, &zero)?;
    let chosen = b.op("where", &[is_above, above?, below?], &[])?;
    let range = to.range(None, None)?;
    Ok(vec![fixed::narrowed(
        b,
        &chosen,
        to.zero()?,
        range,
        to.element,
    )?])
}

/// x where it is not negative, else x times a slope, which broadcasts.
fn prelu(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let (x, slope) = (n.input(0)?, n.input(1)?);
    if n.is_quantised(0) {
        let (from, of_slope, to) = (n.grain(0)?, n.grain(1)?, n.grain_of_result(0)?);
        let steps = fixed::distances(b, &x, from.zero()?)?;
        let slopes = fixed::distances(b, &slope, of_slope.zero()?)?;
        let below = b.binary("multiply", &steps, &slopes)?;
        let (scale, target) = (from.scale()?, to.scale()?);
        let factors = [
            f64::from(scale / target),
            f64::from(scale * of_slope.scale()? / target),
        ];
        return by_sign(b, &steps, &below, factors, &to);
    }
    // Operators that broadcast follow the layout of a convolution before them, which `nn.prelu` does not.
    let zero = b.scalar(x.element(), 0.0);
    let above = b.binary("maximum", &x, &zero)?;
    let below = b.binary("minimum", &x, &zero)?;
    let product = b.binary("multiply", &below, &slope)?;
    Ok(vec![b.binary("add", &above, &product)?])
}
