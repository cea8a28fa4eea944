//! What it costs to run some kernels in the place of others.

use super::variants::{Calls, Kernel, Kernels};
use crate::{
    DriverError,
    tune::{
        Settings, View,
        event::tell_failure,
        models::MOST_FOOTPRINT,
        protocol::{Reply, Request},
        team::Team,
        workers::ask_all,
    },
};
use relay_runner::{Pair, statistics::median};
use relay_tune::{
    Database, Writer,
    record::{Exchange, Line, Times},
};
use std::{
    collections::{BTreeMap, HashMap},
    path::{Path, PathBuf},
    time::Duration,
};

/// All kernels of an exchange take so many turns, one after the other: a slow moment of the machine is slow for all that are in it,
/// and the median over the turns leaves it out.
const TURNS: usize = 5;

/// The rounds of a kernel's turn, with the seconds of each.
const ROUNDS: (usize, f64) = (2, 0.004);

/// How long compiling a kernel, and timing one, may take.
const BUILD_LIMIT: Duration = Duration::from_secs(60);
const TIME_LIMIT: Duration = Duration::from_secs(30);

/// Times exchanges, and writes down what it finds.
pub struct Stopwatch<'s> {
    settings: &'s Settings,
    /// Who compiles and times.
    pub team: &'s mut Team,
    writer: Writer,
    folder: &'s Path,
    /// What is known of exchanges that were timed.
    known: Vec<Exchange>,
    kernels: BTreeMap<String, Kernel>,
    /// By key; none of what failed when it was compiled or timed. It is not tried again by this one.
    libraries: HashMap<String, Option<PathBuf>>,
    footprint: u64,
}

impl<'s> Stopwatch<'s> {
    /// One that knows what the records have. Older ones have exchanges that failed, too, of which nothing is known. `folder` takes the
    /// libraries.
    pub fn new(
        settings: &'s Settings,
        team: &'s mut Team,
        (database, writer): (&Database, Writer),
        folder: &'s Path,
    ) -> Self {
        let is_of = |it: &&Exchange| {
            it.target == settings.machine && it.threads == settings.threads && it.times.is_some()
        };
        Self {
            settings,
            team,
            writer,
            folder,
            known: database.exchanges().iter().filter(is_of).cloned().collect(),
            kernels: BTreeMap::new(),
            libraries: HashMap::new(),
            footprint: 0,
        }
    }

    /// Writes a record.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn write(&mut self, line: &Line) -> Result<(), DriverError> {
        Ok(self.writer.add(line)?)
    }

    /// Takes in the kernels of a network.
    pub fn take(&mut self, kernels: Kernels) {
        self.footprint = self.footprint.max(kernels.weight_bytes);
        for (key, kernel) in kernels.all {
            self.kernels.entry(key).or_insert(kernel);
        }
    }

    /// What so many more and fewer calls of kernels cost; none if one cannot be compiled or run. That is no record: the reason may be a worker
    /// that does not start, or a disk that is full.
    ///
    /// # Errors
    /// If there are no workers, or the records cannot be written.
    pub fn times(
        &mut self,
        calls: &Calls,
        view: &mut dyn View,
    ) -> Result<Option<Times>, DriverError> {
        if let Some(known) = self.known.iter().find(|known| known.calls == *calls) {
            return Ok(known.times);
        }
        let Some(times) = self.measured(calls, view)? else {
            return Ok(None);
        };
        let exchange = Exchange {
            target: self.settings.machine.clone(),
            threads: self.settings.threads,
            calls: calls.clone(),
            times: Some(times),
        };
        self.writer.add(&Line::Exchange(exchange.clone()))?;
        self.known.push(exchange);
        Ok(Some(times))
    }

    fn measured(
        &mut self,
        calls: &Calls,
        view: &mut dyn View,
    ) -> Result<Option<Times>, DriverError> {
        self.build(calls, view)?;
        let (mut before, mut more) = (Vec::new(), Vec::new());
        for _ in 0..TURNS {
            let mut turn = Times {
                before: 0.0,
                more: 0.0,
            };
            for (key, count) in calls {
                let Some(nanoseconds) = self.time(key, view)? else {
                    return Ok(None);
                };
                let taken = *count as f64 * nanoseconds;
                turn.more += taken;
                turn.before -= taken.min(0.0);
            }
            before.push(turn.before);
            more.push(turn.more);
        }
        Ok(Some(Times {
            before: median(before),
            more: median(more),
        }))
    }

    /// Compiles the kernels that are not yet compiled.
    fn build(&mut self, calls: &Calls, view: &mut dyn View) -> Result<(), DriverError> {
        let is_new = |key: &&String| !self.libraries.contains_key(*key);
        let keys: Vec<&String> = calls.keys().filter(is_new).collect();
        let kernels = keys
            .iter()
            .filter_map(|key| Some((*key, self.kernels.get(*key)?)));
        let kernels: Vec<(&String, &Kernel)> = kernels.collect();
        let library = |key: &str| self.folder.join(format!("{key}.so"));
        let requests: Vec<Request> = kernels
            .iter()
            .map(|(key, kernel)| Request::Build {
                module: kernel.module.clone(),
                schedule: kernel.schedule.clone(),
                weights: kernel.weights.clone(),
                library: library(key),
            })
            .collect();
        let replies = ask_all(&mut self.team.builders, &requests, BUILD_LIMIT)?;
        for ((key, kernel), reply) in kernels.into_iter().zip(replies) {
            let built = says_why_not(&reply, &kernel.name, view);
            let library = built.then(|| library(key));
            self.libraries.insert(key.clone(), library);
        }
        Ok(())
    }

    /// The nanoseconds of a call of a kernel, in one turn; none if it cannot be run.
    fn time(&mut self, key: &str, view: &mut dyn View) -> Result<Option<f64>, DriverError> {
        let library = self.libraries.get(key).cloned().flatten();
        let (Some(library), Some(kernel)) = (library, self.kernels.get(key)) else {
            return Ok(None);
        };
        let pair = Pair {
            incumbent: library.clone(),
            candidate: library,
            weights: kernel.weights.clone(),
            footprint: self.footprint.min(MOST_FOOTPRINT),
            seed: 0,
            threads: self.settings.threads,
            rounds: ROUNDS.0,
            turn: ROUNDS.1,
        };
        let reply = self.team.ask(&Request::Time(pair), TIME_LIMIT)?;
        if !says_why_not(&reply, &kernel.name, view) {
            self.libraries.insert(key.to_owned(), None);
        }
        Ok(match reply {
            Reply::Timed {
                incumbent,
                candidate,
            } => (incumbent.into_iter().chain(candidate)).min_by(f64::total_cmp),
            _ => None,
        })
    }
}

/// Whether an answer is no failure; else that is told.
fn says_why_not(reply: &Reply, kernel: &str, view: &mut dyn View) -> bool {
    let Reply::Failed { how, reason } = reply else {
        return true;
    };
    tell_failure(view, kernel, *how, reason);
    false
}
