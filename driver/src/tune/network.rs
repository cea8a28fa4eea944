//! Whole networks, with what was found beside the default: what does not win is dropped.
//!
//! First each kernel's best schedules are timed where they stand, among the others ([`lineups`]), and the fastest is taken. Then
//! the networks as users run them decide.

use super::{
    Event,
    libraries::{Builds, Clocks, InPlace},
    lines::write,
    lineups::{self, Ratio},
    models::Network,
    search::{Search, Shared},
    verdict::{Verdict, judge},
};
use crate::{DriverError, compile::CompileOptions, output};
use relay_tune::{Database, record::Line};
use std::path::Path;

/// Times the networks with and without the schedules that were found, and drops what makes one of them no faster, for all of them.
/// Layouts are those of the records in both.
///
/// Each kernel gets the schedule that is the fastest where it stands; kernels that gain nothing there are dropped. Then each network is
/// tested. One that seems no faster loses the half of the kernels that only it has, those that gain least; one that is slower, the
/// half of all of its kernels. A network that calls a kernel which was dropped is tested again. Returns how many times as long as the
/// default each network takes.
///
/// # Errors
/// If a model cannot be compiled, or the records cannot be written.
pub fn decide(
    networks: &[Network],
    (records, options): (&Path, &CompileOptions),
    searches: &mut [Search<'_, '_>],
    shared: &mut Shared<'_>,
) -> Result<Vec<f64>, DriverError> {
    if !searches.iter().any(is_tuned) {
        return Ok(vec![1.0; networks.len()]);
    }
    let folder = output::temporary_folder()?;
    let known = Database::read(records)?;
    let layouts: Vec<Line> = known.layouts().cloned().map(Line::Layout).collect();
    let file = folder.path().join("layouts.jsonl");
    write(&layouts, &file)?;
    let builds = |(number, network)| {
        let folder = folder.path().join(format!("{number}"));
        Builds::new(network, options, (folder, &file))
    };
    let mut builds: Vec<Builds<'_>> = networks.iter().enumerate().map(builds).collect();
    lineups::choose(&mut builds, &layouts, searches, shared)?;
    let mut in_place = Vec::new();
    for builds in &mut builds {
        in_place.push(match tuned_of(builds.network, searches)[..] {
            [] => InPlace::default(),
            _ => builds.times_in_place(records, shared)?,
        });
    }
    drop_losers(networks, searches, &in_place, shared)?;
    let test = |builds| Test {
        builds,
        records,
        ratio: None,
    };
    let mut tests: Vec<Test<'_>> = builds.into_iter().map(test).collect();
    while let Some(place) = tests.iter().position(|test| test.is_open(searches)) {
        let test = &mut tests[place];
        let verdict = test.judge(searches, shared)?;
        let candidates = match verdict {
            Verdict::Faster(_) => Vec::new(),
            Verdict::Same(_) => only_of(place, networks, searches),
            Verdict::Slower => tuned_of(test.network(), searches),
        };
        let dropped = drop_half(test.network(), candidates, searches, shared)?;
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

fn is_tuned(search: &Search<'_, '_>) -> bool {
    !search.best.from.is_empty()
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
    records: &'n Path,
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

    /// Times it with and without what was found.
    fn judge(
        &mut self,
        searches: &[Search<'_, '_>],
        shared: &mut Shared<'_>,
    ) -> Result<Verdict, DriverError> {
        let kernels = tuned_of(self.network(), searches).len();
        let name = &self.network().name;
        let (default, tuned) = self.builds.link(self.records, Clocks::None)?;
        judge(
            name,
            (&default, &tuned),
            |name, comparison| Event::network(name, kernels, comparison),
            (&mut *shared.team, shared.settings, &mut *shared.view),
        )
    }
}

/// Goes back to the default for kernels that gain nothing where they stand. One that nobody timed stays. `in_place` is by network.
fn drop_losers(
    networks: &[Network],
    searches: &mut [Search<'_, '_>],
    in_place: &[InPlace],
    shared: &mut Shared<'_>,
) -> Result<(), DriverError> {
    for place in 0..searches.len() {
        let search = &searches[place];
        if !is_tuned(search) {
            continue;
        }
        let times = || networks.iter().zip(in_place);
        for (network, in_place) in times() {
            if let Some(ratio) = in_place.of(network, place) {
                shared.view.see(&Event::InPlace {
                    model: &network.name,
                    kernel: &search.task.kernel.name,
                    alone: search.best.of_default,
                    in_place: ratio,
                });
            }
        }
        if Ratio::of(times(), place, searches).is_some_and(|ratio| !ratio.gains()) {
            searches[place].settle(None, shared)?;
        }
    }
    Ok(())
}

/// Goes back to the default for the half of some tuned kernels that gains least of a network's time. Returns their places.
fn drop_half(
    network: &Network,
    mut tuned: Vec<usize>,
    searches: &mut [Search<'_, '_>],
    shared: &mut Shared<'_>,
) -> Result<Vec<usize>, DriverError> {
    let gain = |place: &usize| {
        let search = &searches[*place];
        let calls = network.uses.get(place).map_or(0, |used| used.calls);
        calls as f64 * search.default * (1.0 - search.best.of_default)
    };
    tuned.sort_by(|a, b| gain(a).total_cmp(&gain(b)));
    tuned.truncate(tuned.len().div_ceil(2));
    for place in &tuned {
        searches[*place].settle(None, shared)?;
    }
    Ok(tuned)
}
