//! Operators from quantised tensors to quantised tensors, as others.

use super::{
    arithmetic::{Number, number, spread},
    requantize::{FixedPoint, Grain, Requantization},
};
use crate::graph::operators::{is_foldable, make};
use relay_dialects::{
    Element,
    ir::{Attr, Builder, Op, Type, Value, named},
    names::relay,
    relay::{Attrs, build::scalar, ops::quantised::tensors_of},
    rewrite::Rule,
};

/// The rules.
pub const RULES: &[Rule] = &[
    sum,
    product,
    concatenate,
    unary,
    leaky_relu,
    softmax,
    avg_pool2d,
    simulated_quantize,
    simulated_dequantize,
];

/// An operator to be written.
struct Written {
    b: Builder,
    op: Op,
}

impl Written {
    fn of(op: Op, name: &str) -> Option<Self> {
        op.is(name).then(|| Self {
            b: Builder::before(op),
            op,
        })
    }

    fn operand(&self, index: usize) -> Number<'_> {
        number(&self.b, self.op.operand(index))
    }

    /// The element type of the result.
    fn element(&self) -> Option<Element> {
        Element::of(self.op.result(0).ty().element())
    }

    /// Integers of 32 bits that mean the same as those of a tensor, in the steps of the result.
    fn upcast(&self, data: Value, [from, to]: [Grain; 2], axis: i64) -> Option<Number<'_>> {
        let made = match from.is(to) {
            true => number(&self.b, data).cast(Element::I32).value,
            false => {
                let how = Requantization::to(Element::I32).along(axis);
                how.apply(&self.b, data, from, to)?
            }
        };
        Some(number(&self.b, made))
    }

    /// Integers of 32 bits as the result, clipped.
    fn narrowed(&self, steps: Number<'_>) -> Option<Vec<Value>> {
        let to = self.element()?;
        let clipped = match to {
            Element::I32 => steps,
            to => steps.clip(to.least(), to.greatest()),
        };
        Some(vec![clipped.cast(to).value])
    }

    fn axis(&self, name: &str) -> Option<i64> {
        Attrs::of(self.op).int(name).ok()
    }

    fn quantized(&self, numbers: Value, to: Grain) -> Option<Vec<Value>> {
        let to_type = self.op.result(0).ty().element();
        let attrs = [("out_dtype", Attr::ty(to_type))];
        let operands = [numbers, to.scale, to.zero];
        let made = make(&self.b, relay::QNN_QUANTIZE, &operands, &attrs);
        Some(vec![made])
    }
}

/// `qnn.add` and `qnn.subtract`.
fn sum(op: Op) -> Option<Vec<Value>> {
    let (w, name) = match Written::of(op, relay::QNN_ADD) {
        Some(written) => (written, relay::ADD),
        None => (Written::of(op, relay::QNN_SUBTRACT)?, relay::SUBTRACT),
    };
    let to = Grain::of(op, 6);
    let lhs = [Grain::of(op, 2), to];
    let lhs = w.upcast(op.operand(0), lhs, w.axis("lhs_axis")?)?;
    let rhs = [Grain::of(op, 4), to];
    let rhs = w.upcast(op.operand(1), rhs, w.axis("rhs_axis")?)?;
    let both = lhs.binary(name, rhs.value);
    // A sum has the zero point twice, and a difference not at all.
    w.narrowed(match name {
        relay::ADD => both.less(to.zero),
        _ => both.plus(to.zero),
    })
}

/// `qnn.mul`.
fn product(op: Op) -> Option<Vec<Value>> {
    let w = Written::of(op, relay::QNN_MUL)?;
    let distance = |operand: usize, from: Grain, axis: i64| {
        let data = w.operand(operand);
        let rank = data.value.ty().dims().len();
        let zero = spread(&w.b, from.zero, axis, rank)?;
        let scale = spread(&w.b, from.scale, axis, rank)?;
        Some((data.cast(Element::I32).less(zero), number(&w.b, scale)))
    };
    let (lhs, of_lhs) = distance(0, Grain::of(op, 2), w.axis("lhs_axis")?)?;
    let (rhs, of_rhs) = distance(1, Grain::of(op, 4), w.axis("rhs_axis")?)?;
    let from = Grain {
        scale: of_lhs.binary(relay::MULTIPLY, of_rhs.value).value,
        zero: scalar(&w.b, Element::I32.ty(w.b.ctx), 0.0),
    };
    let product = lhs.binary(relay::MULTIPLY, rhs.value).value;
    let how = Requantization::to(w.element()?);
    Some(vec![how.apply(&w.b, product, from, Grain::of(op, 6))?])
}

/// `qnn.concatenate`.
fn concatenate(op: Op) -> Option<Vec<Value>> {
    let w = Written::of(op, relay::QNN_CONCATENATE)?;
    let count = tensors_of(op.operand_count())?;
    let (to, element) = (Grain::of(op, 3 * count), w.element()?);
    let tensor = |index: usize| {
        let from = Grain {
            scale: op.operand(count + index),
            zero: op.operand(2 * count + index),
        };
        match from.is(to) {
            true => Some(op.operand(index)),
            false => Requantization::to(element).apply(&w.b, op.operand(index), from, to),
        }
    };
    let tensors = (0..count).map(tensor).collect::<Option<Vec<Value>>>()?;
    let axis = [("axis", Attr::i64(w.b.ctx, w.axis("axis")?))];
    Some(vec![make(&w.b, relay::CONCATENATE, &tensors, &axis)])
}

/// Operators on bytes that are operators on floats of the same name.
const UNARY: &[(&str, &str)] = &[
    (relay::QNN_TANH, relay::TANH),
    (relay::QNN_EXP, relay::EXP),
    (relay::QNN_SQRT, relay::SQRT),
    (relay::QNN_RSQRT, relay::RSQRT),
    (relay::QNN_ERF, relay::ERF),
    (relay::QNN_SIGMOID, relay::SIGMOID),
    (relay::QNN_LOG, relay::LOG),
    (relay::QNN_ABS, relay::ABS),
];

/// Those that are slower on vectors of floats than reading a table. Measured: 2^20 bytes on one core of Zen 4, with AVX-512, take 0.32 ms with a table,
/// and 0.37 to 0.58 ms with the arithmetic of these; with that of the others 0.14 to 0.30 ms.
const TABLED: &[&str] = &[
    relay::QNN_TANH,
    relay::QNN_EXP,
    relay::QNN_ERF,
    relay::QNN_SIGMOID,
    relay::QNN_LOG,
];

/// The numbers of a byte.
const BYTES: i64 = 256;

/// Functions of the numbers that bytes stand for.
fn unary(op: Op) -> Option<Vec<Value>> {
    let is_unary = UNARY.iter().any(|(name, _)| op.is(name));
    if !is_unary && !op.is(relay::QNN_HARDSWISH) {
        return None;
    }
    let w = Written {
        b: Builder::before(op),
        op,
    };
    let are_known = op.operands()[1..].iter().all(|it| is_foldable(*it));
    match are_known && TABLED.iter().any(|name| op.is(name)) {
        true => from_table(&w),
        false => w.function(op.operand(0)),
    }
}

impl Written {
    /// A function of the numbers that bytes stand for, as bytes.
    fn function(&self, bytes: Value) -> Option<Vec<Value>> {
        let from = Grain::of(self.op, 1);
        let operands = [bytes, from.scale, from.zero];
        let x = make(&self.b, relay::QNN_DEQUANTIZE, &operands, &[]);
        let x = number(&self.b, x);
        let made = match UNARY.iter().find(|(name, _)| self.op.is(name)) {
            Some((_, name)) => x.unary(name),
            None => {
                let bounded = x.by(relay::ADD, 3.0).clip(0.0, 6.0);
                x.binary(relay::MULTIPLY, bounded.value)
                    .by(relay::DIVIDE, 6.0)
            }
        };
        self.quantized(made.value, Grain::of(self.op, 3))
    }
}

/// A function of bytes as what stands in a table, which is computed at compile time.
fn from_table(w: &Written) -> Option<Vec<Value>> {
    let word = Element::I32;
    let [first, step] = [0.0, 1.0].map(|it| scalar(&w.b, word.ty(w.b.ctx), it));
    let count = [("count", Attr::ints(w.b.ctx, &[BYTES]))];
    let places = make(&w.b, relay::ARANGE, &[first, step], &count);
    let bits = |value: Number<'_>, to: Type| {
        let dtype = [("dtype", Attr::ty(to))];
        make(&w.b, relay::REINTERPRET, &[value.value], &dtype)
    };
    let places = number(&w.b, places).cast(Element::U8);
    let x = w.operand(0);
    let table = w.function(bits(places, x.element()))?;
    let place = bits(x, Element::U8.ty(w.b.ctx));
    let place = number(&w.b, place).cast(word).value;
    let attrs = [
        ("axis", Attr::i64(w.b.ctx, 0)),
        ("mode", Attr::str(w.b.ctx, "fast")),
    ];
    Some(vec![make(&w.b, relay::TAKE, &[table[0], place], &attrs)])
}

/// `qnn.leaky_relu`.
fn leaky_relu(op: Op) -> Option<Vec<Value>> {
    let w = Written::of(op, relay::QNN_LEAKY_RELU)?;
    let (from, to) = (Grain::of(op, 1), Grain::of(op, 3));
    let alpha = Attrs::of(op).float("alpha").ok()?;
    let steps = w.upcast(op.operand(0), [from, to], -1)?;
    let times = |factor: f64, x: Value| {
        let factor = scalar(&w.b, Element::F64.ty(w.b.ctx), factor);
        number(&w.b, FixedPoint::of(&w.b, factor).times_upward(&w.b, x))
    };
    let of_zero = times(1.0 - alpha, to.zero);
    let below = times(alpha, steps.value).binary(relay::ADD, of_zero.value);
    let data = w.operand(0).cast(Element::I32);
    let is_below = data.binary(relay::LESS, from.zero).value;
    w.narrowed(below.where_(is_below, steps.value))
}

/// The bits of the fraction that a power has before it is divided by the sum of all.
const QUOTIENT_BITS: i32 = 30;

/// The bits of the result of `qnn.softmax`, behind the point.
const RESULT_BITS: i32 = 7;

/// A power of two below this many halvings counts as that many.
const MOST_HALVINGS: f64 = 20.0;

/// `qnn.softmax`: algorithm 1 of arXiv:2207.01405, in the numbers of TVM.
fn softmax(op: Op) -> Option<Vec<Value>> {
    let w = Written::of(op, relay::QNN_SOFTMAX)?;
    let axis = w.axis("axis")?;
    let steps = w.operand(0).cast(Element::I32).less(op.operand(2));
    let x = steps.binary(relay::SUBTRACT, steps.reduce(relay::MAX, axis).value);
    // The number of steps in 1.
    let scale = w.operand(1);
    let one = number(&w.b, scalar(&w.b, scale.element(), 1.0));
    let one = one.binary(relay::DIVIDE, scale.value).round_from_zero();
    let one = one.cast(Element::I32);
    // x / ln 2 is near x + x / 2 - x / 16.
    let of_two = x
        .binary(relay::ADD, x.by(relay::RIGHT_SHIFT, 1.0).value)
        .binary(relay::SUBTRACT, x.by(relay::RIGHT_SHIFT, 4.0).value);
    let halvings = of_two.binary(relay::DIVIDE, one.unary(relay::NEGATIVE).value);
    let halvings = halvings.clip(0.0, MOST_HALVINGS);
    let whole = halvings.binary(relay::MULTIPLY, one.value);
    let rest = of_two.binary(relay::ADD, whole.value);
    // 2^x is near 1 + x / 2 from -1 to 0.
    let power = rest
        .by(relay::RIGHT_SHIFT, 1.0)
        .binary(relay::ADD, one.value);
    let most = halvings.reduce(relay::MAX, axis);
    let doublings = most.binary(relay::SUBTRACT, halvings.value);
    let powers = power.binary(relay::LEFT_SHIFT, doublings.value);
    let sums = powers.reduce(relay::SUM, axis);
    let whole = scalar(&w.b, sums.element(), 2f64.powi(QUOTIENT_BITS));
    let quotients = number(&w.b, whole).binary(relay::DIVIDE, sums.value);
    let shares = quotients
        .binary(relay::MULTIPLY, powers.value)
        .by(relay::RIGHT_SHIFT, f64::from(QUOTIENT_BITS - RESULT_BITS));
    let from = Grain {
        scale: scalar(&w.b, scale.element(), 2f64.powi(-RESULT_BITS)),
        zero: scalar(&w.b, shares.element(), 0.0),
    };
    let how = Requantization::to(w.element()?);
    Some(vec![how.apply(
        &w.b,
        shares.value,
        from,
        Grain::of(op, 3),
    )?])
}

/// `qnn.avg_pool2d`.
fn avg_pool2d(op: Op) -> Option<Vec<Value>> {
    let w = Written::of(op, relay::QNN_AVG_POOL2D)?;
    let grains = [Grain::of(op, 1), Grain::of(op, 3)];
    let data = w.upcast(op.operand(0), grains, -1)?;
    let attrs = op.attrs();
    let means = make(&w.b, relay::NN_AVG_POOL2D, &[data.value], &named(&attrs));
    w.narrowed(number(&w.b, means))
}

/// The numbers by which `qnn.simulated_quantize` knows element types.
const CODES: &[(f64, Element)] = &[(1.0, Element::I8), (2.0, Element::U8), (3.0, Element::I32)];

/// Scale and zero point of a simulated operator as they broadcast, in the element type of the data.
fn simulated_grain(w: &Written) -> Option<[Value; 2]> {
    let data = w.operand(0);
    let (rank, axis) = (data.value.ty().dims().len(), w.axis("axis")?);
    let grain = |operand: usize| {
        let value = number(&w.b, spread(&w.b, w.op.operand(operand), axis, rank)?);
        Some(value.cast(Element::of(data.element())?).value)
    };
    Some([grain(2)?, grain(3)?])
}

/// A result where the element type is one of those that have numbers, and the data elsewhere.
fn where_known(w: &Written, made: Number<'_>) -> Vec<Value> {
    let code = w.operand(1);
    let from = code.by(relay::GREATER_EQUAL, CODES[0].0);
    let to = code.by(relay::LESS_EQUAL, CODES[CODES.len() - 1].0);
    let is_known = from.binary(relay::LOGICAL_AND, to.value).value;
    vec![made.where_(is_known, w.op.operand(0)).value]
}

fn simulated_quantize(op: Op) -> Option<Vec<Value>> {
    let w = Written::of(op, relay::QNN_SIMULATED_QUANTIZE)?;
    let [scale, zero] = simulated_grain(&w)?;
    let steps = w.operand(0).binary(relay::DIVIDE, scale);
    let steps = steps.unary(relay::ROUND).binary(relay::ADD, zero);
    let limit = |of: fn(Element) -> f64| {
        let known = |element: Element| number(&w.b, scalar(&w.b, steps.element(), of(element)));
        let (_, last) = CODES[CODES.len() - 1];
        CODES.iter().fold(known(last), |others, (code, element)| {
            let is_it = w.operand(1).by(relay::EQUAL, *code).value;
            known(*element).where_(is_it, others.value)
        })
    };
    let clipped = steps
        .binary(relay::MINIMUM, limit(Element::greatest).value)
        .binary(relay::MAXIMUM, limit(Element::least).value);
    Some(where_known(&w, clipped))
}

fn simulated_dequantize(op: Op) -> Option<Vec<Value>> {
    let w = Written::of(op, relay::QNN_SIMULATED_DEQUANTIZE)?;
    let [scale, zero] = simulated_grain(&w)?;
    let distance = w.operand(0).binary(relay::SUBTRACT, zero);
    Some(where_known(&w, distance.binary(relay::MULTIPLY, scale)))
}
