//! Products on AMX's tiles of bf16.

use super::{Cycles, Machine};
use crate::{intrin::x86_amx::Limits, schedule::F32_BYTES};
use relay_dialects::Element;
use relay_machine::units::AMX_BF16;

/// Whether a machine has tile registers that multiply bf16.
pub fn multiplies_bf16(machine: Machine) -> bool {
    let unit = machine.units.find(Element::Bf16, Element::Bf16);
    unit.is_some_and(|unit| unit.is_of_tiles)
}

/// So many multiply-adds of numbers.
pub fn products(multiply_adds: i64) -> Cycles {
    Cycles(multiply_adds as f64 / AMX_BF16.per_cycle)
}

/// How many multiply-adds AMX tiles do in the time of one of a vector's. Derived: the unit's multiply-adds in a cycle,
/// beside two vectors of 16.
const SPEED: i64 = 16;

/// Whether threads should share so many multiply-adds of numbers on AMX tiles, whose sums are read in vectors of `lanes`.
pub fn is_worth_sharing(multiply_adds: i64, lanes: i64) -> bool {
    super::is_worth_sharing(multiply_adds / (SPEED * lanes))
}

/// What decides on AMX tiles beside the shapes. The instruction starts a row of its result in each cycle. Steps of the reduction
/// that would fill less than half of a tile's rows are left to vectors: by hand.
pub const LIMITS: Limits = Limits {
    latency: AMX_BF16.latency,
    least_step: 16,
};

/// Fewer input channels, as of an image, are read where they are, by vectors. By hand: of 16 numbers of a block, those of four
/// would be channels.
pub const MIN_CHANNELS: i64 = 5;

/// So many groups of a convolution are computed together at most: as many times the products that are needed. Derived:
/// half of [`SPEED`].
pub const MOST_GROUPS: i64 = SPEED / 2;

/// A block of fewer rows of an attention does not fill AMX tiles, and pairs the keys and values more often than that takes.
/// Derived: the rows of a tile.
const MIN_ROWS_OF_ATTENTION: i64 = 16;

/// The rows that go through all stages of an attention on AMX tiles together, of a batch of so many rows with so many scores
/// each. They divide the number of rows. Half of the second cache holds their scores, of f32, and what the softmax makes of
/// these, of bf16; and there are blocks enough for all threads. Where such blocks would have few rows, they have more.
pub fn rows_of_attention(batch: i64, rows: i64, scores: i64, machine: Machine) -> i64 {
    let bytes = (F32_BYTES + F32_BYTES / 2) * scores.max(1);
    let fitting = (machine.l2_bytes / 2 / bytes).min(batch * rows / machine.threads);
    let divides = |part: &i64| rows % part == 0;
    let fewer = (MIN_ROWS_OF_ATTENTION..=fitting).rev().find(divides);
    let more = || (MIN_ROWS_OF_ATTENTION.max(fitting)..=rows).find(divides);
    fewer.or_else(more).unwrap_or(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_of_attention_divide_the_rows() {
        let machine = Machine::new(512);
        for (batch, rows, scores, block) in [
            (8, 1500, 1500, 100),
            (12, 512, 512, 256),
            // Blocks for eight threads, but no fewer rows than a tile has.
            (1, 128, 128, 16),
            (1, 96, 96, 16),
            (2, 40, 40, 20),
            (1, 7, 7, 7),
            // A prime number.
            (1, 197, 197, 197),
        ] {
            assert_eq!(
                rows_of_attention(batch, rows, scores, machine),
                block,
                "{rows}"
            );
        }
    }
}
