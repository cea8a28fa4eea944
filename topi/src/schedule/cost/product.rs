//! What comes outside of the tiles of a product.

use super::registers::Extents;
use crate::schedule::{Machine, machine::F32_BYTES};

/// Of fewer tiles of rows, what a tile of columns reads is used too seldom to be copied before. Fitted by hand:
/// products of some rows with a matrix of 1024 x 1024.
const MIN_TILES_OF_COPY: i64 = 4;

/// Whether what so many tiles of rows read of the second operand is worth being copied together, where it lies scattered.
pub fn is_worth_copying(tiles: i64) -> bool {
    tiles >= MIN_TILES_OF_COPY
}

/// A row of the result is so many times as long as one of the first operand where writing takes most of the time.
/// Fitted by hand: scores of attention, 4096 x 40 by 40 x 4096.
const WRITES: i64 = 16;

/// Whether writing the result of a product takes most of its time, as of the scores of attention: it is far larger than the
/// operands, of which the cache holds the second. `depth` is what is summed over.
pub fn writes_most(extents: Extents, depth: i64, machine: Machine) -> bool {
    let Extents { rows, columns } = extents;
    columns >= WRITES * depth
        && machine.stays_in_l2(F32_BYTES * depth * columns)
        && F32_BYTES * rows * columns > machine.l2_bytes
}
