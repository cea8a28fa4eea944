//! Regions from `qnn.dequantize` to `qnn.quantize`, on integers from end to end.

mod operators;

use super::out_dtype;
use crate::graph::operators::{are_equal, constant, make};
use operators::find;
use relay_dialects::{
    Element,
    ir::{Attr, Builder, Op, Value},
    names::relay,
    relay::{Attrs, is_operator},
};
use std::collections::{HashMap, HashSet};

/// Integers, and what they stand for: (values - zero) * scale, where scale and zero are numbers, or vectors along an axis.
#[derive(Clone, Copy)]
struct Affine {
    values: Value,
    scale: Value,
    zero: Value,
    axis: i64,
}

impl Affine {
    /// The operands of a `qnn.dequantize`.
    fn dequantized_by(op: Op) -> Option<Self> {
        Some(Self {
            values: op.operand(0),
            scale: op.operand(1),
            zero: op.operand(2),
            axis: Attrs::of(op).int("axis").ok()?,
        })
    }

    /// The element type.
    fn element(self) -> Option<Element> {
        Element::of(self.values.ty().element())
    }

    /// Whether all elements have one scale and one zero point.
    fn is_whole(self) -> bool {
        let both = [self.scale, self.zero];
        both.iter().all(|value| value.ty().shape().is_empty())
    }

    /// Whether integers of both mean the same.
    fn is_like(self, other: Self) -> bool {
        are_equal(self.scale, other.scale) && are_equal(self.zero, other.zero)
    }

    /// Other integers of the same meaning.
    fn with(self, values: Value) -> Self {
        Self { values, ..self }
    }
}

/// What converts regions.
pub struct Regions {
    /// Whether operators are converted that lose more than others: `nn.softmax`.
    pub takes_inexact: bool,
    /// The first operator that has no form on integers, of a region that stays therefore.
    pub failed: Option<Op>,
}

/// A region that is converted.
struct Region {
    /// Integer operators go before the end of the region, where all of its tensors are there.
    b: Builder,
    /// What the result shall be.
    goal: Affine,
    /// The float that the region ends in.
    last: Value,
    takes_inexact: bool,
    known: HashMap<Value, Affine>,
    failed: Option<Op>,
}

impl Regions {
    /// A `qnn.quantize` at the end of a region, as what the region computes on integers.
    pub fn quantize(&mut self, op: Op) -> Option<Vec<Value>> {
        if !op.is(relay::QNN_QUANTIZE) || !is_region(&[op.operand(0)]) {
            return None;
        }
        let goal = Affine {
            values: op.result(0),
            scale: op.operand(1),
            zero: op.operand(2),
            axis: Attrs::of(op).int("axis").ok()?,
        };
        let mut region = self.region(op, goal, op.operand(0));
        let made = region
            .affine(op.operand(0))
            .and_then(|made| region.requantized(made, goal, goal.element()?));
        self.failed = self.failed.or(region.failed);
        Some(vec![made?.values])
    }

    /// An operator on dequantised operands that no region ends behind, on integers that are dequantised then.
    pub fn single(&mut self, op: Op) -> Option<Vec<Value>> {
        let is_dequantized = |value: &Value| value.def_of(relay::QNN_DEQUANTIZE).is_some();
        let operands = op.operands();
        let source = operands.iter().find(|value| is_dequantized(value))?;
        let are_known = |value: &Value| is_dequantized(value) || constant(*value).is_some();
        if find(op).is_none() || op.results().len() != 1 || !operands.iter().all(are_known) {
            return None;
        }
        let goal = Affine::dequantized_by(source.def()?)?;
        let mut region = self.region(op, goal, op.result(0));
        let made = region.convert(op)?;
        let operands = [made.values, made.scale, made.zero];
        let axis = [("axis", Attr::i64(region.b.ctx, made.axis))];
        Some(vec![make(
            &region.b,
            relay::QNN_DEQUANTIZE,
            &operands,
            &axis,
        )])
    }

    fn region(&self, end: Op, goal: Affine, last: Value) -> Region {
        Region {
            b: Builder::before(end),
            goal,
            last,
            takes_inexact: self.takes_inexact,
            known: HashMap::new(),
            failed: None,
        }
    }
}

/// Whether values are computed of dequantised tensors and constants only, and of one of the former at least.
fn is_region(ends: &[Value]) -> bool {
    let (mut open, mut seen) = (ends.to_vec(), HashSet::new());
    let mut has_source = false;
    while let Some(value) = open.pop() {
        if !seen.insert(value) {
            continue;
        }
        match value.def() {
            Some(op) if op.is(relay::QNN_DEQUANTIZE) => has_source = true,
            Some(op) if is_operator(op) => open.extend(op.operands()),
            _ => return false,
        }
    }
    has_source
}

impl Region {
    /// The integers that stand for a float of the region.
    fn affine(&mut self, value: Value) -> Option<Affine> {
        if let Some(known) = self.known.get(&value) {
            return Some(*known);
        }
        let op = value.def()?;
        let made = match op.is(relay::QNN_DEQUANTIZE) {
            true => Some(Affine::dequantized_by(op)?),
            false => self.convert(op),
        };
        match made {
            Some(made) => drop(self.known.insert(value, made)),
            None => self.failed = self.failed.or(Some(op)),
        }
        made
    }

    fn convert(&mut self, op: Op) -> Option<Affine> {
        let convert = find(op)?;
        convert(self, op)
    }

    /// The same numbers in steps of another meaning, in another element type.
    fn requantized(&self, from: Affine, to: Affine, element: Element) -> Option<Affine> {
        if from.is_like(to) && from.element() == Some(element) {
            return Some(from);
        }
        if !to.is_whole() {
            return None;
        }
        let operands = [from.values, from.scale, from.zero, to.scale, to.zero];
        let attrs = [
            ("axis", Attr::i64(self.b.ctx, from.axis)),
            out_dtype(element, &self.b),
        ];
        let values = make(&self.b, relay::QNN_REQUANTIZE, &operands, &attrs);
        Some(to.with(values))
    }

    /// A constant in the steps of other integers, whose vectors are along `axis` of it.
    fn quantized(&self, number: Value, like: Affine, axis: i64) -> Option<Value> {
        if constant(number).is_none() || !number.ty().element().is_f32() {
            return None;
        }
        let attrs = [
            ("axis", Attr::i64(self.b.ctx, axis)),
            out_dtype(like.element()?, &self.b),
        ];
        let operands = [number, like.scale, like.zero];
        let made = self.b.inferred(relay::QNN_QUANTIZE, &operands, &attrs)?;
        Some(made.result(0))
    }

    /// What a result shall be: what the region ends in, if it is that; else what the operand is.
    fn meaning_of(&self, op: Op, from: Affine) -> Affine {
        match op.result(0) == self.last {
            true => self.goal,
            false => from,
        }
    }
}
