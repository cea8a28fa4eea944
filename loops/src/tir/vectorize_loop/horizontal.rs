//! Reductions across the lanes of a vector: what `vectorize-loop` makes of an accumulator that all lanes
//! share.

use crate::analysis::linear::{Linear, linear};
use crate::vectors::shuffle;
use relay_dialects::{
    ir::{Attr, Block, Builder, Op, Type, Value, named},
    ops::{
        arith::{self, CmpFPredicate},
        memref, vector,
    },
};

/// What may combine lanes in any order. Sums and products of floats round differently in another one,
/// which the mark on a reduce loop allows.
const COMBINERS: &[&str] = &[
    arith::AddF::NAME,
    arith::AddI::NAME,
    arith::AndI::NAME,
    arith::MaximumF::NAME,
    arith::MaxSI::NAME,
    arith::MinimumF::NAME,
    arith::MinSI::NAME,
    arith::MulF::NAME,
    arith::MulI::NAME,
    arith::OrI::NAME,
];

/// An element that each iteration of a loop combines with a value of its own.
#[derive(Clone, Copy)]
pub struct Reduction {
    /// The op that combines the element with the value.
    pub combine: Op,
    /// Which of the two that it combines is the element.
    accumulator: usize,
}

/// Whether an op combines two values: one of [`COMBINERS`], or the choice of the larger or smaller of two floats.
fn is_combiner(op: Op) -> bool {
    COMBINERS.contains(&op.name().as_str()) || comparison(op).is_some()
}

/// The comparison by which a `select` takes the larger or smaller of two floats.
fn comparison(combine: Op) -> Option<arith::CmpF> {
    let chosen = arith::Select::of(combine)?.condition();
    let comparison = arith::CmpF::making(chosen)?;
    let is_order = [CmpFPredicate::Ogt, CmpFPredicate::Olt].contains(&comparison.predicate());
    let fits = comparison.op().operands() == combine.operands()[1..] && is_order;
    (fits && chosen.users().len() == 1).then_some(comparison)
}

/// What a combiner combines.
fn combined(combine: Op) -> [Value; 2] {
    let operands = combine.operands();
    [operands[operands.len() - 2], operands[operands.len() - 1]]
}

impl Reduction {
    /// That of a store in a loop over `lanes` to an element that all share; `is_same` tells whether a
    /// subscript is the same in all lanes.
    pub fn of(store: Op, lanes: i64, is_same: impl Fn(Value) -> bool) -> Option<Self> {
        let (buffer, subscripts) = (store.operand(1), &store.operands()[2..]);
        let combine = store.operand(0).def()?;
        let fits = lanes.count_ones() == 1
            && is_combiner(combine)
            && combine.block() == store.block()
            && combine.result(0).users().len() == 1
            && subscripts.iter().all(|subscript| is_same(*subscript));
        if !fits {
            return None;
        }
        let reads_it = |value: Value| {
            value.def_of(memref::Load::NAME).is_some_and(|load| {
                let same =
                    |(a, b): (&Value, &Value)| linear(*a).minus(&linear(*b)) == Linear::default();
                load.operand(0) == buffer
                    && load.block() == store.block()
                    && (value.users().iter()).all(|user| is_of(combine, *user))
                    && load.operands()[1..].iter().zip(subscripts).all(same)
            })
        };
        let accumulator = (0..2).find(|operand| reads_it(combined(combine)[*operand]))?;
        (accesses(store.block()?, buffer) == 2).then_some(Self {
            combine,
            accumulator,
        })
    }

    /// The element, as the loop's body reads it.
    pub fn element(self) -> Value {
        combined(self.combine)[self.accumulator]
    }

    /// The value that differs between iterations.
    pub fn value(self) -> Value {
        combined(self.combine)[1 - self.accumulator]
    }

    /// What changes nothing that it is combined with, as a vector of `ty`.
    pub fn identity(self, b: &Builder, ty: Type) -> Value {
        let name = self.combine.name();
        if let Some(comparison) = comparison(self.combine) {
            let takes_larger = comparison.predicate() == CmpFPredicate::Ogt;
            let sign = if takes_larger { -1.0 } else { 1.0 };
            return b.constant(ty, sign * f64::INFINITY);
        }
        let bits = ty.element().bit_width().min(64);
        let smallest = i64::MIN >> (64 - bits);
        let number = match name.as_str() {
            arith::AddF::NAME => return b.constant(ty, -0.0),
            arith::MulF::NAME => return b.constant(ty, 1.0),
            arith::MaximumF::NAME => return b.constant(ty, f64::NEG_INFINITY),
            arith::MinimumF::NAME => return b.constant(ty, f64::INFINITY),
            arith::MulI::NAME => 1,
            arith::AndI::NAME => -1,
            arith::MaxSI::NAME => smallest,
            arith::MinSI::NAME => !smallest,
            _ => 0,
        };
        let number = Attr::int(ty.element(), number);
        arith::Constant::build(b, Attr::splat(ty, number))
    }

    /// `element` combined with the lanes of `vector`: halves with each other until one lane is left.
    pub fn write(self, b: &Builder, element: Value, vector: Value) -> Value {
        let mut lanes = vector.ty().shape()[0];
        let mut vector = vector;
        while lanes > 1 {
            lanes /= 2;
            let part = |from: i64| shuffle(b, [vector, vector], from..from + lanes);
            vector = self.combined(b, part(0), part(lanes));
        }
        let lane = vector::Extract::build(b, vector, &[], &[0]);
        if self.accumulator == 0 {
            self.combined(b, element, lane)
        } else {
            self.combined(b, lane, element)
        }
    }

    fn combined(self, b: &Builder, lhs: Value, rhs: Value) -> Value {
        let attrs = self.combine.attrs();
        if let Some(comparison) = comparison(self.combine) {
            let wins = arith::CmpF::build(b, comparison.predicate(), lhs, rhs);
            return b.select(wins, lhs, rhs);
        }
        b.value(&self.combine.name(), &[lhs, rhs], lhs.ty(), &named(&attrs))
    }
}

/// Whether an op is a combiner, or the comparison that it chooses by.
fn is_of(combine: Op, op: Op) -> bool {
    op == combine || comparison(combine).is_some_and(|comparison| comparison.op() == op)
}

/// How many ops in a block and the regions inside use a buffer.
fn accesses(block: Block, buffer: Value) -> usize {
    let mut count = 0;
    for op in block.ops() {
        op.walk(|op| count += usize::from(op.operands().contains(&buffer)));
    }
    count
}
