//! What results of nodes are: tensors, and things beside tensors.

use super::list::List;
use crate::graph::{error::Result, value::Value};
use std::rc::Rc;

/// A result of a node.
#[derive(Clone)]
pub enum Item {
    /// A tensor.
    Tensor(Value),
    /// The handle of a variable, by the variable's key in the checkpoint.
    Variable(Rc<str>),
    /// A list of tensors.
    List(List),
    /// Texts and handles of lists, of which nothing is read.
    Opaque,
    /// What a branch returns that is not taken.
    Dead,
}

impl From<Value> for Item {
    fn from(value: Value) -> Self {
        Self::Tensor(value)
    }
}

impl Item {
    /// The tensor.
    ///
    /// # Errors
    /// If it is something else.
    pub fn tensor(&self) -> Result<Value> {
        match self {
            Self::Tensor(value) => Ok(value.clone()),
            other => Err(format!("it is {}, expected a tensor", other.kind())),
        }
    }

    /// The list of tensors.
    ///
    /// # Errors
    /// If it is something else.
    pub fn list(&self) -> Result<&List> {
        match self {
            Self::List(list) => Ok(list),
            other => Err(format!(
                "it is {}, expected a list of tensors",
                other.kind()
            )),
        }
    }

    fn kind(&self) -> &'static str {
        match self {
            Self::Tensor(_) => "a tensor",
            Self::Variable(_) => "a variable",
            Self::List(_) => "a list of tensors",
            Self::Opaque => "a text or a handle",
            Self::Dead => "of a branch that is not taken",
        }
    }
}
