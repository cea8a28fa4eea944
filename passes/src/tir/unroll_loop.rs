//! `unroll-loop`: repeats the bodies of loops marked `unrolled`.
//!
//! ```mlir
//! tir.for %c0 to %c2 "unrolled" {
//! ^bb0(%i: index):
//!   memref.store %v, %a[%i] : memref<2xf32>
//! }
//! ```
//! becomes
//! ```mlir
//! memref.store %v, %a[%c0] : memref<2xf32>
//! memref.store %v, %a[%c1] : memref<2xf32>
//! ```

use crate::analysis::linear::loop_bounds;
use relay_dialects::{
    ir::{Attr, Block, Builder, Op, Value},
    pass::{Options, PassResult, PassSpec, fail},
};
use std::collections::HashMap;

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "unroll-loop",
    summary: "Repeat the bodies of loops marked \"unrolled\"",
    description: "A `tir.for` of kind `unrolled` is replaced by as many copies of its body as it \
                  has iterations. Its bounds must be constants. This is TVM's `UnrollLoop` for \
                  loops that a schedule marked.",
    anchor: "func.func",
    options: &[],
    run,
};

fn run(func: Op, _options: &Options) -> PassResult {
    // Inner loops first, so that each body is copied once it is final.
    for op in func.find_all("tir.for") {
        if op.attr("kind").and_then(Attr::as_str).as_deref() == Some("unrolled") {
            let Some((low, high)) = loop_bounds(op) else {
                return fail(op, "is unrolled, but its bounds are not constants");
            };
            unroll(op, low, high);
        }
    }
    Ok(())
}

/// Replaces a loop by one copy of its body per iteration.
pub fn unroll(op: Op, low: i64, high: i64) {
    let b = Builder::before(op);
    for iteration in low..high {
        let mut map = HashMap::from([(op.body().arg(0), b.index(iteration))]);
        clone_body(&b, op.body(), &mut map);
    }
    op.erase();
}

/// Copies all ops of a block but `scf.yield`, with operands replaced as `map` says.
pub fn clone_body(b: &Builder, block: Block, map: &mut HashMap<Value, Value>) {
    for op in block.ops() {
        let copy = b.insert(op.clone_detached());
        remap(copy, map);
        map.extend(op.results().into_iter().zip(copy.results()));
    }
}

/// Replaces operands inside `op`, at any depth.
fn remap(op: Op, map: &HashMap<Value, Value>) {
    op.walk(|inner| {
        for (index, operand) in inner.operands().into_iter().enumerate() {
            if let Some(value) = map.get(&operand) {
                inner.set_operand(index, *value);
            }
        }
    });
}
