//! Products of matrices.

use super::row::{Row, row};
use crate::{
    compose::{
        einsum::einsum,
        linear::{dense, product},
    },
    graph::{builder::GraphBuilder, error::Result, value::Value},
    tensorflow::node::Node,
};

/// The family's rows.
pub const ROWS: &[Row] = &[
    row(&["MatMul"], |n, b| {
        matmul(n, b, ["transpose_a", "transpose_b"])
    }),
    row(
        &["BatchMatMul", "BatchMatMulV2", "BatchMatMulV3"],
        |n, b| matmul(n, b, ["adj_x", "adj_y"]),
    ),
    row(&["Einsum"], |n, b| {
        let equation = n.attrs.text_or("equation", "")?;
        Ok(vec![einsum(b, n.tensors(0..n.inputs.len())?, equation)?])
    }),
];

/// The last two axes in the other order.
fn turned(b: &mut GraphBuilder, x: &Value) -> Result<Value> {
    let rank = x.rank();
    if rank < 2 {
        return Err(format!("an input has shape {:?}", x.dims()));
    }
    let mut axes: Vec<usize> = (0..rank).collect();
    axes.swap(rank - 2, rank - 1);
    b.transpose(x, &axes)
}

fn matmul(n: &Node<'_, '_>, b: &mut GraphBuilder, flags: [&str; 2]) -> Result<Vec<Value>> {
    let (mut x, mut y) = n.both()?;
    if x.rank() < 2 || y.rank() < 2 {
        return Err(format!(
            "inputs of shapes {:?} and {:?}; both have to be of rank 2 or more",
            x.dims(),
            y.dims()
        ));
    }
    if n.attrs.flag(flags[0], false)? {
        x = turned(b, &x)?;
    }
    let is_turned = n.attrs.flag(flags[1], false)?;
    if is_turned && x.rank() == 2 && y.rank() == 2 {
        return Ok(vec![dense(b, &x, &y)?]);
    }
    if is_turned {
        y = turned(b, &y)?;
    }
    Ok(vec![product(b, &x, &y)?])
}
