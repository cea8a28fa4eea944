//! Whole networks, with what was found beside the default: what does not win is dropped.
//!
//! First each kernel's best schedules are timed where they stand, among the others ([`lineups`]), and the fastest is taken. Then
//! the networks as users run them decide.

use super::{
    Event, View,
    libraries::{Builds, Clocks, InPlace},
    lineups::{self, Ratio},
    models::Network,
    search::{Best, Search, Shared},
    snapshot::Snapshot,
    verdict::{Verdict, judge, runs},
};
use crate::{DriverError, compile::CompileOptions};
use relay_tune::Database;
use std::path::Path;

/// Times the networks with and without the schedules that were found, and drops what makes one of them no faster, for all of them.
/// Layouts are those of the records in both.
///
/// Each kernel gets the schedule that is the fastest where it stands; kernels that gain nothing there are dropped. Then each network is
/// tested. One that seems no faster loses the half of the kernels that only it has, those that gain least; one that is slower, the
/// half of all of its kernels; one that cannot be run, the kernels that are the reason. One that cannot be tested has the defaults in this
/// run, and what was found for it is left to another one. A network that calls a kernel which was dropped is tested again. Returns how
/// many times as long as the default each network takes.
///
/// # Errors
/// If a model cannot be compiled, or there is no worker.
pub fn decide(
    networks: &[Network],
    (known, options): (&Database, &CompileOptions),
    searches: &mut [Search<'_, '_>],
    shared: &mut Shared<'_>,
) -> Result<Vec<f64>, DriverError> {
    if !searches.iter().any(is_tuned) {
        return Ok(vec![1.0; networks.len()]);
    }
    let mut snapshot = Snapshot::new(known)?;
    let layouts = snapshot.of_layouts()?;
    let builds = |(number, network)| {
        let folder = snapshot.folder().join(format!("{number}"));
        Builds::new(network, options, (folder, &layouts))
    };
    let mut builds: Vec<Builds<'_>> = networks.iter().enumerate().map(builds).collect();
    lineups::choose(&mut builds, &mut snapshot, searches, shared)?;
    let best = snapshot.of_best(searches, shared.settings)?;
    let has_other = |place: usize| is_tuned(&searches[place]);
    let in_place = lineups::times_of(&mut builds, &has_other, &best, shared)?;
    drop_losers(networks, searches, &in_place, shared.view);
    let test = |builds| Test {
        builds,
        ratio: None,
    };
    let mut tests: Vec<Test<'_>> = builds.into_iter().map(test).collect();
    while let Some(place) = tests.iter().position(|test| test.is_open(searches)) {
        let test = &mut tests[place];
        let best = snapshot.of_best(searches, shared.settings)?;
        let verdict = test.judge(&best, searches, shared)?;
        let culprits = match verdict {
            Verdict::Broken => {
                let all = tuned_of(test.network(), searches);
                test.culprits(all, &mut snapshot, searches, shared)?
            }
            _ => Vec::new(),
        };
        let dropped = drop_by((verdict, culprits), place, networks, searches);
        if let (true, Verdict::Faster(ratio) | Verdict::Same(ratio)) = (dropped.is_empty(), verdict)
        {
            test.ratio = Some(ratio);
        }
        for test in &mut tests {
            if dropped
                .iter()
                .any(|it| test.network().uses.contains_key(it))
            {
                test.ratio = None;
            }
        }
    }
    Ok(tests.iter().map(|test| test.ratio.unwrap_or(1.0)).collect())
}

/// Goes back to the default for kernels of the network at a place, as its test says, or for culprits. Returns their places.
fn drop_by(
    (verdict, culprits): (Verdict, Vec<usize>),
    place: usize,
    networks: &[Network],
    searches: &mut [Search<'_, '_>],
) -> Vec<usize> {
    let network = &networks[place];
    let all = tuned_of(network, searches);
    let dropped = match verdict {
        Verdict::Faster(_) => Vec::new(),
        Verdict::Same(_) => gain_least(network, only_of(place, networks, searches), searches),
        Verdict::Broken if !culprits.is_empty() => culprits,
        Verdict::Slower | Verdict::Broken => gain_least(network, all, searches),
        // Fewer kernels would make it no easier to test.
        Verdict::Untested => all,
    };
    for place in &dropped {
        match verdict {
            Verdict::Untested => searches[*place].leave(),
            _ => searches[*place].settle(None),
        }
    }
    dropped
}

fn is_tuned(search: &Search<'_, '_>) -> bool {
    !search.best.is_default()
}

/// The places of a network's tuned kernels.
fn tuned_of(network: &Network, searches: &[Search<'_, '_>]) -> Vec<usize> {
    let places = network.uses.keys().copied();
    places.filter(|place| is_tuned(&searches[*place])).collect()
}

/// The places of the tuned kernels that only one network has.
fn only_of(number: usize, networks: &[Network], searches: &[Search<'_, '_>]) -> Vec<usize> {
    let others = || {
        let all = networks.iter().enumerate();
        all.filter(|(other, _)| *other != number)
    };
    let mut places = tuned_of(&networks[number], searches);
    places.retain(|place| !others().any(|(_, other)| other.uses.contains_key(place)));
    places
}

/// The test of a network.
struct Test<'n> {
    builds: Builds<'n>,
    /// How many times as long as the default it takes, once that holds.
    ratio: Option<f64>,
}

impl<'n> Test<'n> {
    fn network(&self) -> &'n Network {
        self.builds.network
    }

    /// Whether it is to be tested.
    fn is_open(&self, searches: &[Search<'_, '_>]) -> bool {
        self.ratio.is_none() && !tuned_of(self.network(), searches).is_empty()
    }

    /// Times it with and without what was found, which a file of records has.
    fn judge(
        &mut self,
        best: &Path,
        searches: &[Search<'_, '_>],
        shared: &mut Shared<'_>,
    ) -> Result<Verdict, DriverError> {
        let kernels = tuned_of(self.network(), searches).len();
        let name = &self.network().name;
        let (default, tuned) = self.builds.link(best, Clocks::None)?;
        let pace = self.builds.pace(&default, shared)?;
        judge(
            name,
            (&default, &tuned),
            pace,
            |name, comparison| Event::network(name, kernels, comparison),
            (&mut *shared.team, shared.settings, &mut *shared.view),
        )
    }

    /// Those of some tuned kernels that break the network each by itself. The network is run with all of them, then with each half of them,
    /// and so on.
    fn culprits(
        &mut self,
        mut kernels: Vec<usize>,
        snapshot: &mut Snapshot,
        searches: &[Search<'_, '_>],
        shared: &mut Shared<'_>,
    ) -> Result<Vec<usize>, DriverError> {
        let of = |place: usize| kernels.contains(&place).then(|| &searches[place].best);
        let lineup: Vec<Option<&Best>> = (0..searches.len()).map(of).collect();
        let records = snapshot.of(&lineup, searches, shared.settings)?;
        let (default, tuned) = self.builds.link(&records, Clocks::None)?;
        if runs(&default, &tuned, shared)? {
            return Ok(Vec::new());
        }
        if kernels.len() < 2 {
            return Ok(kernels);
        }
        let rest = kernels.split_off(kernels.len() / 2);
        let mut found = self.culprits(kernels, snapshot, searches, shared)?;
        found.extend(self.culprits(rest, snapshot, searches, shared)?);
        Ok(found)
    }
}

/// Goes back to the default for kernels that gain nothing where they stand. One that nobody timed stays. `in_place` is by network.
fn drop_losers(
    networks: &[Network],
    searches: &mut [Search<'_, '_>],
    in_place: &[InPlace],
    view: &mut dyn View,
) {
    for place in 0..searches.len() {
        let search = &searches[place];
        if !is_tuned(search) {
            continue;
        }
        let times = || networks.iter().zip(in_place);
        for (network, in_place) in times() {
            if let Some(ratio) = in_place.of(network, place) {
                view.see(&Event::InPlace {
                    model: &network.name,
                    kernel: &search.task.kernel.name,
                    alone: search.best.of_default,
                    in_place: ratio,
                });
            }
        }
        if Ratio::of(times(), place, searches).is_some_and(|ratio| !ratio.gains()) {
            searches[place].settle(None);
        }
    }
}

/// The half of some tuned kernels that gains least of a network's time.
fn gain_least(network: &Network, mut tuned: Vec<usize>, searches: &[Search<'_, '_>]) -> Vec<usize> {
    let gain = |place: &usize| {
        let search = &searches[*place];
        let calls = network.uses.get(place).map_or(0, |used| used.calls);
        match calls as f64 * search.default * (1.0 - search.best.of_default) {
            gain if gain.is_nan() => 0.0,
            gain => gain,
        }
    };
    tuned.sort_by(|a, b| gain(a).total_cmp(&gain(b)));
    tuned.truncate(tuned.len().div_ceil(2));
    tuned
}
