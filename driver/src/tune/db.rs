//! What people ask of a file of records.

use super::{kernel_module::KernelModule, layouts, lines::lines, task::tasks};
use crate::{
    DriverError, candidates,
    compile::{self, CompileOptions},
    frontend::{self, Reading},
    records,
};
use relay_dialects::ir::Op;
use relay_passes::{relay::alter_op_layout::Operator, te::lower_te::check_schedule};
use relay_tune::{
    Database, Fit, Key, ScheduleText, Writer,
    key::digest,
    record::{Choice, Kernel, Layout, Line, Outcome, Trial},
};
use serde::Serialize;
use std::{
    collections::BTreeMap,
    fmt::{self, Write as _},
    path::Path,
};

pub use super::lines::write;

/// Counts over a file of records.
#[derive(Debug, Serialize)]
pub struct Stats {
    /// The kernels.
    pub kernels: usize,
    /// The trials.
    pub trials: usize,
    /// The trials that failed, by what went wrong.
    pub failures: BTreeMap<String, usize>,
    /// What is known of each machine.
    pub machines: BTreeMap<String, OfMachine>,
    /// The lines that a newer version wrote.
    pub newer: usize,
    /// The lines that are no records.
    pub unread: usize,
}

/// What is known of a machine.
#[derive(Debug, Default, Serialize)]
pub struct OfMachine {
    /// The trials on it.
    pub trials: usize,
    /// The operators that have another layout than the default.
    pub operators: usize,
    /// The kernels that have another schedule than the default.
    pub tuned: usize,
    /// How many times as long as the default those take: the geometric mean.
    pub of_default: f64,
}

/// Counts over a file of records.
pub fn stats(database: &Database) -> Stats {
    let mut machines: BTreeMap<String, OfMachine> = BTreeMap::new();
    let mut failures = BTreeMap::new();
    for trial in database.trials() {
        machines.entry(trial.target.clone()).or_default().trials += 1;
        if let Outcome::Failed { how, .. } = &trial.outcome {
            *failures.entry(how.describe().to_owned()).or_default() += 1;
        }
    }
    let tuned = database
        .choices()
        .filter(|choice| choice.schedule.is_some());
    for choice in tuned {
        let machine = machines.entry(choice.target.clone()).or_default();
        machine.tuned += 1;
        machine.of_default += choice.of_default.ln();
    }
    for layout in database.layouts().filter(|it| it.choice.is_some()) {
        machines.entry(layout.target.clone()).or_default().operators += 1;
    }
    for machine in machines.values_mut() {
        machine.of_default = (machine.of_default / machine.tuned.max(1) as f64).exp();
    }
    Stats {
        kernels: database.kernels().count(),
        trials: database.trials().len(),
        failures,
        machines,
        newer: database.newer().len(),
        unread: database.unread.len(),
    }
}

impl fmt::Display for Stats {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let failed: usize = self.failures.values().sum();
        let share = 100.0 * failed as f64 / self.trials.max(1) as f64;
        writeln!(
            formatter,
            "{} kernels, {} trials, {failed} of them failed ({share:.2} of 100)",
            self.kernels, self.trials
        )?;
        for (how, count) in &self.failures {
            writeln!(formatter, "  {count:>6} {how}")?;
        }
        for (name, machine) in &self.machines {
            writeln!(
                formatter,
                "{name}\n  {} trials; {} kernels with another schedule than the default, which take {:.3} of its time \
                 (geometric mean)",
                machine.trials, machine.tuned, machine.of_default
            )?;
            if machine.operators > 0 {
                writeln!(
                    formatter,
                    "  {} operators with another layout than the default",
                    machine.operators
                )?;
            }
        }
        if self.newer > 0 {
            let count = self.newer;
            writeln!(
                formatter,
                "{count} lines are of a newer version, which tells more of them"
            )?;
        }
        if self.unread > 0 {
            writeln!(formatter, "{} lines are no records", self.unread)?;
        }
        Ok(())
    }
}

/// What the records have for a kernel of a model, or for an operator.
#[derive(Debug, Serialize)]
pub struct Explained {
    /// The function's name in the model, or what the operator computes.
    pub kernel: String,
    /// The digest of its key.
    pub key: String,
    /// How often a run calls it.
    pub calls: usize,
    /// The model's nodes that it computes.
    pub nodes: Vec<String>,
    /// What it gets, or why the default.
    pub verdict: String,
    /// How many times as long as the default it takes.
    pub of_default: Option<f64>,
}

/// What the records have for the kernels of a model, and for its operators.
#[derive(Debug, Serialize)]
#[serde(transparent)]
pub struct Explanation(pub Vec<Explained>);

/// What the records have for each kernel of a model, and for those of its operators that they have a layout for. The options name
/// the same records.
///
/// # Errors
/// If the model cannot be compiled down to its kernels.
pub fn explain(
    database: &Database,
    model: &Path,
    options: &CompileOptions,
) -> Result<Explanation, DriverError> {
    let context = compile::prepare();
    let machine = records::machine(&options.target);
    let explain = |task: &super::Task<'_>| {
        let key = Key::of(task.ir.function());
        let (verdict, of_default) = match database.find(&key, &machine) {
            Some((choice, fit)) => (verdict(choice, fit), Some(choice.of_default)),
            None => (absence(database, &key, &machine), None),
        };
        Ok(Explained {
            kernel: task.kernel.name.clone(),
            key: task.kernel.key.clone(),
            calls: task.calls,
            nodes: task.nodes.clone(),
            verdict,
            of_default,
        })
    };
    let tasks = tasks(&context, model, options)?;
    let all = tasks.all.iter().map(explain);
    let mut all = all.collect::<Result<Vec<_>, DriverError>>()?;
    let operators = layouts::operators(model, options, (database, &machine))?;
    all.extend(operators.iter().filter_map(|operator| {
        let layout = database.layout_of(&operator.text, &machine)?;
        Some(explain_layout(operator, layout))
    }));
    Ok(Explanation(all))
}

/// What the records have for an operator.
fn explain_layout(operator: &Operator, layout: &Layout) -> Explained {
    let verdict = match &layout.choice {
        None => "default: it won".into(),
        Some(choice) if operator.alternatives.contains(choice) => choice.clone(),
        Some(choice) => format!("default: {choice} is not possible any more"),
    };
    Explained {
        kernel: operator.text.clone(),
        key: digest(&operator.text),
        calls: operator.count,
        nodes: operator.nodes.clone(),
        verdict,
        of_default: layout.choice.as_ref().map(|_| layout.of_default),
    }
}

fn verdict(choice: &Choice, fit: Fit) -> String {
    match fit {
        Fit::Exact => choice.from.clone(),
        Fit::Samples(samples) => format!("{} (of {samples} samples)", choice.from),
    }
}

/// Why a kernel gets the default.
fn absence(database: &Database, key: &Key, machine: &str) -> String {
    let Some(kernel) = database.kernel(&key.digest()) else {
        return "default: no record".into();
    };
    let is_of = |choice: &&Choice| choice.key == kernel.key;
    match database.choice_of(&kernel.key, machine) {
        Some(_) => "default: it won".into(),
        None if database.lead_of(&kernel.key, machine).is_some() => {
            "default: what was faster alone was not timed in the network yet; relayc tune MODEL does so at its end".into()
        }
        None => match database.choices().find(is_of) {
            Some(other) => format!("default: the record is for {}", other.target),
            None => "default: nothing that was tried was faster".into(),
        },
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            formatter,
            "{:<12}  {:>5}  {:>6}  kernel: schedule",
            "key", "calls", "ratio"
        )?;
        for kernel in &self.0 {
            let ratio = kernel
                .of_default
                .map_or("-".into(), |ratio| format!("{ratio:.3}"));
            writeln!(
                formatter,
                "{:<12}  {:>5}  {ratio:>6}  {}: {}",
                kernel.key, kernel.calls, kernel.kernel, kernel.verdict
            )?;
        }
        Ok(())
    }
}

/// A kernel by the begin of its key.
///
/// # Errors
/// If there is none, or several.
pub fn find<'d>(database: &'d Database, key: &str) -> Result<&'d Kernel, DriverError> {
    let found: Vec<&Kernel> = database
        .kernels()
        .filter(|it| it.key.starts_with(key))
        .collect();
    match found[..] {
        [kernel] => Ok(kernel),
        [] => Err(DriverError::Usage(format!(
            "there is no kernel whose key begins with '{key}'; relayc tune db explain MODEL lists those of a model"
        ))),
        _ => Err(DriverError::Usage(format!(
            "{} keys begin with '{key}'",
            found.len()
        ))),
    }
}

/// A kernel with the schedule that was chosen for it, or with none, as a module: relay-opt and FileCheck read it. What was chosen for
/// `machine` comes before what was chosen for others.
///
/// # Errors
/// If the records have a schedule that is none of this kernel.
pub fn module_of(
    database: &Database,
    kernel: &Kernel,
    machine: &str,
) -> Result<String, DriverError> {
    let others = database.choices().filter(|choice| choice.key == kernel.key);
    let own = database.choice_of(&kernel.key, machine);
    let chosen = (own.into_iter().chain(others)).find_map(|choice| choice.schedule.as_ref());
    let wrong = |reason: String| DriverError::Usage(format!("{}: {reason}", kernel.key));
    let context = compile::prepare();
    let module = KernelModule::read(&context, kernel)?;
    let whole = module.whole();
    if let Some(schedule) = chosen {
        schedule.insert(module.function(), whole).map_err(wrong)?;
    }
    Ok(format!("{whole}\n"))
}

/// Chooses for a kernel the schedule that it has in a module, as [`module_of`] writes it and people edit it.
///
/// # Errors
/// If the module has another kernel, or a schedule that cannot be carried out.
pub fn choose(
    path: &Path,
    kernel: &Kernel,
    (file, machine): (&Path, &str),
) -> Result<(), DriverError> {
    let wrong = |reason: String| DriverError::Model {
        path: file.to_owned(),
        reason,
    };
    let context = compile::prepare();
    let module = frontend::load(&context, file, &Reading::default())?;
    let whole = Op::of_module(&module);
    let function = whole.lookup(candidates::kernel::NAME);
    let function = function.ok_or_else(|| wrong("has no function @kernel".into()))?;
    let key = Key::of(function);
    if key.text != kernel.text {
        return Err(wrong(format!(
            "its kernel is another one than {}: {}",
            kernel.key, key.text
        )));
    }
    check_schedule(function, whole).map_err(wrong)?;
    let schedule = ScheduleText::of(function, whole);
    let schedule = schedule.ok_or_else(|| wrong("its kernel has no te.schedule".into()))?;
    // What does not fit the kernel as it is recorded would apply nowhere.
    let recorded = KernelModule::read(&context, kernel)?;
    let fits = schedule.insert(recorded.function(), recorded.whole());
    fits.map_err(wrong)?;
    let choice = Choice {
        key: kernel.key.clone(),
        target: machine.to_owned(),
        from: format!("by hand {}", digest(&schedule.text)),
        schedule: Some(schedule),
        of_default: 1.0,
    };
    Ok(Writer::open(path)?.add(&Line::Choice(choice))?)
}

/// What was tried for a kernel, the fastest first, and what failed.
pub fn show(database: &Database, kernel: &Kernel, most: usize) -> String {
    let mut text = format!(
        "{} {}\n{}\n{} operations, {} bytes\n",
        kernel.key, kernel.name, kernel.text, kernel.flops, kernel.bytes
    );
    let of_kernel = || {
        database
            .trials()
            .iter()
            .filter(|trial| trial.key == kernel.key)
    };
    let mut ran: Vec<(f64, f64, &Trial)> = of_kernel().filter_map(ratio).collect();
    ran.sort_by(|a, b| a.0.total_cmp(&b.0));
    let chosen = database.choices().map(|choice| ("chosen", choice));
    let leads = database.leads().map(|lead| ("leads the search", lead));
    let of_key = chosen
        .chain(leads)
        .filter(|(_, choice)| choice.key == kernel.key);
    text.extend(of_key.map(|(what, choice)| describe(what, choice)));
    for (of_default, nanoseconds, trial) in ran.iter().take(most) {
        let _ = writeln!(
            text,
            "{of_default:>7.3}  {nanoseconds:>12.0} ns  {}",
            trial.from
        );
    }
    for trial in of_kernel() {
        if let Outcome::Failed { how, reason } = &trial.outcome {
            let _ = writeln!(text, "{}: {}: {reason}", how.describe(), trial.from);
        }
    }
    text
}

/// What became of a schedule on a machine, as a line.
fn describe(what: &str, choice: &Choice) -> String {
    let from = match &choice.from[..] {
        "" => "the default",
        from => from,
    };
    let (ratio, machine) = (choice.of_default, &choice.target);
    format!("{what}: {from} ({ratio:.3}) on {machine}\n")
}

/// The layouts that were chosen for operators whose digests begin so; empty if there are none.
pub fn show_layouts(database: &Database, key: &str) -> String {
    let of_key = |layout: &&Layout| digest(&layout.operator).starts_with(key);
    let layouts = database.layouts().filter(of_key);
    layouts.fold(String::new(), |mut text, layout| {
        let choice = layout.choice.as_deref().unwrap_or("the default");
        let _ = writeln!(
            text,
            "{} {}\nchosen: {choice} on {}",
            digest(&layout.operator),
            layout.operator,
            layout.target
        );
        text
    })
}

fn ratio(trial: &Trial) -> Option<(f64, f64, &Trial)> {
    match trial.outcome {
        Outcome::Ran {
            nanoseconds,
            of_default,
        } => Some((of_default, nanoseconds, trial)),
        _ => None,
    }
}

/// Adds the lines of files that a file does not have yet. Returns how many there were.
///
/// # Errors
/// If a file is not there, or cannot be read or written.
pub fn merge(output: &Path, inputs: &[&Path]) -> Result<usize, DriverError> {
    if let Some(missing) = inputs.iter().find(|input| !input.exists()) {
        return Err(DriverError::Model {
            path: missing.to_path_buf(),
            reason: "there is no such file of records".into(),
        });
    }
    let mut known = Database::read(output)?;
    let mut writer = Writer::open(output)?;
    let mut added = 0;
    for input in inputs {
        for line in lines(&Database::read(input)?) {
            if has(&known, &line) {
                continue;
            }
            let lead = faster_lead(&known, &line);
            for line in [Some(line), lead].into_iter().flatten() {
                writer.add(&line)?;
                known.take(line);
            }
            added += 1;
        }
    }
    Ok(added)
}

/// What leads a search and is faster than a choice that is added, which would end the search.
fn faster_lead(known: &Database, line: &Line) -> Option<Line> {
    let Line::Choice(choice) = line else {
        return None;
    };
    let lead = known.lead_of(&choice.key, &choice.target)?;
    (lead.of_default < choice.of_default).then(|| Line::Lead(lead.clone()))
}

/// Whether a file has a line already.
fn has(database: &Database, line: &Line) -> bool {
    match line {
        Line::Kernel(kernel) => database.kernel(&kernel.key).is_some(),
        Line::Trial(trial) => database.trials().contains(trial),
        Line::Lead(lead) => {
            let known = database.lead_of(&lead.key, &lead.target);
            let known = known.or_else(|| database.choice_of(&lead.key, &lead.target));
            known.is_some_and(|known| known.of_default <= lead.of_default)
        }
        // Of two choices the faster one holds.
        Line::Choice(choice) => (database.choice_of(&choice.key, &choice.target))
            .is_some_and(|known| known.of_default <= choice.of_default),
        Line::Finished(finished) => database.is_finished(finished),
        Line::Layout(layout) => (database.layout_of(&layout.operator, &layout.target))
            .is_some_and(|known| known.of_default <= layout.of_default),
        Line::Exchange(exchange) => database.exchanges().contains(exchange),
        Line::Newer(newer) => database.newer().contains(newer),
    }
}

/// What a file says of some kernels and operators, by their digests: what was chosen, and what was tried. With `most`, no failures are kept,
/// and so many of the fastest trials on each machine with each number of threads. What newer versions wrote is kept, too.
pub fn prune(
    database: &Database,
    most: Option<usize>,
    is_kept: impl Fn(&str) -> bool,
) -> Vec<Line> {
    let mut kept = Database::default();
    for kernel in database.kernels().filter(|it| is_kept(&it.key)) {
        kept.take(Line::Kernel(kernel.clone()));
        for trial in kept_trials(database, kernel, most) {
            kept.take(Line::Trial(trial.clone()));
        }
        for choice in database.choices().filter(|choice| choice.key == kernel.key) {
            kept.take(Line::Choice(choice.clone()));
        }
        for lead in database.leads().filter(|lead| lead.key == kernel.key) {
            kept.take(Line::Lead(lead.clone()));
        }
        for finished in database.finished().iter().filter(|it| it.key == kernel.key) {
            kept.take(Line::Finished(finished.clone()));
        }
    }
    for layout in database.layouts() {
        if is_kept(&digest(&layout.operator)) {
            kept.take(Line::Layout(layout.clone()));
        }
    }
    for exchange in database.exchanges() {
        if exchange.calls.keys().all(|key| is_kept(key)) {
            kept.take(Line::Exchange(exchange.clone()));
        }
    }
    for newer in database.newer() {
        if newer.key.as_deref().is_none_or(&is_kept) {
            kept.take(Line::Newer(newer.clone()));
        }
    }
    lines(&kept)
}

/// The trials of a kernel that [`prune`] keeps. What was imported and not tried yet is kept.
fn kept_trials<'d>(database: &'d Database, kernel: &Kernel, most: Option<usize>) -> Vec<&'d Trial> {
    let of_kernel = (database.trials().iter()).filter(|trial| trial.key == kernel.key);
    let Some(most) = most else {
        return of_kernel.collect();
    };
    let mut kept = Vec::new();
    let mut ran: BTreeMap<(&str, usize), Vec<(f64, &Trial)>> = BTreeMap::new();
    for trial in of_kernel {
        match trial.outcome {
            Outcome::Ran { of_default, .. } => ran
                .entry((&trial.target, trial.threads))
                .or_default()
                .push((of_default, trial)),
            Outcome::Imported => kept.push(trial),
            Outcome::Failed { .. } => {}
        }
    }
    for mut ran in ran.into_values() {
        ran.sort_by(|a, b| a.0.total_cmp(&b.0));
        kept.extend(ran.into_iter().take(most).map(|(_, trial)| trial));
    }
    kept
}
