//! Type relations of operators, in both directions.

use super::{super::terms::fresh, Constraints, report};
use relay_dialects::{
    ir::{Attr, Loc, Op, Type, Value, named},
    pass::{PassFailed, PassResult},
    relay::{
        infer, infer_operands,
        language::{generic, type_params},
    },
};

/// An operator, and the types of its operands for which its relation was last run.
pub(super) struct Relation {
    op: Op,
    last: Option<Vec<Type>>,
}

impl Relation {
    pub(super) fn of(op: Op) -> Self {
        Self { op, last: None }
    }
}

impl Constraints {
    /// The operators of the module.
    pub fn operators(&self) -> Vec<Op> {
        self.relations.iter().map(|relation| relation.op).collect()
    }

    /// Finds what follows from the type relations, until nothing becomes known. What follows for operands is looked at where
    /// nobody else says what they are: those who do may know more.
    pub(super) fn settle(&mut self) -> PassResult {
        let mut relations = std::mem::take(&mut self.relations);
        loop {
            self.forward(&mut relations)?;
            self.terms.changed = false;
            self.backward(&mut relations)?;
            if !self.terms.changed {
                break;
            }
        }
        self.relations = relations;
        Ok(())
    }

    /// From operands to results.
    fn forward(&mut self, relations: &mut [Relation]) -> PassResult {
        loop {
            self.terms.changed = false;
            for relation in &mut *relations {
                self.results_of(relation)?;
            }
            for op in self.fields.clone() {
                self.field(op)?;
            }
            self.instantiate()?;
            if !self.terms.changed {
                return Ok(());
            }
        }
    }

    /// To operands of which nothing is known: down the operators that follow each other, which may then say what their results
    /// are, and up those that take each other's results.
    fn backward(&mut self, relations: &mut [Relation]) -> PassResult {
        let relations = relations.iter_mut();
        let mut open: Vec<&mut Relation> = relations
            .filter(|relation| {
                let operands = self.types(&relation.op.operands());
                operands.iter().any(|ty| ty.is_incomplete())
            })
            .collect();
        for relation in &mut open {
            self.operands_of(relation.op)?;
            self.results_of(relation)?;
        }
        let mut back = open.iter().rev();
        back.try_for_each(|relation| self.operands_of(relation.op))
    }

    /// The types of values, as far as they are known.
    fn types(&mut self, values: &[Value]) -> Vec<Type> {
        let types = values.iter().map(|value| {
            self.term(*value);
            self.ty(*value)
        });
        types.collect()
    }

    fn results_of(&mut self, relation: &mut Relation) -> PassResult {
        let op = relation.op;
        let operands = self.types(&op.operands());
        let is_open = operands.iter().any(|ty| ty.has_incomplete());
        if is_open || relation.last.as_ref() == Some(&operands) {
            return Ok(());
        }
        let types = match infer(op.ctx(), &op.name(), &operands, attrs(op)) {
            Ok(types) => types,
            Err(message) => return Err(self.refuse(op, &message)),
        };
        relation.last = Some(operands);
        for (result, ty) in op.results().into_iter().zip(types) {
            let found = self.terms.of(ty, op.loc());
            let result = self.term(result);
            let known = self.terms.ty(result, op.ctx());
            if let Err(conflict) = self.terms.unify(result, found, op.ctx()) {
                let notes = self.origins(op);
                return Err(report(op, "the result", [known, ty], &conflict, notes));
            }
        }
        Ok(())
    }

    /// Where the types of operands were found that are not written.
    fn origins(&mut self, op: Op) -> Vec<(Loc, String)> {
        let mut notes = Vec::new();
        for (index, value) in op.operands().into_iter().enumerate() {
            let term = self.term(value);
            let from = self.terms.origin(term);
            if let Some(place) = from.filter(|_| value.ty().has_incomplete()) {
                let ty = self.ty(value);
                notes.push((
                    place,
                    format!("operand {index} is {ty}, which comes from here"),
                ));
            }
        }
        notes
    }

    fn operands_of(&mut self, op: Op) -> PassResult {
        let values = op.operands();
        let operands = self.types(&values);
        if !operands.iter().any(|ty| ty.is_incomplete()) {
            return Ok(());
        }
        let results = self.types(&op.results());
        let types = match infer_operands(op.ctx(), &op.name(), (&operands, &results), attrs(op)) {
            Ok(types) => types,
            Err(message) => return Err(self.refuse(op, &message)),
        };
        for (index, (value, ty)) in values.into_iter().zip(types).enumerate() {
            let Some(ty) = ty else { continue };
            let (operand, ty) = (self.term(value), self.terms.of(ty, op.loc()));
            self.same(op, &format!("operand {index}"), operand, ty)?;
        }
        Ok(())
    }

    /// Says why an operator does not take its operands, and where these come from.
    fn refuse(&mut self, op: Op, message: &str) -> PassFailed {
        let operands = op.operands().into_iter().enumerate();
        let notes: Vec<(Loc, String)> = operands
            .map(|(index, value)| {
                let ty = self.ty(value);
                (value.loc(), format!("operand {index} is {ty}"))
            })
            .collect();
        op.emit_error_with_notes(message, &notes);
        PassFailed
    }

    /// The types of functions with type parameters at their uses, once all is known of the functions.
    fn instantiate(&mut self) -> PassResult {
        for op in std::mem::take(&mut self.instances) {
            let ty = self.types(&op.operands())[0];
            let Some(function) = generic(op.operand(0)).filter(|_| !ty.has_incomplete()) else {
                self.instances.push(op);
                continue;
            };
            let params = fresh(&mut self.terms, &type_params(function));
            let instance = self.terms.instance(ty, &params, function.loc());
            let result = self.term(op.result(0));
            self.same(op, "the function", result, instance)?;
        }
        Ok(())
    }

    /// The type of a field, once the tuple is known.
    fn field(&mut self, op: Op) -> PassResult {
        let tuple = self.term(op.operand(0));
        let index = op.attr("index").and_then(Attr::as_i64).unwrap_or_default();
        let Some(field) = self.terms.part(tuple, index, op.loc()) else {
            let ty = self.terms.ty(tuple, op.ctx());
            if ty.is_incomplete() {
                return Ok(());
            }
            return Err(self.refuse(op, &format!("takes field {index} of {ty}")));
        };
        let result = self.term(op.result(0));
        self.same(op, "the field", result, field)
    }
}

/// The attributes of an op, defaults filled in.
fn attrs(op: Op) -> Attr {
    let attrs = op.attrs();
    Attr::dict(op.ctx(), &named(&attrs))
}
