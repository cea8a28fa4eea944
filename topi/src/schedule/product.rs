//! Matrix products.

use super::{Machine, Stage, accumulator, panel, tiles, waste};
use relay_dialects::te::build::ScheduleBuilder;

/// The tile of the result in registers: rows by vectors.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Tile {
    rows: i64,
    vectors: i64,
}

/// What a vector of the columns costs, which comes from the second cache, in numbers of the rows, which
/// come from the first.
const COLUMN_LOADS: f64 = 2.5;

/// The tile that takes fewest cycles, among those that fit the registers.
///
/// A step of the reduction takes rows * vectors multiply-adds, two in a cycle, and reads a vector for
/// each column and a number for each row, two in a cycle as well. Tiles that do not divide the
/// result compute some elements twice, the last tile being shifted inwards. `blocked` columns lie in
/// blocks of `lanes`.
fn choose(rows: i64, columns: i64, lanes: i64, blocked: bool, machine: Machine) -> Tile {
    let mut best = (
        f64::INFINITY,
        Tile {
            rows: 1,
            vectors: 1,
        },
    );
    let wide = machine.registers_of(lanes);
    // Blocks of columns must not be cut.
    let fits = |vectors: &i64| !blocked || columns % (vectors * lanes) == 0;
    for vectors in (1..=(columns / lanes).min(8)).filter(fits) {
        for tile_rows in 1..=rows.min(14) {
            // A vector for each column's data; a row's number comes from memory as it is used.
            if (tile_rows + 1) * vectors * wide + 1 > machine.registers {
                continue;
            }
            let (x, y) = (tile_rows as f64, (vectors * wide) as f64);
            let waste = waste(rows, tile_rows) * waste(columns, vectors * lanes);
            // A product waits for the one before it in its own chain; eight others fill the time.
            let busy = (8.0 / (x * y)).max(1.0);
            let loads = (x + COLUMN_LOADS * y) / (x * y);
            let cost = waste * busy * (1.0f64.max((x + y) / (x * y)) + 0.5 * loads);
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

/// The tiles of rows whose first operand is read for every tile of columns: as many as half of the
/// cache holds, of those that divide their number. Such parts need no guard.
pub(super) fn tiles_in_cache(rows: i64, tile: i64, depth: i64, machine: Machine) -> i64 {
    let tiles = (rows + tile - 1) / tile;
    let fitting = (machine.cache_bytes / 2 / (4 * depth.max(1)) / tile).max(1);
    (1..=fitting.min(tiles))
        .rev()
        .find(|part| tiles % part == 0)
        .unwrap_or(tiles)
}

/// [.., m, n] with contiguous rows of the second operand, or with its columns in blocks: a tile of
/// rows by vectors in registers. A part of the rows meets all columns before the next one does, and
/// the columns of a tile meet all rows of the part.
pub fn matmul(s: &ScheduleBuilder, product: Stage, last: Stage, machine: Machine) {
    let shape = product.shape();
    let rank = shape.len();
    let (rows, columns) = (shape[rank - 2], shape[rank - 1]);
    let block = product.block();
    let lanes = block.unwrap_or(machine.lanes);
    if let Some(tile) = tiles::of(product, machine) {
        return tiles::product(s, (product, last), tile, machine);
    }
    if columns < lanes {
        panel::widen(s, product, None, lanes);
        if product != last {
            super::injective::root(s, product, machine);
        }
        return super::injective::root(s, last, machine);
    }
    let (accumulator, result) = accumulator(s, product, last);
    let tile = choose(rows, columns, lanes, block.is_some(), machine);
    let part = tiles_in_cache(
        rows,
        tile.rows,
        product.work() / shape.iter().product::<i64>().max(1),
        machine,
    );
    let axes = s.axes(result, rank);
    let (row_tile, row) = s.split(axes[rank - 2], tile.rows);
    let (part_outer, row_outer) = s.split(row_tile, part);
    let (column_outer, wide) = s.split(axes[rank - 1], tile.vectors * lanes);
    let (vector, lane) = s.split(wide, lanes);
    // A last tile that is shifted inwards must not be another thread's.
    let (whole_rows, whole_columns) =
        (rows % tile.rows == 0, columns % (tile.vectors * lanes) == 0);
    let (first, second) = if whole_rows && !whole_columns {
        (row_outer, column_outer)
    } else {
        (column_outer, row_outer)
    };
    let batch = &axes[..rank - 2];
    s.reorder(&[batch, &[part_outer, first, second, row, vector, lane]].concat());
    s.unroll(row);
    s.unroll(vector);
    s.vectorize(lane);
    let mut shared = batch.to_vec();
    shared.push(part_outer);
    shared.extend((whole_rows || whole_columns).then_some(first));
    let mut tiles = first;
    if product.is_worth_sharing_tiles(lanes) {
        let fused = s.fuse(&shared);
        s.parallel(fused);
        if shared.contains(&first) {
            tiles = fused;
        }
    }
    let of_columns = (first == column_outer).then_some((result, tiles));
    panel::widen(s, product, of_columns, lanes);
    s.compute_at(accumulator, result, second);

    let axes = s.axes(accumulator, rank + 1);
    let (row, wide, k) = (axes[rank - 2], axes[rank - 1], axes[rank]);
    let (vector, lane) = s.split(wide, lanes);
    s.reorder(&[k, row, vector, lane]);
    s.unroll(row);
    s.unroll(vector);
    s.vectorize(lane);
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
                    } = choose(rows, columns, machine.lanes, false, machine);
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
            let tile = choose(rows, columns, machine.lanes, false, machine);
            let waste = waste(rows, tile.rows) * waste(columns, tile.vectors * machine.lanes);
            assert!(waste < 1.1, "{tile:?} of {rows} x {columns}: {waste}");
        }
    }
}
