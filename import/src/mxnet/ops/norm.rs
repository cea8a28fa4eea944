//! Normalisation and softmax.

use super::row::{Row, row};
use crate::{
    compose::norm::{normalized, normalized_channels},
    graph::{attr::Param, builder::GraphBuilder, error::Result, value::Value},
    mxnet::node::Node,
};

/// The family's rows.
pub const ROWS: &[Row] = &[
    row(
        &[
            "BatchNorm",
            "BatchNorm_v1",
            "CuDNNBatchNorm",
            "_contrib_SyncBatchNorm",
        ],
        batch_norm,
    ),
    row(&["GroupNorm"], group_norm),
    row(&["InstanceNorm"], instance_norm),
    row(&["L2Normalization"], l2_normalization),
    row(&["LRN"], lrn),
    row(&["LayerNorm"], layer_norm),
    row(&["Softmax", "SoftmaxOutput"], softmax_output).reading(1),
    row(&["SoftmaxActivation"], softmax_activation),
    row(&["log_softmax"], log_softmax),
    row(&["softmax"], softmax),
    row(&["softmin"], softmin),
];

fn batch_norm(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let axis = x.axis(n.attrs.int("axis")?.unwrap_or(1))?;
    let mut operands = vec![x];
    for place in 1..5 {
        operands.push(n.input(place)?);
    }
    // Then the scale is 1, whatever the file says.
    if n.attrs.flag("fix_gamma", true)? {
        operands[1] = b.full(operands[2].element(), operands[2].dims(), 1.0)?;
    }
    n.attrs.flag("output_mean_var", false)?;
    n.attrs.text("key");
    n.attrs.text("ndev");
    n.attrs.text("min_calib_range");
    n.attrs.text("max_calib_range");
    let attrs = [
        ("axis", Param::Int(axis as i64)),
        ("epsilon", Param::Float(n.attrs.float("eps", 1e-3)?)),
    ];
    let (mean, variance) = (operands[3].clone(), operands[4].clone());
    Ok(vec![
        b.op("nn.batch_norm", &operands, &attrs)?,
        mean,
        variance,
    ])
}

fn layer_norm(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let (x, scale, bias) = (n.input(0)?, n.input(1)?, n.input(2)?);
    let axis = x.axis(n.attrs.int("axis")?.unwrap_or(-1))?;
    let epsilon = n.attrs.float("eps", 1e-5)?;
    n.attrs.flag("output_mean_var", false)?;
    if axis + 1 != x.rank() {
        return Err(format!(
            "layer normalisation along axis {axis} of {} is not supported",
            x.rank()
        ));
    }
    normalized(b, (&x, &scale, Some(bias)), (axis, epsilon), false)
}

fn instance_norm(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let operands = [n.input(0)?, n.input(1)?, n.input(2)?];
    let epsilon = n.attrs.float("eps", 1e-3)?;
    Ok(vec![normalized_channels(b, &operands, epsilon)?])
}

/// The scale and the bias have a number for each group, or for each channel.
fn group_norm(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let groups = n.attrs.int("num_groups")?.unwrap_or(1);
    let channels = x.extent(1)?;
    let mut operands = vec![x];
    for place in 1..3 {
        let of_groups = n.input(place)?;
        let times = match of_groups.extent(0)? {
            given if given == groups && groups > 0 => channels / groups,
            _ => 1,
        };
        let attrs = [("repeats", Param::Int(times)), ("axis", Param::Int(0))];
        operands.push(b.op("repeat", &[of_groups], &attrs)?);
    }
    let attrs = [
        ("num_groups", Param::Int(groups)),
        ("axis", Param::Int(1)),
        ("epsilon", Param::Float(n.attrs.float("eps", 1e-5)?)),
    ];
    n.attrs.flag("output_mean_var", false)?;
    Ok(vec![b.op("nn.group_norm", &operands, &attrs)?])
}

/// Divides by the root of the sum of squares and of `eps`: of a sample, of the channels at a place, or of the places of a channel.
fn l2_normalization(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let epsilon = n.attrs.float("eps", 1e-10)?;
    let axes: Vec<i64> = match n.attrs.text_or("mode", "instance") {
        "instance" => (1..x.rank() as i64).collect(),
        "channel" => vec![1],
        "spatial" => (2..x.rank() as i64).collect(),
        other => return Err(format!("the mode {other} is not supported")),
    };
    let squares = b.binary("multiply", &x, &x)?;
    let attrs = [("axis", Param::Ints(axes)), ("keepdims", Param::Bool(true))];
    let sum = b.op("sum", &[squares], &attrs)?;
    let moved = b.with_scalar("add", &sum, epsilon)?;
    let root = b.unary("sqrt", &moved)?;
    Ok(vec![b.binary("divide", &x, &root)?])
}

fn lrn(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let attrs = [
        ("size", Param::Int(n.attrs.required("nsize")?)),
        ("axis", Param::Int(1)),
        ("alpha", Param::Float(n.attrs.float("alpha", 1e-4)?)),
        ("beta", Param::Float(n.attrs.float("beta", 0.75)?)),
        ("bias", Param::Float(n.attrs.float("knorm", 2.0)?)),
    ];
    Ok(vec![b.op("nn.lrn", &[n.input(0)?], &attrs)?])
}

fn along(b: &mut GraphBuilder, op: &str, x: &Value, axis: usize) -> Result<Value> {
    b.op(
        op,
        std::slice::from_ref(x),
        &[("axis", Param::Int(axis as i64))],
    )
}

/// The softmax of an axis, of a node that may scale by a temperature before.
fn of_axis(n: &Node<'_>, b: &mut GraphBuilder, op: &str, is_negative: bool) -> Result<Vec<Value>> {
    let mut x = n.input(0)?;
    let axis = x.axis(n.attrs.int("axis")?.unwrap_or(-1))?;
    let temperature = n.attrs.float("temperature", 1.0)?;
    let to = super::elementwise::dtype(n, "dtype")?;
    if n.attrs.flag("use_length", false)? {
        return Err("a softmax of lengths is not supported".into());
    }
    if is_negative {
        x = b.unary("negative", &x)?;
    }
    if temperature != 1.0 {
        x = b.with_scalar("divide", &x, temperature)?;
    }
    let made = along(b, op, &x, axis)?;
    Ok(vec![match to {
        Some(to) => b.cast(&made, to)?,
        None => made,
    }])
}

fn softmax(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    of_axis(n, b, "nn.softmax", false)
}

fn log_softmax(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    of_axis(n, b, "nn.log_softmax", false)
}

fn softmin(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    of_axis(n, b, "nn.softmax", true)
}

/// The softmax of all elements of a sample, which keep their places.
fn of_samples(b: &mut GraphBuilder, x: &Value) -> Result<Value> {
    let rows = b.matrix(x, 1)?;
    let made = along(b, "nn.softmax", &rows, 1)?;
    b.reshape(&made, x.dims())
}

fn softmax_output(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    // How the loss is computed in training.
    for name in ["ignore_label", "use_ignore", "out_grad", "smooth_alpha"] {
        n.attrs.text(name);
    }
    let of_channels = n.attrs.flag("multi_output", false)?;
    let of_last = n.attrs.flag("preserve_shape", false)?;
    Ok(vec![match (of_channels, of_last) {
        (true, _) => along(b, "nn.softmax", &x, 1)?,
        (false, true) => along(b, "nn.softmax", &x, x.rank().saturating_sub(1))?,
        (false, false) => of_samples(b, &x)?,
    }])
}

fn softmax_activation(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    Ok(vec![match n.attrs.text_or("mode", "instance") {
        // A sample is what the last dimension holds here.
        "instance" => along(b, "nn.softmax", &x, x.rank().saturating_sub(1))?,
        "channel" => along(b, "nn.softmax", &x, 1)?,
        other => return Err(format!("the mode {other} is not supported")),
    }])
}
