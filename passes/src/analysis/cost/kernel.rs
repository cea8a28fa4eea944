//! AutoTVM's features: a row for a kernel, of its loops, its knobs and curves (Chen et al., NeurIPS 2018, section 4).

use super::nests::{Loop, Nest, iterations};
use relay_dialects::tir::{LoopKind, Scope};
use relay_tune::cost::{Row, features::Unit};

/// So many of the innermost loops have features.
const LOOPS: usize = 9;

/// So many numbers of a schedule are features.
const KNOBS: usize = 16;

/// The sizes of caches for which there are points of curves: 128 bytes to 16 MiB, by factors of 4.
const CACHES: std::ops::Range<usize> = 0..9;

/// The row of a kernel. `statements` are those after unrolling, and `knobs` the numbers of its schedule in their order.
pub fn row(nests: &[Nest], statements: f64, knobs: &[i64]) -> Row {
    let mut row = Row::default();
    let heaviest = nests.iter().max_by(|a, b| {
        a.flops()
            .max(a.iterations())
            .total_cmp(&b.flops().max(b.iterations()))
    });
    add_loops(&mut row, heaviest);
    add_curves(&mut row, nests, heaviest);
    add_whole(&mut row, nests, statements);
    for number in 0..KNOBS {
        let knob = knobs.get(number).copied().unwrap_or(0);
        row.add(("knob", number), "value", Unit::Count, knob as f64);
    }
    row
}

const KINDS: &[&str] = &["is serial", "is parallel", "is vectors", "is unrolled"];

/// The loops of the store with most work, from the innermost on.
fn add_loops(row: &mut Row, nest: Option<&Nest>) {
    let count = nest.map_or(0, |nest| nest.loops.len());
    for number in 0..LOOPS {
        let about = ("loop from inside", number);
        let own = nest.filter(|_| number < count);
        let own = own.map(|nest| (nest, count - 1 - number));
        let of =
            |value: &dyn Fn(&Nest, usize) -> f64| own.map_or(0.0, |(nest, at)| value(nest, at));
        row.add(
            about,
            "length",
            Unit::Iterations,
            of(&|nest, at| nest.loops[at].extent),
        );
        let kind = own.map(|(nest, at)| match nest.loops[at].kind {
            LoopKind::Parallel => 1,
            LoopKind::Vectorized => 2,
            LoopKind::Unrolled => 3,
            _ => 0,
        });
        row.add_flags(about, KINDS, kind);
        let reduces = of(&|nest, at| f64::from(u8::from(nest.reduces(&nest.loops[at]))));
        row.add(about, "reduces", Unit::Flag, reduces);
        let inner = of(&|nest, at| iterations(&nest.loops[at..]));
        row.add(about, "iterations from here on", Unit::Iterations, inner);
        let outer = of(&|nest, at| iterations(&nest.loops[..=at]));
        row.add(about, "iterations down to here", Unit::Iterations, outer);
        row.add(
            about,
            "bytes",
            Unit::Bytes,
            of(&|nest, at| nest.bytes_inside(at)),
        );
    }
}

/// What caches of some sizes would do.
fn add_curves(row: &mut Row, nests: &[Nest], heaviest: Option<&Nest>) {
    let flops: f64 = nests.iter().map(Nest::flops).sum::<f64>().max(1.0);
    for number in CACHES {
        let size = f64::from(128_u32 << (2 * number));
        let about = ("cache of 128 bytes, by 4", number);
        let missed: f64 = nests.iter().map(|nest| missed(nest, size)).sum();
        row.add(about, "bytes that go into it", Unit::Bytes, missed);
        row.add(
            about,
            "bytes for each operation",
            Unit::PerOperation,
            1024.0 * missed / flops,
        );
        let inner = heaviest.map_or(0.0, |nest| iterations(&nest.loops[fitting(nest, size)..]));
        row.add(about, "iterations that it holds", Unit::Iterations, inner);
    }
}

/// The first depth from which on all that the loops touch fits into a cache.
fn fitting(nest: &Nest, size: f64) -> usize {
    let mut depths = 0..nest.loops.len();
    depths
        .find(|depth| nest.bytes_inside(*depth) <= size)
        .unwrap_or(nest.loops.len())
}

/// The bytes that go into a cache which holds what it can for one run of the loops that fit.
///
/// What the loop around those does not choose stays.
fn missed(nest: &Nest, size: f64) -> f64 {
    let depth = fitting(nest, size);
    let (outer, inner) = nest.loops.split_at(depth);
    let of_access = |access: &super::nests::Access| {
        let stays = |it: &&Loop| !access.depends_on(it);
        let kept = outer.iter().rev().take_while(stays).count();
        access.bytes(inner) * iterations(&outer[..depth - kept])
    };
    let all = nest.accesses.iter();
    all.filter(|access| access.scope != Scope::Local)
        .map(of_access)
        .sum()
}

/// What is said of a kernel as a whole.
fn add_whole(row: &mut Row, nests: &[Nest], statements: f64) {
    let about = ("kernel", 0);
    row.add(about, "statements after unrolling", Unit::Count, statements);
    row.add(about, "stores", Unit::Count, nests.len() as f64);
    let flops: f64 = nests.iter().map(Nest::flops).sum();
    row.add(about, "operations", Unit::Count, flops);
    let stores = nests.iter().filter_map(|nest| nest.accesses.first());
    let local = stores.filter(|store| store.scope == Scope::Local);
    let most = local
        .map(super::nests::Access::whole_bytes)
        .fold(0.0, f64::max);
    row.add(
        about,
        "bytes of the largest local buffer",
        Unit::Bytes,
        most,
    );
    let parallel = |nest: &Nest| -> f64 {
        let loops = nest.loops.iter().filter(|it| it.kind == LoopKind::Parallel);
        loops.map(|it| it.extent).product()
    };
    let tasks = nests.iter().map(parallel).fold(0.0, f64::max);
    row.add(about, "parallel iterations", Unit::Iterations, tasks);
    let loads: f64 = nests
        .iter()
        .map(|nest| nest.accesses.len() as f64 * nest.iterations())
        .sum();
    row.add(about, "loads and stores", Unit::Count, loads);
}
