//! `unroll-loop`: repeats the bodies of loops marked `unrolled`.
//!
//! ```mlir
//! tir.for %i = 0 to 2 unrolled {
//!   memref.store %v, %a[%i] : memref<2xf32>
//! }
//! ```
//! becomes
//! ```mlir
//! memref.store %v, %a[%c0] : memref<2xf32>
//! memref.store %v, %a[%c1] : memref<2xf32>
//! ```

use crate::{
    analysis::loops::{around, trips},
    copying::clone_body,
};
use relay_dialects::{
    attrs::{AUTO_UNROLL_MAX_STEP, UNROLL_EXPLICIT},
    ir::{Block, Builder, Op},
    ops::{func, memref, vector},
    pass::{Options, PassResult, PassSpec, fail},
    tir::{For, LoopKind},
};
use std::collections::HashMap;

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "unroll-loop",
    summary: "Repeat the bodies of loops marked `unrolled`, and of small ones on request",
    description: "Replaces a `tir.for` of kind `unrolled` by a copy of its body for each iteration. Its bounds must be \
                  constant. The pass also unrolls a serial loop with `tir.auto_unroll_max_step`, or inside such a \
                  loop, if it makes at most that many stores in total. If `tir.unroll_explicit` is 0, marked loops \
                  become serial, and LLVM may unroll them. This is TVM's `UnrollLoop`.",
    anchor: func::Func::NAME,
    options: &[],
    run,
};

fn run(func: Op, _options: &Options) -> PassResult {
    // Inner loops first, so that each body is copied once it is final.
    for found in For::all(func) {
        let (op, kind) = (found.op(), found.kind());
        if around(op, UNROLL_EXPLICIT) == Some(0) {
            if kind == LoopKind::Unrolled {
                found.set_kind(LoopKind::Serial);
            }
            continue;
        }
        let is_small = kind == LoopKind::Serial
            && around(op, AUTO_UNROLL_MAX_STEP)
                .is_some_and(|most| trips(found).saturating_mul(steps(found.body())) <= most);
        if kind == LoopKind::Unrolled || is_small {
            let Some((low, high)) = found.constant_bounds() else {
                return fail(op, "is unrolled, but its bounds are not constants");
            };
            let copied = ops_in(op).saturating_mul(trips(found));
            if copied > MOST_OPS {
                let reason = format!(
                    "is unrolled into {copied} ops, which would take minutes to compile and gigabytes; at most \
                     {MOST_OPS} are: split the loop, and unroll the inner part"
                );
                return fail(op, reason);
            }
            unroll(found, low, high);
        }
    }
    Ok(())
}

/// The most ops that a loop may become.
const MOST_OPS: i64 = 1 << 20;

/// The ops in a loop.
fn ops_in(op: Op) -> i64 {
    let mut count = 0;
    op.walk(|_| count += 1);
    count
}

/// The stores that one run of a block makes: what TVM's `auto_max_step` counts.
fn steps(block: Block) -> i64 {
    let of_op = |op: Op| -> i64 {
        match op.name().as_str() {
            memref::Store::NAME | vector::Store::NAME => 1,
            For::NAME => {
                let trips = For::of(op).map_or(0, trips);
                trips.saturating_mul(steps(op.body()))
            }
            _ => {
                let regions = op.regions().into_iter();
                regions
                    .filter_map(|region| region.first_block())
                    .map(steps)
                    .sum()
            }
        }
    };
    block
        .ops()
        .into_iter()
        .map(of_op)
        .fold(0, i64::saturating_add)
}

/// Replaces a loop by one copy of its body per iteration.
pub fn unroll(unrolled: For, low: i64, high: i64) {
    let op = unrolled.op();
    let b = Builder::before(op);
    for iteration in low..high {
        let mut map = HashMap::from([(unrolled.variable(), b.index(iteration))]);
        clone_body(&b, op.body(), &mut map);
    }
    op.erase();
}
