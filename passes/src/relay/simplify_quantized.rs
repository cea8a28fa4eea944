//! `simplify-quantized`: algebra on quantised numbers inside kernels.

use crate::pattern::embedded::SIMPLIFY_QUANTIZED;
use relay_dialects::{
    attrs::PRIMITIVE,
    ir::Op,
    ops::func,
    pass::{Options, PassResult, PassSpec},
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "simplify-quantized",
    summary: "omit bytes between operators of one kernel",
    description: include_str!("simplify_quantized.md"),
    anchor: func::Func::NAME,
    options: &[],
    run,
};

fn run(function: Op, _options: &Options) -> PassResult {
    if function.has_attr(PRIMITIVE) {
        SIMPLIFY_QUANTIZED.apply(function)?;
    }
    Ok(())
}
