//! A histogram that grows with what it counts.

use crate::Range;

/// The bins on each side of 0. After the last growth at least half of them are in use: there are 16 for each step of a byte.
const SIDE: usize = 4096;

/// How often numbers occur in a tensor. The memory does not depend on the number of elements.
#[derive(Clone, Debug)]
pub struct Histogram {
    /// Counts from -`reach` to `reach`.
    bins: Vec<u64>,
    /// The greatest magnitude with a bin; 0 before the first number that is not 0.
    reach: f64,
    /// The zeros: most numbers after a relu. They have no error, and no bin.
    zeros: u64,
    range: Range,
    /// The elements that are NaN or infinite.
    odd: u64,
    /// The numbers that the histogram has seen.
    count: u64,
}

impl Default for Histogram {
    fn default() -> Self {
        Self {
            bins: vec![0; 2 * SIDE],
            reach: 0.0,
            zeros: 0,
            range: Range {
                low: f64::INFINITY,
                high: f64::NEG_INFINITY,
            },
            odd: 0,
            count: 0,
        }
    }
}

impl Histogram {
    /// Counts the elements of a tensor, or of a part of one.
    pub fn add(&mut self, numbers: &[f32]) {
        let mut range = self.range;
        for number in numbers.iter().filter(|number| number.is_finite()) {
            range.low = range.low.min((*number).into());
            range.high = range.high.max((*number).into());
        }
        self.range = range;
        if range.low <= range.high {
            self.grow(range.largest());
        }
        let per_bin = SIDE as f64 / self.reach.max(f64::MIN_POSITIVE);
        for number in numbers {
            if !number.is_finite() {
                self.odd += 1;
                continue;
            }
            self.count += 1;
            if *number == 0.0 {
                self.zeros += 1;
                continue;
            }
            let place = (f64::from(*number) * per_bin).floor() + SIDE as f64;
            self.bins[(place as usize).min(2 * SIDE - 1)] += 1;
        }
    }

    /// Doubles the reach until it has a bin for numbers of this magnitude.
    fn grow(&mut self, largest: f64) {
        if self.reach == 0.0 {
            self.reach = largest;
        }
        while self.reach < largest {
            let mut bins = vec![0; 2 * SIDE];
            for (place, count) in self.bins.iter().enumerate() {
                bins[SIDE / 2 + place / 2] += count;
            }
            self.bins = bins;
            self.reach *= 2.0;
        }
    }

    /// The range of the numbers, exactly; `None` if there are none.
    pub fn range(&self) -> Option<Range> {
        (self.count > 0).then_some(self.range)
    }

    /// The number of elements that are NaN or infinite.
    pub fn odd(&self) -> u64 {
        self.odd
    }

    /// The numbers that were counted.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The middle of each bin that holds something, and its count, in ascending order; 0 has its own.
    pub fn points(&self) -> Vec<(f64, u64)> {
        let width = self.reach / SIDE as f64;
        let middle = |place: usize| (place as f64 + 0.5 - SIDE as f64) * width;
        let of = |places: std::ops::Range<usize>| {
            let filled = places.filter(|place| self.bins[*place] > 0);
            filled.map(|place| (middle(place), self.bins[place]))
        };
        let zero = (self.zeros > 0).then_some((0.0, self.zeros));
        of(0..SIDE).chain(zero).chain(of(SIDE..2 * SIDE)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_give_what_the_whole_gives() {
        let numbers: Vec<f32> = (0..10_000).map(|i| (i as f32 * 0.37).sin() * 3.0).collect();
        let mut whole = Histogram::default();
        whole.add(&numbers);
        let mut parts = Histogram::default();
        numbers.chunks(77).for_each(|part| parts.add(part));
        assert_eq!(whole.range(), parts.range());
        assert_eq!((whole.count(), parts.count()), (10_000, 10_000));
        let mean = |histogram: &Histogram| {
            let sum = |(x, count): (f64, u64)| x * count as f64;
            histogram.points().into_iter().map(sum).sum::<f64>() / 10_000.0
        };
        assert!((mean(&whole) - mean(&parts)).abs() < 3.0 / SIDE as f64);
    }

    #[test]
    fn what_is_no_number_is_counted_apart() {
        let mut histogram = Histogram::default();
        assert_eq!(histogram.range(), None);
        histogram.add(&[f32::NAN, f32::INFINITY, 0.0, 2.0]);
        assert_eq!((histogram.odd(), histogram.count()), (2, 2));
        let range = Range {
            low: 0.0,
            high: 2.0,
        };
        assert_eq!(histogram.range(), Some(range));
        assert_eq!(histogram.points()[0], (0.0, 1));
    }
}
