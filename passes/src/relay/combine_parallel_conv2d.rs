//! `combine-parallel-conv2d`: convolutions of one tensor as one convolution.

use crate::graph::{
    operators::{is_plain_conv2d, remake},
    parallel::{Combined, Combiner, MIN_NUM_BRANCHES, combine, joined::concatenate},
};
use relay_dialects::{
    ir::{Builder, Op, Value},
    ops::func,
    pass::{Options, PassResult, PassSpec},
    relay::Attrs,
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "combine-parallel-conv2d",
    summary: "combine convolutions with the same data",
    description: include_str!("combine_parallel_conv2d.md"),
    anchor: func::Func::NAME,
    options: &[MIN_NUM_BRANCHES],
    run,
};

fn run(function: Op, options: &Options) -> PassResult {
    combine(function, options, &Convolutions)
}

/// Convolutions of NCHW by OIHW, of which outputs are the first dimension.
struct Convolutions;

impl Combiner for Convolutions {
    fn takes(&self, op: Op) -> bool {
        is_plain_conv2d(op)
            && Attrs::of(op).int("groups").unwrap_or(1) == 1
            && op.operand(1).ty().is_static()
    }

    fn agree(&self, lhs: Op, rhs: Op) -> bool {
        let kernel = |op: Op| op.operand(1).ty().shape()[2..].to_vec();
        kernel(lhs) == kernel(rhs) && window(lhs) == window(rhs)
    }

    fn product(&self, builder: &Builder, roots: &[Op]) -> Combined {
        let weights: Vec<Value> = roots.iter().map(|root| root.operand(1)).collect();
        let outputs = |weight: &Value| weight.ty().shape()[0];
        let weight = concatenate(builder, &weights, 0);
        Combined {
            value: remake(builder, roots[0], &[roots[0].operand(0), weight], &[]),
            axis: 1,
            extents: weights.iter().map(outputs).collect(),
        }
    }

    fn repeats(&self) -> bool {
        false
    }
}

/// The strides, the padding and the dilation.
fn window(conv: Op) -> [Vec<i64>; 3] {
    let attrs = Attrs::of(conv);
    let ints = |name, default: &[i64]| attrs.ints(name).unwrap_or_else(|_| default.to_vec());
    [
        ints("strides", &[1, 1]),
        ints("padding", &[0, 0, 0, 0]),
        ints("dilation", &[1, 1]),
    ]
}
