//! The whole network, with what was found beside the default: what does not win is dropped.

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
use std::{path::Path, time::Duration};

/// The rounds of the test, and the seconds of a turn.
const ROUNDS: (usize, f64) = (20, 0.05);

/// How long it may take.
const LIMIT: Duration = Duration::from_secs(600);

/// Times the network with and without the schedules that were found. While it does not win, the half of them is dropped that
/// gains least. Returns how many times as long as the default it takes.
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
    let folder = output::temporary_folder()?;
    let default = folder.path().join("default.so");
    let is_tuned = |search: &Search<'_, '_>| !search.best.from.is_empty();
    if !searches.iter().any(is_tuned) {
        return Ok(1.0);
    }
    link(model, None, options, &default)?;
    for turn in 0.. {
        let count = searches.iter().filter(|it| is_tuned(it)).count();
        if count == 0 {
            break;
        }
        let tuned = folder.path().join(format!("tuned{turn}.so"));
        link(model, Some(records), options, &tuned)?;
        let Some(comparison) = compare(&default, &tuned, shared)? else {
            break;
        };
        shared.view.see(&Event::Network {
            kernels: count,
            comparison,
        });
        if comparison.is_win(0.0) {
            return Ok(comparison.ratio);
        }
        drop_half(searches, shared)?;
    }
    Ok(1.0)
}

/// Compiles the model with a file of records, or with the default schedules.
fn link(
    model: &Path,
    records: Option<&Path>,
    options: &CompileOptions,
    library: &Path,
) -> Result<(), DriverError> {
    let options = CompileOptions {
        records: records.map(Path::to_owned),
        ..options.clone()
    };
    let context = compile::prepare();
    let mut module = frontend::load(&context, model, &options.reading)?;
    let program = compile::to_program(&context, &mut module, &options)?;
    compile::write_library(&module, &program, "network", library, &options)
}

/// Times both in turns; none if they cannot be run.
fn compare(
    default: &Path,
    tuned: &Path,
    shared: &mut Shared<'_>,
) -> Result<Option<Comparison>, DriverError> {
    let (rounds, turn) = ROUNDS;
    let pair = Pair {
        incumbent: default.to_owned(),
        candidate: tuned.to_owned(),
        weights: Vec::new(),
        footprint: 0,
        threads: shared.settings.threads,
        rounds,
        turn,
    };
    let reply = shared.runner.ask(&Request::Network(pair), LIMIT)?;
    match reply {
        Reply::Timed {
            incumbent,
            candidate,
        } => Ok(Some(Comparison::of(&incumbent, &candidate))),
        Reply::Failed { how, reason } => {
            shared.view.see(&Event::Unusable {
                kernel: "the network",
                reason: &format!("{}: {reason}", how.describe()),
            });
            Ok(None)
        }
        Reply::Built => Ok(None),
    }
}

/// Goes back to the default for the half of the tuned kernels that gains least of a run's time.
fn drop_half(searches: &mut [Search<'_, '_>], shared: &mut Shared<'_>) -> Result<(), DriverError> {
    let mut tuned: Vec<&mut Search<'_, '_>> = (searches.iter_mut())
        .filter(|search| !search.best.from.is_empty())
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
