//! Ends of rows that do not fill a vector: what `vectorize-loop` makes of a condition that holds for the
//! first lanes and not for those behind them.

use crate::analysis::{
    condition::known,
    linear::{interval, linear},
};
use relay_dialects::{
    index::{Predicate, compare, constant, sub},
    ir::{Block, Builder, Op, Type, Value},
    ops::{arith, memref, vector},
    tir::{AllocBuffer, For, LoopKind},
};

/// A condition of an `scf.if` that holds for lanes while `index` is less than `limit`, `index` growing by
/// one from lane to lane.
#[derive(Clone, Copy)]
pub struct Prefix {
    index: Value,
    limit: Value,
}

impl Prefix {
    /// That of an `scf.if` without results and without an else, if its condition is of this kind in a
    /// loop over `lane`; `is_same` tells whether a value is the same in all lanes.
    pub fn of(op: Op, lane: Value, is_same: impl Fn(Value) -> bool) -> Option<Self> {
        let is_plain = op.result_count() == 0 && op.block_in(1).is_none();
        is_plain.then(|| Self::of_condition(op, lane, is_same))?
    }

    /// That of an `scf.if` which chooses values: its else has some for the other lanes, and reads nothing.
    pub fn choosing(op: Op, lane: Value, is_same: impl Fn(Value) -> bool) -> Option<Self> {
        let otherwise = op.block_in(1).filter(|_| op.result_count() > 0)?;
        let reads_nothing = loads(otherwise).is_empty();
        reads_nothing.then(|| Self::of_condition(op, lane, is_same))?
    }

    fn of_condition(op: Op, lane: Value, is_same: impl Fn(Value) -> bool) -> Option<Self> {
        let condition = op.operand(0).def_of(arith::CmpI::NAME)?;
        let (index, limit) = (condition.operand(0), condition.operand(1));
        let is_less = arith::CmpI::of(condition).is_some_and(|op| op.predicate() == Predicate::Slt);
        if !is_less || !index.ty().is_index() || !is_same(limit) {
            return None;
        }
        let form = linear(index);
        let others = form.terms.iter().filter(|(term, _)| *term != lane);
        let steps = form.coefficient(lane) == 1 && { others }.all(|(term, _)| is_same(*term));
        steps.then_some(Self { index, limit })
    }

    /// Whether it holds in the first lane, for which `first` has the values, if that is not known; and the
    /// mask of the `lanes` in which it does.
    pub fn write(
        self,
        b: &Builder,
        lanes: i64,
        first: impl Fn(Value) -> Value,
    ) -> (Option<Value>, Value) {
        let (index, limit) = (first(self.index), first(self.limit));
        let holds = compare(b, Predicate::Slt, index, limit);
        let ty = Type::vector(&[lanes], Type::int(b.ctx, 1));
        let mask = vector::CreateMask::build(b, ty, &[sub(b, limit, index)]);
        ((known(holds) != Some(true)).then_some(holds), mask)
    }
}

/// The loads in a block, at any depth.
pub fn loads(block: Block) -> Vec<Op> {
    let mut found = Vec::new();
    for op in block.ops() {
        op.walk(|op| found.extend(op.is(memref::Load::NAME).then_some(op)));
    }
    found
}

/// The lanes of a vector of `ty` that a mask has of what the `memref.load` `op` loads lane by lane, from
/// `operands`, which are those of the first lane.
pub fn load(b: &Builder, op: Op, operands: &[Value], mask: Value, ty: Type) -> Value {
    if is_own(op, op.operand(0), &op.operands()[1..]) {
        return vector::Load::build(b, ty, operands[0], &operands[1..]);
    }
    let nothing = b.constant(ty, 0.0);
    vector::MaskedLoad::build(b, ty, operands[0], &operands[1..], mask, nothing)
}

/// The `memref.store` `op` of the lanes that a mask has; `operands` are those of the first lane.
pub fn store(b: &Builder, op: Op, operands: &[Value], mask: Value) {
    let (value, buffer, at) = (operands[0], operands[1], &operands[2..]);
    if is_own(op, op.operand(1), &op.operands()[2..]) {
        // As a whole vector, which can be in a register.
        let old = vector::Load::build(b, value.ty(), buffer, at);
        let value = b.select(mask, value, old);
        vector::Store::build(b, value, buffer, at);
        return;
    }
    vector::MaskedStore::build(b, buffer, at, mask, value);
}

/// Whether nobody else accesses the buffer while `op` does, and it has elements for all lanes.
fn is_own(op: Op, buffer: Value, subscripts: &[Value]) -> bool {
    let Some(alloc) = AllocBuffer::making(buffer) else {
        return false;
    };
    let (Some(last), Some(extent)) = (subscripts.last(), buffer.ty().shape().last().copied())
    else {
        return false;
    };
    let around = std::iter::successors(op.parent(), |op| op.parent());
    let is_shared = |op: Op| For::of(op).is_some_and(|found| found.kind() == LoopKind::Parallel);
    let mut between = around.take_while(|around| Some(*around) != alloc.op().parent());
    !between.any(is_shared) && interval(*last).is_some_and(|(low, high)| low >= 0 && high < extent)
}

/// Whether an op must not be done for what lies in lanes that are masked off: a division, which may be by
/// 0 there.
pub fn may_trap(op: Op) -> bool {
    let divides = [
        arith::DivSI::NAME,
        arith::DivUI::NAME,
        arith::RemSI::NAME,
        arith::RemUI::NAME,
        arith::FloorDivSI::NAME,
        arith::CeilDivSI::NAME,
        arith::CeilDivUI::NAME,
    ];
    divides.iter().any(|division| op.is(division))
        && !op.result(0).ty().is_float()
        && constant(op.operand(1)).is_none_or(|divisor| divisor == 0)
}
