//! `simplify-inference`: normalisation operators in terms of arithmetic.

use crate::graph::{operators::make, rewrite, shapes::expand_to_axis};
use relay_dialects::{
    ir::{Attr, Builder, Op, Value},
    names,
    pass::{Options, PassResult, PassSpec},
    relay::{Attrs, build::scalar, relation::normalize_axis},
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "simplify-inference",
    summary: "write normalisation operators as arithmetic",
    description: include_str!("simplify_inference.md"),
    anchor: "func.func",
    options: &[],
    run,
};

fn run(function: Op, _options: &Options) -> PassResult {
    rewrite::apply(function, &[batch_norm, instance_norm, layer_norm])
}

/// What the normalisation operators have in common.
struct Norm {
    builder: Builder,
    data: Value,
    axis: usize,
    epsilon: Value,
    gamma: Value,
    beta: Value,
}

impl Norm {
    fn of(op: Op) -> Option<Self> {
        let builder = Builder::before(op);
        let data = op.operand(0);
        let attrs = Attrs::of(op);
        let axis = normalize_axis(attrs.int("axis").ok()?, data.ty().shape().len()).ok()?;
        let epsilon = scalar(&builder, data.ty().element(), attrs.float("epsilon").ok()?);
        let (gamma, beta) = (op.operand(1), op.operand(2));
        Some(Self {
            builder,
            data,
            axis,
            epsilon,
            gamma,
            beta,
        })
    }

    fn op(&self, name: &str, lhs: Value, rhs: Value) -> Value {
        make(&self.builder, name, &[lhs, rhs], &[])
    }

    /// 1 / sqrt(variance + epsilon).
    fn inverse_deviation(&self, variance: Value) -> Value {
        let sum = self.op(names::relay::ADD, variance, self.epsilon);
        make(&self.builder, names::relay::RSQRT, &[sum], &[])
    }

    /// A vector along the axis, shaped to broadcast against the data.
    fn along_axis(&self, vector: Value) -> Value {
        expand_to_axis(
            &self.builder,
            vector,
            self.data.ty().shape().len(),
            self.axis,
        )
    }

    fn mean(&self, value: Value, axes: &[i64]) -> Value {
        let ctx = self.builder.ctx;
        let attrs = [
            ("axis", Attr::ints(ctx, axes)),
            ("keepdims", Attr::bool(ctx, true)),
        ];
        make(&self.builder, names::relay::MEAN, &[value], &attrs)
    }

    /// (data - mean) / deviation * gamma + beta, with moments over `axes` of the data itself.
    fn by_own_moments(&self, axes: &[i64]) -> Value {
        let mean = self.mean(self.data, axes);
        let centred = self.op(names::relay::SUBTRACT, self.data, mean);
        let square = self.op(names::relay::MULTIPLY, centred, centred);
        let inverse = self.inverse_deviation(self.mean(square, axes));
        let normalised = self.op(names::relay::MULTIPLY, centred, inverse);
        let scaled = self.op(
            names::relay::MULTIPLY,
            normalised,
            self.along_axis(self.gamma),
        );
        self.op(names::relay::ADD, scaled, self.along_axis(self.beta))
    }
}

/// The moments are parameters: all but one multiplication and one addition can be folded.
fn batch_norm(op: Op) -> Option<Vec<Value>> {
    if !op.is(names::relay::NN_BATCH_NORM) {
        return None;
    }
    let norm = Norm::of(op)?;
    let (mean, variance) = (op.operand(3), op.operand(4));
    let scale = norm.op(
        names::relay::MULTIPLY,
        norm.inverse_deviation(variance),
        norm.gamma,
    );
    let moved = norm.op(names::relay::MULTIPLY, mean, scale);
    let shift = norm.op(names::relay::SUBTRACT, norm.beta, moved);
    let scaled = norm.op(names::relay::MULTIPLY, norm.data, norm.along_axis(scale));
    Some(vec![norm.op(
        names::relay::ADD,
        scaled,
        norm.along_axis(shift),
    )])
}

/// Moments over all axes but the batch and the channels.
fn instance_norm(op: Op) -> Option<Vec<Value>> {
    if !op.is(names::relay::NN_INSTANCE_NORM) {
        return None;
    }
    let norm = Norm::of(op)?;
    let rank = norm.data.ty().shape().len();
    let axes: Vec<i64> = (1..rank)
        .filter(|axis| *axis != norm.axis)
        .map(|axis| axis as i64)
        .collect();
    Some(vec![norm.by_own_moments(&axes)])
}

/// Moments over the one axis.
fn layer_norm(op: Op) -> Option<Vec<Value>> {
    if !op.is(names::relay::NN_LAYER_NORM) {
        return None;
    }
    let norm = Norm::of(op)?;
    Some(vec![norm.by_own_moments(&[norm.axis as i64])])
}
