//! Normalisations.

use super::row::{Row, row};
use crate::{
    compose::{norm::mean, reduce::along},
    graph::{attr::Param, builder::GraphBuilder, error::Result, value::Value},
    tensorflow::node::Node,
};
use relay_dialects::dim::{self, Dim};

/// The family's rows.
pub const ROWS: &[Row] = &[
    row(
        &["FusedBatchNorm", "FusedBatchNormV2", "FusedBatchNormV3"],
        batch_norm,
    ),
    row(&["BatchNormWithGlobalNormalization"], batch_norm_of_old),
    row(&["Softmax"], |n, b| softmax(n, b, "nn.softmax")),
    row(&["LogSoftmax"], |n, b| softmax(n, b, "nn.log_softmax")),
    row(&["LRN"], lrn),
    row(&["L2Loss"], l2_loss),
];

fn softmax(n: &Node<'_, '_>, b: &mut GraphBuilder, op: &str) -> Result<Vec<Value>> {
    let attrs = [("axis", Param::Int(-1))];
    Ok(vec![b.op(op, &[n.input(0)?], &attrs)?])
}

/// The axis of the channels.
fn channels(n: &Node<'_, '_>, x: &Value) -> Result<usize> {
    let format = n.attrs.text_or("data_format", "NHWC")?;
    match x.rank() {
        rank @ 4..=5 if format.ends_with('C') => Ok(rank - 1),
        4..=5 if format.starts_with("NC") => Ok(1),
        _ => Err(format!(
            "data of shape {:?} in the layout '{format}'",
            x.dims()
        )),
    }
}

fn batch_norm(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let axis = channels(n, &x)?;
    let epsilon = n.attrs.float("epsilon", f64::from(1e-4f32))?;
    n.attrs.ignore(&["exponential_avg_factor"]);
    let [scale, bias] = [n.input(1)?, n.input(2)?];
    if n.attrs.flag("is_training", true)? {
        return of_batch(b, &x, axis, [scale, bias], epsilon);
    }
    let (mean, variance) = (n.input(3)?, n.input(4)?);
    let attrs = [
        ("axis", Param::Int(axis as i64)),
        ("epsilon", Param::Float(epsilon)),
    ];
    // The statistics of narrow floats are of f32.
    let mut operands = vec![x.clone()];
    for value in [&scale, &bias, &mean, &variance] {
        operands.push(b.cast(value, x.element())?);
    }
    let y = b.op("nn.batch_norm", &operands, &attrs)?;
    Ok(vec![
        y,
        mean.clone(),
        variance.clone(),
        mean,
        variance.clone(),
        variance,
    ])
}

/// With the statistics of the batch itself, as in training.
fn of_batch(
    b: &mut GraphBuilder,
    x: &Value,
    axis: usize,
    [scale, bias]: [Value; 2],
    epsilon: f64,
) -> Result<Vec<Value>> {
    let mut shape = vec![Dim::Known(1); x.rank()];
    shape[axis] = x.dims()[axis];
    let axes: Vec<usize> = (0..x.rank()).filter(|other| *other != axis).collect();
    let wide = crate::compose::norm::widened(b, x)?;
    let centre = mean(b, &wide, &axes)?;
    let difference = b.binary("subtract", &wide, &centre)?;
    let square = b.binary("multiply", &difference, &difference)?;
    let variance = mean(b, &square, &axes)?;
    let shifted = b.with_scalar("add", &variance, epsilon)?;
    let inverse = b.unary("rsqrt", &shifted)?;
    let [scale, bias] = [b.reshape(&scale, &shape)?, b.reshape(&bias, &shape)?];
    let normal = b.binary("multiply", &difference, &inverse)?;
    let scaled = b.binary("multiply", &normal, &scale)?;
    let y = b.binary("add", &scaled, &bias)?;
    let y = b.cast(&y, x.element())?;
    let all: Vec<Dim> = axes.iter().map(|axis| x.dims()[*axis]).collect();
    let count = dim::product(&all)?;
    // The variance of the population that the batch is of.
    let more = b.with_size("multiply", &variance, count)?;
    let unbiased = b.with_size("divide", &more, count.minus(1)?.max(Dim::Known(1))?)?;
    let flat = [x.dims()[axis]];
    let centre = b.reshape(&centre, &flat)?;
    let unbiased = b.reshape(&unbiased, &flat)?;
    let variance = b.reshape(&variance, &flat)?;
    Ok(vec![
        y,
        centre.clone(),
        unbiased,
        centre,
        variance.clone(),
        variance,
    ])
}

/// Inputs are the data, mean, variance, bias and scale.
fn batch_norm_of_old(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.of_rank(0, 4)?;
    let epsilon = n
        .attrs
        .optional_float("variance_epsilon")?
        .ok_or("attribute 'variance_epsilon' is missing")?;
    let (mean, variance, bias) = (n.input(1)?, n.input(2)?, n.input(3)?);
    let scale = match n.attrs.flag("scale_after_normalization", true)? {
        true => n.input(4)?,
        false => b.full(x.element(), bias.dims(), 1.0)?,
    };
    let attrs = [("axis", Param::Int(3)), ("epsilon", Param::Float(epsilon))];
    let operands = [x, scale, bias, mean, variance];
    Ok(vec![b.op("nn.batch_norm", &operands, &attrs)?])
}

fn lrn(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.of_rank(0, 4)?;
    let radius = n.attrs.int("depth_radius", 5)?;
    if !(0..1 << 20).contains(&radius) {
        return Err(format!("attribute 'depth_radius' is {radius}"));
    }
    let size = 2 * radius + 1;
    let attrs = [
        ("size", Param::Int(size)),
        ("axis", Param::Int(3)),
        ("bias", Param::Float(n.attrs.float("bias", 1.0)?)),
        // Here it is of the sum, there of the mean.
        (
            "alpha",
            Param::Float(n.attrs.float("alpha", 1.0)? * size as f64),
        ),
        ("beta", Param::Float(n.attrs.float("beta", 0.5)?)),
    ];
    Ok(vec![b.op("nn.lrn", &[x], &attrs)?])
}

/// Half of the sum of squares.
fn l2_loss(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let square = b.binary("multiply", &x, &x)?;
    let axes: Vec<usize> = (0..x.rank()).collect();
    let sum = along(b, "sum", &square, (&axes, false))?;
    Ok(vec![b.with_scalar("multiply", &sum, 0.5)?])
}
