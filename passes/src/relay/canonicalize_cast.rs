//! `canonicalize-cast`: a cast to a wider type for each operator that can take it into its kernel.

use crate::graph::rewrite;
use relay_dialects::{
    inferred,
    ir::{Builder, Op, Value},
    names,
    ops::func,
    pass::{Options, PassResult, PassSpec},
    relay::{Pattern, pattern},
};
use std::collections::HashSet;

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "canonicalize-cast",
    summary: "give each reader of a widening cast its own cast",
    description: include_str!("canonicalize_cast.md"),
    anchor: func::Func::NAME,
    options: &[],
    run,
};

fn run(function: Op, _options: &Options) -> PassResult {
    inferred::check(function)?;
    // The first reader keeps the cast that is there.
    let mut kept = HashSet::new();
    for reader in rewrite::operators(function) {
        if pattern(reader).is_none_or(|pattern| pattern > Pattern::Broadcast) {
            continue;
        }
        let mut own: Vec<(Op, Op)> = Vec::new();
        for (place, operand) in reader.operands().into_iter().enumerate() {
            let Some(cast) = operand.def().filter(|op| widens(*op)) else {
                continue;
            };
            let known = own.iter().find(|(old, _)| *old == cast);
            let copy = match known {
                Some((_, copy)) => *copy,
                None if kept.insert(cast) => cast,
                None => Builder::before(reader).insert(cast.clone_detached()),
            };
            own.push((cast, copy));
            reader.set_operand(place, copy.result(0));
        }
    }
    Ok(())
}

/// Whether this is a cast to a type of more bits.
fn widens(op: Op) -> bool {
    let bits = |value: Value| value.ty().element().bit_width();
    op.is(names::relay::CAST) && bits(op.operand(0)) < bits(op.result(0))
}
