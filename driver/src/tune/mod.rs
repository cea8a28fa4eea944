//! Tuning: other schedules than the default are tried, and those that win are kept in records.
//!
//! First, operators are [laid out](layouts) in the ways that take least time. Then the distinct kernels ([`task`]) of [models] are searched
//! in turns ([`search`]). Something [proposes](propose) schedules; processes of their own compile and time them ([`workers`],
//! [`worker`]), or time them on other machines ([`remote`]), so that nothing which a schedule does ends the tuner. At the end the
//! whole networks are timed with and without what was found ([`network`]), and what does not win is dropped.
//!
//! Where only a runner is on the machine that times, schedules are [exported], and what it [measured] is taken in.
//!
//! [exported]: export

pub mod db;
mod deploy;
mod event;
mod evolve;
pub mod export;
mod features;
pub mod import;
mod kernel_module;
mod layouts;
mod learner;
mod libraries;
mod lines;
mod lineups;
pub mod measured;
mod models;
mod network;
mod points;
mod population;
mod producers;
pub mod propose;
mod protocol;
pub mod rank;
mod recorded;
mod remote;
mod search;
mod sketches;
mod snapshot;
mod task;
mod team;
mod tried;
mod verdict;
pub mod worker;
mod workers;

pub use event::{Event, OfModel, Run, Status, View};
pub use relay_tune::scheduler::Strategy;
pub use remote::{Reach, Remote};
pub use search::{Best, Search};
pub use task::{Task, Tasks, tasks};
pub use workers::Start;

use crate::{
    DriverError,
    compile::{self, CompileOptions},
    machine::FmaPeak,
    output, records,
};
use evolve::Evolution;
use layouts::LaidOut;
use learner::Learner;
use models::{Network, Networks};
use points::Points;
use propose::Proposer;
use protocol::Reply;
use relay_runtime::pool::available_threads;
use relay_topi::Machine;
use relay_tune::{
    Database, Writer,
    record::Line,
    scheduler,
    tuners::{self, Annealing, Droplet, Genetic, Nearest},
};
use search::Shared;
use sketches::Sketches;
use std::{
    path::{Path, PathBuf},
    time::{Duration, Instant},
};
use team::Team;
use workers::ask_all;

/// How to tune.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The machine, as records name it.
    pub machine: String,
    /// The number of threads that run kernels.
    pub threads: usize,
    /// How long to search, layouts and the times of defaults included; the test of the whole network comes on top.
    pub budget: Duration,
    /// The most trials of all kernels together.
    pub trials: usize,
    /// How kernels take turns.
    pub strategy: Strategy,
    /// How schedules are found.
    pub tuner: Tuner,
    /// Whether other layouts of operators are tried, before schedules are.
    pub layouts: bool,
    /// Whether a model learns from what is measured, and ranks what is drawn.
    pub learns: bool,
    /// What draws are made by.
    pub seed: u64,
    /// What the machine can do at most: 10^9 floating-point operations in a second. Bytes are no limit: most of them are in a cache.
    pub gflops: f64,
    /// The number of workers that compile at a time; 0 for as many as there are cores.
    pub builders: usize,
}

impl Settings {
    /// The number of workers that compile at a time.
    fn count_builders(&self) -> usize {
        match self.builders {
            0 => available_threads().max(1),
            builders => builders,
        }
    }
}

/// How schedules are found. The command's help says it in these words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Tuner {
    /// The 16 choices of the template that are expected to be fastest, and edits of the best of them; sketches for a kernel that has
    /// neither a template nor a schedule
    #[default]
    Evolution,
    /// The choices of the template, or of a schedule's te.knob ops, in order: a template's expected fastest first
    /// (AutoTVM's GridSearchTuner)
    Grid,
    /// The same choices by chance, none twice (AutoTVM's RandomTuner)
    Random,
    /// The same choices by a genetic algorithm (AutoTVM's GATuner)
    Genetic,
    /// The same choices by simulated annealing over what near ones were measured to take, ranked by the learned model (AutoTVM's
    /// XGBTuner)
    Annealing,
    /// The same choices by coordinate descent from the best one, until no neighbour is better (AutoTVM's DropletTuner)
    Droplet,
    /// Schedules that are derived from what kernels compute alone: no template, no cost model (Ansor, the auto-scheduler)
    Sketches,
}

/// Choosing layouts takes at most the budget divided by this, and one test of each network. The number was set by hand.
const PART_FOR_LAYOUTS: u32 = 4;

/// What came of it.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The kernels that there are, and those with another schedule than the default.
    pub kernels: usize,
    /// See above.
    pub tuned: usize,
    /// The schedules that were tried in this run, and those of them that failed.
    pub trials: usize,
    /// See above.
    pub failed: usize,
    /// The operators that this run gave another layout than the default, in all models.
    pub laid_out: usize,
    /// How many times as long as the default each model takes; 1 if nothing is better than the default.
    pub of_default: Vec<f64>,
}

/// Tunes the kernels of models, into a file of records. A kernel that several of them have is searched for once. `start` says how
/// workers are started; where there are runners on other machines, those time, and workers only compile.
///
/// Where [`CompileOptions::stop`] is requested, workers are ended and what was found is in the records.
///
/// # Errors
/// If a model cannot be compiled, the records cannot be read or written, or somebody asked the work to stop.
pub fn tune(
    models: &[PathBuf],
    records: &Path,
    (options, settings): (&CompileOptions, &Settings),
    (start, remotes): (&Start, Vec<Remote>),
    view: &mut dyn View,
) -> Result<Outcome, DriverError> {
    let mut writer = Writer::open(records)?;
    let options = &CompileOptions {
        records: Some(records.to_owned()),
        ..options.clone()
    };
    let started = Instant::now();
    let left = || settings.budget.saturating_sub(started.elapsed());
    let mut team = Team::new(start, remotes, settings.count_builders());
    let layouts = choose_layouts((models, records), (options, settings), &mut team, view)?;
    // Others may write meanwhile. What they find is theirs to test: this run knows what is there now.
    let known = Database::read(records)?;
    let context = compile::prepare();
    let Networks {
        all: networks,
        tasks,
    } = Networks::read(&context, models, options)?;
    let is_new = |task: &&Task<'_>| {
        let known = known.kernel(&task.kernel.key);
        known.is_none_or(|known| known.version < task.kernel.version)
    };
    for task in tasks.iter().filter(is_new) {
        writer.add(&Line::Kernel(task.kernel.clone()))?;
    }
    let folder = output::temporary_folder()?;
    let machine = options.target.schedules_for();
    let search = |task| {
        let proposer = proposer(task, machine, settings);
        Search::new(task, &known, proposer, folder.path(), settings)
    };
    let mut searches: Vec<Search<'_, '_>> = tasks.iter().map(search).collect();
    let before: (usize, usize) = count(&searches);
    let seen = (&known, &settings.machine[..]);
    let learner = || Learner::open(&context, records, seen);
    let mut learner = settings.learns.then(learner);
    let mut shared = Shared {
        settings,
        team: &mut team,
        learner: learner.as_mut(),
        writer: &mut writer,
        view,
    };
    begin(&networks, &mut searches, &mut shared, left())?;
    run(&networks, &mut searches, &mut shared, (before.0, &left))?;
    let compiled = (&known, options);
    let of_default = network::decide(&networks, compiled, &mut searches, &mut shared)?;
    for search in &searches {
        search.choose(&mut shared)?;
    }
    Ok(outcome(&searches, before, (&layouts, &of_default)))
}

/// What came of searches that had tried so many schedules before, of which so many had failed. The ratios are by model, of layouts and of
/// schedules.
fn outcome(
    searches: &[Search<'_, '_>],
    before: (usize, usize),
    (layouts, of_default): (&[LaidOut], &[f64]),
) -> Outcome {
    let after = count(searches);
    let ratios = layouts.iter().zip(of_default);
    Outcome {
        kernels: searches.len(),
        tuned: searches.iter().filter(|search| search.ends_tuned()).count(),
        trials: after.0 - before.0,
        failed: after.1 - before.1,
        laid_out: layouts.iter().map(|layouts| layouts.operators).sum(),
        of_default: ratios
            .map(|(layouts, schedules)| layouts.ratio * schedules)
            .collect(),
    }
}

/// Chooses layouts of each model, if that is wanted, in a part of the budget.
fn choose_layouts(
    (models, records): (&[PathBuf], &Path),
    (options, settings): (&CompileOptions, &Settings),
    team: &mut Team,
    view: &mut dyn View,
) -> Result<Vec<LaidOut>, DriverError> {
    if !settings.layouts || settings.budget.is_zero() {
        return Ok(vec![LaidOut::UNCHANGED; models.len()]);
    }
    let limit = settings.budget / PART_FOR_LAYOUTS / models.len().max(1) as u32;
    let choose =
        |model: &PathBuf| layouts::choose((model, records), (options, settings, limit), team, view);
    models.iter().map(choose).collect()
}

/// What proposes schedules of a kernel.
fn proposer(task: &Task<'_>, machine: Machine, settings: &Settings) -> Box<dyn Proposer> {
    let seed = settings.seed;
    let tuner: Box<dyn tuners::Tuner> = match (settings.tuner, &task.template) {
        (Tuner::Sketches, _) => return Box::new(Sketches::new(task, machine, seed)),
        (Tuner::Evolution, None) if !task.has_start() => {
            return Box::new(Sketches::new(task, machine, seed));
        }
        (Tuner::Evolution, None) => return Box::new(Evolution::new(task, seed)),
        (Tuner::Evolution, Some(_)) | (Tuner::Genetic, _) => Box::new(Genetic::new(seed)),
        (Tuner::Grid, _) => Box::new(tuners::Grid::default()),
        (Tuner::Random, _) => Box::new(tuners::Random::new(seed)),
        (Tuner::Annealing, _) => {
            let walks = Annealing::new(seed, Box::new(Nearest::default()));
            return Box::new(Points::new(task, Box::new(walks)).ranked(seed));
        }
        (Tuner::Droplet, _) => Box::new(Droplet::default()),
    };
    Box::new(Points::new(task, tuner))
}

/// The trials of all searches, and those that failed.
fn count(searches: &[Search<'_, '_>]) -> (usize, usize) {
    let trials = searches.iter().map(|search| search.trials).sum();
    (trials, searches.iter().map(|search| search.failed).sum())
}

/// Compiles and times what all kernels have, when so much of the budget is `left`.
fn begin(
    networks: &[Network],
    searches: &mut [Search<'_, '_>],
    shared: &mut Shared<'_>,
    left: Duration,
) -> Result<(), DriverError> {
    let all: Vec<usize> = (0..searches.len()).collect();
    let again = begin_some(searches, &all, shared)?;
    begin_some(searches, &again, shared)?;
    models::weigh(networks, searches);
    shared.view.see(&Event::Kernels {
        kernels: searches.iter().map(Search::status).collect(),
        run: models::run(networks, searches, left),
    });
    Ok(())
}

/// Compiles and times what the searches at some places begin with. Returns the places of those that have to begin again, with the
/// default.
fn begin_some(
    searches: &mut [Search<'_, '_>],
    places: &[usize],
    shared: &mut Shared<'_>,
) -> Result<Vec<usize>, DriverError> {
    let some = || places.iter().map(|place| &searches[*place]);
    let requests: Vec<Vec<_>> = some().map(Search::build_first).collect();
    let built = ask_all(
        &mut shared.team.builders,
        &requests.concat(),
        search::FIRST_LIMIT,
    )?;
    let mut built = built.into_iter();
    let built = requests.iter().map(|own| {
        let replies = built.by_ref().take(own.len());
        replies.reduce(|first, second| match first {
            Reply::Failed { .. } => first,
            _ => second,
        })
    });
    let built: Vec<Reply> = built.flatten().collect();
    let settings = shared.settings;
    let pairs = some().map(|search| search.first_look(settings)).collect();
    let timed = search::time_all(built, pairs, shared)?;
    let are_all = places.len() == searches.len();
    if are_all && some().all(|search| search.best.is_default()) {
        check_any(&timed)?;
    }
    let mut again = Vec::new();
    for (place, timed) in places.iter().zip(timed) {
        let timed = searches[*place].look_again(timed, shared)?;
        if !searches[*place].begin(timed, shared.view) {
            again.push(*place);
        }
    }
    Ok(again)
}

/// Checks that some kernel was timed, if there are any. Where all fail, their schedules are not the reason.
fn check_any(timed: &[Reply]) -> Result<(), DriverError> {
    let is_timed = |reply: &Reply| matches!(reply, Reply::Timed { .. });
    let reason = timed.iter().find_map(|reply| match reply {
        Reply::Failed { how, reason } => Some(format!("{}: {reason}", how.describe())),
        _ => None,
    });
    match reason {
        Some(reason) if !timed.iter().any(is_timed) => Err(DriverError::Usage(format!(
            "none of the {} kernels can be timed with the schedule that it has. The first one {reason}",
            timed.len()
        ))),
        _ => Ok(()),
    }
}

/// Rounds until nothing is `left` of the budget, or nothing is left to gain. Earlier runs have tried `before` schedules.
fn run(
    networks: &[Network],
    searches: &mut [Search<'_, '_>],
    shared: &mut Shared<'_>,
    (before, left): (usize, &dyn Fn() -> Duration),
) -> Result<(), DriverError> {
    loop {
        let tried = count(searches).0 - before;
        let most = shared.settings.trials.saturating_sub(tried);
        if left().is_zero() || most == 0 {
            return Ok(());
        }
        let progress: Vec<_> = searches.iter().map(|it| it.progress.clone()).collect();
        let Some(place) = scheduler::next(&progress, shared.settings.strategy) else {
            return Ok(());
        };
        searches[place].round(most, shared)?;
        shared.view.see(&Event::Round {
            kernel: searches[place].status(),
            run: models::run(networks, searches, left()),
        });
    }
}

/// How often the machine's limit is measured. The greatest counts.
const PEAK_RUNS: usize = 25;

/// The settings if nothing else is said, for this machine.
///
/// # Errors
/// If the machine's limit cannot be measured.
pub fn settings(options: &CompileOptions, threads: usize) -> Result<Settings, DriverError> {
    let threads = match threads {
        0 => available_threads(),
        threads => threads,
    };
    let gflops = FmaPeak::new(options)?.measure(threads, PEAK_RUNS)?;
    Ok(defaults(options, threads, gflops))
}

/// The settings if nothing else is said, for another machine.
///
/// # Errors
/// If the machine's limit cannot be measured.
pub fn settings_for(
    remote: &mut Remote,
    options: &CompileOptions,
    threads: usize,
) -> Result<Settings, DriverError> {
    let threads = remote.threads(threads);
    let gflops = remote.peak(options, threads)?;
    Ok(defaults(options, threads, gflops))
}

fn defaults(options: &CompileOptions, threads: usize, gflops: f64) -> Settings {
    Settings {
        machine: records::machine(&options.target),
        threads,
        budget: Duration::from_secs(600),
        trials: usize::MAX,
        strategy: Strategy::default(),
        tuner: Tuner::default(),
        layouts: true,
        learns: true,
        seed: 0,
        gflops,
        builders: 0,
    }
}
