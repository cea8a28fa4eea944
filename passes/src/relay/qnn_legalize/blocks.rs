//! Products with dequantised blocks.

use crate::graph::operators::{is_foldable, make};
use relay_dialects::{
    ir::{Attr, Builder, Op, Value},
    names::relay,
    relay::Attrs,
};

/// A product with a weight that is dequantised from blocks, as one that reads the blocks.
pub fn product(op: Op) -> Option<Vec<Value>> {
    let weight = match op.name().as_str() {
        relay::NN_DENSE => op.operand(1),
        relay::NN_MATMUL => rows_of(op)?,
        _ => return None,
    };
    let dequantized = weight.def_of(relay::NN_DEQUANTIZE_BLOCKS)?;
    let known = dequantized.operands().into_iter().all(is_foldable);
    if !known || op.operand(0).ty().dims().len() != 2 {
        return None;
    }
    let b = Builder::before(op);
    let bits = Attrs::of(dequantized).int("bits").ok()?;
    let operands = [&[op.operand(0)], &dequantized.operands()[..]].concat();
    let bits = [("bits", Attr::i64(b.ctx, bits))];
    Some(vec![make(&b, relay::NN_DENSE_BLOCKS, &operands, &bits)])
}

/// The second operand of a product of matrices with its columns as rows.
fn rows_of(product: Op) -> Option<Value> {
    let attrs = Attrs::of(product);
    if attrs.bool("transpose_a").ok()? {
        return None;
    }
    let weight = product.operand(1);
    match attrs.bool("transpose_b").ok()? {
        true => Some(weight),
        false => {
            let transpose = weight.def_of(relay::TRANSPOSE)?;
            let axes = Attrs::of(transpose).ints("axes").unwrap_or_default();
            let is_swap = axes.is_empty() || axes == [1, 0];
            is_swap.then(|| transpose.operand(0))
        }
    }
}
