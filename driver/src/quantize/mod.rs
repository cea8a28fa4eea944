//! Quantises a float model: marks operands, chooses their scales by samples, and gives layers back to float where they cost too much.

mod bias;
mod feedback;
mod figures;
mod journal;
mod layers;
mod metric;
mod observe;
mod report;
mod samples;
mod search;
mod switched;
mod weights;

pub use figures::percent;
pub use metric::{Metric, Score};
pub use relay_quantize::Method;
pub use report::{Accuracy, Choice, LayerReport, QuantizeReport};
pub use weights::{Rounding, WeightType};

use crate::{
    DriverError,
    compile::{self, CompileOptions, Emit},
    exposed, frontend, output,
};
use journal::Journal;
use layers::{candidates, layers, unmark};
use melior::{Context, ir::Module};
use metric::Runs;
use observe::{Observed, calibrate, observe, run_pass};
use relay_dialects::{attrs, ir::Op, rewrite};
use relay_import::relay_text;
use relay_passes::{
    pipeline::{MAX_OPT_LEVEL, Precision},
    simulated::{Simulated, operator_name},
};
use relay_runtime::Port;
use samples::Samples;
use search::{Limits, Sensitivity, Trials};
use sha2::{Digest, Sha256};
use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    path::{Path, PathBuf},
};
use switched::Switched;
use weights::quantize_weights;

/// How to quantise.
#[derive(Clone, Debug)]
pub struct QuantizeOptions {
    /// Samples of the inputs. Without [`Self::weights`] there must be some.
    pub data: Option<PathBuf>,
    /// How weights alone are rounded, while data stay floats.
    pub weights: Option<WeightType>,
    /// To which numbers they are rounded.
    pub rounding: Rounding,
    /// The most samples to use.
    pub samples: Option<usize>,
    /// How ranges of data are chosen.
    pub method: Method,
    /// Whether a weight has a scale for each output.
    pub per_channel: bool,
    /// Whether data are signed bytes with a zero point of 0.
    pub symmetric: bool,
    /// Whether scales are powers of two.
    pub power_of_two: bool,
    /// Whether biases make up for the mean error of their layers.
    pub bias_correction: bool,
    /// Patterns of layers that stay float.
    pub keep: Vec<String>,
    /// Whether the first layer stays float.
    pub keep_first: bool,
    /// Whether the last layer stays float.
    pub keep_last: bool,
    /// The allowed drop of the metric, as a part of the float model's score.
    pub accuracy_drop: Option<f64>,
    /// The most choices of layers to measure for it; `None` for as many as there are layers.
    pub evaluations: Option<usize>,
    /// A file with what was measured of layers.
    pub journal: Option<PathBuf>,
    /// The metric; `None` for the usual one of the outputs.
    pub metric: Option<Metric>,
    /// Whether to measure each layer alone.
    pub analyze: bool,
    /// The number of threads; 0 for as many as the process may use.
    pub threads: usize,
}

/// The pass before which operators are quantised: batch norms are folded then, and layouts are the model's.
const QUANTIZED_BEFORE: &str = "alter-op-layout";

/// Quantises a model, and writes it as a library or, by the ending of `output`, as Relay or MLIR.
///
/// # Errors
/// See [`DriverError`].
pub fn quantize(
    model: &Path,
    output: &Path,
    options: &CompileOptions,
    how: &QuantizeOptions,
) -> Result<QuantizeReport, DriverError> {
    output::check(output)?;
    let context = compile::prepare();
    let samples = how
        .data
        .as_deref()
        .map(|data| Samples::open(data, how.samples));
    let samples = samples.transpose()?;
    let mut module = frontend::load(&context, model, &options.reading)?;
    compile::has_entry(&module)?;
    fold_norms(&context, &mut module, options)?;
    let mut report = match (how.weights, &samples) {
        (Some(kind), samples) => {
            let how = (how, kind, samples.as_ref());
            quantize_weights(&context, &mut module, (model, options), how)?
        }
        (None, Some(samples)) => {
            let work = Work {
                context: &context,
                samples,
                options,
                how,
                model,
            };
            work.quantize(&mut module)?
        }
        (None, None) => {
            let reason = "quantising data takes samples of them: name some with --data, or round weights alone with --weights int4";
            return Err(DriverError::Usage(reason.into()));
        }
    };
    report.output = output.display().to_string();
    write(&context, module, output, options)?;
    Ok(report)
}

/// Folds norms into weights, and makes constants of weights.
fn fold_norms(
    context: &Context,
    module: &mut Module<'_>,
    options: &CompileOptions,
) -> Result<(), DriverError> {
    let first = plain(options);
    compile::run_up_to(context, module, QUANTIZED_BEFORE, &first)?;
    run_pass(context, module, "fold-constant")?;
    Op::of_module(module).remove_attr(attrs::MACHINE);
    Ok(())
}

/// The options for models that are only run here: what is inserted and generated elsewhere comes when the result is compiled.
fn plain(options: &CompileOptions) -> CompileOptions {
    CompileOptions {
        older: Vec::new(),
        opt_level: MAX_OPT_LEVEL,
        precision: Precision::F32,
        emit: Emit::Library,
        dump_ir: None,
        insert: Vec::new(),
        codegen: Vec::new(),
        records: None,
        ..options.clone()
    }
}

/// A model that is being quantised.
struct Work<'a> {
    context: &'a Context,
    samples: &'a Samples,
    options: &'a CompileOptions,
    how: &'a QuantizeOptions,
    model: &'a Path,
}

impl Work<'_> {
    fn quantize(&self, module: &mut Module<'_>) -> Result<QuantizeReport, DriverError> {
        let how = self.how;
        self.annotate(module)?;
        let found = layers(module);
        if found.is_empty() {
            return Err(self.nothing(module));
        }
        let plain = plain(self.options);
        let run = (&plain, how.threads);
        let method = (how.method, how.symmetric);
        let (observed, rows) = observe(self.context, module, self.samples, method, run)?;
        calibrate(self.context, module, &observed, &pass_options(how))?;
        let errors = match how.bias_correction {
            true => bias::observe(self.context, module, layers, self.samples, run)?,
            false => Vec::new(),
        };
        let is_measured = how.analyze || how.accuracy_drop.is_some();
        let ports = output_ports(module, self.model)?;
        let metric = how.metric.clone();
        let metric = metric.unwrap_or_else(|| Metric::usual_of(&ports));
        let mut float = BTreeSet::new();
        let mut known = None;
        if is_measured {
            let mut trials = Trials {
                model: Switched::new(self.context, module, (layers, &errors), run)?,
                samples: self.samples,
                metric: &metric,
                stop: &plain.stop,
                journal: self.journal(module, &metric)?,
                progress: plain.progress,
            };
            let sensitivity = trials.each_alone(found.len())?;
            if let Some(drop) = how.accuracy_drop {
                let evaluations = how.evaluations.unwrap_or(found.len());
                float = trials.give_back(&sensitivity, Limits { drop, evaluations })?;
            }
            known = Some(sensitivity);
        }
        let mut report = self.report(module, &observed, rows, (known.as_ref(), &float));
        let marked = layers(module).into_iter().zip(&errors).enumerate();
        for (_, (layer, error)) in marked.filter(|(number, _)| !float.contains(number)) {
            bias::correct(&layer, error);
        }
        give_back(module, &float);
        run_pass(self.context, module, "quantize-realize")?;
        if let Some(known) = &known {
            report.accuracy = Some(self.accuracy(module, &metric, known, &ports)?);
        }
        Ok(report)
    }

    /// Marks the operands of layers that are not kept. Operators outside of `@main` stay float.
    fn annotate(&self, module: &mut Module<'_>) -> Result<(), DriverError> {
        let how = self.how;
        let keep = kept(how)?;
        let (first, last) = (how.keep_first, how.keep_last);
        let pass =
            format!("quantize-annotate{{keep=\"{keep}\" keep-first={first} keep-last={last}}}");
        run_pass(self.context, module, &format!("func.func({pass})"))?;
        let found: HashSet<Op> = layers(module)
            .iter()
            .map(|layer| layer.product.op)
            .collect();
        for product in candidates(module) {
            if !found.contains(&product.op) {
                unmark(&product);
            }
        }
        let main = exposed::main(module);
        for op in Op::of_module(module).body().ops() {
            if op != main {
                for mark in Simulated::all(op) {
                    mark.0.result(0).replace_all_uses_with(mark.source());
                }
            }
            rewrite::erase_dead(op);
        }
        Ok(())
    }

    /// The measurements that there are of this model, with its scales, on these data.
    fn journal(&self, module: &Module<'_>, metric: &Metric) -> Result<Journal, DriverError> {
        let Some(path) = &self.how.journal else {
            return Ok(Journal::default());
        };
        let mut digest = Sha256::new();
        digest.update(Op::of_module(module).to_bytecode());
        let (data, samples) = (&self.how.data, self.how.samples);
        let corrects = self.how.bias_correction;
        digest.update(format!("{data:?} {samples:?} {metric:?} {corrects}"));
        Journal::open(path, format!("{:x}", digest.finalize()))
    }

    fn nothing(&self, module: &Module<'_>) -> DriverError {
        let reason = match candidates(module).len() {
            0 => "no layer can multiply bytes: there is no convolution or matrix product of f32 with a constant weight"
                .to_owned(),
            count => format!("all {count} layers are kept float by --keep, --keep-first and --keep-last"),
        };
        DriverError::Model {
            path: self.model.into(),
            reason,
        }
    }

    /// The score of the model in bytes, by a library of it.
    fn accuracy(
        &self,
        module: &Module<'_>,
        metric: &Metric,
        known: &Sensitivity,
        ports: &[Port],
    ) -> Result<Accuracy, DriverError> {
        let options = plain(self.options);
        let run = (&options, self.how.threads);
        let (runs, _) = runs_of(self.context, module, self.samples, run)?;
        let budget = self.how.accuracy_drop;
        let found = Accuracy::of(metric, ports, (&runs, &known.exact), known.score, budget)?;
        if let Some(budget) = budget.filter(|budget| found.drop > *budget) {
            tracing::warn!(
                "the compiled model drops by {}, more than the allowed {}: its sums round in another order than those of the search",
                percent(found.drop),
                percent(budget)
            );
        }
        Ok(found)
    }

    fn report(
        &self,
        module: &Module<'_>,
        observed: &BTreeMap<String, Observed>,
        samples: usize,
        (known, float): (Option<&Sensitivity>, &BTreeSet<usize>),
    ) -> QuantizeReport {
        let marked = layers(module);
        let mut all = Vec::new();
        let (mut float_bytes, mut bytes) = (0, 0);
        for product in candidates(module) {
            let number = marked
                .iter()
                .position(|layer| layer.product.op == product.op);
            let weights = product.op.operand(1).ty().count().unsigned_abs();
            let choice = match number {
                None => Choice::Kept,
                Some(number) if float.contains(&number) => Choice::GivenBack,
                Some(_) => Choice::Quantized,
            };
            float_bytes += 4 * weights;
            bytes += weights * if choice == Choice::Quantized { 1 } else { 4 };
            let seen = number.and_then(|number| observed.get(&marked[number].tensor));
            all.push(LayerReport {
                name: product.name,
                operator: operator_name(product.op),
                choice,
                seen: seen.map(|observed| [observed.seen.low, observed.seen.high]),
                covered: seen.map(|observed| [observed.covered.low, observed.covered.high]),
                weights,
                alone: number.and_then(|number| Some(known?.alone[number])),
            });
        }
        if known.is_some() {
            let error = |layer: &LayerReport| layer.alone.map_or(-1.0, |alone| alone.output_error);
            all.sort_by(|a, b| error(b).total_cmp(&error(a)));
        }
        QuantizeReport {
            model: self.model.display().to_string(),
            output: String::new(),
            data: self
                .how
                .data
                .as_ref()
                .map(|data| data.display().to_string()),
            samples,
            method: self.how.method.to_string(),
            bias_correction: self.how.bias_correction,
            weights: None,
            accuracy: None,
            float_bytes,
            bytes,
            layers: all,
        }
    }
}

/// The patterns of what stays float, as an option of passes.
fn kept(how: &QuantizeOptions) -> Result<String, DriverError> {
    let keep = how.keep.join("\n");
    match keep.contains('"') {
        true => Err(DriverError::Usage(
            "--keep takes no quotes; use ? in the place of one".into(),
        )),
        false => Ok(keep),
    }
}

fn output_ports(module: &Module<'_>, model: &Path) -> Result<Vec<Port>, DriverError> {
    exposed::outputs(module).ok_or_else(|| DriverError::Model {
        path: model.into(),
        reason: "an output of it has an element type that no library takes".into(),
    })
}

/// The outputs of a model for all samples, and the number of these.
fn runs_of(
    context: &Context,
    module: &Module<'_>,
    samples: &Samples,
    run: (&CompileOptions, usize),
) -> Result<(Runs, usize), DriverError> {
    let mut copy = relay_dialects::copy(module);
    let model = exposed::to_model(context, &mut copy, run.0)?;
    let mut runs = Runs::new();
    let count = samples.run(&model, run, |outputs| runs.push(outputs))?;
    Ok((runs, count))
}

/// The options of the pass that chooses scales.
fn pass_options(how: &QuantizeOptions) -> String {
    let method = if how.method == Method::Mse {
        "mse"
    } else {
        "minmax"
    };
    format!(
        "method={method} per-channel={} symmetric={} power-of-two={}",
        how.per_channel, how.symmetric, how.power_of_two
    )
}

/// Takes the marks from the layers that stay float.
fn give_back(module: &Module<'_>, float: &BTreeSet<usize>) {
    for (number, layer) in layers(module).iter().enumerate() {
        if float.contains(&number) {
            unmark(&layer.product);
        }
    }
    rewrite::erase_dead(exposed::main(module));
}

/// Writes the quantised model in the form that the ending of the file says.
fn write(
    context: &Context,
    module: Module<'_>,
    output: &Path,
    options: &CompileOptions,
) -> Result<(), DriverError> {
    let ending = output.extension().and_then(|ending| ending.to_str());
    let root = Op::of_module(&module);
    match ending {
        Some("mlir") => output::write(output, root.to_string().as_bytes()),
        Some("mlirbc") => output::write(output, &root.to_bytecode()),
        Some("relay" | "rly") => {
            let text = relay_text::export(root).map_err(|error| DriverError::Model {
                path: output.into(),
                reason: format!("cannot be written as Relay: {error}; write .mlir"),
            })?;
            output::write(output, text.to_string().as_bytes())
        }
        _ => compile::make_library(context, module, output, options).map(|_| ()),
    }
}
