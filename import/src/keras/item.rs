//! What layers take and return: tensors, and structures of them.

use crate::graph::{constant::Const, error::Result, value::Value};

/// A tensor with its mask, a tensor of booleans that says which steps count.
#[derive(Clone)]
pub struct Tensor {
    /// The tensor.
    pub value: Value,
    /// The mask, if there is one.
    pub mask: Option<Value>,
}

/// A structure as Python has it, whose tensors are `T`.
#[derive(Clone, Debug)]
pub enum Tree<T> {
    /// A tensor.
    Leaf(T),
    /// A tensor that could not be computed.
    Lost,
    /// `None`.
    None,
    /// A boolean.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A float.
    Float(f64),
    /// A text.
    Text(String),
    /// An array that the model holds.
    Array(Const),
    /// A list or a tuple.
    List(Vec<Self>),
    /// A dictionary.
    Dict(Vec<(String, Self)>),
    /// A slice: start, stop and step.
    Slice(Box<[Self; 3]>),
    /// `...`.
    Ellipsis,
}

/// A structure of tensors.
pub type Item = Tree<Tensor>;

/// The arguments of a call: by place, and by name.
pub type Arguments = (Vec<Item>, Vec<(String, Item)>);

impl<T> Tree<T> {
    /// The same structure with other tensors; one that is missing is lost.
    pub fn map<U>(&self, leaf: &impl Fn(&T) -> Option<Tree<U>>) -> Tree<U> {
        match self {
            Self::Leaf(one) => leaf(one).unwrap_or(Tree::Lost),
            Self::Lost => Tree::Lost,
            Self::None => Tree::None,
            Self::Bool(flag) => Tree::Bool(*flag),
            Self::Int(number) => Tree::Int(*number),
            Self::Float(number) => Tree::Float(*number),
            Self::Text(text) => Tree::Text(text.clone()),
            Self::Array(array) => Tree::Array(array.clone()),
            Self::List(all) => Tree::List(all.iter().map(|one| one.map(leaf)).collect()),
            Self::Dict(all) => {
                let all = all.iter();
                Tree::Dict(all.map(|(key, one)| (key.clone(), one.map(leaf))).collect())
            }
            Self::Slice(parts) => {
                Tree::Slice(Box::new([0, 1, 2].map(|part: usize| parts[part].map(leaf))))
            }
            Self::Ellipsis => Tree::Ellipsis,
        }
    }

    /// The tensors in order.
    pub fn leaves(&self) -> Vec<&T> {
        let mut all = Vec::new();
        self.collect(&mut all);
        all
    }

    fn collect<'t>(&'t self, all: &mut Vec<&'t T>) {
        match self {
            Self::Leaf(one) => all.push(one),
            Self::List(parts) => parts.iter().for_each(|part| part.collect(all)),
            Self::Dict(parts) => parts.iter().for_each(|(_, part)| part.collect(all)),
            Self::Slice(parts) => parts.iter().for_each(|part| part.collect(all)),
            _ => {}
        }
    }

    /// Whether a tensor of it could not be computed.
    pub fn has_lost(&self) -> bool {
        match self {
            Self::Lost => true,
            Self::List(parts) => parts.iter().any(Self::has_lost),
            Self::Dict(parts) => parts.iter().any(|(_, part)| part.has_lost()),
            Self::Slice(parts) => parts.iter().any(Self::has_lost),
            _ => false,
        }
    }

    /// What it is, for messages.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Leaf(_) => "a tensor",
            Self::Lost => "nothing",
            Self::None => "None",
            Self::Bool(_) => "a boolean",
            Self::Int(_) => "an integer",
            Self::Float(_) => "a float",
            Self::Text(_) => "a text",
            Self::Array(_) => "an array",
            Self::List(_) => "a list",
            Self::Dict(_) => "a dictionary",
            Self::Slice(_) => "a slice",
            Self::Ellipsis => "'...'",
        }
    }

    /// An integer, if it is one.
    pub fn int(&self) -> Option<i64> {
        match self {
            Self::Int(number) => Some(*number),
            Self::Float(number) if number.fract() == 0.0 && number.abs() < 9e15 => {
                Some(*number as i64)
            }
            _ => None,
        }
    }

    /// A number, if it is one.
    pub fn float(&self) -> Option<f64> {
        match self {
            Self::Int(number) => Some(*number as f64),
            Self::Float(number) => Some(*number),
            Self::Bool(flag) => Some(f64::from(u8::from(*flag))),
            _ => None,
        }
    }

    /// Integers: a list of them, or one.
    pub fn ints(&self) -> Option<Vec<i64>> {
        match self {
            Self::List(all) => all.iter().map(Self::int).collect(),
            Self::Array(array) if array.shape.len() <= 1 && array.count() <= 64 => array.to_ints(),
            one => one.int().map(|one| vec![one]),
        }
    }
}

impl Item {
    /// A tensor without a mask.
    pub fn of(value: Value) -> Self {
        Self::masked(value, None)
    }

    /// A tensor with a mask.
    pub fn masked(value: Value, mask: Option<Value>) -> Self {
        Self::Leaf(Tensor { value, mask })
    }

    /// Tensors without masks.
    pub fn list(values: Vec<Value>) -> Self {
        Self::List(values.into_iter().map(Self::of).collect())
    }

    /// The only tensor; a list of one is one.
    ///
    /// # Errors
    /// If it is something else.
    pub fn tensor(&self) -> Result<&Tensor> {
        match self {
            Self::Leaf(tensor) => Ok(tensor),
            Self::List(all) if all.len() == 1 => all[0].tensor(),
            other => Err(format!(
                "a tensor is expected, and {} is given",
                other.kind()
            )),
        }
    }
}
