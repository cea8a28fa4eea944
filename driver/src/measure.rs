//! Measures a model: its latency, the time of each node, and the bounds of nodes.

use crate::{
    DriverError, bench,
    compile::CompileOptions,
    explain, html, machine, output,
    report::{Bounds, Measured, Report},
    run,
    sizes::Sizes,
};
use relay_runtime::Model;
use std::path::{Path, PathBuf};

/// How to measure.
#[derive(Clone, Debug)]
pub struct MeasureOptions {
    /// The number of threads; 0 for as many as the process may use.
    pub threads: usize,
    /// The sizes of a library's open dimensions.
    pub sizes: Sizes,
    /// The number of timed runs.
    pub repeat: usize,
    /// The number of nodes in the text of the report.
    pub nodes: usize,
    /// Whether to measure the bounds of nodes.
    pub explain: bool,
    /// Where to write the report as a page. It has the bounds, too.
    pub html: Option<PathBuf>,
}

impl MeasureOptions {
    fn has_bounds(&self) -> bool {
        self.explain || self.html.is_some()
    }
}

/// Measures a model, or a library, which has no clocks around its nodes.
///
/// # Errors
/// If the model cannot be compiled or run, or there are several targets. If a library is to show bounds of nodes.
pub fn measure(
    path: &Path,
    options: &CompileOptions,
    how: &MeasureOptions,
) -> Result<Report, DriverError> {
    check_target(options)?;
    if let Some(page) = &how.html {
        output::check(page)?;
    }
    let (model, timed) = models(path, options, how)?;
    let inputs = run::inputs_of(&model, &how.sizes, None, 0)?;
    let mut session = model.instance(how.threads)?;
    let (_, times) = run::run(&mut session, &inputs, how.repeat)?;
    drop(session);
    let mut timed = timed.instance(how.threads)?;
    let profile = bench::profile(&mut timed, &inputs, how.repeat)?;
    let bounds = how.has_bounds().then(|| bounds(path, options, how));
    let bounds = bounds.transpose()?;
    let measured = Measured {
        model: path,
        library: &model,
        threads: how.threads,
        times: &times,
        profile: &profile,
    };
    let report = Report::new(measured, bounds.as_ref(), how.nodes);
    if let (Some(file), Some(bounds)) = (&how.html, &bounds) {
        let library = html::Library {
            weights: model.weights_bytes(),
            arena: model.arena_bytes(),
            plan: &bounds.plan,
        };
        let page = html::page(&report, &library, how.nodes);
        output::write(file, page.as_bytes())?;
    }
    Ok(report)
}

/// Refuses to measure what is compiled for several targets.
///
/// # Errors
/// Names the remedy.
pub fn check_target(options: &CompileOptions) -> Result<(), DriverError> {
    if !options.older.is_empty() {
        return Err(DriverError::Usage(
            "a library for several targets runs the newest code that the processor can: \
             name the target to measure"
                .into(),
        ));
    }
    Ok(())
}

/// The model as users run it, and with a clock around each node, if there is one.
fn models(
    path: &Path,
    options: &CompileOptions,
    how: &MeasureOptions,
) -> Result<(Model, Model), DriverError> {
    if !run::is_library(path) {
        return bench::compile_both(path, options);
    }
    if how.has_bounds() {
        return Err(DriverError::Usage(format!(
            "{} is compiled already, and --explain and --html look at the model; name that",
            path.display()
        )));
    }
    let model = Model::load(path)?;
    Ok((model.clone(), model))
}

fn bounds(
    path: &Path,
    options: &CompileOptions,
    how: &MeasureOptions,
) -> Result<Bounds, DriverError> {
    let (kernels, plan) = explain::kernels(path, options)?;
    Ok(Bounds {
        kernels,
        plan,
        limits: machine::limits(options, how.threads)?,
        machine: options.target.schedules_for(),
    })
}
