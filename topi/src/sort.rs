//! Elements in order: loop programs, because it is the data that says where an element goes.
//!
//! Each line along the axis is sorted by merging (Knuth, The Art of Computer Programming 3, section 5.2.4): runs of one element
//! become runs of two, of four, and so on. Where few elements are wanted, those that are first so far are kept in order instead, and
//! each further element is put where it belongs among them (section 5.2.1). Where some more are wanted, what comes before the last of
//! those that are kept is collected, and sorted with them once it is as many. Equal elements keep their order.

use crate::{
    Compute, Expression,
    precision::computed,
    program::{between, flat, load, local, repeat, share, store},
    scalar::{self, Comparison, compare},
    schedule::cost::programs::{LEAST_OF_LINE, MOST_KEPT_IN_ORDER},
};
use relay_dialects::{
    dim::{self, Dim},
    index::{self, Extent, Predicate},
    ir::{Builder, Type, Value},
    ops::{arith, math},
    relay::relation::normalize_axis,
    te::build,
};

/// The family's rows.
pub const ROWS: &[(&str, Compute)] = &[
    ("argsort", |e| sorted(e, &[What::Places])),
    ("sort", |e| sorted(e, &[What::Elements])),
    ("topk", topk),
];

fn topk(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    match e.attrs().str("ret_type")?.as_str() {
        "values" => sorted(e, &[What::Elements]),
        "indices" => sorted(e, &[What::Places]),
        _ => sorted(e, &[What::Elements, What::Places]),
    }
}

/// What a result has of the first elements of a line.
#[derive(Clone, Copy, PartialEq)]
enum What {
    /// The elements.
    Elements,
    /// Their subscripts.
    Places,
}

/// The first elements of each line in order, as many as a result has.
fn sorted(e: &Expression<'_>, wanted: &[What]) -> Result<Vec<Value>, String> {
    let (shape, first) = (e.dims(0), e.result_dims());
    let axis = normalize_axis(e.attrs().int("axis")?, shape.len())?;
    let element_of = |(what, result): (&What, Value)| match what {
        What::Elements => e.inputs[0].ty().element(),
        What::Places => result.ty().element(),
    };
    let elements = wanted.iter().zip(e.op.results()).map(element_of);
    let types: Vec<Type> = elements.map(|it| Type::tensor_of(&first, it)).collect();
    if first.contains(&Dim::Known(0)) {
        return Ok(e.zeros(&types));
    }
    let lines = Lines {
        extent: shape[axis],
        inner: dim::product(&shape[axis + 1..])?,
        first: first[axis],
        twice: shape[axis].max(1)?.times(2)?,
        is_ascending: e.attrs().bool("is_ascend")?,
    };
    let count = dim::product(&shape[..axis])?.times(lines.inner)?;
    let (all, kept) = (dim::product(&shape)?, dim::product(&first)?);
    let write = |b: &Builder, read: &[Value], filled: &[Value]| {
        let data = flat(b, read[0], all);
        let filled = wanted.iter().zip(filled);
        let filled: Vec<_> = filled
            .map(|(what, buffer)| (*what, flat(b, *buffer, kept)))
            .collect();
        share(b, count, |b, line| {
            lines.sort(b, line, data, &filled);
        });
    };
    Ok(build::program(
        e.b,
        &e.name(),
        &e.inputs[..1],
        &types,
        write,
    ))
}

/// The lines of a tensor along an axis.
pub(crate) struct Lines {
    /// The number of elements of a line.
    extent: Dim,
    /// That behind the axis: how far the elements of a line lie apart.
    inner: Dim,
    /// How many elements of each line are wanted.
    first: Dim,
    /// Twice the elements of a line, which are taken to be one at least.
    twice: Dim,
    is_ascending: bool,
}

/// Elements of a line, and where they were if that is wanted.
#[derive(Clone, Copy)]
pub(crate) struct Buffers {
    elements: Value,
    places: Option<Value>,
}

impl Buffers {
    /// Buffers of so many elements of a type, and of places of a type.
    fn of(b: &Builder, count: Dim, element: Type, place: Option<Type>) -> Self {
        Self {
            elements: local(b, count, element, "elements"),
            places: place.map(|element| local(b, count, element, "places")),
        }
    }

    /// Both, or the one.
    fn all(self) -> impl Iterator<Item = Value> {
        [Some(self.elements), self.places].into_iter().flatten()
    }

    /// Writes an element and its place.
    pub fn put(self, b: &Builder, (element, place): (Value, Value), at: Value) {
        store(b, element, self.elements, &[at]);
        if let Some(places) = self.places {
            let number = scalar::from_index(b, place, places.ty().element());
            store(b, number, places, &[at]);
        }
    }
}

impl Lines {
    /// Lines of so many elements, all of which are wanted, one after the other in memory.
    pub fn whole(extent: Dim, is_ascending: bool) -> Result<Self, String> {
        Ok(Self {
            extent,
            inner: Dim::Known(1),
            first: extent,
            twice: extent.max(1)?.times(2)?,
            is_ascending,
        })
    }

    /// Sorts one line.
    fn sort(&self, b: &Builder, line: Value, data: Value, filled: &[(What, Value)]) {
        let before = index::div(b, line, self.inner);
        let behind = index::rem(b, line, self.inner);
        // Where an element of the line is, in tensors whose lines have so many.
        let place = |b: &Builder, extent: Dim, at: Value| {
            let row = index::add(b, index::scale(b, before, extent), at);
            index::add(b, index::scale(b, row, self.inner), behind)
        };
        let read = |b: &Builder, at: Value| load(b, data, &[place(b, self.extent, at)]);
        let places = filled.iter().find(|(what, _)| *what == What::Places);
        let place_type = places.map(|(_, buffer)| buffer.ty().element());
        let types = (data.ty().element(), place_type);
        // Of a line of open extent few elements are taken to be wanted.
        let most = self
            .extent
            .known()
            .map_or(i64::MAX, |extent| extent / LEAST_OF_LINE);
        let (sorted, start) = match self.first.known() {
            Some(few) if few <= MOST_KEPT_IN_ORDER => {
                (self.keep_first(b, few, &read, types), b.index(0))
            }
            Some(some) if some <= most => (self.collect(b, some, &read, types), b.index(0)),
            _ => self.merge_all(b, &read, types),
        };
        repeat(b, self.first, |b, at| {
            let (from, to) = (index::add(b, start, at), place(b, self.first, at));
            for (what, result) in filled {
                let sorted = match (what, sorted.places) {
                    (What::Places, Some(places)) => places,
                    _ => sorted.elements,
                };
                store(b, load(b, sorted, &[from]), *result, &[to]);
            }
        });
    }

    /// Reads the line, and keeps those that are first.
    fn keep_first(
        &self,
        b: &Builder,
        first: i64,
        read: &dyn Fn(&Builder, Value) -> Value,
        (element, place): (Type, Option<Type>),
    ) -> Buffers {
        let kept = Buffers::of(b, first.into(), element, place);
        // What is to be put in the next place: the new element, and then what it and others push on.
        let pushed = Buffers::of(b, 1.into(), element, place);
        repeat(b, self.extent, |b, at| {
            let new = read(b, at);
            let last = load(b, kept.elements, &[b.index(first - 1)]);
            let has_room = index::less(b, at, first);
            let belongs = scalar::or(b, has_room, self.comes_before(b, new, last));
            let held = index::add(b, index::min(b, at, first - 1), b.index(1));
            let looked_at = b.select(belongs, held, b.index(0));
            pushed.put(b, (new, at), b.index(0));
            between(b, b.index(0), looked_at, |b, slot| {
                let old = load(b, kept.elements, &[slot]);
                let is_free = index::compare(b, Predicate::Sge, slot, at);
                let is_behind = scalar::or(b, is_free, self.comes_before(b, new, old));
                for (kept, pushed) in kept.all().zip(pushed.all()) {
                    let (old, next) = (load(b, kept, &[slot]), load(b, pushed, &[b.index(0)]));
                    store(b, b.select(is_behind, next, old), kept, &[slot]);
                    store(b, b.select(is_behind, old, next), pushed, &[b.index(0)]);
                }
            });
        });
        kept
    }

    /// Reads the line, and keeps those that are first with those that may be. Once these are twice as many, they are sorted.
    fn collect(
        &self,
        b: &Builder,
        first: i64,
        read: &dyn Fn(&Builder, Value) -> Value,
        types: (Type, Option<Type>),
    ) -> Buffers {
        let capacity = 2 * first;
        let merger = Merger::of(b, self, (b.index(capacity), (2 * capacity).into()), types);
        let (buffers, zero) = (merger.buffers, b.index(0));
        // The sorted elements are in the first half, where they were.
        let passes = passes(capacity) + passes(capacity) % 2;
        let count = local(b, 1.into(), Type::index(b.ctx), "count");
        store(b, zero, count, &[zero]);
        repeat(b, self.extent, |b, at| {
            let (new, collected) = (read(b, at), load(b, count, &[zero]));
            buffers.put(b, (new, at), collected);
            let last = load(b, buffers.elements, &[b.index(first - 1)]);
            let is_open = index::less(b, at, merger.capacity);
            let belongs = scalar::or(b, is_open, self.comes_before(b, new, last));
            let more = index::add(b, collected, b.index(1));
            let collected = b.select(belongs, more, collected);
            let is_full = index::compare(b, Predicate::Eq, collected, merger.capacity);
            let passes = b.select(is_full, b.index(passes), zero);
            between(b, zero, passes, |b, pass| {
                merger.pass(b, pass, merger.capacity);
            });
            let kept = b.select(is_full, b.index(first), collected);
            store(b, kept, count, &[zero]);
        });
        let collected = load(b, count, &[zero]);
        repeat(b, passes, |b, pass| merger.pass(b, pass, collected));
        buffers
    }

    /// Sorts the whole line. Returns where the sorted elements begin.
    fn merge_all(
        &self,
        b: &Builder,
        read: &dyn Fn(&Builder, Value) -> Value,
        types: (Type, Option<Type>),
    ) -> (Buffers, Value) {
        let extent = self.extent.to_value(b);
        let merger = Merger::of(b, self, (extent, self.twice), types);
        repeat(b, extent, |b, at| {
            merger.buffers.put(b, (read(b, at), at), at);
        });
        let start = merger.sort(b, extent);
        (merger.buffers, start)
    }

    /// Whether an element belongs before another one that it stands behind. NaN counts as greater than all numbers.
    fn comes_before(&self, b: &Builder, element: Value, other: Value) -> Value {
        let (low, high) = match self.is_ascending {
            true => (other, element),
            false => (element, other),
        };
        let [low, high] = [low, high].map(|it| scalar::cast(b, it, computed(it.ty())));
        let is_not_below = scalar::not(b, compare(b, Comparison::LessEqual, low, high));
        if !low.ty().is_float() {
            return is_not_below;
        }
        let is_number = compare(b, Comparison::Equal, high, high);
        scalar::and(b, is_not_below, is_number)
    }
}

/// The passes after which so many elements are one run.
fn passes(count: i64) -> i64 {
    let runs = (count - 1).checked_ilog2();
    runs.map_or(0, |log| i64::from(log) + 1)
}

/// The same of a count that is known when the program runs.
fn passes_of(b: &Builder, count: Value) -> Value {
    let count = arith::MaxSI::build(b, count, b.index(1));
    let last = index::sub(b, count, b.index(1));
    let bits = Type::int(b.ctx, 64);
    let zeros = math::CountLeadingZeros::build(b, arith::IndexCast::build(b, bits, last));
    index::sub(
        b,
        b.index(64),
        arith::IndexCast::build(b, Type::index(b.ctx), zeros),
    )
}

/// What sorts elements in buffers of two halves: a pass reads one and fills the other.
pub(crate) struct Merger<'l> {
    lines: &'l Lines,
    /// How many elements there are at most: those of a half.
    capacity: Value,
    /// What is sorted.
    pub buffers: Buffers,
    /// Where the next elements of two runs are.
    next: Value,
}

/// Two runs that follow each other, from `begin` to before `middle` and from there to before `end`, in the half of the buffers at
/// `from`. They are merged into the half at `to`.
struct Runs {
    begin: Value,
    middle: Value,
    end: Value,
    from: Value,
    to: Value,
}

impl<'l> Merger<'l> {
    /// One for whole lines with places, and the buffer of these.
    pub fn of_lines(b: &Builder, lines: &'l Lines, element: Type, place: Type) -> (Self, Value) {
        let capacity = lines.extent.to_value(b);
        let merger = Self::of(b, lines, (capacity, lines.twice), (element, None));
        let places = local(b, lines.twice, place, "places");
        let buffers = Buffers {
            places: Some(places),
            ..merger.buffers
        };
        (Self { buffers, ..merger }, places)
    }

    fn of(
        b: &Builder,
        lines: &'l Lines,
        (capacity, both): (Value, Dim),
        (element, place): (Type, Option<Type>),
    ) -> Self {
        Self {
            lines,
            capacity,
            buffers: Buffers::of(b, both, element, place),
            next: local(b, 2.into(), Type::index(b.ctx), "next"),
        }
    }

    /// Sorts the first `count` elements. Returns where the sorted ones begin.
    pub fn sort(&self, b: &Builder, count: Value) -> Value {
        let passes = match index::constant(count) {
            Some(count) => b.index(passes(count)),
            None => passes_of(b, count),
        };
        repeat(b, passes, |b, pass| self.pass(b, pass, count));
        index::mul(b, index::rem(b, passes, 2), self.capacity)
    }

    /// Merges runs of 2^pass elements, of the first `count` ones.
    fn pass(&self, b: &Builder, pass: Value, count: Value) {
        let one = b.index(1);
        let width = arith::ShLI::build(b, one, pass);
        let both = arith::ShLI::build(b, width, one);
        let last = arith::DivUI::build(b, index::sub(b, count, one), both);
        let odd = arith::AndI::build(b, pass, one);
        let from = index::scale(b, odd, self.capacity);
        let to = index::sub(b, self.capacity, from);
        between(b, b.index(0), index::add(b, last, one), |b, number| {
            let begin = index::mul(b, number, both);
            let inside = |at: Value| arith::MinSI::build(b, at, count);
            let runs = Runs {
                begin,
                middle: inside(index::add(b, begin, width)),
                end: inside(index::add(b, begin, both)),
                from,
                to,
            };
            self.merge(b, &runs);
        });
    }

    fn merge(&self, b: &Builder, runs: &Runs) {
        let (left, right) = (b.index(0), b.index(1));
        store(b, runs.begin, self.next, &[left]);
        store(b, runs.middle, self.next, &[right]);
        between(b, runs.begin, runs.end, |b, at| {
            let [of_left, of_right] = [left, right].map(|run| load(b, self.next, &[run]));
            // Behind the end of a run something is read that is not taken.
            let last = index::sub(b, self.capacity, b.index(1));
            let [first, second] = [of_left, of_right].map(|at| {
                let inside = index::min(b, at, last);
                load(
                    b,
                    self.buffers.elements,
                    &[index::add(b, runs.from, inside)],
                )
            });
            let is_left_over = index::compare(b, Predicate::Sge, of_left, runs.middle);
            let is_right_there = index::compare(b, Predicate::Slt, of_right, runs.end);
            let is_right_first = self.lines.comes_before(b, second, first);
            let takes_right = scalar::or(b, is_left_over, is_right_first);
            let takes_right = scalar::and(b, is_right_there, takes_right);
            let taken = b.select(takes_right, of_right, of_left);
            let (from, to) = (index::add(b, runs.from, taken), index::add(b, runs.to, at));
            for buffer in self.buffers.all() {
                store(b, load(b, buffer, &[from]), buffer, &[to]);
            }
            let one = b.index(1);
            let next_left = b.select(takes_right, of_left, index::add(b, of_left, one));
            let next_right = b.select(takes_right, index::add(b, of_right, one), of_right);
            store(b, next_left, self.next, &[left]);
            store(b, next_right, self.next, &[right]);
        });
    }
}
