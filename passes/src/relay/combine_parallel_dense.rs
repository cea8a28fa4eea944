//! `combine-parallel-dense`: products of one matrix as one product, or as one batch of products.

use crate::graph::{
    operators::remake,
    parallel::{
        Combined, Combiner, MIN_NUM_BRANCHES, batched::Batch, combine, joined::concatenate,
    },
};
use relay_dialects::{
    ir::{Builder, Op, Value},
    names,
    ops::func,
    pass::{Default, OptionSpec, Options, PassResult, PassSpec},
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "combine-parallel-dense",
    summary: "combine nn.dense with the same data",
    description: include_str!("combine_parallel_dense.md"),
    anchor: func::Func::NAME,
    options: &[
        MIN_NUM_BRANCHES,
        OptionSpec {
            name: "to-batch",
            summary: "combine equal shapes into an nn.batch_matmul, not into an nn.dense of all units",
            default: Default::Bool(true),
        },
    ],
    run,
};

fn run(function: Op, options: &Options) -> PassResult {
    if options.bool("to-batch") {
        combine(function, options, &Batch::of_dense())
    } else {
        combine(function, options, &Units)
    }
}

/// Whether this is an `nn.dense` whose weight's shape is known.
fn is_dense(op: Op) -> bool {
    op.is(names::relay::NN_DENSE) && op.operand(1).ty().is_static()
}

/// All units in one `nn.dense`.
struct Units;

impl Combiner for Units {
    fn takes(&self, op: Op) -> bool {
        is_dense(op)
    }

    fn agree(&self, lhs: Op, rhs: Op) -> bool {
        // They read the same data, and so have the same number of inputs. A weight may be of a narrower float.
        let element = |op: Op| op.operand(1).ty().element();
        element(lhs) == element(rhs)
    }

    fn product(&self, builder: &Builder, roots: &[Op]) -> Combined {
        let weights: Vec<Value> = roots.iter().map(|root| root.operand(1)).collect();
        let units = |weight: &Value| weight.ty().shape()[0];
        let weight = concatenate(builder, &weights, 0);
        Combined {
            value: remake(builder, roots[0], &[roots[0].operand(0), weight], &[]),
            axis: 1,
            extents: weights.iter().map(units).collect(),
        }
    }
}
