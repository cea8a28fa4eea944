//! Schedules of a model's kernels, measured beside each other.
//!
//! Each distinct fused function of a model becomes a model of its own ([`Kernel`]); some schedules of its space
//! are compiled ([`build`]), compared and timed in turns ([`times`]), and what is found goes into a file
//! ([`Record`]) after each kernel, from which a run that was stopped goes on.

mod build;
pub(crate) mod kernel;
mod record;
mod refit;
mod sample;

pub use build::{Built, build};
pub use kernel::{Kernel, kernels};
pub use record::{Final, Measured, Record, Settings, Timed};
pub use refit::{Errors, Refit, refit};
pub use sample::ranks;

use crate::{
    DriverError,
    compile::CompileOptions,
    machine::{FmaPeak, cycles_per_nanosecond},
    npz,
};
use relay_runner::turns::{Clock, Counts, Rounds, Sets, Times, is_near, take_turns};
use relay_runtime::{Instance, Session, Tensor};
use std::path::Path;

/// The rounds in which all candidates are timed, and those of the default and the best afterwards: the best of many noisy times
/// is too good to be true, so that both are timed anew.
const FIRST: Rounds = Rounds {
    count: 3,
    turn: 0.003,
    slowest: 4.0,
    counts: Counts::Median,
    clock: Clock::Run,
};
const FINAL: Rounds = Rounds {
    count: 9,
    turn: 0.005,
    slowest: f64::INFINITY,
    counts: Counts::Median,
    clock: Clock::Run,
};

/// So many of the best are timed anew.
const FINALISTS: usize = 4;

/// How often the FMA peak is measured beside a kernel. The greatest counts.
const PEAK_RUNS: usize = 25;

/// Measures the kernels of a model that `record` does not hold yet, and writes it to `path` after each. Tells `progress` what
/// it does.
///
/// # Errors
/// If the model cannot be compiled down to its kernels, or the file cannot be written. What goes wrong with one
/// schedule stands in the record.
pub fn measure(
    model: &Path,
    options: &CompileOptions,
    record: &mut Record,
    path: &Path,
    progress: &mut dyn FnMut(&str),
) -> Result<(), DriverError> {
    let kernels = kernels(model, options)?;
    let peak = FmaPeak::new(options)?;
    let count = kernels.len();
    for (number, kernel) in kernels.iter().enumerate() {
        let place = format!("[{}/{count}] {}", number + 1, kernel.name);
        if record.has(kernel) {
            progress(&format!("{place}: is measured"));
            continue;
        }
        progress(&format!("{place}: compiling"));
        let measured = of_kernel(kernel, options, record.settings, &peak)?;
        progress(&format!("{place}: {}", measured.describe()));
        record.kernels.push(measured);
        record.write(path)?;
    }
    Ok(())
}

/// Compiles, compares and times candidates of a kernel.
fn of_kernel(
    kernel: &Kernel,
    options: &CompileOptions,
    settings: Settings,
    peak: &FmaPeak,
) -> Result<Measured, DriverError> {
    let (built, mut failures) = some(kernel, options, settings.candidates)?;
    let inputs = Sets {
        first: npz::random(built[0].model.inputs(), 0)?,
        ..Sets::default()
    };
    let mut sessions = Vec::new();
    for candidate in &built {
        sessions.push(candidate.model.instance(settings.threads)?);
    }
    failures.extend(different(&mut sessions, &inputs.first, &built)?);
    let before = peak.measure(settings.threads, PEAK_RUNS)?;
    let all = time(&mut sessions, &inputs, FIRST)?;
    let finalists = finalists(&all);
    let mut chosen: Vec<&mut Instance> = (sessions.iter_mut().enumerate())
        .filter(|(place, _)| finalists.contains(place))
        .map(|(_, session)| session)
        .collect();
    let times = time(&mut chosen, &inputs, FINAL)?;
    let gflops = before.max(peak.measure(settings.threads, PEAK_RUNS)?);
    let finals = finalists
        .iter()
        .enumerate()
        .map(|(place, candidate)| Final {
            rank: built[*candidate].rank,
            nanoseconds: times.median(place),
            of_default: times.relative(place, 0),
        });
    let timed = built.iter().enumerate().map(|(place, built)| Timed {
        rank: built.rank,
        knobs: built.knobs.clone(),
        cycles: built.cycles,
        nanoseconds: all.median(place),
    });
    Ok(Measured {
        id: kernel.id.clone(),
        name: kernel.name.clone(),
        model: kernel.model.clone(),
        text: kernel.text.clone(),
        flops: built[0].flops,
        bytes: built[0].bytes,
        space: built[0].count,
        cycles_per_nanosecond: cycles_per_nanosecond(gflops, options.target.schedules_for()),
        candidates: timed.collect(),
        finals: finals.collect(),
        failures,
    })
}

/// The default and some other schedules of a kernel, up to `most`, and what is wrong with those that do not compile.
fn some(
    kernel: &Kernel,
    options: &CompileOptions,
    most: usize,
) -> Result<(Vec<Built>, Vec<String>), DriverError> {
    let default = build(kernel, &[0], options).pop().transpose()?;
    let default = default.ok_or_else(|| kernel.error("has no schedule"))?;
    let ranks = ranks(default.count, most);
    let (mut built, mut failures) = (vec![default], Vec::new());
    for candidate in build(kernel, &ranks[1..], options) {
        match candidate {
            Ok(candidate) => built.push(candidate),
            Err(error) => failures.push(error.to_string()),
        }
    }
    Ok((built, failures))
}

/// What is wrong with the results of candidates, beside those of the default, the first.
fn different(
    sessions: &mut [Instance],
    inputs: &[Tensor],
    built: &[Built],
) -> Result<Vec<String>, DriverError> {
    let inputs: Vec<&Tensor> = inputs.iter().collect();
    let mut expected: Vec<Tensor> = Vec::new();
    let mut found = Vec::new();
    for (session, built) in sessions.iter_mut().zip(built) {
        let outputs = session.run(&inputs)?;
        if expected.is_empty() {
            expected = outputs;
            continue;
        }
        let mut pairs = outputs.iter().zip(&expected);
        if !pairs.all(|(output, expected)| is_near(output, expected)) {
            found.push(format!("{}: other results than the default's", built.knobs));
        }
    }
    Ok(found)
}

/// Times candidates in turns.
fn time<S: std::borrow::BorrowMut<Instance>>(
    sessions: &mut [S],
    inputs: &Sets,
    rounds: Rounds,
) -> Result<Times, DriverError> {
    let mut sessions: Vec<&mut dyn Session> = (sessions.iter_mut())
        .map(|session| session.borrow_mut() as &mut dyn Session)
        .collect();
    Ok(take_turns(&mut sessions, inputs, rounds)?)
}

/// The places of the default and of the fastest others, in order.
fn finalists(times: &Times) -> Vec<usize> {
    let mut others: Vec<usize> = (1..times.count()).collect();
    others.sort_by(|a, b| times.median(*a).total_cmp(&times.median(*b)));
    let mut places = vec![0];
    places.extend(others.into_iter().take(FINALISTS));
    places.sort_unstable();
    places
}
