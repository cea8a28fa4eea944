//! `relayc completions`.

use crate::{DriverError, output};
use clap_complete::Shell;

#[derive(clap::Args)]
pub struct Args {
    /// The shell. bash reads the script with `source <(relayc completions bash)`
    #[arg(value_enum)]
    shell: Shell,
}

impl Args {
    /// Prints a script that makes a shell complete relayc's verbs and options.
    pub fn run(self) -> Result<(), DriverError> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut super::command(), "relayc", &mut script);
        output::print(&script)
    }
}
