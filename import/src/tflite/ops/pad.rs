//! Operators that put elements around others, between them, or into blocks.

use super::row::{Row, floats, row};
use crate::{
    compose::{
        diagonal::with_diagonal,
        pad::{mirrored, widths, with_channels_first},
    },
    graph::{attr::Param, builder::GraphBuilder, error::Result, value::Value},
    tflite::node::Node,
};

/// The family's rows.
pub const ROWS: &[Row] = &[
    row("PAD", pad),
    row("PADV2", pad),
    row("MIRROR_PAD", mirror_pad),
    row("SPACE_TO_DEPTH", |n, b| {
        by_blocks(n, b, "nn.space_to_depth")
    }),
    row("DEPTH_TO_SPACE", |n, b| {
        by_blocks(n, b, "nn.depth_to_space")
    }),
    row("SPACE_TO_BATCH_ND", space_to_batch),
    row("BATCH_TO_SPACE_ND", batch_to_space),
    row("DILATE", dilate),
    floats("MATRIX_DIAG", matrix_diag),
    row("MATRIX_SET_DIAG", matrix_set_diag),
];

fn pad(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let widths = widths(b, &x, &n.input(1)?)?;
    let fill = match n.optional(2) {
        Some(fill) => b.reshape_to_scalar(&fill)?,
        None if n.is_quantised(0) => b.scalar(x.element(), n.grain(0)?.zero()? as f64),
        None => b.scalar(x.element(), 0.0),
    };
    Ok(vec![b.pad(&x, &fill, &widths, "constant")?])
}

fn mirror_pad(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let mode = match n.byte("mode")? {
        0 => "REFLECT",
        1 => "SYMMETRIC",
        other => return Err(format!("option 'mode' is {other}, which is unknown")),
    };
    let widths = widths(b, &x, &n.input(1)?)?;
    Ok(vec![mirrored(b, &x, &widths, mode)?])
}

/// Images with their channels before their extents, through an operator, and back.
fn by_blocks(n: &Node<'_>, b: &mut GraphBuilder, op: &str) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let size = n.int("block_size")?;
    if x.rank() != 4 || size < 1 {
        return Err(format!("blocks of {size} of data of shape {:?}", x.dims()));
    }
    let attrs = [("block_size", Param::Int(size))];
    let made = with_channels_first(b, &x, |b, x| b.op(op, &[x], &attrs));
    Ok(vec![made?])
}

fn space_to_batch(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let fill = match n.is_quantised(0) {
        true => n.grain(0)?.zero()? as f64,
        false => 0.0,
    };
    let attrs = [
        ("block_shape", Param::Ints(n.known(1)?)),
        ("paddings", Param::Ints(n.known(2)?)),
        ("pad_value", Param::Float(fill)),
    ];
    Ok(vec![b.op("nn.space_to_batch_nd", &[x], &attrs)?])
}

fn batch_to_space(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let attrs = [
        ("block_shape", Param::Ints(n.known(1)?)),
        ("crops", Param::Ints(n.known(2)?)),
    ];
    Ok(vec![b.op("nn.batch_to_space_nd", &[x], &attrs)?])
}

/// Elements apart from each other.
fn dilate(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let fill = b.reshape_to_scalar(&n.input(2)?)?;
    let fill = fill
        .scalar()
        .ok_or("what is put between elements has to be known")?;
    let attrs = [
        ("strides", Param::Ints(n.known(1)?)),
        ("dilation_value", Param::Float(fill)),
    ];
    Ok(vec![b.op("nn.dilate", &[x], &attrs)?])
}

fn matrix_diag(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let last = *x.dims().last().ok_or("the data is of rank 0")?;
    let zeros = b.full(x.element(), &[x.dims(), &[last]].concat(), 0.0)?;
    Ok(vec![with_diagonal(b, &zeros, &x)?])
}

fn matrix_set_diag(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    Ok(vec![with_diagonal(b, &n.input(0)?, &n.input(1)?)?])
}
