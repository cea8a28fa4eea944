//! Products of bf16 on machines that multiply tiles.

use super::{Machine, Stage, accumulator, conv2d::keeps_weight, cost::pieces_in_l2};
use crate::{
    conv::{PACKED, STEPS},
    precision::WIDEN,
    product::DENSE_PACK,
    tiles::{BLOCK, COLUMNS, Conv, Dense, Shape},
    window::PAD,
};
use relay_dialects::{
    ir::{Attr, Builder, Ctx, Op, Value},
    te::build::ScheduleBuilder,
};

/// How many multiply-adds tiles do in the time of one of a vector's.
const SPEED: i64 = 16;

/// The blocks of a convolution's channels in a block of tiles.
const COLUMN_BLOCKS: i64 = COLUMNS / BLOCK;

/// The tiles for a product, if it reads two tensors of bf16 as they lie in memory, the weight in pairs.
pub fn of_product(stage: Stage, machine: Machine) -> Option<Dense> {
    let [data, weight] = operands(stage, machine)?;
    match (stage.tag().as_str(), &data[..], &weight[..]) {
        (DENSE_PACK, [rows, inputs], [_, _, 16, 2]) if stage.shape()[1] % COLUMNS == 0 => {
            Dense::choose(*rows, *inputs)
        }
        _ => None,
    }
}

/// As [`of_product`], for a convolution in one group.
pub fn of_conv(stage: Stage, machine: Machine) -> Option<Conv> {
    let [data, weight] = operands(stage, machine)?;
    let result = stage.shape();
    if stage.tag() != PACKED || stage.channels_of_group() != result[1] {
        return None;
    }
    let steps = stage.op.attr(STEPS).and_then(Attr::as_ints)?;
    match (&data[..], &weight[..], &steps[..]) {
        (
            [_, blocks, height, width, BLOCK],
            [_, _, kernel_y, kernel_x, _, 16, 2],
            [stride_y, stride_x, dilation_y, dilation_x],
        ) if result[1] % COLUMN_BLOCKS == 0 => Conv::choose(Shape {
            blocks: *blocks,
            data: [*height, *width],
            kernel: [*kernel_y, *kernel_x],
            strides: [*stride_y, *stride_x],
            dilation: [*dilation_y, *dilation_x],
            result: [result[2], result[3]],
        }),
        _ => None,
    }
}

/// The shapes of data and weight, if a stage reads both in bf16.
fn operands(stage: Stage, machine: Machine) -> Option<[Vec<i64>; 2]> {
    let operands = stage.producers();
    let are_read = operands.iter().all(|operand| widens(*operand, stage));
    match operands[..] {
        [data, weight] if machine.tiles && are_read => Some([data.shape(), weight.shape()]),
        _ => None,
    }
}

/// What a stage widens for another one alone, if it does: a parameter of the kernel, or one with padding.
fn narrow(stage: Stage, reader: Stage) -> Option<Value> {
    let mut ops = stage.op.body().ops().into_iter();
    let read = ops.find(|op| op.is("tensor.extract"))?;
    let narrow = read.operand(0);
    let lies = |tensor: Value| match tensor.def_of("te.compute") {
        Some(op) => is_pad(Stage { op }),
        None => tensor.def().is_none(),
    };
    let is_wide = stage.name() == WIDEN && read.result(0).ty().is_bf16();
    (is_wide && stage.readers() == [reader] && lies(narrow)).then_some(narrow)
}

fn is_pad(stage: Stage) -> bool {
    stage.name() == PAD && stage.producers().is_empty()
}

fn widens(stage: Stage, reader: Stage) -> bool {
    narrow(stage, reader).is_some()
}

/// Whether a stage is an operand of a product on tiles.
pub fn is_operand(stage: Stage, machine: Machine) -> bool {
    let readers = stage.readers();
    let on_tiles =
        |reader| of_product(reader, machine).is_some() || of_conv(reader, machine).is_some();
    stage.name() == WIDEN && readers.len() == 1 && on_tiles(readers[0])
}

/// Whether a stage is data with padding that tiles are read from, so that it must lie in memory.
pub fn is_padded_operand(stage: Stage, machine: Machine) -> bool {
    let mut readers = stage.readers().into_iter();
    is_pad(stage) && readers.any(|reader| is_operand(reader, machine))
}

/// [m, n]: a block of tiles at a time, the sums in tile registers and then in a local buffer, from which
/// vectors of the last stage read them. Rows and columns meet as in products of vectors.
pub fn product(
    s: &ScheduleBuilder,
    (product, last): (Stage, Stage),
    tile: Dense,
    machine: Machine,
) {
    inline_operands(s, product);
    let (rows, lanes) = (product.shape()[0], machine.block().min(COLUMNS));
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
        let part = pieces_in_l2(tiles, bytes, tiles, machine);
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
    declare(product.op, &tile.name(), |ctx| tile.intrinsic(ctx));
}

/// [n, c, y, x, lane]: as [`product`], with pixels for rows and two blocks of channels for columns.
pub fn conv2d(s: &ScheduleBuilder, (conv, last): (Stage, Stage), tile: Conv, machine: Machine) {
    inline_operands(s, conv);
    let (accumulator, result) = accumulator(s, conv, last);
    let axes = s.axes(result, 5);
    let (column_tile, column) = s.split(axes[1], COLUMN_BLOCKS);
    let (row_tile, row) = s.split(axes[2], tile.block_rows());
    let (pixel_tile, pixel) = s.split(axes[3], tile.block_pixels());
    let mut shared = vec![axes[0], column_tile, row_tile];
    let mut inner = Vec::new();
    if conv.shape()[2] % tile.block_rows() != 0 {
        // The last tile is shifted inwards; that must stay one loop.
        inner.extend(shared.pop());
    } else if keeps_weight(conv, machine) {
        super::rows_first(&mut shared);
    }
    inner.extend([pixel_tile, column, row, pixel, axes[4]]);
    s.reorder(&[&shared[..], &inner[..]].concat());
    s.vectorize(axes[4]);
    let fused = s.fuse(&shared);
    if conv.is_worth_sharing_tiles(SPEED * conv.lanes()) {
        s.parallel(fused);
    }
    s.compute_at(accumulator, result, pixel_tile);

    let axes = s.axes(accumulator, 9);
    let (pair, half) = s.split(axes[8], 2);
    let [sample, columns, row] = [axes[0], axes[1], axes[2]];
    // A single row is none of the intrinsic's.
    let outer = match tile.block_rows() {
        1 => [sample, row, columns],
        _ => [sample, columns, row],
    };
    let inner = [axes[3], axes[4], axes[5], axes[6], axes[7], pair, half];
    s.reorder(&[&outer[..], &inner[..]].concat());
    s.tensorize(columns, &tile.name());
    declare(conv.op, &tile.name(), |ctx| tile.intrinsic(ctx));
}

/// Both are read in bf16.
fn inline_operands(s: &ScheduleBuilder, stage: Stage) {
    for operand in stage.producers() {
        s.compute_inline(s.stage(operand.tensor()));
    }
}

/// Declares an intrinsic in the module around `op`, once.
fn declare(op: Op, name: &str, intrinsic: impl Fn(Ctx) -> Op) {
    let Some(module) = op.ancestor("builtin.module") else {
        return;
    };
    if module.lookup(name).is_none() {
        let b = Builder::at_start(module.body(), op.loc(), op.ctx());
        b.insert(intrinsic(op.ctx()));
    }
}
