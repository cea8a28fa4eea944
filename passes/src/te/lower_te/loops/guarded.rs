//! Reductions whose elements change nothing outside of a condition: under that condition. Such are sums of products with stages that
//! are zero outside of it, as padding is, and reductions that [leave out](super::skipped) iterations.

use super::{Guards, Lowering, tensorize::block_of};
use crate::te::lower_te::schedule::{Attach, Illegal, Stage, StageId};
use relay_dialects::{
    ir::{Block, Builder, Op, Value},
    te::Compute,
};
use relay_loops::analysis::condition::{known, parts};

impl Lowering<'_> {
    /// Enters the conditions outside of which a factor of a stage's expression is zero.
    pub(super) fn where_not_zero(
        &mut self,
        b: &Builder,
        id: StageId,
        indices: &[Value],
        reduce: &[Value],
    ) -> Result<Builder, Illegal> {
        let guards = |source: StageId| guards(&self.schedule.stages[source]);
        let is_skipped = self.schedule.stages[id].skip.is_some();
        if !is_skipped && !self.schedule.reads(id).into_iter().any(guards) {
            return Ok(*b);
        }
        // The expression is written to know the conditions, and again under them.
        let ops = |block: Option<Block>| block.map(Block::ops).unwrap_or_default();
        let before = ops(block_of(b));
        self.conditions = Some(Vec::new());
        // What is read now goes with what is written now.
        let seen = (self.probed.clone(), self.watched.clone());
        let written = self.expression(b, id, indices, reduce);
        (self.probed, self.watched) = seen;
        let conditions = self.conditions.take().unwrap_or_default();
        written?;
        let mut guards = Guards::default();
        let parts = conditions.into_iter().flat_map(parts);
        guards
            .conditions
            .extend(parts.filter(|part| known(*part) != Some(true)));
        let after = ops(block_of(b)).into_iter().rev();
        let inside = guards.enter(b);
        for op in after.filter(|op| !before.contains(op)) {
            if !op.is_used() && op.would_be_dead() {
                op.erase();
            }
        }
        Ok(inside)
    }

    /// Whether the condition of an `scf.if` in the expression of a stage guards the readers of the stage, or the stage. It is noted
    /// while conditions are looked for.
    pub(super) fn is_guarded(&mut self, id: StageId, op: Op, condition: Value) -> bool {
        let stage = &self.schedule.stages[id];
        let compute = stage.compute();
        let is_zero = || guards(stage) && compute.and_then(Compute::zero_outside) == Some(op);
        let is_identity = || {
            let outside = compute.and_then(Compute::identity_outside);
            stage.skip.is_some() && outside.is_some_and(|(guarded, _)| guarded == op)
        };
        let is_guarded = is_zero() || is_identity();
        if let (true, Some(conditions)) = (is_guarded, &mut self.conditions) {
            conditions.push(condition);
        }
        is_guarded
    }
}

/// Whether the condition outside of which a stage is zero guards its readers.
fn guards(stage: &Stage) -> bool {
    stage.guards && stage.attach == Attach::Inline
}
