//! The whole network as libraries, and the times of its kernels where they stand.

use super::{
    Event,
    protocol::{Pair, Reply, Request},
    search::Shared,
    task::Task,
};
use crate::{
    DriverError,
    compile::{self, CompileOptions},
    frontend,
};
use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    time::Duration,
};

/// The rounds in which kernels are timed where they stand, with the seconds of a turn.
const IN_PLACE: (usize, f64) = (30, 0.01);

/// How long a test may take.
pub const LIMIT: Duration = Duration::from_secs(600);

/// A model that is compiled with one file of records after the other.
pub struct Network<'n> {
    /// The model.
    pub model: &'n Path,
    /// How it is compiled.
    pub options: &'n CompileOptions,
    /// Where libraries go.
    pub folder: &'n Path,
}

/// A model's library, and another one with a clock around each node.
pub struct Libraries {
    /// The library.
    pub plain: PathBuf,
    profile: PathBuf,
}

impl Network<'_> {
    /// Compiles the model with a file of records, or with the default schedules, into files of a name.
    ///
    /// # Errors
    /// If it cannot be compiled.
    pub fn link(&self, name: &str, records: Option<&Path>) -> Result<Libraries, DriverError> {
        let mut options = CompileOptions {
            records: records.map(Path::to_owned),
            ..self.options.clone()
        };
        let context = compile::prepare();
        let mut module = frontend::load(&context, self.model, &options.reading)?;
        let program = compile::to_program(&context, &mut module, &options)?;
        let base = self.folder.join(name);
        let libraries = Libraries {
            plain: base.with_extension("so"),
            profile: base.with_extension("profile.so"),
        };
        compile::write_library(&module, &program, "network", &libraries.plain, &options)?;
        options.profile = true;
        compile::write_library(&module, &program, "network", &libraries.profile, &options)?;
        Ok(libraries)
    }
}

/// How many times as long as with the default each kernel takes where it stands.
pub struct InPlace(HashMap<String, f64>);

impl InPlace {
    /// The mean over the functions that compute a kernel; none if nobody timed them.
    pub fn of(&self, task: &Task<'_>) -> Option<f64> {
        let names = task.functions.iter();
        let ratios: Vec<f64> = names.filter_map(|name| self.0.get(name).copied()).collect();
        (!ratios.is_empty()).then(|| ratios.iter().sum::<f64>() / ratios.len() as f64)
    }
}

/// Times the kernels of a network where they stand.
///
/// # Errors
/// If there is no worker.
pub fn times_in_place(
    default: &Libraries,
    tuned: &Libraries,
    shared: &mut Shared<'_>,
) -> Result<InPlace, DriverError> {
    let pair = pair(&default.profile, &tuned.profile, IN_PLACE, shared);
    match shared.runner.ask(&Request::Profile(pair), LIMIT)? {
        Reply::Profiled { kernels } => Ok(InPlace(kernels.into_iter().collect())),
        Reply::Failed { how, reason } => {
            shared.view.see(&Event::Unusable {
                kernel: "the network",
                reason: &format!("{}: {reason}", how.describe()),
            });
            Ok(InPlace(HashMap::new()))
        }
        _ => Ok(InPlace(HashMap::new())),
    }
}

/// The question for the times of two libraries, over so many rounds with turns of so many seconds.
pub fn pair(
    default: &Path,
    tuned: &Path,
    (rounds, turn): (usize, f64),
    shared: &Shared<'_>,
) -> Pair {
    Pair {
        incumbent: default.to_owned(),
        candidate: tuned.to_owned(),
        weights: Vec::new(),
        footprint: 0,
        threads: shared.settings.threads,
        rounds,
        turn,
    }
}
