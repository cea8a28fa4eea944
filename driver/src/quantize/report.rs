//! What came of quantising a model.

use super::{
    figures::{Alone, percent},
    metric::{Metric, Runs, Tally},
    search::drop,
};
use crate::DriverError;
use relay_runtime::Port;
use serde::Serialize;
use std::fmt;

/// What `relayc quantize` says of a model.
#[derive(Debug, Serialize)]
pub struct QuantizeReport {
    /// The model's file.
    pub model: String,
    /// What was written.
    pub output: String,
    /// The data, if there were some.
    pub data: Option<String>,
    /// The samples that were used.
    pub samples: usize,
    /// How ranges were chosen, or what became of weights.
    pub method: String,
    /// Whether biases make up for the mean error of their layers.
    pub bias_correction: bool,
    /// The bits of weights, if only they were rounded.
    pub weights: Option<i64>,
    /// The accuracy; `None` if it was not measured.
    pub accuracy: Option<Accuracy>,
    /// The bytes of the weights of all layers in the float model.
    pub float_bytes: u64,
    /// The bytes of the same weights now.
    pub bytes: u64,
    /// The layers; those with the largest error first, if that was measured.
    pub layers: Vec<LayerReport>,
}

/// The accuracy of the quantised model beside the float one.
#[derive(Debug, Serialize)]
pub struct Accuracy {
    /// The metric.
    pub metric: String,
    /// The score of the float model.
    pub float: f64,
    /// The score of the quantised model.
    pub quantized: f64,
    /// How much of the float model's score is lost: 0.01 is 1%.
    pub drop: f64,
    /// The allowed drop, if one was named.
    pub budget: Option<f64>,
    /// The relative error of the outputs.
    pub output_error: f64,
}

impl Accuracy {
    /// That of outputs for all samples, beside those of the float model and their score.
    ///
    /// # Errors
    /// If the metric fails.
    pub(super) fn of(
        metric: &Metric,
        ports: &[Port],
        (runs, exact): (&Runs, &Runs),
        float: f64,
        budget: Option<f64>,
    ) -> Result<Self, DriverError> {
        let quantized = metric.score(ports, runs, exact)?;
        Ok(Self {
            metric: metric.name(),
            float,
            quantized,
            drop: drop(float, quantized),
            budget,
            output_error: Tally::of(runs, exact).errors.relative(),
        })
    }
}

/// A layer that can be quantised.
#[derive(Debug, Serialize)]
pub struct LayerReport {
    /// Its name.
    pub name: String,
    /// Its operator.
    pub operator: String,
    /// What became of it.
    pub choice: Choice,
    /// The numbers that its data had.
    pub seen: Option<[f64; 2]>,
    /// The numbers that its bytes cover.
    pub covered: Option<[f64; 2]>,
    /// The elements of its weight.
    pub weights: u64,
    /// What happens if it alone is quantised, if that was measured.
    pub alone: Option<Alone>,
}

/// What became of a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Choice {
    /// It multiplies bytes.
    Quantized,
    /// It stays float, as was asked for.
    Kept,
    /// It stays float, because the accuracy would drop too much.
    GivenBack,
}

impl Choice {
    /// What a table says.
    pub fn name(self) -> &'static str {
        match self {
            Self::Quantized => "int8",
            Self::Kept => "float",
            Self::GivenBack => "given back",
        }
    }
}

impl QuantizeReport {
    /// The number of layers with a choice.
    pub fn count(&self, choice: Choice) -> usize {
        self.layers
            .iter()
            .filter(|layer| layer.choice == choice)
            .count()
    }
}

impl QuantizeReport {
    /// Writes how many layers are quantised, and how.
    fn write_counts(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (count, all) = (self.count(Choice::Quantized), self.layers.len());
        match self.weights {
            Some(bits) => writeln!(
                formatter,
                "{count} of {all} matrix products have weights of {bits} bits; {}",
                self.method
            ),
            None => writeln!(
                formatter,
                "{count} of {all} layers multiply bytes; {} samples, {}{}",
                self.samples,
                self.method,
                if self.bias_correction {
                    ", biases corrected"
                } else {
                    ""
                }
            ),
        }
    }
}

impl fmt::Display for QuantizeReport {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_counts(formatter)?;
        writeln!(
            formatter,
            "weights of the layers: {} KiB, were {} KiB",
            self.bytes.div_ceil(1024),
            self.float_bytes.div_ceil(1024)
        )?;
        if let Some(accuracy) = &self.accuracy {
            writeln!(
                formatter,
                "{}: float {:.4}, quantised {:.4}, drop {}; relative error of outputs {}",
                accuracy.metric,
                accuracy.float,
                accuracy.quantized,
                percent(accuracy.drop),
                percent(accuracy.output_error)
            )?;
        }
        if self.layers.iter().all(|layer| layer.alone.is_none()) {
            return Ok(());
        }
        writeln!(
            formatter,
            "\n{:>10} {:>9} {:>9} {:>9}  layer, if it alone is quantised",
            "is", "SQNR dB", "outputs", "drop"
        )?;
        for layer in &self.layers {
            let alone = layer.alone;
            let number = |number: Option<String>| number.unwrap_or_else(|| "-".into());
            writeln!(
                formatter,
                "{:>10} {:>9} {:>9} {:>9}  {} ({})",
                layer.choice.name(),
                number(alone.and_then(|alone| Some(format!("{:.1}", alone.sqnr_db?)))),
                number(alone.map(|alone| percent(alone.output_error))),
                number(alone.map(|alone| percent(alone.drop))),
                layer.name,
                layer.operator
            )?;
        }
        Ok(())
    }
}
