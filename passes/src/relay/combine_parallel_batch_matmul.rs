//! `combine-parallel-batch-matmul`: batches of products of one tensor as one.

use crate::graph::{
    operators::remake,
    parallel::{Combined, Combiner, MIN_NUM_BRANCHES, combine, joined::concatenate},
};
use relay_dialects::{
    ir::{Builder, Op, Value},
    names,
    ops::func,
    pass::{Options, PassResult, PassSpec},
    relay::Attrs,
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "combine-parallel-batch-matmul",
    summary: "combine nn.batch_matmul with the same first operand",
    description: include_str!("combine_parallel_batch_matmul.md"),
    anchor: func::Func::NAME,
    options: &[MIN_NUM_BRANCHES],
    run,
};

fn run(function: Op, options: &Options) -> PassResult {
    combine(function, options, &Batches)
}

/// Products whose columns are the last dimension of three.
struct Batches;

impl Combiner for Batches {
    fn takes(&self, op: Op) -> bool {
        let of_batches = |value: Value| value.ty().shape().len() == 3;
        op.is(names::relay::NN_BATCH_MATMUL)
            && of_batches(op.operand(0))
            && of_batches(op.operand(1))
            && op.operand(1).ty().is_static()
    }

    fn agree(&self, lhs: Op, rhs: Op) -> bool {
        let batches = |op: Op| op.operand(1).ty().shape()[0];
        let flag = |op: Op, name| Attrs::of(op).bool(name).unwrap_or(false);
        let alike = |name| flag(lhs, name) == flag(rhs, name);
        let element = |op: Op| op.operand(1).ty().element();
        element(lhs) == element(rhs)
            && batches(lhs) == batches(rhs)
            && alike("transpose_a")
            && alike("transpose_b")
    }

    fn product(&self, builder: &Builder, roots: &[Op]) -> Combined {
        let is_transposed = Attrs::of(roots[0]).bool("transpose_b").unwrap_or(false);
        let axis = if is_transposed { 1 } else { 2 };
        let weights: Vec<Value> = roots.iter().map(|root| root.operand(1)).collect();
        let columns = |weight: &Value| weight.ty().shape()[axis];
        let weight = concatenate(builder, &weights, axis);
        Combined {
            value: remake(builder, roots[0], &[roots[0].operand(0), weight], &[]),
            axis: 2,
            extents: weights.iter().map(columns).collect(),
        }
    }
}
