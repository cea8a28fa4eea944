//! Determinants of matrices.

use super::{
    norm::widened,
    reduce::{along, arg_along},
    slice::strided_slice,
};
use crate::graph::{builder::GraphBuilder, error::Result, value::Value};
use relay_dialects::dim::{self, Dim};

/// The largest matrices: each row is some ten operators.
const LARGEST: i64 = 64;

/// The determinants of matrices, which are the last two axes.
///
/// # Errors
/// If the matrices are not square, or too large.
pub fn determinant(b: &mut GraphBuilder, x: &Value) -> Result<Value> {
    let wide = widened(b, x)?;
    let mut product = b.scalar(wide.element(), 1.0);
    for pivot in pivots(b, &wide)? {
        product = b.binary("multiply", &product, &pivot)?;
    }
    of_matrices(b, &product, x)
}

/// The signs of the determinants of matrices, and the logarithms of their sizes.
///
/// # Errors
/// As [`determinant`].
pub fn sign_and_logarithm(b: &mut GraphBuilder, x: &Value) -> Result<[Value; 2]> {
    let wide = widened(b, x)?;
    let mut sign = b.scalar(wide.element(), 1.0);
    let mut sum = b.scalar(wide.element(), 0.0);
    for pivot in pivots(b, &wide)? {
        let of_pivot = b.unary("sign", &pivot)?;
        sign = b.binary("multiply", &sign, &of_pivot)?;
        let size = b.unary("abs", &pivot)?;
        let log = b.unary("log", &size)?;
        sum = b.binary("add", &sum, &log)?;
    }
    Ok([of_matrices(b, &sign, x)?, of_matrices(b, &sum, x)?])
}

/// A number for each matrix, in the type of the matrices.
fn of_matrices(b: &mut GraphBuilder, numbers: &Value, x: &Value) -> Result<Value> {
    let batch = &x.dims()[..x.rank() - 2];
    let numbers = b.broadcast(
        numbers,
        &[dim::product(batch)?, Dim::Known(1), Dim::Known(1)],
    )?;
    let numbers = b.reshape(&numbers, batch)?;
    b.cast(&numbers, x.element())
}

/// The numbers whose product is the determinant, by Gauss's elimination: [matrices, 1, 1] each.
fn pivots(b: &mut GraphBuilder, x: &Value) -> Result<Vec<Value>> {
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
    let count = dim::product(batch)?;
    let order_dim = Dim::Known(order);
    let mut rest = b.reshape(x, &[count, order_dim, order_dim])?;
    let mut pivots = Vec::new();
    for size in (1..=order).rev() {
        let pivot;
        (pivot, rest) = eliminated(b, &rest, size)?;
        pivots.push(pivot);
    }
    Ok(pivots)
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
    // If the largest number is 0, so is the determinant, whatever is left.
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
