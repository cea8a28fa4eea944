//! Stages that compute each row from one row, on a GPU: softmax and normalisations. A block computes all stages of its row.

use super::{Threads, factor_for, square_root};
use crate::schedule::{
    Machine, Stage,
    cost::{
        Cycles,
        gpu::{self, CYCLES_OF_SHARED, LONG_ROW, Launch, Work},
    },
    inline,
    templates::{Doc, Template, Way, rows},
};
use relay_dialects::{
    index::ceil_div,
    ir::Value,
    te::build::ScheduleBuilder,
    tir::{Scope, Thread},
};
use relay_machine::Gpu;

/// The stages of a function that computes rows.
pub struct Rows {
    /// The reductions of a row and what is computed of their results, in order.
    parts: Vec<Stage>,
    /// The stage that is returned, which has elements along a row.
    last: Stage,
    /// The stages that become part of others.
    inlined: Vec<Stage>,
    /// The axes of the last stage that number rows, and those along a row.
    axes: (Vec<usize>, Vec<usize>),
    gpu: Gpu,
}

impl Rows {
    /// None if the stages, of which `inlined` are to become part of others, do not belong to rows, or rows are too few.
    pub fn of(stages: &[Stage], inlined: &[Stage], returned: &[Value], gpu: Gpu) -> Option<Self> {
        let is_known =
            |stage: &Stage| !stage.is_open() && stage.work() > 0 && !stage.is_read_whole();
        if !stages.iter().all(is_known) {
            return None;
        }
        let rows = rows::Rows::of(stages, inlined, returned)?;
        let (last, parts) = (rows.last(), rows.parts()?);
        // A part along the row would be in shared memory.
        if last.reduces() || parts.is_empty() || !parts.iter().all(|part| rows.is_of_row(*part)) {
            return None;
        }
        let found = Self {
            parts: parts.to_vec(),
            last,
            inlined: rows.inlined().to_vec(),
            axes: rows.last_axes(),
            gpu,
        };
        let has_blocks = found.count() >= gpu.multiprocessors || found.length() <= LONG_ROW;
        (!found.axes.0.is_empty() && found.length() > 1 && has_blocks).then_some(found)
    }

    fn extent(&self, axes: &[usize]) -> i64 {
        let shape = self.last.shape();
        axes.iter().map(|axis| shape[*axis]).product()
    }

    /// The number of rows.
    fn count(&self) -> i64 {
        self.extent(&self.axes.0)
    }

    /// The elements of a row of the result.
    fn length(&self) -> i64 {
        self.extent(&self.axes.1)
    }

    /// Has the threads of a block sum parts of a row, and each of them all these sums.
    fn emit_reduction(&self, stage: Stage, threads: i64, s: &ScheduleBuilder, at: (Value, Value)) {
        let reduce = stage.reduce_extents();
        let depth: i64 = reduce.iter().product();
        let lanes = threads.min(depth);
        let partial = factor_for(s, stage, reduce.len(), lanes, self.gpu);
        partial.iter().for_each(|partial| partial.share(s, at));
    }
}

impl Template for Rows {
    type Knobs = Threads;

    const DOC: Doc = Doc {
        name: "gpu/rows",
        applies: "On a GPU: stages that compute each row from one row, such as softmax and normalisations.",
        ways: &[Way {
            knobs: "threads",
            loops: "Blocks of one row. `threads` threads compute one stage after the other: of a reduction, each sums some terms, some threads these sums, and each thread the rest.",
            kept: "Registers: the results of reductions. Shared memory: the sums of the threads. The first cache: the row.",
        }],
    };

    fn space(&self, _: Machine) -> Vec<Threads> {
        Threads::space(self.gpu)
    }

    fn cost(&self, knobs: &Threads, _: Machine) -> Cycles {
        let reductions = || self.parts.iter().filter(|part| part.reduces());
        let launch = Launch {
            shared_bytes: 2 * knobs.threads * self.last.bytes() * reductions().count() as i64,
            ..Launch::of(self.count(), knobs.threads)
        };
        let of_stage = |stage: &Stage| {
            let element = inline::element(*stage, &self.inlined);
            stage.work() as f64 * gpu::operations(element)
        };
        // Idle threads take part in each operation of their warp.
        let idle =
            |length: i64| (ceil_div(length, knobs.threads) * knobs.threads) as f64 / length as f64;
        let operations: f64 = self.parts.iter().chain([&self.last]).map(of_stage).sum();
        let bytes = inline::read_bytes(self.last, &self.inlined) + self.last.written_bytes();
        let work = Work {
            operations: operations * idle(self.length()),
            bytes: bytes as f64,
            shared_words: 0.0,
        };
        let of_reduction = |stage: &Stage| {
            let depth: i64 = stage.reduce_extents().iter().product();
            ceil_div(depth, knobs.threads) + 2 * square_root(knobs.threads)
        };
        let levels: i64 = reductions().map(of_reduction).sum();
        let waves = launch.waves(self.gpu) as f64;
        gpu::cycles(launch, work, self.gpu) + Cycles(levels as f64 * waves * CYCLES_OF_SHARED)
    }

    fn emit(&self, knobs: &Threads, s: &ScheduleBuilder, _: Machine) {
        for stage in &self.inlined {
            s.compute_inline(s.stage(stage.tensor()));
        }
        let result = s.stage(self.last.tensor());
        let axes = s.axes(result, self.last.shape().len());
        let of = |numbers: &[usize]| {
            numbers
                .iter()
                .map(|axis| axes[*axis])
                .collect::<Vec<Value>>()
        };
        let block = s.fuse(&of(&self.axes.0));
        let (_, thread) = s.split(s.fuse(&of(&self.axes.1)), knobs.threads);
        s.bind(block, Thread::BlockX);
        s.bind(thread, Thread::ThreadX);
        for part in &self.parts {
            if part.reduces() {
                self.emit_reduction(*part, knobs.threads, s, (result, block));
            }
            // All threads of the block compute it, each for itself.
            let handle = s.stage(part.tensor());
            s.set_scope(handle, Scope::Local);
            s.compute_at(handle, result, block);
        }
    }
}
