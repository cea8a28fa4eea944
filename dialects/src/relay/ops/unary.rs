//! Elementwise functions of one tensor.

use crate::relay::{Pattern::Elemwise, Row, relation::identity};

/// The family's rows.
pub const ROWS: &[Row] = &[
    Row::new("abs", Elemwise, identity),
    Row::new("nn.relu", Elemwise, identity),
];
