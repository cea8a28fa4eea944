//! `relayc runtime`.

use super::log::Voice;
use crate::{DriverError, output};
use relay_codegen::installation::{HEADERS, RUNTIME, RUNTIME_NAME};
use std::{fs, path::PathBuf};

#[derive(clap::Args)]
pub struct Args {
    /// The output folder, which is created if it is missing
    folder: PathBuf,
}

impl Args {
    /// Writes what a program needs beside an object to be linked.
    pub fn run(self, voice: Voice) -> Result<(), DriverError> {
        let folder = &self.folder;
        fs::create_dir_all(folder).map_err(DriverError::io(folder))?;
        let headers = HEADERS.iter().map(|(name, text)| (*name, text.as_bytes()));
        for (name, content) in headers.chain([(RUNTIME_NAME, RUNTIME)]) {
            let path = folder.join(name);
            output::write(&path, content)?;
            voice.say(format!("wrote {}", path.display()));
        }
        Ok(())
    }
}
