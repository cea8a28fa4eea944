//! Products on AMX's tiles of bf16.

use super::Cycles;
use crate::intrin::x86_amx::Limits;

/// Multiply-adds of numbers in a cycle: `tdpbf16ps` does 16 x 16 x 32 of them, and begins every 16 cycles (Intel's
/// optimization manual, "Intel AMX").
const PRODUCTS_PER_CYCLE: f64 = 512.0;

/// So many multiply-adds of numbers.
pub fn products(multiply_adds: i64) -> Cycles {
    Cycles(multiply_adds as f64 / PRODUCTS_PER_CYCLE)
}

/// How many multiply-adds AMX tiles do in the time of one of a vector's. Derived: [`PRODUCTS_PER_CYCLE`] of numbers,
/// beside two vectors of 16.
const SPEED: i64 = 16;

/// Whether threads should share so many multiply-adds of numbers on AMX tiles, whose sums are read in vectors of `lanes`.
pub fn is_worth_sharing(multiply_adds: i64, lanes: i64) -> bool {
    super::is_worth_sharing(multiply_adds / (SPEED * lanes))
}

/// What decides on AMX tiles beside the shapes. A sum may be added to again after 52 cycles, the latency of `tdpbf16ps` on
/// Sapphire Rapids (Intel's optimization manual); the instruction starts a row of its result in each cycle. Steps of
/// the reduction that would fill less than half of a tile's rows are left to vectors: by hand.
pub const LIMITS: Limits = Limits {
    latency: 52,
    least_step: 16,
};

/// Fewer input channels, as of an image, are read where they are, by vectors. By hand: of 16 numbers of a block, those of four
/// would be channels.
pub const MIN_CHANNELS: i64 = 5;

/// So many groups of a convolution are computed together at most: as many times the products that are needed. Derived:
/// half of [`SPEED`].
pub const MOST_GROUPS: i64 = SPEED / 2;
