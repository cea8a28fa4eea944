//! `relayc candidates`.

use super::{how::How, log::Voice};
use crate::{
    DriverError, candidates,
    compile::{CompileOptions, Emit},
    output,
};
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Args {
    /// The model, as relayc compile takes it
    model: PathBuf,
    /// The file for the times (JSON). Kernels in the file are not measured again, so one file may hold several
    /// models, and a stopped run continues
    #[arg(short, long)]
    output: PathBuf,
    /// The maximum number of schedules of a kernel. From a larger space, half are those with the lowest
    /// predicted times, and the others are an even sample
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u64).range(1..))]
    count: u64,
    /// The number of threads
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    threads: u64,
    #[command(flatten)]
    how: How,
}

impl Args {
    /// Times schedules of a model's kernels; an error if one of them is wrong.
    pub fn run(self, voice: Voice) -> Result<(), DriverError> {
        output::check(&self.output)?;
        let options = CompileOptions {
            records: None,
            ..self.how.options(Emit::Library, voice)?
        };
        let settings = candidates::Settings {
            threads: self.threads as usize,
            candidates: self.count as usize,
        };
        let target = options.target.describe();
        let mut record = candidates::Record::open(&self.output, settings, &target)?;
        let mut say = |text: &str| voice.say(text);
        candidates::measure(&self.model, &options, &mut record, &self.output, &mut say)?;
        let wrong = |kernel: &candidates::Measured| {
            let (model, name) = (kernel.model.clone(), kernel.name.clone());
            let failures = kernel.failures.iter();
            failures
                .map(|failure| format!("{model}: kernel {name}: {failure}"))
                .collect::<Vec<_>>()
        };
        let failures: Vec<String> = record.kernels.iter().flat_map(wrong).collect();
        match failures.len() {
            0 => Ok(()),
            count => Err(DriverError::Found(format!(
                "{count} schedules are wrong:\n{}",
                failures.join("\n")
            ))),
        }
    }
}
