//! Normalisation.

use super::row::{Row, row};
use crate::{
    graph::{attr::Param, builder::GraphBuilder, error::Result, value::Value},
    onnx::node::Node,
};

/// The family's rows.
pub const ROWS: &[Row] = &[
    row("BatchNormalization", 7, batch_norm),
    row("InstanceNormalization", 6, instance_norm),
    row("LayerNormalization", 17, layer_norm),
    row("LogSoftmax", 1, |n, b| flat_softmax(n, b, "nn.log_softmax")).until(12),
    row("LogSoftmax", 13, |n, b| softmax(n, b, "nn.log_softmax")),
    row("LRN", 1, lrn),
    row("Softmax", 1, |n, b| flat_softmax(n, b, "nn.softmax")).until(12),
    row("Softmax", 13, |n, b| softmax(n, b, "nn.softmax")),
];

/// Fails unless `value` has one number per channel.
fn check_channels(what: &str, value: &Value, x: &Value) -> Result<()> {
    if x.rank() < 2 {
        return Err(format!(
            "the input has rank {}, expected at least 2",
            x.rank()
        ));
    }
    if value.shape() != [x.shape()[1]] {
        return Err(format!(
            "{what} has shape {:?}, expected one value for each of {} channels",
            value.shape(),
            x.shape()[1]
        ));
    }
    Ok(())
}

fn batch_norm(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(5)?;
    n.ignore_attr("momentum");
    if n.opset < 9 && n.attr_i64_or("spatial", 1)? != 1 {
        return Err("attribute 'spatial' is 0; only 1 is supported".into());
    }
    if n.opset >= 14 && n.attr_bool_or("training_mode", false)? {
        return Err("it is in training mode; export the model for inference".into());
    }
    let operands: Vec<Value> = (0..5).map(|i| n.input(i)).collect::<Result<_>>()?;
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
    Ok(vec![b.op("nn.batch_norm", &operands, &attrs)?])
}

fn instance_norm(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(3)?;
    let operands = [n.input(0)?, n.input(1)?, n.input(2)?];
    check_channels("scale", &operands[1], &operands[0])?;
    check_channels("bias", &operands[2], &operands[0])?;
    let attrs = [
        ("axis", Param::Int(1)),
        ("epsilon", Param::Float(n.attr_f32_or("epsilon", 1e-5)?)),
    ];
    Ok(vec![b.op("nn.instance_norm", &operands, &attrs)?])
}

/// Normalises over `axis` and all that follow. With one axis it is one op; with several, or where the mean and
/// the deviation (outputs 1 and 2) are used, it is written out.
fn layer_norm(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(3)?;
    let (x, scale) = (n.input(0)?, n.input(1)?);
    let first = x.axis(n.attr_i64_or("axis", -1)?)?;
    let epsilon = n.attr_f32_or("epsilon", 1e-5)?;
    if n.attr_i64_or("stash_type", 1)? != 1 {
        return Err("attribute 'stash_type' is supported as 1 (float) only".into());
    }
    let extent = x.shape()[first];
    let last = first + 1 == x.rank() && scale.shape() == [extent];
    if last && !n.has_output(1) && !n.has_output(2) {
        let bias = match n.optional(2) {
            Some(bias) if bias.shape() == [extent] => bias,
            Some(bias) => b.broadcast(&bias, &[extent])?,
            None => b.filled(x.element(), &[extent], 0.0),
        };
        let attrs = [
            ("axis", Param::Int(first as i64)),
            ("epsilon", Param::Float(epsilon)),
        ];
        return Ok(vec![b.op("nn.layer_norm", &[x, scale, bias], &attrs)?]);
    }
    let axes: Vec<i64> = (first..x.rank()).map(|axis| axis as i64).collect();
    let mean = mean(b, &x, &axes)?;
    let difference = b.binary("subtract", &x, &mean)?;
    let square = b.binary("multiply", &difference, &difference)?;
    let variance = self::mean(b, &square, &axes)?;
    let shifted = b.with_scalar("add", &variance, epsilon)?;
    let inverse = b.unary("rsqrt", &shifted)?;
    let normal = b.binary("multiply", &difference, &inverse)?;
    let mut result = b.binary("multiply", &normal, &scale)?;
    if let Some(bias) = n.optional(2) {
        result = b.binary("add", &result, &bias)?;
    }
    Ok(vec![result, mean, inverse])
}

fn mean(b: &mut GraphBuilder, x: &Value, axes: &[i64]) -> Result<Value> {
    let attrs = [
        ("axis", Param::Ints(axes.to_vec())),
        ("keepdims", Param::Bool(true)),
        ("exclude", Param::Bool(false)),
    ];
    b.op("mean", std::slice::from_ref(x), &attrs)
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
    let size = n.attr_i64("size")?.ok_or("attribute 'size' is missing")?;
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
    let rows = x.shape()[..axis].iter().product();
    let columns = x.shape()[axis..].iter().product();
    let flat = b.reshape(&x, &[rows, columns])?;
    let result = b.op(op, &[flat], &[("axis", Param::Int(1))])?;
    Ok(vec![b.reshape(&result, x.shape())?])
}
