//! Stages on their own: elementwise, moving data, simple reductions.

use super::{Doc, Template, Way};
use crate::schedule::{
    Machine, Stage,
    cost::{Cycles, fewest, halves, lanes_of_row, memory},
    inline, rows_first,
};
use relay_dialects::{
    ir::Value,
    te::{Role, build::ScheduleBuilder},
};
use std::fmt;

/// A stage computed before its readers.
pub struct Injective {
    /// The stage.
    pub stage: Stage,
    /// The stages that are part of its expression.
    pub inlined: Vec<Stage>,
}

/// Its vectors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Knobs {
    /// Their lanes along a row; 1 if LLVM is to find vectors.
    lanes: i64,
}

impl fmt::Display for Knobs {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "lanes={}", self.lanes)
    }
}

/// The schedule of a stage with the knobs that take fewest cycles.
pub fn emit(s: &ScheduleBuilder, stage: Stage, machine: Machine) {
    let injective = Injective {
        stage,
        inlined: Vec::new(),
    };
    let cost = |knobs: &Knobs| injective.cost(knobs, machine);
    if let Some(knobs) = fewest(injective.space(machine), cost) {
        injective.emit(&knobs, s, machine);
    }
}

/// What a stage is expected to take with the knobs that take fewest cycles.
pub fn cost(stage: Stage, machine: Machine) -> Cycles {
    let inlined = Vec::new();
    let injective = Injective { stage, inlined };
    let costs = injective.space(machine).into_iter();
    let costs = costs.map(|knobs| injective.cost(&knobs, machine));
    costs.min_by(Cycles::compare).unwrap_or_default()
}

/// The outer axes, up to `keep` inner ones, as one parallel loop if there is enough to do.
pub fn share(s: &ScheduleBuilder, stage: Stage, axes: &[Value], keep: usize) {
    let outer = &axes[..axes.len().saturating_sub(keep)];
    if outer.is_empty() || !stage.is_shared() {
        return;
    }
    s.parallel(s.fuse(outer));
}

/// Whether the last dimension is a block of channels.
pub fn is_packed(stage: Stage, machine: Machine) -> bool {
    let inner = stage.shape().last().copied().unwrap_or(0);
    inner == machine.block() || inner == machine.block() / 2
}

impl Injective {
    /// A row is the last dimension that has more than one element.
    fn row(&self) -> usize {
        let shape = self.stage.shape();
        let ones = shape.iter().rev().take_while(|dim| **dim == 1).count();
        shape.len() - 1 - ones.min(shape.len() - 1)
    }

    fn is_plain(&self) -> bool {
        !self.stage.reduces() && self.stage.op.result_count() == 1
    }
}

impl Template for Injective {
    type Knobs = Knobs;

    const DOC: Doc = Doc {
        name: "injective",
        applies: "Every other stage: elementwise operators, copies, simple reductions.",
        ways: &[Way {
            knobs: "lanes",
            loops: "Parallel: the outer dimensions. Then the last dimension in vectors of `lanes`; LLVM chooses the vectors if `lanes=1`.",
            kept: "None: the stage streams through the caches.",
        }],
    };

    /// Rows without functions are LLVM's to vectorise: it sees which accesses are contiguous after fusion. It takes
    /// half of what AVX-512 has, which moves data as fast.
    fn space(&self, machine: Machine) -> Vec<Knobs> {
        let shape = self.stage.shape();
        let left_to_llvm = [Knobs { lanes: 1 }];
        let Some(&inner) = shape.last() else {
            return left_to_llvm.into();
        };
        if self.is_plain() && is_packed(self.stage, machine) {
            return vec![Knobs { lanes: inner }];
        }
        let longest = lanes_of_row(shape[self.row()], self.stage.bytes(), machine);
        let longest = longest.filter(|_| self.is_plain() && self.stage.computes_functions());
        let vectors = longest.into_iter().flat_map(halves);
        vectors
            .map(|lanes| Knobs { lanes })
            .chain(left_to_llvm)
            .collect()
    }

    fn cost(&self, knobs: &Knobs, machine: Machine) -> Cycles {
        let element = inline::element(self.stage, &self.inlined);
        let computed = memory::compute(self.stage.work(), knobs.lanes, element, machine);
        let bytes = self.stage.written_bytes() + inline::read_bytes(self.stage, &self.inlined);
        let moved = memory::stream(bytes, machine);
        computed + moved
    }

    fn emit(&self, knobs: &Knobs, s: &ScheduleBuilder, machine: Machine) {
        let (stage, shape) = (self.stage, self.stage.shape());
        let handle = s.stage(stage.tensor());
        let mut axes = s.axes(handle, stage.axes());
        if shape.is_empty() {
            return;
        }
        let packed = is_packed(stage, machine);
        if packed && shape.len() == 5 && shape[2] > 1 {
            rows_first(&mut axes);
            s.reorder(&axes);
        }
        let row = self.row();
        if self.is_plain() && packed && shape.len() == 5 && stage.is(Role::Pad) {
            // Whether a pixel is inside is asked for along a row; to find row and column of each takes longer than to
            // move it.
            s.vectorize(axes[4]);
            return share(s, stage, &axes, 2);
        } else if self.is_plain() && packed {
            s.vectorize(axes[shape.len() - 1]);
        } else if knobs.lanes > 1 {
            // Threads may meet in the last vector of an open row: both store the same there.
            let (outer, lane) = match stage.dims()[row].is_known() {
                true => s.split(axes[row], knobs.lanes),
                false => s.split_inwards(axes[row], knobs.lanes),
            };
            s.vectorize(lane);
            if shape[..row].iter().all(|dim| *dim == 1) && stage.is_shared() {
                s.parallel(outer);
                return;
            }
        }
        share(s, stage, &axes[..row + 1], 1);
    }
}
