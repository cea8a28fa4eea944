//! `flatten-atrous-conv`: convolutions of space in blocks as dilated convolutions.

use crate::pattern::embedded::FLATTEN_ATROUS_CONV;
use relay_dialects::{
    ir::Op,
    ops::func,
    pass::{Options, PassResult, PassSpec},
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "flatten-atrous-conv",
    summary: "turn a convolution between space_to_batch_nd and batch_to_space_nd into a dilated one",
    description: include_str!("flatten_atrous_conv.md"),
    anchor: func::Func::NAME,
    options: &[],
    run,
};

fn run(function: Op, _options: &Options) -> PassResult {
    FLATTEN_ATROUS_CONV.apply(function)
}
