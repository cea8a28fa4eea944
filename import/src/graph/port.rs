//! Inputs as a model declares them.

use super::error::Result;
use relay_dialects::{dim::Dim, element::Element};
use std::fmt;

/// How a model declares a dimension of an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Dimension {
    /// As a number.
    Known(i64),
    /// By a name, which stands for one size in the whole model, or by arithmetic on names: `past + seq`.
    Named(String),
    /// As open.
    Open,
}

impl fmt::Display for Dimension {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Known(size) => size.fmt(formatter),
            Self::Named(name) => name.fmt(formatter),
            Self::Open => "?".fmt(formatter),
        }
    }
}

/// A shape for messages: `[batch, ?, 3]`.
pub fn shape_text(dims: &[Dimension]) -> String {
    let dims: Vec<String> = dims.iter().map(Dimension::to_string).collect();
    format!("[{}]", dims.join(", "))
}

/// An input as its model declares it.
#[derive(Clone, Debug, PartialEq)]
pub struct Port {
    /// Its name.
    pub name: String,
    /// Its type as the model writes it, for messages: `float[batch, 3]`.
    pub text: String,
    /// The type of its elements, or why it has none that is supported.
    pub element: Result<Element>,
    /// Its dimensions; `None` if not even their number is known.
    pub dims: Option<Vec<Dimension>>,
}

/// An input of `@main`.
pub struct Input {
    /// Its name.
    pub name: String,
    /// The type of its elements.
    pub element: Element,
    /// Its dimensions.
    pub dims: Vec<Dim>,
}
