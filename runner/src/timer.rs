//! Comparing and timing two libraries.

use crate::{
    protocol::{Answer, KERNEL, Pair, Trouble},
    random::random,
    statistics::{is_clear, median},
    turns::{Clock, Counts, Rounds, Sets, is_near, take_turns},
};
use relay_runtime::{Instance, Model, Port, RuntimeError, Session, Tensor};
use std::{
    collections::{BTreeMap, HashMap},
    path::{Path, PathBuf},
};

/// What times libraries, and keeps the one that many questions name.
#[derive(Default)]
pub struct Timer {
    /// The library that holds so far, and the number of threads.
    incumbent: Option<(PathBuf, usize, Instance)>,
}

/// What is answered; an error is an answer, too.
type Answered = Result<Answer, Answer>;

/// A candidate that takes so many times as long as the incumbent has one turn only.
const SLOWEST: f64 = 1.5;

/// The most sets of weights.
const MOST_SETS: u64 = 32;

impl Timer {
    /// Compares and times two libraries of a kernel.
    pub fn time(&mut self, pair: &Pair) -> Answer {
        either(self.take_turns(pair, SLOWEST, Clock::Kernel(KERNEL)))
    }

    /// Compares and times two libraries of a whole network, however slow one of them is.
    pub fn network(&mut self, pair: &Pair) -> Answer {
        either(self.take_turns(pair, f64::INFINITY, Clock::Run))
    }

    /// Times the nodes of two libraries in turns, a run each.
    pub fn profile(&self, pair: &Pair) -> Answer {
        either(profile(pair))
    }

    fn take_turns(&mut self, pair: &Pair, slowest: f64, clock: Clock) -> Answered {
        let known = self.incumbent.take();
        let is_meant = |(path, threads, _): &(PathBuf, usize, Instance)| {
            *path == pair.incumbent && *threads == pair.threads
        };
        let (path, threads, mut incumbent) = match known.filter(is_meant) {
            Some(known) => known,
            None => {
                let instance = load(&pair.incumbent, pair.threads)?;
                (pair.incumbent.clone(), pair.threads, instance)
            }
        };
        let answer = compare_and_time(&mut incumbent, pair, (slowest, clock));
        self.incumbent = Some((path, threads, incumbent));
        answer
    }
}

fn either(answered: Answered) -> Answer {
    answered.unwrap_or_else(|failed| failed)
}

/// Compares a candidate with an incumbent, and times both in turns.
fn compare_and_time(
    incumbent: &mut Instance,
    pair: &Pair,
    (slowest, clock): (f64, Clock),
) -> Answered {
    let mut candidate = load(&pair.candidate, pair.threads)?;
    let sets =
        inputs(incumbent.inputs(), pair).map_err(|error| Answer::failed(Trouble::Memory, error))?;
    compare(incumbent, &mut candidate, &sets)?;
    let rounds = Rounds {
        count: pair.rounds,
        turn: pair.turn,
        slowest,
        counts: Counts::Least,
        clock,
    };
    let mut sessions: [&mut dyn Session; 2] = [incumbent, &mut candidate];
    let times = take_turns(&mut sessions, &sets, rounds).map_err(crashed)?;
    Ok(Answer::Timed {
        incumbent: times.turns(0).to_vec(),
        candidate: times.turns(1).to_vec(),
    })
}

/// Times the nodes of two libraries in turns, a run each.
fn profile(pair: &Pair) -> Answered {
    let mut incumbent = load(&pair.incumbent, pair.threads)?;
    let mut candidate = load(&pair.candidate, pair.threads)?;
    let sets =
        inputs(incumbent.inputs(), pair).map_err(|error| Answer::failed(Trouble::Memory, error))?;
    let inputs = sets.set(0);
    let mut ratios: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for _ in 0..pair.rounds {
        if !ratios.is_empty()
            && ratios
                .values()
                .all(|ratios| is_clear(ratios.iter().copied()))
        {
            break;
        }
        let before = kernel_times(&mut incumbent, &inputs)?;
        let after = kernel_times(&mut candidate, &inputs)?;
        for (kernel, time) in after {
            if let Some(before) = before.get(&kernel).filter(|before| **before > 0) {
                ratios
                    .entry(kernel)
                    .or_default()
                    .push(time as f64 / *before as f64);
            }
        }
    }
    let medians = ratios
        .into_iter()
        .map(|(kernel, ratios)| (kernel, median(ratios)));
    Ok(Answer::Profiled {
        kernels: medians.collect(),
    })
}

/// The nanoseconds of each kernel in a run, all its nodes together. The run before it does not count.
fn kernel_times(
    session: &mut Instance,
    inputs: &[&Tensor],
) -> Result<BTreeMap<String, u64>, Answer> {
    let mut run = || {
        session.run(inputs).map_err(crashed)?;
        let mut times: BTreeMap<String, u64> = BTreeMap::new();
        for node in session.profile() {
            *times.entry(node.op).or_default() += node.nanoseconds;
        }
        Ok::<_, Answer>(times)
    };
    let before = run()?;
    let mut times = run()?;
    for (kernel, time) in &mut times {
        *time -= before.get(kernel).copied().unwrap_or(0);
    }
    Ok(times)
}

/// Sets of inputs: of equal numbers, and of the same tensors but for the weights.
fn inputs(ports: &[Port], pair: &Pair) -> Result<Sets, RuntimeError> {
    let all = random(ports, 0)?;
    let is_weight = |place: usize| pair.weights.get(place).copied().unwrap_or(false);
    let bytes: u64 = (all.iter().enumerate())
        .filter(|(place, _)| is_weight(*place))
        .map(|(_, tensor)| tensor.bytes().len() as u64)
        .sum();
    let sets = pair
        .footprint
        .checked_div(bytes)
        .map_or(1, |sets| sets.clamp(1, MOST_SETS));
    let mut copies: HashMap<usize, Vec<Tensor>> = HashMap::new();
    for (place, tensor) in all
        .iter()
        .enumerate()
        .filter(|(place, _)| is_weight(*place))
    {
        let copy = || Tensor::from_bytes(tensor.dtype(), tensor.shape(), tensor.bytes());
        copies.insert(place, (1..sets).filter_map(|_| copy()).collect());
    }
    Ok(Sets { first: all, copies })
}

/// Checks that both compute the same.
fn compare(incumbent: &mut Instance, candidate: &mut Instance, sets: &Sets) -> Result<(), Answer> {
    let inputs = sets.set(0);
    let run = |session: &mut Instance| session.run(&inputs).map_err(crashed);
    let (expected, found) = (run(incumbent)?, run(candidate)?);
    let is_same = found.len() == expected.len()
        && found
            .iter()
            .zip(&expected)
            .all(|(found, expected)| is_near(found, expected));
    match is_same {
        true => Ok(()),
        false => Err(Answer::failed(
            Trouble::Wrong,
            "its results differ from those of the incumbent",
        )),
    }
}

fn load(path: &Path, threads: usize) -> Result<Instance, Answer> {
    let model = Model::load(path).map_err(crashed)?;
    model.instance(threads).map_err(crashed)
}

fn crashed(error: RuntimeError) -> Answer {
    Answer::failed(Trouble::Crash, error)
}
