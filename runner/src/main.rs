//! The program `relay-runner`: a tuner copies it to another machine, and starts it there. Or somebody starts it on a folder of candidates.

use clap::Parser;
use relay_runner::{
    bundle::{self, plan::Plan},
    describe::this_machine,
    ends, serve,
};
use rustix::process::{Signal, set_parent_process_death_signal};
use std::{
    ffi::OsString,
    io,
    path::PathBuf,
    process::{ExitCode, exit},
    str::FromStr,
};

/// Times compiled models on a machine without a compiler. With a folder, it times what "relayc tune --export-candidates" wrote there.
/// Without one, it answers a tuner's lines on the standard input: "relayc tune --host" copies this program to a machine and starts it
#[derive(Parser)]
#[command(version)]
struct Args {
    /// The folder of candidates. A stopped run continues
    #[arg(conflicts_with_all = ["timer", "describe"])]
    folder: Option<PathBuf>,
    /// The file for the times, which "relayc tune --import" reads [default: results.jsonl in the folder]
    #[arg(long, requires = "folder")]
    results: Option<PathBuf>,
    /// Print this machine as relayc's --target takes it
    #[arg(long)]
    describe: bool,
    /// The most bytes of memory that a model may take [default: 4 GiB; what the plan of a folder says]
    #[arg(long)]
    memory: Option<u64>,
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

/// The most bytes of memory that a model may take, if nothing else is said.
const MEMORY: u64 = 4 << 30;

/// The command of the process that runs models, with so many bytes of memory at most.
fn timer(args: &Args, memory: u64) -> io::Result<Vec<OsString>> {
    let program = std::env::current_exe()?.into_os_string();
    let memory = format!("--memory={memory}");
    let Words(mut timer) = args.emulator.clone();
    timer.extend([program, "--timer".into(), memory.into()]);
    Ok(timer)
}

fn run(args: &Args) -> io::Result<()> {
    let memory = args.memory.unwrap_or(MEMORY);
    let (input, output) = (io::stdin().lock(), io::stdout().lock());
    if args.timer {
        // A model that hangs must not outlive who waits for it.
        set_parent_process_death_signal(Some(Signal::KILL))?;
        serve::time(input, output, memory)?;
        // A model's threads may still be at work; nobody waits for them.
        exit(0)
    }
    if args.describe {
        println!("{}", this_machine().target());
        return Ok(());
    }
    if let Some(folder) = &args.folder {
        let plan = Plan::read(folder)?;
        let timer = timer(args, args.memory.or(plan.memory).unwrap_or(u64::MAX))?;
        let mut say = |text: &str| eprintln!("{text}");
        return bundle::run(plan, folder, (args.results.clone(), timer), &mut say);
    }
    let timer = timer(args, memory)?;
    let goes_on = || ends::has_writer(io::stdin());
    serve::serve(input, output, timer, &goes_on)
}
