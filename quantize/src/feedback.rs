//! Rounding with feedback: numbers that are rounded later make up for the errors of those before.
//!
//! Source: Frantar et al., "GPTQ: Accurate Post-Training Quantization for Generative Pre-trained Transformers", 2022. The factors are those of
//! Chee et al., "QuIP: 2-Bit Quantization of Large Language Models With Guarantees", 2023, which gives the same numbers without an inverse.

use crate::{Blocks, Moments, RoundedRow};

/// The share of the mean square that is added to all squares: samples say little of data that they have few of.
const DAMPING: f64 = 0.01;

/// The most sweeps over a row after it is rounded. Few numbers change in the second one.
const SWEEPS: usize = 4;

/// How the errors of a row's numbers add up in a product with data of known moments.
#[derive(Clone, Debug)]
pub struct Feedback {
    size: usize,
    /// The columns, in the order in which they are rounded: those with the largest data first.
    order: Vec<usize>,
    /// The damped moments, in this order.
    moments: Vec<f64>,
    /// For each column, how the errors of those before it change it. Column k has k numbers.
    factors: Vec<f64>,
    /// The weights of squared errors in a search for ranges, in the order of the row.
    weights: Vec<f32>,
}

impl Feedback {
    /// That of data with these moments.
    pub fn of(moments: &Moments) -> Self {
        let size = moments.size();
        let squares = moments.squares();
        let mean = squares.iter().sum::<f64>() / size.max(1) as f64;
        let damping = match mean > 0.0 {
            true => DAMPING * mean,
            false => 1.0,
        };
        let mut order: Vec<usize> = (0..size).collect();
        order.sort_by(|a, b| squares[*b].total_cmp(&squares[*a]).then(a.cmp(b)));
        let mut sorted = Vec::with_capacity(size * size);
        for (row, first) in order.iter().enumerate() {
            sorted.extend(order.iter().map(|second| moments.at(*first, *second)));
            sorted[row * size + row] += damping;
        }
        Self {
            size,
            factors: factors(size, &sorted),
            moments: sorted,
            order,
            weights: squares
                .iter()
                .map(|square| (square + damping) as f32)
                .collect(),
        }
    }

    /// A row of a weight: its grids, and the integers that make the error of the product small.
    pub fn row(&self, blocks: &Blocks, numbers: &[f32]) -> RoundedRow {
        let grids = blocks.grids(numbers, Some(&self.weights));
        let mut row = RoundedRow {
            integers: vec![0; numbers.len()],
            grids,
        };
        let mut errors: Vec<f64> = Vec::with_capacity(self.size);
        for (place, column) in self.order.iter().enumerate() {
            let before = place * place.saturating_sub(1) / 2;
            let factors = &self.factors[before..before + place];
            let exact = f64::from(numbers[*column]);
            let wanted = exact - dot(factors, &errors);
            errors.push(set(blocks, &mut row, *column, wanted) - exact);
        }
        self.descend(blocks, numbers, &mut row, &mut errors);
        row
    }

    /// Moves each number to where the error is least while the others stay, until none moves.
    fn descend(&self, blocks: &Blocks, numbers: &[f32], row: &mut RoundedRow, errors: &mut [f64]) {
        let moments = |place: usize| &self.moments[place * self.size..(place + 1) * self.size];
        let mut slopes: Vec<f64> = (0..self.size)
            .map(|place| dot(moments(place), errors))
            .collect();
        for _ in 0..SWEEPS {
            let mut is_moved = false;
            for (place, column) in self.order.iter().enumerate() {
                let exact = f64::from(numbers[*column]);
                let wanted = exact + errors[place] - slopes[place] / moments(place)[place];
                let error = set(blocks, row, *column, wanted) - exact;
                let change = error - errors[place];
                if change == 0.0 {
                    continue;
                }
                is_moved = true;
                errors[place] = error;
                for (slope, moment) in slopes.iter_mut().zip(moments(place)) {
                    *slope += change * moment;
                }
            }
            if !is_moved {
                break;
            }
        }
    }
}

/// Sets an integer of a row to the one nearest to a number, and returns the number that it stands for.
fn set(blocks: &Blocks, row: &mut RoundedRow, column: usize, wanted: f64) -> f64 {
    let grid = row.grids[column / blocks.block];
    row.integers[column] = blocks.round(grid, wanted as f32);
    grid.number(row.integers[column]).into()
}

/// The rows of M, each up to its diagonal. M is lower triangular, its diagonal is 1, and the moments are the product of M transposed, a diagonal
/// matrix, and M.
fn factors(size: usize, moments: &[f64]) -> Vec<f64> {
    let start = |row: usize| row * (row + 1) / 2;
    let mut rest = Vec::with_capacity(start(size));
    for row in 0..size {
        rest.extend_from_slice(&moments[row * size..row * size + row + 1]);
    }
    let mut factors = vec![0.0; size * size.saturating_sub(1) / 2];
    for last in (0..size).rev() {
        let (before, own) = rest.split_at_mut(start(last));
        // Damping keeps it above zero, but for the rounding of sums.
        let square = own[last].max(f64::MIN_POSITIVE);
        let first = last * last.saturating_sub(1) / 2;
        let found = &mut factors[first..first + last];
        for (factor, moment) in found.iter_mut().zip(own.iter()) {
            *factor = moment / square;
        }
        for (row, share) in own.iter().take(last).enumerate() {
            let numbers = &mut before[start(row)..start(row + 1)];
            for (number, factor) in numbers.iter_mut().zip(found.iter()) {
                *number -= share * factor;
            }
        }
    }
    factors
}

/// The sum of products, in several sums that a processor can add at once.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    const LANES: usize = 8;
    let mut sums = [0.0; LANES];
    let (parts, others) = (a.chunks_exact(LANES), b.chunks_exact(LANES));
    let rest = parts.remainder().iter().zip(others.remainder());
    let rest: f64 = rest.map(|(a, b)| a * b).sum();
    for (a, b) in parts.zip(others) {
        for (sum, (a, b)) in sums.iter_mut().zip(a.iter().zip(b)) {
            *sum += a * b;
        }
    }
    sums.iter().sum::<f64>() + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO: Blocks = Blocks {
        bits: 2,
        block: 4,
        search: true,
    };
    const SIZE: usize = 8;

    /// Numbers from -1 to 1.
    fn numbers(seed: u64) -> impl FnMut() -> f64 {
        let mut state = seed;
        move || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as f64 / (1u64 << 30) as f64 - 1.0
        }
    }

    /// Moments of rows whose numbers depend on few others.
    fn correlated(seed: u64) -> Moments {
        let mut next = numbers(seed);
        let mix: Vec<f64> = (0..3 * SIZE).map(|_| next()).collect();
        let mut moments = Moments::new(SIZE);
        for _ in 0..50 {
            let causes = [next(), next(), next()];
            let caused = |place: usize| -> f64 {
                (0..3)
                    .map(|from| causes[from] * mix[3 * place + from])
                    .sum()
            };
            let row: Vec<f64> = (0..SIZE)
                .map(|place| caused(place) + 0.1 * next())
                .collect();
            let all = row
                .iter()
                .flat_map(|a| row.iter().map(move |b| (a * b) as f32));
            moments.add(&all.collect::<Vec<f32>>());
        }
        moments
    }

    /// The squared error of a product.
    fn error(moments: &Moments, numbers: &[f32], row: &RoundedRow) -> f64 {
        let error = |place: usize| {
            let grid = row.grids[place / TWO.block];
            f64::from(grid.number(row.integers[place]) - numbers[place])
        };
        let pairs = (0..SIZE).flat_map(|a| (0..SIZE).map(move |b| (a, b)));
        pairs
            .map(|(a, b)| error(a) * moments.at(a, b) * error(b))
            .sum()
    }

    /// The least error that integers on the same grids have.
    fn least(moments: &Moments, numbers: &[f32], row: &RoundedRow) -> f64 {
        let mut other = row.clone();
        let errors = (0..1u32 << (2 * SIZE)).map(|all| {
            for (place, integer) in other.integers.iter_mut().enumerate() {
                *integer = (all >> (2 * place) & 3) as u8;
            }
            error(moments, numbers, &other)
        });
        errors.fold(f64::INFINITY, f64::min)
    }

    #[test]
    fn products_are_nearly_as_exact_as_any() {
        let (mut found, mut best, mut nearest) = (0.0, 0.0, 0.0);
        for seed in 0..12 {
            let moments = correlated(seed);
            let mut next = numbers(100 + seed);
            let numbers: Vec<f32> = (0..SIZE).map(|_| next() as f32).collect();
            let row = Feedback::of(&moments).row(&TWO, &numbers);
            found += error(&moments, &numbers, &row);
            best += least(&moments, &numbers, &row);
            nearest += error(&moments, &numbers, &TWO.row(&numbers));
        }
        assert!(found < 2.0 * best, "{found} {best}");
        assert!(4.0 * found < nearest, "{found} {nearest}");
    }

    #[test]
    fn independent_data_give_the_nearest_numbers() {
        let mut moments = Moments::new(SIZE);
        let one = |place: usize| f32::from(place / SIZE == place % SIZE);
        moments.add(&(0..SIZE * SIZE).map(one).collect::<Vec<f32>>());
        let numbers: Vec<f32> = (0..SIZE).map(|place| (place as f32).sin()).collect();
        assert_eq!(
            Feedback::of(&moments).row(&TWO, &numbers),
            TWO.row(&numbers)
        );
        let none = Feedback::of(&Moments::new(SIZE));
        assert_eq!(none.row(&TWO, &numbers), TWO.row(&numbers));
    }

    #[test]
    fn factors_are_those_of_the_moments() {
        // Of ones and a 2 x 2 block: 5 = 2 * 2 * 1 + 1, 2 = 2 * 1.
        assert_eq!(factors(2, &[5.0, 2.0, 2.0, 1.0]), [2.0]);
    }
}
