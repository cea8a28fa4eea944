//! Operators that are declared outside of this project: one row stands for all, and the table of
//! [declarations](crate::relay::custom) has what each means.

use super::columns::*;
use crate::relay::custom;

/// The family's rows.
pub const ROWS: &[Row] = &[Row::new(
    "custom",
    Opaque,
    ANY,
    custom::PRECISION,
    custom::relation,
)];
