//! Operators that put elements around others, between them, or into blocks.

use super::row::{Row, floats, row};
use crate::{
    graph::{attr::Param, builder::GraphBuilder, error::Result, value::Value},
    tflite::node::Node,
};
use relay_dialects::dim::Dim;

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

/// The widths before and after each dimension, which an input says.
fn widths(n: &Node<'_>, b: &mut GraphBuilder, x: &Value) -> Result<Vec<Dim>> {
    let list = n.input(1)?;
    let pairs = [Dim::Known(x.rank() as i64), Dim::Known(2)];
    if list.dims() != pairs {
        return Err(format!(
            "widths of shape {:?} for data of shape {:?}",
            list.dims(),
            x.dims()
        ));
    }
    if let Some(known) = list.constant().and_then(|list| list.to_ints()) {
        return match known.iter().find(|width| **width < 0) {
            Some(width) => Err(format!("a width of {width}")),
            None => Ok(known.into_iter().map(Dim::Known).collect()),
        };
    }
    match list.elements() {
        Some(forms) => Ok(forms.to_vec()),
        None => {
            let flat = b.reshape(&list, &[2 * x.rank() as i64])?;
            b.sizes_of(&flat)
        }
    }
}

fn pad(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let widths = widths(n, b, &x)?;
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
    let widths = widths(n, b, &x)?;
    let known: Option<Vec<i64>> = widths.iter().map(|width| width.known()).collect();
    let known = known.ok_or("widths that depend on open dimensions are not supported")?;
    let attrs = [
        ("pad_width", Param::Ints(known)),
        ("mode", Param::Str(mode)),
    ];
    Ok(vec![b.op("nn.mirror_pad", &[x], &attrs)?])
}

/// Images with their channels before their extents, through an operator, and back.
fn by_blocks(n: &Node<'_>, b: &mut GraphBuilder, op: &str) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let size = n.int("block_size")?;
    if x.rank() != 4 || size < 1 {
        return Err(format!("blocks of {size} of data of shape {:?}", x.dims()));
    }
    let x = b.transpose(&x, &[0, 3, 1, 2])?;
    let made = b.op(op, &[x], &[("block_size", Param::Int(size))])?;
    Ok(vec![b.transpose(&made, &[0, 2, 3, 1])?])
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

fn diagonal(b: &mut GraphBuilder, x: &Value, diagonal: &Value) -> Result<Value> {
    let attrs = [
        ("k1", Param::Int(0)),
        ("k2", Param::Int(0)),
        ("super_diag_right_align", Param::Bool(false)),
        ("sub_diag_right_align", Param::Bool(false)),
    ];
    b.op("matrix_set_diag", &[x.clone(), diagonal.clone()], &attrs)
}

fn matrix_diag(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let last = *x.dims().last().ok_or("the data is of rank 0")?;
    let zeros = b.full(x.element(), &[x.dims(), &[last]].concat(), 0.0)?;
    Ok(vec![diagonal(b, &zeros, &x)?])
}

fn matrix_set_diag(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    Ok(vec![diagonal(b, &n.input(0)?, &n.input(1)?)?])
}
