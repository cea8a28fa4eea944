//! `lower-thread-binding`: the threads of a grid, as a CPU runs them.
//!
//! ```mlir
//! tir.for %c0 to %n "thread_binding" attributes {thread = "blockIdx.x"} {
//! ^bb0(%block: index):
//!   tir.for %c0 to %m "thread_binding" attributes {thread = "threadIdx.x"} {
//!   ^bb0(%thread: index):
//!     ...
//!   }
//! }
//! ```
//! becomes
//! ```mlir
//! tir.for %c0 to %n "parallel" {
//! ^bb0(%block: index):
//!   tir.for %c0 to %m "serial" {
//!   ^bb0(%thread: index):
//!     ...
//!   }
//! }
//! ```

use relay_dialects::{
    ir::{Attr, Op},
    pass::{Options, PassResult, PassSpec},
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "lower-thread-binding",
    summary: "Run loops that are bound to a grid's threads as loops of a CPU",
    description: "A `tir.for` of kind `thread_binding` becomes `parallel` where it is bound to a \
                  block, and `serial` where it is bound to a thread of one or to a virtual thread: \
                  blocks are independent, the threads of a block are small.",
    anchor: "func.func",
    options: &[],
    run,
};

fn run(func: Op, _options: &Options) -> PassResult {
    for op in func.find_all("tir.for") {
        if op.attr("kind").and_then(Attr::as_str).as_deref() != Some("thread_binding") {
            continue;
        }
        let thread = op.attr("thread").and_then(Attr::as_str).unwrap_or_default();
        let is_block = thread.starts_with("blockIdx.");
        let kind = if is_block { "parallel" } else { "serial" };
        op.set_attr("kind", Attr::str(op.ctx(), kind));
        op.remove_attr("thread");
    }
    Ok(())
}
