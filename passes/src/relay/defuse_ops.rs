//! `defuse-ops`: the operators of primitive functions back in the place of their calls.

use crate::graph::calls::{inline_all, is_primitive};
use relay_dialects::{
    ir::Op,
    ops::builtin,
    pass::{Options, PassResult, PassSpec},
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "defuse-ops",
    summary: "inline primitive functions",
    description: include_str!("defuse_ops.md"),
    anchor: builtin::Module::NAME,
    options: &[],
    run,
};

fn run(module: Op, _options: &Options) -> PassResult {
    inline_all(module, is_primitive);
    Ok(())
}
