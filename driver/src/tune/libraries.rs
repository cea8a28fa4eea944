//! Whole networks as libraries: with the default schedules, and with those of one file of records after the other.

use super::{
    Settings,
    models::Network,
    protocol::{Reply, Request},
    search::Shared,
};
use crate::{
    DriverError,
    compile::{self, CompileOptions},
    frontend,
    tune::Event,
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

/// A network's library, and another one with a clock around each node.
pub struct Libraries {
    /// The library.
    pub plain: PathBuf,
    profile: PathBuf,
}

impl Libraries {
    /// Compiles a model with a file of records.
    fn link(
        model: &Path,
        records: &Path,
        options: &CompileOptions,
        base: &Path,
    ) -> Result<Self, DriverError> {
        let mut options = CompileOptions {
            records: Some(records.to_owned()),
            ..options.clone()
        };
        let context = compile::prepare();
        let mut module = frontend::load(&context, model, &options.reading)?;
        let program = compile::to_program(&context, &mut module, &options)?;
        let libraries = Self {
            plain: base.with_extension("so"),
            profile: base.with_extension("profile.so"),
        };
        compile::write_library(&module, &program, "network", &libraries.plain, &options)?;
        options.profile = true;
        compile::write_library(&module, &program, "network", &libraries.profile, &options)?;
        Ok(libraries)
    }
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
    /// With the default schedules, once it was needed.
    default: Option<Libraries>,
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
            default: None,
            links: 0,
        }
    }

    /// Its libraries with the default schedules, and those with the schedules of a file of records.
    ///
    /// # Errors
    /// If it cannot be compiled.
    pub fn link(&mut self, records: &Path) -> Result<(&Libraries, Libraries), DriverError> {
        std::fs::create_dir_all(&self.folder).map_err(DriverError::io("temporary folder"))?;
        let model = &self.network.path;
        self.links += 1;
        let tuned = self.folder.join(format!("tuned{}", self.links));
        let tuned = Libraries::link(model, records, self.options, &tuned)?;
        let default = match self.default.take() {
            Some(default) => default,
            None => {
                let default = self.folder.join("default");
                Libraries::link(model, &self.layouts, self.options, &default)?
            }
        };
        Ok((self.default.insert(default), tuned))
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
        let (default, tuned) = self.link(records)?;
        let pair = pair(&default.profile, &tuned.profile, IN_PLACE, shared.settings);
        match shared.team.ask(&Request::Profile(pair), LIMIT)? {
            Reply::Profiled { kernels } => Ok(InPlace(kernels.into_iter().collect())),
            Reply::Failed { how, reason } => {
                shared.view.see(&Event::Unusable {
                    kernel: name,
                    reason: &format!("{}: {reason}", how.describe()),
                });
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
