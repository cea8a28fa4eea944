//! `fold-scale-axis`: moves per-channel factors into the weights of convolutions and dense layers.

use crate::graph::{
    operators::{constant, is_plain_conv2d, make, remake},
    rewrite,
};
use relay_dialects::{
    ir::{Attr, Builder, Op, Value},
    names,
    ops::func,
    pass::{Options, PassResult, PassSpec},
    relay::{
        Attrs,
        row::{LayoutRule, Scaling},
        row_of,
    },
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "fold-scale-axis",
    summary: "move per-channel factors into the weights of convolutions and dense layers",
    description: include_str!("fold_scale_axis.md"),
    anchor: func::Func::NAME,
    options: &[],
    run,
};

fn run(function: Op, _options: &Options) -> PassResult {
    rewrite::apply(function, &[backward, forward])
}

/// A constant factor along one axis of a tensor.
#[derive(Clone, Copy)]
struct Scale {
    value: Value,
    /// The number of its elements: 1 or the extent of the axis.
    count: i64,
    axis: usize,
    /// Whether all elements are positive, so that it commutes with relu.
    positive: bool,
}

impl Scale {
    /// `value` as a factor along `axis` of a tensor of `shape`.
    fn of(value: Value, shape: &[i64], axis: usize) -> Option<Self> {
        let attr = constant(value)?;
        let own = value.ty().shape();
        let offset = shape.len().checked_sub(own.len())?;
        let along = |i: usize| i + offset == axis;
        if !own
            .iter()
            .enumerate()
            .all(|(i, &dim)| dim == 1 || (along(i) && dim == shape[axis]))
        {
            return None;
        }
        let positive = floats(attr).is_some_and(|all| all.iter().all(|&factor| factor > 0.0));
        Some(Self {
            value,
            count: value.ty().count(),
            axis,
            positive,
        })
    }

    /// The factor as a tensor of `rank` that lies along `axis`.
    fn reshaped(&self, builder: &Builder, rank: usize, axis: usize) -> Value {
        let mut shape = vec![1; rank];
        shape[axis] = self.count;
        if self.value.ty().shape() == shape {
            return self.value;
        }
        make(
            builder,
            names::relay::RESHAPE,
            &[self.value],
            &[("newshape", Attr::ints(builder.ctx, &shape))],
        )
    }
}

/// The elements of an f32 constant.
fn floats(attr: Attr) -> Option<Vec<f32>> {
    let element = attr.typ().element();
    if !element.is_float() || element.bit_width() != 32 {
        return None;
    }
    let bytes = attr.bytes()?;
    let word = |part: &[u8]| Some(f32::from_le_bytes(part.try_into().ok()?));
    bytes.chunks_exact(4).map(word).collect()
}

/// The operand of a `multiply` that is a factor along the channels, and the other one.
fn factor(op: Op, axis: usize) -> Option<(Value, Scale)> {
    if !op.is(names::relay::MULTIPLY) {
        return None;
    }
    let (lhs, rhs) = (op.operand(0), op.operand(1));
    [(lhs, rhs), (rhs, lhs)]
        .into_iter()
        .find_map(|(data, factor)| {
            if data.ty() != op.result(0).ty() || constant(data).is_some() {
                return None;
            }
            Some((data, Scale::of(factor, &data.ty().shape(), axis)?))
        })
}

/// A factor after a convolution or dense layer goes into its weights' output channels.
fn backward(op: Op) -> Option<Vec<Value>> {
    let rank = op
        .result(0)
        .ty()
        .is_tensor()
        .then(|| op.result(0).ty().shape().len())?;
    [1, rank.wrapping_sub(1)]
        .into_iter()
        .filter(|axis| *axis < rank)
        .find_map(|axis| {
            let (data, scale) = factor(op, axis)?;
            let builder = Builder::before(op);
            takes_output_scale(data, &scale).then(|| vec![scaled(&builder, data, &scale)])
        })
}

fn scaling(op: Op) -> Option<Scaling> {
    row_of(op)?.scaling
}

/// Whether a factor may go into the weight: one of narrower floats would be rounded again.
fn scales_weight(op: Op) -> bool {
    let element = |operand: usize| op.operand(operand).ty().element();
    element(0) == element(1)
}

/// The channels of `value`, which is the data or the result of a convolution or a product.
fn channel_axis(op: Op, value: Value) -> Option<usize> {
    match row_of(op)?.layout {
        LayoutRule::Convolution(_) => is_plain_conv2d(op).then_some(1),
        _ => value.ty().shape().len().checked_sub(1),
    }
}

/// Whether `value` times the factor can be computed without the multiplication.
fn takes_output_scale(value: Value, scale: &Scale) -> bool {
    let Some(op) = value.def() else { return false };
    if value.uses().len() != 1 {
        return false;
    }
    match scaling(op) {
        Some(Scaling::Weight) => scales_weight(op) && channel_axis(op, value) == Some(scale.axis),
        Some(Scaling::Positive) => scale.positive && takes_output_scale(op.operand(0), scale),
        Some(Scaling::Sum) => op.operands().into_iter().all(|operand| {
            Scale::of(operand, &value.ty().shape(), scale.axis).is_some()
                || (operand.ty() == value.ty() && takes_output_scale(operand, scale))
        }),
        None => false,
    }
}

/// `value` times the factor, for a value that takes it.
fn scaled(builder: &Builder, value: Value, scale: &Scale) -> Value {
    let op = value
        .def()
        .expect("only results of operators take a factor");
    let builder = builder.with_loc(op.loc());
    match scaling(op) {
        Some(Scaling::Weight) => {
            let weight = op.operand(1);
            let factor = scale.reshaped(&builder, weight.ty().shape().len(), 0);
            let weight = make(&builder, names::relay::MULTIPLY, &[weight, factor], &[]);
            remake(&builder, op, &[op.operand(0), weight], &[])
        }
        Some(Scaling::Sum) => {
            let operands: Vec<Value> = op
                .operands()
                .into_iter()
                .map(|operand| match constant(operand) {
                    // The factor broadcasts against the sum, and so against its constant.
                    Some(_) => make(
                        &builder,
                        names::relay::MULTIPLY,
                        &[operand, scale.value],
                        &[],
                    ),
                    None => scaled(&builder, operand, scale),
                })
                .collect();
            remake(&builder, op, &operands, &[])
        }
        Some(Scaling::Positive) | None => {
            remake(&builder, op, &[scaled(&builder, op.operand(0), scale)], &[])
        }
    }
}

/// A factor before a convolution or dense layer goes into its weights' input channels.
fn forward(op: Op) -> Option<Vec<Value>> {
    if scaling(op) != Some(Scaling::Weight) || !scales_weight(op) {
        return None;
    }
    let (data, weight) = (op.operand(0), op.operand(1));
    let axis = channel_axis(op, data)?;
    let only_use = |value: Value| value.uses().len() == 1;
    let is_relu = |def: &Op| scaling(*def) == Some(Scaling::Positive) && only_use(data);
    let relu = data.def().filter(is_relu);
    let product = relu.map_or(data, |relu| relu.operand(0));
    let (source, scale) = factor(product.def().filter(|_| only_use(product))?, axis)?;
    if relu.is_some() && !scale.positive {
        return None;
    }
    let weight_axis = input_axis(op)?;
    let builder = Builder::before(op);
    let factor = scale.reshaped(&builder, weight.ty().shape().len(), weight_axis);
    let weight = make(&builder, names::relay::MULTIPLY, &[weight, factor], &[]);
    let data = relu.map_or(source, |relu| remake(&builder, relu, &[source], &[]));
    Some(vec![remake(&builder, op, &[data, weight], &[])])
}

/// The axis of the weights that runs over the input channels.
fn input_axis(op: Op) -> Option<usize> {
    let groups = Attrs::of(op).int("groups").unwrap_or(1);
    if groups == 1 {
        return Some(1);
    }
    // Depthwise: output channel c reads input channel c only.
    let weight = op.operand(1).ty().shape();
    (weight[0] == groups && weight[1] == 1).then_some(0)
}
