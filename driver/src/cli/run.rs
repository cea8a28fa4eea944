//! `relayc run`.

use super::{how::How, json, log::Voice};
use crate::{bench::Latency, compile::Emit, npz, output, report::RunReport, run};
use miette::IntoDiagnostic;
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Args {
    /// A compiled model (.so), or a model to compile first
    model: PathBuf,
    /// The inputs (.npz, by tensor name); without them, seeded random ones
    #[arg(long)]
    inputs: Option<PathBuf>,
    /// Where to write the outputs (.npz)
    #[arg(long)]
    outputs: Option<PathBuf>,
    /// The number of threads; 0 for as many as this process may use
    #[arg(long, default_value_t = 0)]
    threads: usize,
    /// Print how long a run takes
    #[arg(long)]
    print_time: bool,
    /// Print what was run, and the times if they were asked for, as JSON; docs/json.md describes it
    #[arg(long)]
    json: bool,
    /// How many runs to time
    #[arg(long, default_value_t = 10)]
    repeat: usize,
    /// The seed of random inputs
    #[arg(long, default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    how: How,
}

impl Args {
    /// Runs a model, saves its outputs, and prints how long it takes if that was asked for.
    pub fn run(self, voice: Voice) -> miette::Result<()> {
        if let Some(path) = &self.outputs {
            output::check(path).into_diagnostic()?;
        }
        let options = self.how.options(Emit::Library, voice)?;
        let model = run::load_or_compile(&self.model, &options).into_diagnostic()?;
        let inputs = self.inputs.as_deref();
        let tensors = run::inputs(model.inputs(), inputs, self.seed).into_diagnostic()?;
        let mut session = model.instance(self.threads).into_diagnostic()?;
        let repeat = if self.print_time { self.repeat } else { 0 };
        let (results, times) = run::run(&mut session, &tensors, repeat).into_diagnostic()?;
        let latency = Latency::of(&times);
        json::print(
            self.json,
            &RunReport::new(&self.model, &model, self.threads, latency),
        )?;
        match &self.outputs {
            Some(path) => npz::write(path, model.outputs(), &results).into_diagnostic(),
            None => Ok(()),
        }
    }
}
