//! Which elements of tensors in memory an element of a stage is computed from: its subscripts, with numbers in the place of the axes.
//!
//! Schedules for GPUs compare what neighbouring threads read. The indices of some elements say it for all subscripts that programs
//! compute from their axes, also for those that divide.

use super::{cost::sizes::planned_shape, stage::Stage};
use relay_dialects::{
    index::constant,
    ir::{Block, Op, Value},
    names,
    ops::{arith, scf, tensor},
};
use std::collections::{HashMap, HashSet};

/// A read of an element.
#[derive(Clone, Debug, PartialEq)]
pub struct Access {
    /// The `tensor.extract`.
    pub read: Op,
    /// Its subscripts; none for one that data decides.
    pub subscripts: Vec<Option<i64>>,
}

impl Access {
    /// The shape of the tensor.
    pub fn shape(&self) -> Vec<i64> {
        planned_shape(self.read, self.read.operand(0))
    }

    /// The bytes of an element.
    pub fn bytes(&self) -> i64 {
        self.read.result(0).ty().byte_width() as i64
    }

    /// The place of the element in its tensor, in memory; none if data decides it.
    pub fn place(&self) -> Option<i64> {
        let mut pairs = self.subscripts.iter().zip(self.shape());
        pairs.try_fold(0_i64, |place, (subscript, extent)| {
            place.checked_mul(extent)?.checked_add((*subscript)?)
        })
    }
}

/// The elements in memory that the element of a stage at some indices, those of the data axes first, is computed from. `inlined`
/// stages are part of it.
pub fn of(stage: Stage, inlined: &[Stage], at: &[i64]) -> Vec<Access> {
    let mut reads = Reads {
        inlined,
        seen: HashSet::new(),
        found: Vec::new(),
    };
    let at: Vec<Option<i64>> = at.iter().map(|index| Some(*index)).collect();
    reads.stage(stage, &at);
    reads.found
}

/// The indices of the element that has a place among all elements of a shape.
pub fn indices(shape: &[i64], place: i64) -> Vec<i64> {
    let mut rest = place;
    let mut indices: Vec<i64> = (shape.iter().rev())
        .map(|extent| {
            let extent = (*extent).max(1);
            let index = rest % extent;
            rest /= extent;
            index
        })
        .collect();
    indices.reverse();
    indices
}

/// Follows an expression.
struct Reads<'a> {
    inlined: &'a [Stage],
    /// Elements of inlined stages are computed once.
    seen: HashSet<(Op, Vec<Option<i64>>)>,
    found: Vec<Access>,
}

impl Reads<'_> {
    fn stage(&mut self, stage: Stage, at: &[Option<i64>]) {
        let body = stage.op.body();
        let mut known: HashMap<Value, i64> = HashMap::new();
        for (axis, index) in body.args().into_iter().zip(at) {
            known.extend(index.map(|index| (axis, index)));
        }
        self.block(body, &mut known);
    }

    fn block(&mut self, block: Block, known: &mut HashMap<Value, i64>) {
        for op in block.ops() {
            match op.name().as_str() {
                tensor::Extract::NAME => self.read(op, known),
                scf::If::NAME => self.branch(op, known),
                _ => {
                    if let Some(number) = evaluate(op, known) {
                        known.insert(op.result(0), number);
                    }
                }
            }
        }
    }

    /// The branch that is taken, or both where data decides.
    fn branch(&mut self, op: Op, known: &mut HashMap<Value, i64>) {
        let taken = known.get(&op.operand(0)).map(|holds| *holds == 0);
        let branches = [op.block_in(0), op.block_in(1)];
        for (number, block) in branches.into_iter().enumerate() {
            if let Some(block) = block
                && taken.is_none_or(|second| usize::from(second) == number)
            {
                self.block(block, known);
            }
        }
    }

    fn read(&mut self, op: Op, known: &HashMap<Value, i64>) {
        let subscripts = op.operands()[1..].to_vec().into_iter();
        let subscripts: Vec<Option<i64>> = subscripts
            .map(|subscript| known.get(&subscript).copied())
            .collect();
        let producer = op.operand(0).def_of(names::te::COMPUTE);
        let producer = producer.map(|op| Stage { op });
        let inlined = producer.filter(|stage| self.inlined.contains(stage));
        let computed_by = inlined.map_or(op, |stage| stage.op);
        if !self.seen.insert((computed_by, subscripts.clone())) {
            return;
        }
        match inlined {
            Some(stage) => self.stage(stage, &subscripts),
            None => self.found.push(Access {
                read: op,
                subscripts,
            }),
        }
    }
}

/// The result of an operation on indices, where it follows from numbers.
fn evaluate(op: Op, known: &HashMap<Value, i64>) -> Option<i64> {
    if op.is(arith::Constant::NAME) {
        return constant(op.result(0));
    }
    let operand = |place: usize| known.get(op.operands().get(place)?).copied();
    if op.is(arith::Select::NAME) {
        return operand(if operand(0)? != 0 { 1 } else { 2 });
    }
    let lhs = operand(0)?;
    if op.is(arith::IndexCast::NAME) {
        return Some(lhs);
    }
    let rhs = operand(1)?;
    match op.name().as_str() {
        arith::AddI::NAME => lhs.checked_add(rhs),
        arith::SubI::NAME => lhs.checked_sub(rhs),
        arith::MulI::NAME => lhs.checked_mul(rhs),
        arith::DivSI::NAME => lhs.checked_div(rhs),
        arith::RemSI::NAME => lhs.checked_rem(rhs),
        arith::MinSI::NAME => Some(lhs.min(rhs)),
        arith::MaxSI::NAME => Some(lhs.max(rhs)),
        arith::AndI::NAME => Some(lhs & rhs),
        arith::OrI::NAME => Some(lhs | rhs),
        arith::CmpI::NAME => {
            let comparison = arith::CmpI::of(op)?;
            Some(i64::from(comparison.predicate().holds(lhs, rhs)))
        }
        _ => None,
    }
}
