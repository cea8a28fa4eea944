//! The whole network, with what was found beside the default: what does not win is dropped.
//!
//! First each kernel's best schedules are timed where they stand, among the others ([`lineups`]), and the fastest is taken. Then
//! the network as users run it decides.

use super::{
    Event,
    libraries::{InPlace, LIMIT, Libraries, Network, pair, times_in_place},
    lineups,
    protocol::{Reply, Request},
    search::{Search, Shared},
};
use crate::{DriverError, compile::CompileOptions, output};
use relay_tune::statistics::Comparison;
use std::path::Path;

/// The rounds of the network, with the seconds of a turn.
const WHOLE: (usize, f64) = (40, 0.02);

/// A kernel that takes more than this of the default's time where it stands is dropped: noise decides about what is nearer to 1.
const STAYS: f64 = 0.995;

/// The times that the network is tested again if it seems faster, but not by so much that it cannot be chance.
const AGAIN: usize = 2;

/// Times the network with and without the schedules that were found. Each kernel gets the one that is fastest where it stands; kernels
/// that gain nothing there are dropped, and while the network does not win, the half that gains least. Returns how many times as
/// long as the default it takes.
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
    let network = Network {
        model,
        options,
        folder: folder.path(),
    };
    let default = network.link("default", None)?;
    lineups::choose(&network, &default, searches, shared)?;
    let chosen = network.link("chosen", Some(records))?;
    let in_place = times_in_place(&default, &chosen, shared)?;
    drop_losers(searches, &in_place, shared)?;
    let mut number = 0;
    while searches.iter().any(is_tuned) {
        number += 1;
        let tuned = network.link(&format!("tuned{number}"), Some(records))?;
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

/// Goes back to the default for kernels that gain nothing where they stand. One that nobody timed stays.
fn drop_losers(
    searches: &mut [Search<'_, '_>],
    in_place: &InPlace,
    shared: &mut Shared<'_>,
) -> Result<(), DriverError> {
    for search in searches.iter_mut().filter(|search| is_tuned(search)) {
        let Some(ratio) = in_place.of(search.task) else {
            continue;
        };
        shared.view.see(&Event::InPlace {
            kernel: &search.task.kernel.name,
            alone: search.best.of_default,
            in_place: ratio,
        });
        if ratio > STAYS {
            search.settle(None, shared)?;
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
        search.settle(None, shared)?;
    }
    Ok(())
}
