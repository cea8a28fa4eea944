//! Reductions across the lanes of a vector: what `vectorize-loop` makes of an accumulator that all lanes
//! share.

use crate::analysis::linear::{Linear, linear};
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
    /// Which of its operands is the element.
    accumulator: usize,
}

impl Reduction {
    /// That of a store in a loop over `lanes` to an element that all share; `is_same` tells whether a
    /// subscript is the same in all lanes.
    pub fn of(store: Op, lanes: i64, is_same: impl Fn(Value) -> bool) -> Option<Self> {
        let (buffer, subscripts) = (store.operand(1), &store.operands()[2..]);
        let combine = store.operand(0).def()?;
        let fits = lanes.count_ones() == 1
            && COMBINERS.contains(&combine.name().as_str())
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
                    && value.users().len() == 1
                    && load.operands()[1..].iter().zip(subscripts).all(same)
            })
        };
        let accumulator = (0..2).find(|operand| reads_it(combine.operand(*operand)))?;
        (accesses(store.block()?, buffer) == 2).then_some(Self {
            combine,
            accumulator,
        })
    }

    /// The element, as the loop's body reads it.
    pub fn element(self) -> Value {
        self.combine.operand(self.accumulator)
    }

    /// The value that differs between iterations.
    pub fn value(self) -> Value {
        self.combine.operand(1 - self.accumulator)
    }

    /// What changes nothing that it is combined with, as a vector of `ty`.
    pub fn identity(self, b: &Builder, ty: Type) -> Value {
        let name = self.combine.name();
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
            let half = Type::vector(&[lanes], ty);
            let part = |from: i64| {
                let lanes: Vec<i64> = (from..from + lanes).collect();
                let mask = [("mask", Attr::ints(b.ctx, &lanes))];
                b.value("vector.shuffle", &[vector, vector], half, &mask)
            };
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
        b.value(&self.combine.name(), &[lhs, rhs], lhs.ty(), &named(&attrs))
    }
}

/// How many ops in a block and the regions inside use a buffer.
fn accesses(block: Block, buffer: Value) -> usize {
    let mut count = 0;
    for op in block.ops() {
        op.walk(|op| count += usize::from(op.operands().contains(&buffer)));
    }
    count
}
