//! Primitives on loops, in textual order.

use super::{
    Attach, Axis, AxisId, Body, Buffering, Illegal, Relation, Schedule, Skip, SplitSize, Stage,
    StageId,
};
use relay_dialects::te::{Compute, Pragma};
use relay_dialects::tir::{LoopKind, Scope, Thread};
use relay_dialects::{
    ir::{Attr, Op, Value},
    names,
};
use std::collections::HashMap;

/// The attribute of the loop that says what `te.pragma` said.
fn attribute(pragma: Pragma) -> &'static str {
    match pragma {
        Pragma::AutoUnrollMaxStep => relay_dialects::attrs::AUTO_UNROLL_MAX_STEP,
        Pragma::UnrollExplicit => relay_dialects::attrs::UNROLL_EXPLICIT,
        Pragma::LoopPartitionHint => relay_dialects::attrs::LOOP_PARTITION_HINT,
    }
}

/// How often unrolled loops may repeat what they stand around. Of a thousand multiply-adds a compiler
/// makes some 10 kB of code in ten seconds, of four thousand in minutes; a tile in registers is some 30,
/// a Winograd transform of 8 by 8 64. The largest that TVM's search asks of `auto_unroll_max_step`.
pub const MAX_COPIES: i64 = 1024;

/// Applies the primitives of a `te.schedule`.
///
/// # Errors
/// If one cannot be applied.
pub(super) fn apply(schedule: &mut Schedule, op: Op) -> Result<(), Illegal> {
    Applier::new(schedule).apply_all(op)
}

/// Applies primitives; knows what the handles in `te.schedule` stand for.
pub(super) struct Applier<'a> {
    pub(super) schedule: &'a mut Schedule,
    pub(super) stages: HashMap<Value, StageId>,
    pub(super) axes: HashMap<Value, (StageId, AxisId)>,
    groups: HashMap<Value, Vec<StageId>>,
}

impl<'a> Applier<'a> {
    fn new(schedule: &'a mut Schedule) -> Self {
        Self {
            schedule,
            stages: HashMap::new(),
            axes: HashMap::new(),
            groups: HashMap::new(),
        }
    }

    fn apply_all(&mut self, schedule: Op) -> Result<(), Illegal> {
        let ops = schedule.body().ops().into_iter();
        // Of a schedule with knobs holds what is written.
        for op in ops.filter(|op| !op.is(names::te::KNOB)) {
            self.apply(op)
                .and_then(|()| {
                    self.schedule
                        .stages
                        .iter()
                        .try_for_each(|stage| self.in_order(stage))
                })
                .map_err(|reason| Illegal { op, reason })?;
        }
        Ok(())
    }

    /// The steps of a scan come one after the other.
    fn in_order(&self, stage: &Stage) -> Result<(), String> {
        let is_scan = matches!(stage.body, Body::Scan(_));
        let time = stage.data.first().filter(|_| is_scan);
        let Some(&time) = time else {
            return Ok(());
        };
        if stage.leaf.first() == Some(&time) && self.schedule.axes[time].kind == LoopKind::Serial {
            return Ok(());
        }
        Err(format!(
            "the time of '{}' would not be the outermost loop, and a serial one",
            stage.name
        ))
    }

    fn apply(&mut self, op: Op) -> Result<(), String> {
        match op.name().as_str() {
            names::te::STAGE => {
                let stage = self
                    .schedule
                    .stage_of(op.operand(0))
                    .ok_or("takes the result of a te.compute, te.scan or te.extern")?;
                self.stages.insert(op.result(0), stage);
            }
            names::te::AXES => self.axes(op)?,
            names::te::SPLIT => self.split(op)?,
            names::te::TILE => self.tile(op)?,
            names::te::FUSE => self.fuse(op)?,
            names::te::REORDER => self.reorder(op)?,
            names::te::VECTORIZE => self.mark(op, LoopKind::Vectorized)?,
            names::te::UNROLL => self.mark(op, LoopKind::Unrolled)?,
            names::te::PARALLEL => self.mark(op, LoopKind::Parallel)?,
            names::te::COMPUTE_AT => self.compute_at(op)?,
            names::te::CREATE_GROUP => self.create_group(op)?,
            names::te::COMPUTE_INLINE => self.compute_inline(op)?,
            names::te::SKIP => self.skip(op)?,
            names::te::COMPUTE_ROOT => {
                let stage = self.stage(op, 0)?;
                self.attach(stage, Attach::Root, op)?;
            }
            names::te::CACHE_READ => self.cache_read(op)?,
            names::te::CACHE_WRITE => self.cache_write(op)?,
            names::te::RFACTOR => self.rfactor(op)?,
            names::te::BIND => self.bind(op)?,
            names::te::PRAGMA => self.pragma(op)?,
            names::te::TRANSFORM_LAYOUT => self.transform_layout(op)?,
            names::te::STORAGE_ALIGN => self.storage_align(op)?,
            names::te::DOUBLE_BUFFER => self.buffering(op, Buffering::Double)?,
            names::te::ROLLING_BUFFER => self.buffering(op, Buffering::Rolling)?,
            names::te::TENSORIZE => self.tensorize(op)?,
            names::te::PREFETCH => self.prefetch(op)?,
            names::te::SET_SCOPE => self.set_scope(op)?,
            names::te::SET_STORE_PREDICATE => {
                return Err(
                    "is for threads that compute the same element: on a CPU there are none, \
                            and each element is stored once"
                        .into(),
                );
            }
            names::te::ENV_THREADS => {
                return Err(
                    "is for threads that wait for each other inside a scan: on a CPU, make \
                            loops of its steps parallel"
                        .into(),
                );
            }
            other => return Err(format!("{other} is not a schedule primitive")),
        }
        Ok(())
    }

    pub(super) fn stage(&self, op: Op, operand: usize) -> Result<StageId, String> {
        self.stages
            .get(&op.operand(operand))
            .copied()
            .ok_or_else(|| "takes a stage of this schedule".into())
    }

    /// The axis that an operand stands for, which must still be a loop.
    pub(super) fn leaf(&self, op: Op, operand: usize) -> Result<(StageId, AxisId), String> {
        let (stage, axis) = *self
            .axes
            .get(&op.operand(operand))
            .ok_or("takes an axis of this schedule")?;
        if !self.schedule.stages[stage].leaf.contains(&axis) {
            return Err(format!(
                "operand {operand} is no longer a loop: it was split or fused"
            ));
        }
        Ok((stage, axis))
    }

    fn axes(&mut self, op: Op) -> Result<(), String> {
        let id = self.stage(op, 0)?;
        let axes = self.stage_axes(id);
        let stage = &self.schedule.stages[id];
        if axes.len() != op.result_count() {
            let data = stage.data.len();
            let reduce = axes.len() - data;
            return Err(format!(
                "stage '{}' has {data} data and {reduce} reduce axes, not {}",
                stage.name,
                op.result_count()
            ));
        }
        for (handle, axis) in op.results().into_iter().zip(axes) {
            self.axes.insert(handle, (id, axis));
        }
        Ok(())
    }

    /// The axes of a stage: those it was made with, or where `rfactor` made it, what reduce loops are
    /// left.
    fn stage_axes(&self, id: StageId) -> Vec<AxisId> {
        let stage = &self.schedule.stages[id];
        let data = stage.data.iter().copied();
        if stage.factored.is_empty() {
            return data.chain(stage.reduce.iter().copied()).collect();
        }
        let leaf = stage.leaf.iter().copied();
        data.chain(leaf.filter(|axis| self.schedule.axes[*axis].reduce))
            .collect()
    }

    fn split_axis(
        &mut self,
        id: StageId,
        parent: AxisId,
        size: SplitSize,
        shifts: bool,
    ) -> (AxisId, AxisId) {
        let Axis { name, reduce, .. } = self.schedule.axes[parent].clone();
        let (outer, inner) = (
            self.schedule.add_axis(with_suffix(&name, "outer"), reduce),
            self.schedule.add_axis(with_suffix(&name, "inner"), reduce),
        );
        let stage = &mut self.schedule.stages[id];
        stage.relations.push(Relation::Split {
            parent,
            outer,
            inner,
            size,
            shifts,
        });
        let position = position(&stage.leaf, parent);
        stage.leaf.splice(position..=position, [outer, inner]);
        (outer, inner)
    }

    fn split(&mut self, op: Op) -> Result<(), String> {
        let (id, parent) = self.leaf(op, 0)?;
        let number = |name: &str| op.attr(name).and_then(Attr::as_i64);
        let size = match (number("factor"), number("nparts")) {
            (Some(factor), None) => SplitSize::Factor(factor),
            (None, Some(parts)) => SplitSize::Parts(parts),
            _ => return Err("takes either factor or nparts".into()),
        };
        let shifts = op.has_attr("shift_inwards");
        if shifts && !self.schedule.stages[id].reduce.is_empty() {
            let reason = "would add some terms twice: the stage reduces; leave shift_inwards out, or split what \
                          te.cache_write leaves of the stage";
            return Err(reason.into());
        }
        let (outer, inner) = self.split_axis(id, parent, size, shifts);
        if op.has_attr("disable_predication") {
            self.schedule.stages[id].exact.push((parent, op));
        }
        self.axes.insert(op.result(0), (id, outer));
        self.axes.insert(op.result(1), (id, inner));
        Ok(())
    }

    fn tile(&mut self, op: Op) -> Result<(), String> {
        let (id, x) = self.leaf(op, 0)?;
        let (other, y) = self.leaf(op, 1)?;
        if id != other || x == y {
            return Err("takes two axes of one stage".into());
        }
        let factor = |name: &str| {
            op.attr(name)
                .and_then(Attr::as_i64)
                .map(SplitSize::Factor)
                .ok_or("takes two factors")
        };
        let (x_outer, x_inner) = self.split_axis(id, x, factor("x_factor")?, false);
        let (y_outer, y_inner) = self.split_axis(id, y, factor("y_factor")?, false);
        let tiled = [x_outer, y_outer, x_inner, y_inner];
        self.put_in_order(id, &tiled);
        for (handle, axis) in op.results().into_iter().zip(tiled) {
            self.axes.insert(handle, (id, axis));
        }
        Ok(())
    }

    fn fuse(&mut self, op: Op) -> Result<(), String> {
        let axes = (0..op.operand_count())
            .map(|operand| self.leaf(op, operand))
            .collect::<Result<Vec<_>, _>>()?;
        let Some((&(id, first), rest)) = axes.split_first() else {
            return Err("takes at least one axis".into());
        };
        let mut fused = first;
        for &(other, inner) in rest {
            if other != id {
                return Err("takes axes of one stage".into());
            }
            fused = self.fuse_two(id, fused, inner)?;
        }
        if !rest.is_empty() {
            let known = &self.schedule.axes;
            let names = axes.iter().map(|(_, axis)| known[*axis].name.as_str());
            let names: Vec<&str> = names.collect();
            let name = if names.contains(&"") {
                String::new()
            } else {
                names.join(".") + ".fused"
            };
            self.schedule.axes[fused].name = name;
        }
        self.axes.insert(op.result(0), (id, fused));
        Ok(())
    }

    fn fuse_two(&mut self, id: StageId, outer: AxisId, inner: AxisId) -> Result<AxisId, String> {
        let leaf = &self.schedule.stages[id].leaf;
        if !leaf.contains(&inner) || position(leaf, outer) + 1 != position(leaf, inner) {
            return Err("takes neighbouring loops of one stage, outermost first".into());
        }
        let reduce = self.schedule.axes[outer].reduce;
        if reduce != self.schedule.axes[inner].reduce {
            return Err("takes data axes or reduce axes, and not both".into());
        }
        let fused = self.schedule.add_axis(String::new(), reduce);
        let stage = &mut self.schedule.stages[id];
        stage.relations.push(Relation::Fuse {
            outer,
            inner,
            fused,
        });
        let position = position(&stage.leaf, outer);
        stage.leaf.splice(position..=position + 1, [fused]);
        Ok(fused)
    }

    fn reorder(&mut self, op: Op) -> Result<(), String> {
        let listed = (0..op.operand_count())
            .map(|operand| self.leaf(op, operand))
            .collect::<Result<Vec<_>, _>>()?;
        let Some(&(id, _)) = listed.first() else {
            return Ok(());
        };
        let mut order: Vec<AxisId> = Vec::new();
        for (stage, axis) in listed {
            if stage != id || order.contains(&axis) {
                return Err("takes distinct axes of one stage".into());
            }
            order.push(axis);
        }
        self.put_in_order(id, &order);
        Ok(())
    }

    /// Puts the listed loops into the given order, in the places that they hold together.
    fn put_in_order(&mut self, id: StageId, order: &[AxisId]) {
        let leaf = &mut self.schedule.stages[id].leaf;
        let mut next = order.iter();
        for slot in leaf.iter_mut().filter(|axis| order.contains(axis)) {
            *slot = *next.next().expect("as many places as axes");
        }
    }

    fn mark(&mut self, op: Op, kind: LoopKind) -> Result<(), String> {
        let (_, axis) = self.leaf(op, 0)?;
        let axis = &mut self.schedule.axes[axis];
        if axis.reduce && !matches!(kind, LoopKind::Unrolled | LoopKind::Vectorized) {
            return Err(
                "a reduce axis can be unrolled or vectorized, but not parallel; use rfactor".into(),
            );
        }
        once(axis.kind_op, "the loop", "a loop is of one kind")?;
        axis.kind = kind;
        axis.kind_op = Some(op);
        axis.thread = None;
        Ok(())
    }

    fn bind(&mut self, op: Op) -> Result<(), String> {
        let thread = op.attr("thread").and_then(Thread::of);
        let thread = thread.ok_or("names no axis of a grid of threads")?;
        self.mark(op, LoopKind::ThreadBinding)?;
        let (id, axis) = self.leaf(op, 0)?;
        let axes = &self.schedule.axes;
        let mut leaf = self.schedule.stages[id].leaf.iter();
        // Virtual threads are as many as loops are bound to them.
        if thread != Thread::Virtual
            && leaf.any(|other| *other != axis && axes[*other].thread == Some(thread))
        {
            let name = &self.schedule.stages[id].name;
            return Err(format!(
                "another loop of stage '{name}' is bound to {thread}, and the two cannot both be \
                 the axis of one grid; fuse them, or bind one to another axis"
            ));
        }
        self.schedule.axes[axis].thread = Some(thread);
        Ok(())
    }

    fn pragma(&mut self, op: Op) -> Result<(), String> {
        let (_, axis) = self.leaf(op, 0)?;
        let pragma = op.attr("name").and_then(Pragma::of);
        let pragma = pragma.ok_or("names no pragma")?;
        let value = op.attr("value").and_then(Attr::as_i64).unwrap_or(1);
        let highest = match pragma {
            Pragma::AutoUnrollMaxStep => MAX_COPIES,
            Pragma::UnrollExplicit => 1,
            Pragma::LoopPartitionHint => i64::MAX,
        };
        if !(0..=highest).contains(&value) {
            return Err(format!("{pragma} is from 0 to {highest}, and not {value}"));
        }
        let attribute = attribute(pragma);
        let pragmas = &mut self.schedule.axes[axis].pragmas;
        pragmas.retain(|(known, _)| *known != attribute);
        pragmas.push((attribute, value));
        Ok(())
    }

    fn compute_at(&mut self, op: Op) -> Result<(), String> {
        let stages = match self.groups.get(&op.operand(0)) {
            Some(group) => self.unplaced(group)?,
            None => vec![self.stage(op, 0)?],
        };
        let parent = self.stage(op, 1)?;
        let (owner, axis) = self.leaf(op, 2)?;
        if owner != parent {
            return Err("the axis is not one of the parent stage".into());
        }
        let order = &self.schedule.order;
        let is_before = |stage: &StageId| position(order, *stage) < position(order, parent);
        if !stages.iter().all(is_before) {
            return Err("the parent stage does not consume the stage".into());
        }
        for stage in stages {
            self.attach(stage, Attach::At { parent, axis }, op)?;
        }
        Ok(())
    }

    /// The stages of a group that no primitive has placed.
    fn unplaced(&self, group: &[StageId]) -> Result<Vec<StageId>, String> {
        let is_free = |id: &StageId| self.schedule.stages[*id].attach == Attach::Root;
        let free: Vec<StageId> = group.iter().copied().filter(is_free).collect();
        if free.is_empty() {
            return Err("all stages of the group were placed before".into());
        }
        Ok(free)
    }

    fn create_group(&mut self, op: Op) -> Result<(), String> {
        let output = self.stage(op, 0)?;
        let inputs = (1..op.operand_count()).map(|operand| self.stage(op, operand));
        let inputs: Vec<StageId> = inputs.collect::<Result<_, _>>()?;
        let mut found = self.schedule.sources(output, &inputs);
        if let Some(input) = inputs.iter().find(|input| !found.contains(input)) {
            let name = &self.schedule.stages[*input].name;
            return Err(format!("the output is not computed from '{name}'"));
        }
        let is_member = |stage: &StageId| op.has_attr("include_inputs") || !inputs.contains(stage);
        found.retain(is_member);
        self.groups.insert(op.result(0), found);
        Ok(())
    }

    fn attach(&mut self, stage: StageId, attach: Attach, op: Op) -> Result<(), String> {
        let stage = &mut self.schedule.stages[stage];
        once(
            stage.attach_op,
            "the stage",
            "a stage is computed in one place",
        )?;
        stage.attach = attach;
        stage.attach_op = Some(op);
        Ok(())
    }

    fn compute_inline(&mut self, op: Op) -> Result<(), String> {
        let id = self.stage(op, 0)?;
        let stage = &self.schedule.stages[id];
        if !stage.reduce.is_empty() {
            return Err(format!(
                "stage '{}' reduces and cannot be inlined",
                stage.name
            ));
        }
        let guards = op.has_attr("guards");
        if guards && stage.compute().and_then(Compute::zero_outside).is_none() {
            return Err(format!(
                "stage '{}' is not zero outside of a condition: it yields no scf.if with a constant zero in its \
                 other branch",
                stage.name
            ));
        }
        self.attach(id, Attach::Inline, op)?;
        self.schedule.stages[id].guards = guards;
        Ok(())
    }
}

impl Applier<'_> {
    fn set_scope(&mut self, op: Op) -> Result<(), String> {
        let stage = self.stage(op, 0)?;
        let stage = &mut self.schedule.stages[stage];
        let earlier = stage.scope.as_ref().map(|(_, op)| *op);
        once(earlier, "the stage", "its buffer has one scope")?;
        stage.scope = Some((scope(op)?, op));
        Ok(())
    }

    fn skip(&mut self, op: Op) -> Result<(), String> {
        let id = self.stage(op, 0)?;
        let (owner, axis) = self.leaf(op, 1)?;
        let stage = &self.schedule.stages[id];
        if owner != id || !self.schedule.axes[axis].reduce {
            return Err("takes a stage and one of its reduce axes".into());
        }
        let earlier = stage.skip.map(|skip| skip.op);
        once(earlier, "the stage", "iterations of one loop are left out")?;
        let flags = stage.compute().and_then(Compute::identity_outside);
        let flags = flags.and_then(|(_, tensor)| self.schedule.stage_of(tensor));
        let flags = flags.ok_or_else(|| {
            format!(
                "stage '{}' is not its reducer's identity where a flag is zero: it yields no scf.if of 'flag != 0' that has the \
                 identities in its other branch, with the element of another stage for the flag",
                stage.name
            )
        })?;
        self.schedule.stages[id].skip = Some(Skip { axis, flags, op });
        Ok(())
    }
}

/// An error if an earlier primitive said of `what` what this one is to say: of two that differ, one would be ignored.
pub(super) fn once(earlier: Option<Op>, what: &str, why: &str) -> Result<(), String> {
    let Some(earlier) = earlier else {
        return Ok(());
    };
    let name = earlier.name();
    Err(format!(
        "follows a {name} that says it of {what} already, and {why}; leave one of the two out"
    ))
}

/// The scope that a primitive names.
pub(super) fn scope(op: Op) -> Result<Scope, String> {
    let scope = op.attr("scope").and_then(Scope::of);
    scope.ok_or_else(|| "names no scope".into())
}

/// A name with what was made of it; none stays none.
fn with_suffix(name: &str, suffix: &str) -> String {
    if name.is_empty() {
        return String::new();
    }
    format!("{name}.{suffix}")
}

/// The place of an item that is in the list.
pub(super) fn position(list: &[usize], item: usize) -> usize {
    list.iter()
        .position(|&known| known == item)
        .expect("the item is in the list")
}
