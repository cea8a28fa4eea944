//! Matrix products.

use super::{Machine, Stage, accumulator, waste};
use relay_dialects::te::build::ScheduleBuilder;

/// The tile of the result in registers: rows by vectors.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Tile {
    rows: i64,
    vectors: i64,
}

/// The tile that takes fewest cycles, among those that fit the registers.
///
/// A step of the reduction takes rows * vectors multiply-adds, two in a cycle, and reads a vector for
/// each column and a number for each row, two in a cycle as well. Tiles that do not divide the
/// result compute some elements twice, the last tile being shifted inwards.
fn choose(rows: i64, columns: i64, machine: Machine) -> Tile {
    let mut best = (
        f64::INFINITY,
        Tile {
            rows: 1,
            vectors: 1,
        },
    );
    for vectors in 1..=(columns / machine.lanes).min(6) {
        for tile_rows in 1..=rows.min(14) {
            // A vector for each column's data; a row's number comes from memory as it is used.
            if tile_rows * vectors + vectors + 1 > machine.registers {
                continue;
            }
            let (x, y) = (tile_rows as f64, vectors as f64);
            let waste = waste(rows, tile_rows) * waste(columns, vectors * machine.lanes);
            // A product waits for the one before it in its own chain; eight others fill the time.
            let busy = (8.0 / (x * y)).max(1.0);
            let cost = waste * busy * (1.0f64.max((x + y) / (x * y)) + 0.5 * (x + y) / (x * y));
            if cost < best.0 {
                best = (
                    cost,
                    Tile {
                        rows: tile_rows,
                        vectors,
                    },
                );
            }
        }
    }
    best.1
}

/// [.., m, n] with contiguous rows of the second operand: a tile of rows by vectors in registers.
/// Tiles are shared among threads along an axis that they divide.
pub fn matmul(s: &ScheduleBuilder, product: Stage, last: Stage, machine: Machine) {
    let shape = product.shape();
    let rank = shape.len();
    let (rows, columns) = (shape[rank - 2], shape[rank - 1]);
    if columns < machine.lanes {
        if product != last {
            super::injective::root(s, product, machine);
        }
        return super::injective::root(s, last, machine);
    }
    let (accumulator, result) = accumulator(s, product, last);
    let tile = choose(rows, columns, machine);
    let axes = s.axes(result, rank);
    let (row_outer, row) = s.split(axes[rank - 2], tile.rows);
    let (column_outer, wide) = s.split(axes[rank - 1], tile.vectors * machine.lanes);
    let (vector, lane) = s.split(wide, machine.lanes);
    // A last tile that is shifted inwards must not be another thread's.
    let (whole_rows, whole_columns) = (
        rows % tile.rows == 0,
        columns % (tile.vectors * machine.lanes) == 0,
    );
    let (first, second) = if whole_columns && !whole_rows {
        (column_outer, row_outer)
    } else {
        (row_outer, column_outer)
    };
    let batch = &axes[..rank - 2];
    s.reorder(&[batch, &[first, second, row, vector, lane]].concat());
    s.unroll(row);
    s.unroll(vector);
    s.vectorize(lane);
    let mut shared = batch.to_vec();
    shared.extend((whole_rows || whole_columns).then_some(first));
    if !shared.is_empty() && product.is_worth_sharing_tiles(machine.lanes) {
        s.parallel(s.fuse(&shared));
    }
    s.compute_at(accumulator, result, second);

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
    if product.is_worth_sharing_tiles(shape[2]) {
        s.parallel(rows);
    }
    s.unroll(block);
    s.vectorize(axes[2]);
    s.compute_at(cache, handle, rows);
    let axes = s.axes(cache, 4);
    s.reorder(&[axes[3], axes[1], axes[2]]);
    s.unroll(axes[1]);
    s.vectorize(axes[2]);
}

#[cfg(test)]
mod tests {
    use super::{Tile, choose, waste};
    use crate::Machine;

    #[test]
    fn tiles_fit_the_registers_and_the_result() {
        for bits in [128, 256, 512] {
            let machine = Machine::new(bits);
            for rows in [1, 2, 5, 34, 64, 128] {
                for columns in [16, 17, 49, 196, 768, 1000] {
                    let Tile {
                        rows: tile_rows,
                        vectors,
                    } = choose(rows, columns, machine);
                    assert!(tile_rows <= rows && vectors * machine.lanes <= columns);
                    assert!(tile_rows * vectors < machine.registers);
                }
            }
        }
    }

    #[test]
    fn tiles_waste_little() {
        let machine = Machine::new(512);
        for (rows, columns) in [(64, 64), (30, 48), (34, 784), (128, 768)] {
            let tile = choose(rows, columns, machine);
            let waste = waste(rows, tile.rows) * waste(columns, tile.vectors * machine.lanes);
            assert!(waste < 1.1, "{tile:?} of {rows} x {columns}: {waste}");
        }
    }
}
