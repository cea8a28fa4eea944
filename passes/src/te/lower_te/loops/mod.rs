//! From a TE function and its schedule to a TIR kernel.
//!
//! Each realised stage becomes a loop nest that writes its buffer; an inlined stage becomes part
//! of its readers' expressions. What part of a producer a loop body needs is found by *probing*:
//! the body is written once into a scratch block, and the subscripts with which it reads the
//! producer are looked at as linear forms of the loop variables.

mod ahead;
mod blocks;
mod buffer;
mod captured;
mod evaluate;
mod extent;
mod filled;
mod guarded;
mod prefetch;
mod reducer;
mod region;
mod scan;
mod skipped;
mod slow;
mod tensorize;
mod threads;

use super::schedule::{
    Attach, AxisId, Body, Illegal, MAX_COPIES, Relation, Schedule, Stage, StageId, Tail, Tile,
    Version,
};
use buffer::Placement;
use extent::Extent;
use filled::Beyond;
use reducer::Reducer;
use relay_dialects::attrs::UNROLL_EXPLICIT;
use relay_dialects::dim::Dim;
use relay_dialects::index::{self, Extent as _, Predicate};
use relay_dialects::ir::{Attr, Block, Builder, Type, Value};
use relay_dialects::ops::{arith, memref};
use relay_dialects::tir::{For, LoopKind, if_holds};
use relay_loops::analysis::{
    linear::{interval, is_below, least},
    loops,
};
use relay_loops::{kernel_limits::MOST_ELEMENTS, symbols::Symbols};
pub use slow::Slow;
use std::collections::HashMap;
use tensorize::block_of;

/// The part of a stage's result that is computed at one place: a box.
#[derive(Clone, Debug)]
pub struct BoxRegion {
    /// The lowest subscript in each dimension.
    pub min: Vec<Value>,
    /// The number of subscripts in each dimension.
    pub extent: Vec<Dim>,
}

/// Where a stage's results lie: one buffer per result, holding `region`.
#[derive(Clone, Debug)]
struct Realized {
    buffers: Vec<Value>,
    region: BoxRegion,
    placement: Placement,
}

/// The values of loop variables, and the extents of all axes, while a stage is written.
struct Nest {
    stage: StageId,
    extents: HashMap<AxisId, Dim>,
    variables: HashMap<AxisId, Value>,
    region: BoxRegion,
    /// Whether the accumulators have been set to the identity.
    initialized: bool,
}

/// Writes the loops of one function.
pub struct Lowering<'a> {
    schedule: &'a Schedule,
    /// From tensors that are arguments to their buffers.
    arguments: HashMap<Value, Value>,
    realized: HashMap<StageId, Realized>,
    /// While probing: reads of stages that are not yet realised.
    probed: Option<HashMap<StageId, Vec<Vec<Value>>>>,
    /// While conditions are looked for: those outside of which stages are zero.
    conditions: Option<Vec<Value>>,
    /// While looking for reads and writes of one tensor: it, and the subscripts.
    watched: Option<(Value, Vec<Vec<Value>>)>,
    /// The scan whose first steps are being copied.
    starting: Option<StageId>,
    /// Whether elements are computed in blocks.
    blocks: bool,
    /// What inlined stages have come to, one table per block that is being written, innermost last.
    inlined: Vec<HashMap<Point, Vec<Value>>>,
    /// What the loops around the one that is being written ask for, in parts, inside it.
    panels: Vec<prefetch::Panel>,
    /// What will be slow, though it is right.
    slow: Vec<Slow>,
    /// The values of symbols.
    symbols: Symbols,
    /// The extents that the loops are for.
    version: Version,
    /// The buffers that the threads of a block share, with their stages.
    shared: Vec<(StageId, Value)>,
}

/// A stage and the indices that it is evaluated at.
type Point = (StageId, Vec<Value>);

impl<'a> Lowering<'a> {
    /// A lowering of a version that reads the function's arguments from `arguments` and leaves the results in
    /// `outputs`, given in order of the returned tensors.
    pub fn new(schedule: &'a Schedule, version: Version, arguments: HashMap<Value, Value>) -> Self {
        Self {
            version,
            schedule,
            arguments,
            realized: HashMap::new(),
            probed: None,
            conditions: None,
            watched: None,
            starting: None,
            blocks: false,
            inlined: Vec::new(),
            panels: Vec::new(),
            slow: Vec::new(),
            symbols: Symbols::default(),
            shared: Vec::new(),
        }
    }

    /// Has elements computed in blocks, or not.
    pub fn with_blocks(self, blocks: bool) -> Self {
        Self { blocks, ..self }
    }

    /// Gives symbols their values.
    pub fn with_symbols(self, symbols: Symbols) -> Self {
        Self { symbols, ..self }
    }

    /// Writes the loops of all stages. `outputs` maps result tensors to the buffers to fill, `made` has those of
    /// [stages at the root](Self::buffers_at_root) that there are.
    ///
    /// # Errors
    /// If the schedule cannot be carried out; the text says why.
    pub fn run(
        &mut self,
        b: &Builder,
        outputs: &HashMap<Value, Value>,
        made: &HashMap<StageId, Vec<Value>>,
    ) -> Result<(), Illegal> {
        for id in self.at_root() {
            let stage = &self.schedule.stages[id];
            let region = BoxRegion {
                min: stage.shape.iter().map(|_| b.index(0)).collect(),
                extent: stage.shape.clone(),
            };
            let given = match made.get(&id) {
                Some(buffers) => buffers.iter().copied().map(Some).collect(),
                None => given(stage, outputs),
            };
            self.realize(b, id, region, &given)?;
        }
        self.check_shared()
    }

    /// Makes the buffers of all stages at the root, for the loops of several versions.
    ///
    /// # Errors
    /// If a buffer is too large.
    pub fn buffers_at_root(
        &self,
        b: &Builder,
        outputs: &HashMap<Value, Value>,
    ) -> Result<HashMap<StageId, Vec<Value>>, Illegal> {
        let made = self.at_root().into_iter().map(|id| {
            let stage = &self.schedule.stages[id];
            let buffers = self.allocate(b, id, &stage.shape, None, &given(stage, outputs))?;
            Ok((id, buffers))
        });
        made.collect()
    }

    /// The stages before whose loops there are none, in order.
    fn at_root(&self) -> Vec<StageId> {
        let order = self.schedule.order.iter().copied();
        order
            .filter(|id| self.schedule.stages[*id].attach == Attach::Root)
            .collect()
    }

    /// What will be slow in the loops that were written.
    pub fn slow(self) -> Vec<Slow> {
        self.slow
    }

    /// Makes the buffers of a stage and writes its loops.
    fn realize(
        &mut self,
        b: &Builder,
        id: StageId,
        region: BoxRegion,
        given: &[Option<Value>],
    ) -> Result<(), Illegal> {
        let buffers = self.allocate(b, id, &region.extent, None, given)?;
        self.note_shared(id, &buffers);
        let realized = self.place(id, buffers, region.clone());
        match self.schedule.stages[id].body {
            Body::Extern(op) => self.copy_extern(b, id, op, realized),
            Body::Scan(op) => self.fill_steps(b, id, op, &region, &realized),
            _ => self.fill(b, id, region, realized),
        }
    }

    /// Writes the loops that compute `region` of a stage.
    fn fill(
        &mut self,
        b: &Builder,
        id: StageId,
        region: BoxRegion,
        realized: Realized,
    ) -> Result<(), Illegal> {
        self.realized.insert(id, realized);
        let stage = &self.schedule.stages[id];
        let extents = self.schedule.extents(id, &region.extent, self.version.tile);
        if let Some(&(_, op)) = stage
            .exact
            .iter()
            .find(|(axis, _)| !stage.is_even(*axis, &extents))
        {
            let reason = "the parts do not divide the loop, and need the predicate".into();
            return Err(Illegal { op, reason });
        }
        self.note_slow(id, &extents, &region.extent);
        let mut nest = Nest {
            stage: id,
            extents,
            variables: HashMap::new(),
            region,
            initialized: stage.reduce.is_empty() || self.is_in_block(id),
        };
        self.loops(b, &mut nest, 0)
    }

    fn element_types(&self, id: StageId) -> Vec<Type> {
        match self.schedule.stages[id].body {
            Body::Compute(op) | Body::Scan(op) | Body::Extern(op) => op
                .results()
                .iter()
                .map(|result| result.ty().element())
                .collect(),
            Body::Copy(source) | Body::Merge { source, .. } => self.element_types(source),
            Body::Read(tensor) => vec![tensor.ty().element()],
        }
    }

    /// Writes the loops from `position` inwards.
    fn loops(&mut self, b: &Builder, nest: &mut Nest, position: usize) -> Result<(), Illegal> {
        let stage = &self.schedule.stages[nest.stage];
        let Some(&axis) = stage.leaf.get(position) else {
            if !nest.initialized {
                self.initialize(b, nest, position)?;
            }
            return self.point(b, nest);
        };
        // While its reads are looked for, it is what the loops compute.
        let looks = self.probed.is_some() || self.watched.is_some();
        if let Some(tensorize) = stage.tensorize.as_ref().filter(|known| known.axis == axis)
            && !looks
            && self.version.tile == Tile::Full
        {
            return self.tensorize(b, nest, position, tensorize);
        }
        if self.schedule.axes[axis].reduce && !nest.initialized {
            self.initialize(b, nest, position)?;
            nest.initialized = true;
        }
        if nest.extents[&axis] == 0 {
            self.skip_panels();
            return Ok(());
        }
        self.check_copies(b, nest, axis)?;
        self.check_vector(nest, axis)?;
        let mut inner = self.open_loop(b, nest, axis);
        // What is looked at is not run.
        let outer = match looks {
            true => None,
            false => Some(self.enter(&inner, nest, (axis, position))?),
        };
        if self.shares_buffers(nest, axis)? && nest.extents[&axis] != 1 {
            // What is computed before the loop, or for another iteration, does not ask for panels.
            let panels = std::mem::take(&mut self.panels);
            self.realize_ahead(&inner, nest, (axis, position))?;
            self.panels = panels;
        } else {
            let regions = self.regions(&inner, nest, axis, position)?;
            inner = self.realize_regions(&inner, (nest.stage, axis), regions)?;
        }
        self.loops(&inner, nest, position + 1)?;
        outer.map_or(Ok(()), |outer| self.leave(outer))
    }

    /// Whether the vectors of a loop to be vectorized have few enough elements. A schedule says so of itself, so that one that a
    /// record names is not applied in the place of a legal one.
    fn check_vector(&self, nest: &Nest, axis: AxisId) -> Result<(), Illegal> {
        let known = &self.schedule.axes[axis];
        let extent = nest.extents[&axis];
        let is_long = extent.known().is_some_and(|extent| extent > MOST_ELEMENTS);
        match known.kind_op {
            Some(op) if known.kind == LoopKind::Vectorized && is_long => Err(Illegal {
                op,
                reason: format!(
                    "its vectors would have {extent} elements, and at most {MOST_ELEMENTS} can be: split the loop, and \
                         vectorize the inner part"
                ),
            }),
            _ => Ok(()),
        }
    }

    /// Whether the loops to be unrolled, down to that of `axis`, repeat few enough times what they
    /// stand around.
    fn check_copies(&self, b: &Builder, nest: &Nest, axis: AxisId) -> Result<(), Illegal> {
        let known = &self.schedule.axes[axis];
        let own = nest.extents[&axis].known();
        let unrolled = known.kind_op.filter(|_| known.kind == LoopKind::Unrolled);
        let Some((op, own)) = unrolled.zip(own) else {
            return Ok(());
        };
        let around = block_of(b).and_then(Block::parent);
        let left_to_llvm = known.pragmas.contains(&(UNROLL_EXPLICIT, 0))
            || around.and_then(|around| loops::around(around, UNROLL_EXPLICIT)) == Some(0);
        let outer = std::iter::successors(around, |op| op.parent());
        let unrolled = outer
            .filter_map(For::of)
            .filter(|outer| outer.kind() == LoopKind::Unrolled);
        let copies = unrolled.map(loops::trips).fold(own, i64::saturating_mul);
        if copies > MAX_COPIES && !left_to_llvm {
            let reason = format!(
                "the loops that are unrolled here repeat their body {copies} times, and the code \
                 would take minutes to compile; at most {MAX_COPIES} are: split the loop, and \
                 unroll the inner part"
            );
            return Err(Illegal { op, reason });
        }
        Ok(())
    }

    /// Opens the loop of `axis` and binds its variable; a loop of one iteration is none.
    fn open_loop(&self, b: &Builder, nest: &mut Nest, axis: AxisId) -> Builder {
        let extent = nest.extents[&axis];
        let known = &self.schedule.axes[axis];
        let is_clipped = self.schedule.is_clipped(nest.stage, axis, &nest.extents);
        // A loop of a grid stays: it says where the grid begins, and which thread runs what is in it.
        if extent == 1 && known.pragmas.is_empty() && !is_clipped && known.thread.is_none() {
            nest.variables.insert(axis, b.index(0));
            return *b;
        }
        let pragmas = known.pragmas.iter();
        let pragmas: Vec<(&str, Attr)> = pragmas
            .map(|(name, value)| (*name, Attr::i64(b.ctx, *value)))
            .collect();
        // A loop of unknown length is neither one vector nor a known number of copies.
        let is_fixed = matches!(known.kind, LoopKind::Vectorized | LoopKind::Unrolled);
        let kind = match is_fixed && !extent.is_known() {
            true => LoopKind::Serial,
            false => known.kind,
        };
        let kind = (kind, known.thread);
        // What later passes have to say of the loop is said of the primitive that asked for it.
        let asked = known.kind_op.map_or(*b, |op| b.with_loc(op.loc()));
        let upper = self.end(b, nest, axis);
        let opened = For::of_kind(&asked, upper, kind, &known.name, &pragmas);
        let inside = opened.inside(b);
        let is_one = extent == 1 && !is_clipped && known.thread.is_some();
        let variable = match is_one {
            true => inside.index(0),
            false => opened.variable(),
        };
        nest.variables.insert(axis, variable);
        inside
    }

    /// Sets the accumulators to the identity, in loops over the data axes from `position` inwards.
    fn initialize(&mut self, b: &Builder, nest: &mut Nest, position: usize) -> Result<(), Illegal> {
        let outer = nest.variables.clone();
        let leaf = &self.schedule.stages[nest.stage].leaf[position..];
        let mut inner = *b;
        for &axis in leaf
            .iter()
            .filter(|axis| !self.schedule.axes[**axis].reduce)
        {
            inner = self.open_loop(&inner, nest, axis);
        }
        let (inner, indices, local) = self.enter_point(&inner, nest, false);
        nest.variables = outer;
        self.store_identity(&inner, nest.stage, &indices, local)
    }

    /// Sets the accumulators of the element at `indices`, which is at `local` in its region, to the identity.
    fn store_identity(
        &self,
        b: &Builder,
        id: StageId,
        indices: &[Value],
        local: Vec<Value>,
    ) -> Result<(), Illegal> {
        let realized = &self.realized[&id];
        let subscripts = realized.subscripts(b, indices, local);
        let reducer = self.reducer(id)?;
        for (result, buffer) in realized.buffers.iter().enumerate() {
            let identity = reducer
                .identity(b, result, buffer.ty().element())
                .map_err(|reason| self.illegal(id, reason))?;
            store(b, identity, *buffer, &subscripts);
        }
        Ok(())
    }

    fn reducer(&self, id: StageId) -> Result<Reducer, Illegal> {
        let reducer = self.schedule.stages[id]
            .compute()
            .ok_or_else(|| "a copy does not reduce".to_string())
            .and_then(Reducer::of);
        reducer.map_err(|reason| self.illegal(id, reason))
    }

    /// Why a stage cannot be written, at the primitive that placed it or at its compute.
    fn illegal(&self, id: StageId, reason: String) -> Illegal {
        let stage = &self.schedule.stages[id];
        let op = match (stage.attach_op, stage.body) {
            (Some(op), _)
            | (
                None,
                Body::Compute(op)
                | Body::Scan(op)
                | Body::Extern(op)
                | Body::Merge { compute: op, .. },
            ) => op,
            (None, Body::Copy(source)) => return self.illegal(source, reason),
            (None, Body::Read(_)) => {
                let scope = stage.scope.as_ref().map(|(_, op)| *op);
                scope.expect("a copy of a tensor has the scope that it was made for")
            }
        };
        Illegal { op, reason }
    }

    /// Writes the computation of one element.
    fn point(&mut self, b: &Builder, nest: &Nest) -> Result<(), Illegal> {
        if self.is_in_block(nest.stage) {
            return self.block(b, nest);
        }
        if self.is_filled(nest.stage) {
            let mut place = self.place_of_point(b, nest, true);
            let inner = std::mem::take(&mut place.guards).enter(b);
            return self.fill_element(&inner, nest.stage, place);
        }
        let (inner, indices, local) = self.enter_point(b, nest, true);
        let stage = &self.schedule.stages[nest.stage];
        if let Some((tensor, places)) = &mut self.watched
            && stage.tensors.contains(tensor)
        {
            places.push(indices.clone());
        }
        let reduce: Vec<Value> = stage
            .reduce
            .iter()
            .map(|&axis| self.root_value(&inner, nest, axis, &mut Guards::default()))
            .collect();
        self.element(&inner, nest.stage, (&indices, local), &reduce)
    }

    /// Computes the element at `indices`, which is at `local` in its region, and stores it.
    fn element(
        &mut self,
        b: &Builder,
        id: StageId,
        (indices, local): (&[Value], Vec<Value>),
        reduce: &[Value],
    ) -> Result<(), Illegal> {
        let stage = &self.schedule.stages[id];
        let b = &self.where_not_zero(b, id, indices, reduce)?;
        let values = self.expression(b, id, indices, reduce)?;
        let realized = self.realized[&id].clone();
        // The loops of a scan cover some of its steps, its buffer all.
        let local = match stage.body {
            Body::Scan(_) => indices.to_vec(),
            _ => local,
        };
        let subscripts = realized.subscripts(b, indices, local);
        let buffers = realized.buffers;
        let values = if stage.reduce_extents.is_empty() {
            values
        } else {
            let old: Vec<Value> = buffers
                .iter()
                .map(|buffer| load(b, *buffer, &subscripts))
                .collect();
            self.reducer(id)?.combine(b, &old, &values)
        };
        for (value, buffer) in values.into_iter().zip(buffers) {
            store(b, value, buffer, &subscripts);
        }
        Ok(())
    }

    /// The value of a stage's expression, in which what is inlined is known nowhere else.
    fn expression(
        &mut self,
        b: &Builder,
        id: StageId,
        indices: &[Value],
        reduce: &[Value],
    ) -> Result<Vec<Value>, Illegal> {
        let outer = std::mem::replace(&mut self.inlined, vec![HashMap::new()]);
        let values = self.evaluate(b, id, indices, reduce);
        self.inlined = outer;
        values.map_err(|reason| self.illegal(id, reason))
    }

    /// Computes the subscripts of the element at hand, in the tensor and in its buffer, behind the
    /// guards that imperfect splits need.
    fn enter_point(
        &self,
        b: &Builder,
        nest: &Nest,
        reduce: bool,
    ) -> (Builder, Vec<Value>, Vec<Value>) {
        let place = self.place_of_point(b, nest, reduce);
        (place.guards.enter(b), place.indices, place.local)
    }

    /// Where the element at hand is, and under which conditions it is there; with `reduce`, where on the reduce
    /// axes, too.
    fn place_of_point(&self, b: &Builder, nest: &Nest, reduce: bool) -> PlaceOfPoint {
        let stage = &self.schedule.stages[nest.stage];
        let beyond = self.beyond(nest);
        let mut place = PlaceOfPoint::default();
        for (dimension, &axis) in stage.data.iter().enumerate() {
            let value = self.root_value(b, nest, axis, &mut place.guards);
            let index = index::add(b, nest.region.min[dimension], value);
            // A consumer's guard may let its region reach beyond the tensor; not where that is all of an open dimension.
            let (extent, min) = (nest.region.extent[dimension], nest.region.min[dimension]);
            let is_whole = extent == stage.shape[dimension] && index::constant(min) == Some(0);
            if extent.is_known() || !is_whole {
                let limit = self.extent(b, stage.shape[dimension]);
                match beyond {
                    Beyond::Left => place.guards.within(b, index, limit),
                    Beyond::Zero => place.beyond.within(b, index, limit),
                    Beyond::Computed => {}
                }
            }
            place.local.push(value);
            place.indices.push(index);
        }
        if reduce {
            let axes = stage.reduce.iter();
            let mut unneeded = Guards::default();
            let adds_nothing = beyond == Beyond::Computed && self.sums_zeros(nest.stage);
            let guards = if adds_nothing {
                &mut unneeded
            } else {
                &mut place.guards
            };
            place.reduce = axes
                .map(|&axis| self.root_value(b, nest, axis, guards))
                .collect();
        }
        place
    }

    /// The value of a data or reduce axis from those of the loops made of it. What must hold for it
    /// to be in range, and does not always, goes to `guards`.
    ///
    /// Where the last part of a split is shifted inwards, some elements are computed twice, to the same value, and no guard
    /// stands in the innermost loops.
    fn root_value(&self, b: &Builder, nest: &Nest, root: AxisId, guards: &mut Guards) -> Value {
        let value = self.axis_value(b, nest, root, Some(guards));
        value.unwrap_or_else(|| b.index(0))
    }

    /// The value of an axis; none where a loop of it is not open.
    fn axis_value(
        &self,
        b: &Builder,
        nest: &Nest,
        axis: AxisId,
        mut guards: Option<&mut Guards>,
    ) -> Option<Value> {
        let stage = &self.schedule.stages[nest.stage];
        let mut values = nest.variables.clone();
        for (number, relation) in stage.relations.iter().enumerate().rev() {
            match *relation {
                Relation::Split {
                    parent,
                    outer,
                    inner,
                    ..
                } => {
                    let (Some(&o), Some(&i)) = (values.get(&outer), values.get(&inner)) else {
                        continue;
                    };
                    let tail = self.schedule.tail(nest.stage, number, &nest.extents);
                    let factor = self.extent(b, nest.extents[&inner]);
                    let mut base = index::scale(b, o, factor);
                    if tail == Tail::Shifted {
                        let last = self.last_part(b, nest.extents[&parent], factor);
                        base = index::min(b, base, last);
                    }
                    let value = index::add(b, base, i);
                    if tail == Tail::Guarded
                        && stage.derives(axis, parent)
                        && let Some(guards) = &mut guards
                    {
                        guards.split(b, number, value, self.end(b, nest, parent));
                    }
                    values.insert(parent, value);
                }
                Relation::Fuse {
                    outer,
                    inner,
                    fused,
                } => {
                    let Some(&f) = values.get(&fused) else {
                        continue;
                    };
                    let (o, i) = self.unfused(b, f, nest.extents[&outer], nest.extents[&inner]);
                    values.insert(outer, o);
                    values.insert(inner, i);
                }
                Relation::Factored { data, reduce } => {
                    let Some(&value) = values.get(&data) else {
                        continue;
                    };
                    let dimension = stage.data.iter().position(|axis| *axis == data);
                    let min = nest.region.min[dimension.expect("a data axis is a dimension's")];
                    values.insert(reduce, index::add(b, min, value));
                }
            }
        }
        values.get(&axis).copied()
    }

    /// The values of two axes from that of the loop that they were fused into.
    fn unfused(&self, b: &Builder, fused: Value, outer: Dim, inner: Dim) -> (Value, Value) {
        if outer == 1 {
            // No analysis has to find out that the remainder by an open extent is the value.
            return (b.index(0), fused);
        }
        let extent = self.extent(b, inner);
        (index::div(b, fused, extent), index::rem(b, fused, extent))
    }

    /// Where the last part of a loop begins that is shifted inwards.
    fn last_part(&self, b: &Builder, whole: Dim, factor: Extent) -> Extent {
        match (self.extent(b, whole), factor) {
            (Extent::Known(whole), Extent::Known(factor)) => Extent::Known(whole - factor),
            (whole, factor) => {
                let (whole, factor) = (whole.to_value(b), factor.to_value(b));
                Extent::Open(arith::SubI::build(b, whole, factor))
            }
        }
    }

    /// Where the loop of an axis ends: for the inside of a last part that is clipped, where all parts end.
    fn end(&self, b: &Builder, nest: &Nest, axis: AxisId) -> Extent {
        let stage = &self.schedule.stages[nest.stage];
        let extent = || self.extent(b, nest.extents[&axis]);
        for (number, relation) in stage.relations.iter().enumerate() {
            let Relation::Split {
                parent,
                outer,
                inner,
                ..
            } = *relation
            else {
                continue;
            };
            if inner == axis
                && self.schedule.tail(nest.stage, number, &nest.extents) == Tail::Clipped
                && let Some(before) = self.axis_value(b, nest, outer, None)
            {
                let whole = self.end(b, nest, parent).to_value(b);
                let begin = index::scale(b, before, extent());
                let left = arith::SubI::build(b, whole, begin);
                return Extent::Open(index::min(b, left, extent()));
            }
        }
        extent()
    }
}

/// Where an element is.
#[derive(Default)]
struct PlaceOfPoint {
    /// The conditions under which it is computed.
    guards: Guards,
    /// The conditions under which it is in the tensor, where it is [zero](Beyond::Zero) otherwise.
    beyond: Guards,
    /// Its subscripts in the tensor.
    indices: Vec<Value>,
    /// Its subscripts in the region that is computed.
    local: Vec<Value>,
    /// The values of the reduce axes.
    reduce: Vec<Value>,
}

/// The conditions under which an element is computed.
#[derive(Default)]
struct Guards {
    conditions: Vec<Value>,
    /// The splits, by number, whose condition is there.
    splits: Vec<usize>,
}

impl Guards {
    /// Where all of them hold.
    fn enter(self, b: &Builder) -> Builder {
        let conditions = self.conditions.into_iter();
        conditions.fold(*b, |b, guard| if_holds(&b, guard))
    }

    /// `value < whole`, of the split with that number.
    fn split(&mut self, b: &Builder, number: usize, value: Value, whole: Extent) {
        if !self.splits.contains(&number) {
            self.splits.push(number);
            self.conditions.push(index::less(b, value, whole));
        }
    }

    /// `0 <= index < limit`, as far as it is not known.
    fn within(&mut self, b: &Builder, index: Value, limit: Extent) {
        if least(index).is_none_or(|low| low < 0) {
            let zero = b.index(0);
            let above = index::compare(b, Predicate::Sge, index, zero);
            self.conditions.push(above);
        }
        let is_below = match limit {
            Extent::Known(limit) => interval(index).is_some_and(|(_, high)| high < limit),
            Extent::Open(limit) => is_below(index, limit),
        };
        if !is_below {
            self.conditions.push(index::less(b, index, limit));
        }
    }
}

/// The buffers among the outputs that a stage fills.
fn given(stage: &Stage, outputs: &HashMap<Value, Value>) -> Vec<Option<Value>> {
    let tensors = stage.tensors.iter();
    tensors.map(|tensor| outputs.get(tensor).copied()).collect()
}

fn load(b: &Builder, buffer: Value, subscripts: &[Value]) -> Value {
    memref::Load::build(b, buffer, subscripts)
}

fn store(b: &Builder, value: Value, buffer: Value, subscripts: &[Value]) {
    memref::Store::build(b, value, buffer, subscripts);
}
