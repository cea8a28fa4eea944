//! `relayc refit`.

use super::{how::How, log::Voice};
use crate::{DriverError, candidates, compile::Emit, output};
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Args {
    /// The output of relayc candidates
    record: PathBuf,
    #[command(flatten)]
    how: How,
}

impl Args {
    /// Prints the cost model's numbers as they are, and as the times would have them.
    pub fn run(self, voice: Voice) -> Result<(), DriverError> {
        let record = candidates::Record::read(&self.record)?;
        let options = self.how.options(Emit::Library, voice)?;
        let mut fitted = candidates::refit(&record, &options)?;
        output::print(fitted.describe(&options.target).as_bytes())
    }
}
