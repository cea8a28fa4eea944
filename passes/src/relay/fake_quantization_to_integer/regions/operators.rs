//! The operators of regions, on integers.

use super::{Affine, Region};
use crate::{
    graph::operators::{cast, constant, is_plain_conv2d, known_number, make, remake},
    relay::fake_quantization_to_integer::{plain_layout, steps_of_products},
};
use relay_dialects::{
    Element,
    ir::{Attr, Op, Value, named},
    names::relay,
    relay::{
        Attrs,
        build::{changed_of, scalar},
    },
};

/// Writes an operator on integers, and says what they stand for.
type Convert = fn(&mut Region, Op) -> Option<Affine>;

/// How each operator is converted.
const OPERATORS: &[(&str, Convert)] = &[
    (relay::RESHAPE, same),
    (relay::SQUEEZE, same),
    (relay::STRIDED_SLICE, same),
    (relay::TRANSPOSE, same),
    (relay::EXPAND_DIMS, same),
    (relay::BROADCAST_TO, same),
    (relay::TAKE, same),
    (relay::MAX, same),
    (relay::MIN, same),
    (relay::NN_MAX_POOL2D, same),
    (relay::NN_BATCH_FLATTEN, same),
    (relay::NN_DEPTH_TO_SPACE, same),
    (relay::NN_AVG_POOL2D, avg_pool2d),
    (relay::NN_GLOBAL_AVG_POOL2D, global_avg_pool2d),
    (relay::MEAN, mean),
    (relay::NN_BIAS_ADD, bias_add),
    (relay::NN_CONV2D, conv2d),
    (relay::NN_CONV2D_TRANSPOSE, conv2d_transpose),
    (relay::NN_DENSE, dense),
    (relay::NN_MATMUL, matmul),
    (relay::NN_BATCH_MATMUL, matmul),
    (relay::CONCATENATE, concatenate),
    (relay::CLIP, clip),
    (relay::NN_RELU, relu),
    (relay::NN_LEAKY_RELU, leaky_relu),
    (relay::NN_PAD, pad),
    (relay::ADD, |region, op| binary(region, op, relay::QNN_ADD)),
    (relay::SUBTRACT, |region, op| {
        binary(region, op, relay::QNN_SUBTRACT)
    }),
    (relay::MULTIPLY, |region, op| {
        binary(region, op, relay::QNN_MUL)
    }),
    (relay::MINIMUM, extremum),
    (relay::MAXIMUM, extremum),
    (relay::SQRT, |region, op| unary(region, op, relay::QNN_SQRT)),
    (relay::RSQRT, |region, op| {
        unary(region, op, relay::QNN_RSQRT)
    }),
    (relay::EXP, |region, op| unary(region, op, relay::QNN_EXP)),
    (relay::ERF, |region, op| unary(region, op, relay::QNN_ERF)),
    (relay::SIGMOID, |region, op| {
        unary(region, op, relay::QNN_SIGMOID)
    }),
    (relay::TANH, |region, op| unary(region, op, relay::QNN_TANH)),
    (relay::ABS, |region, op| unary(region, op, relay::QNN_ABS)),
    (relay::LOG, |region, op| unary(region, op, relay::QNN_LOG)),
    (relay::NN_SOFTMAX, softmax),
];

/// How an operator is converted, if it is.
pub fn find(op: Op) -> Option<Convert> {
    let known = OPERATORS.iter().find(|(name, _)| op.is(name));
    known.map(|(_, convert)| *convert)
}

/// An operator that does to integers what it does to floats.
fn same(region: &mut Region, op: Op) -> Option<Affine> {
    let x = whole(region, op, 0)?;
    let mut operands = op.operands();
    operands[0] = x.values;
    Some(x.with(remake(&region.b, op, &operands, &[])))
}

/// An operand with one scale and one zero point.
fn whole(region: &mut Region, op: Op, operand: usize) -> Option<Affine> {
    let x = region.affine(op.operand(operand))?;
    x.is_whole().then_some(x)
}

/// An operand of bytes with one scale and one zero point.
fn bytes(region: &mut Region, op: Op, operand: usize) -> Option<Affine> {
    let x = whole(region, op, operand)?;
    matches!(x.element()?, Element::I8 | Element::U8).then_some(x)
}

fn unary(region: &mut Region, op: Op, name: &str) -> Option<Affine> {
    let x = bytes(region, op, 0)?;
    let to = region.meaning_of(op, x);
    on_bytes(region, name, x, to, &[])
}

/// An operator on bytes that takes its operand's steps and those of the result.
fn on_bytes(
    region: &Region,
    name: &str,
    x: Affine,
    to: Affine,
    attrs: &[(&str, Attr)],
) -> Option<Affine> {
    if !to.is_whole() {
        return None;
    }
    let operands = [x.values, x.scale, x.zero, to.scale, to.zero];
    let made = region.b.inferred(name, &operands, attrs)?;
    Some(to.with(made.result(0)))
}

fn leaky_relu(region: &mut Region, op: Op) -> Option<Affine> {
    let x = bytes(region, op, 0)?;
    let alpha = Attr::f64(region.b.ctx, Attrs::of(op).float("alpha").ok()?);
    let to = region.meaning_of(op, x);
    on_bytes(region, relay::QNN_LEAKY_RELU, x, to, &[("alpha", alpha)])
}

fn softmax(region: &mut Region, op: Op) -> Option<Affine> {
    let x = bytes(region, op, 0)?;
    let is_fit = x.element() == Some(Element::I8) && known_number(x.scale)? <= 1.0;
    if !is_fit || !region.takes_inexact {
        return None;
    }
    let axis = Attr::i64(region.b.ctx, Attrs::of(op).int("axis").ok()?);
    let to = region.meaning_of(op, x);
    on_bytes(region, relay::QNN_SOFTMAX, x, to, &[("axis", axis)])
}

fn avg_pool2d(region: &mut Region, op: Op) -> Option<Affine> {
    let x = bytes(region, op, 0)?;
    let to = region.meaning_of(op, x);
    let attrs = op.attrs();
    on_bytes(region, relay::QNN_AVG_POOL2D, x, to, &named(&attrs))
}

fn global_avg_pool2d(region: &mut Region, op: Op) -> Option<Affine> {
    let x = whole(region, op, 0)?;
    let to = region.meaning_of(op, x);
    let wide = region.requantized(x, to, Element::I32)?;
    Some(wide.with(remake(&region.b, op, &[wide.values], &[])))
}

fn mean(region: &mut Region, op: Op) -> Option<Affine> {
    let x = whole(region, op, 0)?;
    let word = Element::I32.ty(region.b.ctx);
    let wide = cast(&region.b, x.values, word);
    let mean = remake(&region.b, op, &[wide], &[]);
    Some(x.with(cast(&region.b, mean, x.values.ty().element())))
}

/// A product of two tensors of bytes: `axis` of the result has the outputs.
fn product(
    region: &mut Region,
    op: Op,
    (name, axis): (&str, i64),
    attrs: &[(&str, Attr)],
) -> Option<Affine> {
    let data = bytes(region, op, 0)?;
    let weight = region.affine(op.operand(1))?;
    let operands = [
        data.values,
        weight.values,
        data.zero,
        weight.zero,
        data.scale,
        weight.scale,
    ];
    let sums = region.b.inferred(name, &operands, attrs)?.result(0);
    Some(Affine {
        values: sums,
        scale: steps_of_products(&region.b, data.scale, weight.scale),
        zero: scalar(&region.b, Element::I32.ty(region.b.ctx), 0.0),
        axis,
    })
}

fn conv2d(region: &mut Region, op: Op) -> Option<Affine> {
    if !is_plain_conv2d(op) {
        return None;
    }
    let attrs = op.attrs();
    product(region, op, (relay::QNN_CONV2D, 1), &plain_layout(&attrs))
}

fn conv2d_transpose(region: &mut Region, op: Op) -> Option<Affine> {
    let attrs = op.attrs();
    let attrs = plain_layout(&attrs);
    product(region, op, (relay::QNN_CONV2D_TRANSPOSE, 1), &attrs)
}

fn dense(region: &mut Region, op: Op) -> Option<Affine> {
    product(region, op, (relay::QNN_DENSE, 1), &[])
}

fn matmul(region: &mut Region, op: Op) -> Option<Affine> {
    let attrs = op.attrs();
    let attrs = changed_of(op, &attrs, &[]);
    let made = product(region, op, (relay::QNN_BATCH_MATMUL, -1), &attrs)?;
    made.is_whole().then_some(made)
}

/// Data and a bias in its steps, along an axis.
fn bias_add(region: &mut Region, op: Op) -> Option<Affine> {
    let x = region.affine(op.operand(0))?;
    let bias = match constant(op.operand(1)) {
        Some(_) => region.quantized(op.operand(1), x, 0)?,
        None => {
            let bias = region.affine(op.operand(1))?;
            region.requantized(bias, x, x.element()?)?.values
        }
    };
    Some(x.with(remake(&region.b, op, &[x.values, bias], &[])))
}

fn concatenate(region: &mut Region, op: Op) -> Option<Affine> {
    let operands = op.operands();
    let parts = operands.iter().map(|part| region.affine(*part));
    let parts = parts.collect::<Option<Vec<Affine>>>()?;
    let goal = region.goal;
    if !goal.is_whole() || !parts.iter().all(|part| part.is_whole()) {
        return None;
    }
    let list = |of: fn(&Affine) -> Value| parts.iter().map(of).collect::<Vec<Value>>();
    let operands = [
        list(|part| part.values),
        list(|part| part.scale),
        list(|part| part.zero),
        vec![goal.scale, goal.zero],
    ];
    let attrs = op.attrs();
    let operands = operands.concat();
    let made = region
        .b
        .inferred(relay::QNN_CONCATENATE, &operands, &named(&attrs))?;
    Some(goal.with(made.result(0)))
}

/// Limits in steps, rounded to zero.
fn clip(region: &mut Region, op: Op) -> Option<Affine> {
    let x = whole(region, op, 0)?;
    let (scale, zero) = (known_number(x.scale)?, known_number(x.zero)?);
    let limit = |name: &str| {
        let limit = Attrs::of(op).float(name).ok()?;
        Some(Attr::f64(region.b.ctx, (limit / scale + zero).trunc()))
    };
    let limits = [("a_min", limit("a_min")?), ("a_max", limit("a_max")?)];
    Some(x.with(remake(&region.b, op, &[x.values], &limits)))
}

fn relu(region: &mut Region, op: Op) -> Option<Affine> {
    let x = region.affine(op.operand(0))?;
    if !x.zero.ty().shape().is_empty() {
        return None;
    }
    let zero = cast(&region.b, x.zero, x.values.ty().element());
    let operands = [x.values, zero];
    Some(x.with(make(&region.b, relay::MAXIMUM, &operands, &[])))
}

fn pad(region: &mut Region, op: Op) -> Option<Affine> {
    let x = whole(region, op, 0)?;
    let value = match constant(op.operand(1)) {
        Some(_) => region.quantized(op.operand(1), x, -1)?,
        None => {
            let value = region.affine(op.operand(1))?;
            region.requantized(value, x, x.element()?)?.values
        }
    };
    Some(x.with(remake(&region.b, op, &[x.values, value], &[])))
}

/// Both operands of an operator on two tensors. A constant gets the steps of the other one.
fn operands(region: &mut Region, op: Op) -> Option<[Affine; 2]> {
    let [lhs, rhs] = [op.operand(0), op.operand(1)];
    let quantized = |region: &Region, number: Value, like: Affine| {
        // A vector of steps is along the dimension of the constant that is along that of the result.
        let behind = op.result(0).ty().shape().len() as i64 - like.axis;
        let axis = match like.is_whole() {
            true => -1,
            false => number.ty().shape().len() as i64 - behind,
        };
        Some(like.with(region.quantized(number, like, axis)?))
    };
    match [constant(lhs), constant(rhs)] {
        [None, None] => Some([region.affine(lhs)?, region.affine(rhs)?]),
        [None, Some(_)] => {
            let known = region.affine(lhs)?;
            Some([known, quantized(region, rhs, known)?])
        }
        [Some(_), None] => {
            let known = region.affine(rhs)?;
            Some([quantized(region, lhs, known)?, known])
        }
        [Some(_), Some(_)] => None,
    }
}

/// Sums, differences and products.
fn binary(region: &mut Region, op: Op, name: &str) -> Option<Affine> {
    let [mut lhs, mut rhs] = operands(region, op)?;
    let word = Some(Element::I32);
    let is_sum = op.is(relay::ADD) || op.is(relay::SUBTRACT);
    // Sums of products are added as they are.
    if is_sum && lhs.is_like(rhs) && [lhs, rhs].iter().all(|it| it.element() == word) {
        let sum = remake(&region.b, op, &[lhs.values, rhs.values], &[]);
        return (known_number(lhs.zero) == Some(0.0)).then(|| lhs.with(sum));
    }
    let to = region.goal;
    if !to.is_whole() {
        return None;
    }
    if lhs.element() != rhs.element() && is_sum {
        lhs = region.requantized(lhs, to, Element::I32)?;
        rhs = region.requantized(rhs, to, Element::I32)?;
    }
    let operands = [
        lhs.values, rhs.values, lhs.scale, lhs.zero, rhs.scale, rhs.zero, to.scale, to.zero,
    ];
    let axis = |axis: i64| Attr::i64(region.b.ctx, axis);
    let attrs = [("lhs_axis", axis(lhs.axis)), ("rhs_axis", axis(rhs.axis))];
    let made = region.b.inferred(name, &operands, &attrs)?;
    Some(to.with(made.result(0)))
}

/// The smaller or the greater of two numbers.
fn extremum(region: &mut Region, op: Op) -> Option<Affine> {
    let [lhs, rhs] = operands(region, op)?;
    let (to, element) = (region.goal, lhs.element()?);
    let lhs = region.requantized(lhs, to, element)?;
    let rhs = region.requantized(rhs, to, element)?;
    let both = [lhs.values, rhs.values];
    Some(to.with(remake(&region.b, op, &both, &[])))
}
