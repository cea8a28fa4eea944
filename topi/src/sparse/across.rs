//! Products in which the rows of a block are the lanes of vectors.

use super::{
    matrix::{Dense, Sparse},
    sums::{Buffers, Sums},
};
use crate::{
    Expression,
    program::{load, repeat, share},
    schedule::cost::programs::{BYTES_OF_SUMS, LEAST_TILES, MOST_LANES, MOST_VECTORS},
};
use relay_dialects::{
    index,
    ir::{Builder, Type, Value},
    te::build,
};

/// The vectors that a sparse matrix is multiplied with.
pub struct Vectors<'a> {
    /// How many there are.
    pub count: i64,
    /// Where each begins.
    pub start: &'a dyn Fn(&Builder, Value) -> Value,
}

/// The product of a sparse matrix with each vector, one after the other in a tensor of this type.
pub fn product(
    e: &Expression<'_>,
    sparse: &Sparse,
    dense: &Dense<'_>,
    vectors: &Vectors<'_>,
    ty: Type,
) -> Value {
    let inputs = [
        dense.data,
        sparse.by_columns(e),
        sparse.indices,
        sparse.starts,
    ];
    let divisors = index::divisors(sparse.height).into_iter();
    let lanes = divisors.filter(|lanes| *lanes <= MOST_LANES).max();
    let lanes = lanes.unwrap_or(1);
    let bytes = lanes * ty.element().byte_width() as i64;
    let tile = (BYTES_OF_SUMS / bytes).clamp(1, MOST_VECTORS);
    build::program(e.b, &e.name(), &inputs, &[ty], |b, read, filled| {
        let program = Program {
            sparse,
            dense,
            vectors,
            buffers: Buffers::of(b, (sparse, dense), read, filled),
            lanes,
            tile: tile.min(vectors.count),
        };
        program.write(b);
    })[0]
}

struct Program<'a> {
    sparse: &'a Sparse,
    dense: &'a Dense<'a>,
    vectors: &'a Vectors<'a>,
    buffers: Buffers,
    /// So many rows of a block, for so many vectors, are computed together.
    lanes: i64,
    tile: i64,
}

impl Program<'_> {
    fn write(&self, b: &Builder) {
        let (rows, tile) = (self.sparse.rows, self.tile);
        let (tiles, rest) = (self.vectors.count / tile, self.vectors.count % tile);
        let first = |b: &Builder, number: Value| index::scale(b, number, tile);
        if tiles >= LEAST_TILES {
            share(b, tiles, |b, number| {
                let first = first(b, number);
                repeat(b, rows, |b, row| self.parts(b, row, first, tile));
            });
            if rest > 0 {
                share(b, rows, |b, row| {
                    self.parts(b, row, b.index(tiles * tile), rest);
                });
            }
            return;
        }
        share(b, rows, |b, row| {
            repeat(b, tiles, |b, number| {
                self.parts(b, row, first(b, number), tile);
            });
            if rest > 0 {
                self.parts(b, row, b.index(tiles * tile), rest);
            }
        });
    }

    /// A row of blocks, for `count` vectors from the `first` one on.
    fn parts(&self, b: &Builder, row: Value, first: Value, count: i64) {
        match self.sparse.height / self.lanes {
            1 => self.part(b, row, b.index(0), (first, count)),
            parts => repeat(b, parts, |b, part| {
                let top = index::scale(b, part, self.lanes);
                self.part(b, row, top, (first, count));
            }),
        }
    }

    /// The rows of blocks from `top` on, in registers.
    fn part(&self, b: &Builder, row: Value, top: Value, (first, count): (Value, i64)) {
        let (height, width) = (self.sparse.height, self.sparse.width);
        let element = self.buffers.result.ty().element();
        let vectors: Vec<Value> = (0..count)
            .map(|number| index::add(b, first, b.index(number)))
            .collect();
        let starts = vectors
            .iter()
            .map(|vector| (self.vectors.start)(b, *vector));
        let starts: Vec<Value> = starts.collect();
        let sums = Sums::zeros(b, element, [count, self.lanes]);
        self.buffers.entries.each(b, row, |b, entry, column| {
            let block = index::scale(b, entry, width);
            repeat(b, width, |b, inner| {
                let column = index::add(b, index::scale(b, column, width), inner);
                let place = (self.dense.place)(b, column);
                let line = index::scale(b, index::add(b, block, inner), height);
                let line = index::add(b, line, top);
                for (number, start) in (0..).zip(&starts) {
                    let at = index::add(b, *start, place);
                    let factor = load(b, self.buffers.data, &[at]);
                    sums.add(b, number, |b, lane| {
                        let at = index::add(b, line, lane);
                        [factor, load(b, self.buffers.blocks, &[at])]
                    });
                }
            });
        });
        let outputs = self.sparse.outputs();
        let top = index::add(b, index::scale(b, row, height), top);
        for (number, vector) in (0..).zip(&vectors) {
            let line = index::add(b, index::scale(b, *vector, outputs), top);
            sums.put(b, number, self.buffers.result, |b, lane| {
                index::add(b, line, lane)
            });
        }
    }
}
