//! The rows of the tables of conversions.

use crate::{
    graph::{builder::GraphBuilder, error::Result, value::Value},
    tensorflow::{item::Item, node::Node},
};

/// Writes the operators that a node becomes.
#[derive(Clone, Copy)]
pub enum Convert {
    /// Of tensors, to tensors.
    Tensors(fn(&Node<'_, '_>, &mut GraphBuilder) -> Result<Vec<Value>>),
    /// Of anything, to anything.
    Items(fn(&Node<'_, '_>, &mut GraphBuilder) -> Result<Vec<Item>>),
}

/// An operator and its conversion.
pub struct Row {
    /// The operator's names.
    pub names: &'static [&'static str],
    /// The conversion.
    pub convert: Convert,
}

/// A row of an operator on tensors.
pub const fn row(
    names: &'static [&'static str],
    convert: fn(&Node<'_, '_>, &mut GraphBuilder) -> Result<Vec<Value>>,
) -> Row {
    Row {
        names,
        convert: Convert::Tensors(convert),
    }
}

/// A row of an operator on something else.
pub const fn items(
    names: &'static [&'static str],
    convert: fn(&Node<'_, '_>, &mut GraphBuilder) -> Result<Vec<Item>>,
) -> Row {
    Row {
        names,
        convert: Convert::Items(convert),
    }
}

impl Row {
    /// Converts a node.
    ///
    /// # Errors
    /// What is wrong with it, or what is not supported.
    pub fn results_of(&self, n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Item>> {
        match self.convert {
            Convert::Items(convert) => convert(n, b),
            Convert::Tensors(convert) => {
                let values = convert(n, b)?;
                Ok(values.into_iter().map(Item::from).collect())
            }
        }
    }
}
