//! Reductions of rows.

use super::{Cycles, fewest};
use crate::schedule::Machine;
use relay_dialects::index::ceil_div;

/// The most vectors of sums side by side: more neither wait less for each other nor read longer lines. Derived: two
/// additions in a cycle, each of four cycles.
pub fn most_sums(results: i64, machine: Machine) -> i64 {
    // A tuple has a sum for each of its parts, some of two registers.
    machine.fma_per_cycle * machine.fma_latency / results.max(1)
}

/// In how many vectors of `lanes` a row of `extent` elements is reduced, of `most`: those that take fewest cycles.
pub fn vectors_of_row(extent: i64, lanes: i64, most: i64, machine: Machine) -> i64 {
    let most = most.min(extent / lanes);
    let cost = |vectors: &i64| cycles(extent, *vectors, lanes, machine);
    fewest(1..=most, cost).unwrap_or(1)
}

/// About how long a row takes: each step as long as its vectors or as the wait for the step before, the
/// vectors of the rest, of which the last is masked, and the vectors combined at last.
pub fn cycles(extent: i64, vectors: i64, lanes: i64, machine: Machine) -> Cycles {
    let latency = machine.fma_latency;
    let (steps, rest) = (extent / (vectors * lanes), extent % (vectors * lanes));
    let cycles = steps * vectors.max(latency) + ceil_div(rest, lanes) + (vectors - 1) * latency;
    Cycles(cycles as f64)
}

/// About into how many parts a reduction is cut that threads share: several for each of [`Machine::threads`], of which a
/// few more or less end at the same time. The same for any machine, so that results are.
pub const PARTS: i64 = 16;

/// A part of a row is of whole steps of so many elements. Derived: [`most_sums`] vectors of 16 f32.
pub const STEP: i64 = 128;

/// The numbers of parts that do, nearest to [`PARTS`] first.
pub fn counts_of_parts() -> impl Iterator<Item = i64> {
    let near = (0..PARTS).flat_map(|by| [PARTS - by, PARTS + by]);
    near.filter(|parts| (PARTS / 2..=2 * PARTS).contains(parts))
}

#[cfg(test)]
mod tests {
    use super::{Cycles, Machine};

    fn cycles(extent: i64, vectors: i64) -> Cycles {
        super::cycles(extent, vectors, 16, Machine::new(512))
    }

    #[test]
    fn rests_are_vectors() {
        assert_eq!(cycles(100, 2), cycles(96, 2) + Cycles(1.0));
        assert_eq!(cycles(97, 2), cycles(112, 2));
        assert!(cycles(1000, 4) < cycles(1000, 2));
    }

    #[test]
    fn long_rows_want_several_accumulators() {
        assert!(cycles(768, 4) < cycles(768, 1));
        assert!(cycles(768, 4) < cycles(768, 8));
    }
}
