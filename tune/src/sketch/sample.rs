//! Random annotation: what a sketch leaves open is drawn, stage by stage from the last one to the first.

use super::{
    Space,
    form::{Form, Sketch},
    graph::{Axes, Node},
    places::View,
    rules::{Context, has_few_results},
    sizes::sizes,
    state::{Choice, Copied, Factor, Loop, Nest, Place, Tile},
};
use fastrand::Rng;
use relay_dialects::index::{ceil_div, divisors};
use relay_topi::cost::{self, rows::most_sums};

/// The most vectors that a tile in registers has along a row.
const MOST_VECTORS: i64 = 8;

/// How often the innermost expression of a tile may be in the code. More takes longer to compile than it saves.
pub const MOST_COPIES: i64 = 256;

/// The parts of a reduction with few results, for each thread.
const PARTS_OF_THREAD: [i64; 3] = [1, 2, 4];

/// Draws what a form leaves open for a stage, those after it being known.
pub fn choice(space: &Space, view: View<'_>, stage: usize, random: &mut Rng) -> Choice {
    let form = view.sketch.forms[stage];
    let sampler = Sampler {
        space,
        view,
        stage,
        node: &space.graph.stages[stage],
    };
    match form {
        Form::Open | Form::Inlined | Form::Consumer(_) => Choice::Given,
        Form::Plain | Form::Unrolled => Choice::Nest(sampler.nest(random)),
        Form::Tiled(_) => Choice::Tile(sampler.tile(random)),
        Form::Factored => Choice::Factor(sampler.factor(random)),
    }
}

/// Draws all that a sketch leaves open.
pub fn choices(space: &Space, sketch: &Sketch, random: &mut Rng) -> Vec<Choice> {
    let count = space.graph.stages.len();
    let mut choices = vec![Choice::Given; count];
    for stage in (0..count).rev() {
        let view = View {
            graph: &space.graph,
            sketch,
            choices: &choices,
        };
        choices[stage] = choice(space, view, stage, random);
    }
    choices
}

/// Draws for a stage.
struct Sampler<'a> {
    space: &'a Space,
    view: View<'a>,
    stage: usize,
    node: &'a Node,
}

impl Sampler<'_> {
    fn nest(&self, random: &mut Rng) -> Nest {
        let lanes = self.lanes(random);
        let mut nest = Nest {
            place: self.place(random),
            tile: vec![1; self.node.shape.len()],
            order: self.order(random),
            parallel: 0,
            lanes,
            ahead: None,
        };
        if let Some(row) = self.node.row() {
            nest.tile[row] = match lanes {
                // The loop over a row is left to LLVM.
                1 if random.bool() => self.node.shape[row],
                _ => lanes,
            };
            let axis = random.usize(0..self.node.shape.len());
            if random.bool() {
                let lanes = if axis == row { lanes } else { 1 };
                let parts = sizes(self.node.shape[axis] / lanes, LONGEST_INSIDE);
                nest.tile[axis] = lanes * pick(&parts, random);
            }
        }
        if self.view.sketch.forms[self.stage] == Form::Unrolled {
            self.unroll_choosing(&mut nest.tile);
        }
        nest.parallel = self.parallel(nest.place, &nest.outer(self.node), random);
        if self.node.is_returned && random.bool() {
            // Which stages are computed there is not known yet.
            nest.ahead = Some(random.usize(0..=self.stage));
        }
        nest
    }

    /// Axes that choose among constants are inside of all others.
    fn unroll_choosing(&self, tile: &mut [i64]) {
        for axis in self.node.unrollable() {
            tile[axis] = self.node.shape[axis];
        }
    }

    /// The lanes of vectors along the row: mostly as many as there are.
    fn lanes(&self, random: &mut Rng) -> i64 {
        let Some(row) = self.node.row() else { return 1 };
        let extent = self.node.shape[row];
        let most = self.space.machine.lanes(self.node.bytes);
        let mut lanes: Vec<i64> = cost::halves(most)
            .filter(|lanes| *lanes <= extent)
            .collect();
        lanes.push(1);
        match random.u8(0..8) {
            0 | 1 => pick(&lanes, random),
            _ => lanes[0],
        }
    }

    /// An order of the data axes: as they are, or with one of them moved outwards.
    fn order(&self, random: &mut Rng) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.node.shape.len()).collect();
        let long: Vec<usize> = order
            .iter()
            .copied()
            .filter(|axis| self.node.shape[*axis] > 1)
            .collect();
        if long.len() > 1 && random.bool() {
            let axis = pick(&long[1..], random);
            let others: Vec<usize> = long
                .iter()
                .copied()
                .take_while(|other| *other != axis)
                .collect();
            let before = pick(&others, random);
            order.remove(axis);
            order.insert(before, axis);
        }
        order
    }

    /// An order of the data axes in a tile: those first on which no vector depends that is read, so that it is in a
    /// register while it meets them; or any order.
    fn inner(&self, random: &mut Rng) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.node.shape.len()).collect();
        if random.u8(0..3) == 0 {
            random.shuffle(&mut order);
            return order;
        }
        let row = self.node.row();
        let vectors = self.node.reads.iter();
        let vectors = vectors.filter(|read| row.is_some_and(|row| read.along().contains(row)));
        let vectors = vectors.fold(Axes::default(), |axes, read| axes.union(read.axes()));
        order.sort_by_key(|axis| vectors.contains(*axis));
        order
    }

    /// A place: mostly in a loop, if there is one.
    fn place(&self, random: &mut Rng) -> Place {
        let candidates = self.view.candidates(self.stage);
        let (inside, others): (Vec<Place>, Vec<Place>) = candidates
            .into_iter()
            .partition(|place| matches!(place, Place::At { .. }));
        match inside.is_empty() || random.u8(0..3) == 0 {
            true => pick(&others, random),
            false => pick(&inside, random),
        }
    }

    /// How many outer loops are shared: enough to feed all threads, if there are so many, and none of little work.
    fn parallel(&self, place: Place, loops: &[Loop], random: &mut Rng) -> usize {
        let is_little = !cost::is_worth_sharing(self.node.work() / self.space.machine.block());
        if place != Place::Root || (is_little && random.bool()) {
            return 0;
        }
        let iterations = loops.iter().scan(1_i64, |iterations, known| {
            *iterations = iterations.saturating_mul(known.extent);
            Some(*iterations)
        });
        let iterations: Vec<i64> = iterations.collect();
        let most = iterations.last().copied().unwrap_or(1);
        let enough = most.min(self.space.machine.threads);
        let counts = (1..=loops.len()).filter(|count| iterations[count - 1] >= enough);
        let counts: Vec<usize> = counts.collect();
        if most == 1 { 0 } else { pick(&counts, random) }
    }

    fn tile(&self, random: &mut Rng) -> Tile {
        let lanes = self.lanes(random);
        let rank = self.node.shape.len();
        let mut tile = Tile {
            sizes: vec![[1; 3]; rank],
            reduce: self
                .node
                .reduce
                .iter()
                .map(|extent| second_level(*extent, random))
                .collect(),
            order: self.order(random),
            inner: self.inner(random),
            parallel: 0,
            lanes,
            unroll: vec![false; self.node.reduce.len()],
            copy: None,
        };
        self.registers(&mut tile, random);
        self.waiting(&mut tile, random);
        for axis in 0..rank {
            let inner = tile.sizes[axis][1] * tile.sizes[axis][2];
            let parts = ceil_div(self.node.shape[axis], inner);
            tile.sizes[axis][0] = match random.u8(0..3) {
                0 => 1,
                1 => parts,
                _ => pick(&sizes(parts, parts), random),
            };
        }
        self.unroll(&mut tile, random);
        let loops = tile.outer(&self.node.shape);
        let shared = loops.iter().filter(|known| known.level == 0).count();
        let shared = if shared == 0 { loops.len() } else { shared };
        tile.parallel = self.parallel(Place::Root, &loops[..shared], random);
        let copied = self.view.copied(self.stage);
        if !copied.is_empty() && random.u8(0..3) == 0 {
            let argument = pick(&copied, random);
            let depth = random.usize(tile.parallel.saturating_sub(1)..loops.len());
            tile.copy = Some(Copied { argument, depth });
        }
        tile
    }

    /// The fourth level: sums that registers hold.
    fn registers(&self, tile: &mut Tile, random: &mut Rng) {
        let Some(row) = self.node.row() else { return };
        let lanes = tile.lanes;
        let mut left = self.space.registers(self.node);
        let mut axes: Vec<usize> = (0..self.node.shape.len()).collect();
        random.shuffle(&mut axes);
        for axis in axes {
            let (unit, most) = match axis == row {
                true => (lanes, left.min(MOST_VECTORS)),
                false => (1, left),
            };
            let count = pick(&sizes(self.node.shape[axis] / unit, most), random);
            tile.sizes[axis][2] = unit * count;
            left = (left / count).max(1);
        }
    }

    /// The third level: tiles whose sums wait in a cache while others are added to.
    fn waiting(&self, tile: &mut Tile, random: &mut Rng) {
        for axis in 0..self.node.shape.len() {
            if random.u8(0..3) != 0 {
                continue;
            }
            let parts = self.node.shape[axis] / tile.sizes[axis][2];
            let most = self.space.waiting(self.node) / tile.elements().max(1);
            tile.sizes[axis][1] = pick(&sizes(parts, most), random);
        }
    }

    /// Unrolls loops over reduce axes: inner ones first, or short ones.
    fn unroll(&self, tile: &mut Tile, random: &mut Rng) {
        let most = pick(&[1, 16, 64, MOST_COPIES], random).max(tile.vectors());
        let only_short = random.bool();
        for axis in (0..self.node.reduce.len()).rev() {
            if only_short && self.node.reduce[axis] > SHORT {
                continue;
            }
            tile.unroll[axis] = true;
            if tile.copies(self.node) > most {
                tile.unroll[axis] = false;
                if !only_short {
                    break;
                }
            }
        }
    }

    fn factor(&self, random: &mut Rng) -> Factor {
        let context = Context {
            graph: &self.space.graph,
            machine: self.space.machine,
        };
        let shares = has_few_results(context, self.stage);
        let place = self.place(random);
        let lanes = self.reduced_lanes();
        let may_be_whole = lanes.len() > 1;
        let part = (shares && place == Place::Root && (!may_be_whole || random.u8(0..4) != 0))
            .then(|| self.part(random));
        let lanes = match random.u8(0..8) {
            0 => pick(&lanes, random),
            _ => lanes[0],
        };
        let last = self.node.reduce.last().copied().unwrap_or(1);
        let most = most_sums(self.node.results as i64, self.space.machine);
        let sums = match lanes {
            1 => 1,
            _ => random.i64(1..=most.min(last / lanes).max(1)),
        };
        let mut factor = Factor {
            place,
            part,
            lanes,
            sums,
            parallel: 0,
        };
        let loops = factor.outer(self.node);
        factor.parallel = self.parallel(place, &loops, random);
        factor
    }

    /// The lanes that terms which lie together may be summed in, most first; 1 for a sum of one after the other.
    fn reduced_lanes(&self) -> Vec<i64> {
        let last = self.node.reduce.last().copied().unwrap_or(1);
        let most = self.space.machine.lanes(self.node.bytes);
        let fits = cost::halves(most).filter(|lanes| *lanes <= last);
        let mut lanes: Vec<i64> = match self.node.reduces_rows() {
            true => fits.collect(),
            false => Vec::new(),
        };
        lanes.push(1);
        lanes
    }

    /// A reduce axis, and the terms of a part of it.
    fn part(&self, random: &mut Rng) -> (usize, i64) {
        let reduce = &self.node.reduce;
        let longest = reduce.iter().copied().max().unwrap_or(1);
        let long: Vec<usize> = (0..reduce.len())
            .filter(|axis| reduce[*axis] * 4 >= longest)
            .collect();
        let axis = pick(&long, random);
        let parts = self.space.machine.threads * pick(&PARTS_OF_THREAD, random);
        (axis, ceil_div(reduce[axis], parts).max(1))
    }
}

/// The longest loop inside of the outer ones of a stage that is not tiled.
const LONGEST_INSIDE: i64 = 64;

/// Reduce axes of windows, which may be unrolled while longer ones inside are not.
const SHORT: i64 = 8;

/// The extent of the second level of a reduce axis: all of it, none, or a divisor.
fn second_level(extent: i64, random: &mut Rng) -> i64 {
    match random.u8(0..5) {
        0 | 1 => extent,
        2 => 1,
        _ => pick(&divisors(extent), random),
    }
}

/// One of some.
pub fn pick<T: Copy>(of: &[T], random: &mut Rng) -> T {
    of[random.usize(0..of.len())]
}
