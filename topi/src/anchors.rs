//! Boxes around pixels, and what detectors make of them.

use crate::{
    Compute, Expression,
    detection::{Counter, any_of, clear, overlap, result_types, row},
    program::{between, load, local, repeat, share, store, when},
    scalar::{self, Comparison, compare},
    sort::{Lines, Merger},
};
use relay_dialects::{
    dim::Dim,
    index::{self, Extent, Predicate},
    ir::{Builder, Type, Value},
    ops::math,
    relay::ops::detection::Priors,
    te::build,
};

/// The family's rows.
pub const ROWS: &[(&str, Compute)] = &[
    ("vision.multibox_prior", multibox_prior),
    ("vision.multibox_transform_loc", multibox_transform_loc),
    ("vision.proposal", proposal),
];

/// The number that belongs to `at` in a list.
fn of_list(b: &Builder, at: Value, numbers: &[f64], ty: Type) -> Value {
    let numbered = numbers.iter().enumerate().skip(1);
    let first = b.constant(ty, numbers[0]);
    numbered.fold(first, |found, (number, value)| {
        let is_it = index::compare(b, Predicate::Eq, at, b.index(number as i64));
        b.select(is_it, b.constant(ty, *value), found)
    })
}

/// A number moved to the nearest one from 0 to `last`.
fn bounded(b: &Builder, x: Value, last: Value) -> Value {
    let low = scalar::min(b, x, last);
    scalar::max(b, low, b.constant(x.ty(), 0.0))
}

fn multibox_prior(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let attrs = e.attrs();
    let Priors { sizes, ratios } = Priors::read(&attrs)?;
    let image = [e.known_dim(0, 2)?, e.known_dim(0, 3)?];
    let (steps, offsets) = (attrs.floats("steps")?, attrs.floats("offsets")?);
    let is_clipped = attrs.bool("clip")?;
    let by_ratio = ratios[1..].iter().map(|ratio| (sizes[0], ratio.sqrt()));
    let kinds: Vec<(f64, f64)> = sizes
        .iter()
        .map(|size| (*size, 1.0))
        .chain(by_ratio)
        .collect();
    let shape = image[0] as f64 / image[1] as f64;
    // Half the sides of boxes, first the heights.
    let sides = [
        kinds.iter().map(|(size, root)| size / root / 2.0).collect(),
        kinds
            .iter()
            .map(|(size, root)| size * shape * root / 2.0)
            .collect::<Vec<f64>>(),
    ];
    let step = |axis: usize| match steps[axis] > 0.0 {
        true => steps[axis],
        false => 1.0 / image[axis] as f64,
    };
    let of_pixel = kinds.len() as i64;
    let ty = e.element;
    e.elements(|b, indices| {
        let pixel = index::div(b, indices[1], of_pixel);
        let kind = index::rem(b, indices[1], of_pixel);
        let places = [
            index::div(b, pixel, image[1]),
            index::rem(b, pixel, image[1]),
        ];
        let ends = [0, 1].map(|axis| {
            let at = scalar::from_index(b, places[axis], ty);
            let at = scalar::add(b, at, b.constant(ty, offsets[axis]));
            let center = scalar::mul(b, at, b.constant(ty, step(axis)));
            let side = of_list(b, kind, &sides[axis], ty);
            [scalar::sub(b, center, side), scalar::add(b, center, side)]
        });
        let number = indices[2];
        let is_y = index::compare(b, Predicate::Eq, index::rem(b, number, 2), b.index(1));
        let is_far = index::compare(b, Predicate::Sge, number, b.index(2));
        let [y, x] = ends.map(|[near, far]| b.select(is_far, far, near));
        let place = b.select(is_y, y, x);
        match is_clipped {
            true => bounded(b, place, b.constant(ty, 1.0)),
            false => place,
        }
    })
}

/// The corners of a box of a center and sides, of which each end is `less` / 2 nearer to the center.
fn corners(b: &Builder, center: [Value; 2], sides: [Value; 2], less: f64) -> [Value; 4] {
    let two = b.constant(center[0].ty(), 2.0);
    let half = sides.map(|side| {
        let side = match less == 0.0 {
            true => side,
            false => scalar::sub(b, side, b.constant(side.ty(), less)),
        };
        scalar::div(b, side, two)
    });
    [
        scalar::sub(b, center[0], half[0]),
        scalar::sub(b, center[1], half[1]),
        scalar::add(b, center[0], half[0]),
        scalar::add(b, center[1], half[1]),
    ]
}

/// A box that is moved by the first two numbers, in its sides, and whose sides are scaled by powers of e. A side is `more` longer than the
/// distance of its ends.
fn moved(b: &Builder, anchor: [Value; 4], moves: [Value; 4], more: f64) -> [Value; 4] {
    let ty = anchor[0].ty();
    let two = b.constant(ty, 2.0);
    let sides = [0, 1].map(|axis| {
        let distance = scalar::sub(b, anchor[axis + 2], anchor[axis]);
        scalar::add(b, distance, b.constant(ty, more))
    });
    let center = [0, 1].map(|axis| {
        let sum = scalar::add(b, anchor[axis], anchor[axis + 2]);
        let shift = scalar::mul(b, moves[axis], sides[axis]);
        scalar::add(b, shift, scalar::div(b, sum, two))
    });
    let sides = [0, 1].map(|axis| {
        let factor = math::Exp::build(b, moves[axis + 2]);
        scalar::mul(b, factor, sides[axis])
    });
    corners(b, center, sides, more)
}

/// What `vision.multibox_transform_loc` is told.
struct Transform {
    classes: Dim,
    boxes: Dim,
    variances: Vec<f64>,
    threshold: f64,
    is_clipped: bool,
    /// The first class that counts: the background is class 0.
    first: i64,
}

fn multibox_transform_loc(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let types = result_types(e);
    let (dims, attrs) = (e.dims(0), e.attrs());
    if dims.contains(&Dim::Known(0)) {
        return Ok(e.zeros(&types));
    }
    let transform = Transform {
        classes: dims[1],
        boxes: dims[2],
        variances: attrs.floats("variances")?,
        threshold: attrs.float("threshold")?,
        is_clipped: attrs.bool("clip")?,
        first: if attrs.bool("keep_background")? { 0 } else { 1 },
    };
    let write = |b: &Builder, read: &[Value], filled: &[Value]| {
        share(b, dims[0], |b, sample| {
            transform.write(b, read, filled, sample);
        });
    };
    Ok(build::program(e.b, &e.name(), e.inputs, &types, write))
}

impl Transform {
    /// Writes the rows of a sample.
    fn write(&self, b: &Builder, read: &[Value], filled: &[Value], sample: Value) {
        let (kept, class) = (Counter::new(b, "kept"), Counter::new(b, "class"));
        let score = local(b, Dim::Known(1), filled[0].ty().element(), "score");
        repeat(b, self.boxes, |b, place| {
            self.choose(b, read[0], [sample, place], (class, score));
            let is_object = index::compare(b, Predicate::Sge, class.get(b), b.index(self.first));
            let times = b.select(is_object, b.index(1), b.index(0));
            between(b, b.index(0), times, |b, _| {
                let to = [sample, kept.next(b)];
                let name = index::sub(b, class.get(b), b.index(self.first));
                let name = scalar::from_index(b, name, score.ty().element());
                let numbers = [name, load(b, score, &[b.index(0)])];
                let corners = self.corners(b, read, [sample, place]);
                for (number, value) in numbers.into_iter().chain(corners).enumerate() {
                    let at = [to[0], to[1], b.index(number as i64)];
                    store(b, value, filled[0], &at);
                }
            });
        });
        let count = kept.get(b);
        let number = scalar::from_index(b, count, filled[1].ty().element());
        store(b, number, filled[1], &[sample]);
        between(b, count, self.boxes.to_value(b), |b, place| {
            clear(b, filled[0], &[sample, place], Dim::Known(6));
        });
    }

    /// Finds the most probable class of a box, and its probability; the background if that is low.
    fn choose(
        &self,
        b: &Builder,
        probabilities: Value,
        [sample, place]: [Value; 2],
        (class, score): (Counter, Value),
    ) {
        let (ty, zero) = (score.ty().element(), b.index(0));
        store(b, b.constant(ty, -1.0), score, &[zero]);
        class.set(b, zero);
        between(
            b,
            b.index(self.first),
            self.classes.to_value(b),
            |b, number| {
                let probability = load(b, probabilities, &[sample, number, place]);
                let best = load(b, score, &[zero]);
                let is_better = compare(b, Comparison::Greater, probability, best);
                class.set(b, b.select(is_better, number, class.get(b)));
                store(b, scalar::max(b, probability, best), score, &[zero]);
            },
        );
        let best = load(b, score, &[zero]);
        let is_low = compare(b, Comparison::Less, best, b.constant(ty, self.threshold));
        class.set(b, b.select(is_low, zero, class.get(b)));
    }

    /// The corners of a box that is moved as predicted.
    fn corners(&self, b: &Builder, read: &[Value], [sample, place]: [Value; 2]) -> [Value; 4] {
        let anchor = row(b, read[2], [b.index(0), place], 0);
        let moves = [0, 1, 2, 3].map(|number| {
            let at = index::add(b, index::scale(b, place, 4), b.index(number));
            let shift = load(b, read[1], &[sample, at]);
            let variance = b.constant(shift.ty(), self.variances[number as usize]);
            scalar::mul(b, shift, variance)
        });
        moved(b, anchor, moves, 0.0).map(|end| match self.is_clipped {
            true => bounded(b, end, b.constant(end.ty(), 1.0)),
            false => end,
        })
    }
}

/// The corners of the box of each kind around the first pixel, as Faster R-CNN rounds them (Ren et al., 2015).
fn anchors(ratios: &[f64], scales: &[f64], stride: i64) -> Vec<[f64; 4]> {
    let side = stride as f64;
    let center = (side - 1.0) / 2.0;
    let kinds = ratios
        .iter()
        .flat_map(|ratio| scales.iter().map(move |scale| (ratio, scale)));
    let anchor = |(ratio, scale): (&f64, &f64)| {
        let width = (side * side / ratio).floor().sqrt().round();
        let height = (width * ratio).round();
        let [across, down] = [width, height].map(|side| (side * scale - 1.0) / 2.0);
        [
            center - across,
            center - down,
            center + across,
            center + down,
        ]
    };
    kinds.map(anchor).collect()
}

/// What `vision.proposal` is told.
struct Proposal<'l> {
    anchors: Vec<[f64; 4]>,
    /// Rows and columns.
    image: [i64; 2],
    stride: i64,
    adds: bool,
    least_side: i64,
    threshold: f64,
    /// How many boxes are looked at, and how many are wanted.
    before: i64,
    after: i64,
    by_score: &'l Lines,
}

fn proposal(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let types = result_types(e);
    let attrs = e.attrs();
    let batch = e.dims(0)[0];
    let image = [e.known_dim(0, 2)?, e.known_dim(0, 3)?];
    let stride = attrs.int("feature_stride")?;
    let anchors = anchors(&attrs.floats("ratios")?, &attrs.floats("scales")?, stride);
    let count = Dim::from(image[0])
        .times(image[1])?
        .times(anchors.len() as i64)?;
    let all = count.known().ok_or("has an image of open extents")?;
    let by_score = Lines::whole(count, false)?;
    if batch == 0 {
        return Ok(e.zeros(&types));
    }
    let proposal = Proposal {
        anchors,
        image,
        stride,
        adds: attrs.bool("iou_loss")?,
        least_side: attrs.int("rpn_min_size")?,
        threshold: attrs.float("threshold")?,
        before: match attrs.int("rpn_pre_nms_top_n")? {
            ..1 => all,
            some => some.min(all),
        },
        after: attrs.int("rpn_post_nms_top_n")?,
        by_score: &by_score,
    };
    let write = |b: &Builder, read: &[Value], filled: &[Value]| {
        share(b, batch, |b, sample| {
            proposal.write(b, read, filled[0], sample)
        });
    };
    Ok(build::program(e.b, &e.name(), e.inputs, &types, write))
}

impl Proposal<'_> {
    fn count(&self) -> i64 {
        self.image[0] * self.image[1] * self.anchors.len() as i64
    }

    /// Writes the regions of a sample.
    fn write(&self, b: &Builder, read: &[Value], result: Value, sample: Value) {
        let ty = result.ty().element();
        let boxes = Dim::Known(4).times(self.count()).unwrap_or(Dim::Unknown);
        let boxes = local(b, boxes, ty, "boxes");
        let (merger, places) = Merger::of_lines(b, self.by_score, ty, Type::int(b.ctx, 64));
        repeat(b, self.image[0] * self.image[1], |b, pixel| {
            for kind in 0..self.anchors.len() {
                let first = index::scale(b, pixel, self.anchors.len() as i64);
                let place = index::add(b, first, b.index(kind as i64));
                let (corners, score) = self.predicted(b, read, [sample, pixel], kind);
                for (number, corner) in corners.into_iter().enumerate() {
                    let at = index::add(b, index::scale(b, place, 4), b.index(number as i64));
                    store(b, corner, boxes, &[at]);
                }
                merger.buffers.put(b, (score, place), place);
            }
        });
        let first = merger.sort(b, b.index(self.count()));
        let kept = local(b, Dim::Known(self.before), Type::index(b.ctx), "kept");
        let (kept_count, found) = (Counter::new(b, "kept_count"), Counter::new(b, "found"));
        let corners = |b: &Builder, place: Value| {
            [0, 1, 2, 3].map(|number| {
                let at = index::add(b, index::scale(b, place, 4), b.index(number));
                load(b, boxes, &[at])
            })
        };
        repeat(b, self.before, |b, at| {
            let place = load(b, places, &[index::add(b, first, at)]);
            let place = scalar::to_index(b, place);
            let is_dropped = any_of(b, found, kept_count.get(b), |b, number| {
                let other = load(b, kept, &[number]);
                let ratio = overlap(b, corners(b, other), corners(b, place), 1.0);
                compare(
                    b,
                    Comparison::Greater,
                    ratio,
                    b.constant(ty, self.threshold),
                )
            });
            when(b, scalar::not(b, is_dropped), |b| {
                store(b, place, kept, &[kept_count.next(b)]);
            });
        });
        let name = scalar::from_index(b, sample, ty);
        repeat(b, self.after, |b, number| {
            // The first box is always kept.
            let count = index::max(b, kept_count.get(b), 1);
            let place = load(b, kept, &[index::rem(b, number, count)]);
            let to = index::add(b, index::scale(b, sample, self.after), number);
            store(b, name, result, &[to, b.index(0)]);
            for (number, corner) in corners(b, place).into_iter().enumerate() {
                store(b, corner, result, &[to, b.index(number as i64 + 1)]);
            }
        });
    }

    /// The corners of the box of a kind at a pixel, and its probability, or -1.
    fn predicted(
        &self,
        b: &Builder,
        read: &[Value],
        [sample, pixel]: [Value; 2],
        kind: usize,
    ) -> ([Value; 4], Value) {
        let ty = read[0].ty().element();
        let place = [
            index::div(b, pixel, self.image[1]),
            index::rem(b, pixel, self.image[1]),
        ];
        let info = |number: i64| load(b, read[2], &[sample, b.index(number)]);
        let (extents, scale) = ([info(0), info(1)], info(2));
        let ends = self.inside(b, read[1], (sample, place, kind), extents);
        let one = b.constant(ty, 1.0);
        let least = scalar::mul(b, scale, b.constant(ty, self.least_side as f64));
        let is_small = [0, 1].map(|axis| {
            let side = scalar::add(b, scalar::sub(b, ends[axis + 2], ends[axis]), one);
            compare(b, Comparison::Less, side, least)
        });
        let is_small = scalar::or(b, is_small[0], is_small[1]);
        let half = scalar::div(b, least, b.constant(ty, 2.0));
        let larger = [0, 1, 2, 3].map(|number: usize| {
            let moved = match number < 2 {
                true => scalar::sub(b, ends[number], half),
                false => scalar::add(b, ends[number], half),
            };
            b.select(is_small, moved, ends[number])
        });
        let is_outside = [0, 1].map(|axis: usize| {
            let stride = b.constant(ty, self.stride as f64);
            let pixels = math::Trunc::build(b, scalar::div(b, extents[axis], stride));
            let at = scalar::from_index(b, place[axis], ty);
            compare(b, Comparison::GreaterEqual, at, pixels)
        });
        let is_outside = scalar::or(b, is_outside[0], is_outside[1]);
        let channel = b.index((self.anchors.len() + kind) as i64);
        let score = load(b, read[0], &[sample, channel, place[0], place[1]]);
        let is_nothing = scalar::or(b, is_small, is_outside);
        (larger, b.select(is_nothing, b.constant(ty, -1.0), score))
    }

    /// The corners of the box of a kind at a place, moved as predicted and into the image.
    fn inside(
        &self,
        b: &Builder,
        moves: Value,
        (sample, place, kind): (Value, [Value; 2], usize),
        extents: [Value; 2],
    ) -> [Value; 4] {
        let ty = moves.ty().element();
        let moves = [0, 1, 2, 3].map(|number| {
            let channel = b.index((4 * kind + number) as i64);
            load(b, moves, &[sample, channel, place[0], place[1]])
        });
        let anchor = [0, 1, 2, 3].map(|number: usize| {
            let at = index::scale(b, place[1 - number % 2], self.stride);
            let at = scalar::from_index(b, at, ty);
            scalar::add(b, at, b.constant(ty, self.anchors[kind][number]))
        });
        let ends = match self.adds {
            true => [0, 1, 2, 3].map(|number| scalar::add(b, anchor[number], moves[number])),
            false => moved(b, anchor, moves, 1.0),
        };
        let one = b.constant(ty, 1.0);
        [0, 1, 2, 3].map(|number: usize| {
            bounded(
                b,
                ends[number],
                scalar::sub(b, extents[1 - number % 2], one),
            )
        })
    }
}
