//! What schedules and layouts are expected to take: the only place that estimates.
//!
//! All costs are [`Cycles`] of one core that has the whole kernel to itself. Threads share a kernel's parts, of which
//! there are at least [`Machine::threads`] where a kernel is worth sharing; then `n` of them take an `n`th of
//! the cycles, and more where a cost says so. Choices compare costs of the same work, so that the number of
//! threads drops out.
//!
//! Each constant says whether it is derived, from which numbers of the [`Machine`], or fitted, to what. "By hand"
//! means: set so that of some schedules that were timed the fastest is the cheapest; such a constant orders
//! schedules, and is not a measurement of its own.

pub mod amx;
pub mod conv;
pub mod layout;
pub mod memory;
pub mod padding;
pub mod prefetch;
pub mod product;
pub mod registers;
pub mod rows;
pub mod winograd;

use super::machine::Machine;
use relay_dialects::index::ceil_div;
use std::{
    cmp::Ordering,
    fmt,
    iter::Sum,
    ops::{Add, Mul},
};

/// Cycles of one core.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cycles(pub f64);

impl Cycles {
    /// What can never be chosen.
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

/// Fewer evaluations of an element than this are done before other threads have woken: of a cycle each,
/// five microseconds. Fitted by hand: small networks on a machine with other work, whose threads are parked.
const SHARED_EVALUATIONS: i64 = 1 << 14;

/// Whether threads should share so many evaluations. Where a tile of vectors is kept in registers, an
/// evaluation is one of a vector: then a loop takes longer than it takes to start on threads that look for work.
pub fn is_worth_sharing(evaluations: i64) -> bool {
    evaluations >= SHARED_EVALUATIONS
}

/// A stage more is worth its tensor, which is written and read again, where it divides the work by this number. By hand: maxima
/// of windows one dimension after the other.
const WORTH_A_STAGE: i64 = 2;

/// Whether so many evaluations should become fewer ones in two stages.
pub fn is_worth_a_stage(together: i64, apart: i64) -> bool {
    together >= WORTH_A_STAGE * apart
}

/// Lanes that take turns with so many elements at most share them, as lanes share a number. Derived: the blocks of
/// [`MIN_LANES`] numbers in a vector of 512 bits.
pub const MOST_TURNS: i64 = 4;

/// How many elements of a stage one evaluation of a stage in memory may need, if the stage is to be inlined. By hand: where
/// an expression reads two elements of a stage, which reads two of the next and so on, they double with every stage.
pub const MOST_INLINED: usize = 16;

/// The most times that an element's index changes on its way through inlined stages. Each change makes the subscripts
/// longer, with quotients and remainders of all before it, so that one more pass over memory costs less.
pub const MOST_MOVES: usize = 8;

/// The most operators of a kernel that need a row as a whole. Two normalisations and a softmax have five; what an
/// iteration holds of each is found from all behind it, which takes the square of their number.
pub const MOST_WHOLE: usize = 12;

/// So many divisors of an extent are tried. There are more only where an extent is larger than memory holds.
pub const MOST_TRIED: usize = 1 << 16;

/// How many elements are computed for each one of an axis that is cut into parts of `part`, the last
/// one shifted inwards.
pub fn waste(extent: i64, part: i64) -> f64 {
    (ceil_div(extent, part) * part) as f64 / extent as f64
}

/// The most waste that longer vectors are worth: 15 of 100. Fitted by hand: sums of columns and convolutions on plain
/// channels, where a vector more hides part of the latency of the others.
const MOST_WASTE: f64 = 1.15;

/// The most vectors side by side along a row of `extent` elements, of those up to `most`, that waste little
/// at its end; at least one.
pub fn vectors_along(extent: i64, lanes: i64, most: i64) -> i64 {
    let fits =
        |vectors: &i64| vectors * lanes <= extent && waste(extent, vectors * lanes) <= MOST_WASTE;
    (1..=most).rev().find(fits).unwrap_or(1)
}

/// Vectors of fewer lanes are not worth the instructions around them. Derived: a vector of four takes as
/// many as the four numbers, of which it replaces three, and the mask or the shifted end of a row one or two.
pub const MIN_LANES: i64 = 4;

/// The lanes with which a row of `width` elements of `bytes` each is cut into vectors, of which the last may lie
/// over the one before. None if the row is too short.
pub fn lanes_of_row(width: i64, bytes: i64, machine: Machine) -> Option<i64> {
    halves(machine.lanes(bytes)).find(|lanes| *lanes <= width)
}

/// `lanes` and its halves, longest first, that are worth being vectors.
pub fn halves(lanes: i64) -> impl Iterator<Item = i64> {
    std::iter::successors(Some(lanes), |lanes| Some(lanes / 2))
        .take_while(|lanes| *lanes >= MIN_LANES)
}

/// How many rows of so many bytes half of the second cache holds, of so many.
pub fn rows_in_l2(rows: i64, bytes: i64, machine: Machine) -> i64 {
    (machine.l2_bytes / 2 / bytes.max(1)).clamp(1, rows.max(1))
}

/// How many pieces that are alike go through a loop together, of `pieces`, each of `bytes`: no more than half of the second
/// cache holds, nor than `most`.
pub fn pieces_in_l2(pieces: i64, bytes: i64, most: i64, machine: Machine) -> i64 {
    even_part(pieces, rows_in_l2(pieces, bytes, machine).min(most))
}

/// The length of parts that cut `extent` into as few as can be of no more than `most`, all of that length but for the last
/// one, which is little shorter.
pub fn even_part(extent: i64, most: i64) -> i64 {
    ceil_div(extent, ceil_div(extent, most.max(1)).max(1)).max(1)
}

/// The lengths of no more than `most` of parts that are as long as each other but for the last one, longest first. There are
/// no more of them than twice the root of `extent`.
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
