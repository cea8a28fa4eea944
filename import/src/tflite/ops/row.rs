//! The rows of the tables of conversions.

use crate::{
    graph::{builder::GraphBuilder, error::Result, value::Value},
    tflite::node::Node,
};

/// Writes the operators that a node becomes, and returns what it computes.
pub type Convert = fn(&Node<'_>, &mut GraphBuilder) -> Result<Vec<Value>>;

/// An operator and its conversion.
pub struct Row {
    /// The operator's name.
    pub operator: &'static str,
    /// The conversion.
    pub convert: Convert,
    /// Whether it takes and returns floats even where the file's tensors are of quantised integers.
    pub in_floats: bool,
    /// Whether it takes or returns both parts of complex numbers.
    pub is_complex: bool,
}

/// A row of an operator that reads integers as they are.
pub const fn row(operator: &'static str, convert: Convert) -> Row {
    Row {
        operator,
        convert,
        in_floats: false,
        is_complex: false,
    }
}

/// A row of an operator that is converted for floats: quantised tensors are dequantised before it, and quantised behind it.
pub const fn floats(operator: &'static str, convert: Convert) -> Row {
    Row {
        operator,
        convert,
        in_floats: true,
        is_complex: false,
    }
}

/// A row of an operator on complex numbers: of those that it returns, the real parts come before the imaginary ones.
pub const fn complex(operator: &'static str, convert: Convert) -> Row {
    Row {
        is_complex: true,
        ..row(operator, convert)
    }
}
