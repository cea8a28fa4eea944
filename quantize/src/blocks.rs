//! Weights of a few bits: the neighbours of a row come in blocks, each with a scale and a zero point.

use half::bf16;

/// How the numbers of a weight are rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blocks {
    /// The bits of a number.
    pub bits: u32,
    /// The numbers that share a scale and a zero point.
    pub block: usize,
    /// Whether the range of a block is the one with the least error. Otherwise, it is that of all its numbers.
    pub search: bool,
}

/// A block's scale and zero point: the integer q stands for scale * (q - zero).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BlockGrid {
    /// The distance of two neighbours.
    pub scale: bf16,
    /// The integer that stands for 0.
    pub zero: u8,
}

impl BlockGrid {
    /// The number that an integer stands for.
    pub fn number(self, integer: u8) -> f32 {
        (f32::from(integer) - f32::from(self.zero)) * self.scale.to_f32()
    }
}

/// A row of a weight in blocks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RoundedRow {
    /// The integers.
    pub integers: Vec<u8>,
    /// The grid of each block.
    pub grids: Vec<BlockGrid>,
}

/// The shares of a block's range that are tried, in thirtieths: from two thirds up to the whole range.
const SHARES: std::ops::RangeInclusive<u32> = 20..=30;

impl Blocks {
    /// The greatest integer.
    fn greatest(&self) -> f32 {
        ((1u32 << self.bits) - 1) as f32
    }

    /// A row, each number rounded to the nearest one of its block's grid.
    pub fn row(&self, numbers: &[f32]) -> RoundedRow {
        let grids = self.grids(numbers, None);
        let parts = numbers.chunks(self.block).zip(&grids);
        let integers = parts.flat_map(|(part, grid)| part.iter().map(|x| self.round(*grid, *x)));
        RoundedRow {
            integers: integers.collect(),
            grids,
        }
    }

    /// The grid of each block of a row. If there are weights of the squared errors, a search for ranges multiplies the errors by them.
    pub fn grids(&self, numbers: &[f32], weights: Option<&[f32]>) -> Vec<BlockGrid> {
        let parts = numbers.chunks(self.block).enumerate();
        let grid = |(place, part): (usize, &[f32])| {
            let first = place * self.block;
            self.grid(part, weights.map(|all| &all[first..first + part.len()]))
        };
        parts.map(grid).collect()
    }

    /// The best grid of a block.
    fn grid(&self, numbers: &[f32], weights: Option<&[f32]>) -> BlockGrid {
        let whole = self.grid_of(numbers, 1.0);
        if !self.search {
            return whole;
        }
        let greatest = *SHARES.end() as f32;
        let shares = SHARES.rev().map(|share| share as f32 / greatest);
        let grids = shares.map(|share| self.grid_of(numbers, share));
        let errors = grids.map(|grid| (self.error(grid, numbers, weights), grid));
        let best = errors.min_by(|a, b| a.0.total_cmp(&b.0));
        best.map_or(whole, |(_, grid)| grid)
    }

    /// The grid from a share of the least number to that of the greatest one. Zero is in it, and is exact.
    fn grid_of(&self, numbers: &[f32], share: f32) -> BlockGrid {
        let least = numbers.iter().copied().fold(0.0, f32::min) * share;
        let greatest = numbers.iter().copied().fold(0.0, f32::max) * share;
        let scale = bf16::from_f32((greatest - least) / self.greatest());
        if scale.to_f32() == 0.0 || !scale.is_finite() {
            let scale = bf16::ONE;
            return BlockGrid { scale, zero: 0 };
        }
        let zero = (-least / scale.to_f32())
            .round()
            .clamp(0.0, self.greatest());
        BlockGrid {
            scale,
            zero: zero as u8,
        }
    }

    /// The sum of the squared errors of a block.
    fn error(&self, grid: BlockGrid, numbers: &[f32], weights: Option<&[f32]>) -> f32 {
        let error = |(place, number): (usize, &f32)| {
            let weight = weights.map_or(1.0, |weights| weights[place]);
            weight * (grid.number(self.round(grid, *number)) - number).powi(2)
        };
        numbers.iter().enumerate().map(error).sum()
    }

    /// The nearest integer of a grid.
    pub fn round(&self, grid: BlockGrid, number: f32) -> u8 {
        let steps = (number / grid.scale.to_f32()).round_ties_even() + f32::from(grid.zero);
        steps.clamp(0.0, self.greatest()) as u8
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FOUR: Blocks = Blocks {
        bits: 4,
        block: 16,
        search: true,
    };

    #[test]
    fn sixteen_steps_are_exact() {
        let numbers: Vec<f32> = (-8..8).map(|step| 0.5 * step as f32).collect();
        let row = FOUR.row(&numbers);
        assert_eq!(row.integers, (0..16).collect::<Vec<u8>>());
        let grid = BlockGrid {
            scale: bf16::from_f32(0.5),
            zero: 8,
        };
        assert_eq!(row.grids, [grid]);
    }

    #[test]
    fn a_search_weighs_errors() {
        let two = Blocks {
            bits: 2,
            block: 64,
            search: true,
        };
        // One number is above many even ones. Clipping it helps the others, unless its own error counts most.
        let mut numbers: Vec<f32> = (0..64).map(|place| place as f32 / 63.0).collect();
        numbers[3] = 1.2;
        let clipped = two.grids(&numbers, None)[0];
        let mut weights = vec![1.0; 64];
        weights[3] = 1e6;
        let whole = two.grids(&numbers, Some(&weights))[0];
        let error = |grid: BlockGrid| (grid.number(two.round(grid, 1.2)) - 1.2).abs();
        assert!(error(whole) < error(clipped), "{whole:?} {clipped:?}");
    }
}
