//! Tensors that lists of subscripts and values say, and sums of rows that lists choose.

use super::row::{Row, row};
use crate::{
    compose::{
        gather::{columns, taken_inside},
        segment::{segmented, sorted_segments},
        slice::strided_slice,
    },
    graph::{attr::Param, builder::GraphBuilder, error::Result, value::Value},
    tensorflow::node::Node,
};
use relay_dialects::dim::{self, Dim};

/// The family's rows.
pub const ROWS: &[Row] = &[
    row(
        &["SparseSegmentSum", "SparseSegmentSumWithNumSegments"],
        |n, b| segments(n, b, Share::Sum),
    ),
    row(
        &["SparseSegmentMean", "SparseSegmentMeanWithNumSegments"],
        |n, b| segments(n, b, Share::Mean),
    ),
    row(
        &["SparseSegmentSqrtN", "SparseSegmentSqrtNWithNumSegments"],
        |n, b| segments(n, b, Share::Root),
    ),
    row(&["SparseTensorDenseMatMul"], product),
    row(&["SparseTensorDenseAdd"], add),
    row(&["SparseReshape"], reshape),
    row(&["Bincount"], bins),
    row(&["DenseBincount"], dense_bins),
];

/// What sums of rows are divided by.
enum Share {
    /// Nothing.
    Sum,
    /// The number of rows.
    Mean,
    /// Its root.
    Root,
}

/// The rows that a list chooses, added up where another list, which rises, has equal numbers.
fn segments(n: &Node<'_, '_>, b: &mut GraphBuilder, share: Share) -> Result<Vec<Value>> {
    n.attrs.ignore(&["sparse_gradient"]);
    let (x, places, numbers) = (n.input(0)?, n.input(1)?, n.input(2)?);
    let count = match n.inputs.len() > 3 {
        true => n.size(b, 3)?,
        false => sorted_segments(&n.known(2)?).into(),
    };
    let rows = taken_inside(b, &x, &places, 0)?;
    let sums = segmented(b, (&rows, &numbers), count, "add", 0.0)?;
    if matches!(share, Share::Sum) {
        return Ok(vec![sums]);
    }
    let mut dims = vec![Dim::Known(1); rows.rank()];
    dims[0] = rows.dims()[0];
    let ones = b.full(rows.element(), &dims, 1.0)?;
    let counts = segmented(b, (&ones, &numbers), count, "add", 0.0)?;
    let counts = b.with_scalar("maximum", &counts, 1.0)?;
    let counts = match share {
        Share::Root => b.unary("sqrt", &counts)?,
        _ => counts,
    };
    Ok(vec![b.binary("divide", &sums, &counts)?])
}

/// A column of a matrix, as a list.
fn column(b: &mut GraphBuilder, matrix: &Value, place: i64) -> Result<Value> {
    let part = strided_slice(b, matrix, &[(1, place, place + 1, 1)])?;
    b.reshape(&part, &[matrix.dims()[0]])
}

/// The product of a matrix that lists say and another matrix.
fn product(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let (places, values, mut y) = (n.of_rank(0, 2)?, n.of_rank(1, 1)?, n.of_rank(3, 2)?);
    let shape = n.sizes(b, 2)?;
    let is_turned = n.attrs.flag("adjoint_a", false)?;
    if n.attrs.flag("adjoint_b", false)? {
        y = b.transpose(&y, &[1, 0])?;
    }
    if shape.len() != 2 || places.dims()[1] != 2 {
        return Err(format!("subscripts of shape {:?}", places.dims()));
    }
    let (row, inner) = if is_turned { (1, 0) } else { (0, 1) };
    let (rows, inner) = (column(b, &places, row)?, column(b, &places, inner)?);
    let chosen = taken_inside(b, &y, &inner, 0)?;
    let factors = b.reshape(&values, &[values.dims()[0], Dim::Known(1)])?;
    let parts = b.binary("multiply", &chosen, &factors)?;
    let count = shape[row as usize];
    Ok(vec![segmented(b, (&parts, &rows), count, "add", 0.0)?])
}

fn add(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let (places, values, y) = (n.of_rank(0, 2)?, n.of_rank(1, 1)?, n.input(3)?);
    let lists = columns(b, &places)?;
    let attrs = [("mode", Param::Str("add"))];
    Ok(vec![b.op("scatter_nd", &[y, lists, values], &attrs)?])
}

fn reshape(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    b.ops("sparse_reshape", &n.tensors(0..3)?, &[])
}

/// The weights of numbers below a count; all 1 if there are none.
fn weights(n: &Node<'_, '_>, b: &mut GraphBuilder, x: &Value) -> Result<Value> {
    let weights = n.input(2)?;
    match weights.is_empty() {
        true => b.full(weights.element(), x.dims(), 1.0),
        false => Ok(weights),
    }
}

/// How often each number below a count is there, or the sum of its weights.
fn bins(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let weights = weights(n, b, &x)?;
    let count = n.size(b, 1)?;
    let flat = [dim::product(x.dims())?];
    let (numbers, weights) = (b.reshape(&x, &flat)?, b.reshape(&weights, &flat)?);
    let end = b.size(numbers.element(), count)?;
    let is_below = b.binary("less", &numbers, &end)?;
    // Slices of negative numbers are left out.
    let none = b.scalar(numbers.element(), -1.0);
    let numbers = b.op("where", &[is_below, numbers, none], &[])?;
    Ok(vec![segmented(b, (&weights, &numbers), count, "add", 0.0)?])
}

/// The same for each row of a matrix, or only whether a number is there.
fn dense_bins(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let is_binary = n.attrs.flag("binary_output", false)?;
    let made = match x.rank() {
        1 => bins(n, b)?.swap_remove(0),
        2 => {
            let weights = weights(n, b, &x)?;
            let attrs = [
                ("depth", Param::Int(n.known_int(1)?)),
                ("axis", Param::Int(-1)),
                ("dtype", Param::Type(weights.element())),
            ];
            let [on, off] = [1.0, 0.0].map(|number| b.scalar(weights.element(), number));
            let marks = b.op("one_hot", &[x.clone(), on, off], &attrs)?;
            let weights = b.reshape(&weights, &[x.dims(), &[Dim::Known(1)]].concat())?;
            let marks = b.binary("multiply", &marks, &weights)?;
            crate::compose::reduce::along(b, "sum", &marks, (&[1], false))?
        }
        _ => return Err(format!("data of shape {:?}", x.dims())),
    };
    if !is_binary {
        return Ok(vec![made]);
    }
    let is_there = b.with_scalar("not_equal", &made, 0.0)?;
    Ok(vec![b.cast(&is_there, made.element())?])
}
