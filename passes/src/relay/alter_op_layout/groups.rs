//! Groups of a convolution that are computed together.

use crate::graph::{
    operators::make,
    shapes::{pad_widths, reshape, slice_axis},
};
use relay_dialects::{
    ir::{Attr, Builder, Value},
    names::relay,
};

/// The weight [outputs, inputs of a group, height, width] of a convolution of `count` groups, in the form for computing `together` of them as
/// one group: its weights for the inputs of other groups are zeros.
pub fn merged(builder: &Builder, weight: Value, (count, together): (i64, i64)) -> Value {
    if together == 1 {
        return weight;
    }
    let shape = weight.ty().shape();
    let (inputs, outputs) = (shape[1], shape[0] / count);
    let apart = [
        count / together,
        together,
        outputs,
        inputs,
        shape[2] * shape[3],
    ];
    let weight = reshape(builder, weight, &apart);
    let of_group = |group: i64| {
        let part = slice_axis(builder, weight, 1, (group, group + 1, 1));
        let others = [group * inputs, (together - 1 - group) * inputs];
        pad_widths(builder, part, 3, others)
    };
    let parts: Vec<Value> = (0..together).map(of_group).collect();
    let axis = [("axis", Attr::i64(builder.ctx, 1))];
    let beside = make(builder, relay::CONCATENATE, &parts, &axis);
    let merged = [shape[0], together * inputs, shape[2], shape[3]];
    reshape(builder, beside, &merged)
}
