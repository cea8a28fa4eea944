//! Tiles of a result that are kept in vector registers while what is multiplied streams past.

use super::{Cycles, waste};
use crate::schedule::Machine;

/// A tile of sums in registers: some numbers, each shared by all lanes of a vector, meet some registers of
/// vectors. A step of the reduction loads all of them, for `numbers` times `vectors` multiply-adds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RegisterTile {
    /// Pixels of a convolution, rows of a product.
    pub numbers: i64,
    /// Registers of output channels or of columns.
    pub vectors: i64,
}

impl RegisterTile {
    /// The multiply-adds of a step.
    pub fn multiply_adds(self) -> f64 {
        (self.numbers * self.vectors) as f64
    }

    /// Loads for each multiply-add.
    pub fn loads(self) -> f64 {
        (self.numbers + self.vectors) as f64 / self.multiply_adds()
    }
}

/// So many multiply-adds of vectors, each of so many loads, as those of a convolution are.
pub fn loads(multiply_adds: f64, loads: f64, machine: Machine) -> Cycles {
    Cycles(machine.fitted.cycles_of_load * (multiply_adds * loads))
}

/// A step of a convolution's tile: each number meets each vector of the weight. As many multiply-adds begin at a time as
/// the processor can, each waiting for the one before it in its own sum.
pub fn step(tile: RegisterTile, machine: Machine) -> Cycles {
    let sums = tile.numbers * tile.vectors;
    let weight = machine.fitted.loads_of_weight * tile.vectors as f64;
    let loads = (tile.numbers + tile.vectors) as f64 + weight;
    let busy = of_each(sums, machine) * sums as f64;
    Cycles((machine.fitted.cycles_of_load * loads).max(busy))
}

/// So many multiply-adds of vectors of a convolution on packed channels, along rows of `width` pixels and as many `vectors` of
/// output channels, which are cut into tiles. What these do not divide is computed twice.
pub fn convolution(
    multiply_adds: f64,
    [width, vectors]: [i64; 2],
    tile: RegisterTile,
    machine: Machine,
) -> Cycles {
    let each = tile.loads() + machine.fitted.loads_of_weight / tile.numbers as f64;
    let wasted = waste(width, tile.numbers) * waste(vectors, tile.vectors);
    loads(multiply_adds, wasted * each, machine)
}

/// Blocks of channels that a tile of a convolution holds at most. More leave registers for fewer than eight pixels.
pub const MOST_BLOCKS: i64 = 4;

/// The product of a matrix of `rows` and one of `columns`.
#[derive(Clone, Copy, Debug)]
pub struct Extents {
    /// The rows of the result.
    pub rows: i64,
    /// The columns of the result.
    pub columns: i64,
}

/// So many multiply-adds of vectors of a product whose result is cut into tiles of so many rows, and of vectors of
/// `lanes`, each of some registers. What the tiles do not divide is computed twice, the last tile being
/// shifted inwards.
pub fn product(
    multiply_adds: f64,
    extents: Extents,
    tile: RegisterTile,
    columns: i64,
    machine: Machine,
) -> Cycles {
    let wasted = waste(extents.rows, tile.numbers) * waste(extents.columns, columns);
    // A product waits for the one before it in its own chain; others fill the time.
    let in_flight = (machine.fma_per_cycle * machine.fma_latency) as f64;
    let busy = (in_flight / tile.multiply_adds()).max(1.0);
    let (numbers, vectors) = (tile.numbers as f64, tile.vectors as f64);
    let far_loads = (numbers + machine.fitted.column_loads * vectors) / tile.multiply_adds();
    let per_load = 1.0 / machine.loads_per_cycle as f64;
    let each = wasted * busy * (tile.loads().max(1.0) + per_load * far_loads);
    Cycles(multiply_adds / machine.fma_per_cycle as f64 * each)
}

/// The cycles of a multiply-add of vectors whose tile of sums is so large: as many begin at a time as the processor can, but
/// each waits for the one before it in its own sum.
pub(super) fn of_each(sums: i64, machine: Machine) -> f64 {
    let in_flight = (machine.fma_per_cycle * machine.fma_latency) as f64;
    (in_flight / sums as f64).max(1.0) / machine.fma_per_cycle as f64
}

/// So many multiply-adds of vectors of a depthwise convolution, along rows of `width` pixels of which `columns` have their
/// sums in registers. Each reads its data; they share the weight. Neighbouring tiles hide each other's latency.
pub fn depthwise(multiply_adds: f64, width: i64, columns: i64, machine: Machine) -> Cycles {
    let each_loads =
        (columns + 1) as f64 / columns as f64 * machine.fitted.cycles_of_depthwise_load;
    let in_flight = machine.fma_per_cycle * machine.fma_latency;
    let more = match columns < width {
        true => (columns - in_flight).max(0),
        false => 0,
    };
    let each = each_loads + machine.fitted.cycles_of_more_columns * more as f64;
    Cycles(multiply_adds * waste(width, columns) * each)
}

/// So many vectors that pools of pixels take the maximum or the sum of, an element of a window after the other.
pub fn pool(vectors: f64, machine: Machine) -> Cycles {
    let waits = machine.fma_latency as f64 / machine.fitted.pools_under_way;
    Cycles(vectors * waits.max(1.0 / machine.loads_per_cycle as f64))
}

/// So many multiply-adds or other sums of vectors along rows of `width` elements that are cut into tiles of so many
/// `columns`; numbers of the other operand are shared by all vectors of a tile.
pub fn along_rows(
    multiply_adds: f64,
    width: i64,
    tile: RegisterTile,
    columns: i64,
    machine: Machine,
) -> Cycles {
    let each_loads = tile.loads() / machine.loads_per_cycle as f64;
    let each = of_each(tile.numbers * tile.vectors, machine).max(each_loads);
    // Of equally fast tiles, the one with fewer loads leaves more room for others.
    let spare = machine.fitted.spare_loads * each_loads;
    Cycles(multiply_adds * waste(width, columns) * (each + spare))
}
