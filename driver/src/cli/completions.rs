//! `relayc completions`.

use crate::DriverError;
use clap_complete::Shell;
use std::io::Write as _;

#[derive(clap::Args)]
pub struct Args {
    /// The shell: bash reads what is printed by `source <(relayc completions bash)`
    #[arg(value_enum)]
    shell: Shell,
}

impl Args {
    /// Prints a script that makes a shell complete relayc's verbs and options.
    pub fn run(self) -> Result<(), DriverError> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut super::command(), "relayc", &mut script);
        let written = std::io::stdout().write_all(&script);
        written.map_err(DriverError::io("standard output"))
    }
}
