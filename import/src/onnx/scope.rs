//! What nodes can read: the tensors and sequences of their graph, and of the graphs around it.

use super::{item::Item, proto, tensor::Tensors};
use crate::graph::{builder::GraphBuilder, error::Result, value::Value};
use std::collections::{HashMap, HashSet};

/// What all graphs of a model share.
#[derive(Clone, Copy)]
pub struct Source<'m> {
    /// Reads its tensors.
    pub tensors: &'m Tensors,
    /// The version of ONNX's operator set.
    pub opset: i64,
    /// Converts a node of any of them.
    pub convert: ConvertNode,
}

impl Source<'_> {
    /// The value of an initializer.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn initializer(&self, tensor: &proto::Tensor) -> Result<Value> {
        let known = self.tensors.read(tensor);
        let known = known.map_err(|reason| format!("initializer '{}': {reason}", tensor.name))?;
        Ok(Value::known(known, &tensor.name))
    }
}

/// Converts a node whose inputs the scope has, and adds its outputs there. The outputs whose names are in the set have to be
/// supported.
pub type ConvertNode =
    fn(Source<'_>, &proto::Node, &HashSet<&str>, &mut GraphBuilder, &mut Scope<'_>) -> Result<()>;

/// What nodes can read: what the names of their graph stand for, and those of the graphs around it.
#[derive(Default)]
pub struct Scope<'s> {
    items: HashMap<String, Item>,
    around: Option<&'s Scope<'s>>,
}

impl<'s> Scope<'s> {
    /// The scope of a graph in a graph.
    pub fn within(around: &'s Scope<'s>) -> Self {
        Self {
            items: HashMap::new(),
            around: Some(around),
        }
    }

    /// What a name stands for.
    pub fn find(&self, name: &str) -> Option<&Item> {
        let around = || self.around?.find(name);
        self.items.get(name).or_else(around)
    }

    /// Says what a name of this graph stands for.
    pub fn define(&mut self, name: &str, item: impl Into<Item>) {
        self.items.insert(name.into(), item.into());
    }
}
