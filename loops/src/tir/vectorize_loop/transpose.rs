//! Tiles whose elements are read along one of two loops and written along the other: what `vectorize-loop` makes of both loops together.
//!
//! Where neighbouring lanes read elements of different rows, a gather takes as long as a load for each element. Here as many rows as a vector
//! has lanes are loaded as vectors, and shuffles in registers make columns of them: in blocks of 16 bytes first, as the instructions of
//! x86-64 do, then of whole blocks.

use super::vector_form::{depends_on_lane, step};
use crate::{copying::remap, vectors::shuffle};
use relay_dialects::{
    index::{self, depends_on},
    ir::{Block, Builder, Op, Type, Value},
    ops::{arith, memref, vector},
    tir::{For, LoopKind},
};
use std::collections::HashMap;

/// The bytes of a vector within which x86-64's cheapest shuffles move elements; a whole vector on AArch64.
const BLOCK_BYTES: i64 = 16;

/// A loop over lines, and in it one over lanes, which copies an element.
pub struct Tile {
    lines: For,
    lanes: For,
    load: Op,
    store: Op,
    /// As many lines and lanes.
    size: i64,
}

impl Tile {
    /// None if a loop is something else.
    pub fn of(lines: For) -> Option<Self> {
        let mut inner = lines.body().ops().into_iter().filter_map(For::of);
        let lanes = inner.next().filter(|_| inner.next().is_none())?;
        let (_, size) = lanes.constant_bounds().filter(|bounds| bounds.0 == 0)?;
        let is_size = size.count_ones() == 1 && lines.extent()? % size == 0;
        let may_be_tile = is_size
            && matches!(lines.kind(), LoopKind::Serial | LoopKind::Unrolled)
            && lanes.kind() == LoopKind::Vectorized;
        let find = |name: &str| -> Option<Op> {
            let mut found = lanes.body().ops().into_iter().filter(|op| op.is(name));
            found.next().filter(|_| found.next().is_none())
        };
        let tile = Self {
            lines,
            lanes,
            load: find(memref::Load::NAME)?,
            store: find(memref::Store::NAME)?,
            size,
        };
        (may_be_tile && tile.copies() && tile.transposes()).then_some(tile)
    }

    /// Whether the loops do nothing but copy an element from one buffer to another.
    fn copies(&self) -> bool {
        let ty = self.load.result(0).ty();
        let is_address = |op: &Op| {
            op.name().starts_with(arith::PREFIX) && op.results().iter().all(|at| at.ty().is_index())
        };
        let known = [self.lanes.op(), self.load, self.store];
        let blocks = [self.lines.body(), self.lanes.body()];
        let mut others = blocks.into_iter().flat_map(Block::ops);
        others.all(|op| known.contains(&op) || is_address(&op))
            && (ty.is_float() || ty.is_int())
            && ty.bit_width() == 32
            && self.size >= block_of(ty)
            && self.store.operand(0) == self.load.result(0)
            && self.store.operand(1) != self.load.operand(0)
    }

    /// Whether elements lie together along lines where they are read, and along lanes where they are written.
    fn transposes(&self) -> bool {
        let (line, lane) = (self.lines.variable(), self.lanes.variable());
        let (read, written) = (self.load.operands(), self.store.operands());
        let (Some((read, rows)), Some((written, columns))) =
            (read[1..].split_last(), written[2..].split_last())
        else {
            return false;
        };
        step(*read, line) == Some(1)
            && !depends_on_lane(*read, lane)
            && !rows.iter().any(|at| depends_on(*at, line))
            && rows.iter().any(|at| depends_on(*at, lane))
            && step(*written, lane) == Some(1)
            && !depends_on(*written, line)
            && !columns.iter().any(|at| depends_on_lane(*at, lane))
    }

    /// Replaces the loops.
    pub fn write(&self) {
        let b = Builder::before(self.lines.op());
        let Some((low, high)) = self.lines.constant_bounds() else {
            return;
        };
        let tiles = (high - low) / self.size;
        if tiles == 1 {
            self.write_tile(&b, b.index(low));
        } else {
            let tiles = self.lines.like(&b, 0, tiles);
            let inside = tiles.inside(&b);
            let first = index::scale(&inside, tiles.variable(), self.size);
            self.write_tile(&inside, index::add(&inside, first, inside.index(low)));
        }
        self.lines.op().erase();
    }

    /// The tile of which `first` is the first line.
    fn write_tile(&self, b: &Builder, first: Value) {
        let ty = Type::vector(&[self.size], self.load.result(0).ty());
        let rows = (0..self.size).map(|lane| {
            let map = self.addresses(b, first, b.index(lane));
            let at = replaced(&self.load.operands(), &map);
            vector::Load::build(b, ty, at[0], &at[1..])
        });
        let columns = transpose(b, rows.collect());
        for (line, column) in (0..).zip(columns) {
            let line = index::add(b, first, b.index(line));
            let map = self.addresses(b, line, b.index(0));
            let at = replaced(&self.store.operands()[1..], &map);
            vector::Store::build(b, column, at[0], &at[1..]);
        }
    }

    /// The indices that are computed in the loops, for a line and a lane.
    fn addresses(&self, b: &Builder, line: Value, lane: Value) -> HashMap<Value, Value> {
        let variables = [self.lines.variable(), self.lanes.variable()];
        let mut map: HashMap<Value, Value> = variables.into_iter().zip([line, lane]).collect();
        for block in [self.lines.body(), self.lanes.body()] {
            for op in block.ops() {
                if op.name().starts_with(arith::PREFIX) {
                    let copy = b.insert(op.clone_detached());
                    remap(copy, &map);
                    map.extend(op.results().into_iter().zip(copy.results()));
                }
            }
        }
        map
    }
}

fn replaced(values: &[Value], map: &HashMap<Value, Value>) -> Vec<Value> {
    let values = values.iter();
    values
        .map(|value| map.get(value).copied().unwrap_or(*value))
        .collect()
}

/// The elements of a type in a block.
fn block_of(ty: Type) -> i64 {
    BLOCK_BYTES / ty.element().byte_width() as i64
}

/// The columns of a square matrix with these rows, of four elements in a block.
fn transpose(b: &Builder, rows: Vec<Value>) -> Vec<Value> {
    let (size, block) = (rows.len(), block_of(rows[0].ty()));
    let of_block = block as usize;
    // Pairs of rows, and then pairs of these: four rows in each block.
    let mut rows = rows;
    for group in rows.chunks_exact_mut(of_block) {
        let [a, b_, c, d] = [group[0], group[1], group[2], group[3]];
        let [even, odd] = [[a, b_], [c, d]].map(|pair| interleave(b, pair, 1, block));
        let [first, second] = [0, 1].map(|half| interleave(b, [even[half], odd[half]], 2, block));
        group.copy_from_slice(&[first, second].concat());
    }
    let mut columns = vec![rows[0]; size];
    for within in 0..of_block {
        let groups = rows.iter().skip(within).step_by(of_block);
        let blocks = transpose_blocks(b, groups.copied().collect());
        for (place, column) in blocks.into_iter().enumerate() {
            columns[place * of_block + within] = column;
        }
    }
    columns
}

/// The first blocks of all vectors, then the second ones, and so on: as many vectors as a vector has blocks.
fn transpose_blocks(b: &Builder, vectors: Vec<Value>) -> Vec<Value> {
    let (block, half) = (block_of(vectors[0].ty()), vectors.len() / 2);
    let size = block * vectors.len() as i64;
    let mut vectors = vectors;
    for _ in 0..vectors.len().ilog2() {
        let pairs = (0..half).map(|place| [vectors[place], vectors[place + half]]);
        vectors = pairs
            .flat_map(|pair| interleave(b, pair, block, size))
            .collect();
    }
    vectors
}

/// Two vectors with units of so many elements of one and of another vector in turns: in each part of `within` elements, the first half of
/// its units, and the second one.
fn interleave(b: &Builder, pair: [Value; 2], unit: i64, within: i64) -> [Value; 2] {
    let lanes = pair[0].ty().shape()[0];
    [0, within / 2].map(|half| {
        let units = (0..lanes / unit).map(|place| {
            let (part, place) = (place * unit / within, place % (within / unit));
            part * within + half + place / 2 * unit + place % 2 * lanes
        });
        let elements = units.flat_map(|from| from..from + unit);
        shuffle(b, pair, elements)
    })
}
