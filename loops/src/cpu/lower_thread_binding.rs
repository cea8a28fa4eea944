//! `lower-thread-binding`: the threads of a grid, as a CPU runs them.
//!
//! ```mlir
//! tir.for %block = 0 to %n thread_binding blockIdx.x {
//!   tir.for %thread = 0 to %m thread_binding threadIdx.x {
//!     ...
//!   }
//! }
//! ```
//! becomes
//! ```mlir
//! tir.for %block = 0 to %n parallel {
//!   tir.for %thread = 0 to %m {
//!     ...
//!   }
//! }
//! ```

use relay_dialects::{
    ir::Op,
    ops::func,
    pass::{Options, PassResult, PassSpec},
    tir::{For, LoopKind},
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "lower-thread-binding",
    summary: "Turn loops over a grid's threads into CPU loops",
    description: "A `tir.for` of kind `thread_binding` becomes `parallel` if it is bound to a block, and `serial` if \
                  it is bound to a thread of a block or to a virtual thread. Blocks are independent, and the threads \
                  of a block are small.",
    anchor: func::Func::NAME,
    options: &[],
    run,
};

fn run(func: Op, _options: &Options) -> PassResult {
    for bound in For::all(func) {
        let Some(thread) = bound.thread() else {
            continue;
        };
        bound.set_kind(if thread.is_block() {
            LoopKind::Parallel
        } else {
            LoopKind::Serial
        });
    }
    Ok(())
}
