//! Copies in shared memory, which are zero beyond their tensor.
//!
//! A tile of results may reach beyond the tensor, and so do the parts of operands that it needs. All threads copy all of these, and
//! compute with all of it: a condition around each multiply-add would take longer than the multiply-add.

use super::{Lowering, Nest, PlaceOfPoint, store};
use crate::te::lower_te::schedule::{Attach, Body, Illegal, StageId};
use relay_dialects::{
    ir::{Block, Builder, Op, Type, Value},
    ops::{arith, scf, tensor},
    te::{Compute, Reducer},
    tir::Scope,
};
use relay_loops::analysis::linear::linear;
use std::collections::HashSet;

/// What is done with elements of a stage's region that are beyond its tensor.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Beyond {
    /// A condition leaves them out.
    Left,
    /// They are zero.
    Zero,
    /// They are computed from zeros.
    Computed,
}

impl Lowering<'_> {
    /// What is done with elements beyond the tensor of the stage of a nest.
    pub(super) fn beyond(&self, nest: &Nest) -> Beyond {
        let id = nest.stage;
        let is_known = || nest.extents.values().all(|extent| extent.is_known());
        if self.is_in_block(id) || !is_known() {
            Beyond::Left
        } else if self.is_filled(id) {
            Beyond::Zero
        } else if self.reads_filled(id) {
            Beyond::Computed
        } else {
            Beyond::Left
        }
    }

    /// Whether a stage is a copy that is zero beyond its tensor.
    pub(super) fn is_filled(&self, id: StageId) -> bool {
        let stage = &self.schedule.stages[id];
        matches!(stage.body, Body::Read(_)) && stage.scope() == Scope::Shared && !self.blocks
    }

    /// Whether a stage's region may reach beyond its tensor: it is zero there, or a warp computes it from zeros.
    pub(super) fn reaches_beyond(&self, id: StageId) -> bool {
        let is_fragment = self.schedule.stages[id].scope() == Scope::Fragment;
        self.is_filled(id) || is_fragment && self.reads_filled(id)
    }

    /// Whether a thread or a warp computes in registers of its own, and reads such copies only.
    fn reads_filled(&self, id: StageId) -> bool {
        let scope = self.schedule.stages[id].scope();
        matches!(scope, Scope::Local | Scope::Fragment) && self.sources_are_filled(id)
    }

    /// Whether a stage reads filled copies only, by subscripts from which it is known how far the copies reach: itself, or by way of
    /// fragments and of what is inlined.
    fn sources_are_filled(&self, id: StageId) -> bool {
        let stage = &self.schedule.stages[id];
        let is_filled = |tensor: &Value| match stage.redirects.get(tensor) {
            Some(copy) => self.reaches_beyond(*copy),
            None => {
                let inlined = self.inlined_stage(*tensor);
                inlined.is_some_and(|source| self.sources_are_filled(source))
            }
        };
        let op = match stage.body {
            Body::Compute(op) => op,
            Body::Read(tensor) => return is_filled(&tensor),
            _ => return false,
        };
        let axes = op.body().args();
        let is_linear = |subscript: &Value| {
            let form = linear(*subscript);
            form.terms.iter().all(|(term, _)| axes.contains(term))
        };
        let reads = op.find_all(tensor::Extract::NAME);
        let tensors: HashSet<Value> = reads.iter().map(|read| read.operand(0)).collect();
        reads.len() == tensors.len()
            && tensors.iter().all(is_filled)
            && reads
                .iter()
                .all(|read| read.operands()[1..].iter().all(is_linear))
    }

    /// The stage that a tensor is computed by, if its expression is substituted where it is read.
    fn inlined_stage(&self, tensor: Value) -> Option<StageId> {
        let source = self.schedule.stage_of(tensor)?;
        (self.schedule.stages[source].attach == Attach::Inline).then_some(source)
    }

    /// Whether the terms of a stage's sums are zero beyond the ends of its reduce axes: products of what is zero there.
    pub(super) fn sums_zeros(&self, id: StageId) -> bool {
        let stage = &self.schedule.stages[id];
        let Body::Compute(op) = stage.body else {
            return false;
        };
        let is_sum = Compute::of(op).and_then(Compute::reducer) == Some(Reducer::Sum);
        let term = op.body().terminator().and_then(|end| end.operand(0).def());
        let is_product = |term: Op| {
            let multiplies = term.is(arith::MulF::NAME) || term.is(arith::MulI::NAME);
            multiplies
                && term
                    .operands()
                    .into_iter()
                    .all(|value| self.keeps_zero(id, value))
        };
        stage.scope() == Scope::Fragment && is_sum && term.is_some_and(is_product)
    }

    /// Whether a value of a stage's expression is a copy's element, if only in a wider type.
    fn keeps_zero(&self, id: StageId, value: Value) -> bool {
        let Some(op) = value.def() else { return false };
        let widens = [arith::ExtF::NAME, arith::ExtSI::NAME, arith::ExtUI::NAME];
        if widens.contains(&op.name().as_str()) {
            return self.keeps_zero(id, op.operand(0));
        }
        if !op.is(tensor::Extract::NAME) {
            return false;
        }
        let tensor = op.operand(0);
        if self.schedule.stages[id].redirects.contains_key(&tensor) {
            return true;
        }
        let inlined = self.inlined_stage(tensor);
        inlined.is_some_and(|source| match self.schedule.stages[source].body {
            Body::Compute(op) => {
                let end = op.body().terminator();
                end.is_some_and(|end| self.keeps_zero(source, end.operand(0)))
            }
            _ => false,
        })
    }

    /// Copies an element, or stores zero where it is beyond the tensor.
    pub(super) fn fill_element(
        &mut self,
        b: &Builder,
        id: StageId,
        place: PlaceOfPoint,
    ) -> Result<(), Illegal> {
        let conditions = place.beyond.conditions.into_iter();
        let is_inside = conditions.reduce(|all, condition| arith::AndI::build(b, all, condition));
        let Some(is_inside) = is_inside else {
            return self.element(b, id, (&place.indices, place.local), &[]);
        };
        let types: Vec<Type> = self.element_types(id);
        let [then, otherwise] = [(); 2].map(|()| Block::new(b.ctx, &[]));
        let at_end = |block: Block| Builder::at_end(block, b.loc, b.ctx);
        let values = self.expression(&at_end(then), id, &place.indices, &[])?;
        scf::Yield::build(&at_end(then), &values);
        let zeros: Vec<Value> = types
            .iter()
            .map(|ty| at_end(otherwise).constant(*ty, 0.0))
            .collect();
        scf::Yield::build(&at_end(otherwise), &zeros);
        let values = scf::If::build(b, &types, is_inside, then, Some(otherwise)).results();
        let realized = self.realized[&id].clone();
        let subscripts = realized.subscripts(b, &place.indices, place.local);
        for (value, buffer) in values.into_iter().zip(realized.buffers) {
            store(b, value, buffer, &subscripts);
        }
        Ok(())
    }
}
