//! Attributes of ops to be made.

use relay_dialects::{
    dim::Dim,
    element::Element,
    ir::{Attr, Ctx},
    relay::build::extents,
};

/// An attribute of an op to be made.
#[derive(Clone, Debug)]
pub enum Param {
    /// An integer.
    Int(i64),
    /// A list of integers.
    Ints(Vec<i64>),
    /// A list of dimensions.
    Dims(Vec<Dim>),
    /// A float.
    Float(f64),
    /// A boolean.
    Bool(bool),
    /// A string.
    Str(&'static str),
    /// A string of a model.
    Text(String),
    /// A list of floats.
    Floats(Vec<f64>),
    /// An element type.
    Type(Element),
}

impl Param {
    pub(super) fn to_attr(&self, ctx: Ctx) -> Attr {
        match self {
            Self::Int(value) => Attr::i64(ctx, *value),
            Self::Ints(values) => Attr::ints(ctx, values),
            Self::Dims(dims) => extents(ctx, dims),
            Self::Float(value) => Attr::f64(ctx, *value),
            Self::Bool(value) => Attr::bool(ctx, *value),
            Self::Str(text) => Attr::str(ctx, text),
            Self::Text(text) => Attr::str(ctx, text),
            Self::Floats(values) => Attr::floats(ctx, values),
            Self::Type(element) => Attr::ty(element.ty(ctx)),
        }
    }
}
