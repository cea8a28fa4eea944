//! Planes of a stack beside each other, as channels of one image: the data of a convolution of volumes that is computed
//! as one of planes (planar.rs).
//!
//! The stack is put in blocks of channels before its planes are put beside each other. So each of its elements finds
//! its block once, and not once for each plane of the window, and what is copied for the window lies together. Each plane's
//! last block is filled up on its own.

use super::packing::Packer;
use crate::graph::{
    operators::remake,
    shapes::{pad_axis, reshape},
};
use relay_dialects::{
    index::ceil_div,
    ir::{Attr, Builder, Op, Value},
    names,
    relay::{Attrs, row::LayoutRule, row_of},
};

/// The data of a convolution of one group in blocks of `block`, and its weight for that, with zeros for the channels that
/// fill up blocks. None if the data is no planes of one stack, or is in blocks already.
pub fn filled_up(
    packer: &mut Packer,
    builder: &Builder,
    conv: Op,
    block: i64,
) -> Option<(Value, Value)> {
    let (data, weight) = (conv.operand(0), conv.operand(1));
    let beside = data.def_of(names::relay::CONCATENATE)?;
    let along_channels = Attrs::of(beside).int("axis") == Ok(1);
    let planes = beside.operands();
    let stack = stack_of(*planes.first()?);
    let of_one = planes.iter().all(|plane| stack_of(*plane) == stack);
    let one_group = Attrs::of(conv).int("groups") == Ok(1);
    if !along_channels || !of_one || !one_group || packer.padded_block_of(data).is_some() {
        return None;
    }
    let in_blocks = packer.filled_up(builder, stack, block);
    let parts: Vec<Value> = planes
        .iter()
        .map(|plane| again(builder, *plane, stack, in_blocks))
        .collect();
    let data = remake(builder, beside, &parts, &[]);
    Some((data, filled_weight(builder, weight, planes.len(), block)))
}

/// What a value is some samples of, perhaps with padding before and after them.
fn stack_of(value: Value) -> Value {
    std::iter::successors(Some(value), |value| {
        let op = value.def()?;
        chooses_samples(op).then(|| op.operand(0))
    })
    .last()
    .unwrap_or(value)
}

/// Whether an operator leaves samples out or puts some before and after them, and does nothing else.
fn chooses_samples(op: Op) -> bool {
    let attrs = Attrs::of(op);
    match row_of(op).map(|row| row.layout) {
        Some(LayoutRule::Slice) => attrs.ints("axes").is_ok_and(|axes| axes == [0]),
        Some(LayoutRule::Pad) => attrs
            .ints("pad_width")
            .is_ok_and(|widths| widths.len() == 8 && widths[2..].iter().all(|width| *width == 0)),
        _ => false,
    }
}

/// A value again, of a `stack` that is there `in_blocks`.
fn again(builder: &Builder, value: Value, stack: Value, in_blocks: Value) -> Value {
    let Some(op) = value.def().filter(|_| value != stack) else {
        return in_blocks;
    };
    let mut operands = op.operands();
    operands[0] = again(builder, op.operand(0), stack, in_blocks);
    let widths = Attrs::of(op).ints("pad_width").map(|mut widths| {
        // The channels of a block are not padded.
        widths.extend([0, 0]);
        ("pad_width", Attr::ints(builder.ctx, &widths))
    });
    remake(builder, op, &operands, widths.ok().as_slice())
}

/// A weight [outputs, planes channels, height, width] with zeros for the channels that fill up the last block of each
/// plane.
fn filled_weight(builder: &Builder, weight: Value, planes: usize, block: i64) -> Value {
    let shape = weight.ty().shape();
    let channels = shape[1] / planes as i64;
    let whole = ceil_div(channels, block) * block;
    if whole == channels {
        return weight;
    }
    let apart = [shape[0], planes as i64, channels, shape[2] * shape[3]];
    let apart = reshape(builder, weight, &apart);
    let filled = pad_axis(builder, apart, 2, whole - channels);
    let beside = [shape[0], planes as i64 * whole, shape[2], shape[3]];
    reshape(builder, filled, &beside)
}
