//! Diagonals of matrices.

use crate::graph::{attr::Param, builder::GraphBuilder, error::Result, value::Value};

/// Matrices, the last two dimensions of `x`, with other elements on their main diagonals.
///
/// # Errors
/// If the diagonals do not fit the matrices.
pub fn with_diagonal(b: &mut GraphBuilder, x: &Value, diagonal: &Value) -> Result<Value> {
    let attrs = [
        ("k1", Param::Int(0)),
        ("k2", Param::Int(0)),
        ("super_diag_right_align", Param::Bool(false)),
        ("sub_diag_right_align", Param::Bool(false)),
    ];
    b.op("matrix_set_diag", &[x.clone(), diagonal.clone()], &attrs)
}
