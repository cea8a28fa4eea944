//! A state as a `te.schedule`.

use super::{
    form::{Form, Tail},
    graph::{Axes, Node, Source},
    places::View,
    sample::MOST_COPIES,
    state::{Choice, Copied, Factor, Loop, Nest, Place, Tile},
};
use relay_dialects::{
    ir::{Builder, Op, Value},
    te::{
        Compute,
        build::{Prefetch, ScheduleBuilder},
    },
    tir::Scope,
};
use relay_topi::Machine;
use std::collections::BTreeSet;

/// Writes a schedule, stages that read others first: what is computed in a loop needs the loop.
pub struct Emitter<'a> {
    view: View<'a>,
    machine: Machine,
    s: ScheduleBuilder,
    arguments: Vec<Value>,
    /// The first result of each stage.
    tensors: Vec<Value>,
    /// The loops of each stage in which others may be computed.
    outer: Vec<Outer>,
}

/// Outer loops of a stage.
#[derive(Clone, Default)]
struct Outer {
    /// The stage; none before its loops are written.
    stage: Option<Value>,
    /// Its loops; those that are fused are one.
    loops: Vec<Value>,
}

/// What a split leaves inside of the outer loops of an axis.
#[derive(Default)]
struct Inside {
    /// The loop over tiles of registers.
    waiting: Option<Value>,
    /// The loop over vectors, or numbers.
    register: Option<Value>,
    /// The loop over the lanes of a vector.
    lane: Option<Value>,
}

/// A stage that reduces, or partial results of one.
struct Reduction {
    stage: Value,
    rank: usize,
    reduce: usize,
}

impl<'a> Emitter<'a> {
    /// An emitter for a function; none if it has other stages.
    pub fn new(func: Op, view: View<'a>, machine: Machine) -> Option<Self> {
        let end = func.body().terminator()?;
        let computes = func.body().ops().into_iter();
        let computes: Vec<Op> = computes.filter(|op| op.is(Compute::NAME)).collect();
        let nodes = &view.graph.stages;
        let is_same = |(op, node): (&Op, &Node)| {
            let extents = Compute::of(*op).map(Compute::extents);
            extents.is_some_and(|extents| extents == [&node.shape[..], &node.reduce].concat())
        };
        if computes.len() != nodes.len() || !computes.iter().zip(nodes).all(is_same) {
            return None;
        }
        Some(Self {
            view,
            machine,
            s: ScheduleBuilder::new(&Builder::before(end)),
            arguments: func.body().args(),
            tensors: computes.iter().map(|op| op.result(0)).collect(),
            outer: vec![Outer::default(); nodes.len()],
        })
    }

    /// Writes it.
    pub fn emit(mut self) {
        for stage in (0..self.tensors.len()).rev() {
            let handle = self.s.stage(self.tensors[stage]);
            self.stage(stage, handle);
        }
        for stage in 0..self.tensors.len() {
            if let Choice::Nest(nest) = &self.view.choices[stage]
                && let Some(ahead) = nest.ahead
            {
                self.ask(stage, ahead);
            }
        }
    }

    /// Has the loop around a stage's vectors ask for what its next iteration reads of long arguments, and for the lines
    /// that it writes, in the vectors of a stage that is computed there.
    fn ask(&self, stage: usize, ahead: usize) {
        let loops = &self.outer[stage].loops;
        let (Some(axis), Some(over)) = (
            loops.len().checked_sub(2).map(|last| loops[last]),
            self.outer[ahead].loops.last(),
        ) else {
            return;
        };
        for argument in self.read_in(stage, axis) {
            let bytes = self.arguments[argument].ty().byte_count();
            if bytes > self.machine.l1_bytes {
                let next = Prefetch::ahead(1).spread(*over);
                self.s.prefetch(self.arguments[argument], axis, next);
            }
        }
        self.s
            .prefetch(self.tensors[stage], axis, Prefetch::ahead(0).spread(*over));
    }

    /// The arguments that are read in a loop of a stage: by itself, and by what is computed there or inlined.
    fn read_in(&self, stage: usize, axis: Value) -> BTreeSet<usize> {
        let (mut arguments, mut open) = (BTreeSet::new(), vec![stage]);
        let mut seen = BTreeSet::from([stage]);
        while let Some(reader) = open.pop() {
            for read in &self.node(reader).reads {
                match read.source {
                    Source::Argument(argument) => drop(arguments.insert(argument)),
                    Source::Stage(producer) if self.is_in(producer, stage, axis) => {
                        if seen.insert(producer) {
                            open.push(producer);
                        }
                    }
                    Source::Stage(_) => {}
                }
            }
        }
        arguments
    }

    /// Whether a stage is inlined, or computed in a loop of another.
    fn is_in(&self, producer: usize, stage: usize, axis: Value) -> bool {
        match self.view.choices[producer].place() {
            Some(Place::At {
                stage: holder,
                depth,
            }) => holder == stage && self.outer[stage].loops.get(depth) == Some(&axis),
            _ => self.view.is_inlined(producer),
        }
    }

    fn stage(&mut self, stage: usize, handle: Value) {
        let choices = self.view.choices;
        match (self.view.sketch.forms[stage], &choices[stage]) {
            (Form::Inlined, _) => self.s.compute_inline(handle),
            (Form::Consumer(tiled), _) => {
                if let Choice::Tile(tile) = &choices[tiled] {
                    self.tiles(stage, handle, tile);
                }
            }
            (Form::Tiled(tail), Choice::Tile(tile)) => self.tiled((stage, handle), tail, tile),
            (_, Choice::Nest(nest)) => self.nest(stage, handle, nest),
            (_, Choice::Factor(factor)) => self.factor(stage, handle, factor),
            _ => {}
        }
    }

    fn node(&self, stage: usize) -> &'a Node {
        &self.view.graph.stages[stage]
    }

    /// Computes a stage where a place says.
    fn put(&self, handle: Value, place: Place) {
        if let Place::At { stage, depth } = place
            && let Outer {
                stage: Some(holder),
                loops,
            } = &self.outer[stage]
            && let Some(at) = loops.get(depth)
        {
            self.s.compute_at(handle, *holder, *at);
        }
    }

    /// Fuses and shares outer loops; from then on others may be computed in them.
    fn share(&mut self, (stage, handle): (usize, Value), mut loops: Vec<Value>, parallel: usize) {
        if let Some(shared) = loops.get(..parallel).filter(|shared| !shared.is_empty()) {
            let fused = match shared {
                [only] => *only,
                _ => self.s.fuse(shared),
            };
            self.s.parallel(fused);
            loops[..parallel].fill(fused);
        }
        self.outer[stage] = Outer {
            stage: Some(handle),
            loops,
        };
    }

    fn reorder(&self, axes: &[Value]) {
        if axes.len() > 1 {
            self.s.reorder(axes);
        }
    }

    fn tiled(&mut self, (stage, handle): (usize, Value), tail: Tail, tile: &Tile) {
        let (holder, sums) = match tail {
            Tail::Itself => return self.tiles(stage, handle, tile),
            Tail::Copy => {
                let sums = self.s.cache_write(handle, Scope::Local);
                self.tiles(stage, handle, tile);
                (stage, sums)
            }
            Tail::Consumer(consumer) => {
                self.s.set_scope(handle, Scope::Local);
                (consumer, handle)
            }
        };
        let last = self.outer[holder].loops.len().saturating_sub(1);
        let place = Place::At {
            stage: holder,
            depth: last,
        };
        self.put(sums, place);
        if let Some(copy) = tile.copy {
            self.copy(sums, holder, copy);
        }
        self.sums(stage, sums, tile);
    }

    /// The loops of what writes tiles.
    fn tiles(&mut self, stage: usize, handle: Value, tile: &Tile) {
        let node = self.node(stage);
        let axes = self.s.axes(handle, node.shape.len());
        let loops = tile.outer(&node.shape);
        let mut levels = vec![[None; 2]; axes.len()];
        let mut insides = Vec::new();
        for (axis, whole) in axes.into_iter().enumerate() {
            let [_, third, fourth] = tile.sizes[axis];
            let is_outer = loops.iter().any(|known| known.axis == axis);
            let inside = match (is_outer, third * fourth) {
                (false, _) => Some(whole),
                (true, 1) => {
                    levels[axis] = self.levels(whole, tile.levels(axis, node.shape[axis]));
                    None
                }
                (true, inner) => {
                    let (outer, inside) = self.s.split_inwards(whole, inner);
                    levels[axis] = self.levels(outer, tile.levels(axis, node.shape[axis]));
                    Some(inside)
                }
            };
            let inside = inside.map(|inside| self.inside(inside, (axis, node), tile));
            insides.push(inside.unwrap_or_default());
        }
        let outer = loops
            .iter()
            .filter_map(|known| levels[known.axis][known.level]);
        let outer: Vec<Value> = outer.collect();
        let order = [&outer[..], &ordered(&insides, &tile.inner, &[])].concat();
        self.reorder(&order);
        self.mark(&insides, tile, node);
        self.share((stage, handle), outer, tile.parallel);
    }

    /// The loops of the first and of the second level that a loop over tiles is split into.
    fn levels(&self, outer: Value, [first, second]: [i64; 2]) -> [Option<Value>; 2] {
        match (first > 1, second > 1) {
            (true, true) => {
                let (first, second) = self.s.split_inwards(outer, second);
                [Some(first), Some(second)]
            }
            (false, true) => [None, Some(outer)],
            _ => [Some(outer), None],
        }
    }

    /// Splits what is inside of the outer loops of an axis.
    fn inside(&self, whole: Value, (axis, node): (usize, &Node), tile: &Tile) -> Inside {
        let [_, third, fourth] = tile.sizes[axis];
        let (waiting, register) = match (third > 1, fourth > 1) {
            (true, true) => {
                let (waiting, register) = self.s.split(whole, fourth);
                (Some(waiting), Some(register))
            }
            (true, false) => (Some(whole), None),
            _ => (None, Some(whole)),
        };
        let mut inside = Inside {
            waiting,
            register,
            lane: None,
        };
        if let Some(register) = register.filter(|_| Some(axis) == node.row() && tile.lanes > 1) {
            let is_vector = fourth == tile.lanes;
            let (vectors, lane) = match is_vector {
                true => (None, register),
                false => {
                    let (vectors, lane) = self.s.split(register, tile.lanes);
                    (Some(vectors), lane)
                }
            };
            (inside.register, inside.lane) = (vectors, Some(lane));
        }
        inside
    }

    /// Unrolls and vectorizes what is inside.
    fn mark(&self, insides: &[Inside], tile: &Tile, node: &Node) {
        for (axis, inside) in insides.iter().enumerate() {
            let unit = if Some(axis) == node.row() {
                tile.lanes
            } else {
                1
            };
            if let Some(register) = inside.register.filter(|_| tile.sizes[axis][2] > unit) {
                self.s.unroll(register);
            }
            if let Some(lane) = inside.lane {
                self.s.vectorize(lane);
            }
        }
    }

    /// The loops that sum a tile: RSRS.
    fn sums(&self, stage: usize, handle: Value, tile: &Tile) {
        let node = self.node(stage);
        let rank = node.shape.len();
        let axes = self.s.axes(handle, rank + node.reduce.len());
        let insides = axes[..rank].iter().enumerate();
        let insides: Vec<Inside> = insides
            .map(|(axis, whole)| self.inside(*whole, (axis, node), tile))
            .collect();
        let (mut first, mut second) = (Vec::new(), Vec::new());
        for (axis, whole) in axes[rank..].iter().enumerate() {
            let (inner, extent) = (tile.reduce[axis], node.reduce[axis]);
            let innermost = if inner == 1 {
                first.push(*whole);
                *whole
            } else if inner == extent {
                second.push(*whole);
                *whole
            } else {
                let (outer, inner) = self.s.split(*whole, inner);
                first.push(outer);
                second.push(inner);
                inner
            };
            if tile.unroll[axis] {
                self.s.unroll(innermost);
            }
        }
        self.reorder(&[&first[..], &ordered(&insides, &tile.inner, &second)].concat());
        self.mark(&insides, tile, node);
    }

    /// Copies what a loop of tiles reads of an argument.
    fn copy(&self, sums: Value, holder: usize, copy: Copied) {
        let tensor = self.arguments[copy.argument];
        let copied = self.s.cache_read(tensor, &[sums], Scope::Local);
        let place = Place::At {
            stage: holder,
            depth: copy.depth,
        };
        self.put(copied, place);
        let shape = tensor.ty().shape();
        let lanes = self
            .machine
            .lanes(tensor.ty().element().byte_width() as i64);
        let axes = self.s.axes(copied, shape.len());
        if let (Some(axis), Some(extent)) = (axes.last(), shape.last())
            && *extent >= lanes
        {
            let (_, lane) = self.s.split(*axis, lanes);
            self.s.vectorize(lane);
        }
    }

    fn nest(&mut self, stage: usize, handle: Value, nest: &Nest) {
        match nest.place {
            Place::Inline => return self.s.compute_inline(handle),
            Place::Guard => return self.s.inline_guarding(handle),
            Place::Root | Place::At { .. } => self.put(handle, nest.place),
        }
        let node = self.node(stage);
        let rank = node.shape.len();
        let axes = self.s.axes(handle, rank + node.reduce.len());
        let loops = nest.outer(node);
        let mut outer: Vec<Option<Value>> = vec![None; rank];
        let (mut inner, mut unrolled, mut lanes) = (Vec::new(), Axes::default(), None);
        if self.view.sketch.forms[stage] == Form::Unrolled {
            unrolled = self.unrolled(node, nest);
        }
        for (axis, whole) in axes[..rank].iter().enumerate() {
            let inside = self.split_outer((*whole, nest.tile[axis]), (axis, &loops), node);
            outer[axis] = inside.0;
            let Some(inside) = inside.1 else { continue };
            if Some(axis) == node.row() && nest.lanes > 1 {
                let (vectors, lane) = self.vectors(inside, nest.tile[axis], nest.lanes);
                inner.extend(vectors);
                lanes = Some(lane);
            } else {
                inner.push(inside);
            }
            if unrolled.contains(axis) {
                self.s.unroll(inside);
            }
        }
        let outer = loops.iter().filter_map(|known| outer[known.axis]);
        let outer: Vec<Value> = outer.collect();
        let mut order = [&outer[..], &axes[rank..], &inner].concat();
        order.extend(lanes);
        self.reorder(&order);
        if let Some(lane) = lanes {
            self.s.vectorize(lane);
        }
        self.share((stage, handle), outer, nest.parallel);
    }

    /// The outer loop of an axis, if it has one, and what is inside of it.
    fn split_outer(
        &self,
        (whole, tile): (Value, i64),
        (axis, loops): (usize, &[Loop]),
        node: &Node,
    ) -> (Option<Value>, Option<Value>) {
        if !loops.iter().any(|known| known.axis == axis) {
            return (None, Some(whole));
        }
        if tile == 1 {
            return (Some(whole), None);
        }
        let (outer, inside) = match node.reduces() {
            true => self.s.split(whole, tile),
            false => self.s.split_inwards(whole, tile),
        };
        (Some(outer), Some(inside))
    }

    /// The loops over vectors, if there are several, and over the lanes of one.
    fn vectors(&self, inside: Value, extent: i64, lanes: i64) -> (Option<Value>, Value) {
        if extent == lanes {
            return (None, inside);
        }
        let (vectors, lane) = self.s.split(inside, lanes);
        (Some(vectors), lane)
    }

    /// The axes that choose among constants and have no outer loop, if they are few enough iterations.
    fn unrolled(&self, node: &Node, nest: &Nest) -> Axes {
        let whole = |axis: &usize| nest.tile[*axis] == node.shape[*axis];
        let mut copies = 1;
        let mut few = |axis: &usize| {
            copies *= node.shape[*axis];
            copies <= MOST_COPIES
        };
        let axes = node.unrollable().filter(whole);
        axes.take_while(|axis| few(axis))
            .fold(Axes::default(), Axes::with)
    }

    fn factor(&mut self, stage: usize, handle: Value, factor: &Factor) {
        self.put(handle, factor.place);
        let node = self.node(stage);
        let mut reduction = Reduction {
            stage: handle,
            rank: node.shape.len(),
            reduce: node.reduce.len(),
        };
        if let Some((axis, length)) = factor.part {
            let (part, _) = self
                .s
                .split(reduction.axes(&self.s)[reduction.rank + axis], length);
            reduction.stage = self.s.rfactor(handle, part, 0);
            reduction.rank += 1;
        }
        let vectors = match factor.lanes {
            1 => Vec::new(),
            lanes => self.across(&mut reduction, lanes, factor.sums),
        };
        let axes = reduction.axes(&self.s);
        if factor.part.is_some() {
            let parts = self.s.fuse(&axes[..reduction.rank]);
            self.s.parallel(parts);
            for vector in vectors {
                self.s.compute_at(vector, reduction.stage, parts);
            }
            return;
        }
        let loops = factor.outer(node);
        let outer: Vec<Value> = loops.iter().map(|known| axes[known.axis]).collect();
        let rest = axes.iter().filter(|axis| !outer.contains(axis));
        let order: Vec<Value> = outer.iter().chain(rest).copied().collect();
        if order != axes {
            self.reorder(&order);
        }
        self.share((stage, handle), outer, factor.parallel);
        let last = self.outer[stage].loops.last().copied();
        for vector in vectors {
            match last {
                Some(at) => self.s.compute_at(vector, handle, at),
                None => self.put(vector, factor.place),
            }
        }
    }

    /// A reduction in vectors across its last reduce axis, which are then combined with each other, and their lanes at
    /// last. Returns the stages that the vectors are; the reduction is left with one reduce axis.
    fn across(&self, reduction: &mut Reduction, lanes: i64, sums: i64) -> Vec<Value> {
        let s = &self.s;
        let rank = reduction.rank;
        let axes = reduction.axes(s);
        let (_, inner) = s.split(axes[axes.len() - 1], sums * lanes);
        let partial = s.rfactor(reduction.stage, inner, rank as i64);
        s.set_scope(partial, Scope::Local);
        let axes = s.axes(partial, axes.len() + 1);
        let (vector, lane) = s.split(axes[rank], lanes);
        s.reorder(&[&axes[rank + 1..], &[vector, lane]].concat());
        s.unroll(vector);
        s.vectorize(lane);
        let mut stages = vec![partial];
        reduction.reduce = 1;
        if sums > 1 {
            let over = reduction.axes(s)[rank];
            let (_, lane) = s.split(over, lanes);
            let combined = s.rfactor(reduction.stage, lane, rank as i64);
            s.set_scope(combined, Scope::Local);
            let axes = s.axes(combined, rank + 2);
            s.reorder(&[axes[rank + 1], axes[rank]]);
            s.unroll(axes[rank + 1]);
            s.vectorize(axes[rank]);
            stages.push(combined);
        }
        s.vectorize(reduction.axes(s)[rank]);
        stages
    }
}

impl Reduction {
    fn axes(&self, s: &ScheduleBuilder) -> Vec<Value> {
        s.axes(self.stage, self.rank + self.reduce)
    }
}

/// What is inside, as it stands: tiles that wait, some loops over reduce axes, and a tile in registers.
fn ordered(insides: &[Inside], order: &[usize], between: &[Value]) -> Vec<Value> {
    let insides = || order.iter().map(|axis| &insides[*axis]);
    let waiting = insides().filter_map(|inside| inside.waiting);
    let registers = insides().filter_map(|inside| inside.register);
    let lanes = insides().filter_map(|inside| inside.lane);
    let waiting = waiting.chain(between.iter().copied());
    waiting.chain(registers).chain(lanes).collect()
}
