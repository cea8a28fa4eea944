//! `prefetch-streams`: what a tile reads soon is on its way to the first cache.
//!
//! A tile in registers reads vectors of one operand, one after another, and numbers of the other, of
//! as many lines as it has columns. Both come from the second cache. The processor sees that by itself as far
//! as its window of instructions reaches, which is enough while a core is ours alone; where another
//! program has the core's second thread, the window is half as long, and so the loop asks for
//! what it reads soon:
//!
//! ```mlir
//! tir.for %i = 0 to %blocks {       // asks for A[%i + 1, 0..14, 0]: a line for each column
//!   tir.for %k = 0 to 16 {          // asks for W[%i + 1, %k, :]: a vector that is read 16 steps later
//!     %w = vector.load %W[%i, %k, %c0]
//!     %a = memref.load %A[%i, %c0, %k] ... memref.load %A[%i, %c13, %k]
//! ```
//! `prefetch-panels` does the same for what comes from further away and is read much later.

use super::prefetch::{Near, element, extent, prefetch};
use crate::analysis::{
    is_inside,
    linear::{Linear, materialize},
};
use relay_dialects::{
    index,
    ir::{Builder, Op, Value},
    pass::{Options, PassResult, PassSpec},
    tir::{AllocBuffer, For},
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "prefetch-streams",
    summary: "Fetch what a tile in registers reads next into the first cache",
    description: "In an innermost loop that adds up vectors in a buffer of its own, `memref.prefetch` fetches \
                  what loads of vectors that follow one another read 1 KiB later. The loop around it \
                  fetches the lines of which the innermost loop reads number after number, for its next \
                  iteration. Streams of a few KiB, which stay in the first cache, are left alone.",
    anchor: "func.func",
    options: &[],
    run,
};

/// How far ahead vectors are asked for: the time of some hundred multiply-adds, several times that of an
/// answer of the second cache. Between 512 bytes and 4 KiB no difference was measured.
const AHEAD_BYTES: i64 = 1 << 10;

/// Streams of fewer bytes stay in the first cache.
const LEAST_BYTES: i64 = 8 << 10;

/// The bytes of a line of the caches.
const LINE_BYTES: i64 = 64;

/// Loops that add up fewer vectors wait for memory or for each other, whatever is asked for.
const LEAST_SUMS: usize = 8;

/// Where two iterations of the outer loop read lines this close, most of the next ones are there already.
const FAR_BYTES: i64 = 16 * LINE_BYTES;

fn run(func: Op, _options: &Options) -> PassResult {
    for innermost in For::all(func) {
        if For::all(innermost.op()).is_empty() && sums(innermost.op()) >= LEAST_SUMS {
            fetch_vectors(innermost);
            fetch_lines(innermost);
        }
    }
    Ok(())
}

/// How many vectors a loop writes to a buffer of the thread's own.
fn sums(innermost: Op) -> usize {
    let stores = innermost.find_all("vector.store").into_iter();
    stores.filter(|store| is_local(store.operand(1))).count()
}

fn is_local(buffer: Value) -> bool {
    AllocBuffer::making(buffer).is_some()
}

/// Asks for vectors that follow one another.
fn fetch_vectors(innermost: For) {
    let variable = innermost.variable();
    let mut known = Known::default();
    for load in innermost.op().find_all("vector.load") {
        let Some(mut place) = place(load) else {
            continue;
        };
        let ty = load.result(0).ty();
        let (lanes, bytes) = (ty.count(), ty.count() * ty.element().byte_width() as i64);
        let is_stream = place.coefficient(variable) == lanes && bytes == LINE_BYTES;
        if is_stream && bytes * length(load, &place) >= LEAST_BYTES && known.is_new(load, &place) {
            place.constant += AHEAD_BYTES / bytes * lanes;
            ask(&Builder::before(load), load, &place);
        }
    }
}

/// How many vectors the loops around a load read one after another.
fn length(load: Op, place: &Linear) -> i64 {
    let lanes = load.result(0).ty().count();
    let mut count = 1;
    for op in For::around(load) {
        if place.coefficient(op.variable()) != lanes * count {
            break;
        }
        count *= extent(op);
    }
    count
}

/// Asks for the lines of which the innermost loop reads number after number, for the next iteration of the
/// loop around it.
fn fetch_lines(innermost: For) {
    let Some(outer) = innermost.op().parent().and_then(For::of) else {
        return;
    };
    let (variable, next) = (innermost.variable(), outer.variable());
    let mut known = Known::default();
    for load in innermost.op().find_all("memref.load") {
        let Some(mut place) = place(load) else {
            continue;
        };
        let bytes = load.result(0).ty().byte_width() as i64;
        let step = place.coefficient(next);
        let is_line = place.coefficient(variable) == 1 && extent(innermost) * bytes == LINE_BYTES;
        place.terms.retain(|(term, _)| *term != variable);
        let is_plain = place.terms.iter().all(|(term, _)| {
            *term == next || !index::depends_on(*term, next) && !is_inside(*term, innermost.op())
        });
        if is_line && is_plain && step * bytes >= FAR_BYTES && known.is_new(load, &place) {
            place.constant += step;
            ask(&Builder::before(innermost.op()), load, &place);
        }
    }
}

/// The number of the element that a load reads, if its buffer is not in registers.
fn place(load: Op) -> Option<Linear> {
    (!is_local(load.operand(0))).then(|| element(load))?
}

/// Asks for the line of an element of the buffer that a load reads.
fn ask(b: &Builder, load: Op, place: &Linear) {
    let element = materialize(b, place);
    prefetch(b, load.operand(0), element, Near::First);
}

/// The places that were asked for.
#[derive(Default)]
struct Known(Vec<(Value, Linear)>);

impl Known {
    /// Whether a load's place is not known yet, which it is then.
    fn is_new(&mut self, load: Op, place: &Linear) -> bool {
        let buffer = load.operand(0);
        let same = |(other, at): &(Value, Linear)| {
            *other == buffer && at.clone().minus(place) == Linear::default()
        };
        let is_new = !self.0.iter().any(same);
        if is_new {
            self.0.push((buffer, place.clone()));
        }
        is_new
    }
}
