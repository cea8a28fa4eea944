//! `relayc tune`, and the worker that it starts.

use super::{how::How, log::Voice, tune_db, tune_elsewhere, tune_view::view};
use crate::{
    DriverError,
    compile::{CompileOptions, Emit},
    html::tuning,
    measure::check_target,
    output, records,
    tune::{
        self, Outcome, Reach, Remote, Settings, Start, Tuner, export::ExportSettings, measured,
        worker,
    },
};
use relay_codegen::Stop;
use relay_runner::memory;
use relay_runtime::pool::available_threads;
use relay_tune::{Database, scheduler::Strategy};
use std::{
    collections::HashSet,
    ffi::OsString,
    path::{Path, PathBuf},
    time::Duration,
};

#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Args {
    #[command(subcommand)]
    verb: Option<Verb>,
    #[command(flatten)]
    search: Search,
}

#[derive(clap::Subcommand)]
enum Verb {
    /// Inspect or change a file of records
    #[command(subcommand)]
    Db(Box<tune_db::Verb>),
}

/// The options of a search, which an export or an import does not make.
const SEARCHING: [&str; 9] = [
    "budget",
    "trials",
    "tuner",
    "no_layouts",
    "no_model",
    "strategy",
    "hosts",
    "runner_commands",
    "html",
];

#[derive(clap::Args)]
struct Search {
    /// The models, as relayc compile takes them. A kernel of several models is tuned once; all models have the same weight
    #[arg(required = true, value_name = "MODEL")]
    models: Vec<PathBuf>,
    /// The time for the search: 90s, 10m, 2h. The test of whole networks takes additional time. 0s only runs
    /// this test, on the results of a stopped run
    #[arg(long, default_value = "10m", value_parser = parse_time)]
    budget: Duration,
    /// The maximum number of schedules to try, for all kernels together
    #[arg(long)]
    trials: Option<usize>,
    /// The number of threads of the tuned model; 0 for as many as this process may use
    #[arg(long, default_value_t = 0)]
    threads: usize,
    /// The search method
    #[arg(long, value_enum, default_value_t)]
    tuner: Tuner,
    /// The random seed. The same seed begins with the same schedules; later ones depend on the measurements
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Search schedules only, not layouts
    #[arg(long)]
    no_layouts: bool,
    /// Do not learn a cost model, and do not rank schedules before they are tried
    #[arg(long)]
    no_model: bool,
    /// The order of kernels
    #[arg(long, value_enum, default_value_t)]
    strategy: StrategyArg,
    /// The memory limit for compiling or running a schedule: 512M, 4G
    #[arg(long, default_value = "4G", value_parser = parse_bytes)]
    memory: u64,
    /// The worker command, instead of this program on this machine. It is a shell command. It gets the
    /// additional arguments of "relayc tune-worker", and answers like it
    #[arg(long, value_name = "COMMAND")]
    worker_command: Option<String>,
    /// A machine to time on, by its name for ssh, while this machine compiles. relayc copies its runner there.
    /// Several machines of one kind share the work. The default target is that machine. May be repeated
    #[arg(long = "host", value_name = "HOST", conflicts_with = "worker_command")]
    hosts: Vec<String>,
    /// The same by a shell command that answers like relay-runner, such as "ssh -p 2222 board ./relay-runner".
    /// May be repeated
    #[arg(
        long = "runner-command",
        value_name = "COMMAND",
        conflicts_with = "worker_command"
    )]
    runner_commands: Vec<String>,
    /// Compile schedules of each kernel into a new folder, in the order of the cost model, and time nothing. On a
    /// machine without a compiler, "relay-runner FOLDER" times them
    #[arg(long, value_name = "FOLDER", conflicts_with_all = SEARCHING)]
    export_candidates: Option<PathBuf>,
    /// The maximum number of exported schedules of a kernel, beside the default
    #[arg(
        long,
        value_name = "N",
        default_value_t = 32,
        requires = "export_candidates",
        value_parser = clap::value_parser!(u64).range(1..)
    )]
    candidates: u64,
    /// Add the times that relay-runner wrote to the records. The default target is that of the export
    #[arg(long, value_name = "FILE", conflicts_with_all = SEARCHING, conflicts_with = "export_candidates")]
    import: Option<PathBuf>,
    /// The number of workers that compile at a time; 0 for the number of cores
    #[arg(long, default_value_t = 0)]
    builders: usize,
    /// Write an HTML page of all trials
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Print each step as a line of JSON on the standard output
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    how: How,
}

#[derive(Clone, Copy, Default, clap::ValueEnum)]
enum StrategyArg {
    /// The kernel with the greatest expected gain per second
    #[default]
    Gradient,
    /// One after the other
    RoundRobin,
}

/// Reads `90s`, `10m` or `2h`.
fn parse_time(text: &str) -> Result<Duration, String> {
    let wrong = || format!("'{text}' is no time: a number and s, m or h, such as 90s, 10m, 2h");
    let (place, unit) = text.char_indices().last().ok_or_else(wrong)?;
    let number = &text[..place];
    let seconds = match unit {
        's' => 1.0,
        'm' => 60.0,
        'h' => 3600.0,
        _ => return Err(wrong()),
    };
    let number: f64 = number.parse().map_err(|_| wrong())?;
    Duration::try_from_secs_f64(number * seconds).map_err(|_| wrong())
}

/// Reads `512M` or `4G`.
fn parse_bytes(text: &str) -> Result<u64, String> {
    let wrong = || format!("'{text}' is no size: a number, and K, M or G if it counts those");
    let (number, shift) = match text.char_indices().last() {
        Some((place, 'K')) => (&text[..place], 10),
        Some((place, 'M')) => (&text[..place], 20),
        Some((place, 'G')) => (&text[..place], 30),
        _ => (text, 0),
    };
    let number: u64 = number.parse().map_err(|_| wrong())?;
    number.checked_mul(1 << shift).ok_or_else(wrong)
}

/// What runs a command of the shell in the shell's place, with the arguments that follow.
fn of_shell(command: &str) -> Vec<OsString> {
    let script = format!("exec {command} \"$@\"");
    ["sh", "-c", &script, "sh"].map(OsString::from).to_vec()
}

impl Args {
    /// Tunes models' kernels, or does what is asked of records.
    pub fn run(self, voice: Voice, program: Option<&[OsString]>) -> Result<(), DriverError> {
        match self.verb {
            Some(Verb::Db(verb)) => verb.run(voice),
            None => self.search.run(voice, program),
        }
    }
}

impl Search {
    fn run(mut self, voice: Voice, program: Option<&[OsString]>) -> Result<(), DriverError> {
        let records = self.records()?;
        if let Some(results) = self.import.take() {
            return self.import(&results, &records, voice);
        }
        if let Some(folder) = self.export_candidates.take() {
            return self.export(&folder, &records, voice, program);
        }
        if let Some(page) = &self.html {
            if self.json && page == Path::new("-") {
                let reason = "--json has the standard output for itself; name a file with --html";
                return Err(DriverError::Usage(reason.into()));
            }
            output::check(page)?;
        }
        let mut remotes = self.remotes()?;
        if let Some(remote) = remotes.first() {
            self.how.aim(|named| remote.target(named));
        }
        // The tuner follows the file that it writes, which may not be there yet.
        let options = CompileOptions {
            records: None,
            ..self.how.options(Emit::Library, voice)?
        };
        refuse_gpu(&options)?;
        let settings = self.settings(&options, remotes.first_mut())?;
        let start = self.start(&options, program)?;
        let is_remote = !remotes.is_empty();
        let mut view = view(self.json, voice);
        let (how, workers) = ((&options, &settings), (&start, remotes));
        let outcome = tune::tune(&self.models, &records, how, workers, &mut *view)?;
        drop(view);
        if let Some(page) = &self.html {
            write_page(page, &records, &self.models, &options)?;
        }
        let target = is_remote.then_some(&options.target.text[..]);
        self.report(&outcome, &records, target, voice);
        Ok(())
    }

    /// How workers are started.
    fn start(
        &self,
        options: &CompileOptions,
        program: Option<&[OsString]>,
    ) -> Result<Start, DriverError> {
        match (&self.worker_command, program) {
            (Some(command), _) => Start::of_command(of_shell(command), options, self.memory),
            (None, Some(program)) => Ok(Start::of_program(program.to_vec(), options, self.memory)),
            (None, None) => Start::of_this_program(options, self.memory),
        }
    }

    /// How to compile for another machine. Records say how operators are laid out.
    fn elsewhere(&self, records: &Path, voice: Voice) -> Result<CompileOptions, DriverError> {
        Ok(CompileOptions {
            records: Some(records.to_owned()).filter(|records| records.is_file()),
            ..self.how.options(Emit::Library, voice)?
        })
    }

    /// Compiles candidates for a machine without a compiler.
    fn export(
        &self,
        folder: &Path,
        records: &Path,
        voice: Voice,
        program: Option<&[OsString]>,
    ) -> Result<(), DriverError> {
        let options = self.elsewhere(records, voice)?;
        check_target(&options)?;
        let settings = ExportSettings {
            candidates: usize::try_from(self.candidates).unwrap_or(usize::MAX),
            threads: self.threads,
            seed: self.seed,
            memory: self.memory,
            builders: match self.builders {
                0 => available_threads(),
                builders => builders,
            },
        };
        let start = self.start(&options, program)?;
        tune_elsewhere::export_candidates(&self.models, folder, (&options, settings), &start, voice)
    }

    /// Adds what was measured of them to the records.
    fn import(mut self, results: &Path, records: &Path, voice: Voice) -> Result<(), DriverError> {
        let results = measured::read(results)?;
        let exported = &results.header.plan.target;
        self.how.aim(|named| named.unwrap_or(exported).to_owned());
        let options = self.elsewhere(records, voice)?;
        tune_elsewhere::import(&results, &self.models, records, &options, voice)
    }

    /// The machines to time on, if it is not this one.
    fn remotes(&self) -> Result<Vec<Remote>, DriverError> {
        let hosts = self.hosts.iter().cloned().map(Reach::Host);
        let commands = self.runner_commands.iter();
        let commands = commands.map(|command| Reach::Command(of_shell(command)));
        let reaches: Vec<Reach> = hosts.chain(commands).collect();
        Remote::connect_all(&reaches, self.memory, &Stop::default())
    }

    /// How to tune.
    fn settings(
        &self,
        options: &CompileOptions,
        remote: Option<&mut Remote>,
    ) -> Result<Settings, DriverError> {
        let mut settings = match remote {
            Some(remote) => tune::settings_for(remote, options, self.threads)?,
            None => tune::settings(options, self.threads)?,
        };
        settings.budget = self.budget;
        settings.trials = self.trials.unwrap_or(usize::MAX);
        settings.strategy = match self.strategy {
            StrategyArg::Gradient => Strategy::Gradient,
            StrategyArg::RoundRobin => Strategy::RoundRobin,
        };
        settings.seed = self.seed;
        settings.layouts = !self.no_layouts;
        settings.learns = !self.no_model;
        settings.tuner = self.tuner;
        settings.builders = self.builders;
        Ok(settings)
    }

    /// Says what came of it, and how each model is compiled with it; for a target, if it is not this machine.
    fn report(&self, outcome: &Outcome, records: &Path, target: Option<&str>, voice: Voice) {
        let target = target.map_or(String::new(), |target| format!("--target \"{target}\" "));
        let models = self.models.iter().zip(&outcome.of_default);
        let models = models
            .map(|(model, ratio)| format!("{} takes {ratio:.3} of its time", model.display()));
        let layouts = match outcome.laid_out {
            0 => String::new(),
            operators => format!(", and {operators} operators have another layout"),
        };
        voice.say(format!(
            "tried {} schedules ({} failed); {} of {} kernels have a better one than the default{}: {}",
            outcome.trials,
            outcome.failed,
            outcome.tuned,
            outcome.kernels,
            layouts,
            models.collect::<Vec<_>>().join(", ")
        ));
        for model in &self.models {
            voice.say(format!(
                "relayc compile {} {target}--records {}",
                model.display(),
                records.display()
            ));
        }
    }

    /// Checks the options that name records: a tuner reads and writes one file.
    fn check_records(&self) -> Result<(), DriverError> {
        let reason = if self.how.ignores_records() {
            "--no-records is for relayc compile; relayc tune reads and writes the file of --records"
        } else if self.how.named_records() == Some(Path::new("-")) {
            "records are read as well as written, so they cannot go to the standard output; name a file with --records, and have \
             steps as lines of JSON with --json"
        } else {
            return Ok(());
        };
        Err(DriverError::Usage(reason.into()))
    }

    /// The file of records, which can be written.
    fn records(&self) -> Result<PathBuf, DriverError> {
        self.check_records()?;
        let records = match self.how.named_records() {
            Some(named) => named.to_owned(),
            None => records::usual()?.ok_or_else(|| {
                let reason = "there is no folder for records, as neither RELAY_RECORDS, XDG_DATA_HOME nor HOME is set; name \
                              a file with --records";
                DriverError::Usage(reason.into())
            })?,
        };
        records::check(&records)?;
        Ok(records)
    }
}

/// Refuses a GPU: what is measured before a search begins runs on processors only.
fn refuse_gpu(options: &CompileOptions) -> Result<(), DriverError> {
    match options.target.device {
        None => Ok(()),
        Some(_) => Err(DriverError::Usage(
            "kernels for a GPU are timed by relay-runner: name a folder with --export-candidates, run \"relay-runner FOLDER\" on the \
             machine with the GPU, and read what it writes with --import"
                .into(),
        )),
    }
}

/// Writes a page of what was tried for models' kernels.
fn write_page(
    page: &Path,
    records: &Path,
    models: &[PathBuf],
    options: &CompileOptions,
) -> Result<(), DriverError> {
    let database = Database::read(records)?;
    let options = &CompileOptions {
        records: Some(records.to_owned()),
        ..options.clone()
    };
    let mut keys = HashSet::new();
    for model in models {
        let kernels = tune::db::explain(&database, model, options)?.0;
        keys.extend(kernels.into_iter().map(|kernel| kernel.key));
    }
    let is_shown = |key: &str| keys.contains(key);
    let machine = records::machine(&options.target);
    let text = tuning::page(&database, &machine, |kernel| is_shown(&kernel.key));
    output::write(page, text.as_bytes())
}

/// What a tuner starts.
#[derive(clap::Args)]
pub struct WorkerArgs {
    /// The memory limit in bytes
    #[arg(long)]
    memory: u64,
    /// The required machine, by its name in records
    #[arg(long)]
    machine: Option<String>,
    #[command(flatten)]
    how: How,
}

impl WorkerArgs {
    /// Answers a tuner's requests.
    pub fn run(self, voice: Voice) -> Result<(), DriverError> {
        let options = self.how.options(Emit::Library, voice)?;
        memory::limit(self.memory);
        let (input, output) = (std::io::stdin().lock(), std::io::stdout().lock());
        worker::serve(input, output, &options, self.machine.as_deref())
    }
}
