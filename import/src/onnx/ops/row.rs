//! The row of a conversion.

use crate::{
    graph::{builder::GraphBuilder, error::Result, value::Value},
    onnx::{item::Item, node::Node},
};

/// A function that makes relay ops for a node and returns its outputs; outputs that are not supported may be left out at the end.
type Function<T> = fn(&Node<'_>, &mut GraphBuilder) -> Result<Vec<T>>;

/// A conversion.
#[derive(Clone, Copy)]
pub enum Convert {
    /// Of an operator from tensors to tensors.
    Tensors(Function<Value>),
    /// Of an operator that takes or returns something else, too.
    Items(Function<Item>),
}

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

/// A row of an operator from tensors to tensors that holds from `since` on.
pub const fn row(operator: &'static str, since: i64, convert: Function<Value>) -> Row {
    Row::new(operator, since, Convert::Tensors(convert))
}

/// A row of an operator that takes or returns sequences or optionals, too.
pub const fn item_row(operator: &'static str, since: i64, convert: Function<Item>) -> Row {
    Row::new(operator, since, Convert::Items(convert))
}

impl Row {
    const fn new(operator: &'static str, since: i64, convert: Convert) -> Self {
        Self {
            operator,
            since,
            until: None,
            convert,
        }
    }

    /// The same up to a version.
    pub const fn until(self, last: i64) -> Self {
        Self {
            until: Some(last),
            ..self
        }
    }
}
