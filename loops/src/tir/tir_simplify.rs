//! `tir-simplify`: index arithmetic by what is known of it.
//!
//! ```mlir
//! tir.for %i = 0 to 4 {
//!   %a = arith.muli %i, %c8 : index
//!   %b = arith.addi %a, %c3 : index
//!   %c = arith.divsi %b, %c8 : index
//!   %d = arith.minsi %c, %c5 : index
//!   "use"(%d) : (index) -> ()
//! }
//! ```
//! becomes
//! ```mlir
//! tir.for %i = 0 to 4 {
//!   "use"(%i) : (index) -> ()
//! }
//! ```

use super::loop_partition::fold_conditions;
use crate::analysis::analyzer::Analyzer;
use relay_dialects::{
    ir::{Block, Builder, Op},
    ops::{arith, func},
    pass::{Options, PassResult, PassSpec},
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "tir-simplify",
    summary: "Simplify index arithmetic by bounds, remainders and linear forms",
    description: "Simplifies quotients, remainders, minima, maxima, comparisons and selections of index values, by the \
                  bounds of the outer loops, remainders and linear forms. It also replaces an `scf.if` with a known \
                  condition, and removes unused ops. This is TVM's `Simplify`; upstream's `canonicalize` does not know \
                  the bounds of `tir.for`.",
    anchor: func::Func::NAME,
    options: &[],
    run,
};

fn run(func: Op, _options: &Options) -> PassResult {
    simplify(func.body());
    fold_conditions(func.body());
    remove_unused(func.body());
    Ok(())
}

fn simplify(block: Block) {
    for op in block.ops() {
        for inner in op
            .regions()
            .iter()
            .filter_map(|region| region.first_block())
        {
            simplify(inner);
        }
        if !op.name().starts_with(arith::PREFIX) || op.result_count() != 1 {
            continue;
        }
        if let Some(value) = Analyzer.simplify(&Builder::before(op), op) {
            op.replace_with(&[value]);
        }
    }
}

/// Erases arithmetic that nothing uses, users before what they use.
fn remove_unused(block: Block) {
    for op in block.ops().into_iter().rev() {
        for inner in op
            .regions()
            .iter()
            .filter_map(|region| region.first_block())
        {
            remove_unused(inner);
        }
        if op.name().starts_with(arith::PREFIX) && !op.is_used() {
            op.erase();
        }
    }
}
