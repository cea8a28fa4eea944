//! `canonicalize-ops`: operators that are others in disguise.

mod transposed_conv;

use crate::graph::{operators::make, rewrite, shapes::expand_to_axis};
use relay_dialects::{
    ir::{Builder, Op, Value},
    names,
    pass::{Options, PassResult, PassSpec},
    relay::{Attrs, relation::normalize_axis},
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "canonicalize-ops",
    summary: "write bias_add as an addition, transposed convolutions as convolutions",
    description: include_str!("canonicalize_ops.md"),
    anchor: "func.func",
    options: &[],
    run,
};

fn run(function: Op, _options: &Options) -> PassResult {
    rewrite::apply(function, &[bias_add, transposed_conv::as_convolution])
}

fn bias_add(op: Op) -> Option<Vec<Value>> {
    if !op.is(names::relay::NN_BIAS_ADD) {
        return None;
    }
    let (data, bias) = (op.operand(0), op.operand(1));
    let rank = data.ty().shape().len();
    let axis = normalize_axis(Attrs::of(op).int("axis").unwrap_or(1), rank).ok()?;
    let builder = Builder::before(op);
    let bias = expand_to_axis(&builder, bias, rank, axis);
    Some(vec![make(&builder, names::relay::ADD, &[data, bias], &[])])
}
