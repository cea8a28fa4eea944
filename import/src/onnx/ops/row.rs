//! The row of a conversion.

use crate::{
    graph::{builder::GraphBuilder, error::Result, value::Value},
    onnx::node::Node,
};

/// Makes relay ops for a node and returns its outputs; outputs that are not supported may be left
/// out at the end.
pub type Convert = fn(&Node<'_>, &mut GraphBuilder) -> Result<Vec<Value>>;

/// A conversion for an operator in a range of operator set versions.
pub struct Row {
    /// The operator.
    pub operator: &'static str,
    /// The first version.
    pub since: i64,
    /// The last version; `None` up to the newest.
    pub until: Option<i64>,
    /// The conversion.
    pub convert: Convert,
}

/// A row that holds from `since` on.
pub const fn row(operator: &'static str, since: i64, convert: Convert) -> Row {
    Row {
        operator,
        since,
        until: None,
        convert,
    }
}

impl Row {
    /// The same up to a version.
    pub const fn until(self, last: i64) -> Self {
        Self {
            until: Some(last),
            ..self
        }
    }
}
