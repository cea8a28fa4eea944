//! Which of a kernel's best schedules is the fastest where it stands.
//!
//! In the network a kernel finds its inputs as their producers left them, and its weights wherever the others left room. So what is
//! fastest alone need not be the fastest there: a convolution of ShuffleNet took 0.90 of the default's time alone, and 1.15 there (two
//! threads of a Zen 4, November 2026).
//! The best schedules of all kernels are compiled into the network together, first all that are first, then all that are second and so
//! on, and each is timed beside the default where it stands.

use super::{
    libraries::{Builds, InPlace},
    models::Network,
    search::{Best, Search, Shared},
    snapshot::Snapshot,
};
use crate::DriverError;
use std::path::Path;

/// So many schedules of a kernel are timed in the network. The number was set by hand: for each of them the network is linked anew.
const FINALISTS: usize = 4;

/// A kernel that takes more than this of the default's time where it stands is dropped: noise decides about what is nearer to 1.
const STAYS: f64 = 0.995;

/// A kernel that takes more than this of the default's time in one of several networks is dropped, whatever it gains in the others.
const SLOWER: f64 = 1.0 / STAYS;

/// Gives each kernel the schedule that is the fastest one where it stands in the networks, or the default.
///
/// # Errors
/// If a network cannot be compiled, or the records cannot be written.
pub fn choose(
    builds: &mut [Builds<'_>],
    snapshot: &mut Snapshot,
    searches: &mut [Search<'_, '_>],
    shared: &mut Shared<'_>,
) -> Result<(), DriverError> {
    let finalists: Vec<Vec<Best>> = (searches.iter())
        .map(|search| search.finalists(FINALISTS))
        .collect();
    let lineups = finalists.iter().map(Vec::len).max().unwrap_or(0);
    let mut times = Vec::new();
    for number in 0..lineups {
        let lineup: Vec<Option<&Best>> = finalists.iter().map(|all| all.get(number)).collect();
        let records = snapshot.of(&lineup, searches, shared.settings)?;
        let is_timed = |place: usize| lineup[place].is_some();
        times.push(times_of(builds, &is_timed, &records, shared)?);
    }
    for (place, finalists) in finalists.into_iter().enumerate() {
        let fastest = fastest(builds, place, searches, finalists, &times);
        searches[place].settle(fastest);
    }
    Ok(())
}

/// The times of kernels in each network that has any of them, with the schedules of a file of records beside the default ones. `is_timed`
/// says by their places which kernels have another one.
///
/// # Errors
/// If a network cannot be compiled, or there is no worker.
pub fn times_of(
    builds: &mut [Builds<'_>],
    is_timed: &dyn Fn(usize) -> bool,
    records: &Path,
    shared: &mut Shared<'_>,
) -> Result<Vec<InPlace>, DriverError> {
    let mut times = Vec::new();
    for builds in builds {
        let has_any = builds.network.uses.keys().any(|place| is_timed(*place));
        times.push(match has_any {
            true => builds.times_in_place(records, shared)?,
            false => InPlace::default(),
        });
    }
    Ok(times)
}

/// The schedule that takes least time where the kernel at a place stands, if it gains there. One that nobody could time there counts as
/// alone. `times` is by line-up and network.
fn fastest(
    builds: &[Builds<'_>],
    place: usize,
    searches: &[Search<'_, '_>],
    finalists: Vec<Best>,
    times: &[Vec<InPlace>],
) -> Option<Best> {
    let timed = finalists.into_iter().zip(times).map(|(best, times)| {
        let networks = builds.iter().map(|builds| builds.network).zip(times);
        let ratio = Ratio::of(networks, place, searches);
        let alone = Ratio {
            mean: best.of_default,
            most: best.of_default,
        };
        (ratio.unwrap_or(alone), best)
    });
    let gains = timed.filter(|(ratio, _)| ratio.gains());
    let fastest = gains.min_by(|(a, _), (b, _)| a.mean.total_cmp(&b.mean));
    fastest.map(|(_, best)| best)
}

/// How many times as long as with the default a kernel takes where it stands in some networks.
#[derive(Clone, Copy, Debug)]
pub struct Ratio {
    /// On the average, by what part of each network's time it takes.
    mean: f64,
    /// The greatest.
    most: f64,
}

impl Ratio {
    /// The ratio of the kernel at a place; none if nobody timed it.
    pub fn of<'n>(
        networks: impl Iterator<Item = (&'n Network, &'n InPlace)>,
        place: usize,
        searches: &[Search<'_, '_>],
    ) -> Option<Self> {
        let (mut sum, mut weights, mut most) = (0.0, 0.0, 0.0f64);
        for (network, times) in networks {
            if let Some(ratio) = times.of(network, place) {
                let weight = network.share_of_nanosecond(place, searches);
                sum += weight * ratio;
                weights += weight;
                most = most.max(ratio);
            }
        }
        (weights > 0.0).then(|| Self {
            mean: sum / weights,
            most,
        })
    }

    /// Whether it is faster than the default, and no slower in any network.
    pub fn gains(self) -> bool {
        self.mean <= STAYS && self.most <= SLOWER
    }
}
