//! Convolutions on packed channels.

use super::{
    Machine, Stage, accumulator,
    cost::{
        fewest,
        registers::{self, MOST_BLOCKS, RegisterTile},
    },
    machine::F32_BYTES,
    rows_first, x86_amx,
};
use crate::window;
use relay_dialects::{ir::Value, te::build::ScheduleBuilder};

/// The tile of the result that one thread keeps in registers: columns, and blocks of channels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tile {
    pub columns: i64,
    pub blocks: i64,
}

/// The tile that takes fewest cycles among those that fit the registers. Blocks are of `lanes`.
pub fn choose(width: i64, blocks: i64, lanes: i64, machine: Machine) -> Tile {
    let wide = machine.registers_of(lanes);
    let tiles = (1..=MOST_BLOCKS)
        .filter(|count| blocks % count == 0)
        .flat_map(|blocks| {
            (1..=width.min(MOST_COLUMNS)).map(move |columns| Tile { columns, blocks })
        })
        .filter(|tile| (tile.columns + 1) * tile.blocks * wide + 1 < machine.registers);
    let cost = |tile: &Tile| {
        let registers = RegisterTile {
            numbers: tile.columns,
            vectors: tile.blocks * wide,
        };
        registers::convolution(1.0, width, registers)
    };
    fewest(tiles, cost).unwrap_or(Tile {
        columns: 1,
        blocks: 1,
    })
}

/// More columns than a tile of one block of them has registers for.
const MOST_COLUMNS: i64 = 28;

/// Whether the weight of a convolution stays in the cache, so that all of it can meet one row of
/// pixels before the next one.
pub(super) fn keeps_weight(conv: Stage, machine: Machine) -> bool {
    let shape = conv.shape();
    let pixels = shape[0] * shape[2] * shape[3];
    machine.stays_in_l2(F32_BYTES * conv.work() / pixels.max(1))
}

/// Vectors of the weight that meet fewer columns than this arrive too slowly from the second cache.
const FEW_COLUMNS: i64 = 10;

/// Whether the input channels should come a block at a time, for all pixels, with the sums in the nearest
/// cache between: a short row has few multiply-adds for each vector of the weight, which would come from the
/// second cache for every row; of one block of input channels it stays in the first.
fn in_parts(conv: Stage, tile: Tile, by_rows: bool, machine: Machine) -> bool {
    let shape = conv.shape();
    let per_pixel = F32_BYTES * tile.blocks * shape[4];
    let reduced = conv.reduce_extents().iter().product::<i64>();
    let sums = shape[2] * shape[3] * per_pixel;
    !by_rows
        && tile.columns < FEW_COLUMNS
        && sums <= machine.kept_in_l1()
        && reduced * per_pixel > 2 * machine.kept_in_l1()
        && shape[0] * shape[1] / tile.blocks >= machine.threads
        && machine.registers_of(shape[4]) == 1
}

/// Axes of a result [n, c, y, x, lane] with a tile of columns and channel blocks innermost; rows of
/// tiles are shared among threads if `shared`. Returns the loop inside which a tile is computed.
fn tile_result(
    s: &ScheduleBuilder,
    stage: Value,
    tile: Tile,
    by_rows: bool,
    shared: bool,
) -> Value {
    let mut axes = s.axes(stage, 5);
    let (block_outer, block) = s.split(axes[1], tile.blocks);
    let (outer, column) = s.split(axes[3], tile.columns);
    axes[1] = block_outer;
    if by_rows {
        rows_first(&mut axes);
    }
    s.reorder(&[&axes[..3], &[outer, column, block, axes[4]]].concat());
    let rows = s.fuse(&axes[..3]);
    if shared {
        s.parallel(rows);
    }
    s.unroll(column);
    s.unroll(block);
    s.vectorize(axes[4]);
    outer
}

/// Reduce axes: blocks of input channels, kernel rows and columns, channels in a block.
pub fn packed(s: &ScheduleBuilder, conv: Stage, last: Stage, machine: Machine) {
    if let Some(tile) = x86_amx::of_conv(conv, machine) {
        return x86_amx::conv2d(s, (conv, last), tile, machine);
    }
    let shape = conv.shape();
    let tile = choose(shape[3], conv.channels_of_group(), shape[4], machine);
    let (accumulator, result) = accumulator(s, conv, last);
    let by_rows = keeps_weight(conv, machine);
    let shared = conv.is_worth_sharing_tiles(conv.lanes());
    if in_parts(conv, tile, by_rows, machine) {
        return packed_in_parts(s, (accumulator, result), tile, shared);
    }
    let outer = tile_result(s, result, tile, by_rows, shared);
    s.compute_at(accumulator, result, outer);
    let axes = s.axes(accumulator, 9);
    s.reorder(&[
        axes[5], axes[6], axes[7], axes[8], axes[3], axes[1], axes[4],
    ]);
    s.unroll(axes[3]);
    s.unroll(axes[1]);
    s.vectorize(axes[4]);
}

/// As [`packed`], with the outermost reduce axis outside of the pixels.
fn packed_in_parts(
    s: &ScheduleBuilder,
    (accumulator, result): (Value, Value),
    tile: Tile,
    shared: bool,
) {
    let axes = s.axes(result, 5);
    let (block_outer, block) = s.split(axes[1], tile.blocks);
    let (outer, column) = s.split(axes[3], tile.columns);
    s.reorder(&[axes[0], block_outer, axes[2], outer, column, block, axes[4]]);
    let parts = s.fuse(&[axes[0], block_outer]);
    if shared {
        s.parallel(parts);
    }
    s.unroll(column);
    s.unroll(block);
    s.vectorize(axes[4]);
    s.compute_at(accumulator, result, parts);
    let axes = s.axes(accumulator, 9);
    let (outer, column) = s.split(axes[3], tile.columns);
    s.reorder(&[
        axes[5], axes[2], outer, axes[6], axes[7], axes[8], column, axes[1], axes[4],
    ]);
    s.unroll(column);
    s.unroll(axes[1]);
    s.vectorize(axes[4]);
}

/// The padded data of a convolution, if nothing else reads it.
pub fn own_pad(conv: Stage) -> Option<Stage> {
    let mut stages = conv.producers().into_iter();
    stages.find(|stage| stage.name() == window::PAD && stage.readers() == [conv])
}

/// The rows of a result that are computed from padded rows in the cache: a divisor of all.
fn band(rows: i64, padded: &[i64], machine: Machine) -> i64 {
    let bytes = F32_BYTES * padded[3] * padded[4];
    let stride = (padded[2] / rows.max(1)).max(1);
    (1..=rows)
        .rev()
        .find(|band| rows % band == 0 && band * stride * bytes <= machine.near_bytes())
        .unwrap_or(1)
}

/// Reduce axes: kernel rows and columns. The data of a band of rows is padded just before it is used.
pub fn depthwise(s: &ScheduleBuilder, conv: Stage, last: Stage, machine: Machine) {
    let shape = conv.shape();
    let width = shape[3];
    let most = (machine.registers / 2 - 2) / machine.registers_of(shape[4]);
    let columns = (1..=width.min(most))
        .rev()
        .find(|columns| width % columns == 0 || *columns <= 8)
        .unwrap_or(1);
    let (accumulator, result) = accumulator(s, conv, last);
    let mut axes = s.axes(result, 5);
    let pad = own_pad(conv);
    let rows = pad.map_or(1, |pad| band(shape[2], &pad.shape(), machine));
    let (bands, row) = s.split(axes[2], rows);
    let (outer, column) = s.split(axes[3], columns);
    axes[2] = bands;
    rows_first(&mut axes);
    s.reorder(&[&axes[..3], &[row, outer, column, axes[4]]].concat());
    let shared = s.fuse(&axes[..3]);
    if conv.is_worth_sharing_tiles(conv.lanes()) {
        s.parallel(shared);
    }
    s.unroll(column);
    s.vectorize(axes[4]);
    if let Some(pad) = pad {
        let pad = s.stage(pad.tensor());
        s.compute_at(pad, result, shared);
        s.vectorize(s.axes(pad, 5)[4]);
    }
    s.compute_at(accumulator, result, outer);
    let axes = s.axes(accumulator, 7);
    s.reorder(&[axes[5], axes[6], axes[3], axes[4]]);
    s.unroll(axes[3]);
    s.vectorize(axes[4]);
}

#[cfg(test)]
mod tests {
    use super::{Tile, choose};
    use crate::Machine;

    #[test]
    fn tiles_fit_the_registers() {
        for bits in [256, 512] {
            let machine = Machine::new(bits);
            for width in 1..120 {
                for (blocks, wide) in (1..9).flat_map(|blocks| [(blocks, 1), (blocks, 2)]) {
                    let Tile {
                        columns,
                        blocks: per_tile,
                    } = choose(width, blocks, wide * machine.block(), machine);
                    assert!(columns <= width && blocks % per_tile == 0);
                    assert!(columns * per_tile * wide < machine.registers);
                }
            }
        }
    }
}
