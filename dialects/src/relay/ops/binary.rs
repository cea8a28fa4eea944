//! Functions of two tensors with broadcasting.

use crate::relay::{Pattern::Broadcast, Row, relation::broadcast};

/// The family's rows.
pub const ROWS: &[Row] = &[Row::new("add", Broadcast, broadcast)];
