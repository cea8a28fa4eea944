//! The predicted costs of schedules and layouts. Only this module estimates.
//!
//! A cost is the [`Cycles`] of one core that runs the whole kernel. A kernel that is worth sharing has at least
//! [`Machine::threads`] parts. Then `n` threads take an `n`th of the cycles, or more if a cost says so. Choices compare costs of
//! the same work, so the number of threads cancels out.
//!
//! Each constant is derived from numbers of the [`Machine`], or fitted to a measurement; its comment says which. "By hand" means:
//! the constant makes the fastest of some timed schedules the cheapest one. Such a constant orders schedules, and is not
//! a measurement itself.

pub mod amx;
pub mod attention;
pub mod blocks;
pub mod bytes;
pub mod conv;
pub mod goal;
pub mod gpu;
pub mod layout;
pub mod memory;
pub mod padding;
pub mod prefetch;
pub mod product;
pub mod programs;
pub mod registers;
pub mod rows;
pub mod sectors;
pub mod sizes;
pub mod winograd;

use super::Machine;
use relay_dialects::index::ceil_div;
use relay_machine::EVALUATIONS_OF_A_THREAD;
use std::{
    cmp::Ordering,
    fmt,
    iter::Sum,
    ops::{Add, Mul},
};

/// The most steps of a reduction of floats, over all results, that may be taken one at a time without a warning. Derived: a step waits
/// for the one before it, four cycles, so that these take a millisecond.
pub const FEW_STEPS: i64 = 1 << 20;

/// Cycles of one core.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cycles(pub f64);

impl Cycles {
    /// The cost of an illegal choice.
    pub const NEVER: Self = Self(f64::INFINITY);

    /// A total order.
    pub fn compare(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl PartialOrd for Cycles {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.compare(other))
    }
}

impl Add for Cycles {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Mul<f64> for Cycles {
    type Output = Self;

    fn mul(self, times: f64) -> Self {
        Self(self.0 * times)
    }
}

impl Sum for Cycles {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), Add::add)
    }
}

impl fmt::Display for Cycles {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:.0}", self.0)
    }
}

/// The first of the candidates that takes fewest cycles.
pub fn fewest<T>(
    candidates: impl IntoIterator<Item = T>,
    cost: impl Fn(&T) -> Cycles,
) -> Option<T> {
    let costs = candidates
        .into_iter()
        .map(|candidate| (cost(&candidate), candidate));
    let best = costs.min_by(|a, b| a.0.compare(&b.0));
    best.map(|(_, candidate)| candidate)
}

/// Whether threads should share this number of evaluations. For a register tile, an evaluation is of one vector: then the loop takes
/// longer than its start on polling threads.
pub fn is_worth_sharing(evaluations: i64) -> bool {
    evaluations >= 2 * EVALUATIONS_OF_A_THREAD
}

/// The factor by which an additional stage must reduce the work, to pay for writing and reading its tensor. By hand: maxima of windows,
/// one dimension after the other.
const WORTH_A_STAGE: i64 = 2;

/// Whether `together` evaluations in one stage should become `apart` evaluations in two stages.
pub fn is_worth_a_stage(together: i64, apart: i64) -> bool {
    together >= WORTH_A_STAGE * apart
}

/// The longest period of elements across the lanes of a vector that counts as a broadcast. Derived: a vector of 512 bits has this
/// many blocks of [`MIN_LANES`] numbers.
pub const MOST_TURNS: i64 = 4;

/// The maximum number of elements of an inlined stage that one evaluation of a stage in memory reads. By hand: if each stage reads
/// two elements of the previous one, the number doubles with every stage.
pub const MOST_INLINED: usize = 16;

/// The maximum number of changes of an element's index through inlined stages. Each change makes the subscripts longer, with
/// quotients and remainders of all earlier ones; beyond the maximum, another pass over memory is cheaper.
pub const MOST_MOVES: usize = 8;

/// The maximum number of operators of a kernel that need a whole row. Two normalisations and a softmax have five. The analysis of a
/// kernel takes time quadratic in this number.
pub const MOST_WHOLE: usize = 12;

/// The maximum number of divisors of an extent to try. Only an extent beyond the size of memory has more.
pub const MOST_TRIED: usize = 1 << 16;

/// The number of computed elements / the extent of an axis, for parts of length `part` with the last one shifted inwards.
pub fn waste(extent: i64, part: i64) -> f64 {
    (ceil_div(extent, part) * part) as f64 / extent as f64
}

/// The maximum waste for longer vectors: 15%. Fitted by hand: sums of columns and convolutions on plain channels, where an
/// additional vector hides part of the latency of the others.
const MOST_WASTE: f64 = 1.15;

/// The maximum number of adjacent vectors along a row of `extent` elements, up to `most`, with little waste at its end; at least one.
pub fn vectors_along(extent: i64, lanes: i64, most: i64) -> i64 {
    let fits =
        |vectors: &i64| vectors * lanes <= extent && waste(extent, vectors * lanes) <= MOST_WASTE;
    (1..=most).rev().find(fits).unwrap_or(1)
}

/// Vectors with fewer lanes give no speedup. Derived: a vector of four saves three instructions, and the mask or the shifted end
/// of a row adds one or two.
pub const MIN_LANES: i64 = 4;

/// The lanes of the vectors for a row of `width` elements of `bytes` each; the last vector may overlap the one before. None if the
/// row is too short.
pub fn lanes_of_row(width: i64, bytes: i64, machine: Machine) -> Option<i64> {
    halves(machine.lanes(bytes)).find(|lanes| *lanes <= width)
}

/// `lanes` and its halves, longest first, down to [`MIN_LANES`].
pub fn halves(lanes: i64) -> impl Iterator<Item = i64> {
    std::iter::successors(Some(lanes), |lanes| Some(lanes / 2))
        .take_while(|lanes| *lanes >= MIN_LANES)
}

/// The number of rows of `bytes` each that fit half of the L2 cache, at most `rows`.
pub fn rows_in_l2(rows: i64, bytes: i64, machine: Machine) -> i64 {
    (machine.l2_bytes / 2 / bytes.max(1)).clamp(1, rows.max(1))
}

/// The number of equal pieces, of `pieces` with `bytes` each, that a loop processes together: at most `most`, and at most half of the
/// L2 cache.
pub fn pieces_in_l2(pieces: i64, bytes: i64, most: i64, machine: Machine) -> i64 {
    even_part(pieces, rows_in_l2(pieces, bytes, machine).min(most))
}

/// The length of the parts that split `extent` into the minimum number of parts of at most `most`. The last part is slightly
/// shorter.
pub fn even_part(extent: i64, most: i64) -> i64 {
    ceil_div(extent, ceil_div(extent, most.max(1)).max(1)).max(1)
}

/// The powers of two that are no more than a number.
pub fn powers(most: i64) -> impl Iterator<Item = i64> {
    let all = (0..31).map(|power| 1_i64 << power);
    all.take_while(move |power| *power <= most)
}

/// The lengths, up to `most`, of equal parts of `extent` with a shorter last one, longest first. There are at most twice the root of
/// `extent` of them.
pub fn even_parts(extent: i64, most: i64) -> Vec<i64> {
    let first = even_part(extent, most);
    let shorter = |length: &i64| (*length > 1).then(|| even_part(extent, length - 1));
    std::iter::successors(Some(first), shorter).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_equal_and_few() {
        let machine = Machine {
            l2_bytes: 80,
            ..Machine::new(512)
        };
        // Four tiles of ten bytes fill half of the cache.
        assert_eq!(pieces_in_l2(12, 10, 12, machine), 4);
        assert_eq!(pieces_in_l2(12, 10, 3, machine), 3);
        // Parts of three rather than of four, four and one; of four, four and three.
        assert_eq!(pieces_in_l2(9, 10, 9, machine), 3);
        assert_eq!(pieces_in_l2(11, 10, 11, machine), 4);
        assert_eq!(pieces_in_l2(7, 1000, 7, machine), 1);
        assert_eq!(pieces_in_l2(0, 10, 0, machine), 1);
    }

    #[test]
    fn lengths_of_parts_are_listed_once() {
        assert_eq!(even_parts(7, 7), [7, 4, 3, 2, 1]);
        assert_eq!(even_parts(7, 5), [4, 3, 2, 1]);
        assert_eq!(even_parts(1, 0), [1]);
        assert_eq!(even_parts(0, 4), [1]);
        let wide = even_parts(1 << 32, 4);
        assert_eq!(wide, [4, 3, 2, 1]);
        assert!(even_parts(1 << 32, 1 << 32).len() < 1 << 18);
        for (extent, most) in (0..40).flat_map(|extent| (0..45).map(move |most| (extent, most))) {
            let counts = ceil_div(extent, most.max(1)).max(1)..=extent.max(1);
            let mut all: Vec<i64> = counts.map(|count| ceil_div(extent, count).max(1)).collect();
            all.dedup();
            assert_eq!(even_parts(extent, most), all, "{extent} in parts of {most}");
        }
    }

    #[test]
    fn the_first_of_the_cheapest_is_chosen() {
        let cost = |number: &i64| Cycles((number % 3) as f64);
        assert_eq!(fewest([5, 4, 7, 10], cost), Some(4));
        assert_eq!(fewest([], cost), None);
    }

    #[test]
    fn rows_are_cut_by_their_type() {
        let machine = Machine::new(512);
        assert_eq!(lanes_of_row(100, 4, machine), Some(16));
        assert_eq!(lanes_of_row(100, 8, machine), Some(8));
        assert_eq!(lanes_of_row(100, 1, machine), Some(64));
        assert_eq!(lanes_of_row(5, 4, machine), Some(4));
        assert_eq!(lanes_of_row(3, 4, machine), None);
    }
}
