//! The Kullback-Leibler divergence of rounded numbers from exact ones.

use crate::{Grid, Range};

/// The share of probability that every bin gets: a number that was not seen here may be seen later.
const SMOOTHING: f64 = 1e-4;

/// The divergence of the numbers that a grid has from all numbers, as far as their bins say. Clipped numbers count at the ends of the
/// range, where the exact distribution has them, and the rounded one does not. Zeros have no error, and count for neither.
///
/// Counts of samples are uneven by chance. So the divergence that even numbers would have is subtracted (the correction of Miller and
/// Madow): without that, few samples favour small ranges.
pub fn of(points: &[(f64, u64)], range: Range, grid: Grid) -> f64 {
    let inside = |number: f64| number >= range.low && number <= range.high;
    let mut exact: Vec<(f64, f64)> = Vec::new();
    let (mut below, mut above) = (0.0, 0.0);
    for (number, count) in points.iter().filter(|(number, _)| *number != 0.0) {
        match (inside(*number), *number < range.low) {
            (true, _) => exact.push((*number, *count as f64)),
            (false, true) => below += *count as f64,
            (false, false) => above += *count as f64,
        }
    }
    let (rounded, steps) = rounded(&exact, grid);
    if let Some(first) = exact.first_mut() {
        first.1 += below;
    }
    if let Some(last) = exact.last_mut() {
        last.1 += above;
    }
    let (all, kept) = (
        sum(exact.iter().map(|bin| bin.1)),
        sum(rounded.iter().copied()),
    );
    if all == 0.0 || kept == 0.0 {
        return f64::INFINITY;
    }
    let even = SMOOTHING / exact.len() as f64;
    let smooth = |share: f64| share * (1.0 - SMOOTHING) + even;
    let bins = exact.iter().zip(rounded);
    let found = sum(bins.map(|((_, count), rounded)| {
        let (p, q) = (smooth(count / all), smooth(rounded / kept));
        p * (p / q).ln()
    }));
    found - (exact.len() - steps) as f64 / (2.0 * all)
}

/// The counts of bins if all bins of one step of the grid are alike, and the number of steps.
fn rounded(exact: &[(f64, f64)], grid: Grid) -> (Vec<f64>, usize) {
    let step = |number: f64| (number / grid.scale).round() as i64;
    let mut counts = Vec::with_capacity(exact.len());
    let mut steps = 0;
    for bins in exact.chunk_by(|a, b| step(a.0) == step(b.0)) {
        let mean = sum(bins.iter().map(|bin| bin.1)) / bins.len() as f64;
        counts.extend(bins.iter().map(|_| mean));
        steps += 1;
    }
    (counts, steps)
}

fn sum(numbers: impl Iterator<Item = f64>) -> f64 {
    numbers.sum()
}
