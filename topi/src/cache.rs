//! Updates of caches, which hold the rows that earlier steps have computed. They are loop programs, because the data say where new rows
//! go.
//!
//! A program asks whether the cache and the result are one buffer. If they are, it writes the new rows only.

use crate::{
    Compute, Expression,
    program::{flat, load, repeat, share, store, when},
    scalar,
    scatter::chunks,
    schedule::cost::programs::COPIED_BY_THREAD,
};
use relay_dialects::{
    dim::{self, Dim},
    index::{self, Extent},
    ir::{Builder, Type, Value},
    ops::arith,
    relay::relation::normalize_axis,
    te::build,
};

/// The family's rows.
pub const ROWS: &[(&str, Compute)] = &[("cache_update", cache_update)];

/// The sizes of an update: `lines` times `count` new rows of `inner` elements, and as many times `capacity` rows of a cache.
struct Update {
    lines: Dim,
    /// How many lines have one position; none if all have.
    of_position: Option<Dim>,
    count: Dim,
    capacity: Dim,
    inner: Dim,
}

fn cache_update(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let (cache, new) = (e.dims(0), e.dims(1));
    let axis = normalize_axis(e.attrs().int("axis")?, cache.len())?;
    let empty = Dim::Known(0);
    if cache.contains(&empty) || new.contains(&empty) {
        return e.elements(|b, at| build::read(b, e.inputs[0], at));
    }
    let update = Update {
        lines: dim::product(&cache[..axis])?,
        of_position: match e.dims(2).is_empty() {
            true => None,
            false => Some(dim::product(&cache[1..axis])?),
        },
        count: new[axis],
        capacity: cache[axis],
        inner: dim::product(&cache[axis + 1..])?,
    };
    let sizes = [dim::product(&cache)?, dim::product(&new)?];
    let ty = Type::tensor_of(&cache, e.element);
    let write = |b: &Builder, read: &[Value], filled: &[Value]| {
        copy_if_apart(b, [read[0], filled[0]], sizes[0]);
        let new = flat(b, read[1], sizes[1]);
        let result = flat(b, filled[0], sizes[0]);
        let line = |b: &Builder, line: Value| update.line(b, (new, read[2], result), line);
        // A few rows are written before another thread would begin.
        match sizes[1].known() {
            Some(..=COPIED_BY_THREAD) => repeat(b, update.lines, line),
            _ => share(b, update.lines, line),
        }
    };
    Ok(build::program(e.b, &e.name(), e.inputs, &[ty], write))
}

/// Copies a buffer of so many elements to another one, unless they are one buffer.
fn copy_if_apart(b: &Builder, [from, to]: [Value; 2], all: Dim) {
    let [source, target] = [from, to].map(|buffer| b.address(buffer));
    let is_apart = arith::CmpI::build(b, arith::CmpIPredicate::Ne, source, target);
    when(b, is_apart, |b| {
        let [from, to] = [from, to].map(|buffer| flat(b, buffer, all));
        chunks(b, all, COPIED_BY_THREAD, |b, at| {
            store(b, load(b, from, &[at]), to, &[at]);
        });
    });
}

impl Update {
    /// Writes the new rows of a line that are rows of the cache.
    fn line(&self, b: &Builder, (new, position, result): (Value, Value, Value), line: Value) {
        let at = self.of_position.map(|lines| index::div(b, line, lines));
        let first = scalar::to_index(b, load(b, position, at.as_slice()));
        let old_rows = index::scale(b, line, self.capacity);
        let new_rows = index::scale(b, line, self.count);
        let capacity = self.capacity.to_value(b);
        repeat(b, self.count, |b, number| {
            let row = index::add(b, first, number);
            // A negative number is a large one without a sign.
            let is_inside = arith::CmpI::build(b, arith::CmpIPredicate::Ult, row, capacity);
            when(b, is_inside, |b| {
                let start = |before: Value, row: Value| {
                    let row = index::add(b, before, row);
                    index::scale(b, row, self.inner)
                };
                let (from, to) = (start(new_rows, number), start(old_rows, row));
                repeat(b, self.inner, |b, element| {
                    let value = load(b, new, &[index::add(b, from, element)]);
                    store(b, value, result, &[index::add(b, to, element)]);
                });
            });
        });
    }
}
