//! Integers in steps of one scale as those of another.

use super::arithmetic::{number, spread};
use crate::graph::operators::{are_equal, cast, make};
use relay_dialects::{
    Element,
    ir::{Attr, Builder, Op, Value},
    names::relay,
    relay::{
        Attrs,
        build::scalar,
        ops::{losses::Rounding, qnn::GREATEST_STEPS},
        relation::normalize_axis,
    },
};

/// What a step of integers is, and which of them stands for zero.
#[derive(Clone, Copy)]
pub struct Grain {
    /// The step.
    pub scale: Value,
    /// Zero.
    pub zero: Value,
}

impl Grain {
    /// That in two operands.
    pub fn of(op: Op, first: usize) -> Self {
        Self {
            scale: op.operand(first),
            zero: op.operand(first + 1),
        }
    }

    /// Whether integers of both mean the same.
    pub fn is(self, other: Self) -> bool {
        are_equal(self.scale, other.scale) && are_equal(self.zero, other.zero)
    }
}

/// The attribute `compute_dtype`, with its default.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Compute {
    Floats(Element),
    FixedPoint,
}

/// How integers become others.
#[derive(Clone, Copy)]
pub struct Requantization {
    axis: i64,
    rounding: Rounding,
    compute: Compute,
    to: Element,
}

impl Requantization {
    /// What there is if nothing is said.
    pub fn to(to: Element) -> Self {
        Self {
            axis: -1,
            rounding: Rounding::Upward,
            compute: Compute::Floats(Element::F32),
            to,
        }
    }

    /// With vectors along another axis.
    pub fn along(self, axis: i64) -> Self {
        Self { axis, ..self }
    }

    fn of(op: Op) -> Option<Self> {
        let attrs = Attrs::of(op);
        let rounding = Rounding::named(&attrs.str("rounding").ok()?);
        let compute = match attrs.str("compute_dtype").ok()?.as_str() {
            "int64" => Compute::FixedPoint,
            "float64" => Compute::Floats(Element::F64),
            _ => Compute::Floats(Element::F32),
        };
        Some(Self {
            axis: attrs.int("axis").ok()?,
            rounding: rounding.unwrap_or(Rounding::Upward),
            compute,
            to: Element::of(op.result(0).ty().element())?,
        })
    }

    /// The integers that stand for the same numbers.
    pub fn apply(self, b: &Builder, data: Value, from: Grain, to: Grain) -> Option<Value> {
        match self.compute {
            Compute::Floats(float) => self.in_floats(b, float, data, from, to),
            Compute::FixedPoint => self.in_fixed_point(b, data, from, to),
        }
    }

    fn in_floats(
        self,
        b: &Builder,
        float: Element,
        data: Value,
        from: Grain,
        to: Grain,
    ) -> Option<Value> {
        let rank = data.ty().dims().len();
        let zero = spread(b, from.zero, self.axis, rank)?;
        let mut steps = number(b, data).cast(float).less(zero);
        if !are_equal(from.scale, to.scale) {
            let ratio = cast(b, ratio(b, from.scale, to.scale), float.ty(b.ctx));
            steps = steps.binary(relay::MULTIPLY, spread(b, ratio, self.axis, rank)?);
        }
        let steps = steps.plus(to.zero);
        let rounded = match self.rounding {
            Rounding::Upward => steps.by(relay::ADD, 0.5).unary(relay::FLOOR),
            _ => steps.round_from_zero(),
        };
        let greatest = match float {
            Element::F64 => self.to.greatest(),
            _ => self.to.greatest().min(GREATEST_STEPS),
        };
        let clipped = rounded.clip(self.to.least(), greatest);
        Some(clipped.cast(Element::I32).cast(self.to).value)
    }

    fn in_fixed_point(self, b: &Builder, data: Value, from: Grain, to: Grain) -> Option<Value> {
        let rank = data.ty().dims().len();
        let zero = spread(b, from.zero, self.axis, rank)?;
        let mut steps = number(b, data).cast(Element::I32).less(zero).value;
        if !are_equal(from.scale, to.scale) {
            let axes = match from.scale.ty().dims().len() {
                0 => vec![],
                _ => vec![normalize_axis(self.axis, rank).ok()? as i64],
            };
            let factor = FixedPoint::of(b, ratio(b, from.scale, to.scale));
            steps = factor.times(b, steps, &axes, self.rounding);
        }
        let moved = number(b, steps).plus(to.zero);
        let clipped = match self.to {
            Element::I32 => moved,
            to => moved.clip(to.least(), to.greatest()),
        };
        Some(clipped.cast(self.to).value)
    }
}

/// `qnn.requantize` as arithmetic.
pub fn requantize(op: Op) -> Option<Vec<Value>> {
    if !op.is(relay::QNN_REQUANTIZE) {
        return None;
    }
    let b = Builder::before(op);
    let how = Requantization::of(op)?;
    let made = how.apply(&b, op.operand(0), Grain::of(op, 1), Grain::of(op, 3))?;
    Some(vec![made])
}

/// The quotient of two scales in f64, which keeps all digits of both.
fn ratio(b: &Builder, from: Value, to: Value) -> Value {
    let [from, to] = [from, to].map(|scale| number(b, scale).cast(Element::F64));
    from.binary(relay::DIVIDE, to.value).value
}

/// The number multiplier * 2^(left - right - 31), or a vector of such, each of 32 bits.
pub struct FixedPoint {
    multiplier: Value,
    left: Value,
    right: Value,
}

/// The bits of the fraction of an f64.
const FRACTION_BITS: i32 = 52;

/// The exponent field of the f64 from 1/2 to below 1.
const EXPONENT_OF_HALF: f64 = 1022.0;

/// The bits of a fraction of an f64 that a multiplier of 31 bits does not have.
const DROPPED_BITS: i32 = FRACTION_BITS + 1 - MULTIPLIER_BITS;

/// The bits of a multiplier.
const MULTIPLIER_BITS: i32 = 31;

/// The exponents that fixed-point products take.
const EXPONENTS: [f64; 2] = [-32.0, 30.0];

impl FixedPoint {
    /// The nearest one to an f64, or to each of a vector. Its multiplier is 0, or has the highest of its 31 bits.
    pub fn of(b: &Builder, value: Value) -> Self {
        let dtype = [("dtype", Attr::ty(Element::I64.ty(b.ctx)))];
        let magnitude = number(b, value).unary(relay::ABS).value;
        let bits = number(b, make(b, relay::REINTERPRET, &[magnitude], &dtype));
        let highest = 2f64.powi(FRACTION_BITS);
        let fraction = bits
            .by(relay::BITWISE_AND, highest - 1.0)
            .by(relay::BITWISE_OR, highest);
        let rounded = fraction
            .by(relay::ADD, 2f64.powi(DROPPED_BITS - 1))
            .by(relay::RIGHT_SHIFT, f64::from(DROPPED_BITS));
        // Rounding may have made 2^31 of it.
        let carry = rounded.by(relay::RIGHT_SHIFT, f64::from(MULTIPLIER_BITS));
        let exponent = bits
            .by(relay::RIGHT_SHIFT, f64::from(FRACTION_BITS))
            .by(relay::SUBTRACT, EXPONENT_OF_HALF)
            .binary(relay::ADD, carry.value);
        let positive = rounded.binary(relay::RIGHT_SHIFT, carry.value);
        let is_negative = number(b, value).by(relay::LESS, 0.0).value;
        let signed = positive
            .unary(relay::NEGATIVE)
            .where_(is_negative, positive.value);
        let is_zero = bits.by(relay::EQUAL, 0.0).value;
        let none = scalar(b, bits.element(), 0.0);
        let multiplier = number(b, none).where_(is_zero, signed.value);
        let [least, greatest] = EXPONENTS;
        let right = exponent.unary(relay::NEGATIVE).clip(0.0, -least);
        Self {
            multiplier: multiplier.cast(Element::I32).value,
            left: exponent.clip(0.0, greatest).cast(Element::I32).value,
            right: right.cast(Element::I32).value,
        }
    }

    /// The product with integers of 32 bits, rounded upward.
    pub fn times_upward(&self, b: &Builder, x: Value) -> Value {
        self.times(b, x, &[], Rounding::Upward)
    }

    fn times(&self, b: &Builder, x: Value, axes: &[i64], rounding: Rounding) -> Value {
        let attrs = [
            ("is_lshift_required", Attr::bool(b.ctx, true)),
            ("is_rshift_required", Attr::bool(b.ctx, true)),
            ("axes", Attr::ints(b.ctx, axes)),
            ("rounding", Attr::str(b.ctx, rounding.name())),
        ];
        let operands = [x, self.multiplier, self.left, self.right];
        make(b, relay::FIXED_POINT_MULTIPLY_PER_AXIS, &operands, &attrs)
    }
}
