//! Convolutions on packed channels.

use super::{
    Cycles,
    registers::{self, RegisterTile},
    waste,
};
use crate::schedule::Machine;
use relay_dialects::index::ceil_div;

/// A convolution [n, c, y, x, lane].
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Multiply-adds of numbers.
    pub work: i64,
    /// The elements of a window, each of all input channels.
    pub taps: i64,
    /// The channels of the data that each output is the sum of.
    pub inputs: i64,
    /// The rows of pixels of all samples.
    pub rows: i64,
    /// The rows of pixels of a sample.
    pub height: i64,
    /// The pixels of a row.
    pub width: i64,
    /// The blocks of channels of the result, of one group.
    pub blocks: i64,
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

    /// The pixels of a row, and the vectors of output channels.
    fn extents(self, machine: Machine) -> [i64; 2] {
        [self.width, self.blocks * machine.registers_of(self.lanes)]
    }
}

/// Whether the weight of a convolution stays in the cache, so that all of it can meet one row of
/// pixels before the next one.
pub fn keeps_weight(bytes: i64, machine: Machine) -> bool {
    machine.stays_in_l2(bytes)
}

/// All channels of a row of pixels before the next row, which reads all of the weight again.
pub fn by_rows(shape: Shape, tile: RegisterTile, machine: Machine) -> Cycles {
    let extents = shape.extents(machine);
    let sums = registers::convolution(shape.multiply_adds(machine), extents, tile, machine);
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
    let extents = shape.extents(machine);
    let sums = registers::convolution(shape.multiply_adds(machine), extents, tile, machine);
    sums + far(shape.data_bytes, machine)
}

/// A block of input channels meets all pixels before the next one.
pub fn by_inputs(shape: Shape, tile: RegisterTile, machine: Machine) -> Cycles {
    // Between two visits of a sum lie the products of a block of inputs.
    let kept = machine.fitted.loads_of_sums / (shape.taps * shape.lanes) as f64;
    let near = machine.fitted.loads_of_near_weight / tile.numbers as f64;
    let loads = tile.loads() + near + kept;
    let wasted = waste(shape.width, tile.numbers);
    let sums = registers::loads(shape.multiply_adds(machine) * wasted, loads, machine);
    sums + far(shape.data_bytes, machine)
}

/// One tap after the other of all pixels of a row that it meets data from, as `met` says of the rows and columns of the
/// window. The row's sums are read and written for each.
pub fn by_taps(
    shape: Shape,
    [rows, columns]: &[Vec<(i64, i64)>; 2],
    tile: RegisterTile,
    machine: Machine,
) -> Cycles {
    let wide = machine.registers_of(shape.lanes);
    let samples = shape.rows as f64 / shape.height.max(1) as f64;
    let met: i64 = rows.iter().map(|(first, end)| end - first).sum();
    // The tiles of channels of a pixel, of all groups.
    let places = shape.rows * shape.width * shape.taps * shape.inputs;
    let groups = shape.multiply_adds(machine) / (places * shape.blocks * wide).max(1) as f64;
    let tiles = groups * ceil_div(shape.blocks * wide, tile.vectors) as f64;
    // Between two visits of a sum lie the products of a tap.
    let kept = machine.fitted.cycles_of_load * machine.fitted.loads_of_sums;
    let of_tile = |numbers: i64| {
        let tile = RegisterTile { numbers, ..tile };
        let step = registers::step(tile, machine);
        shape.inputs as f64 * step.0 + kept * (numbers * tile.vectors) as f64
    };
    let of_tap = |&(first, end): &(i64, i64)| -> f64 {
        let starts = (0..shape.width).step_by(tile.numbers.max(1) as usize);
        let met = starts.map(|start| end.min(start + tile.numbers) - first.max(start));
        met.filter(|numbers| *numbers > 0).map(of_tile).sum()
    };
    let of_row: f64 = columns.iter().map(of_tap).sum();
    let slowdown = match spills_taps(shape.width, tile, machine) {
        true => machine.fitted.slowdown_of_spilled_taps,
        false => 1.0,
    };
    // Nothing asks for the weight ahead, as a tap lies in it in pieces of 1 KB. These come at half of memory's rate: the
    // convolution of [`unasked`] takes 0.18 ms more in the network than by itself (Zen 5).
    let weight = unasked(2 * shape.weight_bytes, machine);
    Cycles(samples * met as f64 * tiles * of_row * slowdown)
        + weight
        + far(shape.data_bytes, machine)
}

/// A loop of so many iterations is unrolled by LLVM although its body is large.
const FEW_TILES: i64 = 3;

/// Whether the sums of a row of pixels that meets one tap after the other are spilled; see `slowdown_of_spilled_taps`.
fn spills_taps(width: i64, tile: RegisterTile, machine: Machine) -> bool {
    let tiles = ceil_div(width, tile.numbers);
    (2..=FEW_TILES).contains(&tiles) && width * tile.vectors > machine.registers
}

/// Bytes of a weight that is waited for: other layers have driven it out of the caches since the last run. The 3 x 3
/// convolution of ResNet-18 from 256 to 512 channels takes 0.09 ms more in the network than by itself where its weight of
/// 4.7 MB is not asked for ahead, and no more where it is (Zen 5, 41 GB/s from memory).
pub fn unasked(bytes: i64, machine: Machine) -> Cycles {
    Cycles(bytes as f64 / machine.memory_bytes_per_cycle)
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

/// Padding, and reading what the first cache has lost of a band. It loses the more, the larger a band is: nothing of one that is
/// half as large, all of one that is half as large again.
pub fn padded(bands: Bands, machine: Machine) -> Cycles {
    let bytes = bands.rows * bands.row_bytes;
    let vectors = (bands.count * bytes) as f64 / (machine.vector_bits / 8) as f64;
    let beyond = (bytes - machine.kept_in_l1()) as f64 / machine.l1_bytes as f64;
    let again = (bands.results * bands.kernel * bands.row_bytes) as f64 * beyond.clamp(0.0, 1.0);
    let rate = machine.fitted.rate_of_padded_rows * machine.l2_bytes_per_cycle;
    Cycles(machine.fitted.cycles_of_padded_vector * vectors + again / rate)
}
