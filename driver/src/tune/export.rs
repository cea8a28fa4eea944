//! Candidates for a machine that has no compiler: a folder with a library for each schedule, and a plan by which `relay-runner` times them
//! there. [`measured`](super::measured) takes in what comes back.

use super::{
    models::Networks,
    points::Points,
    propose::Proposer,
    protocol::{Reply, Request},
    search::{BUILD_LIMIT, FIRST_LIMIT, LOOK, TEST, TIME_LIMIT},
    task::Task,
    workers::{Start, Worker, ask_all},
};
use crate::{
    DriverError,
    compile::{self, CompileOptions},
    output, records,
};
use relay_runner::bundle::plan::{Candidate, FILE, Kernel, Plan, Turns, VERSION};
use relay_tune::{ScheduleText, tuners::Grid};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// The most candidates of a kernel that are tested after the look at all of them. The number was set by hand.
const FINALISTS: usize = 3;

/// What to export.
#[derive(Clone, Copy, Debug)]
pub struct ExportSettings {
    /// The most candidates of a kernel, beside the default.
    pub candidates: usize,
    /// The number of threads that run kernels; 0 for as many as the other machine has processors.
    pub threads: usize,
    /// What the numbers of inputs are drawn by.
    pub seed: u64,
    /// The most bytes of memory that compiling a candidate, or running one on a processor, may take.
    pub memory: u64,
    /// The number of workers that compile at a time.
    pub builders: usize,
}

/// What was exported.
#[derive(Clone, Copy, Debug, Default)]
pub struct Exported {
    /// The kernels with candidates.
    pub kernels: usize,
    /// The kernels of which the default is the only schedule, or does not compile.
    pub left_out: usize,
    /// The candidates.
    pub candidates: usize,
    /// The schedules that did not compile.
    pub failed: usize,
    /// The bytes of the folder.
    pub bytes: u64,
}

/// Compiles candidates of the kernels of models into a folder, in the order of the cost model. Tells `say` of each kernel.
///
/// # Errors
/// If a model cannot be compiled, the folder is not empty or cannot be written, no kernel has candidates, or somebody asked the work to stop.
pub fn export(
    models: &[PathBuf],
    folder: &Path,
    (options, settings): (&CompileOptions, ExportSettings),
    start: &Start,
    say: &mut dyn FnMut(&str),
) -> Result<Exported, DriverError> {
    make_folder(folder)?;
    let context = compile::prepare();
    let tasks = Networks::read(&context, models, options)?.tasks;
    let mut builder = Builder {
        folder,
        workers: (0..settings.builders.max(1))
            .map(|_| Worker::new(start.clone()))
            .collect(),
        exported: Exported::default(),
    };
    let mut kernels = Vec::new();
    for (place, task) in tasks.iter().enumerate() {
        let built = builder.build(task, settings.candidates)?;
        let told = match &built {
            Ok(kernel) => format!("{} candidates", kernel.candidates.len()),
            Err(reason) => format!("left out: {reason}"),
        };
        say(&format!(
            "[{}/{}] {}: {told}",
            place + 1,
            tasks.len(),
            task.kernel.name
        ));
        match built {
            Ok(kernel) => kernels.push(kernel),
            Err(_) => builder.exported.left_out += 1,
        }
    }
    if kernels.is_empty() {
        return Err(DriverError::Usage(
            "no kernel has another schedule than the default that compiles, so there is nothing to time elsewhere".into(),
        ));
    }
    builder.exported.kernels = kernels.len();
    let text = serde_json::to_string_pretty(&plan(kernels, options, settings));
    let text = text.map_err(|error| DriverError::Usage(error.to_string()))?;
    output::write(&folder.join(FILE), text.as_bytes())?;
    builder.exported.bytes += text.len() as u64;
    Ok(builder.exported)
}

/// Makes a folder, or takes one that is empty: a plan and libraries of two exports would not fit together.
fn make_folder(folder: &Path) -> Result<(), DriverError> {
    fs::create_dir_all(folder).map_err(DriverError::io(folder))?;
    let mut entries = fs::read_dir(folder).map_err(DriverError::io(folder))?;
    match entries.next() {
        None => Ok(()),
        Some(_) => Err(DriverError::Output {
            path: folder.into(),
            reason: "is not empty; name a new folder".into(),
        }),
    }
}

/// The plan of some kernels.
fn plan(kernels: Vec<Kernel>, options: &CompileOptions, settings: ExportSettings) -> Plan {
    let target = &options.target;
    let turns = |(rounds, seconds): (usize, f64)| Turns { rounds, seconds };
    Plan {
        version: VERSION,
        target: target.text.clone(),
        machine: records::machine(target),
        architecture: target.architecture.name.into(),
        device: target
            .device
            .map(|device| device.card.gpu.kind.name().into()),
        threads: settings.threads,
        seed: settings.seed,
        limit: TIME_LIMIT.as_secs_f64(),
        memory: target.device.is_none().then_some(settings.memory),
        look: turns(LOOK),
        test: turns(TEST),
        finalists: FINALISTS,
        kernels,
    }
}

/// What compiles candidates into a folder.
struct Builder<'f> {
    folder: &'f Path,
    workers: Vec<Worker>,
    exported: Exported,
}

impl Builder<'_> {
    /// Compiles the default of a kernel and some candidates; or why it has none to time.
    fn build(
        &mut self,
        task: &Task<'_>,
        count: usize,
    ) -> Result<Result<Kernel, String>, DriverError> {
        let proposals = Points::new(task, Box::new(Grid::default())).propose(task, count, None)?;
        if proposals.is_empty() {
            return Ok(Err("the default is its only schedule".into()));
        }
        let key = &task.kernel.key;
        let default = format!("{key}-default.so");
        let request = self.request(task, &task.default, &default);
        if let Some(Reply::Failed { how, reason }) =
            ask_all(&mut self.workers, &[request], FIRST_LIMIT)?.pop()
        {
            let reason = reason.lines().next().unwrap_or_default().to_owned();
            return Ok(Err(format!("the default {}: {reason}", how.describe())));
        }
        self.count(&default)?;
        let names: Vec<String> = (1..=proposals.len())
            .map(|number| format!("{key}-{number}.so"))
            .collect();
        let requests = proposals.iter().zip(&names);
        let requests: Vec<Request> = requests
            .map(|(proposal, name)| self.request(task, &proposal.schedule, name))
            .collect();
        let replies = ask_all(&mut self.workers, &requests, BUILD_LIMIT)?;
        let mut candidates = Vec::new();
        for ((proposal, library), reply) in proposals.into_iter().zip(names).zip(replies) {
            if let Reply::Failed { .. } = reply {
                self.exported.failed += 1;
                continue;
            }
            self.count(&library)?;
            candidates.push(Candidate {
                from: proposal.from,
                library,
            });
        }
        self.exported.candidates += candidates.len();
        Ok(Ok(Kernel {
            key: key.clone(),
            name: task.kernel.name.clone(),
            weights: task.weights.clone(),
            footprint: task.footprint,
            default,
            candidates,
        }))
    }

    /// The request to compile a schedule into a file of the folder.
    fn request(&self, task: &Task<'_>, schedule: &ScheduleText, library: &str) -> Request {
        Request::Build {
            module: task.kernel.module.clone(),
            schedule: schedule.clone(),
            weights: task.weights.clone(),
            library: self.folder.join(library),
        }
    }

    /// Counts the bytes of a library.
    fn count(&mut self, library: &str) -> Result<(), DriverError> {
        let path = self.folder.join(library);
        let about = fs::metadata(&path).map_err(DriverError::io(path))?;
        self.exported.bytes += about.len();
        Ok(())
    }
}
