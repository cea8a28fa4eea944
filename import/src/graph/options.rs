//! What is said of a model beside its file.

pub use crate::graph::extent::{Extent, Opening, Unsaid};
use crate::graph::{constant::Const, weights::Weights};
use relay_dialects::element::Element;
use std::{collections::BTreeMap, sync::Arc};

/// How to import a model.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Shapes of inputs, by name.
    pub shapes: BTreeMap<String, Vec<Extent>>,
    /// Sizes of dimensions of inputs, by the names that the model gives to the dimensions.
    pub dims: BTreeMap<String, Extent>,
    /// Element types of inputs, by name, for formats that do not say them.
    pub types: BTreeMap<String, Element>,
    /// What becomes of dimensions of which neither `shapes` nor `dims` says anything.
    pub unsaid: Unsaid,
    /// Inputs that become constants, by name: axes, pads and shapes must be constants. The module does not take
    /// them.
    pub values: BTreeMap<String, Const>,
    /// Values of inputs as a [user writes](crate::graph::literal) them, by name: the inputs become constants, as those of `values` do.
    pub literals: BTreeMap<String, String>,
    /// Tensors from beside the model's file: parameters of their names become equal to them, and inputs of their names become constants.
    pub weights: Arc<Weights>,
    /// Whether what each node computes becomes an output of the module, too, behind the model's own outputs and
    /// in the model's order.
    pub expose: bool,
}

impl Options {
    /// Whether an input becomes a constant of a given value.
    #[must_use]
    pub fn is_fixed(&self, name: &str) -> bool {
        self.values.contains_key(name) || self.literals.contains_key(name)
    }
}
