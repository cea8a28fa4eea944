//! Convolutions on packed channels.

use super::{
    Cycles,
    registers::{self, RegisterTile},
    waste,
};
use crate::schedule::Machine;

/// A convolution [n, c, y, x, lane].
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Multiply-adds of numbers.
    pub work: i64,
    /// The rows of pixels of all samples.
    pub rows: i64,
    /// The pixels of a row.
    pub width: i64,
    /// The channels of a block of the result.
    pub lanes: i64,
    /// The bytes of the weight.
    pub weight_bytes: i64,
    /// The bytes of the data that is read.
    pub data_bytes: i64,
}

impl Shape {
    /// Multiply-adds of registers.
    fn multiply_adds(self, machine: Machine) -> f64 {
        (self.work / self.lanes.max(1) * machine.registers_of(self.lanes)) as f64
    }
}

/// Whether the weight of a convolution stays in the cache, so that all of it can meet one row of
/// pixels before the next one.
pub fn keeps_weight(bytes: i64, machine: Machine) -> bool {
    machine.stays_in_l2(bytes)
}

/// All channels of a row of pixels before the next row, which reads all of the weight again.
pub fn by_rows(shape: Shape, tile: RegisterTile, machine: Machine) -> Cycles {
    let sums = registers::convolution(shape.multiply_adds(machine), shape.width, tile);
    let times = if keeps_weight(shape.weight_bytes, machine) {
        0
    } else {
        shape.rows
    };
    sums + far(times * shape.weight_bytes, machine)
}

/// All rows of some channels before the next ones. The data is another thread's that computed its rows, and
/// comes from its cache.
pub fn by_channels(shape: Shape, tile: RegisterTile, machine: Machine) -> Cycles {
    let sums = registers::convolution(shape.multiply_adds(machine), shape.width, tile);
    sums + far(shape.data_bytes, machine)
}

/// Of [`registers::convolution`]'s loads of a weight, what is left of one that comes from the first cache. Fitted by
/// hand, as the next one: the last 3 x 3 convolution of ResNet-50, 1.0 ms as [`by_channels`] with tiles of seven columns,
/// 0.84 ms so; with ten columns and more there was no gain.
const LOADS_OF_NEAR_WEIGHT: f64 = 1.5;

/// The loads for each multiply-add that it takes to keep sums in memory between blocks of inputs.
const LOADS_OF_SUMS: f64 = 0.15;

/// A block of input channels meets all pixels before the next one.
pub fn by_inputs(shape: Shape, tile: RegisterTile, machine: Machine) -> Cycles {
    let loads = tile.loads() + LOADS_OF_NEAR_WEIGHT / tile.numbers as f64 + LOADS_OF_SUMS;
    let wasted = waste(shape.width, tile.numbers);
    let sums = registers::loads(shape.multiply_adds(machine) * wasted, loads);
    sums + far(shape.data_bytes, machine)
}

/// Bytes from the cache that cores share.
fn far(bytes: i64, machine: Machine) -> Cycles {
    Cycles(bytes as f64 / machine.l3_bytes_per_cycle)
}

/// Rows that are padded, a band at a time, before a depthwise convolution reads them.
#[derive(Clone, Copy, Debug)]
pub struct Bands {
    /// The bands.
    pub count: i64,
    /// The padded rows of a band.
    pub rows: i64,
    /// The bytes of a padded row.
    pub row_bytes: i64,
    /// The rows of the result.
    pub results: i64,
    /// The rows of the kernel, of which each reads a padded row for each row of the result.
    pub kernel: i64,
}

/// The cycles in which a vector is padded: whether it is inside is asked, and it is read and written. Fitted, see
/// [`registers::depthwise`].
const CYCLES_OF_PADDED_VECTOR: f64 = 2.45;

/// What part of the second cache's rate rows have that were written a moment ago. Fitted as well.
const RATE_OF_PADDED_ROWS: f64 = 0.4;

/// Padding, and reading what the first cache has lost of a band. It loses the more, the larger a band is: nothing of one that is
/// half as large, all of one that is half as large again.
pub fn padded(bands: Bands, machine: Machine) -> Cycles {
    let bytes = bands.rows * bands.row_bytes;
    let vectors = (bands.count * bytes) as f64 / (machine.vector_bits / 8) as f64;
    let beyond = (bytes - machine.kept_in_l1()) as f64 / machine.l1_bytes as f64;
    let again = (bands.results * bands.kernel * bands.row_bytes) as f64 * beyond.clamp(0.0, 1.0);
    let rate = RATE_OF_PADDED_ROWS * machine.l2_bytes_per_cycle;
    Cycles(CYCLES_OF_PADDED_VECTOR * vectors + again / rate)
}
