//! Matrix products.

use super::{Machine, Stage};
use relay_dialects::te::build::ScheduleBuilder;

/// Rows of the result in one register tile.
const ROWS: i64 = 6;
/// Vectors of a row in one register tile.
const VECTORS: i64 = 4;

/// [.., m, n] with contiguous rows of the second operand: a tile of rows by vectors in registers.
pub fn matmul(s: &ScheduleBuilder, product: Stage, last: Stage, machine: Machine) {
    let shape = product.shape();
    let rank = shape.len();
    let (rows, columns) = (shape[rank - 2], shape[rank - 1]);
    if columns < machine.lanes {
        return super::injective::root(s, last, machine);
    }
    let result = s.stage(last.tensor());
    let accumulator = if product.op == last.op {
        s.cache_write(result, "local")
    } else {
        let stage = s.stage(product.tensor());
        s.set_scope(stage, "local");
        stage
    };
    let tile_columns = if machine.registers >= 32 && columns >= VECTORS * machine.lanes {
        VECTORS
    } else {
        1
    };
    let axes = s.axes(result, rank);
    let (row_outer, row) = s.split(axes[rank - 2], ROWS.min(rows));
    let (outer, wide) = s.split(axes[rank - 1], tile_columns * machine.lanes);
    let (vector, lane) = s.split(wide, machine.lanes);
    let batch = &axes[..rank - 2];
    s.reorder(&[batch, &[row_outer, outer, row, vector, lane]].concat());
    s.unroll(row);
    s.unroll(vector);
    s.vectorize(lane);
    if let Some(first) = batch.first() {
        s.parallel(*first);
    }
    s.compute_at(accumulator, result, outer);

    let axes = s.axes(accumulator, rank + 1);
    let (row, wide, k) = (axes[rank - 2], axes[rank - 1], axes[rank]);
    let (vector, lane) = s.split(wide, machine.lanes);
    s.reorder(&[k, row, vector, lane]);
    s.unroll(row);
    s.unroll(vector);
    s.vectorize(lane);
}

/// [m, units / n, n] with a packed weight: four blocks at a time, so that their chains of
/// multiply-adds overlap.
pub fn packed(s: &ScheduleBuilder, product: Stage) {
    let shape = product.shape();
    let handle = s.stage(product.tensor());
    let cache = s.cache_write(handle, "local");
    let axes = s.axes(handle, 3);
    let blocks = (1..=4)
        .rev()
        .find(|count| shape[1] % count == 0)
        .unwrap_or(1);
    let (outer, block) = s.split(axes[1], blocks);
    s.reorder(&[axes[0], outer, block, axes[2]]);
    let rows = s.fuse(&[axes[0], outer]);
    s.parallel(rows);
    s.unroll(block);
    s.vectorize(axes[2]);
    s.compute_at(cache, handle, rows);
    let axes = s.axes(cache, 4);
    s.reorder(&[axes[3], axes[1], axes[2]]);
    s.unroll(axes[1]);
    s.vectorize(axes[2]);
}
