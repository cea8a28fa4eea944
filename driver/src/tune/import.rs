//! The logs of TVM's tuners, as schedules to try first: each configuration becomes the nearest choice of our template.

use super::kernel_module::KernelModule;
use super::tasks;
use crate::{
    DriverError,
    compile::{self, CompileOptions},
    records,
};
use melior::Context;
use relay_runtime::pool::available_threads;
use relay_topi::{Candidate, Machine, Plan};
use relay_tune::{
    Database, ScheduleText, Writer,
    record::{Kernel, Line, Outcome, Trial},
    tvm::{self, Logged, Workload, autotvm},
};
use std::{collections::BTreeMap, fmt, path::Path, time::SystemTime};

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
            Ok(Some(Logged::AutoTvm(trial))) => read.push((number + 1, trial)),
            Ok(None) => {}
            Err(reason) => report.lines.push((number + 1, Err(Not::Read(reason)))),
        }
    }
    read.sort_by(|a, b| a.1.seconds.total_cmp(&b.1.seconds));
    let mut importer = Importer {
        target: records::machine(&options.target),
        machine,
        writer: Writer::open(records)?,
        database,
    };
    for (number, trial) in read {
        let line = importer.take(&trial, &kernels)?;
        report.lines.push((number, line));
    }
    report.lines.sort_by_key(|(number, _)| *number);
    Ok(report)
}

/// A kernel that a log may speak of.
struct Target<'c> {
    kernel: Kernel,
    workload: Workload,
    candidates: Vec<Candidate>,
    /// What writes those.
    plan: Plan,
    ir: KernelModule<'c>,
}

impl<'c> Target<'c> {
    /// A kernel, if it computes what TVM's templates do.
    fn of(context: &'c Context, kernel: Kernel, machine: Machine) -> Option<Self> {
        let ir = KernelModule::read(context, &kernel).ok()?;
        let workload = Workload::of(ir.function())?;
        let plan = Plan::of(ir.function(), machine)?;
        Some(Self {
            kernel,
            workload,
            candidates: plan.candidates(),
            plan,
            ir,
        })
    }

    /// The schedule of a candidate.
    fn schedule(&self, candidate: &Candidate) -> Option<ScheduleText> {
        self.ir.schedule_by(|_| self.plan.emit(candidate))
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
        trial: &autotvm::Trial,
        kernels: &[Target<'_>],
    ) -> Result<Result<String, Not>, DriverError> {
        let same: Vec<&Target<'_>> = kernels
            .iter()
            .filter(|kernel| kernel.workload == trial.workload)
            .collect();
        if same.is_empty() {
            return Ok(Err(Not::Kernel(format!("no kernel is {}", trial.workload))));
        }
        let mut added = Vec::new();
        let mut not = None;
        for kernel in same {
            match self.add(trial, kernel)? {
                Ok(text) => added.push(text),
                Err(reason) => not = Some(reason),
            }
        }
        Ok(match not {
            Some(not) if added.is_empty() => Err(not),
            _ => Ok(added.join("; ")),
        })
    }

    /// Adds a trial for a kernel. Returns the choice that the configuration became, and what of it has no counterpart.
    fn add(
        &mut self,
        trial: &autotvm::Trial,
        target: &Target<'_>,
    ) -> Result<Result<String, Not>, DriverError> {
        let kernel = &target.kernel;
        let wanted = match Wanted::of(trial, self.machine) {
            Ok(wanted) => wanted,
            Err(reason) => return Ok(Err(Not::Choice(reason))),
        };
        let Some(candidate) = wanted.nearest(&target.candidates) else {
            let reason = format!(
                "{} has no choice of template {}",
                kernel.name, wanted.template
            );
            return Ok(Err(Not::Choice(reason)));
        };
        if self.has(&kernel.key, &candidate.knobs) {
            let reason = format!("{} has '{}' already", kernel.name, candidate.knobs);
            return Ok(Err(Not::Known(reason)));
        }
        let Some(schedule) = target.schedule(candidate) else {
            let reason = format!(
                "'{}' writes no schedule for {}",
                candidate.knobs, kernel.name
            );
            return Ok(Err(Not::Choice(reason)));
        };
        if self.database.kernel(&kernel.key).is_none() {
            self.write(Line::Kernel(kernel.clone()))?;
        }
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        self.write(Line::Trial(Trial {
            key: kernel.key.clone(),
            target: self.target.clone(),
            threads: available_threads(),
            from: candidate.knobs.clone(),
            schedule,
            outcome: Outcome::Imported,
            time: since.map_or(0, |since| since.as_secs()),
        }))?;
        let left = wanted.left.join(" ");
        let left = match left.is_empty() {
            true => left,
            false => format!(" (without {left})"),
        };
        Ok(Ok(format!("{}: {}{left}", kernel.name, candidate.knobs)))
    }

    /// Whether a kernel's choice was tried here, or imported.
    fn has(&self, key: &str, knobs: &str) -> bool {
        let mut trials = self.database.trials_of(key, &self.target);
        trials.any(|known| known.from == knobs)
    }

    fn write(&mut self, line: Line) -> Result<(), DriverError> {
        self.writer.add(&line)?;
        self.database.take(line);
        Ok(())
    }
}

/// What a configuration of TVM would be of our template.
struct Wanted {
    template: &'static str,
    /// Knobs and their values, those that count most first.
    knobs: Vec<(&'static str, String)>,
    /// What of the configuration has no counterpart.
    left: Vec<String>,
}

impl Wanted {
    /// That of a trial.
    ///
    /// TVM's convolution keeps `tile_ow` pixels of `tile_oc` channels in registers, and has all rows of some channels before the next
    /// ones; its depthwise convolution has each row on its own; its dense layer keeps `tile_y` rows of `tile_x` columns in registers, and
    /// a thread takes the tiles that the second numbers say at a time. Blocks of channels are the layout's, which ours fixes.
    fn of(trial: &autotvm::Trial, machine: Machine) -> Result<Self, String> {
        let inner = |name: &str| {
            let sizes = trial
                .splits
                .get(name)
                .and_then(|sizes| sizes.last().copied());
            sizes.ok_or_else(|| format!("the config has no split '{name}'"))
        };
        let lanes = machine.block();
        let vectors = |width: i64| (width + lanes / 2).div_euclid(lanes).max(1).to_string();
        let (template, knobs, used): (_, _, &[&str]) = match &trial.workload {
            Workload::Conv(conv) if conv.is_depthwise => {
                let columns = inner("tile_ow")?.to_string();
                let knobs = vec![("columns", columns), ("band", "1".to_owned())];
                ("depthwise-conv", knobs, &["tile_ow"])
            }
            Workload::Conv(_) => {
                let columns = inner("tile_ow")?.to_string();
                let blocks = vectors(inner("tile_oc")?);
                let order = "channels".to_owned();
                let knobs = vec![("columns", columns), ("blocks", blocks), ("order", order)];
                ("packed-conv", knobs, &["tile_ow", "tile_oc"])
            }
            Workload::Dense { .. } => {
                let rows = inner("tile_y")?.to_string();
                let mut knobs = vec![("rows", rows), ("vectors", vectors(inner("tile_x")?))];
                if let Some([_, tiles, _]) = trial.splits.get("tile_y").map(Vec::as_slice) {
                    knobs.push(("part", tiles.to_string()));
                }
                knobs.push(("copied", "false".into()));
                ("product", knobs, &["tile_y", "tile_x"])
            }
        };
        let is_left = |name: &&String| !used.contains(&&name[..]);
        let left = trial.splits.keys().filter(is_left).cloned();
        Ok(Self {
            template,
            knobs,
            left: left.chain(trial.others.iter().cloned()).collect(),
        })
    }

    /// The choice of the template that is nearest; of equally near ones the first, which is expected to be the fastest.
    fn nearest<'k>(&self, candidates: &'k [Candidate]) -> Option<&'k Candidate> {
        let is_of =
            |candidate: &&Candidate| candidate.knobs.split(' ').next() == Some(self.template);
        let of_template = candidates.iter().filter(is_of);
        of_template.min_by(|a, b| self.far(&a.knobs).total_cmp(&self.far(&b.knobs)))
    }

    /// How far a choice is: how many times as large its numbers are, as logarithms; another word is as far as twice.
    fn far(&self, knobs: &str) -> f64 {
        let value_of = |name: &str| {
            let mut words = knobs.split(' ').filter_map(|word| word.split_once('='));
            words
                .find(|(known, _)| *known == name)
                .map(|(_, value)| value)
        };
        let difference = |(name, wanted): &(&str, String)| {
            let value = value_of(name);
            let numbers = value.map(|value| (value.parse::<f64>(), wanted.parse::<f64>()));
            match numbers {
                Some((Ok(value), Ok(wanted))) => (value / wanted).ln().abs(),
                _ if value == Some(wanted) => 0.0,
                _ => f64::ln(2.0),
            }
        };
        self.knobs.iter().map(difference).sum()
    }
}
