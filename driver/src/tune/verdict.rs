//! Whether a network is faster than the one before: the test of two libraries in turns.

use super::{
    Event, Settings, View,
    event::tell_failure,
    libraries::{LIMIT, LOOK, Pace, pair},
    protocol::Request,
    search::Shared,
    team::Team,
};
use crate::DriverError;
use relay_runner::{Pair, statistics::Comparison};
use relay_tune::record::Failure;
use std::path::Path;

/// The most rounds of a network, with the seconds of a turn.
const WHOLE: (usize, f64) = (40, 0.02);

/// The times that the network is tested again if it seems faster, but not by so much that it cannot be chance.
const AGAIN: usize = 2;

/// What the test of a network says.
#[derive(Clone, Copy, Debug)]
pub enum Verdict {
    /// It takes less than the one before, so many times as long.
    Faster(f64),
    /// It takes so many times as long, which may be chance.
    Same(f64),
    /// It takes longer, or too long for a test.
    Slower,
    /// It cannot be run, or computes something else, while the one before can.
    Broken,
    /// Nobody knows: the one before cannot be run either, or takes too long for a test.
    Untested,
}

/// Tests the second of two libraries of a network beside the first. What may be chance is tested again; each test is told as an event,
/// and so is that there is none. `pace` is that of the first, and says how many rounds there is time for.
///
/// # Errors
/// If there is no worker.
pub fn judge(
    name: &str,
    libraries: (&Path, &Path),
    pace: Pace,
    event: impl for<'e> Fn(&'e str, Comparison) -> Event<'e>,
    (team, settings, view): (&mut Team, &Settings, &mut dyn View),
) -> Result<Verdict, DriverError> {
    let (most, turn) = WHOLE;
    let Some(rounds) = pace.rounds(most) else {
        return Ok(Verdict::Untested);
    };
    let mut verdict = Verdict::Slower;
    for _ in 0..=AGAIN {
        let question = pair(libraries.0, libraries.1, (rounds, turn), settings);
        let Compared { tuned, default } = match compare(question, team)? {
            Ok(compared) => compared,
            Err((how, reason)) => {
                tell_failure(view, name, how, &reason);
                return Ok(match how {
                    Failure::Time => Verdict::Slower,
                    _ => Verdict::Broken,
                });
            }
        };
        view.see(&event(name, tuned));
        if tuned.is_win(0.0) {
            return Ok(Verdict::Faster(tuned.ratio));
        }
        verdict = match default.is_win(0.0) {
            true => Verdict::Slower,
            false => Verdict::Same(tuned.ratio),
        };
        if tuned.ratio >= 1.0 {
            break;
        }
    }
    Ok(verdict)
}

/// Two libraries of a network, each beside the other.
struct Compared {
    /// What was found beside the one before.
    tuned: Comparison,
    /// The one before beside what was found.
    default: Comparison,
}

/// Times both in turns; or says in which way they cannot be run, and why.
fn compare(
    pair: Pair,
    team: &mut Team,
) -> Result<Result<Compared, (Failure, String)>, DriverError> {
    let times = team.ask(&Request::Network(pair), LIMIT)?.times();
    Ok(times.map(|[before, after]| Compared {
        tuned: Comparison::of(&before, &after),
        default: Comparison::of(&after, &before),
    }))
}

/// Whether the second of two libraries of a network can be run, and computes what the first does.
///
/// # Errors
/// If there is no worker.
pub fn runs(default: &Path, tuned: &Path, shared: &mut Shared<'_>) -> Result<bool, DriverError> {
    let question = pair(default, tuned, LOOK, shared.settings);
    Ok(compare(question, &mut *shared.team)?.is_ok())
}
