//! Matrix products.

use super::{Machine, Stage, accumulator};
use relay_dialects::te::build::ScheduleBuilder;

/// The tile of the result in registers: rows by vectors.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Tile {
    rows: i64,
    vectors: i64,
}

/// The most rows and vectors that divide the result; else the most, the last tile shifted inwards.
fn choose(rows: i64, columns: i64, machine: Machine) -> Tile {
    let most = if machine.registers >= 32 { 4 } else { 2 };
    let fitting = columns / machine.lanes;
    let divides = |count: &i64| columns % (count * machine.lanes) == 0;
    let widest = most.min(fitting);
    Tile {
        rows: (4..=6)
            .rev()
            .find(|count| rows % count == 0)
            .unwrap_or(rows.min(6)),
        vectors: (2..=widest).rev().find(divides).unwrap_or(widest),
    }
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
    use super::{Tile, choose};
    use crate::Machine;

    #[test]
    fn tiles_divide_the_result_where_they_can() {
        let machine = Machine::new(512);
        let of = |rows, columns| choose(rows, columns, machine);
        assert_eq!(
            of(64, 64),
            Tile {
                rows: 4,
                vectors: 4
            }
        );
        assert_eq!(
            of(30, 48),
            Tile {
                rows: 6,
                vectors: 3
            }
        );
        assert_eq!(
            of(7, 17),
            Tile {
                rows: 6,
                vectors: 1
            }
        );
        assert_eq!(
            of(2, 1000),
            Tile {
                rows: 2,
                vectors: 4
            }
        );
    }
}
