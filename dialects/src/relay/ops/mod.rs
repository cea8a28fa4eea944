//! The operator table, by family.

pub mod binary;
pub mod language;
pub mod unary;

use super::Row;

/// Where a new operator's row goes, for messages.
pub(crate) const TABLE: &str = "dialects/src/relay/ops/<family>.rs";

/// All rows.
pub fn rows() -> impl Iterator<Item = &'static Row> {
    [unary::ROWS, binary::ROWS].into_iter().flatten()
}
