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

impl Node {
    /// Whether it is a tensor whose elements are known.
    pub fn is_constant(&self) -> bool {
        matches!(self.form, Form::Constant | Form::Computed(..))
    }
}
