//! Whole networks as libraries: with the default schedules, and with those of one file of records after the other.

use super::{
    Event, Settings, View,
    event::tell_failure,
    models::Network,
    protocol::{Reply, Request},
    search::Shared,
    team::Team,
};
use crate::{
    DriverError,
    compile::{self, CompileOptions, Emit},
};
use relay_runner::Pair;
use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    time::Duration,
};

/// The most rounds in which kernels are timed where they stand: a run of each network in a round.
const IN_PLACE: usize = 30;

/// The rounds of a look at a network, with the seconds of a turn: each library runs once, and once before that counts.
pub const LOOK: (usize, f64) = (1, 0.0);

/// How long a test may take.
pub const LIMIT: Duration = Duration::from_secs(600);

/// How long a look may take: its 7 runs are less than a third of the 23 that the fewest rounds of a test have.
const LOOK_LIMIT: Duration = Duration::from_secs(200);

/// The part of its limit that a test takes if its runs are as long as those of the look. The rest is for what is slower, and for
/// loading libraries.
const PART_FOR_RUNS: f64 = 0.75;

/// The fewest rounds that can be won: where all of 5 coins show heads, that is chance in 1 of 32 cases, and where all of 4 do, in 1
/// of 16, which is more than 5 of 100.
const FEWEST: usize = 5;

/// The runs of a test where a run is longer than a turn: of each library one that does not count and one that does in a round, and
/// three before, which compare what is computed.
const RUNS_OF_ROUND: f64 = 4.0;
const RUNS_BEFORE: f64 = 3.0;

/// Compiles a model into a library, with a file of records.
///
/// # Errors
/// If it cannot be compiled.
pub fn link(
    model: &Path,
    records: &Path,
    options: &CompileOptions,
    library: &Path,
) -> Result<(), DriverError> {
    let options = CompileOptions {
        emit: Emit::Library,
        older: Vec::new(),
        // The view of the tuner has the terminal.
        progress: false,
        warn: false,
        records: Some(records.to_owned()),
        ..options.clone()
    };
    compile::compile(model, library, &options).map(drop)
}

/// What a library times.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Clocks {
    /// Nothing: it is as users have it.
    None,
    /// Each node.
    Nodes,
}

/// A network that is compiled again and again.
pub struct Builds<'n> {
    /// The network.
    pub network: &'n Network,
    options: &'n CompileOptions,
    /// Where libraries go.
    folder: PathBuf,
    /// A file of records without schedules: what the network is laid out by.
    layouts: PathBuf,
    /// Its libraries with the default schedules, once they were needed.
    defaults: HashMap<Clocks, PathBuf>,
    /// How often it was linked with records.
    links: usize,
    /// How long its runs take, once that was looked at.
    pace: Option<Pace>,
}

impl<'n> Builds<'n> {
    /// Nothing is compiled yet. Libraries go into a folder of no other network; `layouts` is a file of records without schedules.
    pub fn new(
        network: &'n Network,
        options: &'n CompileOptions,
        (folder, layouts): (PathBuf, &Path),
    ) -> Self {
        Self {
            network,
            options,
            folder,
            layouts: layouts.to_owned(),
            defaults: HashMap::new(),
            links: 0,
            pace: None,
        }
    }

    /// Its library with the default schedules, and that with the schedules of a file of records.
    ///
    /// # Errors
    /// If it cannot be compiled.
    pub fn link(
        &mut self,
        records: &Path,
        clocks: Clocks,
    ) -> Result<(PathBuf, PathBuf), DriverError> {
        std::fs::create_dir_all(&self.folder).map_err(DriverError::io("temporary folder"))?;
        let options = CompileOptions {
            profile: clocks == Clocks::Nodes,
            ..self.options.clone()
        };
        let model = &self.network.path;
        self.links += 1;
        let tuned = self.folder.join(format!("tuned{}.so", self.links));
        link(model, records, &options, &tuned)?;
        if let Some(default) = self.defaults.get(&clocks) {
            return Ok((default.clone(), tuned));
        }
        let default = self.folder.join(format!("default{}.so", self.links));
        link(model, &self.layouts, &options, &default)?;
        self.defaults.insert(clocks, default.clone());
        Ok((default, tuned))
    }

    /// How long its runs take, by a library with the default schedules. That is looked at once.
    ///
    /// # Errors
    /// If there is no worker.
    pub fn pace(&mut self, default: &Path, shared: &mut Shared<'_>) -> Result<Pace, DriverError> {
        if let Some(pace) = self.pace {
            return Ok(pace);
        }
        let who = (&mut *shared.team, shared.settings);
        let pace = Pace::of(&self.network.name, default, who, &mut *shared.view)?;
        self.pace = Some(pace);
        Ok(pace)
    }

    /// Times its kernels where they stand, with the schedules of a file of records beside the default ones. None of them is timed in a
    /// network whose runs take too long.
    ///
    /// # Errors
    /// If it cannot be compiled, or there is no worker.
    pub fn times_in_place(
        &mut self,
        records: &Path,
        shared: &mut Shared<'_>,
    ) -> Result<InPlace, DriverError> {
        let name = &self.network.name;
        let (default, tuned) = self.link(records, Clocks::Nodes)?;
        let Some(rounds) = self.pace(&default, shared)?.rounds(IN_PLACE) else {
            return Ok(InPlace::default());
        };
        let pair = pair(&default, &tuned, (rounds, 0.0), shared.settings);
        match shared.team.ask(&Request::Profile(pair), LIMIT)? {
            Reply::Profiled { kernels } => Ok(InPlace(kernels.into_iter().collect())),
            Reply::Failed { how, reason } => {
                tell_failure(shared.view, name, how, &reason);
                Ok(InPlace::default())
            }
            _ => Ok(InPlace::default()),
        }
    }
}

/// How many times as long as with the default each kernel of a network takes where it stands, by the name of its function.
#[derive(Default)]
pub struct InPlace(HashMap<String, f64>);

impl InPlace {
    /// The ratio of the kernel at a place: the mean over the network's functions that compute it; none if nobody timed them.
    pub fn of(&self, network: &Network, place: usize) -> Option<f64> {
        let names = network.uses.get(&place)?.functions.iter();
        let ratios: Vec<f64> = names.filter_map(|name| self.0.get(name).copied()).collect();
        (!ratios.is_empty()).then(|| ratios.iter().sum::<f64>() / ratios.len() as f64)
    }
}

/// How long a run of a network takes: that decides in how many rounds it can be tested.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// The seconds; none if it cannot be tested.
    run: Option<f64>,
}

impl Pace {
    /// Looks at a library of a network, beside itself. That it cannot be tested is told.
    ///
    /// # Errors
    /// If there is no worker.
    pub fn of(
        name: &str,
        library: &Path,
        (team, settings): (&mut Team, &Settings),
        view: &mut dyn View,
    ) -> Result<Self, DriverError> {
        let look = pair(library, library, LOOK, settings);
        let looked = seconds_of(team.ask(&Request::Network(look), LOOK_LIMIT)?);
        let run = looked.and_then(|run| match rounds(FEWEST, run) {
            Some(_) => Ok(run),
            None => Err(format!(
                "a run takes {run:.0} s, and the {FEWEST} rounds of a test more than the {:.0} s that there are for \
                 them",
                PART_FOR_RUNS * LIMIT.as_secs_f64()
            )),
        });
        if let Err(reason) = &run {
            view.see(&Event::Unusable {
                kernel: name,
                reason: &format!("it could not be tested: {reason}"),
            });
        }
        Ok(Self { run: run.ok() })
    }

    /// In how many rounds the network can be tested, of `most`; none if it cannot.
    pub fn rounds(self, most: usize) -> Option<usize> {
        rounds(most, self.run?)
    }
}

/// The seconds of the longer one of two runs, or why there are none.
fn seconds_of(look: Reply) -> Result<f64, String> {
    let none = || "a worker gave no times".to_owned();
    match look {
        Reply::Timed {
            incumbent,
            candidate,
        } => {
            let longest = incumbent.into_iter().chain(candidate).reduce(f64::max);
            longest.map(|it| it / 1e9).ok_or_else(none)
        }
        Reply::Failed { how, reason } => Err(format!("{}: {reason}", how.describe())),
        _ => Err(none()),
    }
}

/// As many of `most` rounds as a test has time for, where a run takes so many seconds; none if there is no time for the fewest.
fn rounds(most: usize, run: f64) -> Option<usize> {
    let runs = PART_FOR_RUNS * LIMIT.as_secs_f64() / run.max(f64::MIN_POSITIVE);
    let all = ((runs - RUNS_BEFORE) / RUNS_OF_ROUND) as usize;
    (all >= FEWEST).then(|| all.min(most))
}

/// The question for the times of two libraries of a network, over so many rounds with turns of so many seconds.
pub fn pair(
    default: &Path,
    tuned: &Path,
    (rounds, turn): (usize, f64),
    settings: &Settings,
) -> Pair {
    Pair {
        incumbent: default.to_owned(),
        candidate: tuned.to_owned(),
        weights: Vec::new(),
        footprint: 0,
        seed: 0,
        threads: settings.threads,
        rounds,
        turn,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use relay_runner::statistics::Comparison;

    #[test]
    fn the_fewest_rounds_can_be_won() {
        let is_won = |rounds| {
            let (slow, fast) = (vec![2.0; rounds], vec![1.0; rounds]);
            Comparison::of(&slow, &fast).is_win(0.0)
        };
        assert!(is_won(FEWEST));
        assert!(!is_won(FEWEST - 1));
    }

    #[test]
    fn long_runs_have_fewer_rounds() {
        assert_eq!(rounds(40, 0.0), Some(40));
        assert_eq!(rounds(40, 0.002), Some(40));
        assert_eq!(rounds(40, 3.75), Some(29));
        assert_eq!(rounds(40, 19.0), Some(FEWEST));
        assert_eq!(rounds(40, 20.0), None);
        assert_eq!(rounds(40, f64::INFINITY), None);
    }
}
