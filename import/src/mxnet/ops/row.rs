//! A row of a table of operators.

use crate::{
    graph::{builder::GraphBuilder, error::Result, value::Value},
    mxnet::node::Node,
};

/// From a node to what it computes.
pub type Convert = fn(&Node<'_>, &mut GraphBuilder) -> Result<Vec<Value>>;

/// What an operator becomes.
#[derive(Clone, Copy)]
pub enum Becomes {
    /// What a function makes.
    Made(Convert),
    /// The operator of Relay with this name, of one operand.
    Unary(&'static str),
    /// The operator of Relay with this name, of two operands that are broadcast.
    Binary(&'static str),
    /// A comparison, whose result is a number as its operands are: 1 or 0.
    Compares(&'static str),
    /// The operator of a tensor and the number in `scalar`; with the number first if the flag says so.
    Scalar(&'static str, bool),
    /// The same of a comparison.
    ScalarCompares(&'static str),
}

/// An operator by its names.
pub struct Row {
    /// Its names: MXNet has several for many.
    pub names: &'static [&'static str],
    becomes: Becomes,
    /// How many inputs it reads; all if nothing is said.
    pub reads: Option<usize>,
}

/// A row of an operator that a function converts.
pub const fn row(names: &'static [&'static str], convert: Convert) -> Row {
    becomes(names, Becomes::Made(convert))
}

/// A row of an operator that is one of Relay.
pub const fn becomes(names: &'static [&'static str], becomes: Becomes) -> Row {
    Row {
        names,
        becomes,
        reads: None,
    }
}

impl Row {
    /// The same operator, of which only the first inputs are read.
    pub const fn reading(self, count: usize) -> Self {
        Self {
            reads: Some(count),
            ..self
        }
    }

    /// What a node of this operator computes.
    ///
    /// # Errors
    /// What the operator does not support.
    pub fn convert(&self, n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
        let made = match self.becomes {
            Becomes::Made(convert) => return convert(n, b),
            Becomes::Unary(name) => b.unary(name, &n.input(0)?)?,
            Becomes::Binary(name) => {
                let (lhs, rhs) = n.both()?;
                b.binary(name, &lhs, &rhs)?
            }
            Becomes::Compares(name) => {
                let (lhs, rhs) = n.both()?;
                let made = b.binary(name, &lhs, &rhs)?;
                b.cast(&made, lhs.element())?
            }
            Becomes::Scalar(name, is_first) => {
                let x = n.input(0)?;
                let number = scalar(n, &x, b)?;
                match is_first {
                    true => b.binary(name, &number, &x)?,
                    false => b.binary(name, &x, &number)?,
                }
            }
            Becomes::ScalarCompares(name) => {
                let x = n.input(0)?;
                let number = scalar(n, &x, b)?;
                let made = b.binary(name, &x, &number)?;
                b.cast(&made, x.element())?
            }
        };
        Ok(vec![made])
    }
}

/// The number that an operator applies to a tensor.
fn scalar(n: &Node<'_>, x: &Value, b: &GraphBuilder) -> Result<Value> {
    // Newer files say whether it was written as a whole number.
    n.attrs.flag("is_int", false)?;
    let number = n.attrs.float("scalar", 1.0)?;
    Ok(b.scalar(x.element(), number))
}
