//! Ansor's features: a row for each store (Zheng et al., OSDI 2020, appendix B).

use super::nests::{Access, LINE, Loop, Nest, OPERATIONS, iterations};
use relay_dialects::{
    ir::Value,
    tir::{LoopKind, Scope},
};
use relay_tune::cost::{Row, features::Unit};

/// So many buffers of a store have features: those with most bytes.
const BUFFERS: usize = 5;

/// The points of the curve of arithmetic intensity.
const POINTS: usize = 10;

/// The rows of a kernel's stores.
pub fn rows(nests: &[Nest]) -> Vec<Row> {
    let all = nests.iter().enumerate();
    all.map(|(place, nest)| {
        let mut row = Row::default();
        add_operations(&mut row, nest);
        add_marked_loops(&mut row, nest);
        add_buffers(&mut row, place, nests);
        add_intensity(&mut row, nest);
        add_allocation(&mut row, nest);
        add_loops(&mut row, nest);
        row
    })
    .collect()
}

/// What it computes, in all its runs.
fn add_operations(row: &mut Row, nest: &Nest) {
    let runs = nest.iterations();
    for ((name, _), count) in OPERATIONS.iter().zip(nest.operations) {
        row.add(("operations", 0), name, Unit::Count, count * runs);
    }
}

/// Where the innermost loop of a kind stands among those that go through elements, or among those that reduce.
const POSITIONS: &[&str] = &[
    "innermost of elements",
    "between others of elements",
    "outermost of elements",
    "innermost of a reduction",
    "between others of a reduction",
    "outermost of a reduction",
];

/// The loops of each kind that is not serial.
fn add_marked_loops(row: &mut Row, nest: &Nest) {
    let kinds = [
        ("vectors", LoopKind::Vectorized),
        ("unrolled loops", LoopKind::Unrolled),
        ("parallel loops", LoopKind::Parallel),
    ];
    for (about, kind) in kinds {
        let places = || (0..nest.loops.len()).filter(|place| nest.loops[*place].kind == kind);
        let of: Vec<Loop> = places().map(|place| nest.loops[place]).collect();
        let innermost = of.last().map_or(0.0, |it| it.extent);
        let product = if of.is_empty() { 0.0 } else { iterations(&of) };
        row.add((about, 0), "number", Unit::Count, of.len() as f64);
        row.add(
            (about, 0),
            "length of the innermost",
            Unit::Iterations,
            innermost,
        );
        row.add((about, 0), "product of lengths", Unit::Iterations, product);
        let position = places().next_back().map(|place| position(nest, place));
        row.add_flags((about, 0), POSITIONS, position);
    }
}

/// The place of a loop's position in [`POSITIONS`].
fn position(nest: &Nest, place: usize) -> usize {
    let reduces = nest.reduces(&nest.loops[place]);
    let is_alike = |other: &Loop| nest.reduces(other) == reduces;
    let within = if !nest.loops[place + 1..].iter().any(is_alike) {
        0
    } else if nest.loops[..place].iter().any(is_alike) {
        1
    } else {
        2
    };
    within + if reduces { 3 } else { 0 }
}

/// The accesses of one buffer in a nest.
struct OfBuffer<'n> {
    accesses: Vec<&'n Access>,
}

impl OfBuffer<'_> {
    /// The sum over its accesses.
    fn sum(&self, of: impl Fn(&Access) -> f64) -> f64 {
        self.accesses.iter().map(|access| of(access)).sum()
    }

    /// The most of its accesses: those of one buffer often touch the same elements.
    fn most(&self, of: impl Fn(&Access) -> f64) -> f64 {
        let all = self.accesses.iter().map(|access| of(access));
        all.fold(0.0, f64::max)
    }
}

/// The buffers of a nest, those with most bytes first.
fn buffers(nest: &Nest) -> Vec<OfBuffer<'_>> {
    let mut known: Vec<Value> = Vec::new();
    let mut found: Vec<OfBuffer<'_>> = Vec::new();
    for access in &nest.accesses {
        match known.iter().position(|buffer| *buffer == access.buffer) {
            Some(place) => found[place].accesses.push(access),
            None => {
                known.push(access.buffer);
                found.push(OfBuffer {
                    accesses: vec![access],
                });
            }
        }
    }
    let bytes = |of: &OfBuffer<'_>| of.most(|access| access.bytes(&nest.loops));
    found.sort_by(|a, b| bytes(b).total_cmp(&bytes(a)));
    found
}

/// How the elements of a buffer are met again.
#[derive(Default)]
struct Reuse {
    /// The place in [`REUSES`].
    kind: usize,
    /// The iterations, and the bytes of all buffers, between one time and the next.
    iterations: f64,
    bytes: f64,
    /// How often.
    count: f64,
}

const REUSES: &[&str] = &[
    "each element is met once",
    "a loop meets elements again",
    "another store meets elements again",
];

/// How the elements that an access touches are met again: by the innermost loop that does not choose among them, or else by another nest
/// in the same outer loop.
fn reuse(of: &OfBuffer<'_>, place: usize, nests: &[Nest]) -> Reuse {
    let nest = &nests[place];
    let chooses = |it: &Loop| of.accesses.iter().any(|access| access.depends_on(it));
    if let Some(depth) = nest
        .loops
        .iter()
        .rposition(|it| !chooses(it) && it.extent > 1.0)
    {
        return Reuse {
            kind: 1,
            iterations: iterations(&nest.loops[depth + 1..]),
            bytes: nest.bytes_inside(depth + 1),
            count: nest.loops[depth].extent,
        };
    }
    let buffer = of.accesses.first().map(|access| access.buffer);
    let touches = |nest: &Nest| nest.accesses.iter().any(|it| Some(it.buffer) == buffer);
    let others = nests
        .iter()
        .enumerate()
        .filter(|(other, _)| *other != place);
    let shared = |other: &Nest| {
        let pairs = nest.loops.iter().zip(&other.loops);
        pairs.take_while(|(own, other)| own.is(other)).count()
    };
    let others = others.filter(|(_, other)| touches(other));
    match others.map(|(_, other)| shared(other)).max() {
        Some(depth) => Reuse {
            kind: 2,
            iterations: iterations(&nest.loops[depth..]),
            bytes: nest.bytes_inside(depth),
            count: 1.0,
        },
        None => Reuse::default(),
    }
}

/// What the buffers with most bytes are used for.
fn add_buffers(row: &mut Row, place: usize, nests: &[Nest]) {
    let nest = &nests[place];
    let buffers = buffers(nest);
    for number in 0..BUFFERS {
        let none = OfBuffer {
            accesses: Vec::new(),
        };
        let of = buffers.get(number).unwrap_or(&none);
        let about = ("buffer", number);
        let has = |is_store: bool| of.accesses.iter().any(|it| it.is_store == is_store);
        let use_of = match (has(false), has(true)) {
            (true, false) => Some(0),
            (false, true) => Some(1),
            (true, true) => Some(2),
            (false, false) => None,
        };
        row.add_flags(
            about,
            &["is read", "is written", "is read and written"],
            use_of,
        );
        let is_local = of.accesses.iter().any(|it| it.scope == Scope::Local);
        row.add(about, "is local", Unit::Flag, f64::from(u8::from(is_local)));
        add_traffic(row, number, of, (place, nests));
    }
}

/// What goes between a store and a buffer, and how often the same.
fn add_traffic(row: &mut Row, number: usize, of: &OfBuffer<'_>, (place, nests): (usize, &[Nest])) {
    let (about, nest) = (("buffer", number), &nests[place]);
    let runs = nest.iterations();
    let reuse = match of.accesses.is_empty() {
        true => Reuse::default(),
        false => reuse(of, place, nests),
    };
    let bytes = of.sum(|access| access.width) * runs;
    let unique = of.most(|access| access.bytes(&nest.loops));
    let innermost = nest.loops.len().saturating_sub(1);
    let lines = of.sum(|access| access.lines(&nest.loops[innermost..]))
        * iterations(&nest.loops[..innermost]);
    let unique_lines = of.most(|access| access.lines(&nest.loops));
    let again = reuse.count.max(1.0);
    let stride = of.most(|access| {
        let own = nest.loops.iter().rev().find(|it| access.depends_on(it));
        own.map_or(0.0, |it| access.stride(it))
    });
    let step = of.most(|access| nest.loops.last().map_or(0.0, |it| access.stride(it)));
    row.add(about, "bytes", Unit::Bytes, bytes);
    row.add(about, "different bytes", Unit::Bytes, unique);
    row.add(about, "lines", Unit::Count, lines);
    row.add(about, "different lines", Unit::Count, unique_lines);
    row.add_flags(
        about,
        REUSES,
        (!of.accesses.is_empty()).then_some(reuse.kind),
    );
    row.add(
        about,
        "iterations until again",
        Unit::Iterations,
        reuse.iterations,
    );
    row.add(about, "bytes until again", Unit::Bytes, reuse.bytes);
    row.add(about, "times again", Unit::Count, reuse.count);
    row.add(about, "bytes by times again", Unit::Bytes, bytes / again);
    row.add(
        about,
        "different bytes by times again",
        Unit::Bytes,
        unique / again,
    );
    row.add(about, "lines by times again", Unit::Count, lines / again);
    row.add(
        about,
        "different lines by times again",
        Unit::Count,
        unique_lines / again,
    );
    row.add(about, "stride", Unit::Elements, stride);
    row.add(about, "stride of the innermost loop", Unit::Elements, step);
    let full = (unique / (LINE * unique_lines).max(1.0)).min(1.0);
    row.add(about, "bytes used of a line", Unit::Bytes, LINE * full);
}

/// The operations for each byte that the inner loops touch, from the innermost to all of them.
fn add_intensity(row: &mut Row, nest: &Nest) {
    let depth = nest.loops.len();
    let of_element = nest.flops() / nest.iterations();
    let intensity = |loops: usize| {
        let inner = depth - loops;
        of_element * iterations(&nest.loops[inner..]) / nest.bytes_inside(inner).max(1.0)
    };
    let curve: Vec<f64> = (0..=depth).map(intensity).collect();
    for point in 0..POINTS {
        let at = point as f64 / (POINTS - 1) as f64 * depth as f64;
        let (low, high) = (at.floor() as usize, at.ceil() as usize);
        let value = curve[low] + (curve[high] - curve[low]) * at.fract();
        row.add(
            ("intensity", point),
            "operations for each byte",
            Unit::PerByte,
            value,
        );
    }
}

/// The buffer that it writes, if the kernel allocates that.
fn add_allocation(row: &mut Row, nest: &Nest) {
    let about = ("allocation", 0);
    let depth = nest.allocated_in;
    let bytes = depth.and_then(|_| nest.accesses.first());
    let bytes = bytes.map_or(0.0, Access::whole_bytes);
    let depth_or = |of: &dyn Fn(usize) -> f64| depth.map_or(0.0, of);
    row.add(about, "bytes", Unit::Bytes, bytes);
    let outer = depth_or(&|depth| iterations(&nest.loops[..depth]));
    row.add(about, "times", Unit::Count, outer);
    row.add(about, "bytes of all times", Unit::Bytes, outer * bytes);
    let inner = depth_or(&|depth| iterations(&nest.loops[depth..]));
    row.add(about, "iterations inside", Unit::Iterations, inner);
}

/// The loops around it.
fn add_loops(row: &mut Row, nest: &Nest) {
    let about = ("loops", 0);
    row.add(about, "number", Unit::Count, nest.loops.len() as f64);
    row.add(
        about,
        "product of lengths",
        Unit::Iterations,
        nest.iterations(),
    );
    let reductions: Vec<Loop> = nest
        .loops
        .iter()
        .copied()
        .filter(|it| nest.reduces(it))
        .collect();
    row.add(
        about,
        "product of reductions",
        Unit::Iterations,
        iterations(&reductions),
    );
}
