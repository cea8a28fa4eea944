//! `qnn-legalize`: operators on quantised tensors in the forms that have kernels.

mod arithmetic;
mod blocks;
mod data_products;
mod operators;
mod requantize;

use self::{
    arithmetic::{number, spread},
    requantize::requantize,
};
use super::{
    canonicalize_ops::transposed_conv,
    convert_layout::{Desired, convert},
};
use crate::graph::{
    operators::{cast, is_foldable, known_number, make, remake},
    rewrite,
    shapes::reshape,
};
use relay_dialects::{
    Element,
    ir::{Attr, Builder, Op, Type, Value, named},
    names::relay,
    ops::func,
    pass::{Options, PassResult, PassSpec},
    relay::{
        Attrs,
        build::scalar,
        ops::{
            qnn::{
                DATA, DATA_ZERO, EXACT_F32, GREATEST_STEPS, HALF, MOST_PRODUCT, WEIGHT, WEIGHT_ZERO,
            },
            window::Window,
        },
    },
};
use relay_topi::cost::bytes::fits_groups;

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "qnn-legalize",
    summary: "rewrite operators on quantised tensors into those that have kernels",
    description: include_str!("qnn_legalize.md"),
    anchor: func::Func::NAME,
    options: &[],
    run,
};

/// The layouts of data for which convolutions of bytes have kernels.
const LAYOUTS: &[(&str, &str)] = &[
    (relay::QNN_CONV2D, "NCHW"),
    (relay::QNN_CONV2D_TRANSPOSE, "NCHW"),
];

fn run(function: Op, _options: &Options) -> PassResult {
    let steps: &[rewrite::Rule] = &[requantize, quantize, dequantize, blocks::product];
    rewrite::apply(function, &[operators::RULES, steps].concat())?;
    convert(function, Desired::of_data(LAYOUTS), Vec::new())?;
    let products: &[rewrite::Rule] = &[
        transposed_conv::as_convolution,
        change_signs,
        without_data_zero,
        without_weight_zero,
        product_of_data,
        batch_matmul,
        in_plain_numbers,
    ];
    rewrite::apply(function, products)
}

/// A scale or zero point in the shape in which it broadcasts along the attribute `axis` of an operator.
fn spread_of(b: &Builder, op: Op, value: Value) -> Option<Value> {
    let rank = op.operand(DATA).ty().dims().len();
    spread(b, value, Attrs::of(op).int("axis").ok()?, rank)
}

fn quantize(op: Op) -> Option<Vec<Value>> {
    if !op.is(relay::QNN_QUANTIZE) {
        return None;
    }
    let b = Builder::before(op);
    let to = op.result(0).ty().element();
    let element = Element::of(to)?;
    let scale = spread_of(&b, op, op.operand(1))?;
    let float = scale.ty().element();
    let steps = make(
        &b,
        relay::DIVIDE,
        &[cast(&b, op.operand(DATA), float), scale],
        &[],
    );
    let limit = |number: f64| Attr::f64(b.ctx, number);
    let clip = |steps: Value, zero: f64| {
        let limits = [
            ("a_min", limit(element.least() - zero)),
            (
                "a_max",
                limit((element.greatest() - zero).min(GREATEST_STEPS)),
            ),
        ];
        make(&b, relay::CLIP, &[steps], &limits)
    };
    let round = |steps: Value| make(&b, relay::ROUND, &[steps], &[]);
    // Around a zero point that is known, what is clipped is rounded last, by the instruction that makes an integer of it.
    if let Some(zero) = known_number(op.operand(2)) {
        let word = Element::I32.ty(b.ctx);
        let steps = cast(&b, round(clip(steps, zero)), word);
        let sum = match zero {
            0.0 => steps,
            _ => make(&b, relay::ADD, &[steps, scalar(&b, word, zero)], &[]),
        };
        return Some(vec![cast(&b, sum, to)]);
    }
    let zero = cast(&b, spread_of(&b, op, op.operand(2))?, float);
    let sum = make(&b, relay::ADD, &[round(steps), zero], &[]);
    let clipped = clip(sum, 0.0);
    Some(vec![cast(&b, clipped, to)])
}

fn dequantize(op: Op) -> Option<Vec<Value>> {
    if !op.is(relay::QNN_DEQUANTIZE) {
        return None;
    }
    let b = Builder::before(op);
    let scale = spread_of(&b, op, op.operand(1))?;
    let float = scale.ty().element();
    let mut distance = cast(&b, op.operand(DATA), float);
    if known_number(op.operand(2)) != Some(0.0) {
        let zero = cast(&b, spread_of(&b, op, op.operand(2))?, float);
        distance = make(&b, relay::SUBTRACT, &[distance, zero], &[]);
    }
    Some(vec![make(&b, relay::MULTIPLY, &[distance, scale], &[])])
}

/// Whether an operator is a convolution of each channel on its own whose weight is known, and whose sums f32 holds: kernels read
/// its bytes, and compute in f32.
pub fn is_depthwise(op: Op) -> bool {
    if !op.is(relay::QNN_CONV2D) || !is_foldable(op.operand(WEIGHT)) {
        return false;
    }
    let (data, weight) = (
        op.operand(DATA).ty().dims(),
        op.operand(WEIGHT).ty().shape(),
    );
    let groups = Attrs::of(op).int("groups").unwrap_or_default();
    groups > 1
        && data[1].known() == Some(groups)
        && weight[..2] == [groups, 1]
        && is_exact_in_f32(op)
        && is_foldable(op.operand(WEIGHT_ZERO))
}

/// Whether f32 holds all sums of a product of distances.
fn is_exact_in_f32(op: Op) -> bool {
    let products = op.operand(WEIGHT).ty().shape()[1..]
        .iter()
        .try_fold(1i64, |all, extent| {
            (*extent >= 0).then(|| all.saturating_mul(*extent))
        });
    products.is_some_and(|products| products.saturating_mul(MOST_PRODUCT) <= EXACT_F32)
}

/// The narrowest float that holds all sums of a product of distances.
fn float_of_sums(op: Op) -> Element {
    match is_exact_in_f32(op) {
        true => Element::F32,
        false => Element::F64,
    }
}

/// Whether an operator is a product of distances that kernels of bytes compute, perhaps after it was rewritten.
fn is_product_of_bytes(op: Op) -> bool {
    match op.name().as_str() {
        relay::QNN_DENSE => is_foldable(op.operand(WEIGHT)),
        relay::QNN_CONV2D => {
            let groups = Attrs::of(op).int("groups");
            let kernel = op.operand(WEIGHT).ty().shape();
            let fits = groups
                .clone()
                .is_ok_and(|groups| fits_groups(groups, &kernel));
            let has_channels = op.operand(DATA).ty().dims()[1].is_known();
            // A zero point costs the sums of the data that a window meets, which are few in one group.
            let fits_zero = has_central_weight(op)
                || groups == Ok(1) && is_foldable(op.operand(WEIGHT_ZERO)) && has_static_window(op);
            fits && has_channels && is_foldable(op.operand(WEIGHT)) && fits_zero
        }
        _ => false,
    }
}

/// Whether the padding of a convolution is known, so that the sums of its windows are a convolution, too.
fn has_static_window(op: Op) -> bool {
    Window::of(&Attrs::of(op), &op.operand(WEIGHT).ty().shape()[2..]).is_ok()
}

/// Whether the zero point of a weight is 0 when its bytes are signed.
fn has_central_weight(op: Op) -> bool {
    let is_unsigned = op.operand(WEIGHT).ty().element().is_unsigned();
    let central = if is_unsigned { HALF } else { 0.0 };
    known_number(op.operand(WEIGHT_ZERO)) == Some(central)
}

/// A product with other operands.
fn changed(b: &Builder, op: Op, changes: &[(usize, Value)]) -> Value {
    let mut operands = op.operands();
    for (number, value) in changes {
        operands[*number] = *value;
    }
    remake(b, op, &operands, &[])
}

/// A scalar, or a vector, plus a number.
fn plus(b: &Builder, value: Value, number: f64) -> Value {
    if let (Some(known), []) = (known_number(value), &value.ty().shape()[..]) {
        return scalar(b, value.ty().element(), known + number);
    }
    let number = scalar(b, value.ty().element(), number);
    make(b, relay::ADD, &[value, number], &[])
}

/// Bytes with their highest bit flipped, in the type of the other sign.
fn flipped(b: &Builder, bytes: Value, to: Type) -> Value {
    let dtype = [("dtype", Attr::ty(to))];
    let bits = make(b, relay::REINTERPRET, &[bytes], &dtype);
    let highest = if to.is_unsigned() { HALF } else { -HALF };
    make(b, relay::BITWISE_XOR, &[bits, scalar(b, to, highest)], &[])
}

/// Unsigned data, and a weight of signed bytes.
fn change_signs(op: Op) -> Option<Vec<Value>> {
    if !is_product_of_bytes(op) {
        return None;
    }
    let is_unsigned = |number: usize| op.operand(number).ty().element().is_unsigned();
    let (operand, zero, to) = match (is_unsigned(DATA), is_unsigned(WEIGHT)) {
        (false, _) => (DATA, DATA_ZERO, Element::U8),
        (_, true) => (WEIGHT, WEIGHT_ZERO, Element::I8),
        _ => return None,
    };
    let b = Builder::before(op);
    let to = to.ty(b.ctx);
    let other = flipped(&b, op.operand(operand), to);
    let highest = if to.is_unsigned() { HALF } else { -HALF };
    let moved = plus(&b, op.operand(zero), highest);
    Some(vec![changed(&b, op, &[(operand, other), (zero, moved)])])
}

/// The sums of a weight for each output, as they broadcast to the result.
fn sums_of_weight(b: &Builder, op: Op) -> Value {
    let weight = cast(b, op.operand(WEIGHT), Element::I32.ty(b.ctx));
    let rank = weight.ty().shape().len() as i64;
    let axes: Vec<i64> = (1..rank).collect();
    let sums = make(
        b,
        relay::SUM,
        &[weight],
        &[("axis", Attr::ints(b.ctx, &axes))],
    );
    by_output(b, op, sums)
}

/// A vector of one number for each output, as it broadcasts to the result; a scalar as it is.
fn by_output(b: &Builder, op: Op, vector: Value) -> Value {
    match vector.ty().shape()[..] {
        [count] if op.is(relay::QNN_CONV2D) => reshape(b, vector, &[count, 1, 1]),
        _ => vector,
    }
}

/// A product of data with a zero point of 0.
fn without_data_zero(op: Op) -> Option<Vec<Value>> {
    let zero = || op.operand(DATA_ZERO);
    if !is_product_of_bytes(op) || known_number(zero()) == Some(0.0) {
        return None;
    }
    let b = Builder::before(op);
    let none = scalar(&b, zero().ty().element(), 0.0);
    let (data, padding) = padded(&b, op);
    let mut operands = op.operands();
    (operands[DATA], operands[DATA_ZERO]) = (data, none);
    let product = remake(&b, op, &operands, &padding);
    let mut sums = sums_of_weight(&b, op);
    if known_number(op.operand(WEIGHT_ZERO)) != Some(0.0) {
        // Each of the inputs is multiplied with the distance of the weight.
        let inputs: i64 = op.operand(WEIGHT).ty().shape()[1..].iter().product();
        let inputs = scalar(&b, zero().ty().element(), inputs as f64);
        let zeros = by_output(&b, op, op.operand(WEIGHT_ZERO));
        let zeros = make(&b, relay::MULTIPLY, &[zeros, inputs], &[]);
        sums = make(&b, relay::SUBTRACT, &[sums, zeros], &[]);
    }
    let correction = make(&b, relay::MULTIPLY, &[sums, zero()], &[]);
    Some(vec![make(&b, relay::SUBTRACT, &[product, correction], &[])])
}

/// The data with its zero point around it, and the attributes of the product that has no padding of its own then.
fn padded(b: &Builder, op: Op) -> (Value, Vec<(&'static str, Attr)>) {
    let data = op.operand(DATA);
    let padding = Attrs::of(op).ints("padding").unwrap_or_default();
    let [top, left, bottom, right] = padding[..] else {
        return (data, Vec::new());
    };
    if padding.iter().all(|width| *width == 0) {
        return (data, Vec::new());
    }
    let zero = cast(b, op.operand(DATA_ZERO), data.ty().element());
    let widths = [(
        "pad_width",
        Attr::ints(b.ctx, &[0, 0, 0, 0, top, bottom, left, right]),
    )];
    let data = make(b, relay::NN_PAD, &[data, zero], &widths);
    (data, vec![("padding", Attr::ints(b.ctx, &[0; 4]))])
}

/// A product of a weight with a zero point of 0.
fn without_weight_zero(op: Op) -> Option<Vec<Value>> {
    let zero = || op.operand(WEIGHT_ZERO);
    if !is_product_of_bytes(op)
        || op.operand(WEIGHT).ty().element().is_unsigned()
        || known_number(op.operand(DATA_ZERO)) != Some(0.0)
        || known_number(zero()) == Some(0.0)
    {
        return None;
    }
    let b = Builder::before(op);
    let word = zero().ty().element();
    let product = changed(&b, op, &[(WEIGHT_ZERO, scalar(&b, word, 0.0))]);
    let sums = match op.is(relay::QNN_CONV2D) {
        true => sums_of_windows(&b, op)?,
        false => sums_along_second(&b, cast(&b, op.operand(DATA), word)),
    };
    let zeros = by_output(&b, op, zero());
    let correction = make(&b, relay::MULTIPLY, &[sums, zeros], &[]);
    Some(vec![make(&b, relay::SUBTRACT, &[product, correction], &[])])
}

/// The sums along the second dimension, which stays.
fn sums_along_second(b: &Builder, value: Value) -> Value {
    let axis = [
        ("axis", Attr::ints(b.ctx, &[1])),
        ("keepdims", Attr::bool(b.ctx, true)),
    ];
    make(b, relay::SUM, &[value], &axis)
}

/// The sums of the data that each window of a convolution in one group meets: a convolution by ones of the sums of channels.
fn sums_of_windows(b: &Builder, op: Op) -> Option<Value> {
    let float = float_of_sums(op).ty(b.ctx);
    let channels = sums_along_second(b, cast(b, op.operand(DATA), float));
    let kernel = op.operand(WEIGHT).ty().shape();
    let shape = [("shape", Attr::ints(b.ctx, &[1, 1, kernel[2], kernel[3]]))];
    let ones = make(b, relay::BROADCAST_TO, &[scalar(b, float, 1.0)], &shape);
    let attrs = op.attrs();
    let mut attrs = named(&attrs);
    attrs.retain(|(name, _)| ["strides", "padding", "dilation"].contains(name));
    let made = b.inferred(relay::NN_CONV2D, &[channels, ones], &attrs)?;
    Some(cast(b, made.result(0), op.result(0).ty().element()))
}

/// The zero point of a weight, as it broadcasts to that. Transposed convolutions have the outputs of a group in the second dimension.
pub fn zero_of_weight(b: &Builder, op: Op) -> Value {
    let zero = op.operand(WEIGHT_ZERO);
    let shape = op.operand(WEIGHT).ty().shape();
    match zero.ty().shape()[..] {
        [count] if op.is(relay::QNN_CONV2D_TRANSPOSE) => {
            let groups = Attrs::of(op).int("groups").unwrap_or(1).max(1);
            let inputs = shape[0] / groups;
            let by_group = reshape(b, zero, &[groups, 1, count / groups, 1, 1]);
            let each = [groups, inputs, count / groups, 1, 1];
            let each = [("shape", Attr::ints(b.ctx, &each))];
            let each = make(b, relay::BROADCAST_TO, &[by_group], &each);
            reshape(b, each, &[shape[0], count / groups, 1, 1])
        }
        [count] => {
            let mut ones = vec![1; shape.len()];
            ones[0] = count;
            reshape(b, zero, &ones)
        }
        _ => zero,
    }
}

/// A product whose weight is data, too.
fn product_of_data(op: Op) -> Option<Vec<Value>> {
    match is_product_of_bytes(op) {
        true => None,
        false => data_products::product(op),
    }
}

/// A product of two tensors of bytes, one per batch, as one of integers of 32 bits.
fn batch_matmul(op: Op) -> Option<Vec<Value>> {
    if !op.is(relay::QNN_BATCH_MATMUL) {
        return None;
    }
    let b = Builder::before(op);
    let distance = |operand: usize, zero: usize| {
        let wide = number(&b, op.operand(operand)).cast(Element::I32);
        wide.less(op.operand(zero)).value
    };
    let operands = [distance(DATA, DATA_ZERO), distance(WEIGHT, WEIGHT_ZERO)];
    let attrs = op.attrs();
    let made = make(&b, relay::NN_BATCH_MATMUL, &operands, &named(&attrs));
    Some(vec![made])
}

/// Other products: convolutions of floats that hold all sums, and dense ones of integers.
fn in_plain_numbers(op: Op) -> Option<Vec<Value>> {
    if is_product_of_bytes(op) || is_depthwise(op) {
        return None;
    }
    let (name, element) = match op.name().as_str() {
        relay::QNN_DENSE => (relay::NN_DENSE, Element::I32),
        relay::QNN_CONV2D => (relay::NN_CONV2D, float_of_sums(op)),
        relay::QNN_CONV2D_TRANSPOSE => (relay::NN_CONV2D_TRANSPOSE, float_of_sums(op)),
        _ => return None,
    };
    let b = Builder::before(op);
    let element = element.ty(b.ctx);
    let distance = |operand: usize, zero: Value| {
        let value = cast(&b, op.operand(operand), element);
        match known_number(zero) {
            Some(0.0) => value,
            _ => make(&b, relay::SUBTRACT, &[value, cast(&b, zero, element)], &[]),
        }
    };
    let operands = [
        distance(DATA, op.operand(DATA_ZERO)),
        distance(WEIGHT, zero_of_weight(&b, op)),
    ];
    let attrs = op.attrs();
    let sums = b.inferred(name, &operands, &named(&attrs))?.result(0);
    Some(vec![cast(&b, sums, op.result(0).ty().element())])
}
