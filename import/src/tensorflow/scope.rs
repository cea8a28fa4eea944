//! The results of nodes.

use super::{
    body::{Body, Read},
    item::Item,
};
use crate::graph::error::Result;
use std::collections::HashMap;

/// The results of the nodes of a graph, or of a call of a function.
pub struct Scope<'s, 'm> {
    /// The nodes.
    pub body: &'s Body<'m>,
    /// The function's arguments.
    pub arguments: &'s [Item],
    /// The results of nodes.
    pub results: HashMap<usize, Vec<Item>>,
}

impl<'s, 'm> Scope<'s, 'm> {
    /// Without any results.
    pub fn new(body: &'s Body<'m>, arguments: &'s [Item]) -> Self {
        Self {
            body,
            arguments,
            results: HashMap::new(),
        }
    }

    /// What is read.
    ///
    /// # Errors
    /// If nothing computes it.
    pub fn item(&self, read: Read) -> Result<Item> {
        let found = match read {
            Read::Argument(place) => self.arguments.get(place),
            Read::Result { node, number } => match self.results.get(&node).map(Vec::as_slice) {
                Some([Item::Dead]) => Some(&Item::Dead),
                Some(results) => results.get(number),
                None => None,
            },
        };
        found.cloned().ok_or_else(|| match read {
            Read::Argument(place) => format!("argument {place} is missing"),
            Read::Result { node, number } => {
                format!("'{}' has no result {number}", self.body.nodes[node].name)
            }
        })
    }
}
