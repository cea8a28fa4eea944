//! Determinants.

use super::row::{Row, row};
use crate::compose::determinant::determinant;

/// The family's rows.
pub const ROWS: &[Row] = &[row("Det", 11, |n, b| {
    n.check_inputs(1)?;
    Ok(vec![determinant(b, &n.input(0)?)?])
})];
