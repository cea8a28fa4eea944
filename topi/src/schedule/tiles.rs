//! Products of bf16 on machines that multiply tiles.

use super::{Machine, Stage, accumulator, conv2d::keeps_weight, product::tiles_in_cache};
use crate::{
    conv::PACKED,
    precision::WIDEN,
    product::DENSE_PACK,
    tiles::{BLOCK, COLUMNS, Tile},
};
use relay_dialects::{
    ir::{Builder, Op},
    te::build::ScheduleBuilder,
};

/// How many multiply-adds tiles do in the time of one of a vector's.
const SPEED: i64 = 16;

/// The blocks of a convolution's channels in a block of tiles.
const COLUMN_BLOCKS: i64 = COLUMNS / BLOCK;

/// The tiles for a product or convolution, if it reads two tensors of bf16 as they lie in memory, the weight
/// in pairs.
pub fn of(stage: Stage, machine: Machine) -> Option<Tile> {
    let operands = stage.producers();
    let are_read = operands.iter().all(|operand| widens(*operand, stage));
    if !machine.tiles || operands.len() != 2 || !are_read {
        return None;
    }
    let (data, weight) = (operands[0].shape(), operands[1].shape());
    let result = stage.shape();
    match (stage.tag().as_str(), &data[..], &weight[..]) {
        (DENSE_PACK, [rows, inputs], [_, _, 16, 2]) if result[1] % COLUMNS == 0 => {
            Tile::choose(*rows, *inputs)
        }
        // A kernel of one pixel that reads each pixel for itself, in one group.
        (PACKED, [_, blocks, _, width, BLOCK], [_, pairs, 1, 1, 16, 2])
            if result[1] % COLUMN_BLOCKS == 0
                && result[2..4] == data[2..4]
                && 2 * pairs == blocks * BLOCK =>
        {
            Tile::choose_blocks(*width, blocks * BLOCK)
        }
        _ => None,
    }
}

/// Whether a stage widens a parameter of the kernel for another stage alone.
fn widens(stage: Stage, reader: Stage) -> bool {
    let reads = |op: Op| op.is("tensor.extract") && op.operand(0).def().is_none();
    let narrow = stage.op.body().ops().into_iter().find(|op| reads(*op));
    stage.name() == WIDEN
        && stage.readers() == [reader]
        && narrow.is_some_and(|read| read.result(0).ty().is_bf16())
}

/// Whether a stage is an operand of a product on tiles.
pub fn is_operand(stage: Stage, machine: Machine) -> bool {
    let readers = stage.readers();
    stage.name() == WIDEN && readers.len() == 1 && of(readers[0], machine).is_some()
}

/// [m, n]: a block of tiles at a time, the sums in tile registers and then in a local buffer, from which
/// vectors of the last stage read them. Rows and columns meet as in products of vectors.
pub fn product(s: &ScheduleBuilder, (product, last): (Stage, Stage), tile: Tile, machine: Machine) {
    inline_operands(s, product);
    let (rows, lanes) = (product.shape()[0], machine.lanes.min(COLUMNS));
    let (accumulator, result) = accumulator(s, product, last);
    let axes = s.axes(result, 2);
    let (row_tile, row) = s.split(axes[0], tile.block_rows());
    let (column_tile, wide) = s.split(axes[1], COLUMNS);
    let (vector, lane) = s.split(wide, lanes);
    // A last block of rows is shifted inwards where they do not divide them; that must stay one loop.
    let (mut shared, inner) = if rows % tile.block_rows() == 0 {
        // Half as many bytes as of f32.
        let depth = product.reduce_extents().iter().product::<i64>() / 2;
        let tiles = rows / tile.block_rows();
        let bytes = 4 * depth * tile.block_rows();
        let part = tiles_in_cache(tiles, bytes, tiles, machine);
        let (part, inner) = s.split(row_tile, part);
        (vec![part], inner)
    } else {
        (Vec::new(), row_tile)
    };
    shared.push(column_tile);
    s.reorder(&[&shared[..], &[inner, row, vector, lane]].concat());
    s.unroll(vector);
    s.vectorize(lane);
    if product.is_worth_sharing_tiles(SPEED * lanes) {
        let fused = s.fuse(&shared);
        s.parallel(fused);
    }
    s.compute_at(accumulator, result, inner);

    let axes = s.axes(accumulator, 3);
    let (column, lane) = s.split(axes[1], 16);
    let (pair, half) = s.split(axes[2], 2);
    s.reorder(&[axes[0], column, lane, pair, half]);
    s.tensorize(axes[0], &tile.name());
    declare(product.op, tile);
}

/// [n, c, y, x, lane]: as [`product`], with the pixels of a row for rows and two blocks of channels for columns.
pub fn conv2d(s: &ScheduleBuilder, (conv, last): (Stage, Stage), tile: Tile, machine: Machine) {
    inline_operands(s, conv);
    let (accumulator, result) = accumulator(s, conv, last);
    let axes = s.axes(result, 5);
    let (column_tile, column) = s.split(axes[1], COLUMN_BLOCKS);
    let (row_tile, row) = s.split(axes[3], tile.block_rows());
    let mut shared = [axes[0], column_tile, axes[2]];
    if keeps_weight(conv, machine) {
        super::rows_first(&mut shared);
    }
    s.reorder(&[&shared[..], &[row_tile, column, row, axes[4]]].concat());
    s.vectorize(axes[4]);
    let fused = s.fuse(&shared);
    if conv.is_worth_sharing_tiles(SPEED * conv.lanes()) {
        s.parallel(fused);
    }
    s.compute_at(accumulator, result, row_tile);

    let axes = s.axes(accumulator, 9);
    let (pair, half) = s.split(axes[8], 2);
    let reduction = [axes[5], axes[6], axes[7], pair, half];
    s.reorder(
        &[
            &[axes[0], axes[2], axes[1], axes[3], axes[4]],
            &reduction[..],
        ]
        .concat(),
    );
    s.tensorize(axes[1], &tile.name());
    declare(conv.op, tile);
}

/// Both are read in bf16.
fn inline_operands(s: &ScheduleBuilder, stage: Stage) {
    for operand in stage.producers() {
        s.compute_inline(s.stage(operand.tensor()));
    }
}

/// Declares the intrinsic of a tile in the module around `op`, once.
fn declare(op: Op, tile: Tile) {
    let Some(module) = op.ancestor("builtin.module") else {
        return;
    };
    if module.lookup(&tile.name()).is_none() {
        let b = Builder::at_start(module.body(), op.loc(), op.ctx());
        b.insert(tile.intrinsic(op.ctx()));
    }
}
