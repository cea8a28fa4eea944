//! Operators that work on packed values as on plain ones, and so keep blocks between convolutions.

use super::{Altered, packing::Packer};
use crate::graph::operators::remake;
use relay_dialects::{
    ir::{Attr, Builder, Op, Value},
    relay::Attrs,
};
use relay_topi::cost::layout::MIN_BLOCK;

/// Works on one packed operand like on a plain one; `changes` are to its attributes.
fn follow(packer: &mut Packer, op: Op, rest: &[Value], changes: &[(&str, Attr)]) -> Altered {
    let block = packer.padded_block_of(op.operand(0))?;
    let builder = Builder::before(op);
    let mut operands = vec![packer.packed(&builder, op.operand(0), block)];
    operands.extend_from_slice(rest);
    let made = remake(&builder, op, &operands, changes);
    packer.replace(op, made, block);
    Some(())
}

/// What works element by element.
pub fn unary(packer: &mut Packer, op: Op) -> Altered {
    follow(packer, op, &[], &[])
}

/// What works on pixels, in the layout that an attribute names.
pub fn spatial(packer: &mut Packer, op: Op) -> Altered {
    let block = packer.padded_block_of(op.operand(0))?;
    if Attrs::of(op).str("layout").ok()? != "NCHW" {
        return None;
    }
    let builder = Builder::before(op);
    let layout = Attr::str(builder.ctx, &format!("NCHW{block}c"));
    let mut changes = vec![("layout", layout)];
    if op
        .attr("out_layout")
        .and_then(Attr::as_str)
        .is_some_and(|layout| !layout.is_empty())
    {
        changes.push(("out_layout", layout));
    }
    follow(packer, op, &[], &changes)
}

/// Padding of anything but channels.
pub fn pad(packer: &mut Packer, op: Op) -> Altered {
    packer.block_of(op.operand(0))?;
    let mut widths = Attrs::of(op).ints("pad_width").ok()?;
    if widths.len() != 8 || widths[2] != 0 || widths[3] != 0 {
        return None;
    }
    widths.extend([0, 0]);
    let rest: Vec<Value> = op.operands().into_iter().skip(1).collect();
    follow(
        packer,
        op,
        &rest,
        &[("pad_width", Attr::ints(op.ctx(), &widths))],
    )
}

/// A slice of anything but channels.
pub fn slice(packer: &mut Packer, op: Op) -> Altered {
    let axes = Attrs::of(op).ints("axes").ok()?;
    if axes.is_empty() || axes.iter().any(|axis| ![0, 2, 3].contains(axis)) {
        return None;
    }
    unary(packer, op)
}

/// A reduction over the pixels that keeps the dimensions.
pub fn reduce(packer: &mut Packer, op: Op) -> Altered {
    let attrs = Attrs::of(op);
    let keeps = attrs.bool("keepdims").ok()? && !attrs.bool("exclude").unwrap_or(false);
    let axes: Vec<i64> = attrs
        .ints("axis")
        .ok()?
        .iter()
        .map(|axis| axis.rem_euclid(4))
        .collect();
    packer.padded_block_of(op.operand(0))?;
    if !keeps || axes.iter().any(|axis| *axis < 2) {
        return None;
    }
    follow(packer, op, &[], &[("axis", Attr::ints(op.ctx(), &axes))])
}

/// Broadcasting operators with a packed operand of the result's shape, whose last block may be filled up.
pub fn binary(packer: &mut Packer, op: Op, filled: bool) -> Altered {
    let shape = op.result(0).ty().dims();
    let operands = op.operands();
    let full = operands
        .iter()
        .find(|value| value.ty().dims() == shape && packer.padded_block_of(**value).is_some())?;
    let (block, channels) = (packer.padded_block_of(*full)?, packer.channels(*full));
    let own = shape[1].known()?;
    if channels != own && !filled {
        return None;
    }
    let builder = Builder::before(op);
    let packable = |value: &Value| packer.can_broadcast(*value, own);
    if !operands.iter().all(packable) {
        return None;
    }
    let operands: Vec<Value> = operands
        .iter()
        .map(|value| packer.broadcast(&builder, *value, channels, block))
        .collect();
    let made = remake(&builder, op, &operands, &[]);
    packer.replace(op, made, block);
    Some(())
}

/// Concatenation along channels or pixels whose operands can all have the same blocks.
pub fn concatenate(packer: &mut Packer, op: Op) -> Altered {
    let operands = op.operands();
    let rank = op.result(0).ty().shape().len() as i64;
    let axis = Attrs::of(op).int("axis").ok()?.rem_euclid(rank);
    let largest = operands
        .iter()
        .filter_map(|value| packer.block_of(*value))
        .max()?;
    let fits = |block: i64| {
        operands
            .iter()
            .all(|value| value.ty().shape()[1] % block == 0)
    };
    let block = std::iter::successors(Some(largest), |block| (block % 2 == 0).then_some(block / 2))
        .find(|block| fits(*block))
        .filter(|block| *block >= MIN_BLOCK)?;
    let builder = Builder::before(op);
    let operands: Vec<Value> = operands
        .iter()
        .map(|value| packer.packed(&builder, *value, block))
        .collect();
    let made = remake(
        &builder,
        op,
        &operands,
        &[("axis", Attr::i64(builder.ctx, axis))],
    );
    packer.replace(op, made, block);
    Some(())
}
