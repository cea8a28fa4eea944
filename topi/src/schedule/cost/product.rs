//! What comes outside of the tiles of a product.

use super::{
    Cycles,
    registers::{self, Extents},
};
use crate::schedule::{F32_BYTES, Machine};
use relay_dialects::index::{ceil_div, gcd};

/// Of fewer tiles of rows, what a tile of columns reads is used too seldom to be copied before. Fitted by hand:
/// products of some rows with a matrix of 1024 x 1024.
const MIN_TILES_OF_COPY: i64 = 4;

/// Whether what so many tiles of rows read of the second operand is worth being copied together, where it lies scattered.
pub fn is_worth_copying(tiles: i64) -> bool {
    tiles >= MIN_TILES_OF_COPY
}

/// Of fewer rows of a part, widening a vector of the second operand takes more than a twentieth of the part's time. Derived: loading, widening
/// and storing it takes three cycles, and a multiply-add with each row at most one (16 rows took 1.17 times as long as in f32, Zen 4).
const MIN_ROWS_OF_WIDENING: i64 = 64;

/// Whether so many rows that meet a panel of the second operand hide that it is widened for them.
pub fn is_worth_widening(rows: i64) -> bool {
    rows >= MIN_ROWS_OF_WIDENING
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

/// The rows of a strip of the second operand, each of so many bytes, that stays in the first cache: at least, so that the sums are seldom
/// read and written, and at most. Fitted by hand: strips of 128 to 512 rows of 16 columns take the same time, of 1024 rows 1.2 times as long
/// (128 x 4096 by 4096 x 1024, Zen 3).
pub fn lengths_of_strip(row_bytes: i64, machine: Machine) -> (i64, i64) {
    let most = machine.l1_bytes / row_bytes.max(1);
    ((most / 4).max(1), most)
}

/// What it takes to keep the sums of so many multiply-adds of vectors in memory between strips of so many rows.
pub fn kept_sums(multiply_adds: f64, depth: i64, machine: Machine) -> Cycles {
    let loads = machine.fitted.loads_of_sums / depth as f64;
    registers::loads(multiply_adds, loads, machine)
}

/// The bytes of a way of the first cache. On x86-64 a way is a page: the set of a line follows from the bits of its address in the page, which
/// translation leaves (32 KiB of 8 ways on Zen 4, 48 KiB of 12 on Intel since Ice Lake).
const WAY_BYTES: i64 = 4096;

/// The cycles until a line is back that others of its set have pushed out of the first cache. Fitted by hand to 64 x 1024 by 1024 x 2816 on
/// Zen 4: a row of a tile of 11 rows takes 1.04 times, one of 13 rows 1.16 times as long as one of 8.
const CYCLES_OF_CROWDED_LINE: f64 = 0.5;

/// What so many steps of a tile take longer because its rows of the first operand push each other out of the first cache. A step reads one
/// element of each row. Rows lie `pitch` bytes apart; those that lie whole ways apart have their lines in one set, which holds as many as there are
/// ways.
pub fn crowded_rows(steps: f64, rows: i64, pitch: i64, machine: Machine) -> Cycles {
    let sets = WAY_BYTES / gcd(pitch, WAY_BYTES);
    let more = ceil_div(rows, sets) - machine.l1_bytes / WAY_BYTES;
    let crowded = sets * more.max(0);
    Cycles(steps * crowded as f64 * CYCLES_OF_CROWDED_LINE)
}

/// Bytes of the second operand that come once more, a tile of columns at a time, from the cache that cores share. Products of 128 x 11008 by
/// 11008 x 4096, 128 x 4096 by 4096 x 11008, 512 x 4096 by 4096 x 4096 and 1024 x 1024 by 1024 x 1024 took as much longer than their
/// multiply-adds (Zen 3).
pub fn columns_again(bytes: f64, machine: Machine) -> Cycles {
    Cycles(bytes / machine.l3_bytes_per_cycle)
}

/// The bytes in a cycle in which the first operand comes once more from the cache that cores share: row after row, as the processor asks for them
/// itself. Fitted by hand: 16 to 20 in the products of [`columns_again`], in strips.
const BYTES_OF_ROWS_PER_CYCLE: f64 = 16.0;

/// Bytes of the first operand that come once more.
pub fn rows_again(bytes: f64) -> Cycles {
    Cycles(bytes / BYTES_OF_ROWS_PER_CYCLE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_a_page_apart_crowd_a_set() {
        let machine = Machine::new(512);
        let cycles = |rows, depth| crowded_rows(1.0, rows, F32_BYTES * depth, machine).0;
        assert_eq!(cycles(8, 1024), 0.0);
        assert!(cycles(13, 1024) > cycles(9, 1024));
        assert_eq!(cycles(13, 3072), cycles(13, 1024));
        // Two sets hold them, or four.
        assert_eq!(cycles(14, 512), 0.0);
        assert_eq!(cycles(14, 768), 0.0);
        // One column, and none.
        assert_eq!(cycles(14, 1), 0.0);
        assert!(cycles(14, 0) > 0.0);
    }
}
