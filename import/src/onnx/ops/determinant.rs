//! Determinants.

use super::{
    reduce::{along, arg_along},
    row::{Row, row},
    select::strided_slice,
};
use crate::{
    graph::{builder::GraphBuilder, error::Result, value::Value},
    onnx::node::Node,
};
use relay_dialects::dim::{self, Dim};

/// The family's rows.
pub const ROWS: &[Row] = &[row("Det", 11, det)];

/// The largest matrices: each row is some ten operators.
const LARGEST: i64 = 64;

fn det(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(1)?;
    let x = n.input(0)?;
    let [batch @ .., rows, columns] = x.dims() else {
        return Err(format!("{:?} are no matrices", x.dims()));
    };
    let order = match (rows.known(), columns.known()) {
        (Some(rows), Some(columns)) if rows == columns => rows,
        _ => {
            return Err(format!(
                "{:?} are no square matrices of a known order",
                x.dims()
            ));
        }
    };
    if order > LARGEST {
        return Err(format!(
            "matrices are of order {order}; only those of up to {LARGEST} are supported"
        ));
    }
    let wide = super::norm::widened(b, &x)?;
    let count = dim::product(batch)?;
    let [order_dim, one] = [Dim::Known(order), Dim::Known(1)];
    let mut rest = b.reshape(&wide, &[count, order_dim, order_dim])?;
    let mut product = b.full(wide.element(), &[count, one, one], 1.0)?;
    for size in (1..=order).rev() {
        let pivot;
        (pivot, rest) = eliminated(b, &rest, size)?;
        product = b.binary("multiply", &product, &pivot)?;
    }
    let product = b.reshape(&product, batch)?;
    Ok(vec![b.cast(&product, x.element())?])
}

/// A step of Gauss's elimination, which chooses the row whose first number is the largest. Returns this number, with another sign if the row
/// was not the first, and the matrices that are left, of one row and one column less.
fn eliminated(b: &mut GraphBuilder, matrices: &Value, size: i64) -> Result<(Value, Value)> {
    if size == 1 {
        return Ok((matrices.clone(), matrices.clone()));
    }
    let column = strided_slice(b, matrices, &[(2, 0, 1, 1)])?;
    let sizes = b.unary("abs", &column)?;
    let chosen = arg_along(b, "argmax", &sizes, (1, true), false)?;
    let places = b.iota(chosen.element(), &[Dim::Known(size), Dim::Known(1)], 0)?;
    let is_chosen = b.binary("equal", &places, &chosen)?;
    let zero = b.scalar(matrices.element(), 0.0);
    let alone = b.op("where", &[is_chosen.clone(), matrices.clone(), zero], &[])?;
    let row = along(b, "sum", &alone, (&[1], true))?;
    // The first row goes where the chosen one was.
    let first = strided_slice(b, matrices, &[(1, 0, 1, 1)])?;
    let swapped = b.op("where", &[is_chosen, first, matrices.clone()], &[])?;
    let others = strided_slice(b, &swapped, &[(1, 1, size, 1)])?;
    let pivot = strided_slice(b, &row, &[(2, 0, 1, 1)])?;
    let heads = strided_slice(b, &others, &[(2, 0, 1, 1)])?;
    // Where the largest number is 0, the determinant is, whatever is left.
    let is_singular = b.with_scalar("equal", &pivot, 0.0)?;
    let one = b.scalar(matrices.element(), 1.0);
    let divisor = b.op("where", &[is_singular, one, pivot.clone()], &[])?;
    let factors = b.binary("divide", &heads, &divisor)?;
    let tails = strided_slice(b, &row, &[(2, 1, size, 1)])?;
    let taken = b.binary("multiply", &factors, &tails)?;
    let others = strided_slice(b, &others, &[(2, 1, size, 1)])?;
    let rest = b.binary("subtract", &others, &taken)?;
    let is_first = b.with_scalar("equal", &chosen, 0.0)?;
    let opposite = b.unary("negative", &pivot)?;
    let signed = b.op("where", &[is_first, pivot, opposite], &[])?;
    Ok((signed, rest))
}
