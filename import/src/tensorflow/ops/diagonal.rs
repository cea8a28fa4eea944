//! Matrices and their diagonals.

use super::row::{Row, row};
use crate::{
    compose::{diagonal::with_diagonal, reduce::along, slice::updated_slice},
    graph::{builder::GraphBuilder, error::Result, value::Value},
    tensorflow::node::Node,
};
use relay_dialects::{dim::Dim, element::Element};

/// The family's rows.
pub const ROWS: &[Row] = &[
    row(&["MatrixDiag", "MatrixDiagV2", "MatrixDiagV3"], of_diagonal),
    row(
        &["MatrixDiagPart", "MatrixDiagPartV2", "MatrixDiagPartV3"],
        diagonal_of,
    ),
    row(
        &["MatrixSetDiag", "MatrixSetDiagV2", "MatrixSetDiagV3"],
        set_diagonal,
    ),
    row(&["XlaDynamicUpdateSlice"], |n, b| {
        let operands = [n.input(0)?, n.input(1)?, n.input(2)?];
        Ok(vec![updated_slice(b, operands)?])
    }),
];

/// Fails unless an input says that the main diagonal is meant.
fn check_main(n: &Node<'_, '_>, place: usize) -> Result<()> {
    n.attrs.ignore(&["align"]);
    let is_main = n.inputs.len() <= place || n.known(place)?.iter().all(|k| *k == 0);
    match is_main {
        true => Ok(()),
        false => Err("diagonals other than the main one are not supported".into()),
    }
}

fn of_diagonal(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    check_main(n, 1)?;
    let x = n.input(0)?;
    let last = *x.dims().last().ok_or("the data is of rank 0")?;
    let asked = |place: usize| match n.inputs.len() > place {
        true => n.known_int(place),
        false => Ok(-1),
    };
    let extent = |asked: i64| if asked < 0 { last } else { Dim::Known(asked) };
    let (rows, columns) = (extent(asked(2)?), extent(asked(3)?));
    let fill = match n.inputs.len() > 4 {
        true => n.scalar(4)?,
        false => 0.0,
    };
    let batches = &x.dims()[..x.rank() - 1];
    let zeros = b.full(x.element(), &[batches, &[rows, columns]].concat(), fill)?;
    Ok(vec![with_diagonal(b, &zeros, &x)?])
}

fn set_diagonal(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    check_main(n, 2)?;
    Ok(vec![with_diagonal(b, &n.input(0)?, &n.input(1)?)?])
}

/// The elements of the main diagonals: all others become 0, and rows are added up.
fn diagonal_of(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    check_main(n, 1)?;
    let x = n.input(0)?;
    let rank = x.rank();
    let [.., rows, columns] = x.dims() else {
        return Err(format!("data of shape {:?}", x.dims()));
    };
    let (rows, columns) = (*rows, *columns);
    let row = b.iota(Element::I64, &[rows, columns], 0)?;
    let column = b.iota(Element::I64, &[rows, columns], 1)?;
    let is_main = b.binary("equal", &row, &column)?;
    let zero = b.scalar(x.element(), 0.0);
    let only = b.op("where", &[is_main, x.clone(), zero], &[])?;
    // Along the longer axis, so that there is one element for each of the shorter one.
    let is_wide = columns.min(rows)? == rows;
    let axis = if is_wide { rank - 1 } else { rank - 2 };
    Ok(vec![along(b, "sum", &only, (&[axis], false))?])
}
