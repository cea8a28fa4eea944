//! The schedule of a function, from what it computes and the machine.
//!
//! One stage - the packed convolution, the product - decides; stages that only follow it are
//! inlined into what comes after.

mod attention;
mod columns;
mod conv;
mod conv2d;
pub mod cost;
mod injective;
mod inline;
mod machine;
mod panel;
mod parts;
mod product;
mod rows;
mod stage;
mod transpose;
mod winograd;
mod x86_amx;

use crate::{conv as expressions, pool, product as products, winograd::TAGS};
pub use machine::{F32_BYTES, Machine};

use relay_dialects::{
    ir::{Builder, Op, Value},
    te::build::ScheduleBuilder,
    tir::Scope,
};
use stage::Stage;

/// Writes the `te.schedule` of a TE function before its return.
pub fn schedule(func: Op, machine: Machine) {
    let Some(end) = func.body().terminator() else {
        return;
    };
    let returned = end.operands();
    let ops = func.body().ops().into_iter();
    let stages: Vec<Stage> = ops
        .filter(|op| op.is("te.compute"))
        .map(|op| Stage { op })
        .collect();
    let mut inlined = inline::choose(&stages, &returned);
    inlined.retain(|stage| !x86_amx::is_padded_operand(*stage, machine));
    let is_part = |stage: Stage| {
        winograd::is_part(stage)
            || is_pad_of_depthwise(stage)
            || panel::is_panel(stage)
            || x86_amx::is_operand(stage, machine)
    };
    let s = ScheduleBuilder::new(&Builder::before(end));
    if let Some(rows) = rows::Rows::of(&stages, &inlined, &returned) {
        return rows.schedule(&s, &inlined, machine);
    }
    if let Some(attention) = attention::Attention::of(&stages, &inlined, &returned) {
        return attention.schedule(&s, &inlined, machine);
    }
    let mut done: Vec<Stage> = Vec::new();
    for &stage in &stages {
        if done.contains(&stage) || is_part(stage) {
            continue;
        }
        if let Some(tiled) = tiled(&stage)
            && let Some(epilogue) = Epilogue::of(stage, &returned)
        {
            epilogue.inline(&s);
            tiled(&s, stage, epilogue.last, machine);
            done.extend(epilogue.stages);
            continue;
        }
        if inlined.contains(&stage) {
            s.compute_inline(s.stage(stage.tensor()));
        } else if stage.tag() == pool::TAG && stage.op.result_count() == 1 {
            injective::pool(&s, stage, machine);
        } else if columns::applies(stage) {
            columns::schedule(&s, stage, machine);
        } else if !transpose::schedule(&s, stage, &inlined, machine) {
            injective::root(&s, stage, machine);
        }
    }
}

/// Axes [n, c, y, ..] as [n, y, c, ..]: threads share rows of pixels, of all channels, so that what one
/// reads of an image is, but for a kernel's rim, what it has computed itself, and in its own cache.
fn rows_first(axes: &mut [Value]) {
    axes.swap(1, 2);
}

/// Schedules a stage and the last one of its epilogue together.
type Tiled = fn(&ScheduleBuilder, Stage, Stage, Machine);

/// The schedule of the stages that keep a tile of their result in registers.
fn tiled(stage: &Stage) -> Option<Tiled> {
    if stage.op.result_count() != 1 {
        return None;
    }
    match stage.tag().as_str() {
        expressions::PACKED => Some(conv2d::packed),
        expressions::DEPTHWISE => Some(conv2d::depthwise),
        expressions::PLAIN => Some(conv::grouped),
        expressions::PLAIN_DEPTHWISE => Some(conv::depthwise),
        products::MATMUL | products::DENSE_PACK => Some(product::matmul),
        tag if tag == TAGS[4] => Some(winograd::winograd),
        _ => None,
    }
}

/// Whether a stage is scheduled with the depthwise convolution that alone reads it.
fn is_pad_of_depthwise(stage: Stage) -> bool {
    let readers = stage.readers();
    readers.len() == 1
        && readers[0].tag() == expressions::DEPTHWISE
        && conv2d::own_pad(readers[0]) == Some(stage)
}

/// What can be computed while a tile of a stage is in registers: the stages that read it, and those
/// that read them, element by element.
struct Epilogue {
    /// The stage itself, then its readers.
    stages: Vec<Stage>,
    /// The one that is returned.
    last: Stage,
}

impl Epilogue {
    /// None if something else reads the stages, or more than one of them is returned.
    fn of(stage: Stage, returned: &[Value]) -> Option<Self> {
        let is_returned = |stage: &Stage| returned.contains(&stage.tensor());
        if is_returned(&stage) {
            // What reads it reads it from memory.
            let stages = vec![stage];
            return Some(Self {
                stages,
                last: stage,
            });
        }
        let mut stages = vec![stage];
        let mut next = 0;
        while let Some(stage) = stages.get(next).copied() {
            next += 1;
            if is_returned(&stage) {
                // As above.
                continue;
            }
            for read in stage.reads() {
                if !read.is_pointwise() || read.reader.op.result_count() != 1 {
                    return None;
                }
                if !stages.contains(&read.reader) {
                    stages.push(read.reader);
                }
            }
        }
        let mut ends = stages.iter().copied().filter(is_returned);
        let last = ends.next()?;
        ends.next().is_none().then_some(Self { stages, last })
    }

    /// Inlines the stages between the first and the last.
    fn inline(&self, s: &ScheduleBuilder) {
        for stage in self.stages[1..].iter().filter(|stage| **stage != self.last) {
            s.compute_inline(s.stage(stage.tensor()));
        }
    }
}

/// The stage that accumulates `stage` in registers, and the one of the `last` stage of its epilogue,
/// inside whose tile it is to be computed.
fn accumulator(s: &ScheduleBuilder, stage: Stage, last: Stage) -> (Value, Value) {
    let result = s.stage(last.tensor());
    if stage == last {
        return (s.cache_write(result, Scope::Local), result);
    }
    let accumulator = s.stage(stage.tensor());
    s.set_scope(accumulator, Scope::Local);
    (accumulator, result)
}
