//! The state of a space that is nearest to a schedule of others.

use super::{
    Space,
    form::{Form, Tail},
    graph::{Node, Source},
    groups::groups,
    places::View,
    sample::MOST_COPIES,
    state::{Choice, Factor, Loop, Nest, Place, State, Tile},
    wanted::{Outer, Partial, ReduceAxis, Spot, Tiles, Wanted},
};
use relay_dialects::index::ceil_div;
use relay_topi::cost::{self, rows::most_sums};
use std::collections::BTreeSet;

/// A stage that what is wanted speaks of.
struct Fit {
    tiles: Tiles,
    stage: usize,
    /// For each data axis that is wanted, those of the stage; then the same of reduce axes.
    data: Vec<Vec<usize>>,
    reduce: Vec<Vec<usize>>,
}

/// The state that is nearest; none if no stage fits. `may_have` says whether the computation that is wanted may have a tensor of so many
/// elements.
pub fn near(space: &Space, wanted: &Wanted, may_have: &dyn Fn(i64) -> bool) -> Option<State> {
    let fit = match &wanted.tiles {
        Some(tiles) => Some(fit(space, tiles, may_have)?),
        None => None,
    };
    let is_like = |number: &usize| fit_sketch(space, *number, fit.as_ref(), &wanted.partials);
    let sketch = (0..space.sketches.len()).find(is_like)?;
    let partials = partials(space, sketch, &wanted.partials);
    if fit.is_none() && partials.iter().all(Option::is_none) {
        return None;
    }
    let count = space.graph.stages.len();
    let mut state = State {
        sketch,
        choices: vec![Choice::Given; count],
    };
    let spots = fit.as_ref().map(|fit| spots(space, fit));
    for stage in (0..count).rev() {
        let spot = spots.as_ref().and_then(|spots| spots[stage]);
        state.choices[stage] = match space.sketches[sketch].forms[stage] {
            Form::Open | Form::Inlined | Form::Consumer(_) => Choice::Given,
            Form::Plain | Form::Unrolled => {
                let place = spot.map_or(Place::Root, |spot| {
                    place(&space.view(&state), stage, spot, fit.as_ref())
                });
                Choice::Nest(nest(space, sketch, stage, place))
            }
            Form::Tiled(_) => Choice::Tile(match &fit {
                Some(fit) if fit.stage == stage => tile(space, fit),
                _ => vectors(space, stage),
            }),
            Form::Factored => Choice::Factor(factor(space, stage, partials[stage])),
        };
    }
    space.repair(&mut state);
    space.check(&state).is_ok().then_some(state)
}

/// The stage that takes longest of those that have the loops which are wanted, and read such tensors.
fn fit(space: &Space, tiles: &Tiles, may_have: &dyn Fn(i64) -> bool) -> Option<Fit> {
    let mut stages: Vec<usize> = (0..space.graph.stages.len()).collect();
    stages.sort_by_key(|stage| std::cmp::Reverse(space.graph.stages[*stage].work()));
    stages.retain(|stage| {
        let operands = operands(space, *stage);
        is_tiled(space, *stage) && operands.into_iter().all(may_have)
    });
    let merged = (1..tiles.data.len()).map(|axis| tiles.merged(axis - 1));
    let mut tiles = std::iter::once(tiles.clone()).chain(merged);
    tiles.find_map(|tiles| {
        let mut stages = stages.iter();
        stages.find_map(|stage| fit_stage(space, *stage, &tiles))
    })
}

/// A stage, if it has the loops that are wanted.
fn fit_stage(space: &Space, stage: usize, tiles: &Tiles) -> Option<Fit> {
    let node = &space.graph.stages[stage];
    let data: Vec<i64> = tiles.data.iter().map(|axis| axis.extent).collect();
    let reduce: Vec<i64> = tiles.reduce.iter().map(|axis| axis.extent).collect();
    Some(Fit {
        stage,
        data: groups(&data, &node.shape)?,
        reduce: groups(&reduce, &node.reduce)?,
        tiles: tiles.clone(),
    })
}

/// Whether a sketch computes a stage by tiles.
fn is_tiled(space: &Space, stage: usize) -> bool {
    let mut sketches = space.sketches.iter();
    space.graph.stages[stage].results == 1
        && sketches.any(|sketch| matches!(sketch.forms[stage], Form::Tiled(_)))
}

/// The elements of the arguments that a stage reads, by way of stages that reduce nothing.
fn operands(space: &Space, stage: usize) -> BTreeSet<i64> {
    let (mut found, mut open) = (BTreeSet::new(), vec![stage]);
    let mut seen = BTreeSet::from([stage]);
    while let Some(reader) = open.pop() {
        for read in &space.graph.stages[reader].reads {
            match read.source {
                Source::Argument(_) => drop(found.insert(read.shape.iter().product())),
                Source::Stage(producer) => {
                    if !space.graph.stages[producer].reduces() && seen.insert(producer) {
                        open.push(producer);
                    }
                }
            }
        }
    }
    found
}

/// Whether a sketch has tiles where they are wanted, and all reductions in steps that are.
fn fit_sketch(space: &Space, sketch: usize, fit: Option<&Fit>, wanted: &[Partial]) -> bool {
    let forms = &space.sketches[sketch].forms;
    let found = partials(space, sketch, wanted).into_iter().flatten();
    fit.is_none_or(|fit| matches!(forms[fit.stage], Form::Tiled(_)))
        && (fit.is_some() || found.count() == wanted.len())
}

/// For each stage of a sketch that is reduced in steps, which of the wanted ones it is: the next one of as many terms.
fn partials(space: &Space, sketch: usize, wanted: &[Partial]) -> Vec<Option<Partial>> {
    let mut left = wanted.to_vec();
    let stages = space.graph.stages.iter().zip(&space.sketches[sketch].forms);
    let of_stage = |(node, form): (&Node, &Form)| {
        let is_it = |partial: &Partial| *form == Form::Factored && partial.terms == node.terms();
        let place = left.iter().position(is_it)?;
        Some(left.remove(place))
    };
    stages.map(of_stage).collect()
}

/// Where the stages before the one that fits are wanted: those that it reads, by whatever way, the last ones first.
fn spots<'f>(space: &Space, fit: &'f Fit) -> Vec<Option<&'f Spot>> {
    let mut spots = vec![None; space.graph.stages.len()];
    let mut wanted = fit.tiles.producers.iter().rev();
    let mut reaching = BTreeSet::from([fit.stage]);
    for stage in (0..fit.stage).rev() {
        let mut readers = space.graph.reads_of(stage);
        if readers.any(|(reader, _)| reaching.contains(&reader)) {
            reaching.insert(stage);
            spots[stage] = wanted.next();
        }
    }
    spots
}

/// The place that is a spot's.
fn place(view: &View<'_>, stage: usize, spot: &Spot, fit: Option<&Fit>) -> Place {
    let candidates = view.candidates(stage);
    let inlined = [Place::Guard, Place::Inline];
    match (spot, fit) {
        (Spot::Inline, _) => {
            let found = inlined.iter().find(|place| candidates.contains(place));
            found.copied().unwrap_or(Place::Root)
        }
        (Spot::In(around), Some(fit)) => {
            let holder = match view.sketch.forms[fit.stage] {
                Form::Tiled(Tail::Consumer(consumer)) => consumer,
                _ => fit.stage,
            };
            let loops = view.outer(holder).0;
            match loops.iter().rposition(|known| fit.is_among(known, around)) {
                Some(depth) => Place::At {
                    stage: holder,
                    depth,
                },
                None => Place::Root,
            }
        }
        _ => Place::Root,
    }
}

/// Loops of a stage of which nothing is known: vectors, and enough of the outer loops for all threads.
fn nest(space: &Space, sketch: usize, stage: usize, place: Place) -> Nest {
    let node = &space.graph.stages[stage];
    let rank = node.shape.len();
    let mut nest = Nest::without_loops(place, rank);
    if matches!(place, Place::Inline | Place::Guard) {
        return nest;
    }
    if let Some(row) = node.row() {
        nest.lanes = lanes(space, node, node.shape[row], |_| true);
        nest.tile[row] = nest.lanes;
    }
    if space.sketches[sketch].forms[stage] == Form::Unrolled {
        for axis in node.unrollable() {
            nest.tile[axis] = node.shape[axis];
        }
    }
    nest.parallel = shared(space, node, &nest.outer(node));
    nest
}

/// The lanes of vectors of so many elements at most: as many as there are that may be; one if there are none.
fn lanes(space: &Space, node: &Node, most: i64, may_be: impl Fn(i64) -> bool) -> i64 {
    let mut lanes = cost::halves(space.machine.lanes(node.bytes));
    lanes
        .find(|lanes| *lanes <= most && may_be(*lanes))
        .unwrap_or(1)
}

/// How many outer loops feed all threads, of a stage that is worth it.
fn shared(space: &Space, node: &Node, loops: &[Loop]) -> usize {
    if !cost::is_worth_sharing(node.work() / space.machine.block()) {
        return 0;
    }
    let mut iterations = 1_i64;
    let enough = loops.iter().position(|known| {
        iterations = iterations.saturating_mul(known.extent);
        iterations >= space.machine.threads
    });
    enough.map_or(loops.len(), |last| last + 1)
}

/// Tiles of a stage of which nothing is known: a vector.
fn vectors(space: &Space, stage: usize) -> Tile {
    let node = &space.graph.stages[stage];
    let rank = node.shape.len();
    let mut tile = Tile {
        sizes: vec![[1; 3]; rank],
        reduce: node.reduce.clone(),
        order: (0..rank).collect(),
        inner: (0..rank).collect(),
        parallel: 0,
        lanes: 1,
        unroll: vec![false; node.reduce.len()],
        copy: None,
    };
    if let Some(row) = node.row() {
        tile.lanes = lanes(space, node, node.shape[row], |_| true);
        tile.sizes[row][2] = tile.lanes;
    }
    tile.parallel = shared(space, node, &tile.outer(&node.shape));
    tile
}

/// The tiles that are wanted, as far as registers and caches hold them.
fn tile(space: &Space, fit: &Fit) -> Tile {
    let node = &space.graph.stages[fit.stage];
    let mut tile = Tile {
        sizes: fit.sizes(node),
        reduce: fit.inner_reduce(node),
        order: fit.of_stage(&fit.tiles.order),
        inner: fit.of_stage(&fit.tiles.inner),
        ..vectors(space, fit.stage)
    };
    if let Some(row) = node.row() {
        let width = tile.sizes[row][2];
        tile.lanes = lanes(space, node, width, |lanes| width % lanes == 0);
    }
    shrink(space, node, &mut tile);
    unroll(node, &mut tile, fit.tiles.unroll);
    let loops = tile.outer(&node.shape);
    let is_shared = |known: &&Loop| fit.is_among(known, &fit.tiles.shared);
    tile.parallel = loops.iter().take_while(is_shared).count();
    tile
}

/// Moves what registers cannot hold to the third level, and what the second cache cannot hold to the second.
fn shrink(space: &Space, node: &Node, tile: &mut Tile) {
    let rank = node.shape.len();
    while tile.vectors() > space.registers(node) {
        let vectors = |axis: usize, tile: &Tile| match Some(axis) == node.row() {
            true => tile.sizes[axis][2] / tile.lanes,
            false => tile.sizes[axis][2],
        };
        let Some(axis) = (0..rank).max_by_key(|axis| vectors(*axis, tile)) else {
            break;
        };
        let factor = smallest_factor(vectors(axis, tile));
        tile.sizes[axis][2] /= factor;
        tile.sizes[axis][1] *= factor;
    }
    let most = space.waiting(node).max(tile.vectors() * tile.lanes);
    while tile.elements() > most {
        let Some(axis) = (0..rank).max_by_key(|axis| tile.sizes[*axis][1]) else {
            break;
        };
        let factor = smallest_factor(tile.sizes[axis][1]);
        tile.sizes[axis][1] /= factor;
        tile.sizes[axis][0] *= factor;
    }
    for (sizes, extent) in tile.sizes.iter_mut().zip(&node.shape) {
        sizes[1] = sizes[1].min(extent / sizes[2]);
        sizes[0] = sizes[0].min(ceil_div(*extent, sizes[1] * sizes[2]));
    }
}

/// The smallest factor of a number but one; of one, one.
fn smallest_factor(number: i64) -> i64 {
    let factors = (2..).take_while(|factor| factor * factor <= number);
    let mut factors = factors.filter(|factor| number % factor == 0);
    factors.next().unwrap_or(number)
}

/// Unrolls loops over reduce axes, the inner ones first, as far as so many steps are in the code.
fn unroll(node: &Node, tile: &mut Tile, most: i64) {
    let most = most.min(MOST_COPIES);
    for axis in (0..node.reduce.len()).rev() {
        tile.unroll[axis] = true;
        if tile.copies(node) > most {
            tile.unroll[axis] = false;
            return;
        }
    }
}

/// How a stage is reduced in steps.
fn factor(space: &Space, stage: usize, wanted: Option<Partial>) -> Factor {
    let node = &space.graph.stages[stage];
    let longest = (0..node.reduce.len()).max_by_key(|axis| node.reduce[*axis]);
    let part = match (wanted, longest) {
        (
            Some(Partial {
                inner,
                by_parts: true,
                ..
            }),
            Some(axis),
        ) => {
            // Other axes are in each part.
            let others = node.terms() / node.reduce[axis];
            let length = inner / others.max(1);
            (1..node.reduce[axis])
                .contains(&length)
                .then_some((axis, length))
        }
        _ => None,
    };
    let last = node.reduce.last().copied().unwrap_or(1);
    let wide = match wanted {
        Some(Partial {
            inner,
            by_parts: false,
            ..
        }) => inner.min(last),
        _ => last,
    };
    let lanes = match node.reduces_rows() {
        true => lanes(space, node, wide, |_| true),
        false => 1,
    };
    let most = most_sums(node.results as i64, space.machine).max(1);
    let mut factor = Factor {
        place: Place::Root,
        part,
        lanes,
        sums: if lanes == 1 {
            1
        } else {
            (wide / lanes).clamp(1, most)
        },
        parallel: 0,
    };
    factor.parallel = shared(space, node, &factor.outer(node));
    factor
}

impl Fit {
    /// The wanted axis that a data axis of the stage is of.
    fn of(&self, axis: usize) -> Option<usize> {
        self.data.iter().position(|group| group.contains(&axis))
    }

    /// Whether an outer loop of the stage, or of its consumer, is among some that are wanted.
    fn is_among(&self, known: &Loop, wanted: &[Outer]) -> bool {
        let is_it =
            |outer: &Outer| Some(outer.axis) == self.of(known.axis) && outer.level == known.level;
        wanted.iter().any(is_it)
    }

    /// The axes of the stage in an order of those that are wanted.
    fn of_stage(&self, order: &[usize]) -> Vec<usize> {
        let groups = order.iter().map(|axis| &self.data[*axis]);
        groups.flatten().copied().collect()
    }

    /// The extents of the second, third and fourth level. Of several axes that are one, the inner ones come first; one that vectors lie
    /// along is in registers as a whole.
    fn sizes(&self, node: &Node) -> Vec<[i64; 3]> {
        let mut sizes = vec![[1; 3]; node.shape.len()];
        for (wanted, group) in self.tiles.data.iter().zip(&self.data) {
            let [second, third, fourth] = wanted.sizes;
            let third = third.saturating_mul(fourth);
            let second = second.saturating_mul(third);
            let mut left = [second, third, fourth];
            for &axis in group.iter().rev() {
                let extent = node.shape[axis];
                let is_block = Some(axis) == node.row() && extent < wanted.extent;
                let [second, third, fourth] = match is_block {
                    true => [extent; 3],
                    false => left.map(|elements| elements.min(extent)),
                };
                sizes[axis] = [second / third, third / fourth, fourth];
                left = left.map(|elements| (elements.saturating_add(extent / 2) / extent).max(1));
            }
        }
        sizes
    }

    /// The extents of the second level of reduce axes: blocks first.
    fn inner_reduce(&self, node: &Node) -> Vec<i64> {
        let mut inner = vec![1; node.reduce.len()];
        for (ReduceAxis { inner: wanted, .. }, group) in self.tiles.reduce.iter().zip(&self.reduce)
        {
            let mut left = *wanted;
            for axis in group.iter().rev() {
                inner[*axis] = left.clamp(1, node.reduce[*axis]);
                left /= inner[*axis];
            }
        }
        inner
    }
}
