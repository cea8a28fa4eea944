//! What moves or chooses elements, on bytes in the place of dequantised floats.
//!
//! Bytes are a quarter of the memory, and `qnn.dequantize` fuses with what reads the floats. Arithmetic on elements stays on floats: it fuses with what is
//! around it there, too, and is not rounded to bytes in between.

use super::Quantized;
use crate::graph::operators::{are_equal, cast, known_number, make, remake};
use relay_dialects::{
    ir::{Builder, Op, Value},
    names::relay,
    relay::Attrs,
};

/// Operators that give the elements of their operand another shape: kernels read them where they lie.
const VIEWS: &[&str] = &[
    relay::RESHAPE,
    relay::SQUEEZE,
    relay::EXPAND_DIMS,
    relay::NN_BATCH_FLATTEN,
];

/// Operators that copy elements of their first operand.
const COPIES: &[&str] = &[
    relay::TRANSPOSE,
    relay::STRIDED_SLICE,
    relay::TAKE,
    relay::NN_DEPTH_TO_SPACE,
    relay::CONCATENATE,
];

/// Products that may become products of bytes.
const PRODUCTS: &[&str] = &[
    relay::NN_CONV1D,
    relay::NN_CONV1D_TRANSPOSE,
    relay::NN_CONV2D,
    relay::NN_CONV2D_TRANSPOSE,
    relay::NN_CONV3D,
    relay::NN_DENSE,
    relay::NN_MATMUL,
    relay::NN_BATCH_MATMUL,
];

/// Operators that choose the largest element: that of bytes, if a step is positive.
const LARGEST: &[&str] = &[
    relay::NN_MAX_POOL1D,
    relay::NN_MAX_POOL2D,
    relay::NN_MAX_POOL3D,
    relay::NN_GLOBAL_MAX_POOL2D,
];

impl Quantized {
    /// The floats that bytes stand for.
    fn dequantized(&self, b: &Builder, bytes: Value) -> Vec<Value> {
        let operands = [bytes, self.scale, self.zero];
        vec![make(b, relay::QNN_DEQUANTIZE, &operands, &[])]
    }

    /// Whether a step is known to be positive.
    fn is_rising(&self) -> bool {
        known_number(self.scale).is_some_and(|scale| scale > 0.0)
    }

    /// Whether bytes of both mean the same.
    fn is_like(&self, other: &Self) -> bool {
        are_equal(self.scale, other.scale) && are_equal(self.zero, other.zero)
    }
}

fn is_one(op: Op, names: &[&str]) -> bool {
    names.iter().any(|name| op.is(name))
}

/// Whether somebody reads bytes if the floats of a value are made of them behind it. Else a kernel that writes floats would be followed by
/// another one that makes them.
fn is_read_as_bytes(value: Value) -> bool {
    let reads = |op: &Op| {
        is_one(*op, COPIES)
            || is_one(*op, LARGEST)
            || op.is(relay::QNN_QUANTIZE)
            || is_one(*op, PRODUCTS) && op.operands()[..2].iter().all(|it| is_dequantized(*it))
            || (is_one(*op, VIEWS) || op.is(relay::NN_PAD)) && is_read_as_bytes(op.result(0))
    };
    value.users().iter().any(reads)
}

/// Whether a value is dequantised, and perhaps moved then.
fn is_dequantized(value: Value) -> bool {
    match value.def() {
        Some(op) if is_one(op, VIEWS) || is_one(op, COPIES) => is_dequantized(op.operand(0)),
        Some(op) => op.is(relay::QNN_DEQUANTIZE),
        None => false,
    }
}

/// An operator that moves or chooses elements of dequantised bytes.
pub fn sink(op: Op) -> Option<Vec<Value>> {
    let is_largest = is_one(op, LARGEST);
    let is_move = is_one(op, COPIES) || is_one(op, VIEWS) && is_read_as_bytes(op.result(0));
    if !is_move && !is_largest || op.is(relay::CONCATENATE) {
        return None;
    }
    let source = Quantized::of_data(op.operand(0))?;
    if is_largest && !source.is_rising() {
        return None;
    }
    let b = Builder::before(op);
    let mut operands = op.operands();
    operands[0] = source.bytes;
    let moved = remake(&b, op, &operands, &[]);
    Some(source.dequantized(&b, moved))
}

/// Dequantised bytes with zeros around them.
pub fn pad(op: Op) -> Option<Vec<Value>> {
    if !op.is(relay::NN_PAD) || !is_read_as_bytes(op.result(0)) {
        return None;
    }
    let source = Quantized::of_data(op.operand(0))?;
    let is_constant = Attrs::of(op).str("pad_mode").ok()? == "constant";
    if is_constant && known_number(op.operand(1)) != Some(0.0) {
        return None;
    }
    let b = Builder::before(op);
    let zero = cast(&b, source.zero, source.bytes.ty().element());
    let padded = remake(&b, op, &[source.bytes, zero], &[]);
    Some(source.dequantized(&b, padded))
}

/// Dequantised bytes of one meaning one after the other.
pub fn concatenate(op: Op) -> Option<Vec<Value>> {
    if !op.is(relay::CONCATENATE) {
        return None;
    }
    let parts = op.operands().into_iter().map(Quantized::of_data);
    let parts = parts.collect::<Option<Vec<Quantized>>>()?;
    let (first, rest) = parts.split_first()?;
    let element = first.bytes.ty().element();
    let fits = |part: &Quantized| part.is_like(first) && part.bytes.ty().element() == element;
    if !rest.iter().all(fits) {
        return None;
    }
    let b = Builder::before(op);
    let bytes: Vec<Value> = parts.iter().map(|part| part.bytes).collect();
    let joined = remake(&b, op, &bytes, &[]);
    Some(first.dequantized(&b, joined))
}

/// Bytes that are quantised as they were before they were dequantised: they are what they were, because a quotient of a product by its factor is
/// less than half a step from what was multiplied.
pub fn quantize(op: Op) -> Option<Vec<Value>> {
    if !op.is(relay::QNN_QUANTIZE) {
        return None;
    }
    let source = Quantized::of_data(op.operand(0))?;
    let result = Quantized {
        bytes: op.result(0),
        scale: op.operand(1),
        zero: op.operand(2),
    };
    let is_same = source.bytes.ty().element() == op.result(0).ty().element();
    (is_same && source.is_like(&result) && source.is_rising()).then(|| vec![source.bytes])
}
