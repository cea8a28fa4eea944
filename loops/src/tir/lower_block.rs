//! `lower-block`: blocks as what they compute.
//!
//! ```mlir
//! tir.block "sum" (%vk = %k reduce) {
//!   "add"(%vk) : (index) -> ()
//! } init {
//!   "clear"() : () -> ()
//! }
//! ```
//! becomes
//! ```mlir
//! %first = arith.cmpi eq, %k, %c0 : index
//! scf.if %first {
//!   "clear"() : () -> ()
//! }
//! "add"(%k) : (index) -> ()
//! ```

use crate::copying::clone_body;
use relay_dialects::{
    index::{self, Predicate},
    ir::{self, Builder, Op, Value},
    ops::{arith, func},
    pass::{Options, PassResult, PassSpec},
    tir::{Block, IterType, if_holds},
};
use std::collections::HashMap;

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "lower-block",
    summary: "Replace blocks by their bodies",
    description: "Replaces a `tir.block` by its body, and its iteration variables by their bindings. The `init` runs \
                  before the body, if all reduce variables are 0. The condition of `tir.where` guards both. \
                  `tir.reads` and `tir.writes` disappear. TVM's `LowerInitBlock`, `ConvertBlocksToOpaque` and \
                  `LowerOpaqueBlock` together do the same.",
    anchor: func::Func::NAME,
    options: &[],
    run,
};

fn run(func: Op, _options: &Options) -> PassResult {
    // Inner blocks first, so that each body is copied once it is final.
    for block in Block::all(func) {
        let b = inside(&Builder::before(block.op()), block.condition());
        block.declarations().into_iter().for_each(Op::erase);
        if let Some(init) = block.init() {
            initialize(&b, block, init);
        }
        write(&b, block, block.body());
        block.op().erase();
    }
    Ok(())
}

/// Where a condition, if there is one, holds.
fn inside(b: &Builder, condition: Option<Value>) -> Builder {
    condition.map_or(*b, |condition| if_holds(b, condition))
}

/// Writes `init` for the first point of the reduction.
fn initialize(b: &Builder, block: Block, init: ir::Block) {
    let bindings = block.bindings().into_iter();
    let reduce = bindings.filter(|(_, ty)| *ty == IterType::Reduce);
    let is_first = reduce
        // The variable of an axis of one element is 0.
        .filter(|(value, _)| index::constant(*value) != Some(0))
        .map(|(value, _)| index::compare(b, Predicate::Eq, value, b.index(0)))
        .reduce(|all, next| arith::AndI::build(b, all, next));
    write(&inside(b, is_first), block, init);
}

/// Copies one of the block's regions, at its bindings.
fn write(b: &Builder, block: Block, region: ir::Block) {
    let bindings = region.args().into_iter().zip(block.op().operands());
    let mut map: HashMap<Value, Value> = bindings.collect();
    clone_body(b, region, &mut map);
}
