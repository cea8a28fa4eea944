//! `to-a-normal-form`: one place and one order for the values of a program.

use crate::graph::placement;
use relay_dialects::{
    ir::Op,
    ops::builtin,
    pass::{Options, PassResult, PassSpec},
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "to-a-normal-form",
    summary: "move values into the innermost scope around their uses, in the order of their uses",
    description: include_str!("to_a_normal_form.md"),
    anchor: builtin::Module::NAME,
    options: &[],
    run,
};

fn run(module: Op, _options: &Options) -> PassResult {
    placement::sink(module);
    placement::order(module);
    Ok(())
}
