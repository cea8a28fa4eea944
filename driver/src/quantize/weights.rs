//! Rounds the weights of a model's matrix products to a few bits. Data stay floats.

use super::{
    Accuracy, Choice, LayerReport, Metric, QuantizeOptions, QuantizeReport, feedback::feed_back,
    observe::run_pass, output_ports, plain, runs_of, samples::Samples,
};
use crate::{DriverError, compile::CompileOptions};
use melior::{Context, ir::Module};
use relay_dialects::{
    ir::{Op, Type},
    names::relay,
    relay::build::constant,
};
use relay_passes::simulated::{node_name, operator_name};
use relay_quantize::Blocks;
use std::{fmt, path::Path};

/// How weights are rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WeightType {
    /// The bits of a number.
    pub bits: i64,
    /// The numbers that share a scale.
    pub block: i64,
}

impl WeightType {
    /// Reads `int4`, `int8`, or `int4:128` with the numbers that share a scale, which are 32 otherwise.
    ///
    /// # Errors
    /// If it is neither.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (name, block) = text.split_once(':').unwrap_or((text, "32"));
        let bits = match name {
            "int2" => Some(2),
            "int4" => Some(4),
            "int8" => Some(8),
            _ => None,
        };
        let block = (block.parse().ok())
            .filter(|block: &i64| block.count_ones() == 1 && (16..=256).contains(block));
        bits.zip(block).map(|(bits, block)| Self { bits, block }).ok_or_else(|| {
            format!("'{text}' is no type of weights: int2, int4 or int8, and behind a colon a power of two from 16 to 256, such as int4:64")
        })
    }
}

impl fmt::Display for WeightType {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "int{}:{}", self.bits, self.block)
    }
}

/// To which number of its block's grid a weight is rounded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Rounding {
    /// The nearest one. A grid covers all numbers of its block
    Nearest,
    /// The nearest one. A grid covers the range with the least squared error
    #[default]
    Search,
    /// The one that makes the error of the product small, beside those of the other numbers of a row. It takes samples of the inputs
    Gptq,
}

impl Rounding {
    /// Reads the name of one.
    ///
    /// # Errors
    /// Names those that there are.
    pub fn parse(text: &str) -> Result<Self, String> {
        let known = <Self as clap::ValueEnum>::from_str(text, false);
        known.map_err(|_| {
            format!("'{text}' is no rounding of weights; there are nearest, search and gptq")
        })
    }
}

impl fmt::Display for Rounding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Nearest => "nearest",
            Self::Search => "search",
            Self::Gptq => "gptq",
        })
    }
}

/// Rounds weights. The accuracy is measured if there are samples.
///
/// # Errors
/// See [`DriverError`]; and if there is no weight to round.
pub fn quantize_weights(
    context: &Context,
    module: &mut Module<'_>,
    (model, options): (&Path, &CompileOptions),
    (how, kind, samples): (&QuantizeOptions, WeightType, Option<&Samples>),
) -> Result<QuantizeReport, DriverError> {
    let plain = plain(options);
    let run = (&plain, how.threads);
    let exact = samples.map(|samples| runs_of(context, module, samples, run));
    let exact = exact.transpose()?;
    let WeightType { bits, block } = kind;
    let keep = super::kept(how)?;
    let search = how.rounding != Rounding::Nearest;
    if how.rounding == Rounding::Gptq {
        let blocks = Blocks {
            bits: bits as u32,
            block: block as usize,
            search,
        };
        let samples = samples_for_gptq(samples)?;
        feed_back(context, module, samples, (&blocks, &keep), run)?;
    }
    let pass =
        format!("quantize-weights{{bits={bits} block={block} search={search} keep=\"{keep}\"}}");
    run_pass(context, module, &format!("func.func({pass})"))?;
    let layers = layers(module);
    if layers.iter().all(|layer| layer.choice == Choice::Kept) {
        return Err(nothing_to_round(model));
    }
    let mut accuracy = None;
    let count = exact.as_ref().map_or(0, |(_, count)| *count);
    if let (Some(samples), Some((exact, _))) = (samples, exact) {
        let ports = output_ports(module, model)?;
        let metric = how.metric.clone();
        let metric = metric.unwrap_or_else(|| Metric::usual_of(&ports));
        let score = metric.score(&ports, &exact, &exact)?;
        let (runs, _) = runs_of(context, module, samples, run)?;
        accuracy = Some(Accuracy::of(&metric, &ports, (&runs, &exact), score, None)?);
    }
    let bytes = |op: Op| -> u64 {
        op.operands()[1..]
            .iter()
            .map(|value| bytes_of(value.ty()))
            .sum()
    };
    let all = products(module);
    Ok(QuantizeReport {
        model: model.display().to_string(),
        output: String::new(),
        data: how.data.as_ref().map(|data| data.display().to_string()),
        samples: count,
        method: format!("{kind}, {}", how.rounding),
        bias_correction: false,
        weights: Some(bits),
        accuracy,
        float_bytes: layers.iter().map(|layer| 4 * layer.weights).sum(),
        bytes: all.into_iter().map(bytes).sum(),
        layers,
    })
}

/// The error of a model without a weight to round.
fn nothing_to_round(model: &Path) -> DriverError {
    DriverError::Model {
        path: model.into(),
        reason: "no weight can be rounded: there is no matrix product with a constant weight of floats that is large enough and not kept".into(),
    }
}

/// The samples, which GPTQ needs.
fn samples_for_gptq(samples: Option<&Samples>) -> Result<&Samples, DriverError> {
    let reason = "gptq rounds weights by samples of the inputs: name some with --data";
    samples.ok_or_else(|| DriverError::Usage(reason.into()))
}

/// The products of matrices whose weights are known.
fn products(module: &Module<'_>) -> Vec<Op> {
    let mut found = Vec::new();
    Op::of_module(module).walk(|op| {
        let is_product = [relay::NN_DENSE, relay::NN_MATMUL, relay::NN_DENSE_BLOCKS]
            .iter()
            .any(|name| op.is(name));
        if is_product && constant(op.operand(1)).is_some() {
            found.push(op);
        }
    });
    found
}

fn layers(module: &Module<'_>) -> Vec<LayerReport> {
    let layer = |(number, op): (usize, Op)| {
        let is_rounded = op.is(relay::NN_DENSE_BLOCKS);
        let weight = op.operand(1).ty();
        let columns = op.operand(0).ty().dims().last().and_then(|dim| dim.known());
        let weights = match (is_rounded, columns) {
            (true, Some(columns)) => weight.shape()[0] * columns,
            _ => weight.count(),
        };
        LayerReport {
            name: node_name(op, number),
            operator: operator_name(op),
            choice: match is_rounded {
                true => Choice::Quantized,
                false => Choice::Kept,
            },
            seen: None,
            covered: None,
            weights: weights.unsigned_abs(),
            alone: None,
        }
    };
    products(module)
        .into_iter()
        .enumerate()
        .map(layer)
        .collect()
}

/// The bytes of a constant.
fn bytes_of(ty: Type) -> u64 {
    ty.count().unsigned_abs() * ty.element().byte_width() as u64
}

#[cfg(test)]
mod tests {
    use super::WeightType;

    #[test]
    fn a_type_may_say_its_block() {
        let read = |text| WeightType::parse(text).map(|kind| (kind.bits, kind.block));
        assert_eq!(read("int4"), Ok((4, 32)));
        assert_eq!(read("int8:128"), Ok((8, 128)));
        for wrong in ["", "int3", "int4:", "int4:24", "int4:512", "f32"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
