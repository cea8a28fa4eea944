//! Products of bf16 on machines that multiply tiles.

use super::{Machine, Stage, accumulator, product::tiles_in_cache};
use crate::{
    precision::WIDEN,
    product::DENSE_PACK,
    tiles::{COLUMNS, Tile},
};
use relay_dialects::{
    ir::{Builder, Op},
    te::build::ScheduleBuilder,
};

/// How many multiply-adds tiles do in the time of one of a vector's.
const SPEED: i64 = 16;

/// The tiles for a product, if it reads two tensors of bf16 as they lie in memory, the weight in pairs.
pub fn of(product: Stage, machine: Machine) -> Option<Tile> {
    if !machine.tiles || product.tag() != DENSE_PACK {
        return None;
    }
    let operands = product.producers();
    let [data, weight] = operands[..] else {
        return None;
    };
    let ([rows, inputs], [_, _, 16, 2]) = (&data.shape()[..], &weight.shape()[..]) else {
        return None;
    };
    let are_read = operands.iter().all(|operand| widens(*operand, product));
    let is_whole = product.shape()[1] % COLUMNS == 0;
    (are_read && is_whole).then(|| Tile::choose(*rows, *inputs))?
}

/// Whether a stage widens a parameter of the kernel for a product alone.
fn widens(stage: Stage, product: Stage) -> bool {
    let reads = |op: Op| op.is("tensor.extract") && op.operand(0).def().is_none();
    let narrow = stage.op.body().ops().into_iter().find(|op| reads(*op));
    stage.name() == WIDEN
        && stage.readers() == [product]
        && narrow.is_some_and(|read| read.result(0).ty().is_bf16())
}

/// Whether a stage is an operand of a product on tiles.
pub fn is_operand(stage: Stage, machine: Machine) -> bool {
    let readers = stage.readers();
    stage.name() == WIDEN && readers.len() == 1 && of(readers[0], machine).is_some()
}

/// [m, n]: a block of tiles at a time, the sums in tile registers and then in a local buffer, from which
/// vectors of the last stage read them. Rows and columns meet as in products of vectors.
pub fn schedule(
    s: &ScheduleBuilder,
    (product, last): (Stage, Stage),
    tile: Tile,
    machine: Machine,
) {
    for operand in product.producers() {
        s.compute_inline(s.stage(operand.tensor()));
    }
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
        let part = tiles_in_cache(rows, tile.block_rows(), depth, machine);
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
