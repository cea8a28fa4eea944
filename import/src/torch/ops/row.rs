//! A row of the table of operators.

use crate::{
    graph::{builder::GraphBuilder, error::Result, value::Value},
    torch::{item::Item, node::Node},
};

/// What converts a node of one result.
pub type One = fn(&Node<'_>, &mut GraphBuilder) -> Result<Value>;
/// What converts a node of any number of results.
pub type Many = fn(&Node<'_>, &mut GraphBuilder) -> Result<Vec<Value>>;
/// What converts a node whose result is a number.
pub type Number = fn(&Node<'_>, &mut GraphBuilder) -> Result<Item>;

/// How a node is converted.
#[derive(Clone, Copy)]
pub enum Convert {
    /// Its result is a tensor.
    One(One),
    /// Its results are tensors.
    Many(Many),
    /// Its result is a number.
    Number(Number),
}

/// An operator and its conversion.
pub struct Row {
    /// Its name: of ATen's operators without the namespace, and with the overload where that has a conversion of its own.
    pub name: &'static str,
    /// Its conversion.
    pub convert: Convert,
}

impl Convert {
    /// Converts a node.
    pub fn convert(self, n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Item>> {
        match self {
            Self::One(convert) => Ok(vec![convert(n, b)?.into()]),
            Self::Many(convert) => Ok(convert(n, b)?.into_iter().map(Item::from).collect()),
            Self::Number(convert) => Ok(vec![convert(n, b)?]),
        }
    }
}

/// An operator of one result.
pub const fn row(name: &'static str, convert: One) -> Row {
    Row {
        name,
        convert: Convert::One(convert),
    }
}

/// An operator of any number of results.
pub const fn rows(name: &'static str, convert: Many) -> Row {
    Row {
        name,
        convert: Convert::Many(convert),
    }
}

/// An operator whose result is a number.
pub const fn number(name: &'static str, convert: Number) -> Row {
    Row {
        name,
        convert: Convert::Number(convert),
    }
}
