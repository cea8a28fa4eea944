//! `quantize-realize`: makes quantised tensors of marked operands.

use super::fold_constant::{self, CACHE};
use crate::graph::{
    operators::{functions, is_view, make, remake},
    simulated::{Simulated, behind},
};
use relay_dialects::{
    Element,
    ir::{Attr, Builder, Op, Type, Value},
    names::relay,
    ops::builtin,
    pass::{Options, PassFailed, PassResult, PassSpec, fail},
    relay::build::{scalar, splat},
    rewrite,
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "quantize-realize",
    summary: "quantise and dequantise the operands that are marked for it",
    description: include_str!("quantize_realize.md"),
    anchor: builtin::Module::NAME,
    options: &[CACHE],
    run,
};

fn run(module: Op, options: &Options) -> PassResult {
    let mut weights = Vec::new();
    for function in functions(module) {
        for mark in Simulated::all(function) {
            let (bytes, floats) = realize(mark)?;
            mark.0.result(0).replace_all_uses_with(floats);
            if mark.is_weight() {
                weights.push(bytes);
            }
        }
        rewrite::erase_dead(function);
    }
    // The model then holds the bytes, and no floats beside them.
    fold_constant::compute(module, &weights, options).map(|_| ())
}

/// The bytes of a marked operand, and the floats that they stand for.
fn realize(mark: Simulated) -> Result<(Value, Value), PassFailed> {
    if mark.is_open() {
        return fail(
            mark.0,
            "has no scale; quantize-calibrate chooses one, so run that first",
        );
    }
    let Some(zero) = mark.zero_point() else {
        return fail(mark.0, "does not clip to the 256 numbers of bytes");
    };
    if !mark.is_weight() && splat(mark.0.operand(1)).is_none() {
        return fail(mark.0, "marks data with more than one scale");
    }
    let element = if mark.is_signed() {
        Element::I8
    } else {
        Element::U8
    };
    let moves = moves(mark);
    let source = moves.last().map_or(mark.source(), |op| op.operand(0));
    // Behind what computes the source: its kernel writes bytes then.
    let b = match mark.is_weight() {
        true => Builder::before(mark.0),
        false => behind(source, mark.0).with_loc(mark.0.loc()),
    };
    let (bytes, mut floats) = quantized(&b, mark, source, (element.ty(b.ctx), zero));
    let b = Builder::before(mark.0);
    for op in moves.into_iter().rev() {
        floats = remake(&b.with_loc(op.loc()), op, &[floats], &[]);
    }
    Ok((bytes, floats))
}

/// The operators that only move elements between a marked tensor and what computes it, the last one first. Their kernels move bytes, or are
/// none at all.
fn moves(mark: Simulated) -> Vec<Op> {
    let mut moves = Vec::new();
    let mut value = mark.source();
    while let Some(op) = value.def().filter(|op| {
        let is_move = is_view(*op) || op.is(relay::TRANSPOSE);
        is_move && op.operand_count() == 1 && !mark.is_weight()
    }) {
        moves.push(op);
        value = op.operand(0);
    }
    moves
}

fn quantized(
    b: &Builder,
    mark: Simulated,
    source: Value,
    (bytes, zero): (Type, i64),
) -> (Value, Value) {
    // What the mark reads is made before it, and may be behind the source.
    let scale = mark.0.operand(1);
    let scale = match splat(scale) {
        Some(number) if scale.ty().shape().is_empty() => scalar(b, scale.ty().element(), number),
        _ => scale,
    };
    let zero = scalar(b, Element::I32.ty(b.ctx), zero as f64);
    let axis = ("axis", Attr::i64(b.ctx, mark.axis() as i64));
    let to = ("out_dtype", Attr::ty(bytes));
    let bytes = make(b, relay::QNN_QUANTIZE, &[source, scale, zero], &[axis, to]);
    let floats = make(b, relay::QNN_DEQUANTIZE, &[bytes, scale, zero], &[axis]);
    (bytes, floats)
}
