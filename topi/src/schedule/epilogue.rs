//! What is computed while a tile of a stage is in registers.

use super::{
    Machine,
    cost::{Cycles, memory},
    inline,
    stage::Stage,
};
use relay_dialects::{
    ir::Value,
    te::{Role, build::ScheduleBuilder},
    tir::Scope,
};

/// What can be computed while a tile of a stage is in registers: the stages that read it, and those
/// that read them, element by element; of a packed convolution, whose tiles hold whole blocks, also
/// what reads elements of the same block.
#[derive(Clone)]
pub struct Epilogue {
    /// The stage itself, then its readers.
    pub stages: Vec<Stage>,
    /// The one that is returned.
    pub last: Stage,
}

impl Epilogue {
    /// None if something else reads the stages, or more than one of them is returned.
    pub fn of(stage: Stage, returned: &[Value]) -> Option<Self> {
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
                let is_in_tile =
                    read.is_pointwise() || (stage.is(Role::PackedConv) && read.stays_in_block());
                if !is_in_tile || read.reader.op.result_count() != 1 {
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

    /// The tensors between the first stage and the last.
    pub fn between(&self) -> Vec<Value> {
        let stages = self.stages[1..].iter();
        stages
            .filter(|stage| **stage != self.last)
            .map(|stage| stage.tensor())
            .collect()
    }

    /// Inlines the stages between the first and the last.
    pub fn inline(&self, s: &ScheduleBuilder) {
        for tensor in self.between() {
            s.compute_inline(s.stage(tensor));
        }
    }

    /// See [`accumulator`].
    pub fn accumulator(&self, s: &ScheduleBuilder) -> (Value, Value) {
        accumulator(s, self.stages[0], self.last)
    }

    /// As [`accumulator`], in the registers of a warp.
    pub fn fragment(&self, s: &ScheduleBuilder) -> (Value, Value) {
        accumulator_in(s, (self.stages[0], self.last), Scope::Fragment)
    }

    /// What it takes to compute the readers and to write the result.
    pub fn cost(&self, machine: Machine) -> Cycles {
        let elements = self.last.shape().iter().product();
        let of_stage = |stage: &Stage| {
            let element = inline::element(*stage, &[]);
            memory::compute(elements, machine.lanes(stage.bytes()), element, machine)
        };
        let computed: Cycles = self.stages[1..].iter().map(of_stage).sum();
        computed + memory::stream(self.last.written_bytes(), machine)
    }
}

/// The stage that accumulates `stage` in registers, and the one of the `last` stage of its epilogue,
/// inside whose tile it is to be computed.
pub fn accumulator(s: &ScheduleBuilder, stage: Stage, last: Stage) -> (Value, Value) {
    accumulator_in(s, (stage, last), Scope::Local)
}

fn accumulator_in(
    s: &ScheduleBuilder,
    (stage, last): (Stage, Stage),
    scope: Scope,
) -> (Value, Value) {
    let result = s.stage(last.tensor());
    if stage == last {
        return (s.cache_write(result, scope), result);
    }
    let accumulator = s.stage(stage.tensor());
    s.set_scope(accumulator, scope);
    (accumulator, result)
}
