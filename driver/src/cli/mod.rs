//! The `relayc` command: each verb has a file.

mod bench;
mod candidates;
mod compile;
mod completions;
mod diff;
mod explain;
mod generate;
mod how;
mod inspect;
mod json;
mod log;
mod manual;
mod quantize;
mod refit;
mod run;
mod runtime;
mod tune;
mod tune_db;
mod tune_elsewhere;
mod tune_view;

use crate::{DriverError, plugins, signals};
use clap::{CommandFactory, Parser, Subcommand};
use log::Voice;
use relay_dialects::visible;
use std::{ffi::OsString, path::PathBuf, process::ExitCode};

/// Compile a trained model to a small, fast, self-contained library.
///
/// relayc compile model.onnx -o model.so makes a library for this machine; relayc run model.so
/// runs it. Inputs and outputs are .npz files keyed by tensor names.
///
/// RELAY_MAX_CONSTANT_BYTES (default 2G) limits the memory of one constant of equal elements during compilation,
/// because a small file can request any amount.
#[derive(Parser)]
#[command(name = "relayc", version, max_term_width = 100)]
struct Cli {
    #[command(flatten)]
    voice: Voice,
    /// Load a library that declares operators (relay_operators.h), for models that have them. May be repeated
    #[arg(long, global = true, value_name = "LIB.so")]
    load_operators: Vec<PathBuf>,
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Compile a model to a shared library, or to an intermediate form
    Compile(compile::Args),
    /// Run a model and save what it returns
    Run(run::Args),
    /// Show a model's inputs, outputs, parameters, floating-point operations and operators, and every
    /// unsupported operator; for a compiled model, its target, and the sizes of weights, arena and code
    Inspect(inspect::Args),
    /// Compare a model's tensors with a reference, and name the first node that differs
    ///
    /// The exit code is 1 if a node differs. Roundings of a quantised network may grow although no node is wrong. Then the
    /// report says how far the reference itself moves if a value moves by one step, and the exit code is 0.
    Diff(diff::Args),
    /// Time a model, as a whole and by node
    Bench(bench::Args),
    /// Explain an error and its remedy, by its code, such as R0104
    Explain(explain::Args),
    /// Time several schedules of each kernel of a model
    Candidates(candidates::Args),
    Quantize(Box<quantize::Args>),
    /// Search for faster schedules of a model's kernels, and keep the winners in a file of records
    Tune(Box<tune::Args>),
    /// Compile and time kernels for tune
    #[command(hide = true)]
    TuneWorker(Box<tune::WorkerArgs>),
    /// Fit the cost model's numbers to measured times of schedules, and print old and new ones
    Refit(refit::Args),
    /// Write the runtime's static library and C headers, to link with objects of compile --emit object
    Runtime(runtime::Args),
    /// Print a shell's completion script for verbs and options
    Completions(completions::Args),
    /// Write manual pages
    #[command(hide = true)]
    Manual(manual::Args),
}

/// The command with all its verbs and options, for what is made from it: completions and manual pages.
pub fn command() -> clap::Command {
    Cli::command()
}

/// Does what the process's arguments say.
pub fn main() -> ExitCode {
    match run(std::env::args_os(), None) {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}

/// Does what arguments say, of which the first one is the command's name; returns whether it was done. `program` is what
/// starts this command anew, if it is not the program of this process.
pub fn run(arguments: impl IntoIterator<Item = OsString>, program: Option<&[OsString]>) -> bool {
    relay_dialects::tool::end_on_broken_pipe();
    relay_dialects::tool::end_without_memory();
    let Cli {
        voice,
        load_operators,
        verb,
    } = Cli::parse_from(arguments);
    voice.start_log();
    if let Err(error) = signals::clean_up_at_the_end() {
        tracing::warn!("temporary files stay when a signal ends this process: {error}");
    }
    if let Err(error) = relay_dialects::limits::check() {
        eprintln!("error: {error}");
        return false;
    }
    let loaded = load_operators.iter();
    let mut loaded = loaded.map(|path| plugins::load_operators(path));
    let loaded = loaded.try_for_each(|done| done);
    let done = loaded.and_then(|()| verb.run(voice, program));
    match done {
        Ok(()) => true,
        Err(error) => {
            let code = error.code();
            eprintln!("error[{code}]: {}", visible(&error.to_string()));
            if voice.is_read() {
                eprintln!("relayc explain {code} says more");
            }
            false
        }
    }
}

impl Verb {
    fn run(self, voice: Voice, program: Option<&[OsString]>) -> Result<(), DriverError> {
        match self {
            Self::Compile(args) => args.run(voice),
            Self::Run(args) => args.run(voice),
            Self::Inspect(args) => args.run(voice),
            Self::Diff(args) => args.run(voice),
            Self::Bench(args) => args.run(voice),
            Self::Explain(args) => args.run(),
            Self::Candidates(args) => args.run(voice),
            Self::Quantize(args) => args.run(voice),
            Self::Tune(args) => args.run(voice, program),
            Self::TuneWorker(args) => args.run(voice),
            Self::Refit(args) => args.run(voice),
            Self::Runtime(args) => args.run(voice),
            Self::Completions(args) => args.run(),
            Self::Manual(args) => args.run(),
        }
    }
}
