//! Tuning, and the worker that a tuner starts.

use crate::{
    compile::How,
    errors::{self, CompileError},
    interruptible::interruptible,
};
use clap::ValueEnum;
use pyo3::{exceptions::PyValueError, prelude::*};
use relay_codegen::Stop;
use relay_driver::{
    DriverError,
    compile::CompileOptions,
    notes::with_warnings,
    records,
    tune::{
        self as tuning, Event, Outcome, Reach, Remote, Settings, Start, Strategy, Tuner, View,
        worker,
    },
};
use std::{ffi::OsString, path::PathBuf, time::Duration};

/// The names of the ways to find schedules, as the command has them.
fn tuners() -> Vec<(String, Tuner)> {
    let all = Tuner::value_variants().iter();
    let named = all.filter_map(|tuner| {
        let name = tuner.to_possible_value()?.get_name().to_owned();
        Some((name, *tuner))
    });
    named.collect()
}

/// The names of the ways in which kernels take turns.
const STRATEGIES: [(&str, Strategy); 2] = [
    ("gradient", Strategy::Gradient),
    ("round-robin", Strategy::RoundRobin),
];

/// A machine to time on.
#[derive(FromPyObject)]
enum Host {
    /// As `ssh` calls it.
    Named(String),
    /// A command that answers as `relay-runner` does.
    Command(Vec<OsString>),
}

impl From<Host> for Reach {
    fn from(host: Host) -> Self {
        match host {
            Host::Named(name) => Self::Host(name),
            Host::Command(command) => Self::Command(command),
        }
    }
}

/// How to tune, as keyword arguments.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Search {
    /// Seconds.
    budget: f64,
    trials: Option<usize>,
    threads: usize,
    layouts: bool,
    tuner: String,
    strategy: String,
    learns: bool,
    seed: u64,
    /// Bytes.
    memory: u64,
    builders: usize,
    /// The program that a worker is, and its first arguments.
    worker: Vec<OsString>,
    /// Whether it works on this machine, so that it looks for no other one.
    is_local: bool,
    /// The machines that time, if it is not this one.
    hosts: Vec<Host>,
}

impl Search {
    /// What the driver takes; for another machine, if there is one.
    fn settings(
        &self,
        py: Python<'_>,
        options: &CompileOptions,
        remote: Option<&mut Remote>,
    ) -> PyResult<Settings> {
        let budget = Duration::try_from_secs_f64(self.budget).map_err(|error| {
            PyValueError::new_err(format!("the budget is {} s: {error}", self.budget))
        })?;
        let tuner = named("tuner", &self.tuner, &tuners())?;
        let strategy = named("strategy", &self.strategy, &STRATEGIES)?;
        // These measure the machine.
        let defaults = py.detach(|| match remote {
            Some(remote) => tuning::settings_for(remote, options, self.threads),
            None => tuning::settings(options, self.threads),
        });
        Ok(Settings {
            budget,
            trials: self.trials.unwrap_or(usize::MAX),
            tuner,
            strategy,
            layouts: self.layouts,
            learns: self.learns,
            seed: self.seed,
            builders: self.builders,
            ..defaults.map_err(|error| errors::of_driver(&error))?
        })
    }
}

/// What a name stands for.
fn named<T: Copy>(what: &str, given: &str, known: &[(impl AsRef<str>, T)]) -> PyResult<T> {
    let found = known.iter().find(|(name, _)| name.as_ref() == given);
    found.map(|(_, value)| *value).ok_or_else(|| {
        let names: Vec<&str> = known.iter().map(|(name, _)| name.as_ref()).collect();
        PyValueError::new_err(format!(
            "the {what} is '{given}'; there are {}",
            names.join(", ")
        ))
    })
}

/// A function of Python that takes each event, as a line of JSON. If it raises, the tuner stops.
struct Listener {
    function: Py<PyAny>,
    stop: Stop,
    raised: Option<PyErr>,
}

impl View for Listener {
    fn see(&mut self, event: &Event<'_>) {
        if self.raised.is_some() {
            return;
        }
        let told = serde_json::to_string(event)
            .map_err(|error| CompileError::new_err(error.to_string()))
            .and_then(|text| Python::attach(|py| self.function.call1(py, (text,)).map(|_| ())));
        if let Err(raised) = told {
            self.stop.request();
            self.raised = Some(raised);
        }
    }
}

/// The kernels, those that are tuned, the trials, those that failed, the operators with another layout, the ratio of each
/// network's time to that with the default, and the target.
type Told = (usize, usize, usize, usize, usize, Vec<f64>, String);

/// Tunes model files into a file of records; returns what came of it and the warnings. Ctrl-C stops it, and what was found
/// stays.
#[pyfunction]
pub fn tune(
    py: Python<'_>,
    models: Vec<PathBuf>,
    records: PathBuf,
    mut search: Search,
    progress: Py<PyAny>,
    mut how: How,
) -> PyResult<(Told, Vec<String>)> {
    let driver = |error: DriverError| errors::of_driver(&error);
    records::check(&records).map_err(driver)?;
    let hosts: Vec<Reach> = search.hosts.drain(..).map(Reach::from).collect();
    let stop = Stop::default();
    let connect = || Remote::connect_all(&hosts, search.memory, &stop);
    let mut remotes = interruptible(py, &stop, connect)?.map_err(driver)?;
    if let Some(remote) = remotes.first() {
        how.aim(|named| remote.target(named));
    }
    let options = CompileOptions {
        stop,
        ..how.options()?
    };
    let command = search.worker.clone();
    let mut start = Start::of_command(command, &options, search.memory).map_err(driver)?;
    if search.is_local {
        start = start.without_patience();
    }
    let settings = search.settings(py, &options, remotes.first_mut())?;
    let mut listener = Listener {
        function: progress,
        stop: options.stop.clone(),
        raised: None,
    };
    let work = || {
        with_warnings(|| {
            tuning::tune(
                &models,
                &records,
                (&options, &settings),
                (&start, remotes),
                &mut listener,
            )
        })
    };
    let (result, warnings) = interruptible(py, &options.stop, work)?;
    if let Some(raised) = listener.raised {
        return Err(raised);
    }
    let Outcome {
        kernels,
        tuned,
        trials,
        failed,
        laid_out,
        of_default,
    } = result.map_err(driver)?;
    let target = options.target.text.clone();
    let told = (kernels, tuned, trials, failed, laid_out, of_default, target);
    Ok((told, warnings))
}

/// Answers a tuner's requests on the standard input, until there are no more, with so many bytes of memory at most. With
/// `machine`, only if this is the machine that records name so.
#[pyfunction]
pub fn tune_worker(py: Python<'_>, memory: u64, machine: Option<String>, how: How) -> PyResult<()> {
    let options = how.options()?;
    py.detach(|| {
        relay_runner::memory::limit(memory);
        let (input, output) = (std::io::stdin().lock(), std::io::stdout().lock());
        worker::serve(input, output, &options, machine.as_deref())
    })
    .map_err(|error| errors::of_driver(&error))
}

/// The file of records that is used where none is named, in a folder that is there.
#[pyfunction]
pub fn usual_records() -> PyResult<Option<PathBuf>> {
    records::usual().map_err(|error| errors::of_driver(&error))
}
