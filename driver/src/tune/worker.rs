//! A worker: a process that compiles and times kernels for a tuner, and may end while it does.

use super::{
    producers::{behind_producers, schedule_producers},
    protocol::{Pair, Reply, Request},
};
use crate::{
    DriverError,
    candidates::{Clock, Counts, Rounds, Sets, is_near, kernel::NAME, take_turns},
    compile::{self, CompileOptions},
    npz, records,
};
use melior::Context;
use relay_dialects::ir::Op;
use relay_passes::te::lower_te::check_schedule;
use relay_runtime::{Instance, Model, Port, Session, Tensor};
use relay_tune::{ScheduleText, record::Failure, statistics::median};
use std::{
    collections::{BTreeMap, HashMap},
    io::{BufRead, Write},
    path::{Path, PathBuf},
};

/// Answers requests, a line each, until there are no more. Where `machine` is not the one that this is, as records name it, the
/// answers say so.
///
/// # Errors
/// If nobody reads the answers.
pub fn serve(
    requests: impl BufRead,
    mut replies: impl Write,
    options: &CompileOptions,
    machine: Option<&str>,
) -> Result<(), DriverError> {
    let other = machine.and_then(|machine| other_machine(machine, options));
    let mut worker = Worker {
        context: compile::prepare(),
        options,
        incumbent: None,
    };
    for line in requests.lines() {
        let line = line.map_err(DriverError::io("the tuner's requests"))?;
        let reply = match (&other, serde_json::from_str(&line)) {
            (Some(reason), _) => Reply::Lost {
                reason: reason.clone(),
            },
            (None, Ok(request)) => worker.answer(&request),
            (None, Err(error)) => failed(Failure::Crash, format!("not a request: {error}")),
        };
        let mut text = serde_json::to_string(&reply).unwrap_or_default();
        text.push('\n');
        let sent = replies.write_all(text.as_bytes());
        sent.and_then(|()| replies.flush())
            .map_err(DriverError::io("the tuner"))?;
    }
    Ok(())
}

/// What is wrong if this is another machine than the tuner's.
fn other_machine(expected: &str, options: &CompileOptions) -> Option<String> {
    let found = records::machine(&options.target);
    (found != expected).then(|| {
        format!(
            "a worker runs on another machine than records are made for: it is '{found}', and they are for '{expected}'; have \
             workers start on machines like the tuner's only"
        )
    })
}

/// What a worker keeps from one request to the next.
struct Worker<'o> {
    context: Context,
    options: &'o CompileOptions,
    /// The library that holds so far, which many requests name, and the number of threads.
    incumbent: Option<(PathBuf, usize, Instance)>,
}

impl Worker<'_> {
    fn answer(&mut self, request: &Request) -> Reply {
        let result = match request {
            Request::Build {
                module,
                schedule,
                weights,
                library,
            } => self.build((module, schedule), weights, library),
            Request::Time(pair) => self.time(pair, SLOWEST, Clock::Kernel(NAME)),
            Request::Network(pair) => self.time(pair, f64::INFINITY, Clock::Run),
            Request::Profile(pair) => profile(pair),
        };
        result.unwrap_or_else(|reply| reply)
    }

    /// Compiles a kernel under a schedule, behind producers of its data and with a clock around it.
    fn build(
        &self,
        (module, schedule): (&str, &ScheduleText),
        weights: &[bool],
        library: &Path,
    ) -> Result<Reply, Reply> {
        let context = &self.context;
        let parse = |text: &str| {
            relay_dialects::parse(context, text.as_bytes(), "kernel.mlir")
                .ok_or_else(|| failed(Failure::Build, "the kernel's module does not parse"))
        };
        let no_kernel = || failed(Failure::Build, "the kernel's module has no kernel");
        let alone = parse(module)?;
        let kernel = Op::of_module(&alone).lookup(NAME).ok_or_else(no_kernel)?;
        let mut module = parse(&behind_producers(kernel, weights))?;
        let whole = Op::of_module(&module);
        let function = whole.lookup(NAME).ok_or_else(no_kernel)?;
        schedule_producers(whole, self.options.target.schedules_for());
        let inserted = schedule.insert(function, whole);
        inserted
            .and_then(|()| check_schedule(function, whole))
            .map_err(|reason| failed(Failure::Illegal, reason))?;
        let wrong = |error: DriverError| failed(Failure::Build, error);
        let options = &CompileOptions {
            profile: true,
            ..self.options.clone()
        };
        let program = compile::te_to_program(context, &mut module, options).map_err(wrong)?;
        compile::write_library(&module, &program, NAME, library, options).map_err(wrong)?;
        Ok(Reply::Built)
    }

    /// Compares and times two libraries.
    fn time(&mut self, pair: &Pair, slowest: f64, clock: Clock) -> Result<Reply, Reply> {
        let is_known = |(path, threads, _): &(PathBuf, usize, Instance)| {
            *path == pair.incumbent && *threads == pair.threads
        };
        if !self.incumbent.as_ref().is_some_and(is_known) {
            let instance = load(&pair.incumbent, pair.threads)?;
            self.incumbent = Some((pair.incumbent.clone(), pair.threads, instance));
        }
        let Some((_, _, incumbent)) = &mut self.incumbent else {
            return Err(failed(Failure::Crash, "no library was loaded"));
        };
        let mut candidate = load(&pair.candidate, pair.threads)?;
        let sets =
            inputs(incumbent.inputs(), pair).map_err(|error| failed(Failure::Memory, error))?;
        compare(incumbent, &mut candidate, &sets)?;
        let rounds = Rounds {
            count: pair.rounds,
            turn: pair.turn,
            slowest,
            counts: Counts::Least,
            clock,
        };
        let mut sessions: [&mut dyn Session; 2] = [incumbent, &mut candidate];
        let times = take_turns(&mut sessions, &sets, rounds)
            .map_err(|error| failed(Failure::Crash, error))?;
        Ok(Reply::Timed {
            incumbent: times.turns(0).to_vec(),
            candidate: times.turns(1).to_vec(),
        })
    }
}

/// Times the nodes of two libraries in turns, a run each.
fn profile(pair: &Pair) -> Result<Reply, Reply> {
    let mut incumbent = load(&pair.incumbent, pair.threads)?;
    let mut candidate = load(&pair.candidate, pair.threads)?;
    let sets = inputs(incumbent.inputs(), pair).map_err(|error| failed(Failure::Memory, error))?;
    let inputs = sets.set(0);
    let mut ratios: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for _ in 0..pair.rounds {
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
    Ok(Reply::Profiled {
        kernels: medians.collect(),
    })
}

/// The nanoseconds of each kernel in a run, all its nodes together. The run before it does not count.
fn kernel_times(
    session: &mut Instance,
    inputs: &[&Tensor],
) -> Result<BTreeMap<String, u64>, Reply> {
    let mut run = || {
        session
            .run(inputs)
            .map_err(|error| failed(Failure::Crash, error))?;
        let mut times: BTreeMap<String, u64> = BTreeMap::new();
        for node in session.profile() {
            *times.entry(node.op).or_default() += node.nanoseconds;
        }
        Ok::<_, Reply>(times)
    };
    let before = run()?;
    let mut times = run()?;
    for (kernel, time) in &mut times {
        *time -= before.get(kernel).copied().unwrap_or(0);
    }
    Ok(times)
}

/// A candidate that takes so many times as long as the incumbent has one turn only.
const SLOWEST: f64 = 1.5;

/// The most sets of weights.
const MOST_SETS: u64 = 32;

/// Sets of inputs: of equal numbers, and of the same tensors but for the weights.
fn inputs(ports: &[Port], pair: &Pair) -> Result<Sets, DriverError> {
    let all = npz::random(ports, 0)?;
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
fn compare(incumbent: &mut Instance, candidate: &mut Instance, sets: &Sets) -> Result<(), Reply> {
    let inputs = sets.set(0);
    let run = |session: &mut Instance| {
        session
            .run(&inputs)
            .map_err(|error| failed(Failure::Crash, error))
    };
    let (expected, found) = (run(incumbent)?, run(candidate)?);
    let is_same = found.len() == expected.len()
        && found
            .iter()
            .zip(&expected)
            .all(|(found, expected)| is_near(found, expected));
    match is_same {
        true => Ok(()),
        false => Err(failed(
            Failure::Wrong,
            "its results differ from those of the incumbent",
        )),
    }
}

fn load(path: &Path, threads: usize) -> Result<Instance, Reply> {
    let model = Model::load(path).map_err(|error| failed(Failure::Crash, error))?;
    model
        .instance(threads)
        .map_err(|error| failed(Failure::Crash, error))
}

fn failed(how: Failure, reason: impl ToString) -> Reply {
    Reply::Failed {
        how,
        reason: reason.to_string(),
    }
}

/// Sets the most bytes of memory that this process may ask for: what asks for more fails, and not the machine.
pub fn limit_memory(bytes: u64) {
    let limit = rustix::process::Rlimit {
        current: Some(bytes),
        maximum: Some(bytes),
    };
    // Where there are no limits, or lower ones, it goes on with those.
    let _ = rustix::process::setrlimit(rustix::process::Resource::Data, limit);
}
