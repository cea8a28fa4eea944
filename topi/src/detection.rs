//! Boxes that better ones suppress: loop programs, because each box depends on those before it.

use crate::{
    Compute, Expression,
    program::{between, load, local, repeat, share, store, when},
    scalar::{self, Comparison, compare},
    sort::{Lines, Merger},
};
use relay_dialects::{
    dim::Dim,
    index::{self, Extent, Predicate},
    ir::{Builder, Type, Value},
    te::build,
};

/// The family's rows.
pub const ROWS: &[(&str, Compute)] = &[
    ("vision.get_valid_counts", get_valid_counts),
    ("vision.non_max_suppression", non_max_suppression),
    (
        "vision.regular_non_max_suppression",
        regular_non_max_suppression,
    ),
];

/// The types of the results, with floats as they are computed.
pub(crate) fn result_types(e: &Expression<'_>) -> Vec<Type> {
    let computed = |ty: Type| match ty.element().is_float() {
        true => Type::tensor_of(&ty.dims(), crate::precision::computed(ty.element())),
        false => ty,
    };
    let results = e.op.results().into_iter();
    results.map(|value| computed(value.ty())).collect()
}

/// A number that a loop changes, in a buffer.
#[derive(Clone, Copy)]
pub(crate) struct Counter(Value);

impl Counter {
    /// One that is 0.
    pub fn new(b: &Builder, name: &str) -> Self {
        let counter = Self(local(b, Dim::Known(1), Type::index(b.ctx), name));
        counter.set(b, b.index(0));
        counter
    }

    /// The number.
    pub fn get(self, b: &Builder) -> Value {
        load(b, self.0, &[b.index(0)])
    }

    /// Changes the number.
    pub fn set(self, b: &Builder, number: Value) {
        store(b, number, self.0, &[b.index(0)]);
    }

    /// The number, which is one more from here on.
    pub fn next(self, b: &Builder) -> Value {
        let number = self.get(b);
        self.set(b, index::add(b, number, b.index(1)));
        number
    }
}

/// The numbers of a row of a sample.
pub(crate) fn row(b: &Builder, data: Value, [sample, place]: [Value; 2], from: i64) -> [Value; 4] {
    [0, 1, 2, 3].map(|number| load(b, data, &[sample, place, b.index(from + number)]))
}

/// Fills a row with -1.
pub(crate) fn clear(b: &Builder, rows: Value, before: &[Value], count: Dim) {
    repeat(b, count, |b, number| {
        let nothing = b.constant(rows.ty().element(), -1.0);
        store(b, nothing, rows, &[before, &[number]].concat());
    });
}

/// Copies a row to another one.
fn copy(b: &Builder, from: (Value, [Value; 2]), to: (Value, [Value; 2]), count: Dim) {
    repeat(b, count, |b, number| {
        let [read, write] = [from.1, to.1].map(|at| [at[0], at[1], number]);
        store(b, load(b, from.0, &read), to.0, &write);
    });
}

/// The area that two boxes share / the area that they cover. A box has two corners, the lesser one first; a side is `more` longer than the
/// distance of its ends. Nothing is shared where nothing is covered.
pub(crate) fn overlap(b: &Builder, one: [Value; 4], other: [Value; 4], more: f64) -> Value {
    let ty = one[0].ty();
    let zero = b.constant(ty, 0.0);
    let side = |low: Value, high: Value| {
        let distance = scalar::sub(b, high, low);
        match more == 0.0 {
            true => distance,
            false => scalar::add(b, distance, b.constant(ty, more)),
        }
    };
    let area = |corners: [Value; 4]| {
        scalar::mul(
            b,
            side(corners[0], corners[2]),
            side(corners[1], corners[3]),
        )
    };
    let shared = [0, 1].map(|axis| {
        let low = scalar::max(b, one[axis], other[axis]);
        let high = scalar::min(b, one[axis + 2], other[axis + 2]);
        scalar::max(b, side(low, high), zero)
    });
    let shared = scalar::mul(b, shared[0], shared[1]);
    let both = scalar::add(b, area(one), area(other));
    let covered = scalar::sub(b, both, shared);
    let is_covered = compare(b, Comparison::Greater, covered, zero);
    b.select(is_covered, scalar::div(b, shared, covered), zero)
}

/// The lesser and the greater corner of a box.
fn ordered(b: &Builder, corners: [Value; 4]) -> [Value; 4] {
    let [x, y, right, bottom] = corners;
    [
        scalar::min(b, x, right),
        scalar::min(b, y, bottom),
        scalar::max(b, x, right),
        scalar::max(b, y, bottom),
    ]
}

/// Whether something holds of one of the first `count` numbers.
pub(crate) fn any_of(
    b: &Builder,
    found: Counter,
    count: Value,
    holds: impl FnOnce(&Builder, Value) -> Value,
) -> Value {
    found.set(b, b.index(0));
    between(b, b.index(0), count, |b, number| {
        let holds = holds(b, number);
        found.set(b, b.select(holds, b.index(1), found.get(b)));
    });
    index::compare(b, Predicate::Ne, found.get(b), b.index(0))
}

fn get_valid_counts(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let types = result_types(e);
    let (dims, attrs) = (e.dims(0), e.attrs());
    let (score, id) = (attrs.int("score_index")?, attrs.int("id_index")?);
    if dims.contains(&Dim::Known(0)) {
        return Ok(e.zeros(&types));
    }
    let write = |b: &Builder, read: &[Value], filled: &[Value]| {
        let (data, threshold) = (read[0], read[1]);
        let (counts, rows, places) = (filled[0], filled[1], filled[2]);
        share(b, dims[0], |b, sample| {
            let kept = Counter::new(b, "kept");
            repeat(b, dims[1], |b, place| {
                let number = |at: i64| load(b, data, &[sample, place, b.index(at)]);
                let least = load(b, threshold, &[]);
                let is_above = compare(b, Comparison::Greater, number(score), least);
                let counts = match id {
                    ..0 => is_above,
                    _ => {
                        let id = number(id);
                        let zero = b.constant(id.ty(), 0.0);
                        let has_class = compare(b, Comparison::GreaterEqual, id, zero);
                        scalar::and(b, is_above, has_class)
                    }
                };
                let wanted = b.select(counts, b.index(1), b.index(0));
                between(b, b.index(0), wanted, |b, _| {
                    let to = kept.next(b);
                    copy(b, (data, [sample, place]), (rows, [sample, to]), dims[2]);
                    let number = scalar::from_index(b, place, places.ty().element());
                    store(b, number, places, &[sample, to]);
                });
            });
            let count = kept.get(b);
            store(
                b,
                scalar::from_index(b, count, counts.ty().element()),
                counts,
                &[sample],
            );
            between(b, count, dims[1].to_value(b), |b, place| {
                clear(b, rows, &[sample, place], dims[2]);
                store(
                    b,
                    b.constant(places.ty().element(), -1.0),
                    places,
                    &[sample, place],
                );
            });
        });
    };
    Ok(build::program(e.b, &e.name(), e.inputs, &types, write))
}

/// What `vision.non_max_suppression` is told.
struct Suppression<'l> {
    dims: Vec<Dim>,
    by_score: &'l Lines,
    forces: bool,
    top: i64,
    coordinates: i64,
    score: i64,
    class: i64,
    gives_indices: bool,
    moves_to_bottom: bool,
}

fn non_max_suppression(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let types = result_types(e);
    let (dims, attrs) = (e.dims(0), e.attrs());
    if dims.contains(&Dim::Known(0)) {
        return Ok(e.zeros(&types));
    }
    let by_score = Lines::whole(dims[1], false)?;
    let suppression = Suppression {
        by_score: &by_score,
        forces: attrs.bool("force_suppress")?,
        top: attrs.int("top_k")?,
        coordinates: attrs.int("coord_start")?,
        score: attrs.int("score_index")?,
        class: attrs.int("id_index")?,
        gives_indices: attrs.bool("return_indices")?,
        moves_to_bottom: attrs.bool("invalid_to_bottom")?,
        dims,
    };
    let write = |b: &Builder, read: &[Value], filled: &[Value]| {
        share(b, suppression.dims[0], |b, sample| {
            let order = suppression.order(b, read, sample);
            match suppression.gives_indices {
                true => suppression.write_indices(b, (read[2], order), filled, sample),
                false => suppression.write_rows(b, (read[0], order), filled[0], sample),
            }
        });
    };
    Ok(build::program(e.b, &e.name(), e.inputs, &types, write))
}

impl Suppression<'_> {
    /// One more than the place of the box that is kept at each place of the result; 0 where none is.
    fn order(&self, b: &Builder, read: &[Value], sample: Value) -> Value {
        let order = local(b, self.dims[1], Type::index(b.ctx), "order");
        repeat(b, self.dims[1], |b, at| store(b, b.index(0), order, &[at]));
        let count = scalar::to_index(b, load(b, read[1], &[sample]));
        let count = index::max(b, index::min(b, count, self.dims[1]), 0);
        let threshold = load(b, read[4], &[]);
        let zero = b.constant(threshold.ty(), 0.0);
        let suppresses = compare(b, Comparison::Greater, threshold, zero);
        // Loops run once or never here: a branch holds no buffers.
        let (one, none) = (b.index(1), b.index(0));
        between(b, none, b.select(suppresses, none, one), |b, _| {
            between(b, b.index(0), count, |b, at| {
                store(b, index::add(b, at, b.index(1)), order, &[at]);
            });
        });
        let sorted = b.select(suppresses, count, none);
        self.select(b, read, (sample, sorted), order);
        order
    }

    /// Keeps boxes of the first `count` ones.
    fn select(&self, b: &Builder, read: &[Value], (sample, count): (Value, Value), order: Value) {
        let (data, score) = (read[0], read[0].ty().element());
        let (merger, places) = Merger::of_lines(b, self.by_score, score, Type::int(b.ctx, 64));
        between(b, b.index(0), count, |b, place| {
            let score = self.number(b, data, [sample, place], self.score);
            merger.buffers.put(b, (score, place), place);
        });
        let first = merger.sort(b, count);
        let looked_at = match self.top > 0 {
            true => index::min(b, count, self.top),
            false => count,
        };
        let kept = local(b, self.dims[1], Type::index(b.ctx), "kept");
        let (kept_count, found) = (Counter::new(b, "kept_count"), Counter::new(b, "found"));
        let most = scalar::to_index(b, load(b, read[3], &[]));
        between(b, b.index(0), looked_at, |b, at| {
            let place = load(b, places, &[index::add(b, first, at)]);
            let place = scalar::to_index(b, place);
            let is_full = index::compare(b, Predicate::Eq, kept_count.get(b), most);
            let score = self.number(b, data, [sample, place], self.score);
            let is_scored = compare(b, Comparison::Greater, score, b.constant(score.ty(), 0.0));
            let is_compared = scalar::and(b, is_scored, scalar::not(b, is_full));
            let others = b.select(is_compared, kept_count.get(b), b.index(0));
            let threshold = load(b, read[4], &[]);
            let is_dropped = any_of(b, found, others, |b, number| {
                let other = load(b, kept, &[number]);
                self.drops(b, (data, sample, threshold), other, place)
            });
            let is_kept = scalar::not(b, scalar::or(b, is_full, is_dropped));
            when(b, is_kept, |b| {
                store(b, index::add(b, place, b.index(1)), order, &[at]);
            });
            when(b, scalar::and(b, is_kept, is_scored), |b| {
                store(b, place, kept, &[kept_count.next(b)]);
            });
        });
    }

    /// A number of a row.
    fn number(&self, b: &Builder, data: Value, [sample, place]: [Value; 2], at: i64) -> Value {
        load(b, data, &[sample, place, b.index(at)])
    }

    /// Whether a box drops another one.
    fn drops(
        &self,
        b: &Builder,
        (data, sample, threshold): (Value, Value, Value),
        kept: Value,
        other: Value,
    ) -> Value {
        let corners =
            [kept, other].map(|place| ordered(b, row(b, data, [sample, place], self.coordinates)));
        let ratio = overlap(b, corners[0], corners[1], 0.0);
        let threshold = scalar::cast(b, threshold, ratio.ty());
        let overlaps = compare(b, Comparison::GreaterEqual, ratio, threshold);
        if self.class < 0 {
            return overlaps;
        }
        let [kept, other] =
            [kept, other].map(|place| self.number(b, data, [sample, place], self.class));
        let zero = b.constant(kept.ty(), 0.0);
        let has_class = compare(b, Comparison::GreaterEqual, kept, zero);
        let drops = scalar::and(b, overlaps, has_class);
        match self.forces {
            true => drops,
            false => scalar::and(b, drops, compare(b, Comparison::Equal, kept, other)),
        }
    }

    /// Writes the indices of the boxes that are kept, and how many these are.
    fn write_indices(
        &self,
        b: &Builder,
        (indices, order): (Value, Value),
        filled: &[Value],
        sample: Value,
    ) {
        let (result, counts) = (filled[0], filled[1]);
        let found = Counter::new(b, "written");
        repeat(b, self.dims[1], |b, at| {
            let place = load(b, order, &[at]);
            let is_kept = index::compare(b, Predicate::Sgt, place, b.index(0));
            let place = index::max(b, index::sub(b, place, b.index(1)), 0);
            let number = load(b, indices, &[sample, place]);
            let is_place = compare(
                b,
                Comparison::GreaterEqual,
                number,
                b.constant(number.ty(), 0.0),
            );
            when(b, scalar::and(b, is_kept, is_place), |b| {
                store(b, number, result, &[sample, found.next(b)]);
            });
        });
        let count = found.get(b);
        let number = scalar::from_index(b, count, counts.ty().element());
        store(b, number, counts, &[sample, b.index(0)]);
        between(b, count, self.dims[1].to_value(b), |b, at| {
            store(
                b,
                b.constant(result.ty().element(), -1.0),
                result,
                &[sample, at],
            );
        });
    }

    /// Writes the rows that are kept.
    fn write_rows(&self, b: &Builder, (data, order): (Value, Value), rows: Value, sample: Value) {
        let next = Counter::new(b, "written");
        repeat(b, self.dims[1], |b, at| {
            let place = load(b, order, &[at]);
            let is_kept = index::compare(b, Predicate::Sgt, place, b.index(0));
            let place = index::max(b, index::sub(b, place, b.index(1)), 0);
            let is_written = match self.moves_to_bottom {
                false => is_kept,
                true => {
                    let first = self.number(b, data, [sample, place], 0);
                    let zero = b.constant(first.ty(), 0.0);
                    let has_first = compare(b, Comparison::GreaterEqual, first, zero);
                    scalar::and(b, is_kept, has_first)
                }
            };
            if !self.moves_to_bottom {
                next.set(b, at);
                clear(b, rows, &[sample, at], self.dims[2]);
            }
            let times = b.select(is_written, b.index(1), b.index(0));
            between(b, b.index(0), times, |b, _| {
                copy(
                    b,
                    (data, [sample, place]),
                    (rows, [sample, next.next(b)]),
                    self.dims[2],
                );
            });
        });
        if self.moves_to_bottom {
            between(b, next.get(b), self.dims[1].to_value(b), |b, at| {
                clear(b, rows, &[sample, at], self.dims[2]);
            });
        }
    }
}

/// What `vision.regular_non_max_suppression` is told.
struct Detections<'l> {
    /// The boxes of a sample.
    count: Dim,
    /// The classes that count, and where they begin.
    classes: i64,
    background: Dim,
    most_of_class: i64,
    most: i64,
    overlap: f64,
    threshold: f64,
    /// How boxes of a class are sorted, and how those of all classes are.
    of_class: &'l Lines,
    of_all: &'l Lines,
}

fn regular_non_max_suppression(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let types = result_types(e);
    let (dims, attrs) = (e.dims(1), e.attrs());
    if dims.contains(&Dim::Known(0)) {
        return Ok(e.zeros(&types));
    }
    let (classes, most) = (
        attrs.int("num_classes")?,
        attrs.int("max_detections_per_class")?,
    );
    let capacity = dims[1].min(most)?.times(classes)?;
    let of_class = Lines::whole(dims[1], false)?;
    let of_all = Lines::whole(capacity, false)?;
    let detections = Detections {
        count: dims[1],
        classes,
        background: dims[2].minus(classes)?,
        most_of_class: most,
        most: attrs.int("max_detections")?,
        overlap: attrs.float("iou_threshold")?,
        threshold: attrs.float("score_threshold")?,
        of_class: &of_class,
        of_all: &of_all,
    };
    let write = |b: &Builder, read: &[Value], filled: &[Value]| {
        share(b, dims[0], |b, sample| {
            detections.write(b, read, filled, sample)
        });
    };
    Ok(build::program(e.b, &e.name(), e.inputs, &types, write))
}

impl Detections<'_> {
    /// Writes the best boxes of a sample. A box of a class is one number: the class times the number of boxes, and the box.
    fn write(&self, b: &Builder, read: &[Value], filled: &[Value], sample: Value) {
        let place = Type::int(b.ctx, 64);
        let score = read[1].ty().element();
        let (all, found) = Merger::of_lines(b, self.of_all, score, place);
        let total = Counter::new(b, "total");
        repeat(b, self.classes, |b, class| {
            self.select(b, read, [sample, class], |b, score, box_| {
                let number = index::add(b, index::scale(b, class, self.count), box_);
                all.buffers.put(b, (score, number), total.next(b));
            });
        });
        let count = total.get(b);
        let first = all.sort(b, count);
        let written = index::min(b, count, self.most);
        between(b, b.index(0), written, |b, at| {
            let number = load(b, found, &[index::add(b, first, at)]);
            let number = scalar::to_index(b, number);
            let class = index::div(b, number, self.count);
            let box_ = index::rem(b, number, self.count);
            for (axis, corner) in row(b, read[0], [sample, box_], 0).into_iter().enumerate() {
                store(b, corner, filled[0], &[sample, at, b.index(axis as i64)]);
            }
            let name = scalar::from_index(b, class, filled[1].ty().element());
            store(b, name, filled[1], &[sample, at]);
            let score = self.score(b, read[1], [sample, box_, class]);
            store(b, score, filled[2], &[sample, at]);
        });
        let number = scalar::from_index(b, written, filled[3].ty().element());
        store(b, number, filled[3], &[sample]);
        between(b, written, b.index(self.most), |b, at| {
            let zero = b.constant(score, 0.0);
            repeat(b, 4, |b, axis| {
                store(b, zero, filled[0], &[sample, at, axis])
            });
            for result in &filled[1..3] {
                store(b, zero, *result, &[sample, at]);
            }
        });
    }

    fn score(&self, b: &Builder, scores: Value, [sample, box_, class]: [Value; 3]) -> Value {
        let class = index::add(b, class, self.background.to_value(b));
        load(b, scores, &[sample, box_, class])
    }

    /// Takes boxes of a class by falling score: `take` gets the score and the place of each.
    fn select(
        &self,
        b: &Builder,
        read: &[Value],
        [sample, class]: [Value; 2],
        take: impl FnOnce(&Builder, Value, Value),
    ) {
        let score = read[1].ty().element();
        let (merger, places) = Merger::of_lines(b, self.of_class, score, Type::int(b.ctx, 64));
        let candidates = Counter::new(b, "candidates");
        repeat(b, self.count, |b, box_| {
            let score = self.score(b, read[1], [sample, box_, class]);
            let least = b.constant(score.ty(), self.threshold);
            let at = candidates.get(b);
            merger.buffers.put(b, (score, box_), at);
            let counts = compare(b, Comparison::GreaterEqual, score, least);
            candidates.set(b, b.select(counts, index::add(b, at, b.index(1)), at));
        });
        let first = merger.sort(b, candidates.get(b));
        let kept = local(b, self.count, Type::index(b.ctx), "kept");
        let (kept_count, found) = (Counter::new(b, "kept_count"), Counter::new(b, "found"));
        between(b, b.index(0), candidates.get(b), |b, at| {
            let box_ = load(b, places, &[index::add(b, first, at)]);
            let box_ = scalar::to_index(b, box_);
            let is_free = index::less(b, kept_count.get(b), self.most_of_class);
            let others = b.select(is_free, kept_count.get(b), b.index(0));
            let is_dropped = any_of(b, found, others, |b, number| {
                let other = load(b, kept, &[number]);
                self.drops(b, read[0], sample, [other, box_])
            });
            let is_kept = scalar::and(b, is_free, scalar::not(b, is_dropped));
            when(b, is_kept, |b| {
                store(b, box_, kept, &[kept_count.next(b)]);
                take(b, self.score(b, read[1], [sample, box_, class]), box_);
            });
        });
    }

    /// Whether a box drops another one.
    fn drops(&self, b: &Builder, boxes: Value, sample: Value, pair: [Value; 2]) -> Value {
        let [one, other] = pair.map(|place| row(b, boxes, [sample, place], 0));
        let ratio = overlap(b, one, other, 0.0);
        let zero = b.constant(ratio.ty(), 0.0);
        let has_area = |corners: [Value; 4]| {
            let [height, width] =
                [0, 1].map(|axis| scalar::sub(b, corners[axis + 2], corners[axis]));
            compare(b, Comparison::Greater, scalar::mul(b, height, width), zero)
        };
        let have_areas = scalar::and(b, has_area(one), has_area(other));
        let ratio = b.select(have_areas, ratio, zero);
        compare(
            b,
            Comparison::Greater,
            ratio,
            b.constant(ratio.ty(), self.overlap),
        )
    }
}
