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

/// Bytes of rows that are padded before they are read.
pub fn padding(bytes: i64, machine: Machine) -> Cycles {
    Cycles(bytes as f64 / machine.l2_bytes_per_cycle)
}
