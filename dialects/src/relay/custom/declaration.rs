//! What is declared of an operator from outside.

use crate::{
    ir::{Attr, Ctx, Type},
    relay::Pattern,
    signatures::Operands,
};

pub use crate::signatures::Holds;

/// An operator's declaration.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// Its name with a namespace: `mylib.swish`.
    pub name: String,
    /// How many operands it takes.
    pub operands: Operands,
    /// How many results it has.
    pub results: usize,
    /// Its attributes, in the order in which programs give them.
    pub attributes: Vec<Attribute>,
    /// Its pattern for fusion.
    pub pattern: Pattern,
    /// The domain and type of the ONNX operator that becomes this one.
    pub onnx: Option<(String, String)>,
    /// The PyTorch operator that becomes this one: `mylib::swish`.
    pub torch: Option<String>,
}

/// An attribute's declaration.
#[derive(Clone, Debug)]
pub struct Attribute {
    /// Its name.
    pub name: String,
    /// What it holds.
    pub holds: Holds,
    /// The value of one that is left out, in MLIR's text; without it, the attribute must be given.
    pub default: Option<String>,
}

/// A call of an operator: what its relation and its expression depend on.
pub struct Request {
    /// The context of types and attributes.
    pub ctx: Ctx,
    /// The types of its operands, which are ranked tensors.
    pub operands: Vec<Type>,
    /// The types of its results; none for a relation.
    pub results: Vec<Type>,
    /// All declared attributes, defaults filled in.
    pub attributes: Attr,
}

/// What an operator means. It is asked from any thread.
pub trait Meaning: Send + Sync {
    /// The types of its results.
    ///
    /// # Errors
    /// Why operands and attributes do not fit, with the text of a diagnostic.
    fn relation(&self, request: &Request) -> Result<Vec<Type>, String>;

    /// A module in MLIR's text: one function from tensors of the operands' types to tensors of the results' types, of
    /// `te.compute` ops, and a `te.schedule` if the operator has its own.
    ///
    /// # Errors
    /// Why there is none.
    fn compute(&self, request: &Request) -> Result<String, String>;
}
