//! `relay-inline`: the bodies of functions that ask for it, in the place of calls of them.

use crate::graph::calls::inline_all;
use relay_dialects::{
    attrs::INLINE,
    ir::Op,
    ops::builtin,
    pass::{Options, PassResult, PassSpec},
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "relay-inline",
    summary: "inline functions with relay.inline",
    description: include_str!("relay_inline.md"),
    anchor: builtin::Module::NAME,
    options: &[],
    run,
};

fn run(module: Op, _options: &Options) -> PassResult {
    inline_all(module, |function| function.has_attr(INLINE));
    Ok(())
}
