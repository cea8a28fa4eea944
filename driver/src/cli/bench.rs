//! `relayc bench`.

use super::{how::How, json, log::Voice};
use crate::{
    DriverError, bench,
    compile::{CompileOptions, Emit},
    explain, html, machine, output,
    report::{Bounds, Measured, Report},
    run,
};
use relay_runtime::Model;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub struct Args {
    /// The model, .onnx or .mlir, or a compiled one (.so), of which only the time as a whole is known
    #[arg(required_unless_present = "machine")]
    model: Option<PathBuf>,
    /// The number of threads; 0 for as many as this process may use
    #[arg(long, default_value_t = 0)]
    threads: usize,
    /// The number of timed runs
    #[arg(long, default_value_t = 30)]
    repeat: usize,
    /// The number of nodes to show
    #[arg(long, default_value_t = 20)]
    nodes: usize,
    /// Show the bound of each node: its operations, its bytes (inputs, weights and outputs), its share of the
    /// roofline, and its loops. This measures the roofline, too. A node with data in a cache can exceed the
    /// roof of memory
    #[arg(long)]
    explain: bool,
    /// Write an HTML report in one file: latency, time by node, roofline, memory during the run, schedules.
    /// This measures the machine, too
    #[arg(long, value_name = "FILE", conflicts_with = "machine")]
    html: Option<PathBuf>,
    /// Print JSON, as docs/json.md describes it; with --explain also the bound of each node
    #[arg(long)]
    json: bool,
    /// Measure the machine instead of a model: multiply-adds, and bytes from memory
    #[arg(long, conflicts_with_all = ["model", "explain"])]
    machine: bool,
    #[command(flatten)]
    how: How,
}

impl Args {
    /// Times a model or the machine, and prints what was found.
    pub fn run(self, voice: Voice) -> Result<(), DriverError> {
        if let Some(path) = &self.html {
            output::check(path)?;
        }
        let options = self.how.options(Emit::Library, voice)?;
        has_one_target(&options)?;
        match &self.model {
            None => {
                let limits = machine::limits(&options, self.threads)?;
                json::print(self.json, &limits)
            }
            Some(model) => json::print(self.json, &self.measure(model, &options, voice)?),
        }
    }

    /// The model as users run it, and with a clock around each node, if there is one.
    fn models(&self, path: &Path, options: &CompileOptions) -> Result<(Model, Model), DriverError> {
        if !run::is_library(path) {
            return bench::compile_both(path, options);
        }
        self.how.refuse_for_library(path)?;
        if self.explain || self.html.is_some() {
            return Err(DriverError::Usage(format!(
                "{} is compiled already, and --explain and --html look at the model; name that",
                path.display()
            )));
        }
        let model = Model::load(path)?;
        Ok((model.clone(), model))
    }

    fn measure(
        &self,
        path: &Path,
        options: &CompileOptions,
        voice: Voice,
    ) -> Result<Report, DriverError> {
        let (model, timed) = self.models(path, options)?;
        let inputs = run::inputs(model.inputs(), None, 0)?;
        let mut session = model.instance(self.threads)?;
        let (_, times) = run::run(&mut session, &inputs, self.repeat)?;
        drop(session);
        let mut timed = timed.instance(self.threads)?;
        let profile = bench::profile(&mut timed, &inputs, self.repeat)?;
        let bounds = if self.explain || self.html.is_some() {
            let (kernels, plan) = explain::kernels(path, options)?;
            Some(Bounds {
                kernels,
                plan,
                limits: machine::limits(options, self.threads)?,
                machine: options.target.schedules_for(),
            })
        } else {
            None
        };
        let measured = Measured {
            model: path,
            library: &model,
            threads: self.threads,
            times: &times,
            profile: &profile,
        };
        let report = Report::new(measured, bounds.as_ref(), self.nodes);
        if let (Some(file), Some(bounds)) = (&self.html, &bounds) {
            let library = html::Library {
                weights: model.weights_bytes(),
                arena: model.arena_bytes(),
                plan: &bounds.plan,
            };
            let page = html::page(&report, &library, self.nodes);
            output::write(file, page.as_bytes())?;
            voice.say(format!("wrote {}", file.display()));
        }
        Ok(report)
    }
}

/// Refuses to measure what is compiled for several targets.
fn has_one_target(options: &CompileOptions) -> Result<(), DriverError> {
    if !options.older.is_empty() {
        return Err(DriverError::Usage(
            "a library for several targets runs the newest code that the processor can: \
             name the target to measure"
                .into(),
        ));
    }
    Ok(())
}
