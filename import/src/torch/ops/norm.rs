//! Normalisations.

use super::row::{Row, changing, row, rows};
use crate::{
    compose::{
        norm::{by_root_of_squares, mean, normalized, widened},
        reduce::along,
    },
    graph::{attr::Param, builder::GraphBuilder, error::Result, value::Value},
    torch::node::Node,
};
use relay_dialects::{
    dim::{self, Dim},
    element::Element,
};

/// The family's rows.
pub const ROWS: &[Row] = &[
    row("_log_softmax", |n, b| softmax(n, b, "nn.log_softmax")),
    changing("_native_batch_norm_legit", batch_norms, STATISTICS),
    rows("_native_batch_norm_legit_functional", |n, b| {
        let (mut results, statistics) = batch_norms(n, b)?;
        results.extend(statistics);
        Ok(results)
    }),
    rows("_native_batch_norm_legit.no_stats", |n, b| {
        Ok(batch_norms(n, b)?.0)
    }),
    rows("_native_batch_norm_legit_no_training", |n, b| {
        Ok(batch_norms(n, b)?.0)
    }),
    row("_safe_softmax", safe_softmax),
    row("_softmax", |n, b| softmax(n, b, "nn.softmax")),
    row("_weight_norm", |n, b| Ok(weight_norm(n, b)?[0].clone())),
    rows("_weight_norm_interface", |n, b| {
        Ok(weight_norm(n, b)?.to_vec())
    }),
    changing(
        "batch_norm",
        |n, b| {
            let (mut results, statistics) = batch_norms(n, b)?;
            // What is saved for training is no result of this one.
            results.truncate(1);
            Ok((results, statistics))
        },
        STATISTICS,
    ),
    changing("cudnn_batch_norm", batch_norms, STATISTICS),
    row("group_norm", |n, b| group_norm(n, b, "num_groups")),
    row("instance_norm", instance_norm),
    row("layer_norm", |n, b| {
        n.ignore(&["cudnn_enable"]);
        Ok(layer_norm(n, b, false)?.swap_remove(0))
    }),
    row("log_softmax", |n, b| softmax(n, b, "nn.log_softmax")),
    changing("native_batch_norm", batch_norms, STATISTICS),
    rows("native_group_norm", |n, b| {
        n.ignore(&["N", "C", "HxW"]);
        let mut results = vec![group_norm(n, b, "group")?];
        if n.uses(1) || n.uses(2) {
            results.extend(moments_of_groups(n, b)?);
        }
        Ok(results)
    }),
    rows("native_layer_norm", |n, b| {
        let with_moments = n.uses(1) || n.uses(2);
        layer_norm(n, b, with_moments)
    }),
    row("rms_norm", |n, b| Ok(rms_norm(n, b)?[0].clone())),
    rows("_fused_rms_norm", |n, b| Ok(rms_norm(n, b)?.to_vec())),
    row("softmax", |n, b| softmax(n, b, "nn.softmax")),
    row("special_log_softmax", |n, b| {
        softmax(n, b, "nn.log_softmax")
    }),
    row("special_softmax", |n, b| softmax(n, b, "nn.softmax")),
    row("softmin", |n, b| {
        let x = n.tensor("self")?;
        let negative = b.unary("negative", &x)?;
        let axis = x.axis(n.required_int("dim")?)?;
        b.op(
            "nn.softmax",
            &[negative],
            &[("axis", Param::Int(axis as i64))],
        )
    }),
];

fn softmax(n: &Node<'_>, b: &mut GraphBuilder, op: &str) -> Result<Value> {
    n.ignore(&["half_to_float"]);
    let mut x = n.tensor("self")?;
    if let Some(element) = n.element("dtype")? {
        x = b.cast(&x, element)?;
    }
    if x.rank() == 0 {
        n.ignore(&["dim"]);
        let one = if op == "nn.softmax" { 1.0 } else { 0.0 };
        return Ok(b.scalar(x.element(), one));
    }
    let axis = x.axis(n.required_int("dim")?)?;
    b.op(op, &[x], &[("axis", Param::Int(axis as i64))])
}

/// A softmax that is 0 along an axis of nothing but -inf.
fn safe_softmax(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let x = n.tensor("self")?;
    let axis = x.axis(n.required_int("dim")?)?;
    let result = softmax(n, b, "nn.softmax")?;
    let greatest = along(b, "max", &x, (&[axis], true))?;
    let is_empty = b.with_scalar("equal", &greatest, f64::NEG_INFINITY)?;
    let zero = b.scalar(result.element(), 0.0);
    b.op("where", &[is_empty, zero, result], &[])
}

/// A vector that an argument gives, or one of equal numbers.
fn vector(
    n: &Node<'_>,
    b: &mut GraphBuilder,
    name: &str,
    (x, default): (&Value, f64),
) -> Result<Value> {
    match n.optional_tensor(name)? {
        Some(value) => b.cast(&value, x.element()),
        None => b.full(x.element(), &x.dims()[1..2], default),
    }
}

/// The statistics that a batch norm changes in training.
const STATISTICS: &[&str] = &["running_mean", "running_var"];

/// The result and what is saved for training, and in training what the running statistics become.
fn batch_norms(n: &Node<'_>, b: &mut GraphBuilder) -> Result<(Vec<Value>, Vec<Value>)> {
    n.ignore(&["cudnn_enabled", "exponential_average_factor"]);
    let x = n.tensor("input")?;
    if x.rank() < 2 {
        return Err(format!(
            "the input has shape {:?}, expected channels",
            x.dims()
        ));
    }
    let epsilon = n.float("eps")?.or(n.float("epsilon")?).unwrap_or(1e-5);
    let gain = vector(n, b, "weight", (&x, 1.0))?;
    let offset = vector(n, b, "bias", (&x, 0.0))?;
    let has_statistics = n.has("running_mean");
    let is_of_batch = n.bool_or("training", false)? || !has_statistics;
    let momentum = n.float_or("momentum", 0.1)?;
    let attrs = [("axis", Param::Int(1)), ("epsilon", Param::Float(epsilon))];
    if !is_of_batch {
        let mean = vector(n, b, "running_mean", (&x, 0.0))?;
        let variance = vector(n, b, "running_var", (&x, 1.0))?;
        let y = b.op(
            "nn.batch_norm",
            &[x.clone(), gain, offset, mean, variance],
            &attrs,
        )?;
        let none = b.filled(x.element(), &[0], 0.0)?;
        return Ok((vec![y, none.clone(), none], Vec::new()));
    }
    let (mean, variance) = moments_of_channels(b, &x)?;
    let operands = [x.clone(), gain, offset, mean.clone(), variance.clone()];
    let y = b.op("nn.batch_norm", &operands, &attrs)?;
    let wide = b.with_scalar("add", &variance, epsilon)?;
    let results = vec![y, mean.clone(), b.unary("rsqrt", &wide)?];
    let mut statistics = Vec::new();
    if has_statistics {
        let count = dim::product(x.dims())?.known().zip(x.dims()[1].known());
        let (all, channels) =
            count.ok_or("the running statistics of open extents are not supported")?;
        let count = all.checked_div(channels).unwrap_or(0) as f64;
        let unbiased = b.with_scalar("multiply", &variance, count / (count - 1.0))?;
        for (name, new) in [("running_mean", mean), ("running_var", unbiased)] {
            let old = n.tensor(name)?;
            let new = b.cast(&new, old.element())?;
            let kept = b.with_scalar("multiply", &old, 1.0 - momentum)?;
            let added = b.with_scalar("multiply", &new, momentum)?;
            statistics.push(b.binary("add", &kept, &added)?);
        }
    }
    Ok((results, statistics))
}

/// The mean and the variance of each channel.
fn moments_of_channels(b: &mut GraphBuilder, x: &Value) -> Result<(Value, Value)> {
    let axes: Vec<usize> = (0..x.rank()).filter(|axis| *axis != 1).collect();
    let wide = widened(b, x)?;
    let average = mean(b, &wide, &axes)?;
    let difference = b.binary("subtract", &wide, &average)?;
    let square = b.binary("multiply", &difference, &difference)?;
    let variance = mean(b, &square, &axes)?;
    let channels = [x.dims()[1]];
    let mut vector = |value: &Value| {
        let value = b.reshape(value, &channels)?;
        b.cast(&value, x.element())
    };
    Ok((vector(&average)?, vector(&variance)?))
}

/// Over the last axes, as many as the shape that is given has.
fn layer_norm(n: &Node<'_>, b: &mut GraphBuilder, with_moments: bool) -> Result<Vec<Value>> {
    let x = n.tensor("input")?;
    let shape = n.dims(b, "normalized_shape")?.unwrap_or_default();
    let first = x
        .rank()
        .checked_sub(shape.len())
        .filter(|first| *first < x.rank());
    let first = first.ok_or_else(|| format!("{shape:?} are no axes of {:?}", x.dims()))?;
    let scale = match n.optional_tensor("weight")? {
        Some(scale) => scale,
        None => b.full(x.element(), &shape, 1.0)?,
    };
    let bias = n.optional_tensor("bias")?;
    let epsilon = n.float_or("eps", 1e-5)?;
    normalized(b, (&x, &scale, bias), (first, epsilon), with_moments)
}

fn rms_norm(n: &Node<'_>, b: &mut GraphBuilder) -> Result<[Value; 2]> {
    let x = n.tensor("input")?;
    let shape = n.dims(b, "normalized_shape")?.unwrap_or_default();
    let first = x
        .rank()
        .checked_sub(shape.len())
        .filter(|first| *first < x.rank());
    let first = first.ok_or_else(|| format!("{shape:?} are no axes of {:?}", x.dims()))?;
    let scale = match n.optional_tensor("weight")? {
        Some(scale) => scale,
        None => b.full(x.element(), &shape, 1.0)?,
    };
    // The smallest difference of numbers near 1, unless one is given.
    let smallest = match x.element() {
        Element::F64 => f64::EPSILON,
        Element::F16 => half::f16::EPSILON.to_f64(),
        Element::Bf16 => half::bf16::EPSILON.to_f64(),
        _ => f64::from(f32::EPSILON),
    };
    let epsilon = n.float_or("eps", smallest)?;
    by_root_of_squares(b, (&x, &scale), (first, epsilon))
}

fn group_norm(n: &Node<'_>, b: &mut GraphBuilder, groups: &str) -> Result<Value> {
    n.ignore(&["cudnn_enabled"]);
    let x = n.tensor("input")?;
    let epsilon = n.float_or("eps", 1e-5)?;
    let groups = n.required_int(groups)?;
    if x.rank() < 2 {
        return Err(format!(
            "the input has shape {:?}, expected channels",
            x.dims()
        ));
    }
    let gamma = vector(n, b, "weight", (&x, 1.0))?;
    let beta = vector(n, b, "bias", (&x, 0.0))?;
    let attrs = [
        ("num_groups", Param::Int(groups)),
        ("axis", Param::Int(1)),
        ("epsilon", Param::Float(epsilon)),
        ("center", Param::Bool(true)),
        ("scale", Param::Bool(true)),
    ];
    b.op("nn.group_norm", &[x, gamma, beta], &attrs)
}

/// The mean of each group of channels of a sample, and the reciprocal of its deviation.
fn moments_of_groups(n: &Node<'_>, b: &mut GraphBuilder) -> Result<[Value; 2]> {
    let x = n.tensor("input")?;
    let groups = Dim::Known(n.required_int("group")?);
    let samples = x.dims()[0];
    let elements = dim::quotient(dim::product(&x.dims()[1..])?, groups.known().unwrap_or(1));
    let elements = elements.ok_or_else(|| format!("{:?} are not {groups} groups", x.dims()))?;
    let rows = b.reshape(&x, &[samples, groups, elements])?;
    let wide = widened(b, &rows)?;
    let average = mean(b, &wide, &[2])?;
    let difference = b.binary("subtract", &wide, &average)?;
    let square = b.binary("multiply", &difference, &difference)?;
    let variance = mean(b, &square, &[2])?;
    let variance = b.with_scalar("add", &variance, n.float_or("eps", 1e-5)?)?;
    let inverse = b.unary("rsqrt", &variance)?;
    let mut of_groups = |value: &Value| {
        let value = b.reshape(value, &[samples, groups])?;
        b.cast(&value, x.element())
    };
    Ok([of_groups(&average)?, of_groups(&inverse)?])
}

fn instance_norm(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    n.ignore(&["momentum", "cudnn_enabled"]);
    let x = n.tensor("input")?;
    let epsilon = n.float_or("eps", 1e-5)?;
    if x.rank() < 3 {
        return Err(format!(
            "the input has shape {:?}, expected samples and channels",
            x.dims()
        ));
    }
    let gamma = vector(n, b, "weight", (&x, 1.0))?;
    let beta = vector(n, b, "bias", (&x, 0.0))?;
    let attrs = [("axis", Param::Int(1)), ("epsilon", Param::Float(epsilon))];
    if n.bool_or("use_input_stats", true)? {
        n.ignore(&["running_mean", "running_var"]);
        return b.op("nn.instance_norm", &[x, gamma, beta], &attrs);
    }
    let mean = vector(n, b, "running_mean", (&x, 0.0))?;
    let variance = vector(n, b, "running_var", (&x, 1.0))?;
    b.op("nn.batch_norm", &[x, gamma, beta, mean, variance], &attrs)
}

/// A weight of a given size and of the direction of another one: each has a size along an axis.
fn weight_norm(n: &Node<'_>, b: &mut GraphBuilder) -> Result<[Value; 2]> {
    let (direction, size) = (n.tensor("v")?, n.tensor("g")?);
    let kept = match n.int_or("dim", 0)? {
        // One size for all.
        -1 => None,
        axis => Some(direction.axis(axis)?),
    };
    let axes: Vec<usize> = (0..direction.rank())
        .filter(|axis| Some(*axis) != kept)
        .collect();
    let square = b.binary("multiply", &direction, &direction)?;
    let sum = along(b, "sum", &square, (&axes, true))?;
    let norm = b.unary("sqrt", &sum)?;
    let scale = b.binary("divide", &size, &norm)?;
    Ok([b.binary("multiply", &direction, &scale)?, norm])
}
