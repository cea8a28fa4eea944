//! Operators to make.

use relay_dialects::ir::{Attr, Value as IrValue};

/// An op to make.
#[derive(Clone)]
pub(super) struct Request {
    /// Without the dialect.
    pub name: String,
    pub operands: Vec<IrValue>,
    pub attrs: Vec<(String, Attr)>,
}
