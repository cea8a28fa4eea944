//! Sums and transposes of matrices in CSR.

use super::matrix::Sparse;
use crate::{
    Expression,
    program::{load, repeat, share, store},
    scalar,
    transform::clipped,
};
use relay_dialects::{
    index,
    ir::{Builder, Type, Value},
    te::build,
    tir::{AllocBuffer, Scope},
};

/// Copies the dense matrix, and adds what there is of the sparse one, row by row.
pub fn add(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let sparse = Sparse::of(e, 1)?;
    if sparse.entries == 0 || e.result_shape()?.contains(&0) {
        return e.elements(|b, at| build::read(b, e.inputs[0], at));
    }
    let columns = e.shape(0)?[1];
    let inputs = [e.inputs[0], sparse.data, sparse.indices, sparse.starts];
    let ty = Type::tensor(&e.result_shape()?, e.element);
    let write = |b: &Builder, read: &[Value], filled: &[Value]| {
        let entries = sparse.entries(columns, read[2], read[3]);
        share(b, sparse.rows, |b, row| {
            repeat(b, columns, |b, column| {
                let at = [row, column];
                store(b, load(b, read[0], &at), filled[0], &at);
            });
            entries.each(b, row, |b, entry, column| {
                let at = [row, column];
                let (sum, more) = (load(b, filled[0], &at), load(b, read[1], &[entry]));
                store(b, scalar::add(b, sum, more), filled[0], &at);
            });
        });
    };
    Ok(build::program(e.b, &e.name(), &inputs, &[ty], write))
}

/// A counting sort of the elements by their columns, which are the rows of the transpose.
pub fn transpose(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let sparse = Sparse::of(e, 0)?;
    let types: Vec<Type> = e.op.results().iter().map(|result| result.ty()).collect();
    if sparse.entries == 0 {
        return Ok(e.zeros(&types));
    }
    let inputs = [sparse.data, sparse.indices, sparse.starts];
    let write = |b: &Builder, read: &[Value], filled: &[Value]| {
        let ends = count(b, &sparse, read, filled[2]);
        sort(b, &sparse, read, (filled, ends));
    };
    Ok(build::program(e.b, &e.name(), &inputs, &types, write))
}

/// Fills `starts` with the numbers of the columns' first elements; returns a buffer with the same numbers, which are those
/// of the next elements.
fn count(b: &Builder, sparse: &Sparse, read: &[Value], starts: Value) -> Value {
    let number = starts.ty().element();
    let entries = sparse.entries(sparse.rows, read[1], read[2]);
    let one = |b: &Builder| b.int_constant(number, 1);
    let behind = |b: &Builder, at: Value| index::add(b, at, b.index(1));
    repeat(b, sparse.rows + 1, |b, row| {
        store(b, b.int_constant(number, 0), starts, &[row]);
    });
    repeat(b, sparse.entries, |b, entry| {
        let column = entries.column(b, entry);
        let at = [behind(b, column)];
        let counted = load(b, starts, &at);
        store(b, scalar::add(b, counted, one(b)), starts, &at);
    });
    let ty = Type::memref(&[sparse.rows], Type::index(b.ctx));
    let next = AllocBuffer::build(b, ty, Scope::Local, "next");
    repeat(b, sparse.rows, |b, row| {
        let (start, at) = (load(b, starts, &[row]), [behind(b, row)]);
        let end = scalar::add(b, start, load(b, starts, &at));
        store(b, end, starts, &at);
        store(b, scalar::to_index(b, start), next, &[row]);
    });
    next
}

/// Puts each element into the next place of its column.
fn sort(b: &Builder, sparse: &Sparse, read: &[Value], (filled, next): (&[Value], Value)) {
    let entries = sparse.entries(sparse.rows, read[1], read[2]);
    repeat(b, sparse.rows, |b, row| {
        entries.each(b, row, |b, entry, column| {
            let at = load(b, next, &[column]);
            let place = clipped(b, at, sparse.entries - 1);
            store(b, load(b, read[0], &[entry]), filled[0], &[place]);
            let row = scalar::from_index(b, row, filled[1].ty().element());
            store(b, row, filled[1], &[place]);
            store(b, index::add(b, at, b.index(1)), next, &[column]);
        });
    });
}
