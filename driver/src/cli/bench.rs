//! `relayc bench`.

use super::{how::How, json, log::Voice};
use crate::{
    bench,
    compile::{CompileOptions, Emit},
    explain, machine,
    report::{Bounds, Measured, Report},
    run,
};
use miette::IntoDiagnostic;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub struct Args {
    /// The model: .onnx or .mlir
    #[arg(required_unless_present = "machine")]
    model: Option<PathBuf>,
    /// The number of threads; 0 for as many as this process may use
    #[arg(long, default_value_t = 0)]
    threads: usize,
    /// How many runs to time
    #[arg(long, default_value_t = 30)]
    repeat: usize,
    /// How many nodes to show
    #[arg(long, default_value_t = 20)]
    nodes: usize,
    /// Show what bounds each node: its operations, its bytes (inputs, weights and outputs), the
    /// share of the roofline that it reaches, and its loops. The roof is measured, too; a node
    /// whose data are in a cache can be above that of memory
    #[arg(long)]
    explain: bool,
    /// Print JSON, as docs/json.md describes it; with --explain also what bounds each node
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
    pub fn run(self, voice: Voice) -> miette::Result<()> {
        let options = self.how.options(Emit::Library, voice)?;
        has_one_target(&options)?;
        match &self.model {
            None => {
                let limits = machine::limits(&options, self.threads).into_diagnostic()?;
                json::print(self.json, &limits)
            }
            Some(model) => json::print(self.json, &self.measure(model, &options)?),
        }
    }

    fn measure(&self, path: &Path, options: &CompileOptions) -> miette::Result<Report> {
        let (model, timed) = bench::compile_both(path, options).into_diagnostic()?;
        let inputs = run::inputs(model.inputs(), None, 0).into_diagnostic()?;
        let mut session = model.instance(self.threads).into_diagnostic()?;
        let (_, times) = run::run(&mut session, &inputs, self.repeat).into_diagnostic()?;
        drop(session);
        let mut timed = timed.instance(self.threads).into_diagnostic()?;
        let profile = bench::profile(&mut timed, &inputs, self.repeat).into_diagnostic()?;
        let bounds = if self.explain {
            Some(Bounds {
                kernels: explain::kernels(path, options).into_diagnostic()?,
                limits: machine::limits(options, self.threads).into_diagnostic()?,
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
        Ok(Report::new(measured, bounds.as_ref(), self.nodes))
    }
}

/// Refuses to measure what is compiled for several targets.
fn has_one_target(options: &CompileOptions) -> miette::Result<()> {
    if !options.older.is_empty() {
        miette::bail!(
            "a library for several targets runs the newest code that the processor can: \
             name the target to measure"
        );
    }
    Ok(())
}
