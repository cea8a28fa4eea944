//! Loop programs over buffers.

use crate::ir::Op;

/// Checks a `tir` op beyond what ODS states.
///
/// # Errors
/// What is wrong, as a diagnostic's text.
pub fn verify(_op: Op) -> Result<(), String> {
    Ok(())
}
