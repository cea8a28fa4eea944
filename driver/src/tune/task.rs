//! What there is to tune in a model: its distinct kernels.

use super::{features::of_function, kernel_module::KernelModule};
use crate::{
    DriverError, candidates,
    compile::{self, CompileOptions},
    frontend,
};
use melior::{Context, ir::Module};
use relay_dialects::{
    attrs,
    ir::{Attr, Builder, Op},
    names,
    ops::func,
    te::build::ScheduleBuilder,
};
use relay_passes::{
    analysis::{bytes::bytes, cost::statements, flops::flops},
    pipeline::Level,
    te::relay_to_te::predicted_cycles,
};
use relay_topi::{Candidate, Machine, Plan};
use relay_tune::{
    Key, ScheduleText,
    cost::Features,
    edits::Genome,
    knobs::{self, Config, Knob},
    record::Kernel,
    schedule::schedule,
    sketch,
};
use std::{collections::HashMap, path::Path};

/// A schedule with its features.
pub type Written = (ScheduleText, Features);

/// A kernel that may be tuned.
pub struct Task<'c> {
    /// What records say of it.
    pub kernel: Kernel,
    /// How often a run of the model calls it; of each of several.
    pub calls: usize,
    /// The model's functions that compute it.
    pub functions: Vec<String>,
    /// The model's nodes that it computes, of all calls.
    pub nodes: Vec<String>,
    /// Which of its arguments are weights.
    pub weights: Vec<bool>,
    /// The bytes of the weights of a call.
    pub weight_bytes: u64,
    /// The bytes of the weights among which those of a call lie when it is timed; 0 if they need not be elsewhere in each run.
    pub footprint: u64,
    /// The default schedule; an empty one for a function that was written without.
    pub default: ScheduleText,
    /// The cycles that one core is expected to take with it.
    pub cycles: f64,
    /// What a schedule leaves to choose that was written with knobs, and that schedule.
    pub template: Option<(Vec<Knob>, ScheduleText)>,
    /// What the templates may choose, cheapest first.
    pub candidates: Vec<Candidate>,
    /// What writes those choices.
    plan: Option<Plan>,
    /// The function without a schedule.
    pub ir: KernelModule<'c>,
}

impl<'c> Task<'c> {
    /// A function of tensor expressions with its default schedule, in a model's module; none if it has no schedule, and no sketches can
    /// be made of it.
    fn of(
        context: &'c Context,
        function: Op,
        model: Op,
        machine: Machine,
    ) -> Result<Option<Self>, DriverError> {
        complete(function, machine);
        let template = template(function, model)?;
        let Some(default) = ScheduleText::of(function, model) else {
            return Ok(None);
        };
        let name = function.symbol().unwrap_or_default();
        let key = Key::of(function);
        let kernel = Kernel {
            flops: flops(function, model).unwrap_or(0),
            bytes: bytes(function),
            ..Kernel::describe(&key, &name, candidates::kernel::standalone(function))
        };
        let ir = KernelModule::read(context, &kernel)?;
        let arguments = function.body().args().len();
        let mut task = Self {
            kernel,
            calls: 0,
            functions: Vec::new(),
            nodes: Vec::new(),
            weights: vec![true; arguments],
            weight_bytes: 0,
            footprint: 0,
            default,
            cycles: predicted_cycles(function).unwrap_or_default(),
            candidates: Vec::new(),
            template,
            plan: None,
            ir,
        };
        if function.has_attr(attrs::PRIMITIVE)
            && let Some(plan) = Plan::of(task.ir.function(), machine)
        {
            task.candidates = plan.candidates();
            task.plan = Some(plan);
        }
        Ok(Some(task))
    }

    /// Whether there is a schedule to begin with: a template's, or one that was written.
    pub fn has_start(&self) -> bool {
        !self.candidates.is_empty() || !self.default.is_empty()
    }

    /// The schedule of one of the [candidates](Task::candidates), with its features.
    ///
    /// # Errors
    /// If MLIR prints no schedule for it.
    pub fn schedule_of(&self, candidate: &Candidate) -> Result<Written, DriverError> {
        let mut features = Features::default();
        let text = self.ir.schedule_by(|function| {
            if let Some(plan) = &self.plan {
                plan.emit(candidate);
            }
            // What is no schedule has no features; whoever tries it says why.
            features = of_function(function, self.ir.whole()).unwrap_or_default();
        });
        let none = || DriverError::Usage(format!("{} has no schedule", candidate.knobs));
        Ok((text.ok_or_else(none)?, features))
    }

    /// A schedule that something writes into the function, with its features; none if it is none, cannot be carried out, or
    /// [takes too long to compile](statements::MOST).
    fn written(&self, write: impl FnOnce(Op) -> bool) -> Option<Written> {
        let mut features = None;
        let text = self.ir.schedule_by(|function| {
            if write(function) {
                features = of_function(function, self.ir.whole()).ok();
            }
        });
        let features = features.filter(|it| it.statements <= statements::MOST);
        text.zip(features)
    }

    /// A schedule of a record, with its features; none if it is not one of this kernel.
    pub fn inserted(&self, schedule: &ScheduleText) -> Option<Written> {
        self.written(|function| schedule.insert(function, self.ir.whole()).is_ok())
    }

    /// The schedule of a choice, by its text: a candidate's knobs, or values of those of the schedule with knobs. None if there is no such
    /// choice, or it cannot be carried out.
    ///
    /// # Errors
    /// If the text is none of values of knobs, or MLIR prints no schedule for it.
    pub fn chosen(&self, text: &str) -> Result<Option<Written>, DriverError> {
        if self.template.is_some() {
            let config: Config = text.parse().map_err(DriverError::Usage)?;
            return Ok(self.configured(&config));
        }
        let candidate = self.candidates.iter().find(|it| it.knobs == text);
        candidate
            .map(|candidate| self.schedule_of(candidate))
            .transpose()
    }

    /// The schedule with knobs after a choice; none if that cannot be carried out.
    pub fn configured(&self, config: &Config) -> Option<Written> {
        let (_, template) = self.template.as_ref()?;
        self.written(|function| {
            let inserted = template.insert(function, self.ir.whole()).is_ok();
            let schedule = schedule(function).filter(|_| inserted);
            let applied = schedule.map(|schedule| knobs::apply(schedule, config));
            matches!(applied, Some(Ok(())))
        })
    }

    /// Writes a base of edits into the function: a candidate by its knobs, or the default, which has none.
    pub fn write_base(&self, base: &str, function: Op) {
        let candidate = self.candidates.iter().find(|it| it.knobs == base);
        match candidate {
            Some(candidate) => {
                if let Some(plan) = &self.plan {
                    plan.emit(candidate);
                }
            }
            // It was this function's: it fits.
            None => {
                let _ = self.default.insert(function, self.ir.whole());
            }
        }
    }

    /// A schedule after some edits; none if these make no schedule.
    pub fn edited(&self, base: &str, genome: &Genome) -> Option<Written> {
        self.written(|function| {
            self.write_base(base, function);
            let edited = schedule(function).map(|schedule| genome.apply(schedule));
            matches!(edited, Some(Ok(())))
        })
    }

    /// The schedule of a state of sketches; none if it cannot be carried out.
    pub fn sketched(&self, space: &sketch::Space, state: &sketch::State) -> Option<Written> {
        self.written(|function| space.emit(function, state).is_ok())
    }

    /// Takes in the same kernel of another model.
    pub fn absorb(&mut self, other: Self) {
        self.calls += other.calls;
        self.functions.extend(other.functions);
        self.nodes.extend(other.nodes);
        for (weight, of_other) in self.weights.iter_mut().zip(other.weights) {
            *weight &= of_other;
        }
        self.weight_bytes = self.weight_bytes.max(other.weight_bytes);
        self.footprint = self.footprint.max(other.footprint);
    }

    /// Takes in a call of it.
    fn count(&mut self, call: Op) {
        self.calls += 1;
        self.nodes.extend(call.loc().names());
        let mut bytes = 0;
        for (weight, operand) in self.weights.iter_mut().zip(call.operands()) {
            *weight &= operand.def_of(names::relay::CONSTANT).is_some();
            if *weight {
                bytes += operand.ty().byte_count() as u64;
            }
        }
        self.weight_bytes = self.weight_bytes.max(bytes);
    }
}

/// Gives a function that has no schedule an empty one, which leaves its loops as they are written, if sketches can be made of it.
fn complete(function: Op, machine: Machine) {
    let end = function.body().terminator();
    if let Some(end) = end.filter(|_| sketch::Space::of(function, machine).is_some()) {
        ScheduleBuilder::new(&Builder::before(end));
    }
}

/// What a schedule leaves to choose, if it has knobs; then it becomes the choice that stands in it.
fn template(function: Op, model: Op) -> Result<Option<(Vec<Knob>, ScheduleText)>, DriverError> {
    let wrong = |wrong: knobs::Wrong| {
        let name = function.symbol().unwrap_or_default();
        DriverError::Usage(format!("@{name}: {}: {}", wrong.op.name(), wrong.reason))
    };
    let Some(schedule) = schedule(function) else {
        return Ok(None);
    };
    let known = knobs::knobs(schedule).map_err(wrong)?;
    if known.is_empty() {
        return Ok(None);
    }
    let text = ScheduleText::of(function, model);
    knobs::apply(schedule, &Config::default()).map_err(wrong)?;
    Ok(text.map(|text| (known, text)))
}

/// A model, as far as tuning sees it.
pub struct Tasks<'c> {
    /// Its distinct kernels, in the order in which they are called first.
    pub all: Vec<Task<'c>>,
    /// The bytes of all weights.
    pub weight_bytes: u64,
}

/// The kernels of a model, whose operators are laid out as the options' records say. `context` holds them.
///
/// # Errors
/// See [`DriverError`].
pub fn tasks<'c>(
    context: &'c Context,
    model: &Path,
    options: &CompileOptions,
) -> Result<Tasks<'c>, DriverError> {
    let mut module = frontend::load(context, model, &options.reading)?;
    compile::has_entry(&module)?;
    let options = &options.of_module(&module);
    compile::run_passes(context, &mut module, Level::Relay, options)?;
    tasks_of(context, module, options)
}

/// The kernels of a module of primitive functions, with their default schedules. `context` holds them.
///
/// # Errors
/// See [`DriverError`].
pub fn tasks_of<'c>(
    context: &'c Context,
    mut module: Module<'c>,
    options: &CompileOptions,
) -> Result<Tasks<'c>, DriverError> {
    let options = CompileOptions {
        records: None,
        ..options.clone()
    };
    compile::run_between(context, &mut module, (Level::Relay, Level::Te), &options)?;
    let whole = Op::of_module(&module);
    let machine = options.target.schedules_for();
    let mut tasks = Collected::default();
    for call in whole.find_all(func::Call::NAME) {
        let callee = call
            .attr("callee")
            .and_then(Attr::as_symbol)
            .unwrap_or_default();
        let function = whole
            .lookup(&callee)
            .filter(|function| is_kernel(*function));
        let place = match function {
            Some(function) => tasks.add(context, (function, whole), machine)?,
            None => None,
        };
        if let Some(place) = place {
            tasks.all[place].count(call);
            let constants = call.operands().into_iter();
            let constants = constants.filter(|it| it.def_of(names::relay::CONSTANT).is_some());
            tasks.weight_bytes += constants.map(|it| it.ty().byte_count() as u64).sum::<u64>();
        }
    }
    Ok(Tasks {
        all: tasks.all,
        weight_bytes: tasks.weight_bytes,
    })
}

/// Whether a function is of tensor expressions.
fn is_kernel(function: Op) -> bool {
    function
        .body()
        .ops()
        .into_iter()
        .any(|op| op.is(names::te::COMPUTE))
}

/// The kernels that were met.
#[derive(Default)]
struct Collected<'c> {
    all: Vec<Task<'c>>,
    weight_bytes: u64,
    by_key: HashMap<String, usize>,
    by_name: HashMap<String, Option<usize>>,
}

impl<'c> Collected<'c> {
    /// The place of a function's task; none if it has no schedule.
    fn add(
        &mut self,
        context: &'c Context,
        (function, model): (Op, Op),
        machine: Machine,
    ) -> Result<Option<usize>, DriverError> {
        let name = function.symbol().unwrap_or_default();
        if let Some(place) = self.by_name.get(&name) {
            return Ok(*place);
        }
        let place = Task::of(context, function, model, machine)?.map(|task| {
            let place = *self
                .by_key
                .entry(task.kernel.key.clone())
                .or_insert(self.all.len());
            if place == self.all.len() {
                self.all.push(task);
            }
            self.all[place].functions.push(name.clone());
            place
        });
        self.by_name.insert(name, place);
        Ok(place)
    }
}
