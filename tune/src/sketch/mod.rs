//! Schedules from sketches, as Ansor finds them (Zheng et al., "Ansor: Generating High-Performance Tensor Programs for
//! Deep Learning", OSDI 2020): a space of schedules of a function of `te.compute` ops that is derived from these
//! alone. No template, no role of a stage and no model of cost has a say in it.
//!
//! [Rules](rules) derive sketches: what becomes of each stage, sizes left open. A [`State`] is a sketch with
//! everything decided; [`Space::sample`] draws one, [`Space::mutate`] and [`Space::crossover`] make others of some, and
//! [`Space::emit`] writes one as a `te.schedule`.
//!
//! Beyond Ansor's structure SSRSRS, a state says in which order the outer loops stand, which loops over reduce axes are
//! unrolled (LLVM is not relied on for it), and which argument is copied together for a tile. Layouts of constants are
//! not its business: `alter-op-layout` chose them.

mod emit;
mod form;
mod graph;
mod groups;
mod mutate;
mod near;
mod places;
pub mod rules;
mod sample;
mod sizes;
mod state;
#[cfg(test)]
mod tests;
pub mod wanted;

pub use form::{Form, Sketch, Tail};
pub use graph::{Axes, Graph, Node, Read, Source};
pub use rules::Rule;
pub use state::{Choice, Copied, Factor, Loop, Nest, Place, State, Tile};
pub use wanted::Wanted;

use emit::Emitter;
use fastrand::Rng;
use places::View;
use relay_dialects::{index::ceil_div, ir::Op};
use relay_topi::Machine;
use rules::Context;

/// The schedules of a function that sketches lead to. Plain data: it may outlive the function, and goes between threads.
#[derive(Clone, Debug)]
pub struct Space {
    graph: Graph,
    machine: Machine,
    sketches: Vec<Sketch>,
}

/// The registers that hold no sums, but what is multiplied.
const OPERANDS: i64 = 2;

/// How often conditions may be in the code of a tile, in which vectors have masks.
const MOST_BRANCHES: i64 = 64;

/// The most vectors of a tile that is not summed.
const MOST_UNSUMMED: i64 = 16;

impl Space {
    /// The space of a function of computes; none if it holds anything else, a schedule included.
    pub fn of(func: Op, machine: Machine) -> Option<Self> {
        Self::with_rules(func, machine, &[])
    }

    /// The same, with rules that are asked before Ansor's.
    pub fn with_rules(func: Op, machine: Machine, rules: &[Box<dyn Rule>]) -> Option<Self> {
        let graph = Graph::of(func)?;
        let context = Context {
            graph: &graph,
            machine,
        };
        let sketches = rules::derive(context, rules);
        (!sketches.is_empty()).then_some(Self {
            graph,
            machine,
            sketches,
        })
    }

    /// How many sketches there are.
    pub fn sketches(&self) -> usize {
        self.sketches.len()
    }

    /// A state at random.
    pub fn sample(&self, random: &mut Rng) -> State {
        let sketch = random.usize(0..self.sketches.len());
        let choices = sample::choices(self, &self.sketches[sketch], random);
        let mut state = State { sketch, choices };
        self.repair(&mut state);
        state
    }

    /// A state that differs from another in one decision, and what follows from it; none if none was found.
    pub fn mutate(&self, state: &State, random: &mut Rng) -> Option<State> {
        mutate::mutate(self, state, random)
    }

    /// A state with what was chosen for each stage in one of two others of the same sketch; none if their sketches differ,
    /// or it would be one of the two.
    pub fn crossover(&self, a: &State, b: &State, random: &mut Rng) -> Option<State> {
        if a.sketch != b.sketch || a.choices.len() != b.choices.len() {
            return None;
        }
        let pairs = a.choices.iter().zip(&b.choices);
        let choices = pairs.map(|(a, b)| if random.bool() { a } else { b });
        let mut state = State {
            sketch: a.sketch,
            choices: choices.cloned().collect(),
        };
        self.repair(&mut state);
        (state != *a && state != *b).then_some(state)
    }

    /// The state that is nearest to a schedule of others; none if nothing in the function has the loops of that. `may_have` says whether
    /// the computation that it is of may have a tensor of so many elements.
    pub fn near(&self, wanted: &Wanted, may_have: &dyn Fn(i64) -> bool) -> Option<State> {
        near::near(self, wanted, may_have)
    }

    /// Writes a state as the `te.schedule` of the function that the space is of, or of an equal one.
    ///
    /// # Errors
    /// If the state is none of the space: the reason.
    pub fn emit(&self, func: Op, state: &State) -> Result<(), String> {
        self.check(state)?;
        let emitter = Emitter::new(func, self.view(state), self.machine);
        emitter
            .ok_or("the function is not the one of the space")?
            .emit();
        Ok(())
    }

    /// Checks that a state is one of the space: it may have been read from a file.
    ///
    /// # Errors
    /// If it is not: the reason.
    pub fn check(&self, state: &State) -> Result<(), String> {
        let count = self.sketches.len();
        let sketch = self.sketches.get(state.sketch);
        let sketch = sketch.ok_or_else(|| {
            format!(
                "the state is of sketch {}, and there are {count}",
                state.sketch
            )
        })?;
        let (stages, choices) = (self.graph.stages.len(), state.choices.len());
        if stages != choices {
            return Err(format!(
                "the state is of {choices} stages, and there are {stages}"
            ));
        }
        for (stage, choice) in state.choices.iter().enumerate() {
            if !self.fits(sketch.forms[stage], stage, choice) {
                return Err(format!(
                    "the state's choice for stage {stage} does not fit it: {choice}"
                ));
            }
        }
        let mut legal = state.clone();
        self.repair(&mut legal);
        match legal == *state {
            true => Ok(()),
            false => Err(format!(
                "the state's loops are not there; nearest to it is: {legal}"
            )),
        }
    }

    fn view<'a>(&'a self, state: &'a State) -> View<'a> {
        View {
            graph: &self.graph,
            sketch: &self.sketches[state.sketch],
            choices: &state.choices,
        }
    }

    /// The vectors of a tile of a stage that registers hold.
    fn registers(&self, node: &Node) -> i64 {
        let sums = (self.machine.registers - OPERANDS) / node.results as i64;
        match node.reduces() {
            true => sums.max(1),
            false => MOST_UNSUMMED,
        }
    }

    /// The sums of a stage that may wait in the second cache.
    fn waiting(&self, node: &Node) -> i64 {
        self.machine.l2_bytes / 2 / node.bytes
    }

    /// Whether a choice is one for a stage of that form.
    fn fits(&self, form: Form, stage: usize, choice: &Choice) -> bool {
        let node = &self.graph.stages[stage];
        match (form, choice) {
            (Form::Inlined | Form::Consumer(_), Choice::Given) => true,
            (Form::Plain | Form::Unrolled, Choice::Nest(nest)) => fits_nest(node, nest),
            (Form::Tiled(_), Choice::Tile(tile)) => self.fits_tile(node, tile),
            (Form::Factored, Choice::Factor(factor)) => fits_factor(node, factor),
            _ => false,
        }
    }

    fn fits_tile(&self, node: &Node, tile: &Tile) -> bool {
        let Some(row) = node.row() else { return false };
        let lengths = tile.sizes.len() == node.shape.len()
            && tile.reduce.len() == node.reduce.len()
            && tile.unroll.len() == node.reduce.len();
        let orders = [&tile.order, &tile.inner];
        let is_order = |order: &&Vec<usize>| is_permutation(order, node.shape.len());
        if !lengths || !orders.iter().all(is_order) || tile.lanes < 1 {
            return false;
        }
        let is_tile = |(extent, [second, third, fourth]): (&i64, &[i64; 3])| {
            let inner = third.checked_mul(*fourth);
            *second >= 1
                && *third >= 1
                && *fourth >= 1
                && inner
                    .is_some_and(|inner| inner <= *extent && *second <= ceil_div(*extent, inner))
        };
        let is_part = |(extent, inner): (&i64, &i64)| (1..=*extent).contains(inner);
        node.shape.iter().zip(&tile.sizes).all(is_tile)
            && node.reduce.iter().zip(&tile.reduce).all(is_part)
            && tile.sizes[row][2] % tile.lanes == 0
            && tile.vectors() <= self.registers(node)
            && tile.elements() <= self.waiting(node).max(tile.vectors() * tile.lanes)
            && tile.copies(node) <= sample::MOST_COPIES
            && tile.copy.is_none_or(|copy| {
                let reads = node.reads.iter();
                let mut read = reads.map(|read| read.source);
                read.any(|source| source == Source::Argument(copy.argument))
            })
    }

    /// Makes what changes of other stages took away what is nearest to it.
    fn repair(&self, state: &mut State) {
        for stage in (0..state.choices.len()).rev() {
            self.repair_place(state, stage);
            self.repair_loops(state, stage);
        }
        for stage in 0..state.choices.len() {
            self.repair_inside(state, stage);
        }
    }

    /// A stage is computed in a loop that is there.
    fn repair_place(&self, state: &mut State, stage: usize) {
        let Some(place) = state.choices[stage].place() else {
            return;
        };
        let nearest = nearest(place, &self.view(state).candidates(stage));
        if let Some(place) = state.choices[stage].place_mut() {
            *place = nearest;
        }
        match &mut state.choices[stage] {
            Choice::Nest(nest) if matches!(nearest, Place::Inline | Place::Guard) => {
                *nest = Nest::without_loops(nearest, nest.tile.len());
            }
            Choice::Factor(factor) if nearest != Place::Root => factor.part = None,
            _ => {}
        }
    }

    /// No more loops are shared than there are, and a copy is made in one of them.
    fn repair_loops(&self, state: &mut State, stage: usize) {
        let loops = match &state.choices[stage] {
            Choice::Tile(tile) => tile.outer(&self.graph.stages[stage].shape).len(),
            _ => self.view(state).outer(stage).0.len(),
        };
        let place = state.choices[stage].place();
        let shared = if place.is_none_or(|place| place == Place::Root) {
            loops
        } else {
            0
        };
        if let Some(parallel) = state.choices[stage].parallel_mut() {
            *parallel = shared.min(*parallel);
        }
        if let Choice::Tile(Tile {
            parallel,
            copy: Some(copy),
            ..
        }) = &mut state.choices[stage]
        {
            let last = loops.saturating_sub(1);
            copy.depth = copy.depth.clamp(parallel.saturating_sub(1).min(last), last);
        }
    }

    /// What depends on the stages before: how much is unrolled, and which of them asks for data.
    fn repair_inside(&self, state: &mut State, stage: usize) {
        let node = &self.graph.stages[stage];
        let branches = self.view(state).has_branches(stage);
        let asking = self.view(state).asking(stage);
        match &mut state.choices[stage] {
            Choice::Tile(tile) if branches && tile.copies(node) > MOST_BRANCHES => {
                tile.unroll.fill(false);
            }
            Choice::Nest(nest) => nest.ahead = nest.ahead.filter(|ahead| asking.contains(ahead)),
            _ => {}
        }
    }
}

fn fits_nest(node: &Node, nest: &Nest) -> bool {
    let is_part = |(extent, inner): (&i64, &i64)| (1..=*extent).contains(inner);
    nest.tile.len() == node.shape.len()
        && is_permutation(&nest.order, node.shape.len())
        && node.shape.iter().zip(&nest.tile).all(is_part)
        && match node.row() {
            Some(row) => nest.lanes >= 1 && nest.tile[row] % nest.lanes == 0,
            None => nest.lanes == 1,
        }
}

fn fits_factor(node: &Node, factor: &Factor) -> bool {
    let last = node.reduce.last().copied().unwrap_or(1);
    let fits_part = factor.part.is_none_or(|(axis, length)| {
        let extent = node.reduce.get(axis);
        extent.is_some_and(|extent| (1..*extent).contains(&length))
    });
    fits_part
        && factor.lanes >= 1
        && factor.sums >= 1
        && factor
            .lanes
            .checked_mul(factor.sums)
            .is_some_and(|wide| wide <= last)
}

fn is_permutation(order: &[usize], count: usize) -> bool {
    let mut sorted = order.to_vec();
    sorted.sort_unstable();
    sorted.into_iter().eq(0..count)
}

/// The candidate nearest to a place: a loop of the same stage, or any loop, or the root.
fn nearest(place: Place, candidates: &[Place]) -> Place {
    if candidates.contains(&place) {
        return place;
    }
    let Place::At { stage, depth } = place else {
        return Place::Root;
    };
    let distance = |candidate: &&Place| match **candidate {
        Place::At {
            stage: other,
            depth: at,
        } => Some((other != stage, depth.abs_diff(at))),
        _ => None,
    };
    let inside = candidates
        .iter()
        .filter(|candidate| distance(candidate).is_some());
    inside.min_by_key(distance).copied().unwrap_or(Place::Root)
}
