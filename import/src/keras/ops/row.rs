//! The rows of the tables of conversions.

use crate::{
    graph::{builder::GraphBuilder, error::Result, value::Value},
    keras::{item::Item, node::Node},
};

/// Writes the operators that a call becomes, and returns what it computes.
pub type Convert = fn(&Node<'_>, &mut GraphBuilder) -> Result<Value>;

/// The same of a call that returns a structure, or tensors with masks.
pub type ConvertItem = fn(&Node<'_>, &mut GraphBuilder) -> Result<Item>;

/// What becomes of the mask of what a layer takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Masking {
    /// It is lost, or the conversion sets another one.
    Own,
    /// What the layer returns has it, too.
    Pass,
}

/// What a conversion returns.
#[derive(Clone, Copy)]
enum Becomes {
    Tensor(Convert),
    Item(ConvertItem),
    /// The operator of Relay of this name, of one operand.
    Unary(&'static str),
}

/// A class and its conversion.
pub struct Row {
    /// The names of the class.
    pub names: &'static [&'static str],
    becomes: Becomes,
    /// What becomes of masks.
    pub masking: Masking,
    /// Whether it wraps layers that have to be supported, too.
    pub wraps: bool,
    keeps_types: bool,
}

const fn of(names: &'static [&'static str], becomes: Becomes) -> Row {
    Row {
        names,
        becomes,
        masking: Masking::Own,
        wraps: false,
        keeps_types: false,
    }
}

/// A row of a class that returns a tensor.
pub const fn row(names: &'static [&'static str], convert: Convert) -> Row {
    of(names, Becomes::Tensor(convert))
}

/// A row of a class that returns a structure, or sets masks.
pub const fn item(names: &'static [&'static str], convert: ConvertItem) -> Row {
    of(names, Becomes::Item(convert))
}

/// A row of an operation that is one of Relay.
pub const fn unary(names: &'static [&'static str], operator: &'static str) -> Row {
    of(names, Becomes::Unary(operator))
}

impl Row {
    /// The same, and masks pass through it.
    pub const fn passing(self) -> Self {
        Self {
            masking: Masking::Pass,
            ..self
        }
    }

    /// The same, and it wraps layers.
    pub const fn wrapping(self) -> Self {
        Self {
            wraps: true,
            ..self
        }
    }

    /// The same, and it takes floats as they are.
    pub const fn keeping_types(self) -> Self {
        Self {
            keeps_types: true,
            ..self
        }
    }

    /// Whether floats that it takes become such that it computes in.
    pub fn casts(&self) -> bool {
        !self.keeps_types
    }

    /// What a call computes.
    ///
    /// # Errors
    /// What the conversion does not support.
    pub fn convert(&self, n: &Node<'_>, b: &mut GraphBuilder) -> Result<Item> {
        match self.becomes {
            Becomes::Tensor(convert) => convert(n, b).map(Item::of),
            Becomes::Item(convert) => convert(n, b),
            Becomes::Unary(operator) => {
                let x = super::operand::tensor(n, b, 0, &["x"])?;
                b.unary(operator, &x).map(Item::of)
            }
        }
    }
}
