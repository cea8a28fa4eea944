//! Small changes of a state.

use super::{
    Space,
    places::View,
    sample::{self, pick},
    sizes::sizes,
    state::{Choice, Nest, State, Tile},
};
use fastrand::Rng;
use relay_dialects::index::ceil_div;

/// What a mutation changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mutation {
    /// The extents of one axis.
    Size,
    /// Which loops are unrolled.
    Unroll,
    /// Where a stage is computed.
    Place,
    /// How many loops threads share.
    Parallel,
    /// The order of the outer loops.
    Order,
    /// What is copied together.
    Copy,
    /// Which stage asks for what comes next.
    Ahead,
}

/// How often each is tried, of a hundred. Ansor has 90, 4, 5 and 1 for the first four, and no others. The numbers here were set by hand.
const MUTATIONS: [(Mutation, u32); 7] = [
    (Mutation::Size, 73),
    (Mutation::Unroll, 4),
    (Mutation::Place, 8),
    (Mutation::Parallel, 3),
    (Mutation::Order, 5),
    (Mutation::Copy, 4),
    (Mutation::Ahead, 3),
];

/// How often another change is tried where one came to nothing.
const TRIES: usize = 32;

/// A state that differs from another in one decision.
pub fn mutate(space: &Space, state: &State, random: &mut Rng) -> Option<State> {
    (0..TRIES).find_map(|_| attempt(space, state, random))
}

fn attempt(space: &Space, state: &State, random: &mut Rng) -> Option<State> {
    let mutation = drawn(random);
    let stages = (0..state.choices.len()).filter(|stage| applies(mutation, &state.choices[*stage]));
    let stages: Vec<usize> = stages.collect();
    if stages.is_empty() {
        return None;
    }
    let stage = pick(&stages, random);
    let view: View<'_> = space.view(state);
    let fresh = sample::choice(space, view, stage, random);
    let choice = match (&state.choices[stage], fresh) {
        (Choice::Tile(tile), Choice::Tile(fresh)) => {
            let node = &space.graph.stages[stage];
            Choice::Tile(tiled(
                mutation,
                tile,
                (&fresh, &node.shape),
                node.row(),
                random,
            ))
        }
        (Choice::Nest(nest), Choice::Nest(fresh)) => {
            let row = space.graph.stages[stage].row();
            Choice::Nest(nested(mutation, nest, &fresh, row, random))
        }
        (Choice::Factor(factor), Choice::Factor(fresh)) => {
            let mut factor = factor.clone();
            match mutation {
                Mutation::Place => factor.place = fresh.place,
                Mutation::Parallel => factor.parallel = fresh.parallel,
                _ => {
                    (factor.part, factor.lanes, factor.sums) =
                        (fresh.part, fresh.lanes, fresh.sums);
                }
            }
            Choice::Factor(factor)
        }
        _ => return None,
    };
    let mut changed = state.clone();
    changed.choices[stage] = choice;
    space.repair(&mut changed);
    (changed != *state && space.check(&changed).is_ok()).then_some(changed)
}

fn drawn(random: &mut Rng) -> Mutation {
    let all: u32 = MUTATIONS.iter().map(|(_, weight)| weight).sum();
    let mut left = random.u32(0..all);
    for (mutation, weight) in MUTATIONS {
        if left < weight {
            return mutation;
        }
        left -= weight;
    }
    Mutation::Size
}

/// Whether there is something to change.
fn applies(mutation: Mutation, choice: &Choice) -> bool {
    match (choice, mutation) {
        (Choice::Given, _) => false,
        (_, Mutation::Size | Mutation::Parallel) => true,
        (_, Mutation::Place) => choice.place().is_some(),
        (_, Mutation::Order) => matches!(choice, Choice::Tile(_) | Choice::Nest(_)),
        (_, Mutation::Ahead) => matches!(choice, Choice::Nest(_)),
        (_, Mutation::Unroll | Mutation::Copy) => matches!(choice, Choice::Tile(_)),
    }
}

/// A tile with one decision of another, or one extent as far from its own as the next one that fits.
fn tiled(
    mutation: Mutation,
    tile: &Tile,
    (fresh, shape): (&Tile, &[i64]),
    row: Option<usize>,
    random: &mut Rng,
) -> Tile {
    let mut tile = tile.clone();
    match mutation {
        Mutation::Size => {
            let axis = random.usize(0..tile.sizes.len() + tile.reduce.len());
            match axis.checked_sub(tile.sizes.len()) {
                Some(reduce) => tile.reduce[reduce] = fresh.reduce[reduce],
                None if random.bool() => {
                    let unit = if row == Some(axis) { tile.lanes } else { 1 };
                    nudge(&mut tile.sizes[axis], (shape[axis], unit), random);
                }
                None => {
                    tile.sizes[axis] = fresh.sizes[axis];
                    if row == Some(axis) {
                        tile.lanes = fresh.lanes;
                    }
                }
            }
        }
        Mutation::Unroll => tile.unroll = fresh.unroll.clone(),
        Mutation::Parallel => tile.parallel = fresh.parallel,
        Mutation::Order if random.bool() => tile.order = fresh.order.clone(),
        Mutation::Order => tile.inner = fresh.inner.clone(),
        Mutation::Copy => tile.copy = fresh.copy,
        Mutation::Place | Mutation::Ahead => {}
    }
    tile
}

/// Takes the next smaller or larger extent for one level of an axis, and as much of the level outside as then fits.
fn nudge(levels: &mut [i64; 3], (extent, unit): (i64, i64), random: &mut Rng) {
    let level = random.usize(0..3);
    let inside = match level {
        0 => levels[1] * levels[2],
        1 => levels[2],
        _ => unit,
    };
    let parts = extent / inside;
    let known = if level == 2 {
        levels[2] / unit
    } else {
        levels[level]
    };
    let sizes = sizes(parts, parts);
    let at = sizes.partition_point(|size| *size < known);
    let next = match random.bool() {
        true => sizes.get(at + 1),
        false => at.checked_sub(1).and_then(|at| sizes.get(at)),
    };
    let Some(next) = next else { return };
    levels[level] = if level == 2 { next * unit } else { *next };
    levels[1] = levels[1].min(extent / levels[2]);
    let parts = ceil_div(extent, levels[1] * levels[2]);
    levels[0] = levels[0].min(parts);
}

fn nested(
    mutation: Mutation,
    nest: &Nest,
    fresh: &Nest,
    row: Option<usize>,
    random: &mut Rng,
) -> Nest {
    let mut nest = nest.clone();
    match mutation {
        Mutation::Size if !nest.tile.is_empty() => {
            let axis = random.usize(0..nest.tile.len());
            nest.tile[axis] = fresh.tile[axis];
            if row == Some(axis) {
                nest.lanes = fresh.lanes;
            }
        }
        Mutation::Place => nest.place = fresh.place,
        Mutation::Parallel => nest.parallel = fresh.parallel,
        Mutation::Order => nest.order = fresh.order.clone(),
        Mutation::Ahead => nest.ahead = fresh.ahead,
        _ => {}
    }
    nest
}
