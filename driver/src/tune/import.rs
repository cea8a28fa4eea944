//! The logs of TVM's tuners, as schedules to try first: a configuration of AutoTVM becomes the nearest choice of our template, and the steps
//! of Ansor the nearest state of our sketches.

mod templates;

use super::{kernel_module::KernelModule, sketches::from_of, tasks};
use crate::{
    DriverError,
    compile::{self, CompileOptions},
    records,
};
use melior::Context;
use relay_passes::analysis::cost::statements;
use relay_runtime::pool::available_threads;
use relay_topi::Machine;
use relay_tune::{
    Database, ScheduleText, Writer,
    record::{self, Kernel, Line, Outcome, Trial},
    sketch::{Space, Wanted},
    tvm::{self, Logged, ansor, autotvm},
};
use std::{collections::BTreeMap, fmt, path::Path};
use templates::Templates;

/// What became of the lines of a log.
#[derive(Debug, Default)]
pub struct Report {
    /// For each line its number, and what it became or why nothing.
    lines: Vec<(usize, Result<String, Not>)>,
}

/// Why a line was not imported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Not {
    /// It is none that can be read.
    Read(String),
    /// No kernel computes the same.
    Kernel(String),
    /// The kernel has nothing that is like the configuration.
    Choice(String),
    /// The records have the same choice already.
    Known(String),
}

impl Not {
    fn reason(&self) -> (&'static str, &str) {
        match self {
            Self::Read(reason) => ("not read", reason),
            Self::Kernel(reason) => ("of no kernel", reason),
            Self::Choice(reason) => ("without a like choice", reason),
            Self::Known(reason) => ("known", reason),
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        let mut imported = 0;
        for (number, line) in &self.lines {
            match line {
                Ok(what) => {
                    imported += 1;
                    writeln!(formatter, "line {number}: imported {what}")?;
                }
                Err(not) => {
                    let (kind, reason) = not.reason();
                    *counts.entry(kind).or_default() += 1;
                    writeln!(formatter, "line {number}: not imported: {reason}")?;
                }
            }
        }
        write!(
            formatter,
            "{} trials: {imported} imported",
            self.lines.len()
        )?;
        for (kind, count) in counts {
            write!(formatter, ", {count} {kind}")?;
        }
        writeln!(formatter)
    }
}

/// Imports the lines of a log for the kernels of a model, or for those that the records have. What took least in TVM comes first, so that
/// it is tried first.
///
/// # Errors
/// If a file cannot be read or written, or the model cannot be compiled down to its kernels.
pub fn import(
    log: &Path,
    records: &Path,
    model: Option<&Path>,
    options: &CompileOptions,
) -> Result<Report, DriverError> {
    let bytes = std::fs::read(log).map_err(DriverError::io(log))?;
    let database = Database::read(records)?;
    let context = compile::prepare();
    let kernels = match model {
        Some(model) => tasks(&context, model, options)?
            .all
            .into_iter()
            .map(|task| task.kernel)
            .collect(),
        None => database.kernels().cloned().collect::<Vec<_>>(),
    };
    let machine = options.target.schedules_for();
    let kernels = kernels
        .into_iter()
        .filter_map(|kernel| Target::of(&context, kernel, machine));
    let kernels: Vec<Target<'_>> = kernels.collect();
    let mut read = Vec::new();
    let mut report = Report::default();
    for (number, line) in String::from_utf8_lossy(&bytes).lines().enumerate() {
        match tvm::read(line) {
            Ok(Some(logged)) => read.push((number + 1, logged)),
            Ok(None) => {}
            Err(reason) => report.lines.push((number + 1, Err(Not::Read(reason)))),
        }
    }
    read.sort_by(|a, b| a.1.seconds().total_cmp(&b.1.seconds()));
    let mut importer = Importer {
        target: records::machine(&options.target),
        machine,
        writer: Writer::open(records)?,
        database,
    };
    for (number, logged) in read {
        let line = match Asked::of(&logged) {
            Ok(asked) => importer.take(&asked, &kernels)?,
            Err(reason) => Err(Not::Choice(reason)),
        };
        report.lines.push((number, line));
    }
    report.lines.sort_by_key(|(number, _)| *number);
    Ok(report)
}

/// What a line asks of kernels.
enum Asked<'l> {
    /// The choice of a template.
    Choice(&'l autotvm::Trial),
    /// A state of sketches.
    State(&'l ansor::Trial, Wanted),
}

impl<'l> Asked<'l> {
    /// What a line asks.
    fn of(logged: &'l Logged) -> Result<Self, String> {
        Ok(match logged {
            Logged::AutoTvm(trial) => Self::Choice(trial),
            Logged::Ansor(trial) => Self::State(trial, trial.program.wanted()?),
        })
    }
}

impl fmt::Display for Asked<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Choice(trial) => write!(formatter, "no kernel is {}", trial.workload),
            Self::State(trial, wanted) => {
                write!(formatter, "no kernel has {wanted}")?;
                match &trial.tensors {
                    ansor::Tensors::Unknown => Ok(()),
                    _ => formatter.write_str(" and the tensors of its key"),
                }
            }
        }
    }
}

/// A kernel that a log may speak of.
struct Target<'c> {
    kernel: Kernel,
    /// What templates may choose for it, if it computes what TVM's do.
    templates: Option<Templates>,
    /// The schedules that its sketches lead to.
    space: Option<Space>,
    ir: KernelModule<'c>,
}

/// What a line becomes for a kernel.
struct Found {
    /// What a record says of it.
    from: String,
    /// What people are told of it.
    text: String,
    /// What of the line has no counterpart.
    left: Vec<String>,
    /// The schedule, if MLIR prints one.
    schedule: Option<ScheduleText>,
}

impl<'c> Target<'c> {
    /// A kernel, if it can be read.
    fn of(context: &'c Context, kernel: Kernel, machine: Machine) -> Option<Self> {
        let ir = KernelModule::read(context, &kernel).ok()?;
        Some(Self {
            kernel,
            templates: Templates::of(ir.function(), machine),
            space: Space::of(ir.function(), machine),
            ir,
        })
    }

    /// What a line becomes; none if the kernel computes something else, or why there is nothing like it.
    fn find(&self, asked: &Asked<'_>, machine: Machine) -> Option<Result<Found, String>> {
        match asked {
            Asked::Choice(trial) => {
                let templates = self.templates.as_ref()?;
                let is_same = templates.compute(&trial.workload);
                is_same.then(|| self.choice(templates, trial, machine))
            }
            Asked::State(trial, wanted) => {
                let space = self.space.as_ref()?;
                let may_have = |elements| trial.tensors.may_have(elements);
                let state = space.near(wanted, &may_have)?;
                Some(Ok(Found {
                    from: from_of(&state),
                    text: state.to_string(),
                    left: trial.program.left.iter().cloned().collect(),
                    schedule: self.ir.schedule_by(|function| {
                        // It was checked to be one of the space, which is this function's.
                        let _ = space.emit(function, &state);
                    }),
                }))
            }
        }
    }

    /// The choice of a template that a line becomes.
    fn choice(
        &self,
        templates: &Templates,
        trial: &autotvm::Trial,
        machine: Machine,
    ) -> Result<Found, String> {
        let found = templates.nearest(trial, machine)?;
        let knobs = found.candidate.knobs.clone();
        let emit = |_| templates.emit(found.candidate);
        Ok(Found {
            from: knobs.clone(),
            text: knobs,
            left: found.left,
            schedule: self.ir.schedule_by(emit),
        })
    }

    /// The schedule, if it can be carried out.
    fn legal(&self, found: &Found) -> Result<ScheduleText, String> {
        let schedule = found.schedule.clone();
        let schedule = schedule.ok_or_else(|| format!("'{}' writes no schedule", found.text))?;
        let features = self.ir.features(&schedule);
        let features = features.map_err(|reason| format!("'{}' is none: {reason}", found.text))?;
        match features.statements <= statements::MOST {
            true => Ok(schedule),
            false => Err(format!("'{}' takes too long to compile", found.text)),
        }
    }
}

/// Adds trials to records.
struct Importer {
    target: String,
    machine: Machine,
    writer: Writer,
    database: Database,
}

impl Importer {
    /// Adds a trial for each kernel that computes the same. Returns what that is.
    fn take(
        &mut self,
        asked: &Asked<'_>,
        kernels: &[Target<'_>],
    ) -> Result<Result<String, Not>, DriverError> {
        let mut added = Vec::new();
        let mut not = Not::Kernel(asked.to_string());
        for kernel in kernels {
            let name = &kernel.kernel.name;
            match kernel.find(asked, self.machine) {
                None => {}
                Some(Err(reason)) => not = Not::Choice(format!("{name}: {reason}")),
                Some(Ok(found)) => match self.add(kernel, &found)? {
                    Ok(text) => added.push(text),
                    Err(reason) => not = reason,
                },
            }
        }
        Ok(match added.is_empty() {
            true => Err(not),
            false => Ok(added.join("; ")),
        })
    }

    /// Adds a trial for a kernel. Returns what the line became, and what of it has no counterpart.
    fn add(
        &mut self,
        target: &Target<'_>,
        found: &Found,
    ) -> Result<Result<String, Not>, DriverError> {
        let kernel = &target.kernel;
        if self.has(&kernel.key, &found.from) {
            let reason = format!("{} has '{}' already", kernel.name, found.text);
            return Ok(Err(Not::Known(reason)));
        }
        let schedule = match target.legal(found) {
            Ok(schedule) => schedule,
            Err(reason) => return Ok(Err(Not::Choice(format!("{}: {reason}", kernel.name)))),
        };
        if self.database.kernel(&kernel.key).is_none() {
            self.write(Line::Kernel(kernel.clone()))?;
        }
        self.write(Line::Trial(Trial {
            key: kernel.key.clone(),
            target: self.target.clone(),
            threads: available_threads(),
            from: found.from.clone(),
            schedule,
            outcome: Outcome::Imported,
            time: record::now(),
        }))?;
        let left = found.left.join(" ");
        let left = match left.is_empty() {
            true => left,
            false => format!(" (without {left})"),
        };
        Ok(Ok(format!("{}: {}{left}", kernel.name, found.text)))
    }

    /// Whether a kernel's schedule of such a name was tried here, or imported.
    fn has(&self, key: &str, from: &str) -> bool {
        let mut trials = self.database.trials_of(key, &self.target);
        trials.any(|known| known.from == from)
    }

    fn write(&mut self, line: Line) -> Result<(), DriverError> {
        self.writer.add(&line)?;
        self.database.take(line);
        Ok(())
    }
}
