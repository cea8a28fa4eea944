//! Winograd's algorithm beside the plain sum.

use super::{Cycles, fewest, goal::Goal, registers, waste};
use crate::schedule::{F32_BYTES, Machine};
use relay_dialects::index::ceil_div;

/// A convolution with stride 1.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// The results' places: samples, rows, columns.
    pub places: [i64; 3],
    /// Input and output channels.
    pub channels: [i64; 2],
    /// The kernel's rows and columns.
    pub kernel: [i64; 2],
}

/// The results of a tile, in one dimension, to choose from.
const TILES: [i64; 2] = [2, 4];

/// The places of a transformed tile at most, in one dimension: where a kernel has one row or one column, and otherwise.
/// Errors grow with the places of each dimension. Those of F(4, 5), with 8 places, are smaller than those of F(4 x 4, 3 x 3):
/// 3e-6 and 1e-5 of the largest result (256 channels).
const MOST_PLACES: [i64; 2] = [8, 6];

/// Multiply-adds of vectors in a cycle, of two at best, of the plain sum and of the products of Winograd's
/// algorithm alike. Fitted by hand: 70 of 100 of the peak.
pub const PRODUCTS_PER_CYCLE: f64 = 1.4;

/// The tiles by whose results a convolution can be computed: none if its kernel has one place, or too many. None either if
/// its rows and columns differ, as in 3 x 5: the transforms of its tiles cannot be lowered yet.
pub fn tiles(shape: Shape) -> impl Iterator<Item = i64> {
    let [rows, columns] = shape.kernel;
    let (shortest, longest) = (rows.min(columns), rows.max(columns));
    let is_transformed = longest > 1 && (shortest == 1 || shortest == longest);
    let most = MOST_PLACES[usize::from(shortest > 1)];
    let is_exact = move |tile: &i64| is_transformed && tile + longest - 1 <= most;
    TILES.into_iter().filter(is_exact)
}

/// The results of a tile with which a convolution costs least, if it is not the plain sum: an estimate from the vector
/// instructions of each part and the bytes of the weight. For a small library, each byte that the weight grows by has a
/// price: a larger tile must save as many cycles.
pub fn choose_tile(shape: Shape, goal: Goal, machine: Machine) -> Option<i64> {
    let cost = |tile: &i64| {
        let more = shape.elements(*tile) - shape.elements(1);
        in_tiles(shape, *tile, machine) + goal.price(more)
    };
    let tile = fewest(tiles(shape), cost)?;
    (cost(&tile) < plain(shape, machine)).then_some(tile)
}

impl Shape {
    /// The extents of a tile: a kernel of one row has one row of results.
    fn tile(self, tile: i64) -> [i64; 2] {
        self.kernel.map(|extent| if extent == 1 { 1 } else { tile })
    }

    /// The elements of the weight for tiles; of tiles of one result, those of the model's.
    fn elements(self, tile: i64) -> f64 {
        let [rows, columns] = self.tile(tile);
        let of_channels = (rows + self.kernel[0] - 1) * (columns + self.kernel[1] - 1);
        (of_channels * self.channels[0] * self.channels[1]) as f64
    }
}

/// The sum as it is written.
fn plain(shape: Shape, machine: Machine) -> Cycles {
    let places = shape.places.iter().product::<i64>() as f64;
    let weights = shape.elements(1);
    let products = places * weights / machine.block() as f64;
    Cycles(products / PRODUCTS_PER_CYCLE) + weight(weights, machine)
}

fn in_tiles(shape: Shape, tile: i64, machine: Machine) -> Cycles {
    let [samples, rows, columns] = shape.places;
    let weights = shape.elements(tile);
    let tile = shape.tile(tile);
    let tiles = samples * ceil_div(rows, tile[0]) * ceil_div(columns, tile[1]);
    let [inputs, outputs] = shape.channels;
    let elements = (tile[0] + shape.kernel[0] - 1) * (tile[1] + shape.kernel[1] - 1);
    let lanes = machine.block() as f64;
    let products = tiles as f64 * weights / lanes / PRODUCTS_PER_CYCLE;
    let transforms = (elements * (inputs + outputs) * tiles) as f64 / lanes;
    let dims = shape.kernel.iter().filter(|extent| **extent > 1).count();
    // What is fitted is of transforms of both dimensions.
    let cycles = machine.fitted.cycles_of_transform * dims as f64 / 2.0;
    Cycles(products + cycles * transforms) + weight(weights, machine)
}

/// A weight that comes from behind the core's own cache.
fn weight(elements: f64, machine: Machine) -> Cycles {
    Cycles(F32_BYTES as f64 * elements / machine.l3_bytes_per_cycle)
}

/// A convolution after its transforms.
#[derive(Clone, Copy, Debug)]
pub struct Transformed {
    /// The elements of a tile of the transformed data.
    pub elements: i64,
    /// Input channels.
    pub inputs: i64,
    /// Output channels.
    pub outputs: i64,
    /// The vectors that these are.
    pub vectors: i64,
    /// The number of tiles.
    pub tiles: i64,
}

impl Transformed {
    /// The elements of data and result of one tile.
    pub fn elements_of_tile(self) -> i64 {
        self.elements * (self.inputs + self.outputs)
    }

    fn weight_bytes(self) -> i64 {
        F32_BYTES * self.elements * self.inputs * self.outputs
    }
}

/// Tiles of a group at least: fewer have register tiles of fewer columns. Fitted by hand: convolutions of 28 x 28 pixels or
/// less.
pub const LEAST_GROUP: i64 = 12;

/// The transforms and the products, of a group of tiles at a time, or of all; a register tile holds products of some tiles of
/// a group. What lies between stages comes from the second cache, where a group fits, or from further away. Each group reads the
/// weight, which comes while products are computed: tiles ask for the next panel. Some threads are idle at the end, if their
/// number does not divide that of groups.
pub fn in_groups(
    shape: Transformed,
    group: Option<i64>,
    tile: registers::RegisterTile,
    machine: Machine,
) -> Cycles {
    let length = group.unwrap_or(shape.tiles).max(1);
    let groups = ceil_div(shape.tiles, length);
    let tiles = (groups * length) as f64;
    let lanes = machine.block() as f64;
    let products = tiles * (shape.elements * shape.inputs * shape.outputs) as f64 / lanes;
    let extents = [length, shape.vectors];
    let Cycles(sums) = registers::convolution(products, extents, tile, machine);
    let between = tiles * shape.elements_of_tile() as f64;
    let transforms = machine.fitted.cycles_of_transform * between / lanes;
    let per_cycle = if machine.stays_in_l2(shape.weight_bytes()) {
        machine.l2_bytes_per_cycle
    } else {
        machine.l3_bytes_per_cycle
    };
    let weights = (groups * shape.weight_bytes()) as f64 / per_cycle;
    let (idle, written) = match group {
        Some(_) => (waste(groups, machine.threads), 0.0),
        None => (
            1.0,
            2.0 * F32_BYTES as f64 * between / machine.l3_bytes_per_cycle,
        ),
    };
    Cycles(idle * (sums.max(weights) + transforms) + written)
}
