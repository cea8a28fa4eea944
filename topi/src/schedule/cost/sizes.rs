//! The sizes that schedules are planned for where extents are open.

use super::Cycles;
use relay_dialects::{
    dim::Dim,
    ir::{Op, Value},
    ops::builtin,
    symbols::{Symbol, UNBOUNDED, USUAL, symbols},
};
use std::cell::Cell;

/// The other sizes at which costs are compared, as parts of the typical size: a register tile that divides that one may leave a large rest of
/// these. By hand: images of 192, 256 and 320 pixels after several convolutions of stride 2.
const OTHER_SIZES: [(i64, i64); 2] = [(3, 4), (5, 4)];

thread_local! {
    /// The part of the typical size that extents have now.
    static PART: Cell<(i64, i64)> = const { Cell::new((1, 1)) };
    /// Whether the size of a symbol was asked for.
    static IS_OPEN: Cell<bool> = const { Cell::new(false) };
}

/// The least elements of a tensor's open extents, the first one left out, that schedules are planned for: several register tiles of the
/// widest machine. By hand, for the frames of an audio signal.
const LEAST_ELEMENTS: i64 = 32;

/// The greatest size that is planned for so that others are long enough: four seconds of speech at 16,000 samples a second.
const GREATEST_RAISED: i64 = 65_536;

/// Doubles planned sizes until the open extents of a tensor with dimensions `dims`, the first one left out, have enough elements.
/// Changes those of symbols without an upper bound for which `may_change` holds, and only if that is enough. Returns whether it changed one.
pub fn raise(symbols: &mut [Symbol], dims: &[Dim], may_change: impl Fn(&Symbol) -> bool) -> bool {
    let open: Vec<Dim> = dims
        .iter()
        .skip(1)
        .copied()
        .filter(|dim| !dim.is_known())
        .collect();
    let names: Vec<&str> = open.iter().flat_map(|dim| dim.symbols()).collect();
    let is_raised = |symbol: &&mut Symbol| {
        let is_own = names.contains(&symbol.name.as_str());
        is_own && symbol.most == UNBOUNDED && may_change(symbol)
    };
    let mut raised = symbols.to_vec();
    while elements(&open, &raised).is_some_and(|elements| elements < LEAST_ELEMENTS) {
        let mut own: Vec<&mut Symbol> = raised.iter_mut().filter(is_raised).collect();
        for symbol in &mut own {
            symbol.typical = symbol.typical.saturating_mul(2);
        }
        if own.is_empty() || own.iter().any(|symbol| symbol.typical > GREATEST_RAISED) {
            return false;
        }
    }
    let is_changed = raised != symbols;
    symbols.clone_from_slice(&raised);
    is_changed
}

/// The elements of some open extents for the planned sizes; none if there are no such extents, or if one is unknown.
fn elements(open: &[Dim], symbols: &[Symbol]) -> Option<i64> {
    let size = |name: &str| Some(symbols.iter().find(|symbol| symbol.name == name)?.typical);
    let extents = open.iter().map(|dim| Some(dim.value(&size)?.max(0)));
    let product = extents.reduce(|one, other| Some(one?.saturating_mul(other?)));
    product.flatten()
}

/// The mean of a cost over typical sizes and those around them. Without open extents, it is asked for once.
pub fn mean_over_sizes(cost: impl Fn() -> Cycles) -> Cycles {
    IS_OPEN.set(false);
    let typical = cost();
    if !IS_OPEN.get() {
        return typical;
    }
    let others = OTHER_SIZES.into_iter().map(|part| {
        PART.set(part);
        let cycles = cost();
        PART.set((1, 1));
        cycles
    });
    others.fold(typical, |sum, cycles| sum + cycles) * (1.0 / (1 + OTHER_SIZES.len()) as f64)
}

/// The extents of a tensor that an op reads or makes, as far as they are known, and typical ones.
pub fn planned_shape(op: Op, tensor: Value) -> Vec<i64> {
    planned(op, &tensor.ty().dims())
}

/// Extents as far as they are known, and typical ones, as the module around an op has them.
pub fn planned(op: Op, dims: &[Dim]) -> Vec<i64> {
    let size = |dim: &Dim| {
        let open = || dim.value(&|symbol| Some(typical(op, symbol)));
        dim.known().or_else(open).unwrap_or(USUAL).max(0)
    };
    dims.iter().map(size).collect()
}

/// Likewise, with one sample where the number of samples, the first extent, is open: for a choice that is much worse for one
/// sample than for many, and little better for many.
pub fn shape_of_sample(op: Op, tensor: Value) -> Vec<i64> {
    let mut shape = planned_shape(op, tensor);
    if let (Some(samples), Some(dim)) = (shape.first_mut(), tensor.ty().dims().first())
        && !dim.is_known()
    {
        *samples = 1;
    }
    shape
}

/// The factor by which the parts of an open loop shrink where its extent is too short for those of its schedule. It was chosen by
/// hand, as a step between whole tiles and single vectors.
const SMALLER: i64 = 4;

/// The length of smaller parts of an open loop, for extents below `length`: whole vectors of so many lanes.
pub fn smaller_part(length: i64, lanes: i64) -> i64 {
    (length / SMALLER / lanes * lanes).max(lanes)
}

/// The size that a symbol typically has, or [a part of it](mean_over_sizes).
fn typical(op: Op, symbol: &str) -> i64 {
    IS_OPEN.set(true);
    let module =
        std::iter::successors(Some(op), |op| op.parent()).find(|op| op.is(builtin::Module::NAME));
    let known = module
        .and_then(|module| symbols(module).ok())
        .unwrap_or_default();
    let found = known.into_iter().find(|known| known.name == symbol);
    let found = found.unwrap_or_else(|| Symbol::any(symbol));
    let (times, of) = PART.get();
    let size = found.typical.saturating_mul(times) / of;
    let size = size - size % found.multiple;
    // A part of a few is none, and of one there is one.
    match found.allows(size) && size > 0 {
        true => size,
        false => found.typical,
    }
}
