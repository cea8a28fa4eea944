//! Which of a kernel's best schedules is the fastest where it stands.
//!
//! In the network a kernel finds its inputs as their producers left them, and its weights wherever the others left room. So what is
//! fastest alone need not be the fastest there: kernels of 0.9 and less of the default's time alone were seen to take 1.1 and more there.
//! The best schedules of all kernels are compiled into the network together, first all that are first, then all that are second and so
//! on, and each is timed beside the default where it stands.

use super::{
    libraries::{InPlace, Libraries, Network, times_in_place},
    search::{Best, Search, Shared},
};
use crate::DriverError;
use relay_tune::{Writer, record::Line};

/// So many schedules of a kernel are timed in the network.
const FINALISTS: usize = 4;

/// Gives each kernel the schedule that is the fastest one in the network, or the default.
///
/// # Errors
/// If the network cannot be compiled, or the records cannot be written.
pub fn choose(
    network: &Network<'_>,
    default: &Libraries,
    searches: &mut [Search<'_, '_>],
    shared: &mut Shared<'_>,
) -> Result<(), DriverError> {
    let finalists: Vec<Vec<Best>> = (searches.iter())
        .map(|search| search.finalists(FINALISTS))
        .collect();
    let lineups = finalists.iter().map(Vec::len).max().unwrap_or(0);
    let mut times = Vec::new();
    for place in 0..lineups {
        let lineup = finalists.iter().map(|all| all.get(place));
        let all = searches.iter().zip(lineup);
        let tuned = link(network, place, all, shared)?;
        times.push(times_in_place(default, &tuned, shared)?);
    }
    for (search, finalists) in searches.iter_mut().zip(finalists) {
        search.settle(fastest(search, finalists, &times), shared)?;
    }
    Ok(())
}

/// The network with a line-up: a schedule for each kernel, or the default.
fn link<'s, 't: 's, 'c: 't>(
    network: &Network<'_>,
    place: usize,
    lineup: impl Iterator<Item = (&'s Search<'t, 'c>, Option<&'s Best>)>,
    shared: &Shared<'_>,
) -> Result<Libraries, DriverError> {
    let name = format!("lineup{place}");
    let records = network.folder.join(&name).with_extension("jsonl");
    let mut writer = Writer::open(&records)?;
    for (search, best) in lineup {
        let Some(best) = best else { continue };
        writer.add(&Line::Kernel(search.task.kernel.clone()))?;
        writer.add(&Line::Choice(best.choice(search.task, shared.settings)))?;
    }
    network.link(&name, Some(&records))
}

/// The schedule that takes least time where the kernel stands, if it takes less than the default. One that nobody could time there counts
/// as alone.
fn fastest(search: &Search<'_, '_>, finalists: Vec<Best>, times: &[InPlace]) -> Option<Best> {
    let timed = finalists.into_iter().zip(times).map(|(best, times)| {
        let ratio = times.of(search.task).unwrap_or(best.of_default);
        (ratio, best)
    });
    let fastest = timed.min_by(|a, b| a.0.total_cmp(&b.0));
    fastest
        .filter(|(ratio, _)| *ratio < 1.0)
        .map(|(_, best)| best)
}
