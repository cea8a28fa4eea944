//! What both kinds of products share: the buffers of their loop programs, and sums in registers.

use super::matrix::{Dense, Entries, Sparse};
use crate::{
    program::{each_lane, flat, load, store},
    scalar,
};
use relay_dialects::{
    ir::{Builder, Type, Value},
    tir::{AllocBuffer, Scope},
};

/// The buffers of a product, each as one dimension.
pub struct Buffers {
    /// Where the entries of the sparse matrix are.
    pub entries: Entries,
    /// What the sparse matrix is multiplied with.
    pub data: Value,
    /// The blocks of the sparse matrix.
    pub blocks: Value,
    /// The product.
    pub result: Value,
}

impl Buffers {
    /// Those of a program that reads the dense tensor, the blocks, their columns and where rows begin, and fills one tensor.
    pub fn of(
        b: &Builder,
        (sparse, dense): (&Sparse, &Dense<'_>),
        read: &[Value],
        filled: &[Value],
    ) -> Self {
        Self {
            entries: sparse.entries(dense.columns / sparse.width, read[2], read[3]),
            data: flat(b, read[0], read[0].ty().count().into()),
            blocks: flat(b, read[1], read[1].ty().count().into()),
            result: flat(b, filled[0], filled[0].ty().count().into()),
        }
    }
}

/// Sums in registers: some vectors of as many lanes.
pub struct Sums {
    tile: Value,
    lanes: i64,
}

impl Sums {
    /// So many vectors of zeros.
    pub fn zeros(b: &Builder, element: Type, [vectors, lanes]: [i64; 2]) -> Self {
        let shape = Type::memref(&[vectors, lanes], element);
        let tile = AllocBuffer::build(b, shape, Scope::Local, "sums");
        for number in 0..vectors {
            each_lane(b, lanes, |b, lane| {
                store(b, b.constant(element, 0.0), tile, &[b.index(number), lane]);
            });
        }
        Self { tile, lanes }
    }

    /// Adds a product to each lane of a vector; `factors` gives its factors.
    pub fn add(
        &self,
        b: &Builder,
        number: i64,
        factors: impl FnOnce(&Builder, Value) -> [Value; 2],
    ) {
        each_lane(b, self.lanes, |b, lane| {
            let at = [b.index(number), lane];
            let [factor, weight] = factors(b, lane);
            let sum = load(b, self.tile, &at);
            let sum = scalar::multiply_add(b, sum, factor, weight);
            store(b, sum, self.tile, &at);
        });
    }

    /// Puts each lane of a vector where `place` says in a buffer.
    pub fn put(
        &self,
        b: &Builder,
        number: i64,
        buffer: Value,
        place: impl FnOnce(&Builder, Value) -> Value,
    ) {
        each_lane(b, self.lanes, |b, lane| {
            let sum = load(b, self.tile, &[b.index(number), lane]);
            store(b, sum, buffer, &[place(b, lane)]);
        });
    }
}
