//! Reductions across the lanes of a vector: what `vectorize-loop` makes of an accumulator that all lanes
//! share.

use super::shuffle::shuffle;
use crate::analysis::linear::{Linear, linear};
use crate::tir::approximate_math::exponential::{OGT, OLT, compare};
use relay_dialects::ir::{Attr, Block, Builder, Op, Type, Value, named};

/// What may combine lanes in any order. Sums and products of floats round differently in another one,
/// which the mark on a reduce loop allows.
const COMBINERS: &[&str] = &[
    "arith.addf",
    "arith.addi",
    "arith.andi",
    "arith.maximumf",
    "arith.maxsi",
    "arith.minimumf",
    "arith.minsi",
    "arith.mulf",
    "arith.muli",
    "arith.ori",
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
fn comparison(combine: Op) -> Option<Op> {
    let comparison = (combine.is("arith.select"))
        .then(|| combine.operand(0).def_of("arith.cmpf"))
        .flatten()?;
    let is_order = [OGT, OLT].contains(&comparison.attr("predicate")?.as_i64()?);
    let fits = comparison.operands() == combine.operands()[1..] && is_order;
    (fits && comparison.result(0).users().len() == 1).then_some(comparison)
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
            value.def_of("memref.load").is_some_and(|load| {
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
            let takes_larger = comparison.attr("predicate").and_then(Attr::as_i64) == Some(OGT);
            let sign = if takes_larger { -1.0 } else { 1.0 };
            return b.constant(ty, sign * f64::INFINITY);
        }
        let bits = ty.element().bit_width().min(64);
        let smallest = i64::MIN >> (64 - bits);
        let number = match name.as_str() {
            "arith.addf" => return b.constant(ty, -0.0),
            "arith.mulf" => return b.constant(ty, 1.0),
            "arith.maximumf" => return b.constant(ty, f64::NEG_INFINITY),
            "arith.minimumf" => return b.constant(ty, f64::INFINITY),
            "arith.muli" => 1,
            "arith.andi" => -1,
            "arith.maxsi" => smallest,
            "arith.minsi" => !smallest,
            _ => 0,
        };
        let number = Attr::int(ty.element(), number);
        b.value(
            "arith.constant",
            &[],
            ty,
            &[("value", Attr::splat(ty, number))],
        )
    }

    /// `element` combined with the lanes of `vector`: halves with each other until one lane is left.
    pub fn write(self, b: &Builder, element: Value, vector: Value) -> Value {
        let (ty, mut lanes) = (vector.ty().element(), vector.ty().shape()[0]);
        let mut vector = vector;
        while lanes > 1 {
            lanes /= 2;
            let part = |from: i64| shuffle(b, [vector, vector], from..from + lanes);
            vector = self.combined(b, part(0), part(lanes));
        }
        let first = [("static_position", Attr::ints(b.ctx, &[0]))];
        let lane = b.value("vector.extract", &[vector], ty, &first);
        if self.accumulator == 0 {
            self.combined(b, element, lane)
        } else {
            self.combined(b, lane, element)
        }
    }

    fn combined(self, b: &Builder, lhs: Value, rhs: Value) -> Value {
        let attrs = self.combine.attrs();
        if let Some(order) = comparison(self.combine).and_then(|op| op.attr("predicate")?.as_i64())
        {
            return b.select(compare(b, order, lhs, rhs), lhs, rhs);
        }
        b.value(&self.combine.name(), &[lhs, rhs], lhs.ty(), &named(&attrs))
    }
}

/// Whether an op is a combiner, or the comparison that it chooses by.
fn is_of(combine: Op, op: Op) -> bool {
    op == combine || comparison(combine) == Some(op)
}

/// How many ops in a block and the regions inside use a buffer.
fn accesses(block: Block, buffer: Value) -> usize {
    let mut count = 0;
    for op in block.ops() {
        op.walk(|op| count += usize::from(op.operands().contains(&buffer)));
    }
    count
}
