//! Elements at places that operands say, and the places of elements.

use crate::{
    Compute, Expression,
    binary::read_broadcast,
    detection::Counter,
    program::{between, load, local, repeat, store, when},
    scalar::{self, Comparison, compare},
    sort::{Lines, Merger},
    transform::{reshape, wrapped},
};
use relay_dialects::{
    dim::Dim,
    index::{self, Extent, Predicate},
    ir::{Builder, Type, Value},
    ops::arith,
    te::build,
};

/// The family's rows.
pub const ROWS: &[(&str, Compute)] = &[
    ("adv_index", adv_index),
    ("strided_set", strided_set),
    ("contrib_reverse_reshape", reshape),
    ("unique", unique),
    ("sparse_reshape", sparse_reshape),
];

fn adv_index(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let (shape, lists) = (e.dims(0), &e.inputs[1..]);
    let rest = shape.len() - lists.len();
    e.elements(|b, at| {
        let (of_lists, behind) = at.split_at(at.len() - rest);
        let chosen = lists.iter().zip(&shape).map(|(list, extent)| {
            let rank = list.ty().dims().len();
            let subscript = read_broadcast(b, *list, &of_lists[of_lists.len() - rank..]);
            wrapped(b, scalar::to_index(b, subscript), *extent)
        });
        let place: Vec<Value> = chosen.chain(behind.iter().copied()).collect();
        build::read(b, e.inputs[0], &place)
    })
}

/// Of a dimension, the place in the slice of a place in the data, and whether it is in the slice.
fn in_slice(e: &Expression<'_>, b: &Builder, axis: usize, at: Value) -> Result<[Value; 2], String> {
    let (extent, of_values) = (e.dims(0)[axis], e.dims(1)[axis]);
    let number = |operand: usize| -> Result<Option<Value>, String> {
        let is_there = (axis as i64) < e.known_dim(operand, 0)?;
        let read = || {
            let place = b.index(axis as i64);
            scalar::to_index(b, build::read(b, e.inputs[operand], &[place]))
        };
        Ok(is_there.then(read))
    };
    let (zero, one) = (b.index(0), b.index(1));
    let count = extent.to_value(b);
    let from_start = |place: Value| {
        let is_negative = index::less(b, place, 0);
        b.select(is_negative, index::add(b, place, count), place)
    };
    let stride = match number(4)? {
        Some(stride) => {
            let is_none = index::compare(b, Predicate::Eq, stride, zero);
            b.select(is_none, one, stride)
        }
        None => one,
    };
    let rises = index::compare(b, Predicate::Sgt, stride, zero);
    let last = index::sub(b, count, one);
    let begin = match number(2)? {
        Some(begin) => from_start(begin),
        None => b.select(rises, zero, last),
    };
    let end = match number(3)? {
        Some(end) => from_start(end),
        None => b.select(rises, count, b.index(-1)),
    };
    // A slice begins where there are elements.
    let first = index::max(b, index::min(b, begin, last), 0);
    let begin = b.select(rises, index::max(b, begin, 0), first);
    let distance = index::sub(b, at, begin);
    let step = b.select(rises, stride, index::sub(b, zero, stride));
    let distance = b.select(rises, distance, index::sub(b, zero, distance));
    let room = index::sub(b, end, at);
    let room = b.select(rises, room, index::sub(b, zero, room));
    let is_behind = index::compare(b, Predicate::Sge, distance, zero);
    let is_before = index::compare(b, Predicate::Sgt, room, zero);
    let distance = index::max(b, distance, 0);
    let rest = arith::RemSI::build(b, distance, step);
    let is_step = index::compare(b, Predicate::Eq, rest, zero);
    let is_in = scalar::and(b, scalar::and(b, is_behind, is_before), is_step);
    let place = arith::DivSI::build(b, distance, step);
    Ok([wrapped(b, place, of_values), is_in])
}

fn strided_set(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let mut failed = None;
    if e.dims(1).contains(&Dim::Known(0)) {
        return e.elements(|b, at| build::read(b, e.inputs[0], at));
    }
    let made = e.elements(|b, at| {
        let (mut place, mut is_in) = (Vec::new(), None);
        for (axis, at) in at.iter().enumerate() {
            match in_slice(e, b, axis, *at) {
                Ok([of_slice, is_there]) => {
                    place.push(of_slice);
                    is_in = Some(is_in.map_or(is_there, |all| scalar::and(b, all, is_there)));
                }
                Err(reason) => failed = Some(reason),
            }
        }
        let old = build::read(b, e.inputs[0], at);
        match is_in.filter(|_| place.len() == at.len()) {
            Some(is_in) => b.select(is_in, build::read(b, e.inputs[1], &place), old),
            None => old,
        }
    });
    failed.map_or(made, Err)
}

/// The buffers of `unique`, as long as its data.
struct Different {
    count: Dim,
    /// Where each different element is first, in their order.
    first: Value,
    /// How often it is there.
    lengths: Value,
    /// Its place in the result.
    places: Value,
}

impl Different {
    /// Finds runs of equal elements; returns how many there are. `numbers` gets the run of each element.
    fn find(&self, b: &Builder, data: Value, numbers: Value, lines: &Lines) -> Value {
        let place = Type::int(b.ctx, 64);
        let (merger, sorted) = Merger::of_lines(b, lines, data.ty().element(), place);
        repeat(b, self.count, |b, at| {
            merger.buffers.put(b, (load(b, data, &[at]), at), at);
        });
        let start = merger.sort(b, self.count.to_value(b));
        let runs = Counter::new(b, "runs");
        let place_of = |b: &Builder, at: Value| {
            scalar::to_index(b, load(b, sorted, &[index::add(b, start, at)]))
        };
        repeat(b, self.count, |b, at| {
            let place = place_of(b, at);
            let before = place_of(b, index::max(b, index::sub(b, at, b.index(1)), 0));
            let [x, last] = [place, before].map(|place| load(b, data, &[place]));
            let differs = compare(b, Comparison::NotEqual, x, last);
            let is_first = index::compare(b, Predicate::Eq, at, b.index(0));
            when(b, scalar::or(b, is_first, differs), |b| {
                let run = runs.next(b);
                store(b, place, self.first, &[run]);
                store(b, b.index(0), self.lengths, &[run]);
                store(b, run, self.places, &[run]);
            });
            let run = index::max(b, index::sub(b, runs.get(b), b.index(1)), 0);
            let more = index::add(b, load(b, self.lengths, &[run]), b.index(1));
            store(b, more, self.lengths, &[run]);
            let number = scalar::from_index(b, run, numbers.ty().element());
            store(b, number, numbers, &[place]);
        });
        runs.get(b)
    }

    /// Puts the different elements into the order in which they come first.
    fn reorder(&self, b: &Builder, runs: Value) {
        let run_at = local(b, self.count, Type::index(b.ctx), "run_at");
        repeat(b, self.count, |b, at| store(b, b.index(-1), run_at, &[at]));
        between(b, b.index(0), runs, |b, run| {
            store(b, run, run_at, &[load(b, self.first, &[run])]);
        });
        let next = Counter::new(b, "next");
        repeat(b, self.count, |b, at| {
            let run = load(b, run_at, &[at]);
            let is_first = index::compare(b, Predicate::Sge, run, b.index(0));
            when(b, is_first, |b| store(b, next.next(b), self.places, &[run]));
        });
    }
}

fn unique(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let types: Vec<Type> = e.op.results().iter().map(|value| value.ty()).collect();
    let (count, is_sorted) = (e.dims(0)[0], e.attrs().bool("sorted")?);
    if count == 0 {
        return Ok(e.zeros(&types));
    }
    let lines = Lines::whole(count, true)?;
    let write = |b: &Builder, read: &[Value], filled: &[Value]| {
        let buffer = |name: &str| local(b, count, Type::index(b.ctx), name);
        let different = Different {
            count,
            first: buffer("first"),
            lengths: buffer("lengths"),
            places: buffer("places"),
        };
        let (data, inverse) = (read[0], filled[2]);
        let runs = different.find(b, data, inverse, &lines);
        if !is_sorted {
            different.reorder(b, runs);
        }
        let index_of = |b: &Builder, number: Value, ty: Type| scalar::from_index(b, number, ty);
        let i32 = inverse.ty().element();
        repeat(b, count, |b, at| {
            let run = scalar::to_index(b, load(b, inverse, &[at]));
            let place = load(b, different.places, &[run]);
            store(b, index_of(b, place, i32), inverse, &[at]);
            for (result, _) in filled
                .iter()
                .zip(0..)
                .filter(|(_, number)| ![2, 3].contains(number))
            {
                store(b, b.constant(result.ty().element(), 0.0), *result, &[at]);
            }
        });
        between(b, b.index(0), runs, |b, run| {
            let place = load(b, different.places, &[run]);
            let first = load(b, different.first, &[run]);
            store(b, load(b, data, &[first]), filled[0], &[place]);
            store(b, index_of(b, first, i32), filled[1], &[place]);
            if let Some(counts) = filled.get(4) {
                let length = load(b, different.lengths, &[run]);
                store(b, index_of(b, length, i32), *counts, &[place]);
            }
        });
        store(b, index_of(b, runs, i32), filled[3], &[b.index(0)]);
    };
    Ok(build::program(e.b, &e.name(), e.inputs, &types, write))
}

fn sparse_reshape(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let types: Vec<Type> = e.op.results().iter().map(|value| value.ty()).collect();
    let (before, after) = (e.known_dim(1, 0)?, e.known_dim(2, 0)?);
    let (count, ty) = (e.dims(0)[0], types[1].element());
    // What -1 stands for: all elements by those of the other extents.
    let left = |b: &Builder, old: Value, new: Value| {
        let one = b.constant(ty, 1.0);
        let all = (0..before).fold(one, |all, axis| {
            scalar::mul(b, all, load(b, old, &[b.index(axis)]))
        });
        let others = (0..after).fold(one, |all, axis| {
            let extent = load(b, new, &[b.index(axis)]);
            let is_left = compare(b, Comparison::Equal, extent, b.constant(ty, -1.0));
            scalar::mul(b, all, b.select(is_left, one, extent))
        });
        scalar::div(b, all, others)
    };
    let write = |b: &Builder, read: &[Value], filled: &[Value]| {
        let rest = left(b, read[1], read[2]);
        for axis in 0..after {
            let extent = load(b, read[2], &[b.index(axis)]);
            let is_left = compare(b, Comparison::Equal, extent, b.constant(ty, -1.0));
            store(
                b,
                b.select(is_left, rest, extent),
                filled[1],
                &[b.index(axis)],
            );
        }
        if count == 0 {
            return;
        }
        let shape = filled[1];
        repeat(b, count, |b, row| {
            let zero = b.constant(ty, 0.0);
            let number = (0..before).fold(zero, |number, axis| {
                let extent = load(b, read[1], &[b.index(axis)]);
                let at = scalar::cast(b, load(b, read[0], &[row, b.index(axis)]), ty);
                scalar::add(b, scalar::mul(b, number, extent), at)
            });
            let mut number = number;
            for axis in (0..after).rev() {
                let extent = load(b, shape, &[b.index(axis)]);
                let at = scalar::rem(b, number, extent);
                number = scalar::div(b, number, extent);
                let at = scalar::cast(b, at, filled[0].ty().element());
                store(b, at, filled[0], &[row, b.index(axis)]);
            }
        });
    };
    Ok(build::program(e.b, &e.name(), e.inputs, &types, write))
}
