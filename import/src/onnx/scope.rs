//! What nodes can read: the values of their graph, and of the graphs around it.

use super::{proto, tensor::Tensors};
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

/// The values that nodes can read: those of their graph, and those of the graphs around it.
#[derive(Default)]
pub struct Scope<'s> {
    values: HashMap<String, Value>,
    around: Option<&'s Scope<'s>>,
}

impl<'s> Scope<'s> {
    /// The scope of a graph in a graph.
    pub fn within(around: &'s Scope<'s>) -> Self {
        Self {
            values: HashMap::new(),
            around: Some(around),
        }
    }

    /// The value of a name.
    pub fn find(&self, name: &str) -> Option<&Value> {
        let around = || self.around?.find(name);
        self.values.get(name).or_else(around)
    }

    /// Gives a name of this graph its value.
    pub fn define(&mut self, name: &str, value: Value) {
        self.values.insert(name.into(), value);
    }
}
