//! Products on AMX tiles, of bf16 and of bytes.

use super::{Cycles, Machine};
use crate::{
    intrin::x86_amx::{BLOCK, Limits, Numbers, Prefetch},
    schedule::F32_BYTES,
};
use relay_dialects::{Element, index::ceil_div};
use relay_machine::units::AMX_BF16;

/// Whether a machine has tile registers that multiply bf16.
pub fn multiplies_bf16(machine: Machine) -> bool {
    multiplies(machine, Element::Bf16, Element::Bf16)
}

/// Whether a machine has tile registers that multiply unsigned bytes by signed ones.
pub fn multiplies_bytes(machine: Machine) -> bool {
    multiplies(machine, Element::U8, Element::I8)
}

fn multiplies(machine: Machine, lhs: Element, rhs: Element) -> bool {
    let unit = machine.units.find(lhs, rhs);
    unit.is_some_and(|unit| unit.is_of_tiles)
}

/// So many multiply-adds: of numbers of bf16, or of words of bytes.
pub fn products(numbers: Numbers, multiply_adds: i64) -> Cycles {
    let unit = numbers.unit();
    let together = match numbers {
        Numbers::Bf16 => 1,
        Numbers::Bytes | Numbers::Words => unit.pack,
    };
    Cycles((multiply_adds * together) as f64 / unit.per_cycle)
}

/// How many multiply-adds AMX tiles do in the time of one of a vector's. Derived: the unit's multiply-adds in a cycle,
/// beside two vectors of 16.
const SPEED: i64 = 16;

/// Whether threads should share so many multiply-adds of numbers on AMX tiles, whose sums are read in vectors of `lanes`.
pub fn is_worth_sharing(multiply_adds: i64, lanes: i64) -> bool {
    super::is_worth_sharing(multiply_adds / (SPEED * lanes))
}

/// What decides on AMX tiles beside the shapes. The instruction starts a row of its result in each cycle. Steps of bf16 that
/// would fill less than half of a tile's rows are left to vectors: by hand. Steps of bytes fill a quarter of them at least: then
/// tiles multiply 256 bytes in a cycle, and two vectors 128.
pub const fn limits(numbers: Numbers) -> Limits {
    Limits {
        latency: AMX_BF16.latency,
        least_words: match numbers {
            Numbers::Bf16 => 8,
            Numbers::Bytes | Numbers::Words => 4,
        },
        prefetch: PREFETCH,
    }
}

/// Each fourth row, to the second cache, because a tile of columns is longer than the first one. Measured with BERT-base in bytes (85 MB of
/// weights, Sapphire Rapids, 1 thread): it took more time without prefetches, and with one for each row. Prefetches take the time of loads,
/// and the processor fetches neighbouring rows itself.
const PREFETCH: Prefetch = Prefetch {
    each_row: 4,
    locality: 2,
};

/// The channels in a block of a convolution's data that fill a row of a tile. Derived: the numbers in its 16 words.
pub fn data_block(numbers: Numbers) -> i64 {
    BLOCK * numbers.of_word()
}

/// The channels in a block of the result of a convolution. The next convolution reads them in such blocks: as many as fill a row
/// of its tiles, or half of one, where they divide the tiles of sums.
pub fn result_block(numbers: Numbers, channels: i64) -> i64 {
    let filled = ceil_div(channels, BLOCK) * BLOCK;
    let divides = |block: &i64| filled % block == 0;
    let row = data_block(numbers);
    [row, row / 2].into_iter().find(divides).unwrap_or(BLOCK)
}

/// Fewer input channels, as of an image, do not go into blocks of tiles. By hand: of 16 numbers of a block, those of four would be
/// channels.
pub const MIN_CHANNELS: i64 = 5;

/// The channels in a block of such data of bf16, which are two words.
pub const IMAGE_BLOCK: i64 = 4;

/// Whether tiles multiply an image with this number of channels: a row of the kernel, `columns` pixels wide, fills a step.
pub fn takes_image(channels: i64, columns: i64) -> bool {
    let words = IMAGE_BLOCK / Numbers::Bf16.of_word() * columns;
    channels < MIN_CHANNELS && words >= limits(Numbers::Bf16).least_words
}

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
