//! Programs that compute the same, timed in turns, so that what else happens on the machine happens to all.

use crate::statistics::{is_clear, median};
use half::bf16;
use relay_runtime::{DType, RuntimeError, Session, Tensor};
use std::{collections::HashMap, time::Instant};

/// How programs take turns.
#[derive(Clone, Copy, Debug)]
pub struct Rounds {
    /// How many rounds there are.
    pub count: usize,
    /// The seconds of a turn; three runs at least.
    pub turn: f64,
    /// A program that takes so many times as long as the fastest one has no further turns, unless it is the first.
    pub slowest: f64,
    /// What counts of a turn.
    pub counts: Counts,
    /// What counts of a run.
    pub clock: Clock,
}

/// What counts of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// All of it.
    Run,
    /// The nodes that a kernel of this name computes: the program has a clock around each node.
    Kernel(&'static str),
}

impl Clock {
    /// The nanoseconds that what counts took in a run.
    fn time(
        self,
        session: &mut dyn Session,
        run: impl FnOnce(&mut dyn Session) -> Result<(), RuntimeError>,
    ) -> Result<f64, RuntimeError> {
        let Self::Kernel(name) = self else {
            let start = Instant::now();
            run(session)?;
            return Ok(start.elapsed().as_nanos() as f64);
        };
        let spent = |session: &dyn Session| -> u64 {
            let nodes = session.profile().into_iter();
            nodes
                .filter(|node| node.op == name)
                .map(|node| node.nanoseconds)
                .sum()
        };
        let before = spent(session);
        run(session)?;
        Ok((spent(session) - before) as f64)
    }
}

/// What counts of the runs of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counts {
    /// The median: what users see.
    Median,
    /// The least: what the program takes where nothing else runs. Other work on the machine only adds to it.
    Least,
}

/// The nanoseconds of a run: by program, for each of its turns what counts of it.
#[derive(Clone, Debug, Default)]
pub struct Times(Vec<Vec<f64>>);

impl Times {
    /// How many programs there are.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// A program's turns.
    pub fn turns(&self, place: usize) -> &[f64] {
        self.0.get(place).map_or(&[], |turns| turns)
    }

    /// The median of a program's turns; 0 of none.
    pub fn median(&self, place: usize) -> f64 {
        match self.turns(place) {
            [] => 0.0,
            turns => median(turns.iter().copied()),
        }
    }

    /// How many times as long as another one a program takes: the median of the rounds' ratios, as both had
    /// the same machine in a round.
    pub fn relative(&self, place: usize, other: usize) -> f64 {
        median(self.ratios(place, other))
    }

    /// How many times as long as another one a program takes, in each round in which both had a turn.
    fn ratios(&self, place: usize, other: usize) -> impl Iterator<Item = f64> + Clone {
        let both = self.turns(place).iter().zip(self.turns(other));
        both.map(|(a, b)| a / b)
    }

    fn fastest(&self) -> f64 {
        let medians = (0..self.0.len()).map(|place| self.median(place));
        medians.fold(f64::INFINITY, f64::min)
    }
}

/// Inputs of equal numbers, some of which lie somewhere else in each set: as weights do in a network, of which other kernels
/// have taken the caches' place.
#[derive(Debug, Default)]
pub struct Sets {
    /// The first set.
    pub first: Vec<Tensor>,
    /// By place, what the other sets have there; of each as many.
    pub copies: HashMap<usize, Vec<Tensor>>,
}

impl Sets {
    /// A set, counted round and round.
    pub fn set(&self, number: usize) -> Vec<&Tensor> {
        let tensor = |(place, first)| match self.copies.get(&place) {
            Some(others) => match number % (others.len() + 1) {
                0 => first,
                other => &others[other - 1],
            },
            None => first,
        };
        self.first.iter().enumerate().map(tensor).collect()
    }

    /// All sets.
    fn all(&self) -> Vec<Vec<&Tensor>> {
        let count = self.copies.values().map(Vec::len).max().unwrap_or(0) + 1;
        (0..count).map(|number| self.set(number)).collect()
    }
}

/// Lets programs take turns on the same inputs, and into the same outputs. A turn begins with a run that does
/// not count; the order changes from round to round. It ends where each but the first is too slow, or compares
/// [clearly](is_clear) with the first.
///
/// # Errors
/// If a run fails.
pub fn take_turns(
    sessions: &mut [&mut dyn Session],
    inputs: &Sets,
    rounds: Rounds,
) -> Result<Times, RuntimeError> {
    let sets = inputs.all();
    let mut times = Times(vec![Vec::new(); sessions.len()]);
    let Some(first) = sessions.first_mut() else {
        return Ok(times);
    };
    let mut outputs = first.run(&sets[0])?;
    for round in 0..rounds.count {
        let limit = match round {
            0 => f64::INFINITY,
            _ => rounds.slowest * times.fastest(),
        };
        // The others are compared with the first.
        let is_left = |place: usize| place == 0 || times.median(place) <= limit;
        let is_known = |place: usize| !is_left(place) || is_clear(times.ratios(place, 0));
        if sessions.len() > 1 && (1..sessions.len()).all(is_known) {
            break;
        }
        for number in 0..sessions.len() {
            let place = match round % 2 {
                0 => number,
                _ => sessions.len() - 1 - number,
            };
            if place == 0 || times.median(place) <= limit {
                let taken = turn(&mut *sessions[place], &sets, &mut outputs, rounds)?;
                times.0[place].push(taken);
            }
        }
    }
    Ok(times)
}

/// A turn has so many runs at least, that the median is not that of one which was interrupted.
const LEAST_RUNS: usize = 3;

/// A turn that has taken so many times as long as it should ends after one run.
const TOO_LONG: f64 = 20.0;

/// The nanoseconds of the runs of a turn: what counts of them.
fn turn(
    session: &mut dyn Session,
    sets: &[Vec<&Tensor>],
    outputs: &mut [Tensor],
    Rounds {
        turn: seconds,
        counts,
        clock,
        ..
    }: Rounds,
) -> Result<f64, RuntimeError> {
    let (begin, mut times) = (Instant::now(), Vec::new());
    let mut sets = sets.iter().cycle();
    let mut run = |times: &mut Vec<f64>| {
        if let Some(inputs) = sets.next() {
            times.push(clock.time(session, |session| session.run_into(inputs, outputs))?);
        }
        Ok::<_, RuntimeError>(())
    };
    run(&mut Vec::new())?;
    let is_over = |times: &Vec<f64>| match times.len() {
        0 => false,
        count if count < LEAST_RUNS => begin.elapsed().as_secs_f64() > TOO_LONG * seconds,
        _ => begin.elapsed().as_secs_f64() > seconds,
    };
    while !is_over(&times) {
        run(&mut times)?;
    }
    Ok(match counts {
        Counts::Median => median(times),
        Counts::Least => times.into_iter().fold(f64::INFINITY, f64::min),
    })
}

/// The difference of two results that sums in another order explain, relative to the range of the result: of f32, and of
/// bf16, which has 8 bits.
const TOLERANCE: f32 = 1e-4;
const TOLERANCE_OF_BF16: f32 = 1e-2;

/// Whether two results are the same but for the order of sums; those of other types than f32 and bf16 must be equal.
pub fn is_near(found: &Tensor, expected: &Tensor) -> bool {
    let (Some((found, tolerance)), Some((numbers, _))) = (floats(found), floats(expected)) else {
        return found.bytes() == expected.bytes();
    };
    let finite = || numbers.iter().copied().filter(|number| number.is_finite());
    let least = finite().fold(f32::INFINITY, f32::min);
    let most = finite().fold(f32::NEG_INFINITY, f32::max);
    // Of a result that is the same number everywhere, that number's size is the range.
    let range = match most - least {
        range if range > 0.0 => range,
        _ if most.is_finite() => most.abs().max(f32::MIN_POSITIVE),
        _ => f32::MIN_POSITIVE,
    };
    let mut pairs = found.iter().zip(&numbers);
    let is_near = |(a, b): (&f32, &f32)| {
        (a - b).abs() <= tolerance * range || a == b || a.is_nan() && b.is_nan()
    };
    found.len() == numbers.len() && pairs.all(is_near)
}

/// The numbers of a tensor of f32 or bf16, and their tolerance.
fn floats(tensor: &Tensor) -> Option<(Vec<f32>, f32)> {
    let of_f32 = || Some((tensor.to_f32()?, TOLERANCE));
    if tensor.dtype() != DType::BF16 {
        return of_f32();
    }
    let (pairs, _) = tensor.bytes().as_chunks::<2>();
    let numbers = pairs.iter().map(|pair| bf16::from_le_bytes(*pair).to_f32());
    Some((numbers.collect(), TOLERANCE_OF_BF16))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slow_round_does_not_change_a_ratio() {
        let times = Times(vec![vec![10.0, 30.0, 11.0], vec![20.0, 60.0, 22.0]]);
        assert!((times.relative(1, 0) - 2.0).abs() < 1e-9);
        assert!((times.median(0) - 11.0).abs() < 1e-9);
        assert!((times.fastest() - 11.0).abs() < 1e-9);
    }

    #[test]
    fn results_are_near_by_their_range() {
        let tensor = |values: &[f32]| Tensor::from_f32(&[2], values).expect("two numbers");
        let expected = tensor(&[0.0, 100.0]);
        assert!(is_near(&tensor(&[0.001, 100.0]), &expected));
        assert!(!is_near(&tensor(&[0.1, 100.0]), &expected));
        assert!(!is_near(&tensor(&[f32::NAN, 100.0]), &expected));
        assert!(is_near(&tensor(&[3.0, 3.0]), &tensor(&[3.0, 3.0])));
        let expected = tensor(&[f32::INFINITY, f32::NAN]);
        assert!(is_near(&tensor(&[f32::INFINITY, f32::NAN]), &expected));
        assert!(!is_near(&tensor(&[f32::INFINITY, 1.0]), &expected));
        assert!(!is_near(&tensor(&[1.0, f32::NAN]), &expected));
    }
}
