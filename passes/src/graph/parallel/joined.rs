//! Branches one after the other along an axis: weights, and what follows, are concatenated.

use super::Combined;
use crate::graph::{
    operators::{make, remake},
    shapes::slice_axis,
};
use relay_dialects::{
    ir::{Attr, Builder, Op, Value},
    names,
    relay::{Attrs, relation::normalize_axis, row::LayoutRule, row_of},
};

/// Values one after the other along `axis`.
pub fn concatenate(builder: &Builder, values: &[Value], axis: usize) -> Value {
    let attrs = [("axis", Attr::i64(builder.ctx, axis as i64))];
    make(builder, names::relay::CONCATENATE, values, &attrs)
}

/// The parts of what is combined, as slices.
pub fn parts(builder: &Builder, combined: &Combined) -> Vec<Value> {
    let mut begin = 0;
    let slice = |extent: &i64| {
        let range = (begin, begin + extent, 1);
        begin += extent;
        slice_axis(builder, combined.value, combined.axis, range)
    };
    combined.extents.iter().map(slice).collect()
}

/// What another operand of an operator contributes for one branch.
struct Share {
    /// Where it has the axis of the branches, or would have it.
    axis: usize,
    /// Its shape, with the branch's extent along that axis.
    shape: Vec<i64>,
    /// Whether it has to be repeated to have this shape: each of its elements meets a whole branch.
    is_repeated: bool,
}

/// Whether [`follow`] can make one operator of `level`. Operands of which each element meets a whole branch have to be
/// the same value for all branches; with `repeats`, they may differ.
pub fn follows(combined: &Combined, level: &[Op], parent: usize, repeats: bool) -> bool {
    let count = level[0].operand_count();
    let mut places = (0..count).filter(|&place| place != parent);
    result_axis(level[0], combined).is_some()
        && places.all(|place| match shares(combined, level, place) {
            Some(shares) => {
                let is_repeated = shares.iter().any(|share| share.is_repeated);
                !is_repeated || repeats || is_common(level, place, &shares)
            }
            None => false,
        })
}

/// The shares of all branches in operand number `place`, if these can be concatenated.
fn shares(combined: &Combined, level: &[Op], place: usize) -> Option<Vec<Share>> {
    let branches = level.iter().zip(&combined.extents);
    let shares: Vec<Share> = branches
        .map(|(op, extent)| share(*op, combined, place, *extent))
        .collect::<Option<_>>()?;
    let first = level[0].operand(place).ty().element();
    let is_alike = |(op, share): (&Op, &Share)| {
        let mut shape = share.shape.clone();
        shape[share.axis] = shares[0].shape[share.axis];
        let ty = op.operand(place).ty();
        ty.is_static() && ty.element() == first && shape == shares[0].shape
    };
    level.iter().zip(&shares).all(is_alike).then_some(shares)
}

/// Whether operand number `place` is one value that all branches read, and that fits all of them.
fn is_common(level: &[Op], place: usize, shares: &[Share]) -> bool {
    let value = level[0].operand(place);
    let is_same = |op: &Op| op.operand(place) == value;
    level.iter().all(is_same) && shares.iter().all(|share| share.is_repeated)
}

/// What operand number `place` contributes for a branch of this extent.
fn share(op: Op, combined: &Combined, place: usize, extent: i64) -> Option<Share> {
    let mut shape = op.operand(place).ty().shape();
    if is_by_channel(op) {
        return (shape == [extent]).then_some(Share {
            axis: 0,
            shape,
            is_repeated: false,
        });
    }
    // Broadcasting aligns dimensions at the last one.
    let behind = op.result(0).ty().shape().len() - result_axis(op, combined)?;
    while shape.len() < behind {
        shape.insert(0, 1);
    }
    let axis = shape.len() - behind;
    let is_repeated = shape[axis] != extent || op.operand(place).ty().shape().len() < behind;
    if is_repeated && shape[axis] != 1 {
        return None;
    }
    shape[axis] = extent;
    Some(Share {
        axis,
        shape,
        is_repeated,
    })
}

/// Whether an operator's second operand is a vector that belongs to its attribute `axis`.
fn is_by_channel(op: Op) -> bool {
    op.is(names::relay::NN_BIAS_ADD) || op.is(names::relay::NN_PRELU)
}

/// Where the axis of the branches is in the result of an operator; `None` if it is not one axis there.
fn result_axis(op: Op, combined: &Combined) -> Option<usize> {
    let rank = combined.value.ty().shape().len();
    let attrs = Attrs::of(op);
    if is_by_channel(op) {
        let axis = normalize_axis(attrs.int("axis").unwrap_or(1), rank).ok()?;
        return (axis == combined.axis).then_some(axis);
    }
    if op.is(names::relay::EXPAND_DIMS) {
        let count = usize::try_from(attrs.int("num_newaxis").unwrap_or(1)).ok()?;
        let axis = normalize_axis(attrs.int("axis").ok()?, rank + 1).ok()?;
        let is_before = axis <= combined.axis;
        return Some(combined.axis + if is_before { count } else { 0 });
    }
    match row_of(op)?.layout {
        LayoutRule::Elementwise => Some(combined.axis),
        LayoutRule::Broadcasting { .. } => {
            Some(combined.axis + op.result(0).ty().shape().len() - rank)
        }
        _ => None,
    }
}

/// The operator that takes the place of `level`.
pub fn follow(builder: &Builder, combined: &Combined, level: &[Op], parent: usize) -> Combined {
    let first = level[0];
    let operands = (0..first.operand_count()).map(|place| {
        if place == parent {
            combined.value
        } else {
            operand(builder, combined, level, place)
        }
    });
    let operands: Vec<Value> = operands.collect();
    let axis = result_axis(first, combined).expect("follows has found the axis");
    Combined {
        value: remake(&builder.with_loc(first.loc()), first, &operands, &[]),
        axis,
        extents: combined.extents.clone(),
    }
}

/// Operand number `place` for all branches.
fn operand(builder: &Builder, combined: &Combined, level: &[Op], place: usize) -> Value {
    let shares = shares(combined, level, place).expect("follows has found the shares");
    if is_common(level, place, &shares) {
        return level[0].operand(place);
    }
    let whole = level.iter().zip(&shares).map(|(op, share)| {
        let value = op.operand(place);
        if !share.is_repeated {
            return value;
        }
        let shape = Attr::ints(builder.ctx, &share.shape);
        let attrs = [("shape", shape)];
        make(builder, names::relay::BROADCAST_TO, &[value], &attrs)
    });
    let whole: Vec<Value> = whole.collect();
    concatenate(builder, &whole, shares[0].axis)
}
