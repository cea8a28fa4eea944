//! The operands and attributes of all ops of our dialects, as TableGen declares them.

use std::fmt;

/// An op as it is declared.
#[derive(Clone, Copy, Debug)]
pub struct Signature {
    /// Its full name.
    pub name: &'static str,
    /// How many operands it takes.
    pub operands: Operands,
    /// Its attributes, in alphabetical order.
    pub attrs: &'static [(&'static str, Holds)],
}

/// A number of operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operands {
    /// So many.
    Exactly(usize),
    /// So many, or more.
    AtLeast(usize),
}

/// What an attribute holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// An `i64`.
    Int,
    /// A boolean.
    Bool,
    /// An `f64`.
    Float,
    /// An `array<i64>`.
    Ints,
    /// An `array<f64>`.
    Floats,
    /// A string.
    Text,
    /// A type.
    Type,
    /// Something else.
    Other,
}

mod generated {
    use super::{Holds, Operands, Signature};
    include!(concat!(env!("OUT_DIR"), "/op_signatures.rs"));
}

/// All ops.
pub const ALL: &[Signature] = generated::ALL;

/// The op of that full name.
pub fn find(name: &str) -> Option<&'static Signature> {
    ALL.iter().find(|signature| signature.name == name)
}

impl Signature {
    /// What the attribute of that name holds; `None` if there is none.
    pub fn attr(&self, name: &str) -> Option<Holds> {
        let attr = self.attrs.iter().find(|(known, _)| *known == name);
        attr.map(|(_, holds)| *holds)
    }
}

impl fmt::Display for Operands {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exactly(1) => f.write_str("1 operand"),
            Self::Exactly(count) => write!(f, "{count} operands"),
            Self::AtLeast(count) => write!(f, "{count} operands or more"),
        }
    }
}

impl Holds {
    /// The kinds that declarations outside of this project name, by their names.
    const NAMES: &[(&str, Self)] = &[
        ("int", Self::Int),
        ("float", Self::Float),
        ("bool", Self::Bool),
        ("str", Self::Text),
        ("ints", Self::Ints),
        ("floats", Self::Floats),
        ("dtype", Self::Type),
    ];

    /// That of a name: int, float, bool, str, ints, floats or dtype.
    pub fn of_name(name: &str) -> Option<Self> {
        let found = Self::NAMES.iter().find(|(known, _)| *known == name);
        found.map(|(_, holds)| *holds)
    }

    /// Its name; empty for what has none.
    pub fn name(self) -> &'static str {
        let found = Self::NAMES.iter().find(|(_, known)| *known == self);
        found.map_or("", |(name, _)| name)
    }

    /// What it is, for messages.
    pub fn text(self) -> &'static str {
        match self {
            Self::Int => "an integer",
            Self::Bool => "a boolean",
            Self::Float => "a float",
            Self::Ints => "a list of integers",
            Self::Floats => "a list of floats",
            Self::Text => "a string",
            Self::Type => "a type",
            Self::Other => "an attribute",
        }
    }
}

impl Operands {
    /// Whether the op takes so many.
    pub fn allow(self, count: usize) -> bool {
        match self {
            Self::Exactly(wanted) => count == wanted,
            Self::AtLeast(least) => count >= least,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{names, relay::ops};

    #[test]
    fn signatures_are_those_of_the_declarations() {
        let conv = find(names::relay::NN_BATCH_NORM).expect("it is declared");
        assert_eq!(conv.operands, Operands::Exactly(5));
        assert_eq!(conv.attr("epsilon"), Some(Holds::Float));
        assert_eq!(conv.attr("axis"), Some(Holds::Int));
        assert_eq!(conv.attr("axes"), None);
        let concatenate = find(names::relay::CONCATENATE).expect("it is declared");
        assert!(matches!(concatenate.operands, Operands::AtLeast(_)));
        let cast = find(names::relay::CAST).expect("it is declared");
        assert_eq!(cast.attr("dtype"), Some(Holds::Type));
        let reshape = find(names::relay::RESHAPE).expect("it is declared");
        assert_eq!(reshape.attr("newshape"), Some(Holds::Ints));
    }

    #[test]
    fn each_operator_has_one() {
        for row in ops::rows() {
            let name = format!("relay.{}", row.name);
            assert!(find(&name).is_some(), "{name}");
        }
    }
}
