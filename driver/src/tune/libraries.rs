//! Whole networks as libraries: with the default schedules, and with those of one file of records after the other.

use super::{
    Settings,
    event::tell_failure,
    models::Network,
    protocol::{Reply, Request},
    search::Shared,
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

/// The rounds in which kernels are timed where they stand, with the seconds of a turn.
const IN_PLACE: (usize, f64) = (30, 0.01);

/// How long a test may take.
pub const LIMIT: Duration = Duration::from_secs(600);

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
        records: Some(records.to_owned()),
        ..options.clone()
    };
    compile::compile(model, library, &options)
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

    /// Times its kernels where they stand, with the schedules of a file of records beside the default ones.
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
        let pair = pair(&default, &tuned, IN_PLACE, shared.settings);
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
        threads: settings.threads,
        rounds,
        turn,
    }
}
