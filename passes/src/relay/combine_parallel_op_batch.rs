//! `combine-parallel-op-batch`: operators on one tensor as one operator on a batch.

use crate::graph::parallel::{MIN_NUM_BRANCHES, batched::Batch, combine};
use relay_dialects::{
    ir::Op,
    ops::func,
    pass::{Default, OptionSpec, Options, PassResult, PassSpec, fail},
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "combine-parallel-op-batch",
    summary: "combine operators with the same first operand into one on a batch",
    description: include_str!("combine_parallel_op_batch.md"),
    anchor: func::Func::NAME,
    options: &[
        OptionSpec {
            name: "op-name",
            summary: "the operator to combine: nn.dense, nn.matmul, or an elementwise operator",
            default: Default::Str("nn.dense"),
        },
        OptionSpec {
            name: "batch-op-name",
            summary: "the operator on a batch",
            default: Default::Str("nn.batch_matmul"),
        },
        MIN_NUM_BRANCHES,
    ],
    run,
};

fn run(function: Op, options: &Options) -> PassResult {
    match Batch::of(options.str("op-name"), options.str("batch-op-name")) {
        Ok(batch) => combine(function, options, &batch),
        Err(reason) => fail(function, reason),
    }
}
