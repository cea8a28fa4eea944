//! Comparing and timing two libraries.

use crate::{
    protocol::{Answer, KERNEL, Pair, Trouble},
    random::{positive, random},
    statistics::{is_clear, median},
    turns::{Clock, Counts, Rounds, Sets, is_near, take_turns, tells_much},
};
use relay_runtime::{Instance, Model, Port, RuntimeError, Session, Tensor};
use std::{
    collections::{BTreeMap, HashMap},
    path::{Path, PathBuf},
};

/// What times libraries, and keeps the one that many questions name.
#[derive(Default)]
pub struct Timer {
    incumbent: Option<Incumbent>,
}

/// What is answered; an error is an answer, too.
type Answered = Result<Answer, Answer>;

/// A candidate that takes so many times as long as the incumbent has one turn only.
const SLOWEST: f64 = 1.5;

/// The most sets of weights: as many as a network of 64 MiB has weights of 64 KiB. Together they are no larger than the
/// network's weights.
const MOST_SETS: u64 = 1024;

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
        let mut incumbent = match self.incumbent.take().filter(|known| known.is_of(pair)) {
            Some(known) => known,
            None => Incumbent::load(pair)?,
        };
        let answer = compare_and_time(&mut incumbent, pair, (slowest, clock));
        self.incumbent = Some(incumbent);
        answer
    }
}

/// The library that holds so far, and what it is run on.
struct Incumbent {
    path: PathBuf,
    threads: usize,
    weights: Vec<bool>,
    footprint: u64,
    seed: u64,
    instance: Instance,
    sets: Sets,
}

impl Incumbent {
    fn load(pair: &Pair) -> Result<Self, Answer> {
        let instance = load(&pair.incumbent, pair.threads)?;
        let sets = inputs(instance.inputs(), pair).map_err(no_memory)?;
        Ok(Self {
            path: pair.incumbent.clone(),
            threads: pair.threads,
            weights: pair.weights.clone(),
            footprint: pair.footprint,
            seed: pair.seed,
            instance,
            sets,
        })
    }

    /// Whether it is the incumbent of a question.
    fn is_of(&self, pair: &Pair) -> bool {
        (&self.path, self.threads) == (&pair.incumbent, pair.threads)
            && (&self.weights, self.footprint) == (&pair.weights, pair.footprint)
            && self.seed == pair.seed
    }
}

fn either(answered: Answered) -> Answer {
    answered.unwrap_or_else(|failed| failed)
}

/// Compares a candidate with an incumbent, and times both in turns.
fn compare_and_time(
    incumbent: &mut Incumbent,
    pair: &Pair,
    (slowest, clock): (f64, Clock),
) -> Answered {
    let Incumbent { instance, sets, .. } = incumbent;
    let mut candidate = load(&pair.candidate, pair.threads)?;
    compare(instance, &mut candidate, (sets, pair.seed))?;
    let rounds = Rounds {
        count: pair.rounds,
        turn: pair.turn,
        slowest,
        counts: Counts::Least,
        clock,
    };
    let mut sessions: [&mut dyn Session; 2] = [instance, &mut candidate];
    let times = take_turns(&mut sessions, sets, rounds).map_err(crashed)?;
    Ok(Answer::Timed {
        incumbent: times.turns(0).to_vec(),
        candidate: times.turns(1).to_vec(),
    })
}

/// Times the nodes of two libraries in turns, a run each.
fn profile(pair: &Pair) -> Answered {
    let mut incumbent = load(&pair.incumbent, pair.threads)?;
    let mut candidate = load(&pair.candidate, pair.threads)?;
    let all = random(incumbent.inputs(), pair.seed).map_err(no_memory)?;
    let inputs: Vec<&Tensor> = all.iter().collect();
    let mut ratios: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for round in 0..pair.rounds {
        if !ratios.is_empty()
            && ratios
                .values()
                .all(|ratios| is_clear(ratios.iter().copied()))
        {
            break;
        }
        let mut times = [BTreeMap::new(), BTreeMap::new()];
        for number in [0, 1] {
            let place = (round + number) % 2;
            let session = match place {
                0 => &mut incumbent,
                _ => &mut candidate,
            };
            times[place] = kernel_times(session, &inputs)?;
        }
        let [before, after] = times;
        for (kernel, time) in after {
            let before = before.get(&kernel).copied().unwrap_or(0);
            // A clock that saw nothing of one of the two says nothing of both.
            if before > 0 && time > 0 {
                let ratio = time as f64 / before as f64;
                ratios.entry(kernel).or_default().push(ratio);
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
    let all = random(ports, pair.seed)?;
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
        let copy = |_| {
            let mut copy = Tensor::try_zeros(tensor.dtype(), tensor.shape())?;
            copy.bytes_mut().copy_from_slice(tensor.bytes());
            Ok(copy)
        };
        copies.insert(
            place,
            (1..sets).map(copy).collect::<Result<_, RuntimeError>>()?,
        );
    }
    Ok(Sets { first: all, copies })
}

/// Checks that both compute the same. Where numbers of both signs make what is no number, positive ones may tell more.
fn compare(
    incumbent: &mut Instance,
    candidate: &mut Instance,
    (sets, seed): (&Sets, u64),
) -> Result<(), Answer> {
    let expected = compare_on(incumbent, candidate, &sets.set(0))?;
    if expected.iter().all(tells_much) {
        return Ok(());
    }
    let positive = positive(incumbent.inputs(), seed + 1).map_err(no_memory)?;
    let positive: Vec<&Tensor> = positive.iter().collect();
    compare_on(incumbent, candidate, &positive).map(|_| ())
}

/// What both compute of these inputs.
fn compare_on(
    incumbent: &mut Instance,
    candidate: &mut Instance,
    inputs: &[&Tensor],
) -> Result<Vec<Tensor>, Answer> {
    let run = |session: &mut Instance| session.run(inputs).map_err(crashed);
    let (expected, found) = (run(incumbent)?, run(candidate)?);
    let is_same = found.len() == expected.len()
        && found
            .iter()
            .zip(&expected)
            .all(|(found, expected)| is_near(found, expected));
    match is_same {
        true => Ok(expected),
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

fn no_memory(error: RuntimeError) -> Answer {
    Answer::failed(Trouble::Memory, error)
}

fn crashed(error: RuntimeError) -> Answer {
    Answer::failed(Trouble::Crash, error)
}
