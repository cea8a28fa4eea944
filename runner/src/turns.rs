//! Programs that compute the same, timed in turns, so that what else happens on the machine happens to all.

use crate::statistics::{is_clear, median};
use half::{bf16, f16};
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
    // Each run finds the weights that were used longest ago.
    let mut sets = sets.iter().cycle();
    let mut goes_on = vec![true; sessions.len()];
    for round in 0..rounds.count {
        if round > 0 {
            let limit = rounds.slowest * times.fastest();
            for (place, goes_on) in goes_on.iter_mut().enumerate().skip(1) {
                *goes_on &= times.median(place) <= limit;
            }
        }
        // The others are compared with the first.
        let is_known = |place: usize| !goes_on[place] || is_clear(times.ratios(place, 0));
        if sessions.len() > 1 && (1..sessions.len()).all(is_known) {
            break;
        }
        for number in 0..sessions.len() {
            let place = match round % 2 {
                0 => number,
                _ => sessions.len() - 1 - number,
            };
            if goes_on[place] {
                let taken = turn(&mut *sessions[place], &mut sets, &mut outputs, rounds)?;
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
fn turn<'s>(
    session: &mut dyn Session,
    sets: &mut impl Iterator<Item = &'s Vec<&'s Tensor>>,
    outputs: &mut [Tensor],
    Rounds {
        turn: seconds,
        counts,
        clock,
        ..
    }: Rounds,
) -> Result<f64, RuntimeError> {
    let (begin, mut times) = (Instant::now(), Vec::new());
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

/// The difference of two results that sums in another order explain, relative to the range of the result: of f16 and bf16,
/// which have 11 and 8 bits, more.
const TOLERANCE: f64 = 1e-4;
const TOLERANCE_OF_F16: f64 = 2e-3;
const TOLERANCE_OF_BF16: f64 = 1e-2;

/// The same where all numbers are nearly the same: so many units in the last place of the greatest number. It was set by hand: rounding errors
/// of a sum of n terms add up to about sqrt(n) units, which are 64 for 4096 terms.
const UNITS: f64 = 64.0;

/// Whether two results are the same but for the order of sums. Those that are not of floats must be equal.
pub fn is_near(found: &Tensor, expected: &Tensor) -> bool {
    let (Some(found), Some(expected)) = (Floats::of(found), Floats::of(expected)) else {
        return found.bytes() == expected.bytes();
    };
    let allowed = expected.tolerance();
    let is_near =
        |(a, b): (&f64, &f64)| (a - b).abs() <= allowed || a == b || a.is_nan() && b.is_nan();
    found.numbers.len() == expected.numbers.len()
        && found.numbers.iter().zip(&expected.numbers).all(is_near)
}

/// The numbers of a tensor of floats.
struct Floats {
    numbers: Vec<f64>,
    /// The tolerance, relative to the range.
    of_range: f64,
    /// The distance of 1 from the next number.
    epsilon: f64,
}

impl Floats {
    /// None of a tensor of something else.
    fn of(tensor: &Tensor) -> Option<Self> {
        let (of_range, epsilon) = match tensor.dtype() {
            DType::F64 => (TOLERANCE, f64::EPSILON),
            DType::F32 => (TOLERANCE, f64::from(f32::EPSILON)),
            DType::F16 => (TOLERANCE_OF_F16, f64::from(f16::EPSILON)),
            DType::BF16 => (TOLERANCE_OF_BF16, f64::from(bf16::EPSILON)),
            _ => return None,
        };
        let size = tensor.dtype().size();
        let number = |bytes: &[u8]| match *bytes {
            [a, b] if tensor.dtype() == DType::F16 => f16::from_le_bytes([a, b]).to_f64(),
            [a, b] => bf16::from_le_bytes([a, b]).to_f64(),
            [a, b, c, d] => f64::from(f32::from_le_bytes([a, b, c, d])),
            [a, b, c, d, e, f, g, h] => f64::from_le_bytes([a, b, c, d, e, f, g, h]),
            _ => f64::NAN,
        };
        Some(Self {
            numbers: tensor.bytes().chunks_exact(size).map(number).collect(),
            of_range,
            epsilon,
        })
    }

    fn finite(&self) -> impl Iterator<Item = f64> {
        self.numbers.iter().copied().filter(|it| it.is_finite())
    }

    /// The difference from these numbers that the order of sums explains.
    fn tolerance(&self) -> f64 {
        let least = self.finite().fold(f64::INFINITY, f64::min);
        let most = self.finite().fold(f64::NEG_INFINITY, f64::max);
        let greatest = least.abs().max(most.abs());
        if !greatest.is_finite() {
            return 0.0;
        }
        // Of a result that is the same number everywhere, that number's size is the range.
        let range = match most - least {
            0.0 => greatest,
            range => range,
        };
        let units = (UNITS * self.epsilon).min(self.of_range);
        (self.of_range * range).max(units * greatest)
    }
}

/// Whether at least half of the numbers of a tensor of floats are finite. Others say little of what computes them.
pub fn tells_much(tensor: &Tensor) -> bool {
    Floats::of(tensor).is_none_or(|floats| 2 * floats.finite().count() >= floats.numbers.len())
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

    fn tensor(values: &[f32]) -> Tensor {
        Tensor::from_f32(&[2], values).expect("two numbers")
    }

    #[test]
    fn results_are_near_by_their_range() {
        let expected = tensor(&[0.0, 100.0]);
        assert!(is_near(&tensor(&[0.001, 100.0]), &expected));
        assert!(!is_near(&tensor(&[0.1, 100.0]), &expected));
        assert!(!is_near(&tensor(&[f32::NAN, 100.0]), &expected));
        assert!(is_near(&tensor(&[3.0, 3.0]), &tensor(&[3.0, 3.0])));
        let expected = tensor(&[f32::INFINITY, f32::NAN]);
        assert!(is_near(&tensor(&[f32::INFINITY, f32::NAN]), &expected));
        assert!(!is_near(&tensor(&[f32::INFINITY, 1.0]), &expected));
        assert!(!is_near(&tensor(&[1.0, f32::NAN]), &expected));
        assert!(!tells_much(&tensor(&[f32::NAN, f32::NAN])));
    }

    #[test]
    fn numbers_that_are_nearly_the_same_are_near_by_their_size() {
        let expected = tensor(&[1.0, 1.000_000_1]);
        assert!(is_near(&tensor(&[1.000_000_1, 1.0]), &expected));
        assert!(!is_near(&tensor(&[1.0, 1.001]), &expected));
        let whole = |numbers: [f64; 2]| {
            let bytes: Vec<u8> = numbers.iter().flat_map(|it| it.to_le_bytes()).collect();
            Tensor::from_bytes(DType::F64, &[2], &bytes).expect("two numbers")
        };
        assert!(is_near(&whole([0.1 + 0.2, 5.0]), &whole([0.3, 5.0])));
        assert!(!is_near(&whole([0.31, 5.0]), &whole([0.3, 5.0])));
    }
}
