//! `relayc refit`.

use super::{how::How, log::Voice};
use crate::{candidates, compile::Emit};
use miette::IntoDiagnostic;
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Args {
    /// What relayc candidates wrote
    record: PathBuf,
    #[command(flatten)]
    how: How,
}

impl Args {
    /// Prints the cost model's numbers as they are, and as the times would have them.
    pub fn run(self, voice: Voice) -> miette::Result<()> {
        let record = candidates::Record::read(&self.record).into_diagnostic()?;
        let options = self.how.options(Emit::Library, voice)?;
        let fitted = candidates::refit(&record, &options);
        print!("{}", fitted.into_diagnostic()?.describe());
        Ok(())
    }
}
