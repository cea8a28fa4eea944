//! A row of the table of operators.

use crate::{
    graph::{builder::GraphBuilder, error::Result, value::Value},
    torch::{item::Item, node::Node},
};
use relay_dialects::relay::custom::Operator;

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
    /// An operator from outside is declared for it.
    Outside(&'static Operator),
}

/// An operator and its conversion.
pub struct Row {
    /// Its name: of ATen's operators without the namespace, and with the overload where that has a conversion of its own.
    pub name: &'static str,
    /// Its conversion.
    pub convert: Convert,
    /// How its results are written into, if they are views of its first argument.
    pub view: Option<View>,
    /// The arguments that it changes, beside an operator's first one that works in place. What they become follows the results that a
    /// program names.
    pub changes: &'static [&'static str],
    /// Whether it reads its first argument as the elements of the memory in which that lies.
    pub is_of_memory: bool,
}

/// What is written: the results of the node with which the tensor is seen now, which of them is replaced, and by what.
pub struct Written<'w> {
    /// The tensor.
    pub base: &'w Value,
    /// All results of the node.
    pub results: &'w [Value],
    /// Which of them is replaced.
    pub place: usize,
    /// The new elements.
    pub new: &'w Value,
}

/// Makes the tensor in which a view is replaced.
pub type Write = fn(&Node<'_>, &mut GraphBuilder, &Written<'_>) -> Result<Value>;

/// Results that are views.
#[derive(Clone, Copy)]
pub struct View {
    /// How one is written into.
    pub write: Write,
    /// Whether it is a copy if its elements do not lie in order in the tensor.
    pub is_copy_if_out_of_order: bool,
}

impl Row {
    const fn of(name: &'static str, convert: Convert) -> Self {
        Self {
            name,
            convert,
            view: None,
            changes: &[],
            is_of_memory: false,
        }
    }

    /// The results are views of the first argument.
    pub const fn view(mut self, write: Write) -> Self {
        self.view = Some(View {
            write,
            is_copy_if_out_of_order: false,
        });
        self
    }

    /// The result is a view of the first argument if its elements lie in order, and else a copy.
    pub const fn view_or_copy(mut self, write: Write) -> Self {
        self.view = Some(View {
            write,
            is_copy_if_out_of_order: true,
        });
        self
    }

    /// The first argument stands for the elements of the memory in which it lies.
    pub const fn of_memory(mut self) -> Self {
        self.is_of_memory = true;
        self
    }

    /// The operator changes arguments, too.
    pub const fn changing(mut self, arguments: &'static [&'static str]) -> Self {
        self.changes = arguments;
        self
    }
}

impl Convert {
    /// Converts a node.
    pub fn convert(self, n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Item>> {
        match self {
            Self::One(convert) => Ok(vec![convert(n, b)?.into()]),
            Self::Many(convert) => Ok(convert(n, b)?.into_iter().map(Item::from).collect()),
            Self::Number(convert) => Ok(vec![convert(n, b)?]),
            Self::Outside(operator) => {
                let results = super::custom::convert(operator, n, b)?;
                Ok(results.into_iter().map(Item::from).collect())
            }
        }
    }
}

/// An operator of one result.
pub const fn row(name: &'static str, convert: One) -> Row {
    Row::of(name, Convert::One(convert))
}

/// An operator of any number of results.
pub const fn rows(name: &'static str, convert: Many) -> Row {
    Row::of(name, Convert::Many(convert))
}

/// An operator whose result is a number.
pub const fn number(name: &'static str, convert: Number) -> Row {
    Row::of(name, Convert::Number(convert))
}
