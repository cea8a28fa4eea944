//! A schedule in the form that lowering works on: stages, their loops, and where each is computed.
//!
//! Read from a function of `te.compute` ops and its `te.schedule`, if it has one.

use relay_dialects::index;
use relay_dialects::ir::{Attr, Op, Value};
use std::collections::HashMap;

/// Index of a [`Stage`] in [`Schedule::stages`].
pub type StageId = usize;
/// Index of an [`Axis`] in [`Schedule::axes`].
pub type AxisId = usize;

/// One loop.
#[derive(Clone, Debug)]
pub struct Axis {
    /// Whether the loop reduces.
    pub reduce: bool,
    /// How it runs, as in `tir.for`.
    pub kind: &'static str,
}

/// How loops were made from others.
#[derive(Clone, Copy, Debug)]
pub enum Relation {
    /// `parent = outer * factor + inner`.
    Split {
        /// The loop that was split.
        parent: AxisId,
        /// The loop over parts.
        outer: AxisId,
        /// The loop inside a part.
        inner: AxisId,
        /// How long a part is.
        size: SplitSize,
    },
    /// `fused = outer * extent(inner) + inner`.
    Fuse {
        /// The outer of the two loops.
        outer: AxisId,
        /// The inner of the two loops.
        inner: AxisId,
        /// The loop over both.
        fused: AxisId,
    },
}

/// Which of the two extents of a split is given.
#[derive(Clone, Copy, Debug)]
pub enum SplitSize {
    /// The inner one.
    Factor(i64),
    /// The outer one.
    Parts(i64),
}

/// Where a stage's loops stand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Attach {
    /// Before the loops of its consumers.
    Root,
    /// Nowhere: its expression is substituted into its consumers.
    Inline,
    /// Inside the loop `axis` of stage `parent`.
    At {
        /// The stage whose loop it is.
        parent: StageId,
        /// The loop.
        axis: AxisId,
    },
}

/// What a stage computes.
#[derive(Clone, Copy, Debug)]
pub enum Body {
    /// A `te.compute`.
    Compute(Op),
    /// A copy of another stage: what `cache_write` leaves behind.
    Copy(StageId),
}

/// The loops that compute the results of one `te.compute`.
#[derive(Clone, Debug)]
pub struct Stage {
    /// The name of its compute, for buffers and messages.
    pub name: String,
    /// The tensors it stands for; empty for a cache, which only its stage reads.
    pub tensors: Vec<Value>,
    /// What it computes.
    pub body: Body,
    /// The shape of its results.
    pub shape: Vec<i64>,
    /// The extents of its reduce axes.
    pub reduce_extents: Vec<i64>,
    /// One axis per dimension.
    pub data: Vec<AxisId>,
    /// One axis per reduce extent.
    pub reduce: Vec<AxisId>,
    /// The loops, outermost first.
    pub leaf: Vec<AxisId>,
    /// How the loops came from `data` and `reduce`, in the order of the primitives.
    pub relations: Vec<Relation>,
    /// Where it is computed.
    pub attach: Attach,
    /// The scope of its buffer.
    pub scope: String,
}

impl Stage {
    /// The compute whose expression this stage evaluates.
    pub fn compute(&self) -> Option<Op> {
        match self.body {
            Body::Compute(op) => Some(op),
            Body::Copy(_) => None,
        }
    }

    /// The extents of all axes when the data axes have the extents `region`.
    pub fn extents(&self, region: &[i64]) -> HashMap<AxisId, i64> {
        let mut extents: HashMap<AxisId, i64> = HashMap::new();
        extents.extend(self.data.iter().copied().zip(region.iter().copied()));
        extents.extend(
            self.reduce
                .iter()
                .copied()
                .zip(self.reduce_extents.iter().copied()),
        );
        for relation in &self.relations {
            match *relation {
                Relation::Split {
                    parent,
                    outer,
                    inner,
                    size,
                } => {
                    let whole = extents[&parent];
                    let factor = match size {
                        SplitSize::Factor(factor) => factor.min(whole.max(1)),
                        SplitSize::Parts(parts) => index::ceil_div(whole, parts).max(1),
                    };
                    let parts = index::ceil_div(whole, factor);
                    extents.insert(outer, parts);
                    extents.insert(inner, factor);
                }
                Relation::Fuse {
                    outer,
                    inner,
                    fused,
                } => {
                    extents.insert(fused, extents[&outer] * extents[&inner]);
                }
            }
        }
        extents
    }
}

/// All stages of a function, producers before consumers.
#[derive(Debug, Default)]
pub struct Schedule {
    /// The stages.
    pub stages: Vec<Stage>,
    /// The axes of all stages.
    pub axes: Vec<Axis>,
    /// Stages in the order in which they are computed.
    pub order: Vec<StageId>,
}

/// A schedule op that cannot be applied, and why.
#[derive(Debug)]
pub struct Illegal {
    /// The op.
    pub op: Op,
    /// Why.
    pub reason: String,
}

impl Schedule {
    /// The schedule of a function: that of its `te.schedule`, or the default one.
    ///
    /// # Errors
    /// If a primitive is illegal.
    pub fn of(func: Op) -> Result<Self, Illegal> {
        let mut schedule = Self::default();
        for op in func.body().ops() {
            if op.is("te.compute") {
                schedule.add_stage(op);
            }
        }
        schedule.order = (0..schedule.stages.len()).collect();
        match func
            .body()
            .ops()
            .into_iter()
            .find(|op| op.is("te.schedule"))
        {
            Some(op) => Applier::new(&mut schedule).apply_all(op)?,
            None => schedule.set_default(func),
        }
        Ok(schedule)
    }

    /// The stage that computes a tensor.
    pub fn stage_of(&self, tensor: Value) -> Option<StageId> {
        self.stages
            .iter()
            .position(|stage| stage.tensors.contains(&tensor))
    }

    fn add_stage(&mut self, compute: Op) {
        let shape = compute.result(0).ty().shape();
        let reduce_extents = compute
            .attr("reduce_extents")
            .and_then(Attr::as_ints)
            .unwrap_or_default();
        let data = shape
            .iter()
            .map(|_| self.add_axis(false))
            .collect::<Vec<_>>();
        let reduce = reduce_extents
            .iter()
            .map(|_| self.add_axis(true))
            .collect::<Vec<_>>();
        self.stages.push(Stage {
            name: compute
                .attr("name")
                .and_then(Attr::as_str)
                .unwrap_or_default(),
            tensors: compute.results(),
            body: Body::Compute(compute),
            leaf: data.iter().chain(&reduce).copied().collect(),
            shape,
            reduce_extents,
            data,
            reduce,
            relations: Vec::new(),
            attach: Attach::Root,
            scope: "global".into(),
        });
    }

    fn add_axis(&mut self, reduce: bool) -> AxisId {
        self.axes.push(Axis {
            reduce,
            kind: "serial",
        });
        self.axes.len() - 1
    }

    /// Without a schedule: what does not reduce and is not returned is inlined.
    fn set_default(&mut self, func: Op) {
        let returned = func
            .body()
            .terminator()
            .map(Op::operands)
            .unwrap_or_default();
        for stage in &mut self.stages {
            let is_result = stage.tensors.iter().any(|tensor| returned.contains(tensor));
            if !is_result && stage.reduce.is_empty() && stage.tensors.len() == 1 {
                stage.attach = Attach::Inline;
            }
        }
    }
}

/// Applies primitives; knows what the handles in `te.schedule` stand for.
struct Applier<'a> {
    schedule: &'a mut Schedule,
    stages: HashMap<Value, StageId>,
    axes: HashMap<Value, (StageId, AxisId)>,
}

impl<'a> Applier<'a> {
    fn new(schedule: &'a mut Schedule) -> Self {
        Self {
            schedule,
            stages: HashMap::new(),
            axes: HashMap::new(),
        }
    }

    fn apply_all(&mut self, schedule: Op) -> Result<(), Illegal> {
        for op in schedule.body().ops() {
            self.apply(op).map_err(|reason| Illegal { op, reason })?;
        }
        Ok(())
    }

    fn apply(&mut self, op: Op) -> Result<(), String> {
        match op.name().as_str() {
            "te.stage" => {
                let stage = self
                    .schedule
                    .stage_of(op.operand(0))
                    .ok_or("takes the result of a te.compute")?;
                self.stages.insert(op.result(0), stage);
            }
            "te.axes" => self.axes(op)?,
            "te.split" => self.split(op)?,
            "te.tile" => self.tile(op)?,
            "te.fuse" => self.fuse(op)?,
            "te.reorder" => self.reorder(op)?,
            "te.vectorize" => self.mark(op, "vectorized")?,
            "te.unroll" => self.mark(op, "unrolled")?,
            "te.parallel" => self.mark(op, "parallel")?,
            "te.compute_at" => self.compute_at(op)?,
            "te.compute_inline" => self.compute_inline(op)?,
            "te.compute_root" => {
                let stage = self.stage(op, 0)?;
                self.schedule.stages[stage].attach = Attach::Root;
            }
            "te.cache_write" => self.cache_write(op)?,
            "te.set_scope" => {
                let stage = self.stage(op, 0)?;
                self.schedule.stages[stage].scope = scope(op)?;
            }
            other => return Err(format!("{other} is not a schedule primitive")),
        }
        Ok(())
    }

    fn stage(&self, op: Op, operand: usize) -> Result<StageId, String> {
        self.stages
            .get(&op.operand(operand))
            .copied()
            .ok_or_else(|| "takes a stage of this schedule".into())
    }

    /// The axis that an operand stands for, which must still be a loop.
    fn leaf(&self, op: Op, operand: usize) -> Result<(StageId, AxisId), String> {
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
        let stage = &self.schedule.stages[id];
        let axes: Vec<AxisId> = stage.data.iter().chain(&stage.reduce).copied().collect();
        if axes.len() != op.result_count() {
            let (data, reduce) = (stage.data.len(), stage.reduce.len());
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

    fn split_axis(&mut self, id: StageId, parent: AxisId, size: SplitSize) -> (AxisId, AxisId) {
        let reduce = self.schedule.axes[parent].reduce;
        let (outer, inner) = (
            self.schedule.add_axis(reduce),
            self.schedule.add_axis(reduce),
        );
        let stage = &mut self.schedule.stages[id];
        stage.relations.push(Relation::Split {
            parent,
            outer,
            inner,
            size,
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
        let (outer, inner) = self.split_axis(id, parent, size);
        self.axes.insert(op.result(0), (id, outer));
        self.axes.insert(op.result(1), (id, inner));
        Ok(())
    }

    fn tile(&mut self, op: Op) -> Result<(), String> {
        let (id, x) = self.leaf(op, 0)?;
        let (other, y) = self.leaf(op, 1)?;
        if id != other {
            return Err("takes two axes of one stage".into());
        }
        let factor = |name: &str| {
            op.attr(name)
                .and_then(Attr::as_i64)
                .map(SplitSize::Factor)
                .ok_or("takes two factors")
        };
        let (x_outer, x_inner) = self.split_axis(id, x, factor("x_factor")?);
        let (y_outer, y_inner) = self.split_axis(id, y, factor("y_factor")?);
        let tiled = [x_outer, y_outer, x_inner, y_inner];
        self.put_in_order(id, &tiled);
        for (handle, axis) in op.results().into_iter().zip(tiled) {
            self.axes.insert(handle, (id, axis));
        }
        Ok(())
    }

    fn fuse(&mut self, op: Op) -> Result<(), String> {
        let (id, outer) = self.leaf(op, 0)?;
        let (other, inner) = self.leaf(op, 1)?;
        let leaf = &self.schedule.stages[id].leaf;
        if id != other || position(leaf, outer) + 1 != position(leaf, inner) {
            return Err("takes two neighbouring loops of one stage, the outer one first".into());
        }
        let reduce = self.schedule.axes[outer].reduce;
        if reduce != self.schedule.axes[inner].reduce {
            return Err("takes two data axes or two reduce axes".into());
        }
        let fused = self.schedule.add_axis(reduce);
        let stage = &mut self.schedule.stages[id];
        stage.relations.push(Relation::Fuse {
            outer,
            inner,
            fused,
        });
        let position = position(&stage.leaf, outer);
        stage.leaf.splice(position..=position + 1, [fused]);
        self.axes.insert(op.result(0), (id, fused));
        Ok(())
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

    fn mark(&mut self, op: Op, kind: &'static str) -> Result<(), String> {
        let (_, axis) = self.leaf(op, 0)?;
        let axis = &mut self.schedule.axes[axis];
        if axis.reduce && kind != "unrolled" {
            return Err(
                "a reduce axis can be unrolled, but not parallel or vectorized; use rfactor".into(),
            );
        }
        axis.kind = kind;
        Ok(())
    }

    fn compute_at(&mut self, op: Op) -> Result<(), String> {
        let stage = self.stage(op, 0)?;
        let parent = self.stage(op, 1)?;
        let (owner, axis) = self.leaf(op, 2)?;
        if owner != parent {
            return Err("the axis is not one of the parent stage".into());
        }
        let order = &self.schedule.order;
        if position(order, stage) >= position(order, parent) {
            return Err("the parent stage does not consume the stage".into());
        }
        self.schedule.stages[stage].attach = Attach::At { parent, axis };
        Ok(())
    }

    fn compute_inline(&mut self, op: Op) -> Result<(), String> {
        let id = self.stage(op, 0)?;
        let stage = &mut self.schedule.stages[id];
        if !stage.reduce.is_empty() {
            return Err(format!(
                "stage '{}' reduces and cannot be inlined",
                stage.name
            ));
        }
        stage.attach = Attach::Inline;
        Ok(())
    }

    /// The new stage takes over the compute with fresh axes; the old one, whose loops must be as
    /// they were made, becomes the copy.
    fn cache_write(&mut self, op: Op) -> Result<(), String> {
        let id = self.stage(op, 0)?;
        if !self.schedule.stages[id].relations.is_empty() {
            return Err("comes before other primitives on the stage".into());
        }
        if self.schedule.stages[id].tensors.len() != 1 {
            return Err("a stage with several results has no cache".into());
        }
        let mut cache = self.schedule.stages[id].clone();
        cache.data = cache
            .shape
            .iter()
            .map(|_| self.schedule.add_axis(false))
            .collect();
        cache.reduce = cache
            .reduce_extents
            .iter()
            .map(|_| self.schedule.add_axis(true))
            .collect();
        cache.leaf = cache.data.iter().chain(&cache.reduce).copied().collect();
        cache.tensors = Vec::new();
        cache.scope = scope(op)?;
        cache.name += ".cache";
        cache.attach = Attach::Root;
        let cache_id = self.schedule.stages.len();
        self.schedule.stages.push(cache);
        let place = position(&self.schedule.order, id);
        self.schedule.order.insert(place, cache_id);
        let stage = &mut self.schedule.stages[id];
        stage.body = Body::Copy(cache_id);
        stage.leaf = stage.data.clone();
        stage.reduce.clear();
        stage.reduce_extents.clear();
        self.stages.insert(op.result(0), cache_id);
        Ok(())
    }
}

fn scope(op: Op) -> Result<String, String> {
    match op.attr("scope").and_then(Attr::as_str) {
        Some(scope) if scope == "global" || scope == "local" => Ok(scope),
        _ => Err("scope is \"global\" or \"local\"".into()),
    }
}

fn position(list: &[usize], item: usize) -> usize {
    list.iter()
        .position(|&known| known == item)
        .expect("the item is in the list")
}
