//! Tuning, and the worker that a tuner starts.

use crate::{
    compile::How,
    errors::{self, CompileError},
    interruptible::interruptible,
    notes::with_warnings,
};
use clap::ValueEnum;
use pyo3::{
    exceptions::{PyOSError, PyValueError},
    prelude::*,
};
use relay_codegen::Stop;
use relay_driver::{
    DriverError,
    compile::CompileOptions,
    output, records,
    tune::{self as tuning, Event, Outcome, Settings, Start, Strategy, Tuner, View, worker},
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

/// How to tune, as keyword arguments.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Search {
    /// Seconds.
    budget: f64,
    trials: Option<usize>,
    threads: usize,
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
}

impl Search {
    /// What the driver takes.
    fn settings(&self, py: Python<'_>, options: &CompileOptions) -> PyResult<Settings> {
        let budget = Duration::try_from_secs_f64(self.budget).map_err(|error| {
            PyValueError::new_err(format!("the budget is {} s: {error}", self.budget))
        })?;
        let tuner = named("tuner", &self.tuner, &tuners())?;
        let strategy = named("strategy", &self.strategy, &STRATEGIES)?;
        // These measure the machine.
        let defaults = py.detach(|| tuning::settings(options, self.threads));
        Ok(Settings {
            budget,
            trials: self.trials.unwrap_or(usize::MAX),
            tuner,
            strategy,
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

/// The kernels, those that are tuned, the trials, those that failed, and how many times as long as the default the network
/// takes.
type Told = (usize, usize, usize, usize, f64);

/// Tunes a model file into a file of records; returns what came of it and the warnings. Ctrl-C stops it, and what was found
/// stays.
#[pyfunction]
pub fn tune(
    py: Python<'_>,
    model: PathBuf,
    records: PathBuf,
    search: Search,
    progress: Py<PyAny>,
    how: How,
) -> PyResult<(Told, Vec<String>)> {
    let options = how.options()?;
    let driver = |error: DriverError| errors::of_driver(&error);
    output::check(&records).map_err(driver)?;
    let command = search.worker.clone();
    let mut start = Start::of_command(command, &options, search.memory).map_err(driver)?;
    if search.is_local {
        start = start.without_patience();
    }
    let settings = search.settings(py, &options)?;
    let models = [model];
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
                (&start, Vec::new()),
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
        of_default,
    } = result.map_err(driver)?;
    // There is one model.
    let of_default = of_default.first().copied().unwrap_or(1.0);
    Ok(((kernels, tuned, trials, failed, of_default), warnings))
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
    let Some(path) = records::default_path() else {
        return Ok(None);
    };
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)
            .map_err(|error| PyOSError::new_err(format!("{}: {error}", folder.display())))?;
    }
    Ok(Some(path))
}
