//! Winograd's convolutions: for some tiles at a time, the transformed data, the products and the
//! transformed results, which stay in the cache between.

use super::{Machine, Stage, conv2d, machine::F32_BYTES};
use crate::winograd::TAGS;
use relay_dialects::{ir::Value, te::build::ScheduleBuilder, tir::Scope};

/// Whether a stage is scheduled with the last one of a convolution, which reads it.
pub fn is_part(stage: Stage) -> bool {
    TAGS[..4].contains(&stage.tag().as_str())
}

/// The stages before the last one: the data's columns, the data, the products, the result's columns.
fn parts(result: Stage) -> Option<[Stage; 4]> {
    let mut parts = Vec::new();
    let mut reader = result;
    for tag in TAGS[..4].iter().rev() {
        reader = reader
            .producers()
            .into_iter()
            .find(|stage| stage.tag() == *tag)?;
        parts.push(reader);
    }
    parts.reverse();
    parts.try_into().ok()
}

/// How many tiles go through all stages together, a divisor of their number: as many as half of the
/// cache holds, in enough groups to share. None if the weight, which each group reads anew, does not
/// stay in the cache, or groups would be too small to use it.
fn group(tiles: i64, bytes_per_tile: i64, weight_bytes: i64, machine: Machine) -> Option<i64> {
    // A weight that does not stay is read from memory in the time that a long group takes.
    let least = if machine.stays_in_l2(weight_bytes) {
        12
    } else {
        24
    };
    (least..=tiles / machine.threads)
        .rev()
        .find(|group| tiles % group == 0 && machine.stays_in_l2(group * bytes_per_tile))
}

/// `conv` gives the result of the convolution, `last` that of its epilogue.
///
/// Of many tiles a group at a time goes through all stages, groups being shared among threads; of few
/// tiles all go through each stage, whose parts are shared.
pub fn winograd(s: &ScheduleBuilder, conv: Stage, last: Stage, machine: Machine) {
    let Some([data_columns, data, products, result_columns]) = parts(conv) else {
        return super::injective::root(s, last, machine);
    };
    let [alpha, _, blocks, tiles, lanes] = products.shape()[..] else {
        return super::injective::root(s, last, machine);
    };
    let tile = result_columns.shape()[0];
    let inputs = data.shape()[3] * data.shape()[4];
    let elements = alpha * alpha * (inputs + blocks * lanes);
    let weight_bytes = F32_BYTES * alpha * alpha * inputs * blocks * lanes;
    let grouped = group(tiles, F32_BYTES * elements, weight_bytes, machine);
    let (in_groups, group) = (grouped.is_some(), grouped.unwrap_or(tiles));
    let shared = products.is_worth_sharing_tiles(lanes);

    let handle = |stage: Stage| s.stage(stage.tensor());
    let result = handle(last);
    if conv != last {
        s.compute_inline(handle(conv));
    }
    let axes = s.axes(result, 5);
    let (row, y) = s.split(axes[2], tile);
    let (column, x) = s.split(axes[3], tile);
    let (groups, place) = if in_groups {
        s.reorder(&[axes[0], row, column, axes[1], y, x, axes[4]]);
        let (groups, place) = s.split(s.fuse(&[axes[0], row, column]), group);
        s.reorder(&[groups, axes[1], place, y, x, axes[4]]);
        (groups, place)
    } else {
        s.reorder(&[axes[0], axes[1], row, column, y, x, axes[4]]);
        (s.fuse(&[axes[0], axes[1], row]), column)
    };
    if shared {
        s.parallel(groups);
    }
    for axis in [y, x] {
        s.unroll(axis);
    }
    s.vectorize(axes[4]);
    columns_at(s, result_columns, (result, place));

    let (product, product_loop) = multiply(s, products, group, machine);
    let transformed = handle(data);
    let axes = s.axes(transformed, 5);
    s.reorder(&[axes[2], axes[3], axes[0], axes[1], axes[4]]);
    for axis in [axes[0], axes[1]] {
        s.unroll(axis);
    }
    s.vectorize(axes[4]);
    if in_groups {
        s.compute_at(product, result, groups);
        s.compute_at(transformed, result, groups);
        return columns_at(s, data_columns, (transformed, axes[3]));
    }
    let place = s.fuse(&[axes[2], axes[3]]);
    if shared {
        s.parallel(place);
        s.parallel(product_loop);
    }
    columns_at(s, data_columns, (transformed, place));
}

/// Half of a transform in registers: a stage of columns, computed at a loop of the stage of rows.
fn columns_at(s: &ScheduleBuilder, columns: Stage, (reader, at): (Value, Value)) {
    let columns = s.stage(columns.tensor());
    s.set_scope(columns, Scope::Local);
    s.compute_at(columns, reader, at);
    let axes = s.axes(columns, 5);
    for axis in [axes[0], axes[1]] {
        s.unroll(axis);
    }
    s.vectorize(axes[4]);
}

/// The products [alpha, alpha, blocks, tiles, lanes], of which `group` tiles are wanted at a time.
/// Returns the stage and its outermost loop.
fn multiply(s: &ScheduleBuilder, products: Stage, group: i64, machine: Machine) -> (Value, Value) {
    let shape = products.shape();
    let result = s.stage(products.tensor());
    let cache = s.cache_write(result, Scope::Local);
    let register_tile = conv2d::choose(group, shape[2], shape[4], machine);
    let axes = s.axes(result, 5);
    let (block_outer, block) = s.split(axes[2], register_tile.blocks);
    let (outer, place) = s.split(axes[3], register_tile.columns);
    s.reorder(&[axes[0], axes[1], block_outer, outer, place, block, axes[4]]);
    let panels = s.fuse(&[axes[0], axes[1], block_outer]);
    s.unroll(place);
    s.unroll(block);
    s.vectorize(axes[4]);
    s.compute_at(cache, result, outer);
    let axes = s.axes(cache, 7);
    s.reorder(&[axes[5], axes[6], axes[3], axes[2], axes[4]]);
    s.unroll(axes[3]);
    s.unroll(axes[2]);
    s.vectorize(axes[4]);
    (result, panels)
}
