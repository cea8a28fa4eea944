//! Winograd's convolutions: for some tiles at a time, the transformed data, the products and the
//! transformed results, which stay in the cache between.

use super::{Machine, Stage, conv2d};
use crate::winograd::TAGS;
use relay_dialects::te::build::ScheduleBuilder;

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

/// How many tiles are done together: the divisor of their number with the least traffic to memory.
///
/// The weight is read once for each group of tiles; what does not fit half of the cache beside it
/// is written and read again from memory.
fn group(tiles: i64, bytes_per_tile: i64, weight_bytes: i64, machine: Machine) -> i64 {
    let traffic = |group: &i64| {
        let kept = group * bytes_per_tile <= machine.cache_bytes / 2;
        let weights = (tiles / group) * weight_bytes;
        // Short groups read each weight for few products.
        let short = 8 * weight_bytes * (tiles / group) / group.max(&1);
        weights + short + if kept { 0 } else { 2 * tiles * bytes_per_tile }
    };
    (1..=tiles)
        .filter(|group| tiles % group == 0)
        .min_by_key(traffic)
        .unwrap_or(1)
}

/// `conv` gives the result of the convolution, `last` that of its epilogue.
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
    let weight_bytes = 4 * alpha * alpha * inputs * blocks * lanes;
    let group = group(tiles, 4 * elements, weight_bytes, machine);

    let handle = |stage: Stage| s.stage(stage.tensor());
    let result = handle(last);
    if conv != last {
        s.compute_inline(handle(conv));
    }
    let axes = s.axes(result, 5);
    let (row, y) = s.split(axes[2], tile);
    let (column, x) = s.split(axes[3], tile);
    s.reorder(&[axes[0], row, column, axes[1], y, x, axes[4]]);
    let (groups, place) = s.split(s.fuse(&[axes[0], row, column]), group);
    s.reorder(&[groups, axes[1], place, y, x, axes[4]]);
    if tiles > group && products.is_worth_sharing_tiles(lanes) {
        s.parallel(groups);
    }
    for axis in [y, x] {
        s.unroll(axis);
    }
    s.vectorize(axes[4]);

    let columns = handle(result_columns);
    s.set_scope(columns, "local");
    s.compute_at(columns, result, place);
    let axes = s.axes(columns, 5);
    for axis in [axes[0], axes[1]] {
        s.unroll(axis);
    }
    s.vectorize(axes[4]);

    multiply(s, products, group, machine);
    s.compute_at(handle(products), result, groups);

    let transformed = handle(data);
    s.compute_at(transformed, result, groups);
    let axes = s.axes(transformed, 5);
    s.reorder(&[axes[2], axes[3], axes[0], axes[1], axes[4]]);
    for axis in [axes[0], axes[1]] {
        s.unroll(axis);
    }
    s.vectorize(axes[4]);

    let columns = handle(data_columns);
    s.set_scope(columns, "local");
    s.compute_at(columns, transformed, axes[3]);
    let axes = s.axes(columns, 5);
    for axis in [axes[0], axes[1]] {
        s.unroll(axis);
    }
    s.vectorize(axes[4]);
}

/// The products [alpha, alpha, blocks, tiles, lanes], of which `group` tiles are wanted at a time.
fn multiply(s: &ScheduleBuilder, products: Stage, group: i64, machine: Machine) {
    let shape = products.shape();
    let result = s.stage(products.tensor());
    let cache = s.cache_write(result, "local");
    let register_tile = conv2d::choose(group, shape[2], machine);
    let axes = s.axes(result, 5);
    let (block_outer, block) = s.split(axes[2], register_tile.blocks);
    let (outer, place) = s.split(axes[3], register_tile.columns);
    s.reorder(&[axes[0], axes[1], block_outer, outer, place, block, axes[4]]);
    s.unroll(place);
    s.unroll(block);
    s.vectorize(axes[4]);
    s.compute_at(cache, result, outer);
    let axes = s.axes(cache, 7);
    s.reorder(&[axes[5], axes[6], axes[3], axes[2], axes[4]]);
    s.unroll(axes[3]);
    s.unroll(axes[2]);
    s.vectorize(axes[4]);
}
