//! Matrix products.

use super::row::{Row, row};
use crate::{
    graph::{
        attr::Param,
        builder::GraphBuilder,
        error::Result,
        value::{Value, broadcast_shapes, broadcasts},
    },
    onnx::node::Node,
};
use relay_dialects::dim::{self, Dim};

/// The family's rows.
pub const ROWS: &[Row] = &[row("Gemm", 1, gemm), row("MatMul", 1, matmul)];

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
            x.dims(),
            w.dims()
        ));
    }
    if n.attr_bool_or("transA", false)? {
        x = b.transpose(&x, &[1, 0])?;
    }
    if !n.attr_bool_or("transB", false)? {
        w = b.transpose(&w, &[1, 0])?;
    }
    if dim::unify(x.dims()[1], w.dims()[1]).is_none() {
        return Err(format!(
            "A' has {} columns, B' has {} rows",
            x.dims()[1],
            w.dims()[1]
        ));
    }
    let alpha = n.attr_f32_or("alpha", 1.0)?;
    let beta = n.attr_f32_or("beta", 1.0)?;
    let mut result = dense(b, &x, &w)?;
    if alpha != 1.0 {
        result = b.with_scalar("multiply", &result, alpha)?;
    }
    n.ignore_attr("broadcast");
    let Some(mut c) = n.optional(2).filter(|_| beta != 0.0) else {
        return Ok(vec![result]);
    };
    let may_broadcast = n.opset >= 7 || n.attr_bool_or("broadcast", false)?;
    if !broadcasts(c.dims(), result.dims()) || !may_broadcast && c.rank() != 2 {
        return Err(format!(
            "C of shape {:?} does not broadcast to {:?}",
            c.dims(),
            result.dims()
        ));
    }
    if beta != 1.0 {
        c = b.with_scalar("multiply", &c, beta)?;
    }
    if c.dims() == &result.dims()[1..] {
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
        b.reshape(x, &[Dim::Known(1), x.dims()[0]])?
    } else {
        x.clone()
    };
    let rhs = if y.rank() == 1 {
        b.reshape(y, &[y.dims()[0], Dim::Known(1)])?
    } else {
        y.clone()
    };
    let (lhs_batch, [rows, inner]) = split_matrix(&lhs);
    let (rhs_batch, [rhs_inner, columns]) = split_matrix(&rhs);
    let Some(inner) = dim::unify(inner, rhs_inner) else {
        return Err(format!(
            "shapes {:?} and {:?} do not match in the inner dimension",
            x.dims(),
            y.dims()
        ));
    };
    let mut shape = broadcast_shapes(lhs_batch, rhs_batch)?;
    let product = if rhs_batch.is_empty() {
        // A second operand without batches meets all rows of the first in a single product.
        let all = dim::product(lhs_batch)?.times(rows)?;
        let lhs = b.reshape(&lhs, &[all, inner])?;
        let rhs = b.transpose(&rhs, &[1, 0])?;
        dense(b, &lhs, &rhs)?
    } else {
        let batch = dim::product(&shape)?;
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

fn split_matrix(value: &Value) -> (&[Dim], [Dim; 2]) {
    let (batch, matrix) = value.dims().split_at(value.rank() - 2);
    (batch, [matrix[0], matrix[1]])
}
