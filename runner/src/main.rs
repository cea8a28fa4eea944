//! The program `relay-runner`: a tuner copies it to another machine, and starts it there.

use clap::Parser;
use relay_runner::{ends, serve};
use rustix::process::{Signal, set_parent_process_death_signal};
use std::{
    ffi::OsString,
    io,
    process::{ExitCode, exit},
    str::FromStr,
};

/// Times compiled models for a tuner on another machine: "relayc tune --host" copies this program there and starts it. It answers lines
/// on the standard input
#[derive(Parser)]
#[command(version)]
struct Args {
    /// The most bytes of memory that a model may take
    #[arg(long, default_value_t = 4 << 30)]
    memory: u64,
    /// What runs models, if the system itself does not: an emulator and its options, such as "qemu-aarch64 -L SYSROOT", with quotes
    /// around what has spaces, as in a shell
    #[arg(long, default_value = "", hide_default_value = true)]
    emulator: Words,
    /// Be the process that runs models; the one without this flag starts it
    #[arg(long, hide = true)]
    timer: bool,
}

/// A command's words, as a shell reads them.
#[derive(Clone)]
struct Words(Vec<OsString>);

impl FromStr for Words {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let words = shlex::split(text).ok_or("a quote or a backslash has no end")?;
        Ok(Self(words.into_iter().map(OsString::from).collect()))
    }
}

fn main() -> ExitCode {
    let args = Args::parse();
    match run(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("relay-runner: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &Args) -> io::Result<()> {
    let (input, output) = (io::stdin().lock(), io::stdout().lock());
    if args.timer {
        // A model that hangs must not outlive who waits for it.
        set_parent_process_death_signal(Some(Signal::KILL))?;
        serve::time(input, output, args.memory)?;
        // A model's threads may still be at work; nobody waits for them.
        exit(0)
    }
    let program = std::env::current_exe()?.into_os_string();
    let memory = format!("--memory={}", args.memory);
    let Words(mut timer) = args.emulator.clone();
    timer.extend([program, "--timer".into(), memory.into()]);
    let goes_on = || ends::has_writer(io::stdin());
    serve::serve(input, output, timer, &goes_on)
}
