//! What results of nodes are: tensors, and things beside tensors.

use super::list::List;
use crate::{
    compose::complex::Complex,
    graph::{builder::GraphBuilder, error::Result, value::Value},
};
use std::rc::Rc;

/// A result of a node.
#[derive(Clone)]
pub enum Item {
    /// A tensor.
    Tensor(Value),
    /// A tensor of complex numbers.
    Complex(Complex),
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

impl From<Complex> for Item {
    fn from(numbers: Complex) -> Self {
        Self::Complex(numbers)
    }
}

impl Item {
    /// A tensor that is given, stored or known: complex numbers are pairs of their parts along the last axis.
    ///
    /// # Errors
    /// If there are no pairs.
    pub fn given(b: &mut GraphBuilder, value: Value, is_complex: bool) -> Result<Self> {
        match is_complex {
            true => Ok(Complex::of_pairs(b, &value)?.into()),
            false => Ok(value.into()),
        }
    }

    /// The tensor; complex numbers as pairs of their parts.
    ///
    /// # Errors
    /// If it is something else.
    pub fn returned(&self, b: &mut GraphBuilder) -> Result<Value> {
        match self {
            Self::Complex(numbers) => numbers.pairs(b),
            other => other.tensor(),
        }
    }

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
            Self::Complex(_) => "a tensor of complex numbers",
            Self::Variable(_) => "a variable",
            Self::List(_) => "a list of tensors",
            Self::Opaque => "a text or a handle",
            Self::Dead => "of a branch that is not taken",
        }
    }
}
