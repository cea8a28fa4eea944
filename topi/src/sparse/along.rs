//! Products in which neighbouring dense vectors are the lanes of vectors.

use super::{
    matrix::{Dense, Sparse},
    sums::{Buffers, Sums},
};
use crate::{
    Expression,
    program::{load, repeat, share},
    schedule::cost::programs::{BYTES_OF_SUMS, MOST_LANES, MOST_ROWS_OF_BLOCK},
};
use relay_dialects::{
    index,
    ir::{Builder, Type, Value},
    te::build,
};

/// The vectors that a sparse matrix is multiplied with: elements of the same column lie together.
pub struct Lanes {
    /// Groups of vectors.
    pub batches: i64,
    /// How far from each other groups begin.
    pub stride: i64,
    /// The vectors of a group.
    pub count: i64,
}

/// The product of a sparse matrix with each vector, in a tensor of this type: of each group, one row of the matrix after
/// the other, with a number for each vector.
pub fn product(
    e: &Expression<'_>,
    sparse: &Sparse,
    dense: &Dense<'_>,
    vectors: &Lanes,
    ty: Type,
) -> Value {
    let inputs = [dense.data, sparse.data, sparse.indices, sparse.starts];
    let divisors = index::divisors(sparse.height).into_iter();
    let together = divisors.filter(|rows| *rows <= MOST_ROWS_OF_BLOCK).max();
    let together = together.unwrap_or(1);
    let bytes = together * ty.element().byte_width() as i64;
    let most = MOST_LANES.min(vectors.count).min(BYTES_OF_SUMS / bytes);
    build::program(e.b, &e.name(), &inputs, &[ty], |b, read, filled| {
        let program = Program {
            sparse,
            dense,
            vectors,
            buffers: Buffers::of(b, (sparse, dense), read, filled),
            together,
            lanes: 1 << most.max(1).ilog2(),
        };
        program.write(b);
    })[0]
}

struct Program<'a> {
    sparse: &'a Sparse,
    dense: &'a Dense<'a>,
    vectors: &'a Lanes,
    buffers: Buffers,
    /// So many rows of a block, for so many vectors, are computed together.
    together: i64,
    lanes: i64,
}

/// Where a tile is.
#[derive(Clone, Copy)]
struct Tile {
    /// The group of vectors.
    batch: Value,
    /// The row of blocks.
    row: Value,
    /// The first of its rows in each block.
    top: Value,
    /// The first vector.
    first: Value,
    /// How many vectors there are.
    lanes: i64,
}

impl Program<'_> {
    fn write(&self, b: &Builder) {
        let (rows, together) = (self.sparse.rows, self.together);
        share(b, self.vectors.batches * rows, |b, number| {
            let (batch, row) = match self.vectors.batches {
                1 => (b.index(0), number),
                _ => (index::div(b, number, rows), index::rem(b, number, rows)),
            };
            repeat(b, self.sparse.height / together, |b, part| {
                let top = index::scale(b, part, together);
                self.tiles(b, batch, row, top);
            });
        });
    }

    /// Some rows, for all vectors of a group.
    fn tiles(&self, b: &Builder, batch: Value, row: Value, top: Value) {
        let (tiles, rest) = (
            self.vectors.count / self.lanes,
            self.vectors.count % self.lanes,
        );
        let tile = |first: Value, lanes: i64| Tile {
            batch,
            row,
            top,
            first,
            lanes,
        };
        repeat(b, tiles, |b, number| {
            let first = index::scale(b, number, self.lanes);
            self.tile(b, tile(first, self.lanes));
        });
        if rest > 0 {
            let first = b.index(tiles * self.lanes);
            self.tile(b, tile(first, rest));
        }
    }

    /// Some rows, for some vectors, in registers.
    fn tile(&self, b: &Builder, tile: Tile) {
        let (height, width) = (self.sparse.height, self.sparse.width);
        let element = self.buffers.result.ty().element();
        let sums = Sums::zeros(b, element, [self.together, tile.lanes]);
        let start = index::scale(b, tile.batch, self.vectors.stride);
        let start = index::add(b, start, tile.first);
        self.buffers.entries.each(b, tile.row, |b, entry, column| {
            let line = index::add(b, index::scale(b, entry, height), tile.top);
            repeat(b, width, |b, inner| {
                let column = index::add(b, index::scale(b, column, width), inner);
                let place = index::add(b, start, (self.dense.place)(b, column));
                for number in 0..self.together {
                    let line = index::add(b, line, b.index(number));
                    let at = index::add(b, index::scale(b, line, width), inner);
                    let weight = load(b, self.buffers.blocks, &[at]);
                    sums.add(b, number, |b, lane| {
                        let at = index::add(b, place, lane);
                        [load(b, self.buffers.data, &[at]), weight]
                    });
                }
            });
        });
        self.put(b, tile, &sums);
    }

    /// Puts sums into the result.
    fn put(&self, b: &Builder, tile: Tile, sums: &Sums) {
        let outputs = index::scale(b, tile.batch, self.sparse.outputs());
        let top = index::scale(b, tile.row, self.sparse.height);
        let top = index::add(b, index::add(b, outputs, top), tile.top);
        for number in 0..self.together {
            let row = index::add(b, top, b.index(number));
            let line = index::scale(b, row, self.vectors.count);
            let line = index::add(b, line, tile.first);
            sums.put(b, number, self.buffers.result, |b, lane| {
                index::add(b, line, lane)
            });
        }
    }
}
