//! What a schedule makes slow, though it is right: whoever wrote it is told, at the primitive or the compute.

use super::Lowering;
use crate::te::lower_te::schedule::{Attach, AxisId, Body, Relation, Schedule, Stage, StageId};
use relay_dialects::{dim::Dim, ir::Op, tir::LoopKind};
use relay_topi::cost::FEW_STEPS;
use std::collections::HashMap;

/// A place, and what is slow there.
#[derive(Clone, Debug)]
pub struct Slow {
    /// The primitive or the compute.
    pub op: Op,
    /// What is slow, and what to do.
    pub reason: String,
}

impl Lowering<'_> {
    /// Notes what will be slow in the loops of a stage that have these extents.
    pub(super) fn note_slow(
        &mut self,
        id: StageId,
        extents: &HashMap<AxisId, Dim>,
        region: &[Dim],
    ) {
        // Threads of a grid take one step at a time, and share the steps.
        if self
            .schedule
            .axes
            .iter()
            .any(|axis| axis.kind == LoopKind::ThreadBinding)
        {
            return;
        }
        // What is open may be long.
        let number = |extent: &Dim| extent.known().unwrap_or(i64::MAX);
        let extents: &HashMap<AxisId, i64> = &extents
            .iter()
            .map(|(axis, extent)| (*axis, number(extent)))
            .collect();
        let region: &[i64] = &region.iter().map(number).collect::<Vec<_>>();
        let stage = &self.schedule.stages[id];
        let lanes = stage.leaf.iter();
        let found = lanes.filter_map(|&axis| self.scattered_lanes(stage, axis, (extents, region)));
        let found: Vec<Slow> = found.chain(self.single_steps(id, extents)).collect();
        // The loops of a stage may be written several times.
        for slow in found {
            if self.slow.iter().all(|known| known.op != slow.op) {
                self.slow.push(slow);
            }
        }
    }

    /// Says of a loop to be vectorized that its lanes store elements that lie apart: it is unrolled then.
    fn scattered_lanes(
        &self,
        stage: &Stage,
        axis: AxisId,
        (extents, region): (&HashMap<AxisId, i64>, &[i64]),
    ) -> Option<Slow> {
        let known = &self.schedule.axes[axis];
        let asked = known.kind == LoopKind::Vectorized && !known.reduce;
        let op = known.kind_op.filter(|_| asked && extents[&axis] > 1)?;
        // With a layout of its own, a buffer may have these elements together.
        if stage.layout.is_some() || stage.tensorize.is_some() {
            return None;
        }
        let (root, step) = root_of(stage, axis, extents)?;
        let dimension = stage.data.iter().position(|data| *data == root)?;
        let inner = region[dimension + 1..].iter();
        let distance = inner.fold(step, |product, extent| product.saturating_mul(*extent));
        let last = stage.data.last().filter(|_| distance > 1)?;
        // The product of an open extent is beyond all numbers.
        let distance = match distance {
            i64::MAX => "in different rows of an open length".into(),
            known => format!("{known} apart"),
        };
        let last = match self.schedule.axes[*last].name.as_str() {
            "" => String::new(),
            name => format!(", here %{name}"),
        };
        Some(Slow {
            op,
            reason: format!(
                "runs one element at a time: its lanes store elements that lie {distance} in '{}'; vectorize a \
                 loop over the last dimension{last}, or split that loop and vectorize the inner part",
                stage.name
            ),
        })
    }

    /// Says of a long reduction that its innermost loop adds one element at a time.
    fn single_steps(&self, id: StageId, extents: &HashMap<AxisId, i64>) -> Option<Slow> {
        let stage = &self.schedule.stages[id];
        let Body::Compute(op) = stage.body else {
            return None;
        };
        let all = stage.shape.iter().chain(&stage.reduce_extents);
        let steps = all.fold(1_i64, |product, extent| {
            product.saturating_mul(extent.known().unwrap_or(1))
        });
        // LLVM may add integers in any order, and so in vectors.
        let is_float = |tensor: &relay_dialects::ir::Value| tensor.ty().element().is_float();
        let mut loops = stage.leaf.iter().filter(|axis| extents[axis] > 1);
        let innermost = loops.next_back()?;
        let is_single = self.schedule.axes[*innermost].reduce
            && stage.tensors.iter().any(is_float)
            && stage.tensorize.is_none()
            && !has_lanes(self.schedule, id);
        if steps < FEW_STEPS || !is_single {
            return None;
        }
        Some(Slow {
            op,
            reason: format!(
                "takes {steps} steps one at a time: the innermost loop of '{}' reduces, and no loop is vectorized; in a \
                 te.schedule, put a loop over the last dimension innermost and vectorize it, or let `relayc tune` find \
                 a schedule",
                stage.name
            ),
        })
    }
}

/// Whether a loop of a stage, or one that the stage is computed in, is vectorized.
fn has_lanes(schedule: &Schedule, id: StageId) -> bool {
    let is_vectorized = |axis: &AxisId| schedule.axes[*axis].kind == LoopKind::Vectorized;
    let stage = &schedule.stages[id];
    let around = match stage.attach {
        Attach::At { parent, .. } => has_lanes(schedule, parent),
        Attach::Root | Attach::Inline => false,
    };
    around || stage.leaf.iter().any(is_vectorized)
}

/// The data axis that a loop is made of, and by how much it grows with each iteration.
fn root_of(stage: &Stage, axis: AxisId, extents: &HashMap<AxisId, i64>) -> Option<(AxisId, i64)> {
    if stage.data.contains(&axis) {
        return Some((axis, 1));
    }
    stage.relations.iter().find_map(|relation| match *relation {
        Relation::Split { parent, inner, .. } if inner == axis => root_of(stage, parent, extents),
        Relation::Split {
            parent,
            outer,
            inner,
            ..
        } if outer == axis => {
            let (root, step) = root_of(stage, parent, extents)?;
            Some((root, step.saturating_mul(extents[&inner])))
        }
        Relation::Fuse {
            outer,
            inner,
            fused,
        } if fused == axis => {
            let part = if extents[&inner] == 1 { outer } else { inner };
            root_of(stage, part, extents)
        }
        _ => None,
    })
}
