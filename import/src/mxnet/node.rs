//! A node that is being converted.

use super::attrs::Attrs;
use crate::graph::{error::Result, value::Value};

/// A node: its inputs and attributes.
pub struct Node<'m> {
    /// Its attributes.
    pub attrs: Attrs<'m>,
    /// What it reads.
    pub inputs: Vec<Value>,
}

impl Node<'_> {
    /// An input.
    ///
    /// # Errors
    /// If there are fewer.
    pub fn input(&self, place: usize) -> Result<Value> {
        let found = self.inputs.get(place).cloned();
        found.ok_or_else(|| format!("input {place} is missing"))
    }

    /// Two inputs.
    ///
    /// # Errors
    /// If there are fewer.
    pub fn both(&self) -> Result<(Value, Value)> {
        Ok((self.input(0)?, self.input(1)?))
    }
}
