//! Operators that are declared outside of this project: one row stands for all, and the table of
//! [declarations](crate::relay::custom) has what each means.

use super::columns::*;
use crate::relay::{Call, TensorType, custom};

/// The family's rows.
pub const ROWS: &[Row] = &[Row::new("custom", Opaque, ANY, custom::PRECISION, relation)];

/// The type relation of the operator that the attributes name.
pub(in crate::relay) fn relation(call: &Call) -> Result<Vec<TensorType>, String> {
    custom::of_attrs(&call.attrs)?.infer(call)
}
