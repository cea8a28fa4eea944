//! `fake-quantization-to-integer`: products of dequantised operands as products of integers.

use crate::graph::{
    operators::{cast, is_foldable, is_plain_conv2d, make, remake},
    rewrite,
    shapes::reshape,
};
use relay_dialects::{
    Element,
    ir::{Attr, Builder, Op, Value},
    names::relay,
    ops::func,
    pass::{Options, PassResult, PassSpec},
    relay::{Attrs, relation::normalize_axis},
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "fake-quantization-to-integer",
    summary: "multiply integers in the place of dequantised floats",
    description: include_str!("fake_quantization_to_integer.md"),
    anchor: func::Func::NAME,
    options: &[],
    run,
};

fn run(function: Op, _options: &Options) -> PassResult {
    rewrite::apply(function, &[conv2d, dense, matmul])
}

/// Operators that only move elements of one operand: what they do to floats they do to bytes.
const MOVES: &[&str] = &[
    relay::RESHAPE,
    relay::TRANSPOSE,
    relay::SQUEEZE,
    relay::EXPAND_DIMS,
    relay::NN_BATCH_FLATTEN,
];

/// A tensor of bytes, and what a step and zero are.
struct Quantized {
    bytes: Value,
    scale: Value,
    zero: Value,
}

impl Quantized {
    /// The operand of a `qnn.dequantize` from bytes to f32.
    fn of(value: Value) -> Option<(Self, Op)> {
        let op = value.def_of(relay::QNN_DEQUANTIZE)?;
        let element = Element::of(op.operand(0).ty().element())?;
        let fits = matches!(element, Element::I8 | Element::U8) && value.ty().element().is_f32();
        let quantized = Self {
            bytes: op.operand(0),
            scale: op.operand(1),
            zero: op.operand(2),
        };
        fits.then_some((quantized, op))
    }

    /// Data with one scale, which may have been moved since.
    fn of_data(value: Value) -> Option<Self> {
        if let Some((known, _)) = Self::of(value) {
            let is_whole = [known.scale, known.zero]
                .iter()
                .all(|value| value.ty().shape().is_empty());
            return is_whole.then_some(known);
        }
        let op = value.def()?;
        if !MOVES.iter().any(|name| op.is(name)) || op.operand_count() != 1 {
            return None;
        }
        let source = Self::of_data(op.operand(0))?;
        let moved = remake(&Builder::before(op), op, &[source.bytes], &[]);
        Some(Self {
            bytes: moved,
            ..source
        })
    }

    /// A constant weight with one scale, or with one for each output, which are along `axis`.
    fn of_weight(value: Value, axis: usize) -> Option<Self> {
        if let Some(op) = value.def_of(relay::TRANSPOSE)
            && value.ty().shape().len() == 2
        {
            let source = Self::of_weight(op.operand(0), 1 - axis)?;
            let moved = remake(&Builder::before(op), op, &[source.bytes], &[]);
            return Some(Self {
                bytes: moved,
                ..source
            });
        }
        let (known, op) = Self::of(value)?;
        let rank = known.bytes.ty().shape().len();
        let own = normalize_axis(Attrs::of(op).int("axis").ok()?, rank).ok()?;
        let is_along = [known.scale, known.zero]
            .iter()
            .all(|value| value.ty().shape().is_empty() || own == axis);
        (is_along && is_foldable(known.bytes)).then_some(known)
    }
}

/// A product of integers in the place of `op`, in steps of the product of the scales. `behind` dimensions of the result are
/// behind that of outputs.
fn product(
    b: &Builder,
    name: &str,
    [data, weight]: [&Quantized; 2],
    attrs: &[(&str, Attr)],
    behind: usize,
) -> Option<Value> {
    let operands = [
        data.bytes,
        weight.bytes,
        data.zero,
        weight.zero,
        data.scale,
        weight.scale,
    ];
    let sums = b.inferred(name, &operands, attrs)?.result(0);
    let sums = cast(b, sums, data.scale.ty().element());
    let step = make(b, relay::MULTIPLY, &[weight.scale, data.scale], &[]);
    let step = match step.ty().shape()[..] {
        [count] if behind > 0 => reshape(b, step, &[&[count], &vec![1; behind][..]].concat()),
        _ => step,
    };
    Some(make(b, relay::MULTIPLY, &[sums, step], &[]))
}

fn conv2d(op: Op) -> Option<Vec<Value>> {
    if !is_plain_conv2d(op) {
        return None;
    }
    // In one group, or of each channel on its own.
    let (groups, kernel) = (
        Attrs::of(op).int("groups").ok()?,
        op.operand(1).ty().shape(),
    );
    let is_depthwise = kernel[..2] == [groups, 1];
    let has_channels = op.operand(0).ty().dims()[1].is_known();
    if !has_channels || !(groups == 1 || is_depthwise) {
        return None;
    }
    let weight = Quantized::of_weight(op.operand(1), 0)?;
    let data = Quantized::of_data(op.operand(0))?;
    let b = Builder::before(op);
    let attrs = op.attrs();
    let attrs = attrs.iter().map(|(name, attr)| (name.as_str(), *attr));
    let attrs: Vec<_> = attrs.filter(|(name, _)| *name != "out_layout").collect();
    Some(vec![product(
        &b,
        relay::QNN_CONV2D,
        [&data, &weight],
        &attrs,
        2,
    )?])
}

fn dense(op: Op) -> Option<Vec<Value>> {
    if !op.is(relay::NN_DENSE) {
        return None;
    }
    let weight = Quantized::of_weight(op.operand(1), 0)?;
    let data = Quantized::of_data(op.operand(0))?;
    let b = Builder::before(op);
    Some(vec![product(
        &b,
        relay::QNN_DENSE,
        [&data, &weight],
        &[],
        0,
    )?])
}

/// A product with a matrix, of rows or of batches of rows.
fn matmul(op: Op) -> Option<Vec<Value>> {
    let is_product = op.is(relay::NN_MATMUL) || op.is(relay::NN_BATCH_MATMUL);
    if !is_product || op.operand(1).ty().shape().len() != 2 {
        return None;
    }
    let attrs = Attrs::of(op);
    if attrs.bool("transpose_a").ok()? {
        return None;
    }
    let is_transposed = attrs.bool("transpose_b").ok()?;
    let weight = Quantized::of_weight(op.operand(1), usize::from(!is_transposed))?;
    let data = Quantized::of_data(op.operand(0))?;
    let b = Builder::before(op);
    let axes = [("axes", Attr::ints(b.ctx, &[1, 0]))];
    let weight = match is_transposed {
        true => weight,
        false => Quantized {
            bytes: make(&b, relay::TRANSPOSE, &[weight.bytes], &axes),
            ..weight
        },
    };
    Some(vec![product(
        &b,
        relay::QNN_DENSE,
        [&data, &weight],
        &[],
        0,
    )?])
}
