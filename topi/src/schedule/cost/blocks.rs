//! Products with weights of few bits in blocks, of data that are bytes.

use super::{
    Cycles,
    registers::{Extents, of_each},
    waste,
};
use crate::schedule::{F32_BYTES, Machine};
use relay_dialects::relay::ops::blocks::Grain;

/// Whether a product takes less time with data in three bytes than in f32. Where an instruction adds four products to a lane, three
/// instructions do the work of four multiply-adds. Where one adds two, bytes take several times as long: 128 x 4096 by 4096 x 4096 took
/// 140 ms on a core of Zen 4 compiled for x86-64-v3, and f32 takes 36 ms at the peak of its multiply-adds.
pub fn are_bytes_faster(machine: Machine) -> bool {
    machine.sums_bytes()
}

/// The operations on vectors that make a float of the digits of a block's sum, apply the zero point and the scale, and add it, beside
/// those for each digit. Counted: the zero point's product, two scales, the sum, and the loads of scale and zero point.
const OPERATIONS_OF_BLOCK: f64 = 6.0;

/// The operations for each digit of a block's sum. Counted: a conversion to f32 and a multiply-add.
const OPERATIONS_OF_DIGIT: f64 = 2.0;

/// A tile of rows and vectors in registers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tile {
    /// Its rows.
    pub rows: i64,
    /// Its vectors of columns.
    pub vectors: i64,
    /// The digits of the data.
    pub digits: i64,
}

/// The rows and the vectors of the tiles to choose from.
pub const MOST_ROWS: i64 = 8;
/// See [`MOST_ROWS`].
pub const MOST_VECTORS: i64 = 8;

/// The most words of a block that are written out. Counted: with two parts, six sums and four words there are 48 products, among which
/// a step of a loop takes no time.
pub const MOST_WORDS: i64 = 4;

impl Tile {
    /// The registers of the sums of a block, of the bytes of a word of each vector, and of the mask.
    pub fn registers(&self) -> i64 {
        self.rows * self.vectors * self.digits + self.vectors + 1
    }
}

/// A product of so many rows and columns, in tiles of vectors of `lanes`. A word of the weight becomes bytes once for all rows of a tile.
/// Loads take their time beside the products: tiles of 4 x 2, 4 x 1 and 8 x 1 rows and vectors took 1.23, 1.9 and 2.0 cycles for a product
/// (128 x 4096 by 4096 x 4096, Zen 4). The words of a tile's columns come from the second cache for each tile of rows.
pub fn product(
    extents: Extents,
    grain: &Grain,
    (tile, lanes): (Tile, i64),
    machine: Machine,
) -> Cycles {
    let Extents { rows, columns } = extents;
    let wasted = waste(rows, tile.rows) * waste(columns, tile.vectors * lanes);
    let wide = machine.registers_of(lanes) as f64;
    let tiles = (rows * columns) as f64 / (tile.rows * tile.vectors * lanes) as f64;
    let (all_rows, vectors) = (tile.rows as f64, tile.vectors as f64);
    let parts = grain.parts() as f64;
    // Each part of a word is shifted and masked.
    let unpack = vectors * 2.0 * parts;
    let sums = tile.rows * tile.vectors * tile.digits;
    let dots = parts * sums as f64;
    // A word of the data is loaded for each digit of a row, and shared by the vectors.
    let loads = vectors + parts * (tile.rows * tile.digits) as f64;
    let of_word = dots * of_each(sums, machine)
        + unpack / machine.fma_per_cycle as f64
        + loads * machine.fitted.cycles_of_load
        + vectors * (F32_BYTES * lanes) as f64 / machine.l2_bytes_per_cycle;
    let operations = OPERATIONS_OF_BLOCK + OPERATIONS_OF_DIGIT * tile.digits as f64;
    let of_block = all_rows * vectors * operations / machine.fma_per_cycle as f64;
    let row = grain.blocks as f64 * (grain.words() as f64 * of_word + of_block);
    Cycles(tiles * wide * row * wasted)
}
