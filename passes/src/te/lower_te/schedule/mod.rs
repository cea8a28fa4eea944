//! A schedule in the form that lowering works on: stages, their loops, and where each is computed.
//!
//! Read from a function of `te.compute` ops and its `te.schedule`, if it has one.

mod apply;
mod buffers;
mod caches;
mod check;
mod storage;
mod tails;
mod tensorize;

pub use apply::MAX_COPIES;
pub use storage::{Align, Buffering, Prefetch};
pub use tails::{Tail, Tile, Version};
pub use tensorize::Tensorize;

use relay_dialects::dim::Dim;
use relay_dialects::ir::{AffineMap, Attr, Op, Value};
use relay_dialects::ops::tensor;
use relay_dialects::symbols::symbols;
use relay_dialects::te::Compute;
use relay_dialects::tir::{LoopKind, Scope, Thread};
use relay_dialects::{index, names};
use std::collections::{HashMap, HashSet};

/// Index of a [`Stage`] in [`Schedule::stages`].
pub type StageId = usize;
/// Index of an [`Axis`] in [`Schedule::axes`].
pub type AxisId = usize;

/// One loop.
#[derive(Clone, Debug)]
pub struct Axis {
    /// Its name, for people; empty if it has none.
    pub name: String,
    /// Whether the loop reduces.
    pub reduce: bool,
    /// How it runs.
    pub kind: LoopKind,
    /// The primitive that said so.
    pub kind_op: Option<Op>,
    /// The axis of a grid of threads that it is bound to.
    pub thread: Option<Thread>,
    /// What passes on loops are to do with it: attributes of its loop.
    pub pragmas: Vec<(&'static str, i64)>,
}

impl Axis {
    /// Whether its iterations may run at the same time.
    pub fn is_shared(&self) -> bool {
        matches!(self.kind, LoopKind::Parallel | LoopKind::ThreadBinding)
    }
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
        /// Whether the last part begins earlier wherever it would go beyond the end.
        shifts: bool,
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
    /// `reduce = data`: what `rfactor` made of a reduce loop.
    Factored {
        /// The data axis.
        data: AxisId,
        /// The loop, as the reduction knows it.
        reduce: AxisId,
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
    /// A `te.scan`.
    Scan(Op),
    /// A `te.extern`.
    Extern(Op),
    /// A copy of another stage: what `cache_write` leaves behind.
    Copy(StageId),
    /// A copy of a tensor: what `cache_read` makes.
    Read(Value),
    /// The reduction, by the reducer of the compute, of one dimension of another stage: what
    /// `rfactor` leaves behind.
    Merge {
        /// The stage of partial results.
        source: StageId,
        /// The dimension.
        dimension: usize,
        /// The compute.
        compute: Op,
    },
}

/// Iterations of a reduction that change nothing, as `te.skip` has them.
#[derive(Clone, Copy, Debug)]
pub struct Skip {
    /// The loop.
    pub axis: AxisId,
    /// The stage of the flags that are zero in such an iteration.
    pub flags: StageId,
    /// The primitive.
    pub op: Op,
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
    pub shape: Vec<Dim>,
    /// The extents of its reduce axes.
    pub reduce_extents: Vec<Dim>,
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
    /// The primitive that said so.
    pub attach_op: Option<Op>,
    /// Whether, being inlined, the condition outside of which it is zero guards its readers.
    pub guards: bool,
    /// The scope of its buffer, and the primitive that said so. Without one, what is computed inside
    /// a loop is local to it.
    pub scope: Option<(Scope, Op)>,
    /// The axes whose splits must come out even, with the primitives that said so.
    pub exact: Vec<(AxisId, Op)>,
    /// The copies that it reads in place of tensors.
    pub redirects: HashMap<Value, StageId>,
    /// The dimensions that `rfactor` added, in this order, and its expression does not know.
    pub factored: Vec<usize>,
    /// How its buffer is laid out, and the primitive that said so.
    pub layout: Option<(AffineMap, Op)>,
    /// Strides of its buffer.
    pub aligns: Vec<Align>,
    /// How its buffer is reused by the iterations of the loop that it is computed in.
    pub buffering: Option<(Buffering, Op)>,
    /// The iterations that it leaves out.
    pub skip: Option<Skip>,
    /// What its loops fetch ahead.
    pub prefetches: Vec<Prefetch>,
    /// The loops that an intrinsic does.
    pub tensorize: Option<Tensorize>,
}

impl Stage {
    /// A stage at the root that does not reduce, with one loop per data axis.
    fn new(name: String, body: Body, shape: Vec<Dim>, data: Vec<AxisId>) -> Self {
        Self {
            name,
            tensors: Vec::new(),
            body,
            shape,
            reduce_extents: Vec::new(),
            leaf: data.clone(),
            data,
            reduce: Vec::new(),
            relations: Vec::new(),
            attach: Attach::Root,
            attach_op: None,
            guards: false,
            scope: None,
            exact: Vec::new(),
            redirects: HashMap::new(),
            factored: Vec::new(),
            layout: None,
            aligns: Vec::new(),
            buffering: None,
            skip: None,
            prefetches: Vec::new(),
            tensorize: None,
        }
    }

    /// The compute whose expression or reducer this stage evaluates.
    pub fn compute(&self) -> Option<Compute> {
        match self.body {
            Body::Compute(op) | Body::Merge { compute: op, .. } => Compute::of(op),
            Body::Scan(_) | Body::Extern(_) | Body::Copy(_) | Body::Read(_) => None,
        }
    }

    /// Whether a nest of loops over the stage's axes meets every element of all its tensors: those of a
    /// `te.extern` may differ.
    pub fn has_one_shape(&self) -> bool {
        self.tensors
            .iter()
            .all(|tensor| tensor.ty().dims() == self.shape)
    }

    /// Whether the parts of an axis divide it.
    pub fn is_even(&self, axis: AxisId, extents: &HashMap<AxisId, Dim>) -> bool {
        self.relations.iter().all(|relation| match *relation {
            Relation::Split { parent, inner, .. } if parent == axis => {
                divides(extents[&inner], extents[&parent])
            }
            _ => true,
        })
    }

    /// The scope of its buffer.
    pub fn scope(&self) -> Scope {
        match (self.scope, self.attach) {
            (Some((scope, _)), _) => scope,
            (None, Attach::At { .. }) => Scope::Local,
            (None, _) => Scope::Global,
        }
    }

    /// Whether its loops have no iterations.
    pub fn is_empty(&self) -> bool {
        let mut all = self.shape.iter().chain(&self.reduce_extents);
        all.any(|extent| *extent == 0)
    }

    /// The extents of all axes when the data axes have the extents `region`.
    pub fn extents(&self, region: &[Dim]) -> HashMap<AxisId, Dim> {
        self.extents_with(region, |_, _| None)
    }

    /// Likewise, with the extents of a part and their number as `changed` says for a split, if it does: it is given the number
    /// of the relation, and all extents so far with those of its parts as the schedule has them.
    fn extents_with(
        &self,
        region: &[Dim],
        changed: impl Fn(usize, &HashMap<AxisId, Dim>) -> Option<(Dim, Dim)>,
    ) -> HashMap<AxisId, Dim> {
        let mut extents: HashMap<AxisId, Dim> = HashMap::new();
        extents.extend(self.data.iter().copied().zip(region.iter().copied()));
        extents.extend(
            self.reduce
                .iter()
                .copied()
                .zip(self.reduce_extents.iter().copied()),
        );
        for (number, relation) in self.relations.iter().enumerate() {
            match *relation {
                Relation::Split {
                    parent,
                    outer,
                    inner,
                    size,
                    ..
                } => {
                    let (factor, parts) = split(extents[&parent], size);
                    extents.extend([(outer, parts), (inner, factor)]);
                    if let Some((factor, parts)) = changed(number, &extents) {
                        extents.extend([(outer, parts), (inner, factor)]);
                    }
                }
                Relation::Fuse {
                    outer,
                    inner,
                    fused,
                } => {
                    extents.insert(fused, fused_extent(extents[&outer], extents[&inner]));
                }
                Relation::Factored { .. } => {}
            }
        }
        extents
    }
}

/// The extent of a loop's parts, and their number. One that 64 bits do not hold is as large as they can say.
fn split(whole: Dim, size: SplitSize) -> (Dim, Dim) {
    let rounded_up = |by: Dim| {
        let quotient = whole.plus(by).and_then(|sum| sum.minus(1)?.floor_div(by));
        quotient.unwrap_or(Dim::Known(i64::MAX))
    };
    match (size, whole.known()) {
        (SplitSize::Factor(factor), Some(known)) => {
            let factor = factor.min(known.max(1));
            (
                Dim::Known(factor),
                Dim::Known(index::ceil_div(known, factor)),
            )
        }
        (SplitSize::Parts(parts), Some(known)) => {
            let factor = index::ceil_div(known, parts).max(1);
            (
                Dim::Known(factor),
                Dim::Known(index::ceil_div(known, factor)),
            )
        }
        (SplitSize::Factor(factor), None) => (Dim::Known(factor), rounded_up(Dim::Known(factor))),
        (SplitSize::Parts(parts), None) => {
            let factor = rounded_up(Dim::Known(parts)).max(1);
            let factor = factor.unwrap_or(Dim::Known(i64::MAX));
            (factor, rounded_up(factor))
        }
    }
}

/// The extent of a loop over two.
fn fused_extent(outer: Dim, inner: Dim) -> Dim {
    outer.times(inner).unwrap_or(Dim::Known(i64::MAX))
}

/// Whether it is certain that parts of an extent divide another.
pub fn divides(part: Dim, whole: Dim) -> bool {
    match (part.known(), whole.known()) {
        (Some(part), Some(whole)) => whole % part == 0,
        (Some(part), None) => {
            let parts = whole.floor_div(part).and_then(|parts| parts.times(part));
            parts == Ok(whole)
        }
        _ => part == whole,
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
    /// The least sizes of symbols, by name; 0 of others.
    pub least_sizes: HashMap<String, i64>,
}

/// An op that cannot be carried out, and why.
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
        let mut schedule = Self {
            least_sizes: least_sizes(func),
            ..Self::default()
        };
        for op in func.body().ops() {
            if STAGES.iter().any(|name| op.is(name)) {
                schedule.add_stage(op);
            }
        }
        schedule.order = (0..schedule.stages.len()).collect();
        let ops = func.body().ops().into_iter();
        let mut written = ops.filter(|op| op.is(names::te::SCHEDULE));
        match (written.next(), written.next()) {
            (_, Some(op)) => {
                let reason = "is the second schedule of its function".into();
                return Err(Illegal { op, reason });
            }
            (Some(op), None) => {
                apply::apply(&mut schedule, op)?;
                check::check(&schedule, func)?;
            }
            (None, None) => schedule.set_default(func),
        }
        Ok(schedule)
    }

    /// The stages that the expression of a stage reads.
    pub fn reads(&self, id: StageId) -> Vec<StageId> {
        let stage = &self.stages[id];
        let source = |tensor: Value| match stage.redirects.get(&tensor) {
            Some(copy) => Some(*copy),
            None => self.stage_of(tensor),
        };
        match stage.body {
            Body::Copy(source) | Body::Merge { source, .. } => vec![source],
            Body::Read(tensor) => source(tensor).into_iter().collect(),
            Body::Compute(op) | Body::Scan(op) | Body::Extern(op) => {
                tensors_read(op).into_iter().filter_map(source).collect()
            }
        }
    }

    /// A stage and all that it is computed from, up to some inputs, which are among them.
    pub fn sources(&self, output: StageId, inputs: &[StageId]) -> Vec<StageId> {
        let mut found = vec![output];
        let mut next = 0;
        while let Some(&stage) = found.get(next) {
            next += 1;
            if inputs.contains(&stage) {
                continue;
            }
            for source in self.reads(stage) {
                if !found.contains(&source) {
                    found.push(source);
                }
            }
        }
        found
    }

    /// The stages with loops of their own that the loops of a stage read, also by way of inlined ones
    /// and of the stages that are computed in them, but for those in the loop `except`.
    pub fn reads_in_loops(&self, id: StageId, except: Option<AxisId>) -> HashSet<StageId> {
        let mut found = HashSet::new();
        let mut pending = self.reads(id);
        for (inner, stage) in self.stages.iter().enumerate() {
            if let Attach::At { parent, axis } = stage.attach
                && parent == id
                && Some(axis) != except
            {
                found.extend(self.reads_in_loops(inner, None));
            }
        }
        while let Some(source) = pending.pop() {
            match self.stages[source].attach {
                Attach::Inline => pending.extend(self.reads(source)),
                _ => drop(found.insert(source)),
            }
        }
        found
    }

    /// The stage that computes a tensor.
    pub fn stage_of(&self, tensor: Value) -> Option<StageId> {
        self.stages
            .iter()
            .position(|stage| stage.tensors.contains(&tensor))
    }

    fn add_stage(&mut self, compute: Op) {
        let shape = compute.result(0).ty().dims();
        let known = Compute::of(compute);
        let reduce_extents = known.and_then(|known| known.reduce_dims().ok());
        let reduce_extents = reduce_extents.unwrap_or_default();
        let name_of = |axis| known.map_or_else(String::new, |known| known.axis_name(axis));
        let rank = shape.len();
        let data: Vec<AxisId> = (0..rank)
            .map(|axis| self.add_axis(name_of(axis), false))
            .collect();
        let reduce: Vec<AxisId> = (rank..rank + reduce_extents.len())
            .map(|axis| self.add_axis(name_of(axis), true))
            .collect();
        let name = compute.attr("name").and_then(Attr::as_str);
        self.stages.push(Stage {
            tensors: compute.results(),
            leaf: data.iter().chain(&reduce).copied().collect(),
            reduce_extents,
            reduce,
            ..Stage::new(
                name.unwrap_or_default(),
                match compute.name().as_str() {
                    names::te::SCAN => Body::Scan(compute),
                    names::te::EXTERN => Body::Extern(compute),
                    _ => Body::Compute(compute),
                },
                shape,
                data,
            )
        });
    }

    fn add_axis(&mut self, name: String, reduce: bool) -> AxisId {
        self.axes.push(Axis {
            name,
            reduce,
            kind: LoopKind::Serial,
            kind_op: None,
            thread: None,
            pragmas: Vec::new(),
        });
        self.axes.len() - 1
    }

    /// New axes with the names of others, which reduce like them.
    fn copy_axes(&mut self, axes: &[AxisId]) -> Vec<AxisId> {
        let copied = axes.iter().map(|&axis| {
            let Axis { name, reduce, .. } = &self.axes[axis];
            (name.clone(), *reduce)
        });
        let copied: Vec<(String, bool)> = copied.collect();
        let added = copied.into_iter();
        added
            .map(|(name, reduce)| self.add_axis(name, reduce))
            .collect()
    }

    /// Without a schedule: what does not reduce and is not returned is inlined.
    fn set_default(&mut self, func: Op) {
        let returned = func
            .body()
            .terminator()
            .map(Op::operands)
            .unwrap_or_default();
        // What is read as a whole is computed as a whole.
        let inputs: Vec<Value> = self
            .stages
            .iter()
            .flat_map(|stage| match stage.body {
                Body::Extern(op) => op.operands(),
                _ => Vec::new(),
            })
            .collect();
        let stays = |tensor: &Value| returned.contains(tensor) || inputs.contains(tensor);
        for stage in &mut self.stages {
            let is_compute = matches!(stage.body, Body::Compute(_));
            if is_compute
                && !stage.tensors.iter().any(stays)
                && stage.reduce.is_empty()
                && stage.tensors.len() == 1
            {
                stage.attach = Attach::Inline;
            }
        }
    }
}

/// The least sizes of the symbols of the module around a function.
fn least_sizes(func: Op) -> HashMap<String, i64> {
    let known = func.parent().and_then(|module| symbols(module).ok());
    let known = known.unwrap_or_default().into_iter();
    known.map(|symbol| (symbol.name, symbol.least)).collect()
}

/// The ops that are stages.
pub const STAGES: [&str; 3] = [Compute::NAME, names::te::SCAN, names::te::EXTERN];

/// The tensors that a stage's op reads, once per read.
fn tensors_read(stage: Op) -> Vec<Value> {
    let reads = stage.find_all(tensor::Extract::NAME).into_iter();
    let reads = reads.map(|read| read.operand(0));
    reads.chain(stage.operands()).collect()
}
