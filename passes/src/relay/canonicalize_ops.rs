//! `canonicalize-ops`: operators that are others in disguise.

pub(super) mod transposed_conv;

use crate::{graph::rewrite, pattern::embedded::CANONICALIZE_OPS};
use relay_dialects::{
    ir::Op,
    ops::func,
    pass::{Options, PassResult, PassSpec},
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "canonicalize-ops",
    summary: "write bias_add as an addition, transposed convolutions as convolutions",
    description: include_str!("canonicalize_ops.md"),
    anchor: func::Func::NAME,
    options: &[],
    run,
};

fn run(function: Op, _options: &Options) -> PassResult {
    CANONICALIZE_OPS.apply(function)?;
    rewrite::apply(function, &[transposed_conv::as_convolution])
}
