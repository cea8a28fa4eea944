//! `extract-fused-functions`: each primitive function as a program of its own.

use crate::graph::calls::is_primitive;
use relay_dialects::{
    ir::{Attr, Block, Builder, Op},
    ops::{builtin, func},
    pass::{Options, PassResult, PassSpec},
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "extract-fused-functions",
    summary: "move each primitive function into its own module, and remove everything else",
    description: include_str!("extract_fused_functions.md"),
    anchor: builtin::Module::NAME,
    options: &[],
    run,
};

fn run(module: Op, _options: &Options) -> PassResult {
    let (fused, rest): (Vec<Op>, Vec<Op>) = (module.body().ops().into_iter())
        .partition(|op| op.is(func::Func::NAME) && op.block_in(0).is_some() && is_primitive(*op));
    for function in &fused {
        wrap(module, *function);
    }
    rest.into_iter().chain(fused).for_each(Op::erase);
    Ok(())
}

/// Puts a module behind all others in which a copy of a function is `@main`.
fn wrap(module: Op, function: Op) {
    let ctx = module.ctx();
    let name = function.symbol().unwrap_or_default();
    let body = Block::new(ctx, &[]);
    Builder::at_end(module.body(), function.loc(), ctx).module(Some(&name), body);
    let copy = Builder::at_end(body, function.loc(), ctx).insert(function.clone_detached());
    copy.set_attr("sym_name", Attr::str(ctx, "main"));
    copy.remove_attr("sym_visibility");
    for attr in relay_dialects::attrs::ALL {
        copy.remove_attr(attr.name);
    }
}
