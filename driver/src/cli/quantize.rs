//! `relayc quantize`.

use super::{how::How, json, log::Voice};
use crate::{
    DriverError,
    compile::Emit,
    frontend::Unsaid,
    html::quantization,
    output,
    quantize::{Method, Metric, QuantizeOptions, Rounding, WeightType, quantize},
};
use std::path::{Path, PathBuf};

/// Quantise a float model: its convolutions and matrix products multiply bytes
///
/// Products of bytes are faster, and weights take a quarter of the memory. The scales of bytes come from
/// samples of the model's inputs; a few hundred are enough. In Python:
///
///   numpy.savez("samples.npz", image=images)    # the input's name, a sample in each row
///
///   relayc quantize model.onnx --data samples.npz -o model.int8.so
///
/// Or round weights alone, of language models above all, whose time is that of reading them:
///
///   relayc quantize model.onnx --weights int4 -o model.int4.so
///   relayc quantize model.onnx --weights int4 --rounding gptq --data samples.npz -o model.int4.so
///
/// See what it costs, layer by layer, and give layers back to float until at most 1% is lost:
///
///   relayc quantize model.onnx --data samples.npz --accuracy-drop 1% --report report.html
///
/// Without --metric, the accuracy is the share of samples with the same greatest output as the float
/// model, if outputs are scores of classes, and otherwise 1 less the relative error of the outputs.
/// A metric of your own is a script. It gets the outputs for all samples and the data, as two .npz
/// files, and prints a number: the greater, the better.
///
///   import sys, numpy
///   outputs, data = map(numpy.load, sys.argv[1:])
///   guesses = outputs["scores"].argmax(1)
///   print((guesses == data["labels"][:len(guesses)]).mean())
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    /// The model, as relayc compile takes it
    model: PathBuf,
    /// Samples of the inputs: an .npz file, or a folder of such files. Arrays have the inputs' names and a sample in each row; others are
    /// left alone
    #[arg(long, value_name = "FILE|FOLDER", required_unless_present = "weights")]
    data: Option<PathBuf>,
    /// Round the weights of matrix products alone, while data stay floats: int2, int4 or int8, and behind a colon the numbers that share
    /// a scale [default: 32]. It needs no --data but for --rounding gptq; with some, the accuracy is measured
    #[arg(long, value_name = "TYPE[:BLOCK]", value_parser = WeightType::parse,
        conflicts_with_all = ["method", "per_channel", "symmetric", "power_of_two", "bias_correction", "keep_first", "keep_last", "accuracy_drop", "journal"])]
    weights: Option<WeightType>,
    /// To which number of a block's grid --weights rounds
    #[arg(long, value_enum, default_value_t, requires = "weights")]
    rounding: Rounding,
    /// The file to write: a library, or the model with quantised operands as .mlir, .mlirbc or .relay [default: the model's name with .int8.so, or .int4.so for --weights int4]
    #[arg(short, long)]
    output: Option<PathBuf>,
    /// The most samples to use, the first ones [default: all]
    #[arg(long)]
    samples: Option<usize>,
    /// How to choose the numbers that bytes cover: "minmax" for all that samples have; "percentile", or "percentile:99.9", without the rarest at
    /// both ends; "kl" for the least Kullback-Leibler divergence; "mse" for the least mean squared error
    #[arg(long, default_value = "percentile", value_parser = Method::parse)]
    method: Method,
    /// A scale for each output of a weight, or one for all
    #[arg(long, default_value_t = true, action = clap::ArgAction::Set, value_name = "BOOL")]
    per_channel: bool,
    /// Make data signed bytes with a zero point of 0, for other tools. Bytes with any zero point are more precise and no slower
    #[arg(long)]
    symmetric: bool,
    /// Make each scale a power of two
    #[arg(long)]
    power_of_two: bool,
    /// Subtract the mean error of a quantised layer's result, on the samples, from its bias [default: true with --per-channel false,
    /// otherwise false]
    #[arg(long, value_name = "BOOL")]
    bias_correction: Option<bool>,
    /// Leave layers float: nodes by name, or operators such as dense, with the wildcards * and ?. May be repeated
    #[arg(long, value_name = "PATTERN")]
    keep: Vec<String>,
    /// Leave the first layer float
    #[arg(long)]
    keep_first: bool,
    /// Leave the last layer float
    #[arg(long)]
    keep_last: bool,
    /// Give layers back to float, those that cost most first, until the metric drops by at most this part of the float model's: 1%, or 0.01
    #[arg(long, value_name = "SHARE", value_parser = parse_share)]
    accuracy_drop: Option<f64>,
    /// The most choices of layers that --accuracy-drop measures, each on all samples [default: the number of layers]
    #[arg(long, value_name = "NUMBER", requires = "accuracy_drop")]
    evaluations: Option<usize>,
    /// A file to which each layer's and each choice's accuracy is written as soon as it is measured. A run that was stopped goes on by it
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// The accuracy: "argmax", "error", or a script, as described above [default: argmax for scores of classes, otherwise error]
    #[arg(long, value_name = "METRIC|SCRIPT.py", requires = "data")]
    metric: Option<String>,
    /// Measure the accuracy, and the error of each layer alone, and write them into a file: a page, or JSON if it ends in .json
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// The number of threads; 0 for as many as this process may use
    #[arg(long, default_value_t = 0)]
    threads: usize,
    /// A Python for --metric
    #[arg(long, env = "RELAY_PYTHON", default_value = "python3")]
    python: PathBuf,
    /// Print the report as JSON, as docs/json.md describes it
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    how: How,
}

/// Reads `1%` or `0.01`.
fn parse_share(text: &str) -> Result<f64, String> {
    let (number, unit) = match text.strip_suffix('%') {
        Some(number) => (number, 0.01),
        None => (text, 1.0),
    };
    let share: Option<f64> = number.trim().parse().ok();
    let share = share.map(|share| share * unit);
    share
        .filter(|share| (0.0..1.0).contains(share))
        .ok_or_else(|| {
            format!("'{text}' is no share: a percentage such as 1%, or a part such as 0.01")
        })
}

impl Args {
    /// Quantises a model, and says what that costs.
    pub fn run(self, voice: Voice) -> Result<(), DriverError> {
        let mut options = self.how.options(Emit::Library, voice)?;
        options.reading.unsaid = Unsaid::Open;
        let written = self.output.unwrap_or_else(|| {
            let name = PathBuf::from(self.model.file_name().unwrap_or_default());
            let bits = self.weights.map_or(8, |weights| weights.bits);
            name.with_extension(format!("int{bits}.so"))
        });
        if written == Path::new("-") {
            let reason = "-o - is no file, and the ending of a file says what to write";
            return Err(DriverError::Usage(reason.into()));
        }
        let metric = self.metric.map(|metric| match metric.as_str() {
            "argmax" => Metric::ArgMax,
            "error" => Metric::Error,
            script => Metric::Script {
                python: self.python,
                script: script.into(),
                data: self.data.clone().unwrap_or_default(),
            },
        });
        let how = QuantizeOptions {
            data: self.data,
            weights: self.weights,
            rounding: self.rounding,
            samples: self.samples,
            method: self.method,
            per_channel: self.per_channel,
            symmetric: self.symmetric,
            power_of_two: self.power_of_two,
            bias_correction: self.bias_correction.unwrap_or(!self.per_channel),
            keep: self.keep,
            keep_first: self.keep_first,
            keep_last: self.keep_last,
            accuracy_drop: self.accuracy_drop,
            evaluations: self.evaluations,
            journal: self.journal,
            analyze: metric.is_some() || self.report.is_some(),
            metric,
            threads: self.threads,
        };
        if let Some(path) = &self.report {
            output::check(path)?;
        }
        let report = quantize(&self.model, &written, &options, &how)?;
        if let Some(path) = &self.report {
            quantization::write(&report, path)?;
        }
        json::print(self.json, &report)
    }
}
