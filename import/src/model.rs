//! What importers say of a model, whatever its format.

use crate::{
    error::{ImportError, Unsupported},
    graph::{options::Options, port::Port},
};
use melior::{Context, ir::Module};
use std::{collections::BTreeMap, path::Path};

/// A model that was read and whose structure was checked.
pub trait Model {
    /// The file, for messages.
    fn path(&self) -> &Path;

    /// The model's contents, without importing it.
    fn inspect(&self) -> Summary;

    /// The names of the signatures, in a format whose models have them: what a model may be asked to compute.
    fn signatures(&self) -> Vec<String> {
        Vec::new()
    }

    /// The nodes in the order in which they are computed.
    fn nodes(&self) -> Vec<NodeInfo>;

    /// The nodes for which there is no conversion.
    fn unsupported(&self) -> Vec<Unsupported>;

    /// Imports as [`Model::import`], but what can be converted is converted, so that all that is wrong is found: with every
    /// node that is, except those that [are not supported](Model::unsupported) and those that read what such
    /// nodes compute.
    ///
    /// # Errors
    /// Everything that was found, in the model's order. There may be nothing beside unsupported nodes.
    fn import_as_far_as_possible<'c>(
        &self,
        context: &'c Context,
        options: &Options,
    ) -> Result<Module<'c>, Vec<ImportError>>;

    /// An error about the model as a whole.
    fn wrong(&self, reason: String) -> ImportError {
        ImportError::Model {
            path: self.path().into(),
            reason,
        }
    }

    /// An error about a node.
    fn wrong_node(&self, node: String, op_type: String, reason: String) -> ImportError {
        ImportError::Node {
            path: self.path().into(),
            node,
            op_type,
            reason,
        }
    }

    /// Whether inputs have dimensions of which neither the model nor the options say anything.
    fn leaves_dimensions_open(&self, options: &Options) -> bool;

    /// Imports the model as the function `@main` of a new module.
    ///
    /// # Errors
    /// What is wrong with the model, or what the importer does not support. Unsupported operators
    /// are reported all at once.
    fn import<'c>(
        &self,
        context: &'c Context,
        options: &Options,
    ) -> Result<Module<'c>, ImportError> {
        let operators = self.unsupported();
        if !operators.is_empty() {
            return Err(ImportError::Unsupported {
                path: self.path().into(),
                operators,
            });
        }
        self.import_as_far_as_possible(context, options)
            .map_err(|mut errors| errors.swap_remove(0))
    }
}

/// A node of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeInfo {
    /// Its name; one is made for nodes without.
    pub name: String,
    /// Its operator.
    pub op_type: String,
    /// The tensors that it computes.
    pub outputs: Vec<String>,
}

/// What [`Model::inspect`] tells about a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// The inputs, without constants.
    pub inputs: Vec<TensorInfo>,
    /// The outputs.
    pub outputs: Vec<TensorInfo>,
    /// How many nodes of each operator there are.
    pub operators: BTreeMap<String, usize>,
    /// The elements of all constants.
    pub parameters: u64,
    /// The nodes that cannot be imported.
    pub unsupported: Vec<Unsupported>,
}

/// How many nodes of each operator there are.
pub fn count_operators(operators: impl IntoIterator<Item = String>) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for operator in operators {
        *counts.entry(operator).or_default() += 1;
    }
    counts
}

/// An input or output.
#[derive(Clone, Debug, PartialEq)]
pub struct TensorInfo {
    /// Its name.
    pub name: String,
    /// Its type as the model writes it, such as `float[batch, 3, 224, 224]`.
    pub ty: String,
}

impl TensorInfo {
    /// A tensor of which the model does not say the type.
    pub fn without_type(name: String) -> Self {
        Self {
            name,
            ty: "of unknown type".into(),
        }
    }
}

impl From<&Port> for TensorInfo {
    fn from(port: &Port) -> Self {
        Self {
            name: port.name.clone(),
            ty: port.text.clone(),
        }
    }
}
