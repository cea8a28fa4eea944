//! Products of matrices, with numpy's broadcasting.

use crate::graph::{
    attr::Param,
    builder::GraphBuilder,
    error::Result,
    value::{Value, broadcast_shapes},
};
use relay_dialects::dim::{self, Dim};

/// `x * wᵀ` for matrices.
pub fn dense(b: &mut GraphBuilder, x: &Value, w: &Value) -> Result<Value> {
    b.op("nn.dense", &[x.clone(), w.clone()], &[])
}

/// x * weightᵀ, for each row of any axes in front.
pub fn linear_of(b: &mut GraphBuilder, x: &Value, weight: &Value) -> Result<Value> {
    let ([front @ .., inputs], [outputs, of_weight]) = (x.dims(), weight.dims()) else {
        return Err(format!(
            "an input of shape {:?} does not fit a weight of shape {:?}",
            x.dims(),
            weight.dims()
        ));
    };
    if dim::unify(*inputs, *of_weight).is_none() {
        return Err(format!(
            "{inputs} inputs do not fit a weight of shape {:?}",
            weight.dims()
        ));
    }
    let shape = [front, &[*outputs]].concat();
    let rows = [dim::product(front)?, *inputs];
    let rows = b.reshape(x, &rows)?;
    let result = dense(b, &rows, weight)?;
    b.reshape(&result, &shape)
}

/// The products of matrices, one for each batch.
pub fn batched(b: &mut GraphBuilder, lhs: &Value, rhs: &Value) -> Result<Value> {
    let attrs = [
        ("transpose_a", Param::Bool(false)),
        ("transpose_b", Param::Bool(false)),
    ];
    b.op("nn.batch_matmul", &[lhs.clone(), rhs.clone()], &attrs)
}

/// Numpy's matmul: vectors become matrices, dimensions before the last two broadcast.
pub fn product(b: &mut GraphBuilder, x: &Value, y: &Value) -> Result<Value> {
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
