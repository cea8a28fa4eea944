//! The models that are tuned together: which kernels they share, and what a kernel is to each of them.

use super::{
    Task,
    event::{OfModel, Run},
    search::Search,
    task::tasks,
};
use crate::{DriverError, compile::CompileOptions};
use melior::Context;
use std::{
    collections::{BTreeMap, HashMap},
    path::{Path, PathBuf},
    time::Duration,
};

/// The most bytes of weights around a kernel: more than caches hold.
pub const MOST_FOOTPRINT: u64 = 128 << 20;

/// A model among those that are tuned together.
#[derive(Clone, Debug)]
pub struct Network {
    /// Its file.
    pub path: PathBuf,
    /// What it is called: the file, as it was given.
    pub name: String,
    /// The kernels that it calls, by their places among those of all models.
    pub uses: BTreeMap<usize, Use>,
}

/// What a kernel is to a model.
#[derive(Clone, Debug)]
pub struct Use {
    /// How often a run of the model calls it.
    pub calls: usize,
    /// The model's functions that compute it.
    pub functions: Vec<String>,
}

impl Network {
    /// The nanoseconds of a run in its kernels, of which each takes `of` a call. Kernels that cannot be timed count nothing.
    pub fn time(&self, searches: &[Search<'_, '_>], of: impl Fn(&Search<'_, '_>) -> f64) -> f64 {
        let used = self.uses.iter().map(|(place, used)| {
            let search = &searches[*place];
            (search, used.calls as f64)
        });
        used.filter(|(search, _)| search.default.is_finite())
            .map(|(search, calls)| calls * of(search))
            .sum()
    }

    /// What part of a run's time with the default a nanosecond of the kernel at a place is; 0 if this model does not call it.
    pub fn share_of_nanosecond(&self, place: usize, searches: &[Search<'_, '_>]) -> f64 {
        let whole = self.time(searches, |search| search.default);
        let calls = self.uses.get(&place).map_or(0, |used| used.calls);
        if whole > 0.0 {
            calls as f64 / whole
        } else {
            0.0
        }
    }
}

/// Models with the distinct kernels of all of them.
pub struct Networks<'c> {
    /// The models.
    pub all: Vec<Network>,
    /// The kernels, in the order in which they are called first. Calls, nodes and functions are those of all models.
    pub tasks: Vec<Task<'c>>,
}

impl<'c> Networks<'c> {
    /// Reads models. `context` holds their kernels.
    ///
    /// # Errors
    /// See [`DriverError`].
    pub fn read(
        context: &'c Context,
        models: &[PathBuf],
        options: &CompileOptions,
    ) -> Result<Self, DriverError> {
        let mut networks = Self {
            all: Vec::new(),
            tasks: Vec::new(),
        };
        let mut places: HashMap<String, usize> = HashMap::new();
        for model in models {
            networks.add(context, (model.as_path(), options), &mut places)?;
        }
        Ok(networks)
    }

    /// Takes in a model. `places` has the kernels of those before it by their keys.
    fn add(
        &mut self,
        context: &'c Context,
        (model, options): (&Path, &CompileOptions),
        places: &mut HashMap<String, usize>,
    ) -> Result<(), DriverError> {
        let found = tasks(context, model, options)?;
        let footprint = found.weight_bytes.min(MOST_FOOTPRINT);
        let mut uses = BTreeMap::new();
        for mut task in found.all {
            task.footprint = footprint;
            let used = Use {
                calls: task.calls,
                functions: task.functions.clone(),
            };
            let place = match places.get(&task.kernel.key) {
                Some(place) => {
                    self.tasks[*place].absorb(task);
                    *place
                }
                None => {
                    places.insert(task.kernel.key.clone(), self.tasks.len());
                    self.tasks.push(task);
                    self.tasks.len() - 1
                }
            };
            uses.insert(place, used);
        }
        self.all.push(Network {
            path: model.to_owned(),
            name: model.display().to_string(),
            uses,
        });
        Ok(())
    }
}

/// Says to the scheduler what a call of each kernel is worth, once their defaults are timed: what it is of each model's time. So
/// models count the same, however long they take, and what is made small is the sum of their times as parts of those before.
pub fn weigh(networks: &[Network], searches: &mut [Search<'_, '_>]) {
    let worth = |place| {
        let shares = networks
            .iter()
            .map(|network| network.share_of_nanosecond(place, searches));
        shares.sum::<f64>()
    };
    let all: Vec<f64> = (0..searches.len()).map(worth).collect();
    for (search, worth) in searches.iter_mut().zip(all) {
        search.progress.worth = worth;
    }
}

/// A run of each model, with so much time left.
pub fn run(networks: &[Network], searches: &[Search<'_, '_>], left: Duration) -> Run {
    let of = |network: &Network| OfModel {
        model: network.name.clone(),
        milliseconds: network.time(searches, |it| it.default * it.best.of_default) / 1e6,
        default: network.time(searches, |it| it.default) / 1e6,
    };
    let models: Vec<OfModel> = networks.iter().map(of).collect();
    Run {
        milliseconds: models.iter().map(|model| model.milliseconds).sum(),
        default: models.iter().map(|model| model.default).sum(),
        models,
        left: left.as_secs_f64(),
    }
}
