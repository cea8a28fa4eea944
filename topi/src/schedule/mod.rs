//! The schedule of a function, from what it computes and the machine.
//!
//! A [`Plan`] says which template schedules which stages: one stage - the packed convolution, the product -
//! decides; stages that only follow it are inlined into what comes after. Of each template the cheapest
//! choice is taken, or of the one that decides another [`Candidate`].

mod accesses;
pub mod cost;
mod epilogue;
mod gpu;
mod inline;
mod neighbours;
mod online;
mod operands;
mod padding;
mod panel;
mod parts;
mod prefetch;
pub mod stage;
mod templates;
mod warp_matrices;
mod x86_amx;

pub use relay_machine::{F32_BYTES, Fitted, LINE_BYTES, Machine};
pub use templates::{Candidate, DOCS as TEMPLATES};

use cost::{Cycles, lanes_of_row};
use epilogue::Epilogue;
use padding::{Padding, own_pad};
use relay_dialects::{
    ir::{Builder, Op, Value},
    ops::builtin,
    te::{Role, build::ScheduleBuilder},
};
use stage::Stage;
use templates::{
    AnyTemplate,
    amx::{Amx, Blocks},
    amx_attention::AmxAttention,
    attention::Attention,
    blockwise_attention::{self, BlockwiseAttention},
    columns::{self, Columns},
    dense_blocks::{self, DenseBlocks},
    depthwise_conv::DepthwiseConv,
    injective::Injective,
    packed_conv::PackedConv,
    plain_conv::PlainConv,
    pool::Pool,
    product::Product,
    rows::Rows,
    transpose::Transpose,
    winograd::{self, Winograd},
};

/// Writes the `te.schedule` of a TE function before its return: the cheapest. Returns what it is expected to take.
pub fn schedule(func: Op, machine: Machine) -> Option<Candidate> {
    let plan = Plan::of(func, machine)?;
    let default = plan.candidates().into_iter().next()?;
    plan.emit(&default);
    Some(default)
}

/// Replaces stages of a TE function by others with the same results that suit a machine better, before they are scheduled.
pub fn rewrite(func: Op, machine: Machine) {
    match machine.gpu {
        Some(gpu) => gpu::rewrite(func, gpu),
        None => blockwise_attention::rewrite(func, machine),
    }
}

/// How the stages of a function are scheduled.
pub struct Plan {
    machine: Machine,
    /// Before the function's return.
    end: Op,
    steps: Vec<Step>,
    /// The choices of each template, cheapest first.
    choices: Vec<Vec<Candidate>>,
}

/// A step of a plan.
enum Step {
    /// The stages of these tensors become part of those that read them.
    Inline(Vec<Value>),
    /// A template schedules its stages.
    Template(Box<dyn AnyTemplate>),
}

impl Plan {
    /// The plan for a TE function; none for one without a return.
    pub fn of(func: Op, machine: Machine) -> Option<Self> {
        let end = func.body().terminator()?;
        let stages = Stage::all(func);
        let returned = end.operands();
        let steps = match machine.gpu {
            Some(gpu) => gpu::steps(&stages, &returned, gpu),
            None => steps(&stages, &returned, machine),
        };
        let templates = steps.iter().filter_map(|step| match step {
            Step::Inline(_) => None,
            Step::Template(template) => Some(template.candidates(machine)),
        });
        Some(Self {
            machine,
            end,
            choices: templates.collect(),
            steps,
        })
    }

    /// The choices of the template that takes most of the time, of those that leave a choice; cheapest first, so that the
    /// first is the default. The cycles are those of the whole function. There is one candidate at least.
    pub fn candidates(&self) -> Vec<Candidate> {
        let deciding = self.deciding();
        let cheapest = |(number, choices): (usize, &Vec<Candidate>)| {
            let cheapest = choices.first().filter(|_| Some(number) != deciding);
            cheapest.map(|choice| choice.cycles)
        };
        let others: Cycles = self.choices.iter().enumerate().filter_map(cheapest).sum();
        let whole = |choice: &Candidate| Candidate {
            cycles: choice.cycles + others,
            ..choice.clone()
        };
        match deciding {
            Some(number) => self.choices[number].iter().map(whole).collect(),
            None => vec![Candidate {
                knobs: String::new(),
                cycles: others,
                place: 0,
            }],
        }
    }

    /// Writes the schedule of one of the [candidates](Plan::candidates).
    pub fn emit(&self, candidate: &Candidate) {
        let s = ScheduleBuilder::new(&Builder::before(self.end));
        let deciding = self.deciding();
        let mut number = 0;
        for step in &self.steps {
            match step {
                Step::Inline(tensors) => {
                    for tensor in tensors {
                        s.compute_inline(s.stage(*tensor));
                    }
                }
                Step::Template(template) => {
                    let cheapest = self.choices[number].first();
                    let chosen = match deciding == Some(number) {
                        true => Some(candidate),
                        false => cheapest,
                    };
                    if let Some(chosen) = chosen {
                        template.emit_place(chosen.place, &s, self.machine);
                    }
                    number += 1;
                }
            }
        }
    }

    /// Of the templates that leave a choice, or else of all, the one that takes most of the time.
    fn deciding(&self) -> Option<usize> {
        let choices = |number: &usize| &self.choices[*number];
        let cycles = |number: &usize| {
            choices(number)
                .first()
                .map_or(Cycles::default(), |best| best.cycles)
        };
        let numbers = || (0..self.choices.len()).rev();
        let longest = |a: &usize, b: &usize| cycles(a).compare(&cycles(b));
        let of_several = numbers().filter(|number| choices(number).len() > 1);
        of_several
            .max_by(longest)
            .or_else(|| numbers().max_by(longest))
    }
}

/// The steps for the stages of a function, in their order.
fn steps(stages: &[Stage], returned: &[Value], machine: Machine) -> Vec<Step> {
    let mut inlined = inline::choose(stages, returned);
    inlined.retain(|stage| !x86_amx::is_padded_operand(*stage, machine));
    if let Some(together) = together(stages, &inlined, returned, machine) {
        return vec![Step::Template(together)];
    }
    let mut steps = Vec::new();
    let mut done: Vec<Stage> = Vec::new();
    for &stage in stages {
        if done.contains(&stage) || is_part(stage, machine) {
            continue;
        }
        if is_tiled(&stage)
            && let Some(epilogue) = Epilogue::of(stage, returned)
        {
            done.extend(&epilogue.stages);
            steps.extend(tiled(stage, epilogue, machine));
        } else if inlined.contains(&stage) {
            steps.push(Step::Inline(vec![stage.tensor()]));
        } else {
            steps.push(Step::Template(on_its_own(stage, &inlined, machine)));
        }
    }
    steps
}

/// The template for all stages together, if there is one. A loop program between them is none's business.
fn together(
    stages: &[Stage],
    inlined: &[Stage],
    returned: &[Value],
    machine: Machine,
) -> Option<Box<dyn AnyTemplate>> {
    if stages.iter().any(|stage| stage.is_read_whole()) {
        return None;
    }
    if let Some(rows) = Rows::of(stages, inlined, returned) {
        return Some(Box::new(rows));
    }
    if let Some(attention) = AmxAttention::of(stages, inlined, returned, machine) {
        return Some(Box::new(attention));
    }
    if let Some(attention) = BlockwiseAttention::of(stages, returned) {
        return Some(Box::new(attention));
    }
    let attention = Attention::of(stages, inlined, returned)?;
    Some(Box::new(attention))
}

/// Whether a stage is scheduled with one that reads it.
fn is_part(stage: Stage, machine: Machine) -> bool {
    winograd::is_part(stage)
        || dense_blocks::is_part(stage)
        || is_pad_of_depthwise(stage)
        || is_pad_of_packed(stage, machine)
        || panel::is_panel(stage)
        || x86_amx::is_operand(stage, machine)
}

/// Whether a stage is scheduled with the depthwise convolution that alone reads it.
fn is_pad_of_depthwise(stage: Stage) -> bool {
    let readers = stage.readers();
    readers.len() == 1
        && readers[0].is(Role::PackedDepthwiseConv)
        && own_pad(readers[0]) == Some(stage)
}

/// Whether a stage is scheduled with the convolution on vectors that alone reads it.
fn is_pad_of_packed(stage: Stage, machine: Machine) -> bool {
    let readers = stage.readers();
    readers.len() == 1
        && readers[0].is(Role::PackedConv)
        && x86_amx::of_conv(readers[0], machine).is_none()
        && Padding::of(readers[0]).is_some_and(|padding| padding.stage == stage)
}

/// Whether a stage keeps a tile of its result in registers.
fn is_tiled(stage: &Stage) -> bool {
    let is_tiled = |role| match role {
        Role::PackedConv
        | Role::PackedDepthwiseConv
        | Role::Conv
        | Role::DepthwiseConv
        | Role::Matmul
        | Role::PackedDense
        | Role::DenseBlocks
        | Role::WinogradResult => true,
        Role::Pad
        | Role::Widen
        | Role::Words
        | Role::BlockSums
        | Role::Pool
        | Role::WinogradDataColumns
        | Role::WinogradData
        | Role::WinogradProduct
        | Role::WinogradResultColumns => false,
    };
    stage.op.result_count() == 1 && stage.role().is_some_and(is_tiled)
}

/// The steps for a stage that [`is_tiled`], with its epilogue.
fn tiled(stage: Stage, epilogue: Epilogue, machine: Machine) -> Vec<Step> {
    let alone: Box<dyn AnyTemplate> = match stage.role() {
        Some(Role::PackedConv) => match x86_amx::of_conv(stage, machine) {
            Some(tile) => on_amx(stage, epilogue, Blocks::Conv(tile)),
            None => Box::new(PackedConv {
                conv: stage,
                padding: Padding::of(stage),
                epilogue,
            }),
        },
        Some(Role::PackedDepthwiseConv) => Box::new(DepthwiseConv {
            conv: stage,
            epilogue,
        }),
        Some(role @ (Role::Conv | Role::DepthwiseConv)) => {
            let Some(lanes) = lanes_of_row(stage.lanes(), stage.bytes(), machine) else {
                return in_order(stage, &epilogue);
            };
            Box::new(PlainConv {
                conv: stage,
                epilogue,
                depthwise: role == Role::DepthwiseConv,
                lanes,
            })
        }
        Some(Role::DenseBlocks) => match DenseBlocks::of(stage, epilogue.clone()) {
            Some(blocks) => Box::new(blocks),
            None => return in_order(stage, &epilogue),
        },
        Some(Role::Matmul | Role::PackedDense) => {
            let packed = x86_amx::of_product(stage, machine).map(Blocks::Product);
            let blocks = packed.or_else(|| x86_amx::of_matmul(stage, machine).map(Blocks::Matmul));
            if let Some(blocks) = blocks {
                return vec![Step::Template(on_amx(stage, epilogue, blocks))];
            }
            // Rows shorter than a vector take narrower ones.
            let of_row = || lanes_of_row(stage.lanes(), stage.bytes(), machine);
            let Some(lanes) = stage.block().or_else(of_row) else {
                return in_order(stage, &epilogue);
            };
            Box::new(Product::new(stage, epilogue, lanes))
        }
        _ => match Winograd::of(stage, epilogue.clone()) {
            Some(winograd) => Box::new(winograd),
            None => return in_order(stage, &epilogue),
        },
    };
    vec![Step::Template(alone)]
}

fn on_amx(stage: Stage, epilogue: Epilogue, blocks: Blocks) -> Box<dyn AnyTemplate> {
    Box::new(Amx {
        stage,
        epilogue,
        blocks,
    })
}

/// A stage of rows too short for vectors, and then what follows it.
fn in_order(stage: Stage, epilogue: &Epilogue) -> Vec<Step> {
    let widened = panel::of_product(stage).map(Stage::tensor).collect();
    let mut steps = vec![Step::Inline(epilogue.between()), Step::Inline(widened)];
    let root = |stage: Stage| {
        Step::Template(Box::new(Injective {
            stage,
            inlined: Vec::new(),
        }))
    };
    if stage != epilogue.last {
        steps.push(root(stage));
    }
    steps.push(root(epilogue.last));
    steps
}

/// The template for a stage that is computed before its readers.
fn on_its_own(stage: Stage, inlined: &[Stage], machine: Machine) -> Box<dyn AnyTemplate> {
    let is_pool = stage.is(Role::Pool) && stage.op.result_count() == 1;
    if is_pool && Pool::applies(stage, machine) {
        return Box::new(Pool { stage });
    }
    if columns::applies(stage)
        && let Some(columns) = Columns::of(stage, machine)
    {
        return Box::new(columns);
    }
    if !columns::applies(stage)
        && let Some(transpose) = Transpose::of(stage, inlined, machine)
    {
        return Box::new(transpose);
    }
    let inlined = inlined.to_vec();
    Box::new(Injective { stage, inlined })
}

/// Axes [n, c, y, ..] as [n, y, c, ..]: threads share rows of pixels, of all channels, so that what one
/// reads of an image is, but for a kernel's rim, what it has computed itself, and in its own cache.
fn rows_first(axes: &mut [Value]) {
    axes.swap(1, 2);
}

/// Declares an intrinsic in the module around `op`, once.
fn declare(op: Op, name: &str, intrinsic: impl Fn(&Builder) -> Op) {
    let Some(module) = op.ancestor(builtin::Module::NAME) else {
        return;
    };
    if module.lookup(name).is_none() {
        intrinsic(&Builder::at_start(module.body(), op.loc(), op.ctx()));
    }
}
