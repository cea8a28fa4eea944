//! `relayc bench`.

use super::{how::How, log::Voice};
use crate::{
    bench::{self, Latency},
    compile::{CompileOptions, Emit},
    explain, machine, run,
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
            None => limits(&options, self.threads).map(|_| ()),
            Some(model) => self.measure(model, &options),
        }
    }

    fn measure(&self, path: &Path, options: &CompileOptions) -> miette::Result<()> {
        let (model, timed) = bench::compile_both(path, options).into_diagnostic()?;
        let inputs = run::inputs(model.inputs(), None, 0).into_diagnostic()?;
        let mut session = model.instance(self.threads).into_diagnostic()?;
        let (_, times) = run::run(&mut session, &inputs, self.repeat).into_diagnostic()?;
        drop(session);
        if let Some(latency) = Latency::of(&times) {
            println!("{latency}");
        }
        let mut timed = timed.instance(self.threads).into_diagnostic()?;
        let profile = bench::profile(&mut timed, &inputs, self.repeat).into_diagnostic()?;
        if !self.explain {
            print!("{}", bench::table(&profile, self.nodes));
            return Ok(());
        }
        let kernels = explain::kernels(path, options).into_diagnostic()?;
        let limits = limits(options, self.threads)?;
        let machine = options.target.schedules_for();
        let table = explain::table(&profile, &kernels, limits, machine, self.nodes);
        print!("{table}");
        Ok(())
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

/// Measures the machine and prints what was found.
fn limits(options: &CompileOptions, threads: usize) -> miette::Result<machine::Limits> {
    let limits = machine::limits(options, threads).into_diagnostic()?;
    println!("FMA peak: {:.1} GFLOP/s", limits.gflops);
    println!("memory: {:.1} GB/s", limits.gbytes);
    Ok(limits)
}
