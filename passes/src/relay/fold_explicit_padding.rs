//! `fold-explicit-padding`: padding before a window becomes padding of the window.

use crate::pattern::embedded::FOLD_EXPLICIT_PADDING;
use relay_dialects::{
    ir::Op,
    ops::func,
    pass::{Options, PassResult, PassSpec},
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "fold-explicit-padding",
    summary: "fold nn.pad into convolutions and pools",
    description: include_str!("fold_explicit_padding.md"),
    anchor: func::Func::NAME,
    options: &[],
    run,
};

fn run(function: Op, _options: &Options) -> PassResult {
    FOLD_EXPLICIT_PADDING.apply(function)
}
