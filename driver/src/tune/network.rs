//! The whole network, with what was found beside the default: what does not win is dropped.
//!
//! First each kernel is timed where it stands, among the others: there it finds its inputs as their producers left them, and its
//! weights wherever the others left room. Then the network as users run it decides.

use super::{
    Event,
    protocol::{Pair, Reply, Request},
    search::{Search, Shared},
};
use crate::{
    DriverError,
    compile::{self, CompileOptions},
    frontend, output,
};
use relay_tune::{record::Line, statistics::Comparison};
use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    time::Duration,
};

/// The rounds in which kernels are timed where they stand, and the rounds of the network; with the seconds of a turn.
const IN_PLACE: (usize, f64) = (30, 0.01);
const WHOLE: (usize, f64) = (40, 0.02);

/// A kernel that takes more than this of the default's time where it stands is dropped: noise decides about what is nearer to 1.
const STAYS: f64 = 0.995;

/// How long a test may take.
const LIMIT: Duration = Duration::from_secs(600);

/// The times that the network is tested again if it seems faster, but not by so much that it cannot be chance.
const AGAIN: usize = 2;

/// Times the network with and without the schedules that were found. Kernels that gain nothing where they stand are dropped; and while
/// the network does not win, the half that gains least. Returns how many times as long as the default it takes.
///
/// # Errors
/// If the model cannot be compiled, or the records cannot be written.
pub fn decide(
    model: &Path,
    records: &Path,
    options: &CompileOptions,
    searches: &mut [Search<'_, '_>],
    shared: &mut Shared<'_>,
) -> Result<f64, DriverError> {
    if !searches.iter().any(is_tuned) {
        return Ok(1.0);
    }
    let folder = output::temporary_folder()?;
    let default = Libraries::link(model, None, options, &folder.path().join("default"))?;
    let link = |number: usize| {
        let base = folder.path().join(format!("tuned{number}"));
        Libraries::link(model, Some(records), options, &base)
    };
    let in_place = times_in_place(&default, &link(0)?, shared)?;
    drop_losers(searches, &in_place, shared)?;
    let mut number = 1;
    while searches.iter().any(is_tuned) {
        let tuned = link(number)?;
        number += 1;
        for _ in 0..=AGAIN {
            let Some(comparison) = compare(&default, &tuned, shared)? else {
                break;
            };
            let kernels = searches.iter().filter(|it| is_tuned(it)).count();
            shared.view.see(&Event::network(kernels, comparison));
            if comparison.is_win(0.0) {
                return Ok(comparison.ratio);
            }
            if comparison.ratio >= 1.0 {
                break;
            }
        }
        drop_half(searches, shared)?;
    }
    Ok(1.0)
}

fn is_tuned(search: &Search<'_, '_>) -> bool {
    !search.best.from.is_empty()
}

/// A model's library, and another one with a clock around each node.
struct Libraries {
    plain: PathBuf,
    profile: PathBuf,
}

impl Libraries {
    /// Compiles the model with a file of records, or with the default schedules.
    fn link(
        model: &Path,
        records: Option<&Path>,
        options: &CompileOptions,
        base: &Path,
    ) -> Result<Self, DriverError> {
        let mut options = CompileOptions {
            records: records.map(Path::to_owned),
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

/// How many times as long as with the default each kernel takes where it stands, by the name of its function.
fn times_in_place(
    default: &Libraries,
    tuned: &Libraries,
    shared: &mut Shared<'_>,
) -> Result<HashMap<String, f64>, DriverError> {
    let pair = pair(&default.profile, &tuned.profile, IN_PLACE, shared);
    match shared.runner.ask(&Request::Profile(pair), LIMIT)? {
        Reply::Profiled { kernels } => Ok(kernels.into_iter().collect()),
        Reply::Failed { how, reason } => {
            shared.view.see(&Event::Unusable {
                kernel: "the network",
                reason: &format!("{}: {reason}", how.describe()),
            });
            Ok(HashMap::new())
        }
        _ => Ok(HashMap::new()),
    }
}

/// Times both in turns; none if they cannot be run.
fn compare(
    default: &Libraries,
    tuned: &Libraries,
    shared: &mut Shared<'_>,
) -> Result<Option<Comparison>, DriverError> {
    let pair = pair(&default.plain, &tuned.plain, WHOLE, shared);
    Ok(match shared.runner.ask(&Request::Network(pair), LIMIT)? {
        Reply::Timed {
            incumbent,
            candidate,
        } => Some(Comparison::of(&incumbent, &candidate)),
        Reply::Failed { how, reason } => {
            shared.view.see(&Event::Unusable {
                kernel: "the network",
                reason: &format!("{}: {reason}", how.describe()),
            });
            None
        }
        _ => None,
    })
}

fn pair(default: &Path, tuned: &Path, (rounds, turn): (usize, f64), shared: &Shared<'_>) -> Pair {
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

/// Goes back to the default for kernels that gain nothing where they stand. One that nobody timed stays.
fn drop_losers(
    searches: &mut [Search<'_, '_>],
    in_place: &HashMap<String, f64>,
    shared: &mut Shared<'_>,
) -> Result<(), DriverError> {
    for search in searches.iter_mut().filter(|search| is_tuned(search)) {
        let names = search.task.functions.iter();
        let ratios: Vec<f64> = names
            .filter_map(|name| in_place.get(name).copied())
            .collect();
        let mean = ratios.iter().sum::<f64>() / ratios.len().max(1) as f64;
        shared.view.see(&Event::InPlace {
            kernel: &search.task.kernel.name,
            alone: search.best.of_default,
            in_place: mean,
        });
        if mean > STAYS {
            search.drop_best();
            shared
                .writer
                .add(&Line::Choice(search.choice(shared.settings)))?;
        }
    }
    Ok(())
}

/// Goes back to the default for the half of the tuned kernels that gains least of a run's time.
fn drop_half(searches: &mut [Search<'_, '_>], shared: &mut Shared<'_>) -> Result<(), DriverError> {
    let mut tuned: Vec<&mut Search<'_, '_>> = searches
        .iter_mut()
        .filter(|search| is_tuned(search))
        .collect();
    let gain = |search: &Search<'_, '_>| {
        search.task.calls as f64 * search.default * (1.0 - search.best.of_default)
    };
    tuned.sort_by(|a, b| gain(a).total_cmp(&gain(b)));
    let dropped = tuned.len().div_ceil(2);
    for search in tuned.into_iter().take(dropped) {
        search.drop_best();
        shared
            .writer
            .add(&Line::Choice(search.choice(shared.settings)))?;
    }
    Ok(())
}
