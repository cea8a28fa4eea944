//! The choice of a range for a tensor's bytes.

use crate::{Grid, Histogram, Range, divergence};
use std::fmt;

/// The percentile if none is named.
pub const PERCENTILE: f64 = 99.999;

/// The candidates for the greatest magnitude that bytes cover.
const CANDIDATES: u32 = 128;

/// How to choose the range that bytes cover. A smaller range has smaller steps, and clips more numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Method {
    /// All numbers that were seen.
    MinMax,
    /// This percentage of the numbers; half of the others is on each side.
    Percentile(f64),
    /// The least Kullback-Leibler divergence of the rounded numbers from the exact ones.
    Kl,
    /// The least mean squared error.
    Mse,
}

impl Method {
    /// Reads `minmax`, `percentile`, `percentile:99.9`, `kl` or `mse`.
    ///
    /// # Errors
    /// Names the methods that there are.
    pub fn parse(text: &str) -> Result<Self, String> {
        match text.split_once(':') {
            None => match text {
                "minmax" => Ok(Self::MinMax),
                "percentile" => Ok(Self::Percentile(PERCENTILE)),
                "kl" => Ok(Self::Kl),
                "mse" => Ok(Self::Mse),
                _ => Err(format!(
                    "'{text}' is no method; there are minmax, percentile, percentile:99.9, kl and mse"
                )),
            },
            Some(("percentile", number)) => match number.parse() {
                Ok(percentage) if percentage > 50.0 && percentage <= 100.0 => {
                    Ok(Self::Percentile(percentage))
                }
                _ => Err(format!(
                    "'{number}' is no percentile: a number above 50, at most 100"
                )),
            },
            Some((method, _)) => Err(format!("'{method}' takes no number; percentile does")),
        }
    }

    /// The range for a tensor; `None` if nothing was counted. `is_symmetric` says whether the bytes have a zero point of 0.
    pub fn range(self, histogram: &Histogram, is_symmetric: bool) -> Option<Range> {
        let all = histogram.range()?.with_zero();
        if all.largest() == 0.0 {
            return Some(all);
        }
        let grid = |range| match is_symmetric {
            true => Grid::signed(range),
            false => Grid::unsigned(range),
        };
        let points = histogram.points();
        let best = |error: &dyn Fn(Range) -> f64| {
            let candidates = (1..=CANDIDATES).rev();
            let ranges = candidates
                .map(|part| all.within(all.largest() * f64::from(part) / f64::from(CANDIDATES)));
            ranges.min_by(|a, b| error(*a).total_cmp(&error(*b)))
        };
        match self {
            Self::MinMax => Some(all),
            Self::Percentile(percentage) => Some(percentile(&points, all, percentage)),
            Self::Kl => best(&|range| divergence::of(&points, range, grid(range))),
            Self::Mse => best(&|range| squared_error(&points, grid(range))),
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MinMax => formatter.write_str("minmax"),
            Self::Percentile(percentage) => write!(formatter, "percentile:{percentage}"),
            Self::Kl => formatter.write_str("kl"),
            Self::Mse => formatter.write_str("mse"),
        }
    }
}

/// The range without the rarest numbers at both ends.
fn percentile(points: &[(f64, u64)], all: Range, percentage: f64) -> Range {
    let count: u64 = points.iter().map(|(_, count)| count).sum();
    let clipped = count as f64 * (1.0 - percentage / 100.0) / 2.0;
    // The middle of the last bin may be less than the number in it.
    let exact = |found: f64, limit: f64, last: f64| if found == last { limit } else { found };
    let (first, last) = (
        points.first().map_or(0.0, |point| point.0),
        points.last().map_or(0.0, |point| point.0),
    );
    let range = Range {
        low: exact(end(points.iter(), clipped), all.low, first),
        high: exact(end(points.iter().rev(), clipped), all.high, last),
    };
    range.with_zero()
}

/// The first number behind the `clipped` ones.
fn end<'p>(mut points: impl Iterator<Item = &'p (f64, u64)>, clipped: f64) -> f64 {
    let mut seen = 0.0;
    let point = points.find(|(_, count)| {
        seen += *count as f64;
        seen > clipped
    });
    point.map_or(0.0, |(number, _)| *number)
}

/// The sum of the squared errors of rounding to a grid.
fn squared_error(points: &[(f64, u64)], grid: Grid) -> f64 {
    let error = |(number, count): &(f64, u64)| {
        let distance = grid.round(*number) - number;
        distance * distance * *count as f64
    };
    points.iter().map(error).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A bell of numbers, and one far away.
    fn with_outlier() -> Histogram {
        let mut histogram = Histogram::default();
        let mut bell = Vec::new();
        for i in 1..100_000 {
            // The sum of a few even distributions is close to normal.
            let parts = [1_u64, 7_919, 104_729, 15_485_863, 32_452_843, 49_979_687];
            let part = |p: u64| (i * p % 1_000_003) as f64 / 1_000_003.0 - 0.5;
            bell.push(parts.into_iter().map(part).sum::<f64>() as f32);
        }
        histogram.add(&bell);
        histogram.add(&[100.0]);
        histogram
    }

    #[test]
    fn an_outlier_is_in_no_range_but_that_of_all() {
        let histogram = with_outlier();
        let high = |method: Method| {
            let range = method.range(&histogram, false);
            range.expect("numbers were counted").high
        };
        assert_eq!(high(Method::MinMax), 100.0);
        assert!(high(Method::Percentile(99.9)) < 3.0);
        assert!(high(Method::Kl) < 20.0, "{}", high(Method::Kl));
        assert_eq!(high(Method::Percentile(100.0)), 100.0);
    }

    #[test]
    fn mean_squared_error_weighs_clipping_and_steps() {
        let histogram = with_outlier();
        let range = Method::Mse.range(&histogram, true).expect("numbers");
        let error = |range| squared_error(&histogram.points(), Grid::signed(range));
        let all = histogram.range().expect("numbers");
        assert!(error(range) <= error(all));
        // Brute force over more candidates finds nothing much better.
        let finest = (1..2000).map(|part| error(all.within(0.05 * f64::from(part))));
        let least = finest.fold(f64::INFINITY, f64::min);
        assert!(error(range) <= 1.1 * least, "{} {least}", error(range));
    }

    #[test]
    fn few_even_numbers_are_not_clipped() {
        // After a relu: half of the numbers are zeros. Counts in bins are uneven, but no range is better than that of all.
        let mut histogram = Histogram::default();
        let number = |i: u64| (i * 7_919 % 10_007) as f32 / 10_007.0;
        let numbers: Vec<f32> = (0..10_000)
            .map(|i| (2.0 * number(i) - 1.0).max(0.0))
            .collect();
        histogram.add(&numbers);
        let range = Method::Kl.range(&histogram, false).expect("numbers");
        assert!(range.high > 0.9, "{range:?}");
    }

    #[test]
    fn numbers_above_zero_keep_a_zero_point_of_zero() {
        let mut histogram = Histogram::default();
        histogram.add(&[0.0, 0.0, 1.0, 2.0, 3.0]);
        for method in [
            Method::MinMax,
            Method::Percentile(99.0),
            Method::Kl,
            Method::Mse,
        ] {
            let range = method.range(&histogram, false).expect("numbers");
            assert_eq!(range.low, 0.0, "{method:?}");
            assert!(range.high > 0.0 && range.high <= 3.0, "{method:?}");
        }
    }

    #[test]
    fn methods_are_read() {
        assert_eq!(Method::parse("percentile:99"), Ok(Method::Percentile(99.0)));
        assert_eq!(Method::parse("kl"), Ok(Method::Kl));
        assert_eq!(Method::Percentile(99.0).to_string(), "percentile:99");
        for wrong in ["entropy", "percentile:20", "percentile:x", "kl:3"] {
            assert!(Method::parse(wrong).is_err(), "{wrong}");
        }
    }
}
