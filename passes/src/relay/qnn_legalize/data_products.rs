//! Products of bytes that are data on both sides: the second operand is packed into words when the model runs.

use super::{arithmetic::number, flipped, plus};
use crate::graph::{
    operators::{known_number, make},
    shapes::{fill_axis, slice_axis},
};
use relay_dialects::{
    Element,
    ir::{Attr, Builder, Op, Value},
    names::relay,
    relay::{
        Attrs,
        build::scalar,
        ops::qnn::{BYTE_BITS, DATA, DATA_ZERO, FIRST_BYTE, HALF, WEIGHT, WEIGHT_ZERO, WORD},
    },
};
use relay_topi::cost::bytes::is_worth_packing;

/// Bytes and their zero point.
struct Bytes {
    values: Value,
    zero: Value,
}

impl Bytes {
    /// As bytes of the other sign, if they have the wrong one.
    fn with_sign(self, b: &Builder, to: Element) -> Self {
        let to = to.ty(b.ctx);
        if self.values.ty().element() == to {
            return self;
        }
        let highest = if to.is_unsigned() { HALF } else { -HALF };
        Self {
            values: flipped(b, self.values, to),
            zero: plus(b, self.zero, highest),
        }
    }

    /// With its last two dimensions exchanged.
    fn transposed(self, b: &Builder) -> Self {
        let rank = self.values.ty().dims().len() as i64;
        let mut axes: Vec<i64> = (0..rank).collect();
        axes.swap(rank as usize - 2, rank as usize - 1);
        let axes = [("axes", Attr::ints(b.ctx, &axes))];
        Self {
            values: make(b, relay::TRANSPOSE, &[self.values], &axes),
            ..self
        }
    }

    /// The sums along an axis, which stays.
    fn sums(&self, b: &Builder, axis: usize) -> Value {
        let wide = number(b, self.values).cast(Element::I32);
        wide.reduce(relay::SUM, axis as i64).value
    }
}

/// Each four rows of a matrix, or of each of a batch, as one of words.
fn words(b: &Builder, bytes: Value, axis: usize) -> Value {
    let end = bytes.ty().shape()[axis];
    let byte = |place: i64| {
        let rows = slice_axis(b, bytes, axis, (place, end, WORD));
        let wide = number(b, rows).cast(Element::I32);
        // The sign of the last one is that of the word.
        let low = match place + 1 {
            WORD => wide,
            _ => wide.by(relay::BITWISE_AND, FIRST_BYTE),
        };
        match place {
            0 => low,
            _ => low.by(relay::LEFT_SHIFT, (BYTE_BITS * place) as f64),
        }
    };
    let others = (1..WORD).map(byte);
    let all = others.fold(byte(0), |word, byte| {
        word.binary(relay::BITWISE_OR, byte.value)
    });
    all.value
}

/// `qnn.batch_matmul`, and `qnn.dense` of a weight that is not known.
pub fn product(op: Op) -> Option<Vec<Value>> {
    let transposed = match op.name().as_str() {
        relay::QNN_BATCH_MATMUL => {
            let attrs = Attrs::of(op);
            [
                attrs.bool("transpose_a").ok()?,
                attrs.bool("transpose_b").ok()?,
            ]
        }
        relay::QNN_DENSE => [false, true],
        _ => return None,
    };
    let shape = op.operand(DATA).ty().dims();
    let rank = shape.len();
    let (mut rows, mut depth) = (shape[rank - 2], shape[rank - 1]);
    if transposed[0] {
        (rows, depth) = (depth, rows);
    }
    let depth = depth.known().filter(|_| is_worth_packing(rows))?;
    let b = Builder::before(op);
    let bytes = |operand: usize, zero: usize, is_transposed: bool, sign: Element| {
        let bytes = Bytes {
            values: op.operand(operand),
            zero: op.operand(zero),
        };
        let bytes = bytes.with_sign(&b, sign);
        match is_transposed {
            true => bytes.transposed(&b),
            false => bytes,
        }
    };
    let x = bytes(DATA, DATA_ZERO, transposed[0], Element::U8);
    let y = bytes(WEIGHT, WEIGHT_ZERO, transposed[1], Element::I8);
    let data = fill_axis(&b, x.values, rank - 1, WORD);
    let weight = words(&b, fill_axis(&b, y.values, rank - 2, WORD), rank - 2);
    let name = relay::QNN_CONTRIB_BATCH_MATMUL_PACK;
    let sums = number(&b, make(&b, name, &[data, weight], &[]));
    Some(vec![without_zeros(&b, sums.value, [&x, &y], depth)])
}

/// Sums of products of bytes as those of the distances from their zero points.
fn without_zeros(b: &Builder, sums: Value, [x, y]: [&Bytes; 2], depth: i64) -> Value {
    let rank = sums.ty().dims().len();
    let is_zero = |bytes: &Bytes| known_number(bytes.zero) == Some(0.0);
    let mut sums = number(b, sums);
    if !is_zero(x) {
        let of_columns = number(b, y.sums(b, rank - 2)).binary(relay::MULTIPLY, x.zero);
        sums = sums.binary(relay::SUBTRACT, of_columns.value);
    }
    if !is_zero(y) {
        let of_rows = number(b, x.sums(b, rank - 1)).binary(relay::MULTIPLY, y.zero);
        sums = sums.binary(relay::SUBTRACT, of_rows.value);
    }
    if !is_zero(x) && !is_zero(y) {
        let count = scalar(b, x.zero.ty().element(), depth as f64);
        let both = number(b, y.zero).binary(relay::MULTIPLY, x.zero);
        let both = both.binary(relay::MULTIPLY, count);
        sums = sums.binary(relay::ADD, both.value);
    }
    sums.value
}
