//! `mark-compiler-functions-as-extern`: functions whose code somebody else has written.

use crate::graph::external::{TARGET, parts};
use relay_dialects::{
    attrs::{COMPOSITE, SYMBOL},
    ir::{Attr, Op},
    ops::builtin,
    pass::{Options, PassResult, PassSpec},
    tir::KernelKind,
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "mark-compiler-functions-as-extern",
    summary: "reduce functions of external code generators to declarations",
    description: include_str!("mark_compiler_functions_as_extern.md"),
    anchor: builtin::Module::NAME,
    options: &[TARGET],
    run,
};

fn run(module: Op, options: &Options) -> PassResult {
    for part in parts(module, options.str(TARGET.name)) {
        for function in part.functions() {
            let declaration = function.symbol().and_then(|name| module.lookup(&name));
            let external = declaration.filter(|op| KernelKind::External.is_of(*op));
            if let (Some(external), false) = (external, function.has_attr(COMPOSITE)) {
                let symbol = function.symbol().unwrap_or_default();
                external.set_attr(SYMBOL, Attr::str(module.ctx(), &symbol));
            }
        }
        part.erase();
    }
    Ok(())
}
