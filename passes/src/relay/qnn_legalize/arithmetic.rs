//! Relay's arithmetic on tensors, in short.

use crate::graph::{
    operators::{cast, known_number, make},
    shapes::reshape,
};
use relay_dialects::{
    Element,
    dim::Dim,
    ir::{Attr, Builder, Type, Value},
    names::relay,
    relay::{build::scalar, relation::normalize_axis},
};

/// A tensor that is computed with.
#[derive(Clone, Copy)]
pub struct Number<'a> {
    b: &'a Builder,
    /// The tensor.
    pub value: Value,
}

/// A tensor to compute with.
pub fn number(b: &Builder, value: Value) -> Number<'_> {
    Number { b, value }
}

impl Number<'_> {
    fn with(self, value: Value) -> Self {
        Self { value, ..self }
    }

    /// A function of one tensor.
    pub fn unary(self, name: &str) -> Self {
        self.with(make(self.b, name, &[self.value], &[]))
    }

    /// A function of two tensors.
    pub fn binary(self, name: &str, other: Value) -> Self {
        self.with(make(self.b, name, &[self.value, other], &[]))
    }

    /// A function of the tensor and a number of its element type.
    pub fn by(self, name: &str, number: f64) -> Self {
        self.binary(name, scalar(self.b, self.element(), number))
    }

    /// The tensor's element type.
    pub fn element(self) -> Type {
        self.value.ty().element()
    }

    /// The tensor in another element type.
    pub fn cast(self, to: Element) -> Self {
        self.with(cast(self.b, self.value, to.ty(self.b.ctx)))
    }

    /// The elements, cut off below the one number and above the other.
    pub fn clip(self, least: f64, greatest: f64) -> Self {
        let limit = |number: f64| Attr::f64(self.b.ctx, number);
        let limits = [("a_min", limit(least)), ("a_max", limit(greatest))];
        self.with(make(self.b, relay::CLIP, &[self.value], &limits))
    }

    /// The reduction along an axis, which stays as one of one element.
    pub fn reduce(self, name: &str, axis: i64) -> Self {
        let attrs = [
            ("axis", Attr::ints(self.b.ctx, &[axis])),
            ("keepdims", Attr::bool(self.b.ctx, true)),
        ];
        self.with(make(self.b, name, &[self.value], &attrs))
    }

    /// This tensor where the condition holds, and the other one elsewhere.
    pub fn where_(self, condition: Value, other: Value) -> Self {
        let operands = [condition, self.value, other];
        self.with(make(self.b, relay::WHERE, &operands, &[]))
    }

    /// Less a zero point that broadcasts, in this element type.
    pub fn less(self, zero: Value) -> Self {
        match known_number(zero) {
            Some(0.0) => self,
            _ => self.binary(relay::SUBTRACT, cast(self.b, zero, self.element())),
        }
    }

    /// Plus a zero point that broadcasts, in this element type.
    pub fn plus(self, zero: Value) -> Self {
        match known_number(zero) {
            Some(0.0) => self,
            _ => self.binary(relay::ADD, cast(self.b, zero, self.element())),
        }
    }

    /// The nearest whole number; of two as near the one farther from zero. What is behind the point is exact, and so is twice that.
    pub fn round_from_zero(self) -> Self {
        let whole = self.unary(relay::TRUNC);
        let rest = self.binary(relay::SUBTRACT, whole.value);
        let more = rest.by(relay::MULTIPLY, 2.0).unary(relay::TRUNC);
        whole.binary(relay::ADD, more.value)
    }
}

/// A vector along an axis of a tensor of this rank, as it broadcasts to that. A number stays; a vector of one number is one.
pub fn spread(b: &Builder, value: Value, axis: i64, rank: usize) -> Option<Value> {
    let shape = value.ty().dims();
    let [count] = shape[..] else {
        return Some(value);
    };
    if count == 1 {
        return Some(reshape(b, value, &[] as &[Dim]));
    }
    let axis = normalize_axis(axis, rank).ok()?;
    let behind = vec![1.into(); rank - 1 - axis];
    Some(reshape(b, value, &[&[count], &behind[..]].concat()))
}
