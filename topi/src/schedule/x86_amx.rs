//! Products of bf16 and of bytes on AMX tiles.

use super::{
    F32_BYTES, Machine, Stage,
    cost::{amx, conv::keeps_weight, pieces_in_l2},
    declare,
    epilogue::accumulator,
};
use crate::{
    conv::STEPS,
    intrin::x86_amx::{BLOCK, COLUMNS, Conv, Dense, Numbers, Shape, pairs},
};
use relay_dialects::{
    Element,
    index::ceil_div,
    ir::{Attr, Ctx, Value},
    names,
    ops::tensor,
    te::{Role, build::ScheduleBuilder},
    tir::Scope,
};

/// The operands of a product, as tiles read them.
struct Operands {
    numbers: Numbers,
    data: Vec<i64>,
    weight: Vec<i64>,
}

/// The tiles for a product, if it reads two tensors as they lie in memory: of bf16, with the weight in pairs, or of bytes, with the
/// weight in words.
pub fn of_product(stage: Stage, machine: Machine) -> Option<Dense> {
    if !stage.is(Role::PackedDense) || stage.shape()[1] % COLUMNS != 0 {
        return None;
    }
    let of = operands(stage, machine)?;
    match (of.numbers, &of.data[..], &of.weight[..]) {
        (Numbers::Bf16, [rows, inputs], [_, _, 16, 2])
        | (Numbers::Bytes, [rows, inputs], [_, _, 16]) => {
            Dense::choose(of.numbers, *rows, *inputs, amx::limits(of.numbers))
        }
        _ => None,
    }
}

/// As [`of_product`], for a product of two parameters whose second one lies in rows.
pub fn of_matmul(stage: Stage, machine: Machine) -> Option<Dense> {
    let of = operands(stage, machine).filter(|of| of.numbers == Numbers::Bf16)?;
    let columns = of.weight.last()?;
    let [rows, inputs] = of.data.last_chunk()?;
    let fits = stage.is(Role::Matmul)
        && columns % COLUMNS == 0
        && stage.shape().ends_with(&[*rows, *columns]);
    fits.then(|| Dense::choose(of.numbers, *rows, *inputs, amx::limits(of.numbers)))?
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
        Dense::of_rows(rows, depth, product.lanes(), amx::limits(Numbers::Bf16))
    };
    let fits = is_product_of(scores, &scores.producers())
        && is_product_of(values, values.producers().get(1..)?);
    fits.then_some(Dense::together([tile(scores)?, tile(values)?]))
}

/// As [`of_product`], for a convolution whose groups hold whole blocks of channels.
pub fn of_conv(stage: Stage, machine: Machine) -> Option<Conv> {
    if !stage.is(Role::PackedConv) {
        return None;
    }
    let of = operands(stage, machine)?;
    let result = stage.shape();
    let steps = stage.op.attr(STEPS).and_then(Attr::as_ints)?;
    let [_, _, height, width, _] = of.data[..] else {
        return None;
    };
    let [stride_y, stride_x, dilation_y, dilation_x] = steps[..] else {
        return None;
    };
    let (blocks, kernel, words) = match (of.numbers, &of.weight[..]) {
        (Numbers::Bf16, [_, blocks, rows, columns, words, _, 2])
        | (Numbers::Bytes | Numbers::Words, [_, blocks, rows, columns, words, _]) => {
            (*blocks, [*rows, *columns], *words)
        }
        _ => return None,
    };
    let shape = Shape {
        blocks,
        words,
        result_blocks: stage.channels_of_group(),
        result_block: stage.lanes(),
        data: [height, width],
        kernel,
        strides: [stride_y, stride_x],
        dilation: [dilation_y, dilation_x],
        result: [result[2], result[3]],
    };
    Conv::choose(of.numbers, shape, amx::limits(of.numbers))
}

/// What a stage reads in bf16 or in bytes, if tiles multiply that.
fn operands(stage: Stage, machine: Machine) -> Option<Operands> {
    operands_of_bf16(stage)
        .filter(|_| amx::multiplies_bf16(machine))
        .or_else(|| operands_of_bytes(stage).filter(|_| amx::multiplies_bytes(machine)))
}

fn operands_of_bf16(stage: Stage) -> Option<Operands> {
    let operands = stage.producers();
    let are_read = operands.iter().all(|operand| widens(*operand, stage));
    match operands[..] {
        [data, weight] if are_read => Some(Operands {
            numbers: Numbers::Bf16,
            data: data.shape(),
            weight: weight.shape(),
        }),
        _ => None,
    }
}

/// The bytes that a stage multiplies: of data in memory, and of a weight that is a parameter in words. The data are bytes that
/// the stage makes words of, or they are words.
fn operands_of_bytes(stage: Stage) -> Option<Operands> {
    let [data, weight] = byte_operands(stage)?;
    if weight.def().is_some() {
        return None;
    }
    let (numbers, data) = match data.def_of(names::te::COMPUTE).map(|op| Stage { op }) {
        Some(words) if words.is(Role::Words) => (Numbers::Bytes, bytes_of_words(words, stage)?),
        Some(pad) if pad.is(Role::Pad) => (Numbers::Words, data),
        Some(_) => return None,
        None => (Numbers::Words, data),
    };
    Some(Operands {
        numbers,
        data: data.ty().shape(),
        weight: weight.ty().shape(),
    })
}

/// The tensors whose words a stage multiplies, if it sums up such products.
fn byte_operands(stage: Stage) -> Option<[Value; 2]> {
    let sum = stage.op.body().terminator()?.operand(0);
    let product = sum.def_of(names::tir::DOT_BYTES)?;
    let read = |number: usize| {
        let read = product.operand(number).def_of(tensor::Extract::NAME)?;
        Some(read.operand(0))
    };
    Some([read(0)?, read(1)?])
}

/// The bytes in memory that a stage packs into words, if only `reader` reads these.
fn bytes_of_words(words: Stage, reader: Stage) -> Option<Value> {
    let mut ops = words.op.body().ops().into_iter();
    let read = ops.find(|op| op.is(tensor::Extract::NAME))?;
    let bytes = read.operand(0);
    let is_of_bytes = Element::of(bytes.ty().element()) == Some(Element::U8);
    (is_of_bytes && words.readers() == [reader] && lies(bytes)).then_some(bytes)
}

/// Whether a tensor lies in memory: a parameter of the kernel, or one with padding.
fn lies(tensor: Value) -> bool {
    match tensor.def_of(names::te::COMPUTE) {
        Some(op) => is_pad(Stage { op }),
        None => tensor.def().is_none(),
    }
}

/// What a stage widens for another one alone, if it does and that [lies] in memory.
fn narrow(stage: Stage, reader: Stage) -> Option<Value> {
    let mut ops = stage.op.body().ops().into_iter();
    let read = ops.find(|op| op.is(tensor::Extract::NAME))?;
    let narrow = read.operand(0);
    let is_wide = stage.is(Role::Widen) && read.result(0).ty().is_bf16();
    (is_wide && stage.readers() == [reader] && lies(narrow)).then_some(narrow)
}

fn is_pad(stage: Stage) -> bool {
    stage.is(Role::Pad) && stage.producers().is_empty()
}

fn widens(stage: Stage, reader: Stage) -> bool {
    narrow(stage, reader).is_some()
}

/// Whether a stage widens an operand of a product on tiles, or makes words of it.
pub fn is_operand(stage: Stage, machine: Machine) -> bool {
    let readers = stage.readers();
    let on_amx_tiles = |reader| {
        of_product(reader, machine).is_some()
            || of_matmul(reader, machine).is_some()
            || of_conv(reader, machine).is_some()
    };
    let is_converted = stage.is(Role::Widen) || stage.is(Role::Words);
    is_converted && readers.len() == 1 && on_amx_tiles(readers[0])
}

/// Whether a stage is data with padding that tiles are read from, so that it must lie in memory.
pub fn is_padded_operand(stage: Stage, machine: Machine) -> bool {
    let is_read = |reader: Stage| {
        is_operand(reader, machine)
            || (byte_operands(reader).is_some() && of_conv(reader, machine).is_some())
    };
    stage.is(Role::Pad) && stage.readers().into_iter().any(is_read)
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
    let blocks = ceil_div(rows, tile.block_rows());
    // A word has as many bytes as a number of f32.
    let bytes = F32_BYTES * tile.words() * tile.block_rows();
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
    let depth = depth(s, axes[rank], tile.numbers());
    s.reorder(&[batch, &[row, column, lane], &depth[..]].concat());
    s.tensorize(row, &tile.name());
}

/// An axis of inputs that are summed up as words, and the numbers of a word where these are summed up one after the other.
fn depth(s: &ScheduleBuilder, axis: Value, numbers: Numbers) -> Vec<Value> {
    match numbers {
        Numbers::Bf16 => {
            let (word, half) = s.split(axis, numbers.of_word());
            vec![word, half]
        }
        Numbers::Bytes | Numbers::Words => vec![axis],
    }
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

/// [n, c, y, x, lane]: as [`product`], with pixels for rows and one or two tiles of channels for columns.
pub fn conv2d(s: &ScheduleBuilder, (conv, last): (Stage, Stage), tile: Conv, machine: Machine) {
    inline_operands(s, conv);
    let (accumulator, result) = accumulator(s, conv, last);
    let axes = s.axes(result, 5);
    let (column_tile, column) = column_tiles(s, conv, axes[1], tile);
    let (row_tile, row) = s.split(axes[2], tile.block_rows());
    let (pixel_tile, pixel) = s.split(axes[3], tile.block_pixels());
    let (lane_tile, lanes) = s.split(axes[4], tile.block_lanes());
    let (vector, lane) = s.split(lanes, machine.block().min(tile.block_lanes()));
    let mut shared = vec![axes[0], column_tile, lane_tile, row_tile];
    let mut inner = Vec::new();
    if conv.shape()[2] % tile.block_rows() != 0 {
        // The last tile is shifted inwards; that must stay one loop.
        inner.extend(shared.pop());
    } else if keeps_weight(weight_bytes(conv), machine) {
        // As `rows_first`, with the two loops over tiles of columns.
        shared[1..].rotate_right(1);
    }
    inner.extend([pixel_tile, column, row, pixel, vector, lane]);
    s.reorder(&[&shared[..], &inner[..]].concat());
    s.unroll(vector);
    s.vectorize(lane);
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
    let depth = depth(s, axes[8], tile.numbers());
    let mut outer = vec![axes[0]];
    let mut inner = Vec::new();
    for (axis, extent) in [
        (axes[1], tile.block_channels()),
        (axes[2], tile.block_rows()),
    ] {
        if extent == 1 { &mut outer } else { &mut inner }.push(axis);
    }
    inner.extend(&axes[3..8]);
    inner.extend(depth);
    s.reorder(&[&outer[..], &inner[..]].concat());
    s.tensorize(inner[0], &tile.name());
}

/// The product reads them as they lie.
fn inline_operands(s: &ScheduleBuilder, stage: Stage) {
    let converted = |operand: &Stage| operand.is(Role::Widen) || operand.is(Role::Words);
    for operand in stage.producers().into_iter().filter(converted) {
        s.compute_inline(s.stage(operand.tensor()));
    }
}

/// The bytes of a convolution's weight in f32, as which its pairs of bf16 were measured.
fn weight_bytes(conv: Stage) -> i64 {
    let shape = conv.shape();
    let pixels = shape[0] * shape[2] * shape[3];
    F32_BYTES * conv.work() / pixels.max(1)
}
