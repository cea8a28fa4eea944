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
/// What converts a node that changes arguments: its results, and what the arguments become.
pub type Changing = fn(&Node<'_>, &mut GraphBuilder) -> Result<(Vec<Value>, Vec<Value>)>;
/// What converts a node whose result is a number, or may be complex.
pub type OfItem = fn(&Node<'_>, &mut GraphBuilder) -> Result<Item>;

/// How a node is converted.
#[derive(Clone, Copy)]
pub enum Convert {
    /// Its result is a tensor.
    One(One),
    /// Its results are tensors.
    Many(Many),
    /// Its results are tensors, and it changes arguments.
    Changing(Changing),
    /// Its result is a number, or it may be complex.
    Item(OfItem),
    /// An operator from outside is declared for it.
    Outside(&'static Operator),
}

/// An operator and its conversion.
#[derive(Clone, Copy)]
pub struct Row {
    /// Its name: of ATen's operators without the namespace, and with the overload where that has a conversion of its own.
    pub name: &'static str,
    /// Its conversion.
    pub convert: Convert,
    /// How its results are written into, if they are views of its first argument.
    pub view: Option<View>,
    /// The arguments that it may change, beside the first argument of an operator that works in place.
    pub changes: &'static [&'static str],
    /// Whether it reads its first argument as the elements of the memory in which that lies.
    pub is_of_memory: bool,
    /// Whether it reads complex numbers itself.
    pub is_complex: bool,
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
            is_complex: false,
        }
    }

    /// An operator that is declared outside of the table.
    pub fn outside(operator: &'static Operator) -> Self {
        Self::of(&operator.declaration.name, Convert::Outside(operator))
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
}

/// What a node makes.
pub struct Converted {
    /// Its results.
    pub results: Vec<Item>,
    /// What the arguments become that its row says it may change; nothing if it changes none.
    pub changes: Vec<Value>,
}

impl Convert {
    /// Converts a node.
    pub fn convert(self, n: &Node<'_>, b: &mut GraphBuilder) -> Result<Converted> {
        let mut changes = Vec::new();
        let values = match self {
            Self::One(convert) => vec![convert(n, b)?],
            Self::Many(convert) => convert(n, b)?,
            Self::Changing(convert) => {
                let values;
                (values, changes) = convert(n, b)?;
                values
            }
            Self::Item(convert) => {
                let results = vec![convert(n, b)?];
                return Ok(Converted { results, changes });
            }
            Self::Outside(operator) => super::custom::convert(operator, n, b)?,
        };
        let results = values.into_iter().map(Item::from).collect();
        Ok(Converted { results, changes })
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

/// An operator of any number of results that may change arguments.
pub const fn changing(
    name: &'static str,
    convert: Changing,
    arguments: &'static [&'static str],
) -> Row {
    let mut row = Row::of(name, Convert::Changing(convert));
    row.changes = arguments;
    row
}

/// An operator whose result is a number.
pub const fn number(name: &'static str, convert: OfItem) -> Row {
    Row::of(name, Convert::Item(convert))
}

/// An operator that reads or makes complex numbers.
pub const fn complex(name: &'static str, convert: OfItem) -> Row {
    let mut row = Row::of(name, Convert::Item(convert));
    row.is_complex = true;
    row
}
