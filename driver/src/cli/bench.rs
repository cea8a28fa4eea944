//! `relayc bench`.

use super::{how::How, json, log::Voice};
use crate::{
    DriverError,
    compile::Emit,
    machine,
    measure::{MeasureOptions, check_target, measure},
};
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Args {
    /// The model, as relayc compile takes it, or a compiled one (.so), of which only the time as a whole is known
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
        let options = self.how.options(Emit::Library, voice)?;
        let Some(model) = &self.model else {
            check_target(&options)?;
            return json::print(self.json, &machine::limits(&options, self.threads)?);
        };
        let how = MeasureOptions {
            threads: self.threads,
            sizes: self.how.sizes(model)?,
            repeat: self.repeat,
            nodes: self.nodes,
            explain: self.explain,
            html: self.html,
        };
        let report = measure(model, &options, &how)?;
        if let Some(page) = &how.html {
            voice.say(format!("wrote {}", page.display()));
        }
        json::print(self.json, &report)
    }
}
