//! What names of TorchScript stand for while a program is read.

use super::syntax::Function;
use crate::{
    graph::stored::Stored,
    torch::{
        deep::Deep,
        item::{Item, Number},
        ops::quantized::Grain,
        pickle::Quantized,
    },
};
use relay_dialects::{dim::Dim, element::Element};
use std::{cell::RefCell, collections::BTreeMap, rc::Rc};

/// Keys of a dictionary with their values.
pub type Entries<'g> = Vec<(Val<'g>, Val<'g>)>;

/// A value.
#[derive(Clone)]
pub enum Val<'g> {
    /// `None`.
    None,
    /// A tensor by its name in the scope.
    Tensor(&'g str),
    /// A tensor of the file, by its path in the model.
    Weight(Rc<str>, Rc<Stored>),
    /// A quantised tensor of the file, by its path in the model.
    Quantized(Rc<str>, Rc<Quantized>),
    /// A number.
    Number(Number),
    /// A text.
    Text(Rc<str>),
    /// A list. Names may share it.
    List(Rc<RefCell<Deep<Vec<Val<'g>>>>>),
    /// A tuple, with the names of its items if its class has some.
    Tuple(Rc<Deep<Vec<Val<'g>>>>, Option<Rc<[String]>>),
    /// A dictionary.
    Dict(Rc<RefCell<Deep<Entries<'g>>>>),
    /// A module.
    Object(Rc<Object<'g>>),
    /// A function that is called later.
    Function(&'g Function),
    /// What does not matter, such as a device.
    Other(&'static str),
    /// The result of an operator without a conversion, and what is computed of it.
    Lost,
}

/// A module, or another object of a class.
pub struct Object<'g> {
    /// The class, by its whole name.
    pub class: Rc<str>,
    /// Its attributes.
    pub attributes: RefCell<BTreeMap<String, Val<'g>>>,
    /// Where in the model the file holds it; none for what the program makes.
    pub path: Option<Rc<str>>,
}

/// How a quantised tensor's integers stand for its floats.
#[derive(Clone)]
pub struct Steps {
    /// Scales and zero points.
    pub grain: Grain,
    /// The type of the integers.
    pub element: Element,
}

impl<'g> Val<'g> {
    /// Whether it is a tensor or a number that is computed, or holds one.
    pub fn has_tensors(&self) -> bool {
        match self {
            Self::Tensor(_) | Self::Weight(..) | Self::Quantized(..) => true,
            Self::Number(number) => matches!(number, Number::Computed(_)),
            Self::List(items) => items.borrow().iter().any(Self::has_tensors),
            Self::Tuple(items, _) => items.iter().any(Self::has_tensors),
            Self::Dict(items) => items.borrow().iter().any(|(_, item)| item.has_tensors()),
            _ => false,
        }
    }

    /// An integer.
    pub fn int(number: i64) -> Self {
        Self::Number(Number::Int(number))
    }

    /// A boolean.
    pub fn bool(flag: bool) -> Self {
        Self::Number(Number::Bool(flag))
    }

    /// A list.
    pub fn list(items: Vec<Val<'g>>) -> Self {
        Self::List(Rc::new(RefCell::new(items.into())))
    }

    /// A tuple.
    pub fn tuple(items: Vec<Val<'g>>) -> Self {
        Self::Tuple(Rc::new(items.into()), None)
    }

    /// Whether it is a tensor.
    pub fn is_tensor(&self) -> bool {
        matches!(
            self,
            Self::Tensor(_) | Self::Weight(..) | Self::Quantized(..)
        )
    }

    /// Whether it is lost.
    pub fn is_lost(&self) -> bool {
        matches!(self, Self::Lost)
    }

    /// Whether it, or one of its items, is lost.
    pub fn has_lost(&self) -> bool {
        match self {
            Self::List(items) => items.borrow().iter().any(Self::is_lost),
            Self::Tuple(items, _) => items.iter().any(Self::is_lost),
            other => other.is_lost(),
        }
    }

    /// What it is, for messages.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::None => "None",
            Self::Tensor(_) | Self::Weight(..) | Self::Quantized(..) => "a tensor",
            Self::Number(Number::Int(_) | Number::Computed(Item::Dim(_))) => "an integer",
            Self::Number(Number::Float(_)) => "a float",
            Self::Number(Number::Bool(_)) => "a boolean",
            Self::Number(Number::Computed(_)) => "a computed number",
            Self::Text(_) => "a text",
            Self::List(_) => "a list",
            Self::Tuple(..) => "a tuple",
            Self::Dict(_) => "a dictionary",
            Self::Object(_) => "an object",
            Self::Function(_) => "a function",
            Self::Other(what) => what,
            Self::Lost => "the result of an operator that is not supported",
        }
    }
}

/// A number as it is known: what is computed of shapes may be.
pub fn known_number(item: Item) -> Number {
    match &item {
        Item::Dim(Dim::Known(number)) => return Number::Int(*number),
        Item::Dim(_) | Item::Complex(_) => {}
        Item::Number(value) | Item::Tensor(value) => {
            if let Some([Dim::Known(number)]) = value.elements() {
                return Number::Int(*number);
            }
            if let Some(number) = value.scalar() {
                return match value.element() {
                    Element::Bool => Number::Bool(number != 0.0),
                    element if element.is_float() => Number::Float(number),
                    _ => {
                        let ints = value.constant().and_then(|constant| constant.to_ints());
                        let int = ints.and_then(|ints| ints.first().copied());
                        Number::Int(int.unwrap_or(number as i64))
                    }
                };
            }
        }
    }
    Number::Computed(item)
}

/// The most items that are compared: lists may hold themselves.
const MOST_COMPARED: usize = 1 << 20;

/// Whether two values are equal; none if that is not known.
pub fn are_equal<'g>(lhs: &Val<'g>, rhs: &Val<'g>) -> Option<bool> {
    // Pairs are compared in their order, without recursion: values may lie in each other as deep as a program likes.
    let mut pairs = vec![(lhs.clone(), rhs.clone())];
    let mut compared = 0;
    while let Some((lhs, rhs)) = pairs.pop() {
        compared += 1;
        let is_equal = match (&lhs, &rhs) {
            _ if compared + pairs.len() > MOST_COMPARED => return None,
            (Val::None, Val::None) => true,
            (Val::None, _) | (_, Val::None) => false,
            (Val::Number(lhs), Val::Number(rhs)) => lhs.known()? == rhs.known()?,
            (Val::Text(lhs), Val::Text(rhs)) => lhs == rhs,
            (Val::List(lhs), Val::List(rhs)) => add_pairs(&mut pairs, &lhs.borrow(), &rhs.borrow()),
            (Val::Tuple(lhs, _), Val::Tuple(rhs, _)) => add_pairs(&mut pairs, lhs, rhs),
            _ => return None,
        };
        if !is_equal {
            return Some(false);
        }
    }
    Some(true)
}

/// Adds the items of two lists to what is compared; false if the lists have different lengths.
fn add_pairs<'g>(pairs: &mut Vec<(Val<'g>, Val<'g>)>, lhs: &[Val<'g>], rhs: &[Val<'g>]) -> bool {
    let both = lhs.iter().cloned().zip(rhs.iter().cloned());
    pairs.extend(both.rev());
    lhs.len() == rhs.len()
}
