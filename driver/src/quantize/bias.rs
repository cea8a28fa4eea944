//! Makes up for the mean error of quantised layers in their biases.
//!
//! Source: Nagel et al., "Data-Free Quantization Through Weight Equalization and Bias Correction", 2019.

use super::{layers::Layer, samples::Samples};
use crate::{
    DriverError,
    compile::CompileOptions,
    exposed::{self, add_result},
};
use melior::{Context, ir::Module};
use relay_dialects::{
    ir::{Attr, Builder, Op, Value},
    names::relay,
    relay::{
        Attrs,
        build::{constant, make, remake},
    },
    rewrite,
};
use relay_passes::simulated::{Simulated, constant_of};

/// The mean error of a layer's result, for each of its outputs.
pub type MeanError = Vec<f32>;

/// The mean errors of all layers on samples. The data of each layer are those of the float model: layers before have their own
/// correction.
///
/// # Errors
/// See [`DriverError`].
pub fn observe(
    context: &Context,
    module: &Module<'_>,
    layers: impl Fn(&Module<'_>) -> Vec<Layer>,
    samples: &Samples,
    run: (&CompileOptions, usize),
) -> Result<Vec<MeanError>, DriverError> {
    let mut copy = relay_dialects::copy(module);
    let main = exposed::main(&copy);
    let own = main.body().terminator().map_or(0, Op::operand_count);
    let layers = layers(&copy);
    for (number, layer) in layers.iter().enumerate() {
        add_result(main, &format!("quantize.error.{number}"), error(layer));
    }
    rewrite::erase_dead(main);
    let model = exposed::to_model(context, &mut copy, run.0)?;
    let mut sums: Vec<Vec<f64>> = vec![Vec::new(); layers.len()];
    let mut runs = 0.0;
    samples.run(&model, run, |outputs| {
        runs += 1.0;
        for (sum, output) in sums.iter_mut().zip(&outputs[own..]) {
            let errors = output.as_slice::<f32>().unwrap_or_default();
            sum.resize(errors.len(), 0.0);
            for (sum, error) in sum.iter_mut().zip(errors) {
                *sum += f64::from(*error);
            }
        }
    })?;
    let mean = |sum: Vec<f64>| sum.into_iter().map(|sum| (sum / runs) as f32).collect();
    Ok(sums.into_iter().map(mean).collect())
}

/// The mean error of a layer whose data are exact. What reads the layer reads the exact result.
fn error(layer: &Layer) -> Value {
    let op = layer.product.op;
    let quantized = remake(&Builder::before(op), op, &op.operands(), &[]);
    for place in 0..2 {
        if let Some(mark) = Simulated::of(op.operand(place)) {
            op.set_operand(place, mark.source());
        }
    }
    let b = Builder::after(op);
    let error = make(&b, relay::SUBTRACT, &[quantized, op.result(0)], &[]);
    let others = [
        ("axis", Attr::ints(b.ctx, &[outputs_axis(op)])),
        ("exclude", Attr::bool(b.ctx, true)),
    ];
    make(&b, relay::MEAN, &[error], &others)
}

/// The axis of a product's result along which its outputs are.
fn outputs_axis(op: Op) -> i64 {
    match op.is(relay::NN_CONV2D) {
        true => 1,
        false => op.result(0).ty().dims().len() as i64 - 1,
    }
}

/// Subtracts the mean error of a layer from its bias. A layer without a bias gets one.
pub fn correct(layer: &Layer, mean: &MeanError) {
    let op = layer.product.op;
    match own_bias(op) {
        Some((reader, place)) => {
            let bias = reader.operand(place);
            let b = Builder::before(reader);
            let mean = constant_of(&b, mean, &bias.ty().shape());
            let corrected = make(&b, relay::SUBTRACT, &[bias, mean], &[]);
            reader.set_operand(place, corrected);
        }
        None => {
            subtract(op, |b| constant_of(b, mean, &[mean.len() as i64]));
        }
    }
}

/// The constant bias that is added to a result, if nothing else reads the result: the addition, and the place of the bias.
fn own_bias(op: Op) -> Option<(Op, usize)> {
    let result = op.result(0);
    let [(reader, place)] = result.uses()[..] else {
        return None;
    };
    let is_addition = (reader.is(relay::NN_BIAS_ADD) && place == 0) || reader.is(relay::ADD);
    let other = 1 - place.min(1);
    if !is_addition || constant(reader.operand(other)).is_none() {
        return None;
    }
    let (all, own) = (result.ty().dims(), reader.operand(other).ty().shape());
    let axis = outputs_axis(op);
    let is_of_outputs = match reader.is(relay::NN_BIAS_ADD) {
        true => {
            let along = Attrs::of(reader).int("axis").unwrap_or(1);
            along == axis || along + all.len() as i64 == axis
        }
        // Dimensions of a sum are aligned at the end.
        false => {
            let place = axis - (all.len() as i64 - own.len() as i64);
            let outputs = usize::try_from(place).ok().and_then(|place| own.get(place));
            outputs.copied() == all[axis as usize].known()
        }
    };
    let outputs = all[axis as usize].known();
    (is_of_outputs && outputs == Some(own.iter().product())).then_some((reader, other))
}

/// Subtracts a vector of the outputs from a layer's result, for all that reads it. Returns the new result.
pub fn subtract(op: Op, vector: impl Fn(&Builder) -> Value) -> Value {
    let result = op.result(0);
    let readers = result.uses();
    let b = Builder::after(op);
    let negative = make(&b, relay::NEGATIVE, &[vector(&b)], &[]);
    let axis = [("axis", Attr::i64(b.ctx, outputs_axis(op)))];
    let made = make(&b, relay::NN_BIAS_ADD, &[result, negative], &axis);
    for (reader, place) in readers {
        reader.set_operand(place, made);
    }
    made
}
