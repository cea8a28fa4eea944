//! `detect-feature`: which parts of the language a module uses.

use crate::analysis::features::features;
use relay_dialects::{
    ir::Op,
    ops::builtin,
    pass::{Options, PassResult, PassSpec},
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "detect-feature",
    summary: "print on stderr the language features of a module",
    description: include_str!("detect_feature.md"),
    anchor: builtin::Module::NAME,
    options: &[],
    run,
};

fn run(module: Op, _options: &Options) -> PassResult {
    for feature in features(module) {
        eprintln!("{feature}");
    }
    Ok(())
}
