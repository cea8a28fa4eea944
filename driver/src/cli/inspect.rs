//! `relayc inspect`.

use super::{how::How, json, log::Voice};
use crate::{
    DriverError, compile::Emit, frontend::Unsaid, inspect::inspect,
    inspect_library::inspect_library, output, run::is_library,
};
use relay_dialects::visible;
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Args {
    /// The model, as relayc compile takes it, or compiled (.so), for this machine or another one
    model: PathBuf,
    /// Also show the type of each node's result, with all shapes. JSON always has it
    #[arg(long)]
    nodes: bool,
    /// Print JSON, as docs/json.md describes it
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    how: How,
}

impl Args {
    /// Prints what a model or a library is; an error if it cannot be compiled.
    pub fn run(self, voice: Voice) -> Result<(), DriverError> {
        if is_library(&self.model) {
            self.how.refuse_for_library(&self.model)?;
            if self.nodes {
                return Err(DriverError::Usage(format!(
                    "{} is compiled: it holds kernels, not nodes; leave --nodes out, or name the model",
                    self.model.display()
                )));
            }
            let summary = inspect_library(&self.model)?;
            return json::print(self.json, &summary);
        }
        let mut options = self.how.options(Emit::Library, voice)?;
        options.reading.unsaid = Unsaid::Open;
        let summary = inspect(&self.model, &options)?;
        json::print(self.json, &summary)?;
        if self.nodes && !self.json {
            output::print(visible(&summary.nodes_text()).as_bytes())?;
        }
        if summary.has_errors() {
            return Err(DriverError::Found(format!(
                "{} cannot be compiled",
                self.model.display()
            )));
        }
        Ok(())
    }
}
