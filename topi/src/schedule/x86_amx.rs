//! Products of bf16 on AMX tiles.

use super::{
    F32_BYTES, Machine, Stage,
    cost::{amx, conv::keeps_weight, pieces_in_l2},
    declare,
    epilogue::accumulator,
};
use crate::{
    conv::STEPS,
    intrin::x86_amx::{BLOCK, COLUMNS, Conv, Dense, Shape, pairs},
};
use relay_dialects::{
    index::ceil_div,
    ir::{Attr, Ctx, Value},
    names,
    ops::tensor,
    te::{Role, build::ScheduleBuilder},
    tir::Scope,
};

/// The tiles for a product, if it reads two tensors of bf16 as they lie in memory, the weight in pairs.
pub fn of_product(stage: Stage, machine: Machine) -> Option<Dense> {
    let [data, weight] = operands(stage, machine)?;
    match (stage.role()?, &data[..], &weight[..]) {
        (Role::PackedDense, [rows, inputs], [_, _, 16, 2]) if stage.shape()[1] % COLUMNS == 0 => {
            Dense::choose(*rows, *inputs, amx::LIMITS)
        }
        _ => None,
    }
}

/// As [`of_product`], for a product of two parameters whose second one lies in rows.
pub fn of_matmul(stage: Stage, machine: Machine) -> Option<Dense> {
    let [data, weight] = operands(stage, machine)?;
    let columns = weight.last()?;
    let [rows, inputs] = data.last_chunk()?;
    let fits = stage.is(Role::Matmul)
        && columns % COLUMNS == 0
        && stage.shape().ends_with(&[*rows, *columns]);
    fits.then(|| Dense::choose(*rows, *inputs, amx::LIMITS))?
        .map(Dense::of_pairs)
}

/// The tiles for so many rows of the two products of an attention, if both read bf16: all operands but the first one of the
/// `values` are parameters.
pub fn of_attention(scores: Stage, values: Stage, rows: i64) -> Option<[Dense; 2]> {
    let is_product_of = |product: Stage, parameters: &[Stage]| {
        let are_read = |operand: &Stage| widens(*operand, product);
        product.is(Role::Matmul) && !parameters.is_empty() && parameters.iter().all(are_read)
    };
    let tile = |product: Stage| {
        let depth = product.reduce_extents().iter().product();
        Dense::of_rows(rows, depth, product.lanes(), amx::LIMITS)
    };
    let fits = is_product_of(scores, &scores.producers())
        && is_product_of(values, values.producers().get(1..)?);
    fits.then_some(Dense::together([tile(scores)?, tile(values)?]))
}

/// As [`of_product`], for a convolution whose groups hold whole blocks of channels.
pub fn of_conv(stage: Stage, machine: Machine) -> Option<Conv> {
    let [data, weight] = operands(stage, machine)?;
    let result = stage.shape();
    if !stage.is(Role::PackedConv) {
        return None;
    }
    let steps = stage.op.attr(STEPS).and_then(Attr::as_ints)?;
    match (&data[..], &weight[..], &steps[..]) {
        (
            [_, _, height, width, BLOCK],
            [_, blocks, kernel_y, kernel_x, _, 16, 2],
            [stride_y, stride_x, dilation_y, dilation_x],
        ) => Conv::choose(
            Shape {
                blocks: *blocks,
                result_blocks: stage.channels_of_group(),
                data: [*height, *width],
                kernel: [*kernel_y, *kernel_x],
                strides: [*stride_y, *stride_x],
                dilation: [*dilation_y, *dilation_x],
                result: [result[2], result[3]],
            },
            amx::LIMITS,
        ),
        _ => None,
    }
}

/// The shapes of data and weight, if a stage reads both in bf16.
fn operands(stage: Stage, machine: Machine) -> Option<[Vec<i64>; 2]> {
    let operands = stage.producers();
    let are_read = operands.iter().all(|operand| widens(*operand, stage));
    match operands[..] {
        [data, weight] if amx::multiplies_bf16(machine) && are_read => {
            Some([data.shape(), weight.shape()])
        }
        _ => None,
    }
}

/// What a stage widens for another one alone, if it does: a parameter of the kernel, or one with padding.
fn narrow(stage: Stage, reader: Stage) -> Option<Value> {
    let mut ops = stage.op.body().ops().into_iter();
    let read = ops.find(|op| op.is(tensor::Extract::NAME))?;
    let narrow = read.operand(0);
    let lies = |tensor: Value| match tensor.def_of(names::te::COMPUTE) {
        Some(op) => is_pad(Stage { op }),
        None => tensor.def().is_none(),
    };
    let is_wide = stage.is(Role::Widen) && read.result(0).ty().is_bf16();
    (is_wide && stage.readers() == [reader] && lies(narrow)).then_some(narrow)
}

fn is_pad(stage: Stage) -> bool {
    stage.is(Role::Pad) && stage.producers().is_empty()
}

fn widens(stage: Stage, reader: Stage) -> bool {
    narrow(stage, reader).is_some()
}

/// Whether a stage is an operand of a product on tiles.
pub fn is_operand(stage: Stage, machine: Machine) -> bool {
    let readers = stage.readers();
    let on_amx_tiles = |reader| {
        of_product(reader, machine).is_some()
            || of_matmul(reader, machine).is_some()
            || of_conv(reader, machine).is_some()
    };
    stage.is(Role::Widen) && readers.len() == 1 && on_amx_tiles(readers[0])
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
    let (row_tile, row) = s.split_inwards(axes[0], tile.block_rows());
    let (column_tile, wide) = s.split(axes[1], COLUMNS);
    let (vector, lane) = s.split(wide, lanes);
    // Half as many bytes as of f32.
    let depth = product.reduce_extents().iter().product::<i64>() / 2;
    let blocks = ceil_div(rows, tile.block_rows());
    let bytes = F32_BYTES * depth * tile.block_rows();
    let (part, inner) = s.split_inwards(row_tile, pieces_in_l2(blocks, bytes, blocks, machine));
    let shared = [part, column_tile];
    s.reorder(&[&shared[..], &[inner, row, vector, lane]].concat());
    s.unroll(vector);
    s.vectorize(lane);
    if are_shared(product, lanes) {
        let fused = s.fuse(&shared);
        s.parallel(fused);
    }
    s.compute_at(accumulator, result, inner);

    tensorize_product(s, accumulator, 2, tile);
    declare(product.op, &tile.name(), |b| tile.intrinsic(b));
}

/// Whether threads share the tiles of a stage, whose sums are read in vectors of `lanes`. If its extents are open, the program decides.
fn are_shared(stage: Stage, lanes: i64) -> bool {
    stage.is_open() || amx::is_worth_sharing(stage.work(), lanes)
}

/// The intrinsic in place of the loops of an accumulator [.., m, n] of `rank` dimensions.
fn tensorize_product(s: &ScheduleBuilder, accumulator: Value, rank: usize, tile: Dense) {
    let axes = s.axes(accumulator, rank + 1);
    let (batch, row) = (&axes[..rank - 2], axes[rank - 2]);
    let (column, lane) = s.split(axes[rank - 1], BLOCK);
    let (pair, half) = s.split(axes[rank], 2);
    s.reorder(&[batch, &[row, column, lane, pair, half]].concat());
    s.tensorize(row, &tile.name());
}

/// [.., m, n]: as [`product`]. The rows of the second operand that a tile of columns reads are put in pairs once,
/// in the thread's workspace, for all tiles of rows.
pub fn matmul(s: &ScheduleBuilder, (product, last): (Stage, Stage), tile: Dense, machine: Machine) {
    let copy = copy_rows(s, product);
    inline_operands(s, product);
    let rank = product.shape().len();
    let (accumulator, result) = accumulator(s, product, last);
    let axes = s.axes(result, rank);
    let batch = &axes[..rank - 2];
    let at = [axes[rank - 2], axes[rank - 1]];
    let column_tile = tiles(s, (product, accumulator, result), at, tile, machine);
    let columns = s.fuse(&[batch, &[column_tile]].concat());
    if are_shared(product, machine.block().min(COLUMNS)) {
        s.parallel(columns);
    }
    pair_rows(s, product, copy, (result, columns));
}

/// Cuts the axes of rows and columns of the stage `result` into blocks of tiles, tiles of columns outermost, with the sums of
/// the product in `accumulator`. Returns the loop over tiles of columns.
pub fn tiles(
    s: &ScheduleBuilder,
    (product, accumulator, result): (Stage, Value, Value),
    [rows, columns]: [Value; 2],
    tile: Dense,
    machine: Machine,
) -> Value {
    let (row_tile, row) = s.split(rows, tile.block_rows());
    let (column_tile, wide) = s.split(columns, COLUMNS);
    let (vector, lane) = s.split(wide, machine.block().min(COLUMNS));
    s.reorder(&[column_tile, row_tile, row, vector, lane]);
    s.unroll(vector);
    s.vectorize(lane);
    s.compute_at(accumulator, result, row_tile);
    tensorize_product(s, accumulator, product.shape().len(), tile);
    declare(product.op, &tile.name(), |b| tile.intrinsic(b));
    column_tile
}

/// A copy of what the second operand of a product widens, before that becomes part of the product.
pub fn copy_rows(s: &ScheduleBuilder, product: Stage) -> Option<Value> {
    let other = *product.producers().get(1)?;
    let rows = narrow(other, product)?;
    Some(s.cache_read(rows, &[s.stage(other.tensor())], Scope::Local))
}

/// Puts such a copy in pairs, in the loop `at` of the stage `result`.
pub fn pair_rows(
    s: &ScheduleBuilder,
    product: Stage,
    copy: Option<Value>,
    (result, at): (Value, Value),
) {
    let Some(copy) = copy else { return };
    s.compute_at(copy, result, at);
    in_pairs(s, copy, product.shape().len(), product.op.ctx());
    declare(product.op, pairs::PAIRS, pairs::intrinsic);
}

/// Lays a copy of [.., k, n] out as [.., n / 16, k / 2, 32], with two rows beside each other in pairs.
fn in_pairs(s: &ScheduleBuilder, copy: Value, rank: usize, ctx: Ctx) {
    let batch: String = (0..rank - 2).map(|axis| format!("b{axis}, ")).collect();
    let map = format!(
        "affine_map<({batch}k, n) -> ({batch}n floordiv 16, k floordiv 2, (n mod 16) * 2 + k mod 2)>"
    );
    s.transform_layout(copy, Attr::parse(ctx, &map).expect("an affine map parses"));
    let axes = s.axes(copy, rank);
    let (pair, half) = s.split(axes[rank - 2], 2);
    let (column, lane) = s.split(axes[rank - 1], BLOCK);
    s.reorder(&[&axes[..rank - 2], &[column, pair, lane, half]].concat());
    s.tensorize(lane, pairs::PAIRS);
}

/// [n, c, y, x, lane]: as [`product`], with pixels for rows and one or two blocks of channels for columns.
pub fn conv2d(s: &ScheduleBuilder, (conv, last): (Stage, Stage), tile: Conv, machine: Machine) {
    inline_operands(s, conv);
    let (accumulator, result) = accumulator(s, conv, last);
    let axes = s.axes(result, 5);
    let (column_tile, column) = column_tiles(s, conv, axes[1], tile);
    let (row_tile, row) = s.split(axes[2], tile.block_rows());
    let (pixel_tile, pixel) = s.split(axes[3], tile.block_pixels());
    let mut shared = vec![axes[0], column_tile, row_tile];
    let mut inner = Vec::new();
    if conv.shape()[2] % tile.block_rows() != 0 {
        // The last tile is shifted inwards; that must stay one loop.
        inner.extend(shared.pop());
    } else if keeps_weight(weight_bytes(conv), machine) {
        super::rows_first(&mut shared);
    }
    inner.extend([pixel_tile, column, row, pixel, axes[4]]);
    s.reorder(&[&shared[..], &inner[..]].concat());
    s.vectorize(axes[4]);
    let fused = s.fuse(&shared);
    if are_shared(conv, conv.lanes()) {
        s.parallel(fused);
    }
    s.compute_at(accumulator, result, pixel_tile);
    tensorize_conv2d(s, accumulator, tile);
    declare(conv.op, &tile.name(), |b| tile.intrinsic(b));
}

/// An axis of blocks of channels as tiles of them and the blocks of a tile, which are all of one group.
fn column_tiles(s: &ScheduleBuilder, conv: Stage, axis: Value, tile: Conv) -> (Value, Value) {
    let of_group = conv.channels_of_group();
    if of_group == conv.shape()[1] {
        return s.split(axis, tile.block_channels());
    }
    let (group, channels) = s.split(axis, of_group);
    let (column_tile, column) = s.split(channels, tile.block_channels());
    (s.fuse(&[group, column_tile]), column)
}

/// The intrinsic in place of the loops of an accumulator [n, c, y, x, lane], but for those of one step that are
/// none of the intrinsic's.
fn tensorize_conv2d(s: &ScheduleBuilder, accumulator: Value, tile: Conv) {
    let axes = s.axes(accumulator, 9);
    let (pair, half) = s.split(axes[8], 2);
    let mut outer = vec![axes[0]];
    let mut inner = Vec::new();
    for (axis, extent) in [
        (axes[1], tile.block_channels()),
        (axes[2], tile.block_rows()),
    ] {
        if extent == 1 { &mut outer } else { &mut inner }.push(axis);
    }
    inner.extend([axes[3], axes[4], axes[5], axes[6], axes[7], pair, half]);
    s.reorder(&[&outer[..], &inner[..]].concat());
    s.tensorize(inner[0], &tile.name());
}

/// Both are read in bf16.
fn inline_operands(s: &ScheduleBuilder, stage: Stage) {
    for operand in stage.producers() {
        s.compute_inline(s.stage(operand.tensor()));
    }
}

/// The bytes of a convolution's weight in f32, as which its pairs of bf16 were measured.
fn weight_bytes(conv: Stage) -> i64 {
    let shape = conv.shape();
    let pixels = shape[0] * shape[2] * shape[3];
    F32_BYTES * conv.work() / pixels.max(1)
}
