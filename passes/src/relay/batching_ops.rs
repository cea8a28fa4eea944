//! `batching-ops`: all that combines products of one tensor, one pass after the other.

use crate::graph::parallel::MIN_NUM_BRANCHES;
use relay_dialects::{
    ir::Op,
    ops::func,
    pass::{Options, PassResult, PassSpec, run_inside},
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "batching-ops",
    summary: "combine convolutions, nn.dense and nn.batch_matmul with the same data",
    description: include_str!("batching_ops.md"),
    anchor: func::Func::NAME,
    options: &[MIN_NUM_BRANCHES],
    run,
};

/// What is combined, in this order.
const PASSES: [&str; 3] = [
    "combine-parallel-conv2d",
    "combine-parallel-dense",
    "combine-parallel-batch-matmul",
];

fn run(function: Op, options: &Options) -> PassResult {
    let name = MIN_NUM_BRANCHES.name;
    let least = options.int(name);
    let passes = PASSES.map(|pass| format!("{pass}{{{name}={least}}}"));
    run_inside(function, &passes.join(","))
}
