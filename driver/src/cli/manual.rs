//! `relayc manual`, which installing calls.

use crate::DriverError;
use std::{fs, path::PathBuf};

#[derive(clap::Args)]
pub struct Args {
    /// The output folder, which is created if it is missing
    folder: PathBuf,
}

impl Args {
    /// Writes a manual page for relayc and for each of its verbs.
    pub fn run(self) -> Result<(), DriverError> {
        let folder = &self.folder;
        fs::create_dir_all(folder)
            .and_then(|()| clap_mangen::generate_to(super::command(), folder))
            .map_err(DriverError::io(folder))
    }
}
