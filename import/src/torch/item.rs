//! What names of a graph stand for: tensors, and numbers beside tensors.

use crate::{
    compose::complex::Complex,
    graph::{builder::GraphBuilder, constant::Const, error::Result, value::Value},
};
use relay_dialects::{dim::Dim, element::Element};

/// What a name of a graph stands for.
#[derive(Clone)]
pub enum Item {
    /// A tensor.
    Tensor(Value),
    /// An integer of extents.
    Dim(Dim),
    /// Another number, as a tensor of rank 0: an i64, an f64 or a boolean.
    Number(Value),
    /// A tensor of complex numbers.
    Complex(Complex),
}

impl From<Value> for Item {
    fn from(value: Value) -> Self {
        Self::Tensor(value)
    }
}

impl From<Complex> for Item {
    fn from(numbers: Complex) -> Self {
        Self::Complex(numbers)
    }
}

impl Item {
    /// An integer.
    ///
    /// # Errors
    /// If it is none that is known, or of which the model can check that it is an extent.
    pub fn dim(&self, b: &mut GraphBuilder) -> Result<Dim> {
        match self {
            Self::Dim(dim) => Ok(*dim),
            Self::Number(value) => number_as_dim(value, b),
            Self::Tensor(_) | Self::Complex(_) => {
                Err("a tensor stands in the place of an integer".into())
            }
        }
    }

    /// A tensor of rank 0 of a number. Complex numbers become pairs of their parts along a new last axis.
    pub fn value(&self, b: &mut GraphBuilder) -> Result<Value> {
        match self {
            Self::Dim(dim) => b.size(Element::I64, *dim),
            Self::Number(value) | Self::Tensor(value) => Ok(value.clone()),
            Self::Complex(numbers) => numbers.pairs(b),
        }
    }

    /// The dimensions of a tensor.
    pub fn dims(&self) -> Option<&[Dim]> {
        match self {
            Self::Tensor(value) => Some(value.dims()),
            Self::Complex(numbers) => Some(numbers.real.dims()),
            _ => None,
        }
    }
}

fn number_as_dim(value: &Value, b: &mut GraphBuilder) -> Result<Dim> {
    if let Some(known) = value.constant().and_then(Const::to_ints)
        && let [number] = known[..]
    {
        return Ok(Dim::Known(number));
    }
    if let Some([form]) = value.elements() {
        return Ok(*form);
    }
    match b.sizes_of(value)?[..] {
        [dim] => Ok(dim),
        _ => Err("a number of an extent is none".into()),
    }
}

/// A number beside tensors: what is known of it does not make a float of a whole number.
#[derive(Clone)]
pub enum Number {
    /// An integer.
    Int(i64),
    /// A float.
    Float(f64),
    /// A boolean.
    Bool(bool),
    /// One that is computed.
    Computed(Item),
}

/// An operand of arithmetic.
#[derive(Clone)]
pub enum Operand {
    /// A tensor.
    Tensor(Value),
    /// A number.
    Number(Number),
}

impl Operand {
    /// The operand as a tensor of an element type.
    pub fn cast(&self, b: &mut GraphBuilder, element: Element) -> Result<Value> {
        match self {
            Self::Tensor(value) => b.cast(value, element),
            Self::Number(number) => number.cast(b, element),
        }
    }
}

impl Number {
    /// The number as a tensor of rank 0.
    pub fn cast(&self, b: &mut GraphBuilder, element: Element) -> Result<Value> {
        use crate::graph::constant::Numbers;
        match self {
            // A float cannot hold all integers.
            Self::Int(number) if !element.is_float() && element != Element::Bool => {
                let number = Const::new(element, Vec::new(), &Numbers::ints(&[*number]));
                Ok(b.known(number))
            }
            Self::Int(number) if element == Element::Bool => {
                Ok(b.scalar(element, f64::from(u8::from(*number != 0))))
            }
            Self::Int(number) => Ok(b.scalar(element, *number as f64)),
            Self::Float(number) if element.is_float() => Ok(b.scalar(element, *number)),
            Self::Float(number) => Self::Int(*number as i64).cast(b, element),
            Self::Bool(flag) => Ok(b.scalar(element, f64::from(u8::from(*flag)))),
            Self::Computed(item) => {
                let value = item.value(b)?;
                b.cast(&value, element)
            }
        }
    }

    /// The number, if it is known.
    pub fn known(&self) -> Option<f64> {
        match self {
            Self::Int(number) => Some(*number as f64),
            Self::Float(number) => Some(*number),
            Self::Bool(flag) => Some(f64::from(u8::from(*flag))),
            Self::Computed(Item::Dim(dim)) => dim.known().map(|number| number as f64),
            Self::Computed(item) => match item {
                Item::Number(value) | Item::Tensor(value) => value.scalar(),
                Item::Dim(_) | Item::Complex(_) => None,
            },
        }
    }
}
