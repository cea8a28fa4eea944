//! `sink-transposes`: moves transposes behind operators that work in any order of dimensions, if fewer elements are transposed then.

mod chains;

use super::convert_layout::{Moved, follow, transpose_axes};
use crate::graph::rewrite;
use chains::Chains;
use relay_dialects::{
    inferred,
    ir::Op,
    names,
    ops::func,
    pass::{Options, PassResult, PassSpec},
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "sink-transposes",
    summary: "move transposes behind operators of any order of dimensions, where they cancel",
    description: include_str!("sink_transposes.md"),
    anchor: func::Func::NAME,
    options: &[],
    run,
};

fn run(function: Op, _options: &Options) -> PassResult {
    inferred::check(function)?;
    let chains = Chains::of(function);
    let mut moved = Moved::default();
    let mut ops = Vec::new();
    function.walk(|op| ops.push(op));
    for op in ops {
        if let Some(layouts) = chains.source(op) {
            moved.insert(op.result(0), op.operand(0), layouts.clone());
        } else if chains.moves(op) {
            follow(&mut moved, op);
        } else if op.is(names::relay::TRANSPOSE) {
            join(&mut moved, op);
        }
    }
    rewrite::erase_dead(function);
    Ok(())
}

/// Replaces a transpose whose operand exists in another order, too: by that value if it has the wanted order, else by a transpose of it.
fn join(moved: &mut Moved, op: Op) {
    let Some(layouts) = moved.first(op) else {
        return;
    };
    match layouts.places(&transpose_axes(op)) {
        Some(axes) if axes.is_sorted() => op.replace_with(&[moved.known(op.operand(0))]),
        Some(_) => follow(moved, op),
        None => {}
    }
}
