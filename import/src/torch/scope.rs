//! The names of a graph that is being converted, and what they stand for now.
//!
//! Operators of PyTorch may change a tensor in place, and tensors may be views of others. So a name stands for a tensor of its own, for
//! the same tensor as another name, or for a view: what a node makes of another tensor. A view is made again when its tensor has been
//! changed, and what is written into a view is written into its tensor.

use super::{item::Item, schema};
use crate::graph::error::Result;
use std::collections::HashMap;

/// Where the elements of a name lie.
#[derive(Clone, Copy)]
pub enum Origin<'g> {
    /// In a tensor of its own.
    Own,
    /// Where those of another name lie.
    Same(&'g str),
    /// In those of another name, of which a node makes this one as one of its results.
    View {
        /// The node.
        node: &'g schema::Node,
        /// The name of the tensor that it takes.
        base: &'g str,
        /// Which of its results it is.
        place: usize,
    },
}

/// What a name stands for.
#[derive(Clone)]
struct Entry<'g> {
    item: Item,
    origin: Origin<'g>,
    /// How often its tensor had been changed when this was made.
    version: u64,
}

/// The names of a graph.
#[derive(Clone, Default)]
pub struct Scope<'g> {
    entries: HashMap<&'g str, Entry<'g>>,
    /// How often tensors were changed, by the names that own them.
    versions: HashMap<&'g str, u64>,
}

/// What is known of a name.
pub enum Found<'g> {
    /// What it stands for.
    Item(Item),
    /// That it is a view that has to be made again.
    Outdated {
        /// The node that makes it.
        node: &'g schema::Node,
        /// Which of its results it is.
        place: usize,
    },
}

impl<'g> Scope<'g> {
    /// Says what a name stands for.
    pub fn define(&mut self, name: &'g str, item: Item, origin: Origin<'g>) {
        let entry = Entry {
            item,
            origin,
            version: 0,
        };
        self.entries.insert(name, entry);
        let version = self.version(name);
        if let Some(entry) = self.entries.get_mut(name) {
            entry.version = version;
        }
    }

    /// What a name stands for.
    ///
    /// # Errors
    /// If it stands for nothing.
    pub fn find(&self, name: &str) -> Result<Found<'g>> {
        let entry = self.entry(name)?;
        match entry.origin {
            Origin::Own => Ok(Found::Item(entry.item.clone())),
            Origin::Same(other) => self.find(other),
            Origin::View { .. } if entry.version == self.version(name) => {
                Ok(Found::Item(entry.item.clone()))
            }
            Origin::View { node, place, .. } => Ok(Found::Outdated { node, place }),
        }
    }

    /// Where the elements of a name lie.
    ///
    /// # Errors
    /// If it stands for nothing.
    pub fn origin(&self, name: &str) -> Result<Origin<'g>> {
        Ok(self.entry(name)?.origin)
    }

    /// Changes a tensor that a name owns.
    pub fn change(&mut self, name: &'g str, item: Item) {
        *self.versions.entry(name).or_default() += 1;
        self.define(name, item, Origin::Own);
    }

    /// Whether a tensor that a name owns was changed.
    pub fn is_changed(&self, name: &str) -> bool {
        self.versions.contains_key(name)
    }

    /// The name of the tensor that a name stands for as a whole.
    ///
    /// # Errors
    /// If it stands for nothing.
    pub fn same(&self, name: &'g str) -> Result<&'g str> {
        match self.entry(name)?.origin {
            Origin::Same(other) => self.same(other),
            _ => Ok(name),
        }
    }

    /// The name of the tensor in which the elements of a name lie.
    pub fn root<'n>(&self, name: &'n str) -> &'n str
    where
        'g: 'n,
    {
        let mut name = name;
        while let Some(Origin::Same(base) | Origin::View { base, .. }) =
            self.entries.get(name).map(|entry| entry.origin)
        {
            name = base;
        }
        name
    }

    /// The tensors that were changed, by the names that own them.
    pub fn changed(&self) -> impl Iterator<Item = &'g str> + '_ {
        self.versions.keys().copied()
    }

    /// A tensor of an earlier scope that has been changed since.
    pub fn changed_since(&self, before: &Self) -> Option<&'g str> {
        let version = |scope: &Self, name: &str| scope.versions.get(name).copied();
        let mut changed = self.changed();
        changed.find(|name| {
            before.entries.contains_key(name) && version(self, name) != version(before, name)
        })
    }

    fn entry(&self, name: &str) -> Result<&Entry<'g>> {
        let entry = self.entries.get(name);
        entry.ok_or_else(|| format!("nothing computes '{name}'"))
    }

    /// How often the tensor was changed that a name's elements lie in.
    fn version(&self, name: &str) -> u64 {
        let owner = self.root(name);
        self.versions.get(owner).copied().unwrap_or(0)
    }
}
