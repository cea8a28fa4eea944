//! What is declared of an operator from outside.

use super::{PRECISION, attributes, complete};
use crate::{
    element::Elements,
    ir::{Attr, Ctx, Type},
    relay::{Call, Pattern, Row, TensorType, ops::custom::relation},
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

/// A registered operator.
pub struct Operator {
    /// Its declaration.
    pub declaration: Declaration,
    /// Its row, with what passes ask of every operator.
    pub row: Row,
    meaning: Box<dyn Meaning>,
}

impl Operator {
    pub(super) fn new(declaration: Declaration, meaning: Box<dyn Meaning>) -> Self {
        // An operator is registered for as long as the process lives.
        let name = declaration.name.clone().leak();
        Self {
            row: Row::new(
                name,
                declaration.pattern,
                Elements::ANY,
                PRECISION,
                relation,
            ),
            declaration,
            meaning,
        }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.declaration.name
    }

    /// Runs its type relation.
    ///
    /// # Errors
    /// What does not fit, with the label of a constraint.
    pub(in crate::relay) fn infer(&self, call: &Call) -> Result<Vec<TensorType>, String> {
        let name = self.name();
        let count = call.inputs.len();
        if !self.declaration.operands.allow(count) {
            let takes = self.declaration.operands;
            return Err(format!("\"{name}\" takes {takes}, not {count} (C2)"));
        }
        let given = attributes::of_call(&call.attrs);
        let attributes = complete(&self.declaration, call.ctx, &given);
        let request = Request {
            ctx: call.ctx,
            operands: call.inputs.iter().map(TensorType::to_type).collect(),
            results: Vec::new(),
            attributes: attributes.map_err(|reason| format!("\"{name}\" {reason} (C2)"))?,
        };
        let types = self.meaning.relation(&request);
        let types = types.map_err(|reason| format!("\"{name}\": {reason} (C3)"))?;
        let (wanted, given) = (self.declaration.results, types.len());
        if given != wanted {
            return Err(format!(
                "\"{name}\" is declared with {wanted} results, and its type relation gives {given} (C3)"
            ));
        }
        let tensors = types.iter().map(|ty| {
            TensorType::of(*ty).ok_or_else(|| {
                format!("\"{name}\": its type relation gives {ty}, no ranked tensor (C3)")
            })
        });
        tensors.collect()
    }

    /// Its expression: see [`Meaning::compute`].
    ///
    /// # Errors
    /// Why there is none.
    pub fn compute(&self, request: &Request) -> Result<String, String> {
        let text = self.meaning.compute(request);
        text.map_err(|reason| format!("\"{}\": {reason}", self.name()))
    }
}
