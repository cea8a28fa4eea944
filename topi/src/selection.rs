//! Operators whose results data select. They are loop programs, because the data say where an element goes, and how many there are.

use crate::{
    Compute, Expression,
    program::{between, load, local, share, store},
    scalar::{self, Comparison, compare},
    sort::{Lines, Merger},
};
use relay_dialects::{
    dim::Dim,
    index::{self, Extent},
    ir::{Builder, Type, Value},
    ops::arith,
    relay::{ops::selection::most_of_class, relation::normalize_axis},
    te::build,
    tir::{AllocBuffer, Scope},
};

/// The family's rows.
pub const ROWS: &[(&str, Compute)] = &[
    ("nonzero", nonzero),
    ("prefix", prefix),
    ("vision.all_class_non_max_suppression", non_max_suppression),
];

/// The types of an operator's results.
fn result_types(e: &Expression<'_>) -> Vec<Type> {
    e.op.results().iter().map(|value| value.ty()).collect()
}

/// The first elements of an axis.
fn prefix(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    normalize_axis(e.attrs().int("axis")?, e.dims(0).len())?;
    e.elements(|b, indices| build::read(b, e.inputs[0], indices))
}

/// The subscripts of the elements that are not zero. Each element's subscripts are written in the next free column, which stays free if
/// the element is zero: so there is no branch.
fn nonzero(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let types = result_types(e);
    if e.result_dims().contains(&Dim::Known(0)) {
        return Ok(e.zeros(&types));
    }
    let shape = e.dims(0);
    let write = |b: &Builder, read: &[Value], filled: &[Value]| {
        let zero = b.constant(read[0].ty().element(), 0.0);
        let extents: Vec<Value> = shape.iter().map(|dim| dim.to_value(b)).collect();
        store(b, b.constant(types[1].element(), 0.0), filled[1], &[]);
        each_subscript(b, &extents, &[], &|b, at| {
            let column = load(b, filled[1], &[]);
            let place = scalar::to_index(b, column);
            for (dim, subscript) in at.iter().enumerate() {
                let subscript = scalar::from_index(b, *subscript, types[0].element());
                store(b, subscript, filled[0], &[b.index(dim as i64), place]);
            }
            let is_zero = compare(b, Comparison::Equal, load(b, read[0], at), zero);
            let next = scalar::add(b, column, b.constant(types[1].element(), 1.0));
            store(b, b.select(is_zero, column, next), filled[1], &[]);
        });
    };
    let data = &e.inputs[..1];
    Ok(build::program(e.b, &e.name(), data, &types, write))
}

/// Does something at each list of subscripts of a shape, in memory order.
fn each_subscript(b: &Builder, rest: &[Value], at: &[Value], body: &dyn Fn(&Builder, &[Value])) {
    match rest.split_first() {
        None => body(b, at),
        Some((extent, rest)) => between(b, b.index(0), *extent, |b, subscript| {
            each_subscript(b, rest, &[at, &[subscript]].concat(), body);
        }),
    }
}

fn non_max_suppression(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let types = result_types(e);
    let (dims, selected) = (e.dims(1), e.result_dims());
    if selected.contains(&Dim::Known(0)) || dims.contains(&Dim::Known(0)) {
        return Ok(e.zeros(&types));
    }
    let most = most_of_class(&e.attrs(), &dims)?;
    let is_centered = e.attrs().bool("center_point_box")?;
    let lines = dims[0].times(dims[1])?;
    let buffers = [vec![lines, most], vec![lines]];
    let by_score = Lines::whole(dims[2], false)?;
    let write = |b: &Builder, read: &[Value], filled: &[Value]| {
        let buffer = |dims: &[Dim], name| {
            let shape: Vec<i64> = dims.iter().map(|dim| dim.to_mlir()).collect();
            let ty = Type::memref(&shape, Type::index(b.ctx));
            AllocBuffer::of_tensor(b, ty, dims, Scope::Global, name)
        };
        let classes = Classes {
            boxes: read[0],
            scores: read[1],
            by_score: &by_score,
            limit: limit(b, load(b, read[2], &[]), most.to_value(b)),
            overlap: read[3],
            threshold: read[4],
            is_centered,
            kept: buffer(&buffers[0], "kept"),
            counts: buffer(&buffers[1], "counts"),
            classes: dims[1].to_value(b),
            count: dims[2].to_value(b),
        };
        let lines = lines.to_value(b);
        share(b, lines, |b, line| classes.select(b, line));
        classes.collect(b, lines, filled);
    };
    Ok(build::program(e.b, &e.name(), e.inputs, &types, write))
}

/// How many boxes of a class may be selected: as many as the number says, from 0 to `most`.
fn limit(b: &Builder, number: Value, most: Value) -> Value {
    let number = scalar::to_index(b, number);
    arith::MaxSI::build(b, index::min(b, number, most), b.index(0))
}

/// The boxes of batches and classes, of which one is a line.
struct Classes<'l> {
    boxes: Value,
    scores: Value,
    /// How the boxes of a line are sorted.
    by_score: &'l Lines,
    /// How many boxes of a line may be selected.
    limit: Value,
    /// The thresholds, in buffers of one element.
    overlap: Value,
    threshold: Value,
    is_centered: bool,
    /// The boxes of each line that were selected.
    kept: Value,
    /// How many these are.
    counts: Value,
    /// How many classes a batch has.
    classes: Value,
    /// How many boxes there are.
    count: Value,
}

impl Classes<'_> {
    /// Selects boxes of a line.
    fn select(&self, b: &Builder, line: Value) {
        let batch = index::div(b, line, self.classes);
        let class = index::rem(b, line, self.classes);
        store(b, b.index(0), self.counts, &[line]);
        let flag = Type::memref(&[1], Type::index(b.ctx));
        let is_free = AllocBuffer::build(b, flag, Scope::Local, "is_free");
        // A sum of products is rounded as where the product is in memory: so the same boxes are selected as elsewhere.
        let products = Type::memref(&[3], self.boxes.ty().element());
        let products = AllocBuffer::build(b, products, Scope::Local, "products");
        let (places, first, end) = self.candidates(b, batch, class);
        between(b, first, end, |b, at| {
            let place = scalar::to_index(b, load(b, places, &[at]));
            let kept = load(b, self.counts, &[line]);
            let may_be = index::less(b, kept, self.limit);
            let (one, zero) = (b.index(1), b.index(0));
            store(b, b.select(may_be, one, zero), is_free, &[zero]);
            let candidate = self.corners(b, batch, place);
            let compared = b.select(may_be, kept, zero);
            between(b, zero, compared, |b, other| {
                let other = load(b, self.kept, &[line, other]);
                let other = self.corners(b, batch, other);
                let overlaps = self.overlaps(b, products, &candidate, &other);
                let before = load(b, is_free, &[zero]);
                store(b, b.select(overlaps, zero, before), is_free, &[zero]);
            });
            between(b, zero, load(b, is_free, &[zero]), |b, _| {
                store(b, place, self.kept, &[line, kept]);
                store(b, index::add(b, kept, one), self.counts, &[line]);
            });
        });
    }

    /// The boxes of a class whose scores are above the threshold, by falling score: a buffer of their subscripts, and where they begin and
    /// end in it. Each box is written in the next free place, which stays free if its score is not above.
    fn candidates(&self, b: &Builder, batch: Value, class: Value) -> (Value, Value, Value) {
        let (score, zero) = (self.scores.ty().element(), b.index(0));
        let (merger, places) = Merger::of_lines(b, self.by_score, score, Type::int(b.ctx, 64));
        let threshold = load(b, self.threshold, &[]);
        let found = local(b, Dim::Known(1), Type::index(b.ctx), "found");
        store(b, zero, found, &[zero]);
        between(b, zero, self.count, |b, place| {
            let score = load(b, self.scores, &[batch, class, place]);
            let count = load(b, found, &[zero]);
            merger.buffers.put(b, (score, place), count);
            let is_above = compare(b, Comparison::Greater, score, threshold);
            let more = index::add(b, count, b.index(1));
            store(b, b.select(is_above, more, count), found, &[zero]);
        });
        let count = load(b, found, &[zero]);
        let first = merger.sort(b, count);
        (places, first, index::add(b, first, count))
    }

    /// The least y, the least x, the greatest y and the greatest x of a box.
    fn corners(&self, b: &Builder, batch: Value, place: Value) -> [Value; 4] {
        let [y, x, height, width] =
            [0, 1, 2, 3].map(|number| load(b, self.boxes, &[batch, place, b.index(number)]));
        if !self.is_centered {
            return [
                scalar::min(b, y, height),
                scalar::min(b, x, width),
                scalar::max(b, y, height),
                scalar::max(b, x, width),
            ];
        }
        // Its first number is the x.
        let (x, y, width, height) = (y, x, height, width);
        let two = b.constant(x.ty(), 2.0);
        let [width, height] = [width, height].map(|side| scalar::div(b, side, two));
        [
            scalar::sub(b, y, height),
            scalar::sub(b, x, width),
            scalar::add(b, y, height),
            scalar::add(b, x, width),
        ]
    }

    /// Whether the area that two boxes share, by the area that they cover, is above the threshold.
    fn overlaps(
        &self,
        b: &Builder,
        products: Value,
        first: &[Value; 4],
        second: &[Value; 4],
    ) -> Value {
        let zero = b.constant(first[0].ty(), 0.0);
        let area = |b: &Builder, number: i64, [top, left, bottom, right]: [Value; 4]| {
            let (height, width) = (scalar::sub(b, bottom, top), scalar::sub(b, right, left));
            let product = scalar::mul(b, width, height);
            store(b, product, products, &[b.index(number)]);
            let area = load(b, products, &[b.index(number)]);
            let [is_high, is_wide] =
                [height, width].map(|side| compare(b, Comparison::Greater, side, zero));
            (area, scalar::and(b, is_high, is_wide))
        };
        let shared = [
            scalar::max(b, first[0], second[0]),
            scalar::max(b, first[1], second[1]),
            scalar::min(b, first[2], second[2]),
            scalar::min(b, first[3], second[3]),
        ];
        let (shared, is_shared) = area(b, 0, shared);
        let ((first, _), (second, _)) = (area(b, 1, *first), area(b, 2, *second));
        let covered = scalar::sub(b, scalar::add(b, first, second), shared);
        let are_positive = [shared, first, second, covered]
            .map(|area| compare(b, Comparison::Greater, area, zero));
        let ratio = scalar::div(b, shared, covered);
        let overlap = load(b, self.overlap, &[]);
        let is_above = compare(b, Comparison::Greater, ratio, overlap);
        let all = are_positive.into_iter().chain([is_above]);
        all.fold(is_shared, |all, one| scalar::and(b, all, one))
    }

    /// Writes the selected boxes of all lines one after the other.
    fn collect(&self, b: &Builder, lines: Value, filled: &[Value]) {
        let (selected, total) = (filled[0], filled[1]);
        let element = selected.ty().element();
        let at = vec![b.index(0); total.ty().shape().len()];
        store(b, b.constant(element, 0.0), total, &at);
        between(b, b.index(0), lines, |b, line| {
            let batch = index::div(b, line, self.classes);
            let class = index::rem(b, line, self.classes);
            let (count, before) = (load(b, self.counts, &[line]), load(b, total, &at));
            let first = scalar::to_index(b, before);
            between(b, b.index(0), count, |b, at| {
                let row = index::add(b, first, at);
                let place = load(b, self.kept, &[line, at]);
                for (column, number) in [batch, class, place].into_iter().enumerate() {
                    let number = scalar::from_index(b, number, element);
                    store(b, number, selected, &[row, b.index(column as i64)]);
                }
            });
            let count = scalar::from_index(b, count, element);
            store(b, scalar::add(b, before, count), total, &at);
        });
    }
}
