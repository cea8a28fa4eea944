//! `simplify-expr`: algebra on operators.

use crate::graph::{
    operators::{constant, is_view, make, splat},
    rewrite,
};
use relay_dialects::{
    ir::{Attr, Builder, Op, Type, Value},
    names,
    pass::{Options, PassResult, PassSpec},
    relay::{Attrs, row::Algebra, row_of},
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "simplify-expr",
    summary: "drop operators without effect and join chains of data movements",
    description: include_str!("simplify_expr.md"),
    anchor: "func.func",
    options: &[],
    run,
};

fn run(function: Op, _options: &Options) -> PassResult {
    rewrite::apply(
        function,
        &[
            neutral_operand,
            reciprocal,
            reshape,
            transpose,
            cast,
            layout_transform,
            pixelless_transform,
            adjacent_constants,
        ],
    )
}

/// x + 0, x - 0, x * 1, x / 1, as the operators' rows say; also with the constant first where the order does
/// not matter.
fn neutral_operand(op: Op) -> Option<Vec<Value>> {
    let Algebra { neutral, is_group } = row_of(op)?.algebra?;
    let (lhs, rhs) = (op.operand(0), op.operand(1));
    let is_neutral = |kept: Value, dropped: Value| {
        kept.ty() == op.result(0).ty() && splat(dropped) == Some(neutral)
    };
    if is_neutral(lhs, rhs) {
        return Some(vec![lhs]);
    }
    (is_group && is_neutral(rhs, lhs)).then(|| vec![rhs])
}

/// x / c is x * (1 / c), rounded once more: a division takes as long as some ten multiplications. Only where neither
/// number is subnormal, of which a reciprocal has fewer digits or is infinite.
fn reciprocal(op: Op) -> Option<Vec<Value>> {
    let divisor = op.is(names::relay::DIVIDE).then(|| op.operand(1))?;
    let (ty, element) = (divisor.ty(), divisor.ty().element());
    let number = splat(divisor).filter(|_| element.is_f32())?;
    let factor = (1.0 / number) as f32;
    if !factor.is_normal() || !(number as f32).is_normal() || constant(op.operand(0)).is_some() {
        return None;
    }
    let builder = Builder::before(op);
    let value = Attr::splat(ty, Attr::float(element, factor.into()));
    let factor = builder.value(names::relay::CONSTANT, &[], ty, &[("value", value)]);
    let product = make(
        &builder,
        names::relay::MULTIPLY,
        &[op.operand(0), factor],
        &[],
    );
    Some(vec![product])
}

/// Reshapes to the operand's own shape go; of a chain the last one stays, on the first operand.
fn reshape(op: Op) -> Option<Vec<Value>> {
    if !is_view(op) || !op.result(0).ty().is_static() {
        return None;
    }
    let data = op.operand(0);
    if data.ty() == op.result(0).ty() {
        return Some(vec![data]);
    }
    let inner = data.def().filter(|inner| is_view(*inner))?;
    let builder = Builder::before(op);
    let newshape = Attr::ints(builder.ctx, &op.result(0).ty().shape());
    Some(vec![make(
        &builder,
        names::relay::RESHAPE,
        &[inner.operand(0)],
        &[("newshape", newshape)],
    )])
}

fn transpose(op: Op) -> Option<Vec<Value>> {
    let axes = transpose_axes(op)?;
    if axes.iter().enumerate().all(|(i, &axis)| i == axis) {
        return Some(vec![op.operand(0)]);
    }
    let shape = op.operand(0).ty().shape();
    if op.operand(0).ty().is_static() && axes.iter().filter(|&&axis| shape[axis] != 1).is_sorted() {
        // What moves has one place only.
        let builder = Builder::before(op);
        let shape = Attr::ints(builder.ctx, &op.result(0).ty().shape());
        let reshaped = make(
            &builder,
            names::relay::RESHAPE,
            &[op.operand(0)],
            &[("newshape", shape)],
        );
        return Some(vec![reshaped]);
    }
    let inner = op.operand(0).def()?;
    let inner_axes = transpose_axes(inner)?;
    let joined: Vec<i64> = axes.iter().map(|&axis| inner_axes[axis] as i64).collect();
    let builder = Builder::before(op);
    let attrs = [("axes", Attr::ints(builder.ctx, &joined))];
    Some(vec![make(
        &builder,
        names::relay::TRANSPOSE,
        &[inner.operand(0)],
        &attrs,
    )])
}

/// The operand's axis for each axis of the result; without any, the order is reversed.
fn transpose_axes(op: Op) -> Option<Vec<usize>> {
    if !op.is(names::relay::TRANSPOSE) {
        return None;
    }
    let rank = op.operand(0).ty().shape().len();
    let axes = Attrs::of(op).ints("axes").unwrap_or_default();
    if axes.is_empty() {
        return Some((0..rank).rev().collect());
    }
    Some(
        axes.iter()
            .map(|axis| axis.rem_euclid(rank as i64) as usize)
            .collect(),
    )
}

/// Casts to the operand's own type go, and those to a type that holds all of the operand's values
/// if another cast follows.
fn cast(op: Op) -> Option<Vec<Value>> {
    if !op.is(names::relay::CAST) {
        return None;
    }
    let data = op.operand(0);
    if data.ty() == op.result(0).ty() {
        return Some(vec![data]);
    }
    let inner = data.def_of(names::relay::CAST)?;
    let source = inner.operand(0);
    if !widens(source.ty().element(), data.ty().element()) {
        return None;
    }
    let builder = Builder::before(op);
    let dtype = Attr::ty(op.result(0).ty().element());
    Some(vec![make(
        &builder,
        names::relay::CAST,
        &[source],
        &[("dtype", dtype)],
    )])
}

/// Whether every value of `from` is one of `to`, so that a cast by way of `to` changes nothing.
fn widens(from: Type, to: Type) -> bool {
    let wider = from.bit_width() <= to.bit_width();
    wider
        && !from.is_bool()
        && ((from.is_int() && to.is_int()) || (from.is_float() && to.is_float()))
}

/// To the same layout: gone. Of two in a row, the outer one works on the first operand.
fn layout_transform(op: Op) -> Option<Vec<Value>> {
    let (source, target) = layouts(op)?;
    if source == target {
        return Some(vec![op.operand(0)]);
    }
    let inner = op.operand(0).def()?;
    let (inner_source, inner_target) = layouts(inner)?;
    if inner_target != source {
        return None;
    }
    let data = inner.operand(0);
    if inner_source == target {
        return (data.ty() == op.result(0).ty()).then(|| vec![data]);
    }
    let builder = Builder::before(op);
    let layout = |text: &str| Attr::str(builder.ctx, text);
    let attrs = [
        ("src_layout", layout(&inner_source)),
        ("dst_layout", layout(&target)),
    ];
    let joined = make(&builder, names::relay::LAYOUT_TRANSFORM, &[data], &attrs);
    (joined.ty() == op.result(0).ty()).then(|| vec![joined])
}

/// Between NCHW and NCHW{c}c of one pixel, no element moves.
fn pixelless_transform(op: Op) -> Option<Vec<Value>> {
    let (source, target) = layouts(op)?;
    let blocked = |layout: &str| layout.starts_with("NCHW") && layout.ends_with('c');
    let plain_to_blocked = source == "NCHW" && blocked(&target);
    let blocked_to_plain = target == "NCHW" && blocked(&source);
    let shape = op.operand(0).ty().shape();
    let movable = plain_to_blocked || blocked_to_plain;
    if !movable || !op.result(0).ty().is_static() || shape[2] * shape[3] != 1 {
        return None;
    }
    let builder = Builder::before(op);
    let newshape = Attr::ints(builder.ctx, &op.result(0).ty().shape());
    Some(vec![make(
        &builder,
        names::relay::RESHAPE,
        &[op.operand(0)],
        &[("newshape", newshape)],
    )])
}

fn layouts(op: Op) -> Option<(String, String)> {
    if !op.is(names::relay::LAYOUT_TRANSFORM) {
        return None;
    }
    let attrs = Attrs::of(op);
    Some((attrs.str("src_layout").ok()?, attrs.str("dst_layout").ok()?))
}

/// (x + a) + b is x + (a + b) for constants a and b, and so for products.
fn adjacent_constants(op: Op) -> Option<Vec<Value>> {
    let row = row_of(op)?;
    if !row.algebra?.is_group || !op.result(0).ty().element().is_float() {
        return None;
    }
    let (inner, second) = with_constant(op)?;
    let inner = inner.def_of(&op.name())?;
    let (data, first) = with_constant(inner)?;
    if constant(data).is_some()
        || inner.result(0).uses().len() != 1
        || data.ty() != op.result(0).ty()
    {
        return None;
    }
    let builder = Builder::before(op);
    let joined = make(&builder, &op.name(), &[first, second], &[]);
    Some(vec![make(&builder, &op.name(), &[data, joined], &[])])
}

/// The two operands of an op one of whose operands is constant, the constant second.
fn with_constant(op: Op) -> Option<(Value, Value)> {
    let (lhs, rhs) = (op.operand(0), op.operand(1));
    match (constant(lhs).is_some(), constant(rhs).is_some()) {
        (false, true) => Some((lhs, rhs)),
        (true, false) => Some((rhs, lhs)),
        _ => None,
    }
}
