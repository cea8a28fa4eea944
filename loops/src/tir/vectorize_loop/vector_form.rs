//! Which loop bodies `vectorize-loop` can write for all lanes at once.

use super::{
    horizontal::Reduction,
    mask::{self, Prefix},
};
use crate::analysis::linear::linear;
use relay_dialects::{
    index,
    ir::{Block, Op, Region, Value},
    names::tir,
    ops::{arith, math, memref, scf},
    tir::For,
};

/// Whether every op of a block can be written for all lanes at once.
pub fn has_vector_form(block: Block, lane: Value, lanes: i64) -> bool {
    has_form(block, lane, lanes, false)
}

/// With `masked`, for some of the lanes.
fn has_form(block: Block, lane: Value, lanes: i64, masked: bool) -> bool {
    block.ops().into_iter().all(|op| match op.name().as_str() {
        memref::Load::NAME => !masked || loads_contiguously(op, lane),
        memref::Store::NAME => {
            stores_contiguously(op, lane) && !(masked && op.operand(0).ty().is_bool())
                || reduction(op, lane, lanes).is_some()
        }
        scf::If::NAME if depends_on_lane(op.operand(0), lane) => {
            let branches = op
                .regions()
                .into_iter()
                .filter_map(|region| region.first_block());
            (prefix(op, lane).is_some() || choice(op, lane).is_some()) && { branches }
                .all(|block| has_form(block, lane, lanes, true))
        }
        scf::If::NAME => op
            .regions()
            .iter()
            .filter_map(|region| region.first_block())
            .all(|block| has_form(block, lane, lanes, masked)),
        For::NAME => {
            !op.operands()
                .iter()
                .any(|bound| depends_on_lane(*bound, lane))
                && has_form(op.body(), lane, lanes, masked)
        }
        scf::Yield::NAME => true,
        name if masked && mask::may_trap(op) => {
            let operands = op.operands();
            !operands.iter().any(|value| depends_on_lane(*value, lane)) && is_elementwise(name)
        }
        name => is_elementwise(name),
    })
}

/// Whether an op of this name computes each lane of vectors as it does numbers.
fn is_elementwise(name: &str) -> bool {
    name.starts_with(arith::PREFIX) || name.starts_with(math::PREFIX) || name == tir::DOT_BYTES
}

/// The condition of an `scf.if` that holds for the first of a loop's lanes.
pub fn prefix(op: Op, lane: Value) -> Option<Prefix> {
    Prefix::of(op, lane, |value| !depends_on_lane(value, lane))
}

/// The condition of an `scf.if` that chooses values for the first of a loop's lanes, and others for the rest.
pub fn choice(op: Op, lane: Value) -> Option<Prefix> {
    Prefix::choosing(op, lane, |value| !depends_on_lane(value, lane))
}

/// Whether a block reads an element that is the same in all lanes, at a place that is computed.
pub fn reads_one_element(block: Block, lane: Value) -> bool {
    let is_computed = |at: &Value| index::constant(*at).is_none();
    mask::loads(block).into_iter().any(|load| {
        let at = &load.operands()[1..];
        at.iter().any(is_computed) && !at.iter().any(|at| depends_on_lane(*at, lane))
    })
}

/// Through loads, too: what is read at the lane's subscript differs between lanes. So does what a branch yields that reads there.
pub fn depends_on_lane(value: Value, lane: Value) -> bool {
    let reads_lane = |op: Op| op.regions().iter().any(|region| holds_lane(*region, lane));
    index::any_part(value, |part| {
        part == lane || part.def().is_some_and(reads_lane)
    })
}

fn holds_lane(region: Region, lane: Value) -> bool {
    let ops = region.blocks().into_iter().flat_map(Block::ops);
    let mut operands = ops.flat_map(Op::operands);
    operands.any(|operand| depends_on_lane(operand, lane))
}

/// Whether a load reads the same for all lanes, or what lies together.
fn loads_contiguously(op: Op, lane: Value) -> bool {
    let subscripts = &op.operands()[1..];
    let is_same = |value: &Value| !depends_on_lane(*value, lane);
    subscripts.iter().all(is_same)
        || (!op.result(0).ty().is_bool() && lies_together(subscripts, lane))
}

fn stores_contiguously(op: Op, lane: Value) -> bool {
    lies_together(&op.operands()[2..], lane)
}

/// Whether the last subscript grows by one from lane to lane, and no other differs.
fn lies_together(subscripts: &[Value], lane: Value) -> bool {
    let Some((last, outer)) = subscripts.split_last() else {
        return false;
    };
    !outer
        .iter()
        .any(|subscript| depends_on_lane(*subscript, lane))
        && step(*last, lane) == Some(1)
}

/// The reduction that a store to an element that all lanes share is the end of.
pub fn reduction(store: Op, lane: Value, lanes: i64) -> Option<Reduction> {
    Reduction::of(store, lanes, |subscript| !depends_on_lane(subscript, lane))
}

/// By how much an index grows from lane to lane, if always by the same.
pub fn step(index: Value, lane: Value) -> Option<i64> {
    let form = linear(index);
    let mut terms = form.terms.iter();
    terms
        .all(|(term, _)| *term == lane || !depends_on_lane(*term, lane))
        .then(|| form.coefficient(lane))
}
