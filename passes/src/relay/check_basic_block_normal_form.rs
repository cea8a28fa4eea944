//! `check-basic-block-normal-form`: whether values are computed in the scopes that use them.

use crate::graph::placement::{blocks, misplaced};
use relay_dialects::{
    ir::Op,
    ops::builtin,
    pass::{Options, PassFailed, PassResult, PassSpec},
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "check-basic-block-normal-form",
    summary: "report values that only one branch uses, but that are computed outside of it",
    description: include_str!("check_basic_block_normal_form.md"),
    anchor: builtin::Module::NAME,
    options: &[],
    run,
};

fn run(module: Op, _options: &Options) -> PassResult {
    let mut is_normal = true;
    for block in blocks(module) {
        for (op, user) in misplaced(block) {
            let note = (user.loc(), "the first use is here, in a branch".to_owned());
            op.emit_error_with_notes(
                "is not in basic block normal form: only one branch uses it",
                &[note],
            );
            is_normal = false;
        }
    }
    match is_normal {
        true => Ok(()),
        false => Err(PassFailed),
    }
}
