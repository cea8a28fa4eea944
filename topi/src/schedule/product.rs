//! Matrix products.

use super::{
    Machine, Stage, accumulator,
    cost::{
        fewest, halves, lanes_of_row,
        layout::FEW_ROWS,
        pieces_in_l2,
        registers::{self, Extents, RegisterTile},
    },
    machine::F32_BYTES,
    panel, x86_amx,
};
use relay_dialects::{index::ceil_div, ir::Value, te::build::ScheduleBuilder};

/// The tile of the result in registers: rows by vectors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tile {
    /// Rows of the result.
    pub rows: i64,
    /// Vectors of its columns.
    pub vectors: i64,
}

/// Of fewer tiles of rows, what a tile of columns reads is used too seldom to be copied before.
const MIN_TILES_OF_COPY: i64 = 4;

/// The parts of the rows, or of the columns of few rows, that threads share, at least.
const MIN_PARTS: i64 = 4;

/// A row of the result is so many times as long as one of the first operand where writing takes most of the time.
const WRITES: i64 = 16;

/// Of so many rows of a matrix, which are read side by side, a tile of sums is made before the next one.
const MOST_DEPTH: i64 = 8;
const MIN_DEPTH: i64 = 4;

/// The tile that takes fewest cycles, among those that fit the registers. Tiles that do not divide the
/// result compute some elements twice, the last tile being shifted inwards; where `is_whole`, as of
/// columns that lie in blocks of `lanes`, they divide the columns.
pub fn choose(rows: i64, columns: i64, lanes: i64, is_whole: bool, machine: Machine) -> Tile {
    let wide = machine.registers_of(lanes);
    let fits = |vectors: &i64| !is_whole || columns % (vectors * lanes) == 0;
    let tiles = (1..=(columns / lanes).min(MOST_VECTORS))
        .filter(fits)
        .flat_map(|vectors| (1..=rows.min(MOST_ROWS)).map(move |rows| Tile { rows, vectors }))
        // A vector for each column's data; a row's number comes from memory as it is used.
        .filter(|tile| (tile.rows + 1) * tile.vectors * wide < machine.registers);
    let cost = |tile: &Tile| {
        let registers = RegisterTile {
            numbers: tile.rows,
            vectors: tile.vectors * wide,
        };
        let extents = Extents { rows, columns };
        registers::product(1.0, extents, registers, tile.vectors * lanes, machine)
    };
    fewest(tiles, cost).unwrap_or(Tile {
        rows: 1,
        vectors: 1,
    })
}

/// The rows and the vectors of the tiles to choose from.
const MOST_ROWS: i64 = 14;
const MOST_VECTORS: i64 = 8;

/// The lanes of the vectors of a product, and whether its tiles must not be cut. Of few rows, threads can only share
/// tiles of columns, which wait for memory, so that narrower vectors do as well.
fn whole_lanes(product: Stage, lanes: i64) -> (i64, bool) {
    let shape = product.shape();
    let columns = shape[shape.len() - 1];
    let rows = shape.iter().product::<i64>() / columns.max(1);
    if rows > FEW_ROWS || !product.is_worth_sharing_tiles(lanes) {
        return (lanes, false);
    }
    let whole = halves(lanes).find(|lanes| columns % lanes == 0);
    whole.map_or((lanes, false), |lanes| (lanes, true))
}

/// [.., m, n] with contiguous rows of the second operand, or with its columns in blocks: a tile of
/// rows by vectors in registers. A part of the rows meets all columns before the next one does, and
/// the columns of a tile meet all rows of the part.
pub fn matmul(s: &ScheduleBuilder, product: Stage, last: Stage, machine: Machine) {
    let shape = product.shape();
    let rank = shape.len();
    let (rows, columns) = (shape[rank - 2], shape[rank - 1]);
    let block = product.block();
    if let Some(tile) = x86_amx::of_product(product, machine) {
        return x86_amx::product(s, (product, last), tile, machine);
    }
    // Rows shorter than a vector take narrower ones.
    let Some(lanes) = block.or_else(|| lanes_of_row(columns, product.bytes(), machine)) else {
        panel::widen(s, product, None, machine.block());
        if product != last {
            super::injective::root(s, product, machine);
        }
        return super::injective::root(s, last, machine);
    };
    let (lanes, is_whole) = if block.is_some() {
        (lanes, true)
    } else {
        whole_lanes(product, lanes)
    };
    let (accumulator, result) = accumulator(s, product, last);
    let tile = choose(rows, columns, lanes, is_whole, machine);
    // A last tile that is shifted inwards must not be another thread's.
    let (whole_rows, whole_columns) =
        (rows % tile.rows == 0, columns % (tile.vectors * lanes) == 0);
    let tiles = ceil_div(rows, tile.rows);
    if block.is_none()
        && let Some(run) = Run::of(product, tile, lanes, machine)
    {
        return in_runs(s, (accumulator, result), product, run);
    }
    let depth = product.work() / shape.iter().product::<i64>().max(1);
    let bytes = F32_BYTES * depth * tile.rows;
    let operand = panel::scattered_operand(product, machine).filter(|_| block.is_none());
    let mut part = if writes_most(rows, columns, depth, machine) {
        1
    } else {
        pieces_in_l2(tiles, bytes, tiles, machine)
    };
    let mut columns_first = !whole_rows || whole_columns;
    if !columns_first && operand.is_some() {
        // Threads share parts of rows, so that each copies what it reads of the columns.
        let parts = pieces_in_l2(tiles, bytes, tiles / MIN_PARTS, machine);
        columns_first = parts >= MIN_TILES_OF_COPY;
        part = if columns_first { parts } else { part };
    }
    let operand = operand.filter(|_| part >= MIN_TILES_OF_COPY);
    let axes = s.axes(result, rank);
    let (row_tile, row) = s.split(axes[rank - 2], tile.rows);
    let (part_outer, row_outer) = s.split(row_tile, part);
    let (column_outer, wide) = s.split(axes[rank - 1], tile.vectors * lanes);
    let (vector, lane) = s.split(wide, lanes);
    let (first, second) = if columns_first {
        (column_outer, row_outer)
    } else {
        (row_outer, column_outer)
    };
    let batch = &axes[..rank - 2];
    s.reorder(&[batch, &[part_outer, first, second, row, vector, lane]].concat());
    s.unroll(row);
    s.unroll(vector);
    s.vectorize(lane);
    let mut shared = batch.to_vec();
    shared.push(part_outer);
    shared.extend((whole_columns || !columns_first).then_some(first));
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
    if let (Some(at), Some(operand)) = (of_columns, operand) {
        panel::copy(s, operand, accumulator, at, lanes);
    }
    s.compute_at(accumulator, result, second);

    let axes = s.axes(accumulator, rank + 1);
    let (row, wide, k) = (axes[rank - 2], axes[rank - 1], axes[rank]);
    let (vector, lane) = s.split(wide, lanes);
    s.reorder(&[k, row, vector, lane]);
    s.unroll(row);
    s.unroll(vector);
    s.vectorize(lane);
}

/// Whether writing the result takes most of the time, as of the scores of attention: it is far larger than
/// the operands, of which the cache holds the second. Then rows of tiles are written one after the other,
/// not columns of tiles, whose lines lie in as many pages as there are rows.
fn writes_most(rows: i64, columns: i64, depth: i64, machine: Machine) -> bool {
    columns >= WRITES * depth
        && machine.stays_in_l2(F32_BYTES * depth * columns)
        && F32_BYTES * rows * columns > machine.l2_bytes
}

/// How a product of few rows reads a matrix that is in no cache: some rows of it at a time, in runs of
/// which each is as many tiles as have their sums in the nearest cache.
struct Run {
    tile: Tile,
    lanes: i64,
    /// The columns of a run.
    columns: i64,
    /// The rows of the matrix that a tile of sums meets while it is in registers.
    depth: i64,
}

impl Run {
    /// None if the product has more rows, a matrix that caches hold, or columns that equal runs do not divide.
    fn of(product: Stage, tile: Tile, lanes: i64, machine: Machine) -> Option<Self> {
        let shape = product.shape();
        let rank = shape.len();
        let (rows, columns) = (shape[rank - 2], shape[rank - 1]);
        let [depth] = product.reduce_extents()[..] else {
            return None;
        };
        let is_far = F32_BYTES * depth * columns > machine.l2_bytes;
        if !is_far || rows != tile.rows || panel::scattered_operand(product, machine).is_none() {
            return None;
        }
        let wide = tile.vectors * lanes;
        let most = (machine.kept_in_l1() / F32_BYTES / rows).min(columns / MIN_PARTS);
        let divides = |run: &i64| columns % (run * wide) == 0;
        let tiles = (2..=most / wide).rev().find(divides)?;
        let depth = (MIN_DEPTH..=MOST_DEPTH)
            .rev()
            .find(|part| depth % part == 0)?;
        Some(Self {
            tile,
            lanes,
            columns: tiles * wide,
            depth,
        })
    }
}

/// [.., m, n] of few rows m, whose sums are in the nearest cache for a run of columns.
fn in_runs(s: &ScheduleBuilder, (accumulator, result): (Value, Value), product: Stage, run: Run) {
    let rank = product.shape().len();
    let axes = s.axes(result, rank);
    let (outer, inner) = s.split(axes[rank - 1], run.columns);
    let (vector, lane) = s.split(inner, run.lanes);
    s.reorder(&[outer, axes[rank - 2], vector, lane]);
    s.vectorize(lane);
    let shared = s.fuse(&[&axes[..rank - 2], &[outer]].concat());
    s.parallel(shared);
    s.compute_at(accumulator, result, shared);

    let axes = s.axes(accumulator, rank + 1);
    let (row, wide, k) = (axes[rank - 2], axes[rank - 1], axes[rank]);
    let (tile, wide) = s.split(wide, run.tile.vectors * run.lanes);
    let (vector, lane) = s.split(wide, run.lanes);
    let (k, depth) = s.split(k, run.depth);
    s.reorder(&[k, tile, depth, row, vector, lane]);
    s.unroll(depth);
    s.unroll(row);
    s.unroll(vector);
    s.vectorize(lane);
}

#[cfg(test)]
mod tests {
    use super::{Tile, choose};
    use crate::Machine;
    use crate::schedule::cost::waste;

    #[test]
    fn tiles_fit_the_registers_and_the_result() {
        for bits in [128, 256, 512] {
            let machine = Machine::new(bits);
            for rows in [1, 2, 5, 34, 64, 128] {
                for columns in [16, 17, 49, 196, 768, 1000] {
                    let Tile {
                        rows: tile_rows,
                        vectors,
                    } = choose(rows, columns, machine.block(), false, machine);
                    assert!(tile_rows <= rows && vectors * machine.block() <= columns);
                    assert!(tile_rows * vectors < machine.registers);
                }
            }
        }
    }

    #[test]
    fn tiles_waste_little() {
        let machine = Machine::new(512);
        for (rows, columns) in [(64, 64), (30, 48), (34, 784), (128, 768)] {
            let tile = choose(rows, columns, machine.block(), false, machine);
            let waste = waste(rows, tile.rows) * waste(columns, tile.vectors * machine.block());
            assert!(waste < 1.1, "{tile:?} of {rows} x {columns}: {waste}");
        }
    }
}
