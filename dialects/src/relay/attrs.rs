//! Reading an operator's attributes.

use crate::{
    dim::Dim,
    ir::{Attr, Op, Type},
};

/// The attributes of an op, or of an op about to be made.
#[derive(Clone, Copy)]
pub struct Attrs(Source);

#[derive(Clone, Copy)]
enum Source {
    Dict(Attr),
    Op(Op),
}

impl Attrs {
    /// Those in a dictionary.
    pub fn of_dict(dict: Attr) -> Self {
        Self(Source::Dict(dict))
    }

    /// Those of an op.
    pub fn of(op: Op) -> Self {
        Self(Source::Op(op))
    }

    /// The attribute called `name`, if it is there.
    pub fn get(&self, name: &str) -> Option<Attr> {
        match self.0 {
            Source::Dict(dict) => dict.get(name),
            Source::Op(op) => op.attr(name),
        }
    }

    /// All of them.
    pub fn entries(&self) -> Vec<(String, Attr)> {
        match self.0 {
            Source::Dict(dict) => dict.as_entries().unwrap_or_default(),
            Source::Op(op) => op.attrs(),
        }
    }

    fn read<T>(
        &self,
        name: &str,
        kind: &str,
        read: impl Fn(Attr) -> Option<T>,
    ) -> Result<T, String> {
        let attr = self
            .get(name)
            .ok_or_else(|| format!("requires attribute '{name}'"))?;
        read(attr).ok_or_else(|| format!("attribute '{name}' is {attr}, not {kind}"))
    }

    /// A list of integers.
    ///
    /// # Errors
    /// If it is missing or of another kind; so for all readers.
    pub fn ints(&self, name: &str) -> Result<Vec<i64>, String> {
        self.read(name, "a list of integers", Attr::as_ints)
    }

    /// A list of floats.
    pub fn floats(&self, name: &str) -> Result<Vec<f64>, String> {
        self.read(name, "a list of floats", Attr::as_floats)
    }

    /// A list of dimensions: of integers, or of integers and texts of forms.
    pub fn dims(&self, name: &str) -> Result<Vec<Dim>, String> {
        self.read(name, "a list of dimensions", Attr::as_dims)
    }

    /// An integer.
    pub fn int(&self, name: &str) -> Result<i64, String> {
        self.read(name, "an integer", Attr::as_i64)
    }

    /// A float.
    pub fn float(&self, name: &str) -> Result<f64, String> {
        self.read(name, "a float", Attr::as_f64)
    }

    /// A boolean.
    pub fn bool(&self, name: &str) -> Result<bool, String> {
        self.read(name, "a boolean", Attr::as_bool)
    }

    /// A string.
    pub fn str(&self, name: &str) -> Result<String, String> {
        self.read(name, "a string", Attr::as_str)
    }

    /// A type.
    pub fn ty(&self, name: &str) -> Result<Type, String> {
        self.read(name, "a type", Attr::as_type)
    }
}
