//! Matrix products.

use super::row::{Row, row};
use crate::{
    graph::{
        attr::Param,
        builder::GraphBuilder,
        constant::element_count,
        error::Result,
        value::{Value, broadcast_shapes},
    },
    onnx::node::Node,
};

/// The family's rows.
pub const ROWS: &[Row] = &[row("Gemm", 7, gemm), row("MatMul", 1, matmul)];

/// `x * wᵀ` for matrices.
pub(super) fn dense(b: &mut GraphBuilder, x: &Value, w: &Value) -> Result<Value> {
    b.op("nn.dense", &[x.clone(), w.clone()], &[])
}

/// The products of matrices, one for each batch.
pub(super) fn batched(b: &mut GraphBuilder, lhs: &Value, rhs: &Value) -> Result<Value> {
    let attrs = [
        ("transpose_a", Param::Bool(false)),
        ("transpose_b", Param::Bool(false)),
    ];
    b.op("nn.batch_matmul", &[lhs.clone(), rhs.clone()], &attrs)
}

/// `alpha * A' * B' + beta * C`.
pub(super) fn gemm(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(3)?;
    let (mut x, mut w) = (n.input(0)?, n.input(1)?);
    if x.rank() != 2 || w.rank() != 2 {
        return Err(format!(
            "A and B have shapes {:?} and {:?}, expected matrices",
            x.shape(),
            w.shape()
        ));
    }
    if n.attr_bool_or("transA", false)? {
        x = b.transpose(&x, &[1, 0])?;
    }
    if !n.attr_bool_or("transB", false)? {
        w = b.transpose(&w, &[1, 0])?;
    }
    if x.shape()[1] != w.shape()[1] {
        return Err(format!(
            "A' has {} columns, B' has {} rows",
            x.shape()[1],
            w.shape()[1]
        ));
    }
    let alpha = n.attr_f32_or("alpha", 1.0)?;
    let beta = n.attr_f32_or("beta", 1.0)?;
    let mut result = dense(b, &x, &w)?;
    if alpha != 1.0 {
        result = b.with_scalar("multiply", &result, alpha)?;
    }
    let Some(mut c) = n.optional(2).filter(|_| beta != 0.0) else {
        return Ok(vec![result]);
    };
    if broadcast_shapes(c.shape(), result.shape())? != result.shape() {
        return Err(format!(
            "C of shape {:?} does not broadcast to {:?}",
            c.shape(),
            result.shape()
        ));
    }
    if beta != 1.0 {
        c = b.with_scalar("multiply", &c, beta)?;
    }
    if c.shape() == &result.shape()[1..] {
        return Ok(vec![b.op(
            "nn.bias_add",
            &[result, c],
            &[("axis", Param::Int(1))],
        )?]);
    }
    Ok(vec![b.binary("add", &result, &c)?])
}

fn matmul(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(2)?;
    Ok(vec![product(b, &n.input(0)?, &n.input(1)?)?])
}

/// Numpy's matmul: vectors become matrices, dimensions before the last two broadcast.
pub(super) fn product(b: &mut GraphBuilder, x: &Value, y: &Value) -> Result<Value> {
    if x.rank() == 0 || y.rank() == 0 {
        return Err("an input is a scalar".into());
    }
    let lhs = if x.rank() == 1 {
        b.reshape(x, &[1, x.shape()[0]])?
    } else {
        x.clone()
    };
    let rhs = if y.rank() == 1 {
        b.reshape(y, &[y.shape()[0], 1])?
    } else {
        y.clone()
    };
    let (lhs_batch, [rows, inner]) = split_matrix(&lhs);
    let (rhs_batch, [rhs_inner, columns]) = split_matrix(&rhs);
    if inner != rhs_inner {
        return Err(format!(
            "shapes {:?} and {:?} do not match in the inner dimension",
            x.shape(),
            y.shape()
        ));
    }
    let mut shape = broadcast_shapes(lhs_batch, rhs_batch)?;
    let product = if rhs_batch.is_empty() {
        // A second operand without batches meets all rows of the first in a single product.
        let all: i64 = lhs_batch.iter().product::<i64>() * rows;
        let lhs = b.reshape(&lhs, &[all, inner])?;
        let rhs = b.transpose(&rhs, &[1, 0])?;
        dense(b, &lhs, &rhs)?
    } else {
        let batch = element_count(&shape)?;
        let lhs_shape = [&shape[..], &[rows, inner]].concat();
        let rhs_shape = [&shape[..], &[inner, columns]].concat();
        let lhs = b.broadcast(&lhs, &lhs_shape)?;
        let rhs = b.broadcast(&rhs, &rhs_shape)?;
        let lhs = b.reshape(&lhs, &[batch, rows, inner])?;
        let rhs = b.reshape(&rhs, &[batch, inner, columns])?;
        batched(b, &lhs, &rhs)?
    };
    if x.rank() > 1 {
        shape.push(rows);
    }
    if y.rank() > 1 {
        shape.push(columns);
    }
    b.reshape(&product, &shape)
}

fn split_matrix(value: &Value) -> (&[i64], [i64; 2]) {
    let (batch, matrix) = value.shape().split_at(value.rank() - 2);
    (batch, [matrix[0], matrix[1]])
}
