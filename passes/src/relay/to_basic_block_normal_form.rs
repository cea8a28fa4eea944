//! `to-basic-block-normal-form`: values in the scopes that use them.

use crate::graph::placement;
use relay_dialects::{
    ir::Op,
    ops::builtin,
    pass::{Options, PassResult, PassSpec},
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "to-basic-block-normal-form",
    summary: "move values into the innermost branch or arm around their uses",
    description: include_str!("to_basic_block_normal_form.md"),
    anchor: builtin::Module::NAME,
    options: &[],
    run,
};

fn run(module: Op, _options: &Options) -> PassResult {
    placement::sink(module);
    Ok(())
}
