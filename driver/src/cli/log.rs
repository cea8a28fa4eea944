//! How much the command says beside its results, on stderr.

use relay_dialects::visible;
use std::io::{IsTerminal, Write};
use tracing_subscriber::EnvFilter;

/// How much is said.
#[derive(Clone, Copy, clap::Args)]
pub struct Voice {
    /// Print errors only: no progress, no warnings, no names of written files
    #[arg(
        short,
        long,
        global = true,
        conflicts_with = "verbose",
        help_heading = "Messages"
    )]
    quiet: bool,
    /// Print each step with its time; twice: also each pass; three times: everything. RUST_LOG takes precedence
    #[arg(short, long, global = true, action = clap::ArgAction::Count, help_heading = "Messages")]
    verbose: u8,
}

impl Voice {
    /// Sends the log to stderr, as much of it as was asked for.
    pub fn start_log(self) {
        let level = match (self.quiet, self.verbose) {
            (true, _) => "error",
            (_, 0) => "warn",
            (_, 1) => "warn,relay=info",
            (_, 2) => "warn,relay=debug",
            _ => "trace",
        };
        let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| level.into());
        tracing_subscriber::fmt()
            .with_writer(std::io::stderr)
            .with_ansi(std::io::stderr().is_terminal())
            .with_env_filter(filter)
            .without_time()
            .with_target(false)
            .init();
    }

    /// Whether to draw progress: to a person who has not asked for lines between which it would stand.
    pub fn progress(self) -> bool {
        !self.quiet && self.verbose == 0 && std::io::stderr().is_terminal()
    }

    /// Whether a person reads what is said.
    pub fn is_read(self) -> bool {
        !self.quiet && std::io::stderr().is_terminal()
    }

    /// Says that something is done, to whoever reads it still.
    pub fn say(self, text: impl AsRef<str>) {
        if !self.quiet {
            let _ = writeln!(std::io::stderr().lock(), "{}", visible(text.as_ref()));
        }
    }
}
