//! Plain data that attributes hold, and that rules compute with. What stands in a rule is of no context; what is computed at a
//! match may be a type of it.

use relay_dialects::{
    Element,
    ir::{Attr, Ctx, DYNAMIC, Type},
};
use std::fmt;

/// A number, a text, a list of such, or an element type.
#[derive(Clone, Debug)]
pub enum Datum {
    /// A boolean.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A number.
    Float(f64),
    /// A text.
    Text(String),
    /// An element type of tensors.
    Element(Element),
    /// A type, as MLIR writes it.
    TypeText(String),
    /// A type.
    Type(Type),
    /// A list.
    List(Vec<Datum>),
    /// A dimension that is not known.
    Unknown,
    /// Whatever there is: `_` in a rule.
    Any,
}

impl Datum {
    /// What an attribute holds; `None` if it holds something else.
    pub fn of(attr: Attr) -> Option<Self> {
        if let Some(value) = attr.as_bool() {
            return Some(Self::Bool(value));
        }
        if let Some(values) = attr.as_ints() {
            return Some(Self::dims(&values));
        }
        if let Some(values) = attr.as_array() {
            return values
                .into_iter()
                .map(Self::of)
                .collect::<Option<_>>()
                .map(Self::List);
        }
        if let Some(ty) = attr.as_type() {
            return Some(Element::of(ty).map_or(Self::Type(ty), Self::Element));
        }
        let number = || {
            attr.as_i64()
                .map(Self::Int)
                .or(attr.as_f64().map(Self::Float))
        };
        attr.as_str().map(Self::Text).or_else(number)
    }

    /// A list of dimensions.
    pub fn dims(dims: &[i64]) -> Self {
        let dim = |&dim: &i64| {
            if dim == DYNAMIC {
                Self::Unknown
            } else {
                Self::Int(dim)
            }
        };
        Self::List(dims.iter().map(dim).collect())
    }

    /// Whether both are the same, numbers by their value; `None` if that depends on what is not known.
    pub fn compare(&self, other: &Self) -> Option<bool> {
        match (self, other) {
            (Self::Any, _) | (_, Self::Any) => Some(true),
            (Self::Unknown, _) | (_, Self::Unknown) => None,
            (Self::Bool(lhs), Self::Bool(rhs)) => Some(lhs == rhs),
            (Self::Text(lhs), Self::Text(rhs)) | (Self::TypeText(lhs), Self::TypeText(rhs)) => {
                Some(lhs == rhs)
            }
            (Self::Type(lhs), Self::Type(rhs)) => Some(lhs == rhs),
            (Self::Type(ty), Self::TypeText(text)) | (Self::TypeText(text), Self::Type(ty)) => {
                Some(ty.to_string() == *text)
            }
            (Self::Element(lhs), Self::Element(rhs)) => Some(lhs == rhs),
            (Self::Int(lhs), Self::Int(rhs)) => Some(lhs == rhs),
            (Self::List(lhs), Self::List(rhs)) if lhs.len() != rhs.len() => Some(false),
            (Self::List(lhs), Self::List(rhs)) => {
                let items: Vec<Option<bool>> = lhs
                    .iter()
                    .zip(rhs)
                    .map(|(lhs, rhs)| lhs.compare(rhs))
                    .collect();
                let differs = items.contains(&Some(false));
                if differs {
                    Some(false)
                } else {
                    (!items.contains(&None)).then_some(true)
                }
            }
            _ => Some(
                matches!((self.number(), other.number()), (Some(lhs), Some(rhs)) if lhs == rhs),
            ),
        }
    }

    /// Whether both are known to be the same.
    pub fn is(&self, other: &Self) -> bool {
        self.compare(other) == Some(true)
    }

    /// The value of a number.
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Int(value) => Some(*value as f64),
            Self::Float(value) => Some(*value),
            _ => None,
        }
    }

    /// The numbers of a list of whole numbers.
    pub fn ints(&self) -> Option<Vec<i64>> {
        let Self::List(items) = self else { return None };
        let int = |item: &Self| match item {
            Self::Int(value) => Some(*value),
            _ => None,
        };
        items.iter().map(int).collect()
    }

    /// The attribute that holds it, `None` if there is none: of an unknown dimension, of mixed lists.
    pub fn to_attr(&self, ctx: Ctx) -> Option<Attr> {
        match self {
            Self::Bool(value) => Some(Attr::bool(ctx, *value)),
            Self::Int(value) => Some(Attr::i64(ctx, *value)),
            Self::Float(value) => Some(Attr::f64(ctx, *value)),
            Self::Text(value) => Some(Attr::str(ctx, value)),
            Self::Element(element) => Some(Attr::ty(element.ty(ctx))),
            Self::List(_) => self.ints().map(|values| Attr::ints(ctx, &values)),
            Self::TypeText(_) | Self::Type(_) | Self::Unknown | Self::Any => None,
        }
    }

    /// What messages call this kind of data.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Bool(_) => "a boolean",
            Self::Int(_) => "a whole number",
            Self::Float(_) => "a number",
            Self::Text(_) => "a text",
            Self::Element(_) => "an element type",
            Self::TypeText(_) | Self::Type(_) => "a type",
            Self::List(_) => "a list",
            Self::Unknown => "an unknown dimension",
            Self::Any => "anything",
        }
    }
}

impl fmt::Display for Datum {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(value) => write!(formatter, "{value}"),
            Self::Int(value) => write!(formatter, "{value}"),
            Self::Float(value) => write!(formatter, "{value:?}"),
            Self::Text(value) => write!(formatter, "{value:?}"),
            Self::Element(element) => write!(formatter, "{element}"),
            Self::TypeText(text) => formatter.write_str(text),
            Self::Type(ty) => write!(formatter, "{ty}"),
            Self::List(items) => {
                let items: Vec<String> = items.iter().map(Self::to_string).collect();
                write!(formatter, "[{}]", items.join(", "))
            }
            Self::Unknown => formatter.write_str("?"),
            Self::Any => formatter.write_str("_"),
        }
    }
}
