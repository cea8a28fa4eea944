//! Normalisation.

use super::{
    reduce::along,
    row::{Row, row},
    subscript::one_axis,
};
pub(super) use crate::compose::norm::{by_root_of_squares, normalized, widened};
use crate::compose::norm::{check_channels, mean, normalized_channels};
use crate::{
    graph::{
        attr::Param,
        builder::GraphBuilder,
        error::Result,
        value::{Value, are_equal, normalize_axes},
    },
    onnx::node::Node,
};
use relay_dialects::dim::{self, Dim};

/// The family's rows.
pub const ROWS: &[Row] = &[
    row("BatchNormalization", 1, batch_norm),
    row("GroupNormalization", 18, group_norm),
    row("InstanceNormalization", 1, instance_norm),
    row("LayerNormalization", 17, layer_norm),
    row("LogSoftmax", 1, |n, b| flat_softmax(n, b, "nn.log_softmax")).until(12),
    row("LogSoftmax", 13, |n, b| softmax(n, b, "nn.log_softmax")),
    row("LpNormalization", 1, lp_norm),
    row("LRN", 1, lrn),
    row("MeanVarianceNormalization", 9, mean_variance_norm),
    row("RMSNormalization", 23, rms_norm),
    // Not in ONNX: its exporters write it for ONNX Runtime, which has it in this domain.
    row("SimplifiedLayerNormalization", 1, rms_norm),
    row("Softmax", 1, |n, b| flat_softmax(n, b, "nn.softmax")).until(12),
    row("Softmax", 13, |n, b| softmax(n, b, "nn.softmax")),
];

fn batch_norm(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(5)?;
    let momentum = n.attr_f32_or("momentum", 0.9)?;
    if n.opset < 7 && !n.attr_bool_or("is_test", false)? {
        return Err("attribute 'is_test' is 0: the node trains; make it 1 for inference".into());
    }
    if n.opset < 9 && !n.attr_bool_or("spatial", true)? {
        return Ok(vec![normalized_places(n, b)?]);
    }
    let trains = n.opset >= 14 && n.attr_bool_or("training_mode", false)?;
    let mut operands: Vec<Value> = (0..5).map(|i| n.input(i)).collect::<Result<_>>()?;
    for (what, value) in ["scale", "bias", "mean", "variance"]
        .into_iter()
        .zip(&operands[1..])
    {
        check_channels(what, value, &operands[0])?;
    }
    let attrs = [
        ("axis", Param::Int(1)),
        ("epsilon", Param::Float(n.attr_f32_or("epsilon", 1e-5)?)),
    ];
    if !trains {
        return Ok(vec![b.op("nn.batch_norm", &operands, &attrs)?]);
    }
    let moments = moments_of_channels(b, &operands[0])?;
    let mut running = Vec::new();
    for (place, moment) in (3..).zip(moments) {
        let old = b.with_scalar("multiply", &operands[place], momentum)?;
        operands[place] = b.cast(&moment, old.element())?;
        let new = b.with_scalar("multiply", &operands[place], 1.0 - momentum)?;
        running.push(b.binary("add", &old, &new)?);
    }
    let result = b.op("nn.batch_norm", &operands, &attrs)?;
    Ok([vec![result], running].concat())
}

/// Batch normalisation in which each place of a sample has its own mean, variance, scale and bias.
fn normalized_places(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let x = n.input(0)?;
    let epsilon = n.attr_f32_or("epsilon", 1e-5)?;
    let of_places = (1..5).map(|index| match n.input(index)? {
        value if are_equal(value.dims(), x.dims().get(1..).unwrap_or_default()) => Ok(value),
        value => Err(format!(
            "input {index} has shape {:?}, expected that of a sample of {:?}",
            value.dims(),
            x.dims()
        )),
    });
    let of_places: Vec<Value> = of_places.collect::<Result<_>>()?;
    let shifted = b.with_scalar("add", &of_places[3], epsilon)?;
    let inverse = b.unary("rsqrt", &shifted)?;
    let scale = b.binary("multiply", &of_places[0], &inverse)?;
    let difference = b.binary("subtract", &x, &of_places[2])?;
    let scaled = b.binary("multiply", &difference, &scale)?;
    b.binary("add", &scaled, &of_places[1])
}

/// The mean and the variance of each channel.
fn moments_of_channels(b: &mut GraphBuilder, x: &Value) -> Result<[Value; 2]> {
    let axes: Vec<usize> = (0..x.rank()).filter(|axis| *axis != 1).collect();
    let wide = widened(b, x)?;
    let mean = mean(b, &wide, &axes)?;
    let difference = b.binary("subtract", &wide, &mean)?;
    let square = b.binary("multiply", &difference, &difference)?;
    let variance = self::mean(b, &square, &axes)?;
    let channels = [x.dims()[1]];
    Ok([
        b.reshape(&mean, &channels)?,
        b.reshape(&variance, &channels)?,
    ])
}

fn instance_norm(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(3)?;
    let epsilon = n.attr_f32_or("epsilon", 1e-5)?;
    let operands = [n.input(0)?, n.input(1)?, n.input(2)?];
    Ok(vec![normalized_channels(b, &operands, epsilon)?])
}

fn layer_norm(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(3)?;
    let (x, scale) = (n.input(0)?, n.input(1)?);
    let first = x.axis(n.attr_i64_or("axis", -1)?)?;
    let epsilon = n.attr_f32_or("epsilon", 1e-5)?;
    check_stash_type(n)?;
    let with_moments = n.has_output(1) || n.has_output(2);
    normalized(
        b,
        (&x, &scale, n.optional(2)),
        (first, epsilon),
        with_moments,
    )
}

/// Normalises over groups of channels and the positions, as an instance normalisation in which a group is a channel. Up to operator set
/// 20, each group has a scale and a bias; from 21 on, each channel has.
fn group_norm(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(3)?;
    let (x, scale, bias) = (n.input(0)?, n.input(1)?, n.input(2)?);
    let epsilon = n.attr_f32_or("epsilon", 1e-5)?;
    let groups = n.required_i64("num_groups")?;
    if x.rank() < 2 || groups < 1 || x.extent(1)? % groups != 0 {
        return Err(format!(
            "{groups} groups do not fit the channels of an input of shape {:?}",
            x.dims()
        ));
    }
    let (samples, channels) = (x.dims()[0], x.extent(1)?);
    let rest = dim::product(&x.dims()[2..])?.times(channels / groups)?;
    let grouped = b.reshape(&x, &[samples, Dim::Known(groups), rest])?;
    if n.opset < 21 {
        let normal = normalized_channels(b, &[grouped, scale, bias], epsilon)?;
        return Ok(vec![b.reshape(&normal, x.dims())?]);
    }
    check_stash_type(n)?;
    check_channels("scale", &scale, &x)?;
    check_channels("bias", &bias, &x)?;
    let one = b.filled(x.element(), &[groups], 1.0)?;
    let zero = b.filled(x.element(), &[groups], 0.0)?;
    let normal = normalized_channels(b, &[grouped, one, zero], epsilon)?;
    let normal = b.reshape(&normal, x.dims())?;
    let shape = one_axis(x.rank() - 1, 0, channels);
    let (scale, bias) = (b.reshape(&scale, &shape)?, b.reshape(&bias, &shape)?);
    let scaled = b.binary("multiply", &normal, &scale)?;
    Ok(vec![b.binary("add", &scaled, &bias)?])
}

/// Fails if anything but floats is to be computed in.
fn check_stash_type(n: &Node<'_>) -> Result<()> {
    match n.attr_i64_or("stash_type", 1)? {
        1 => Ok(()),
        _ => Err("attribute 'stash_type' is supported as 1 (float) only".into()),
    }
}

/// Divides by the root of the mean of the squares over `axis` and all that follow.
fn rms_norm(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(2)?;
    let (x, scale) = (n.input(0)?, n.input(1)?);
    let first = x.axis(n.attr_i64_or("axis", -1)?)?;
    let epsilon = n.attr_f32_or("epsilon", 1e-5)?;
    check_stash_type(n)?;
    by_root_of_squares(b, (&x, &scale), (first, epsilon)).map(Vec::from)
}

/// What is added to the deviation, in the units of the input, by the function that defines the operator in ONNX.
const DEVIATION_SHIFT: f64 = 1e-9;

/// Subtracts the mean over some axes, and divides by the deviation.
fn mean_variance_norm(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(1)?;
    let x = n.input(0)?;
    let axes = n.attr_ints("axes")?.unwrap_or_else(|| vec![0, 2, 3]);
    let axes = normalize_axes(&axes, x.rank())?;
    let average = mean(b, &x, &axes)?;
    let difference = b.binary("subtract", &x, &average)?;
    let square = b.binary("multiply", &difference, &difference)?;
    let variance = mean(b, &square, &axes)?;
    let deviation = b.unary("sqrt", &variance)?;
    let shifted = b.with_scalar("add", &deviation, DEVIATION_SHIFT)?;
    Ok(vec![b.binary("divide", &difference, &shifted)?])
}

/// Divides by the sum of the sizes along an axis, or by the root of the sum of the squares. What has a norm of 0 stays 0.
fn lp_norm(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(1)?;
    let x = n.input(0)?;
    let axis = x.axis(n.attr_i64_or("axis", -1)?)?;
    let norm = match n.attr_i64_or("p", 2)? {
        1 => {
            let size = b.unary("abs", &x)?;
            along(b, "sum", &size, (&[axis], true))?
        }
        2 => {
            let square = b.binary("multiply", &x, &x)?;
            let sum = along(b, "sum", &square, (&[axis], true))?;
            b.unary("sqrt", &sum)?
        }
        other => return Err(format!("attribute 'p' is {other}, expected 1 or 2")),
    };
    let is_zero = b.with_scalar("equal", &norm, 0.0)?;
    let normal = b.binary("divide", &x, &norm)?;
    let zero = b.scalar(x.element(), 0.0);
    Ok(vec![b.op("where", &[is_zero, zero, normal], &[])?])
}

fn lrn(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(1)?;
    let x = n.input(0)?;
    if x.rank() < 2 {
        return Err(format!(
            "the input has rank {}, expected at least 2",
            x.rank()
        ));
    }
    let size = n.required_i64("size")?;
    if !(1..=i64::from(i32::MAX)).contains(&size) {
        return Err(format!("attribute 'size' is {size}"));
    }
    let attrs = [
        ("size", Param::Int(size)),
        ("axis", Param::Int(1)),
        ("bias", Param::Float(n.attr_f32_or("bias", 1.0)?)),
        ("alpha", Param::Float(n.attr_f32_or("alpha", 1e-4)?)),
        ("beta", Param::Float(n.attr_f32_or("beta", 0.75)?)),
    ];
    Ok(vec![b.op("nn.lrn", &[x], &attrs)?])
}

fn softmax(n: &Node<'_>, b: &mut GraphBuilder, op: &str) -> Result<Vec<Value>> {
    n.check_inputs(1)?;
    let x = n.input(0)?;
    let axis = x.axis(n.attr_i64_or("axis", -1)?)?;
    Ok(vec![b.op(
        op,
        &[x],
        &[("axis", Param::Int(axis as i64))],
    )?])
}

/// Before opset 13 the input is seen as a matrix whose columns start at `axis`.
fn flat_softmax(n: &Node<'_>, b: &mut GraphBuilder, op: &str) -> Result<Vec<Value>> {
    n.check_inputs(1)?;
    let x = n.input(0)?;
    let axis = x.axis(n.attr_i64_or("axis", 1)?)?;
    if axis + 1 == x.rank() {
        return Ok(vec![b.op(
            op,
            &[x],
            &[("axis", Param::Int(axis as i64))],
        )?]);
    }
    let flat = b.matrix(&x, axis)?;
    let result = b.op(op, &[flat], &[("axis", Param::Int(1))])?;
    Ok(vec![b.reshape(&result, x.dims())?])
}
