//! `all-dtypes`: which element types a module computes with.

use crate::analysis::dtypes::dtypes;
use relay_dialects::{
    inferred,
    ir::Op,
    ops::builtin,
    pass::{Options, PassResult, PassSpec},
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "all-dtypes",
    summary: "print on stderr the element types that functions compute with",
    description: include_str!("all_dtypes.md"),
    anchor: builtin::Module::NAME,
    options: &[],
    run,
};

fn run(module: Op, _options: &Options) -> PassResult {
    inferred::check(module)?;
    for function in module.functions() {
        let found: Vec<String> = dtypes(function).into_iter().collect();
        let name = function.symbol().unwrap_or_default();
        eprintln!("@{name}: {}", found.join(", "));
    }
    Ok(())
}
