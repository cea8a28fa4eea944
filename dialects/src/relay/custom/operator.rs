//! A registered operator.

use super::{
    attributes::{self, complete},
    declaration::{Declaration, Meaning, Request},
};
use crate::{
    element::Elements,
    relay::{
        Call, Row, TensorType,
        row::{Precision, Relation},
    },
};

/// What rounding errors do to the result of an operator that nothing is known of.
pub(in crate::relay) const PRECISION: Precision = Precision::Amplifies;

/// A registered operator.
pub struct Operator {
    /// Its declaration.
    pub declaration: Declaration,
    /// Its row, with what passes ask of every operator.
    pub row: Row,
    meaning: Box<dyn Meaning>,
}

impl Operator {
    pub(super) fn new(
        declaration: Declaration,
        meaning: Box<dyn Meaning>,
        relation: Relation,
    ) -> Self {
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
