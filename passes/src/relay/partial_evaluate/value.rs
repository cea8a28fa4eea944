//! What is known of values.

use relay_dialects::ir::{Attr, Op, Type, Value};
use std::{
    cell::{Cell, OnceCell},
    collections::HashMap,
    rc::Rc,
};

/// A value of the program, as far as it is known.
pub type Partial = Rc<Node>;

/// What is known while one function runs, by the values of the program that is read.
pub type Known = HashMap<Value, Partial>;

/// A value of the program.
pub struct Node {
    /// Its type.
    pub ty: Type,
    /// What it is, if that is known.
    pub form: Form,
    /// When it was made: values are made of older ones.
    pub born: i64,
    /// How many values it is made of on the longest way down.
    pub depth: usize,
    /// Where the new program computes it, so far.
    pub residual: Cell<Option<Value>>,
    /// The elements of a constant, once somebody has asked.
    pub elements: OnceCell<Attr>,
}

/// What a value is.
pub enum Form {
    /// That will be known when the program runs.
    Unknown,
    /// A tensor, by its elements.
    Constant,
    /// The result of an operator on known tensors. It is computed when somebody asks.
    Computed(Op, Vec<Partial>),
    /// A tuple.
    Tuple(Vec<Partial>),
    /// Data, by its constructor.
    Data(Attr, Vec<Partial>),
    /// A function.
    Function(Function),
    /// A place, by its number.
    Reference(usize),
}

/// A function that is a value.
#[derive(Clone)]
pub struct Function {
    /// The `relay.fn`, or the function of the module.
    pub op: Op,
    /// The values around a `relay.fn` that it reads, in the order in which it reads them.
    pub around: Vec<(Value, Partial)>,
    /// The first arguments of a function of the module.
    pub first: Vec<Partial>,
}

impl Form {
    /// How many values it is made of on the longest way down. Tensors whose elements are known are made of nothing.
    fn depth(&self) -> usize {
        let of = |part: &Partial| match part.elements.get() {
            Some(_) => 1,
            None => part.depth + 1,
        };
        let below = |parts: &[Partial]| parts.iter().map(of).max();
        let depth = match self {
            Self::Unknown | Self::Constant | Self::Reference(_) => None,
            Self::Computed(_, parts) | Self::Tuple(parts) | Self::Data(_, parts) => below(parts),
            Self::Function(function) => {
                let around = function.around.iter().map(|(_, value)| of(value));
                around.max().max(below(&function.first))
            }
        };
        depth.unwrap_or_default()
    }
}

impl Node {
    /// A value that was made just now.
    pub fn new(ty: Type, form: Form, born: i64) -> Self {
        Self {
            ty,
            depth: form.depth(),
            form,
            born,
            residual: Cell::new(None),
            elements: OnceCell::new(),
        }
    }

    /// Whether it is a tensor whose elements are known.
    pub fn is_constant(&self) -> bool {
        matches!(self.form, Form::Constant | Form::Computed(..))
    }
}
