//! Collects the ranges of tensors that are to be quantised, on samples.

use super::samples::Samples;
use crate::{
    DriverError,
    compile::CompileOptions,
    exposed::{self, add_result},
    output,
};
use melior::{Context, ir::Module};
use relay_dialects::{
    ir::{Op, Value},
    pass::run_pipeline,
    rewrite,
};
use relay_passes::simulated::Simulated;
use relay_quantize::{Histogram, Method, Range};
use std::{collections::BTreeMap, path::Path};

/// What was seen of a tensor.
#[derive(Clone, Debug)]
pub struct Observed {
    /// All of its numbers.
    pub seen: Range,
    /// What its bytes are to cover.
    pub covered: Range,
}

/// Runs the model with the marked tensors as outputs, and chooses a range for each.
///
/// # Errors
/// See [`DriverError`]; and if a tensor has elements that are no numbers.
pub fn observe(
    context: &Context,
    module: &Module<'_>,
    samples: &Samples,
    (method, is_symmetric): (Method, bool),
    run: (&CompileOptions, usize),
) -> Result<(BTreeMap<String, Observed>, usize), DriverError> {
    let mut exposing = relay_dialects::copy(module);
    let (names, own) = expose(&exposing);
    let model = exposed::to_model(context, &mut exposing, run.0)?;
    let mut histograms = vec![Histogram::default(); names.len()];
    let rows = samples.run(&model, run, |outputs| {
        for (histogram, output) in histograms.iter_mut().zip(&outputs[own..]) {
            if let Some(numbers) = output.as_slice::<f32>() {
                histogram.add(numbers);
            }
        }
    })?;
    let mut found = BTreeMap::new();
    for (name, histogram) in names.into_iter().zip(&histograms) {
        if histogram.odd() > 0 {
            return Err(DriverError::Found(format!(
                "tensor '{name}' has {} elements that are NaN or infinite on these samples; no scale fits them, so keep its \
                 readers float with --keep",
                histogram.odd()
            )));
        }
        let none = Range {
            low: 0.0,
            high: 0.0,
        };
        let observed = Observed {
            seen: histogram.range().unwrap_or(none),
            covered: method.range(histogram, is_symmetric).unwrap_or(none),
        };
        found.insert(name, observed);
    }
    Ok((found, rows))
}

/// Makes marked data outputs, behind those that there are, and takes all marks out. Returns the data's names, and the number of
/// the model's own outputs.
fn expose(module: &Module<'_>) -> (Vec<String>, usize) {
    let main = exposed::main(module);
    let own = main.body().terminator().map_or(0, Op::operand_count);
    let mut names = Vec::new();
    for mark in Simulated::all(main) {
        let source: Value = mark.source();
        if let Some(name) = mark.tensor() {
            add_result(main, &format!("quantize.{name}"), source);
            names.push(name);
        }
        mark.0.result(0).replace_all_uses_with(source);
    }
    rewrite::erase_dead(main);
    (names, own)
}

/// Runs the pass that gives marks their scales.
///
/// # Errors
/// If it fails.
pub fn calibrate(
    context: &Context,
    module: &mut Module<'_>,
    observed: &BTreeMap<String, Observed>,
    pass_options: &str,
) -> Result<(), DriverError> {
    let folder = output::temporary_folder()?;
    let path = folder.path().join("ranges.json");
    let ranges = observed
        .iter()
        .map(|(name, observed)| (name, [observed.covered.low, observed.covered.high]));
    let table: BTreeMap<_, _> = ranges.collect();
    let text =
        serde_json::to_string(&table).map_err(|error| DriverError::io(&path)(error.into()))?;
    output::write(&path, text.as_bytes())?;
    let ranges = quoted(&path);
    run_pass(
        context,
        module,
        &format!("func.func(quantize-calibrate{{ranges={ranges} {pass_options}}})"),
    )
}

/// A path as an option of a pass.
fn quoted(path: &Path) -> String {
    format!("\"{}\"", path.display())
}

/// Runs a pass or several.
///
/// # Errors
/// With what they reported.
pub fn run_pass(
    context: &Context,
    module: &mut Module<'_>,
    pipeline: &str,
) -> Result<(), DriverError> {
    let run = || run_pipeline(context, module, pipeline);
    let (result, diagnostics) = relay_dialects::pass::with_diagnostics(context, run);
    result.map_err(|reason| DriverError::Pass {
        pass: pipeline.into(),
        diagnostics: if diagnostics.is_empty() {
            reason
        } else {
            diagnostics
        },
    })
}
