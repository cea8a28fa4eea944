//! How operators are laid out, by what kernels and transforms of other layouts take.
//!
//! Operators with more than one layout are the nodes of a graph. For each other layout of one, the network is lowered with it: the
//! kernels that it calls then and did not before, transforms among them, are timed beside those that it does not call any more
//! ([`exchanges`]). Of two neighbours, what both together call beside what each alone calls is timed in the same way. What costs
//! least in all is found by [`pbqp`](relay_tune::pbqp), and kept if the whole network wins with it. What cannot be measured or tested, or
//! what there is no time for, is no record: the next run goes on with it.

mod exchanges;
mod variants;

use super::{
    Event, Settings, View,
    libraries::{Pace, link},
    lines::{lines, write},
    team::Team,
    verdict::{Verdict, judge},
};
use crate::{
    DriverError,
    compile::{self, CompileOptions},
    output,
};
use exchanges::Stopwatch;
use relay_passes::relay::alter_op_layout::{Operator, Operators};
use relay_tune::{
    Database, Writer, operator,
    pbqp::Problem,
    record::{Layout, Line, Times},
};
use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};
use variants::{Calls, Chosen, Network, difference};

/// A layout that gains less than this part of the time of what it replaces is no better: noise decides about what is less.
const LEAST_GAIN: f64 = 0.01;

/// Of so many layouts of a node, those that cost least alone, pairs with those of its neighbours are measured.
const MOST_OF_PAIR: usize = 2;

/// An operator whose layout is chosen.
struct Node<'o> {
    operator: &'o Operator,
    /// What was measured of its other layouts.
    others: Vec<Other<'o>>,
    /// How many others could not be measured.
    failed: usize,
    /// Whether it is left to the next run if nothing is chosen: not all of its layouts were measured, or what they promise was not tested.
    is_open: bool,
}

/// What came of choosing layouts for a model.
#[derive(Clone, Copy, Debug)]
pub struct LaidOut {
    /// The operators that have another layout than the default now.
    pub operators: usize,
    /// How many times as long as before the model takes.
    pub ratio: f64,
}

impl LaidOut {
    /// Everything stays as it was.
    pub const UNCHANGED: Self = Self {
        operators: 0,
        ratio: 1.0,
    };
}

/// Another layout than the default.
struct Other<'o> {
    choice: &'o str,
    calls: Calls,
    times: Times,
}

impl Node<'_> {
    /// What another layout costs, with what it has to gain at least.
    fn cost(&self, other: usize) -> f64 {
        let times = self.others[other].times;
        times.more + LEAST_GAIN * times.before
    }

    /// The layouts that cost least alone, if they do not take twice the time, by number.
    fn promising(&self) -> Vec<usize> {
        let is_near =
            |other: &usize| self.others[*other].times.more < self.others[*other].times.before;
        let mut all: Vec<usize> = (0..self.others.len()).filter(is_near).collect();
        all.sort_by(|a, b| self.cost(*a).total_cmp(&self.cost(*b)));
        all.truncate(MOST_OF_PAIR);
        all
    }
}

/// What two layouts of neighbours cost beside what each costs alone: nodes with the numbers of their layouts.
struct Pair {
    ends: [(usize, usize); 2],
    more: f64,
}

/// The operators of a model that layouts are chosen for.
///
/// # Errors
/// If the model cannot be read, or a pass fails.
pub fn operators(
    model: &Path,
    options: &CompileOptions,
    (database, machine): (&Database, &str),
) -> Result<Vec<Operator>, DriverError> {
    let context = compile::prepare();
    let folder = output::temporary_folder()?;
    let read = Network::read(
        &context,
        (model, options),
        (database, machine),
        folder.path(),
    )?;
    Ok(read.map_or(Vec::new(), |network| network.operators().all))
}

/// Chooses layouts for the operators of a model that have none in the records, and writes down what wins.
///
/// Nothing is begun after a limit of time but a first test of what was measured, so that each run decides something: [`judge`] says how
/// long that is.
///
/// # Errors
/// If the model cannot be compiled, the records cannot be read or written, there are no workers, or somebody asked the work to stop.
pub fn choose(
    (model, records): (&Path, &Path),
    (options, settings, limit): (&CompileOptions, &Settings, Duration),
    team: &mut Team,
    view: &mut dyn View,
) -> Result<LaidOut, DriverError> {
    let started = Instant::now();
    let known = Database::read(records)?;
    let folder = output::temporary_folder()?;
    let context = compile::prepare();
    let machine = &settings.machine[..];
    let network = Network::read(&context, (model, options), (&known, machine), folder.path())?;
    let Some(network) = network else {
        return Ok(LaidOut::UNCHANGED);
    };
    let operators = network.operators();
    let is_open = |operator: &&Operator| known.layout_of(&operator.text, machine).is_none();
    let mut nodes: Vec<Node<'_>> = operators.all.iter().filter(is_open).map(node).collect();
    if nodes.is_empty() {
        return Ok(LaidOut::UNCHANGED);
    }
    view.see(&Event::Operators {
        operators: nodes.len(),
        alternatives: nodes
            .iter()
            .map(|it| it.operator.alternatives.len() - 1)
            .sum(),
        seconds: limit.as_secs_f64(),
    });
    let writer = Writer::open(records)?;
    let mut search = Search {
        base: Calls::new(),
        stopwatch: Stopwatch::new(settings, team, (&known, writer), folder.path()),
        network: &network,
        options,
        started,
        limit,
        view,
    };
    search.begin()?;
    search.measure_nodes(&mut nodes)?;
    let pairs = search.measure_pairs(&nodes, &operators)?;
    let wanted = cheapest(&nodes, &pairs);
    let decision = Decision {
        model,
        records,
        options,
        settings,
        folder: folder.path(),
    };
    decision.make(&mut nodes, wanted, &mut search)
}

fn node(operator: &Operator) -> Node<'_> {
    Node {
        operator,
        others: Vec::new(),
        failed: 0,
        is_open: false,
    }
}

/// What measures layouts.
struct Search<'s, 'n, 'c> {
    /// The calls of a run with the layouts so far.
    base: Calls,
    stopwatch: Stopwatch<'s>,
    network: &'s Network<'n, 'c>,
    options: &'s CompileOptions,
    started: Instant,
    limit: Duration,
    view: &'s mut dyn View,
}

impl Search<'_, '_, '_> {
    fn begin(&mut self) -> Result<(), DriverError> {
        let kernels = self.network.kernels(&[])?;
        self.base = kernels.calls.clone();
        self.stopwatch.take(kernels);
        Ok(())
    }

    fn is_over(&self) -> bool {
        self.started.elapsed() >= self.limit
    }

    /// What a run calls more or less with other layouts; none if the network cannot be compiled with them.
    fn calls(&mut self, chosen: &[Chosen<'_>]) -> Result<Option<Calls>, DriverError> {
        match self.network.kernels(chosen) {
            Ok(kernels) => {
                let calls = difference(&kernels.calls, &self.base);
                self.stopwatch.take(kernels);
                Ok(Some(calls))
            }
            Err(error) => {
                self.options.stop.check()?;
                for (operator, choice) in chosen {
                    self.view.see(&Event::Unusable {
                        kernel: operator,
                        reason: &format!("{choice}: {error}"),
                    });
                }
                Ok(None)
            }
        }
    }

    /// Measures each other layout of each node, as long as there is time: node by node, so that a run that ends has decided about
    /// some, and the next one goes on with the others. It also tries again what fails here: a worker that does not start says nothing of
    /// layouts.
    fn measure_nodes<'o>(&mut self, nodes: &mut [Node<'o>]) -> Result<(), DriverError> {
        for node in nodes.iter_mut() {
            let operator: &'o Operator = node.operator;
            for choice in operator.alternatives.iter().skip(1) {
                if self.is_over() {
                    node.is_open = true;
                    break;
                }
                let chosen = [(&operator.text[..], &choice[..])];
                let calls = self.calls(&chosen)?;
                let times = match &calls {
                    // Another layout may be the same kernels.
                    Some(calls) if calls.is_empty() => continue,
                    Some(calls) => self.times(calls, &chosen)?,
                    None => None,
                };
                match calls.zip(times) {
                    Some((calls, times)) => node.others.push(Other {
                        choice,
                        calls,
                        times,
                    }),
                    None => node.failed += 1,
                }
            }
            node.is_open |= node.failed > 0;
        }
        Ok(())
    }

    /// What an exchange takes, which is told.
    fn times(
        &mut self,
        calls: &Calls,
        chosen: &[Chosen<'_>],
    ) -> Result<Option<Times>, DriverError> {
        let times = self.stopwatch.times(calls, self.view)?;
        if let Some(Times { before, more }) = times {
            self.view.see(&Event::Layout {
                operators: chosen.iter().map(|(operator, _)| *operator).collect(),
                choices: chosen.iter().map(|(_, choice)| *choice).collect(),
                before,
                more,
            });
        }
        Ok(times)
    }

    /// Measures pairs of layouts of neighbours, as long as there is time.
    fn measure_pairs(
        &mut self,
        nodes: &[Node<'_>],
        operators: &Operators,
    ) -> Result<Vec<Pair>, DriverError> {
        let places: HashMap<&str, usize> = (nodes.iter().enumerate())
            .map(|(place, node)| (&node.operator.text[..], place))
            .collect();
        let place = |operator: usize| places.get(&operators.all[operator].text[..]).copied();
        let neighbours = operators.neighbours.iter();
        let mut edges: Vec<(usize, usize)> = neighbours
            .filter_map(|(one, other)| Some((place(*one)?, place(*other)?)))
            .collect();
        edges.sort_unstable();
        let mut pairs = Vec::new();
        for (one, other) in edges {
            for first in nodes[one].promising() {
                for second in nodes[other].promising() {
                    let ends = [(one, first), (other, second)];
                    if !self.is_over()
                        && let Some(more) = self.measure_pair(nodes, ends)?
                    {
                        pairs.push(Pair { ends, more });
                    }
                }
            }
        }
        Ok(pairs)
    }

    /// What two layouts cost beside what each costs alone; none if that is nothing, or cannot be measured.
    fn measure_pair(
        &mut self,
        nodes: &[Node<'_>],
        ends: [(usize, usize); 2],
    ) -> Result<Option<f64>, DriverError> {
        let others = ends.map(|(node, other)| &nodes[node].others[other]);
        let chosen: Vec<Chosen<'_>> = (ends.iter().zip(others))
            .map(|((node, _), other)| (&nodes[*node].operator.text[..], other.choice))
            .collect();
        let Some(both) = self.calls(&chosen)? else {
            return Ok(None);
        };
        let [first, second] = others;
        let beside = difference(&difference(&both, &first.calls), &second.calls);
        if beside.is_empty() {
            return Ok(None);
        }
        Ok(self.times(&beside, &chosen)?.map(|times| times.more))
    }
}

/// By node, the number of the other layout that it takes so that all cost least; none for the default.
fn cheapest(nodes: &[Node<'_>], pairs: &[Pair]) -> Vec<Option<usize>> {
    let mut problem = Problem::default();
    for node in nodes {
        let others = (0..node.others.len()).map(|other| node.cost(other));
        problem.add_node([0.0].into_iter().chain(others).collect());
    }
    for Pair { ends, more } in pairs {
        // The default is the first alternative.
        let [first, second] = ends.map(|(node, other)| (node, other + 1));
        problem.add_pair(first, second, *more);
    }
    let choices = problem.solve().choices.into_iter();
    choices.map(|choice| choice.checked_sub(1)).collect()
}

/// Whether the network wins with other layouts.
struct Decision<'d> {
    model: &'d Path,
    records: &'d Path,
    options: &'d CompileOptions,
    settings: &'d Settings,
    folder: &'d Path,
}

impl Decision<'_> {
    /// Writes down what the network wins with, and the default for what it does not win with. Returns how many times as long it takes.
    fn make(
        &self,
        nodes: &mut [Node<'_>],
        mut wanted: Vec<Option<usize>>,
        search: &mut Search<'_, '_, '_>,
    ) -> Result<LaidOut, DriverError> {
        let ratio = self.test(nodes, &mut wanted, search)?;
        for line in self.lines(nodes, &wanted, ratio) {
            search.stopwatch.write(&line)?;
        }
        tell_failed(nodes, &wanted, &mut *search.view);
        let operators = wanted.iter().flatten().count();
        Ok(LaidOut { operators, ratio })
    }

    /// Times the network with what is wanted beside the one before; while it does not win, the half that gains least is dropped. What
    /// cannot be tested, or no longer, is left to the next run. Returns how many times as long the network takes with what is wanted then.
    fn test(
        &self,
        nodes: &mut [Node<'_>],
        wanted: &mut [Option<usize>],
        search: &mut Search<'_, '_, '_>,
    ) -> Result<f64, DriverError> {
        if wanted.iter().all(Option::is_none) {
            return Ok(1.0);
        }
        let before = self.folder.join("before.so");
        link(self.model, self.records, self.options, &before)?;
        let who = (&mut *search.stopwatch.team, self.settings);
        let name = self.model.display().to_string();
        let pace = Pace::of(&name, &before, who, &mut *search.view)?;
        let mut tests = 0;
        while wanted.iter().any(Option::is_some) {
            if tests > 0 && search.is_over() {
                search.view.see(&Event::Unusable {
                    kernel: &name,
                    reason: "there is no time to test other layouts of it again, which is left to the next run",
                });
                leave_open(nodes, wanted);
                break;
            }
            match self.judge((&before, pace, tests), (&*nodes, &*wanted), search)? {
                Verdict::Faster(ratio) => return Ok(ratio),
                Verdict::Same(_) | Verdict::Slower | Verdict::Broken => drop_half(nodes, wanted),
                Verdict::Untested => leave_open(nodes, wanted),
            }
            tests += 1;
        }
        Ok(1.0)
    }

    /// Tests the network with what is wanted beside the one before, after so many other tests.
    fn judge(
        &self,
        (before, pace, tests): (&Path, Pace, usize),
        (nodes, wanted): (&[Node<'_>], &[Option<usize>]),
        search: &mut Search<'_, '_, '_>,
    ) -> Result<Verdict, DriverError> {
        let after = self.link_with(&self.lines(nodes, wanted, 1.0), tests)?;
        let count = wanted.iter().flatten().count();
        judge(
            &self.model.display().to_string(),
            (before, &after),
            pace,
            |name, comparison| Event::layouts(name, count, comparison),
            (
                &mut *search.stopwatch.team,
                self.settings,
                &mut *search.view,
            ),
        )
    }

    /// The records of what is chosen, and of the default for the others that are not left to the next run.
    fn lines(&self, nodes: &[Node<'_>], wanted: &[Option<usize>], ratio: f64) -> Vec<Line> {
        let decided =
            (nodes.iter().zip(wanted)).filter(|(node, wanted)| !node.is_open || wanted.is_some());
        let line = |(node, wanted): (&Node<'_>, &Option<usize>)| {
            Line::Layout(Layout {
                version: operator::VERSION,
                operator: node.operator.text.clone(),
                target: self.settings.machine.clone(),
                choice: wanted.map(|other| node.others[other].choice.to_owned()),
                of_default: if wanted.is_some() { ratio } else { 1.0 },
            })
        };
        decided.map(line).collect()
    }

    /// The network with the records and some more.
    fn link_with(&self, more: &[Line], number: usize) -> Result<PathBuf, DriverError> {
        let records = self.folder.join("wanted.jsonl");
        let mut all = lines(&Database::read(self.records)?);
        all.extend_from_slice(more);
        write(&all, &records)?;
        let library = self.folder.join(format!("after{number}.so"));
        link(self.model, &records, self.options, &library)?;
        Ok(library)
    }
}

/// Goes back to the default for the half of the nodes that gains least alone.
fn drop_half(nodes: &[Node<'_>], wanted: &mut [Option<usize>]) {
    let costs = wanted.iter().enumerate();
    let mut costs: Vec<(usize, f64)> = costs
        .filter_map(|(place, other)| Some((place, nodes[place].cost((*other)?))))
        .collect();
    costs.sort_by(|a, b| b.1.total_cmp(&a.1));
    for (place, _) in costs.iter().take(costs.len().div_ceil(2)) {
        wanted[*place] = None;
    }
}

/// Goes back to the default for all that is wanted, and leaves it to the next run.
fn leave_open(nodes: &mut [Node<'_>], wanted: &mut [Option<usize>]) {
    for (node, wanted) in nodes.iter_mut().zip(wanted) {
        node.is_open |= wanted.take().is_some();
    }
}

/// Tells of the operators that have the default after some of their layouts could not be measured.
fn tell_failed(nodes: &[Node<'_>], wanted: &[Option<usize>], view: &mut dyn View) {
    let failed = nodes.iter().zip(wanted);
    for (node, _) in failed.filter(|(node, wanted)| node.failed > 0 && wanted.is_none()) {
        view.see(&Event::Unusable {
            kernel: &node.operator.text,
            reason: &format!(
                "{} of its other layouts could not be measured, which is left to the next run",
                node.failed
            ),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_that_lose_alone_may_win_together() {
        let operator = |text: &str| Operator {
            text: text.into(),
            alternatives: vec!["block=16 direct".into(), "block=8 direct".into()],
            nodes: Vec::new(),
            count: 1,
        };
        let operators = ["one", "other"].map(operator);
        let nodes = operators.each_ref().map(|operator| Node {
            operator,
            others: vec![Other {
                choice: &operator.alternatives[1],
                calls: Calls::new(),
                times: Times {
                    before: 100.0,
                    more: 20.0,
                },
            }],
            failed: 0,
            is_open: false,
        });
        let pair = |more| Pair {
            ends: [(0, 0), (1, 0)],
            more,
        };
        assert_eq!(cheapest(&nodes, &[]), [None, None]);
        assert_eq!(cheapest(&nodes, &[pair(-30.0)]), [None, None]);
        assert_eq!(cheapest(&nodes, &[pair(-60.0)]), [Some(0), Some(0)]);
    }
}
