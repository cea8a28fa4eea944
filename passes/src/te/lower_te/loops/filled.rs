//! Copies in shared memory, which are zero beyond their tensor.
//!
//! A tile of results may reach beyond the tensor, and so do the parts of operands that it needs. All threads copy all of these, and
//! compute with all of it: a condition around each multiply-add would take longer than the multiply-add.

use super::{Lowering, Nest, PlaceOfPoint, store};
use crate::te::lower_te::schedule::{Body, Illegal, StageId};
use relay_dialects::{
    ir::{Block, Builder, Type, Value},
    ops::{arith, scf, tensor},
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

    /// Whether a thread sums in its own memory, and reads such copies only, by subscripts from which it is known how far the copies
    /// reach.
    fn reads_filled(&self, id: StageId) -> bool {
        let stage = &self.schedule.stages[id];
        let Body::Compute(op) = stage.body else {
            return false;
        };
        let is_filled = |tensor: &Value| {
            let copy = stage.redirects.get(tensor);
            copy.is_some_and(|copy| self.is_filled(*copy))
        };
        let axes = op.body().args();
        let is_linear = |subscript: &Value| {
            let form = linear(*subscript);
            form.terms.iter().all(|(term, _)| axes.contains(term))
        };
        let reads = op.find_all(tensor::Extract::NAME);
        let tensors: HashSet<Value> = reads.iter().map(|read| read.operand(0)).collect();
        stage.scope() == Scope::Local
            && reads.len() == tensors.len()
            && tensors.iter().all(is_filled)
            && reads
                .iter()
                .all(|read| read.operands()[1..].iter().all(is_linear))
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
