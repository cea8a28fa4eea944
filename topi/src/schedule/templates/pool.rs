//! Reductions over windows of packed channels: each vector of the result in a register.

use super::{
    Doc, Fixed, Template, Way,
    injective::{is_packed, share},
};
use crate::schedule::{
    Machine, Stage,
    cost::{Cycles, memory, registers},
    rows_first,
};
use relay_dialects::{ir::Value, te::build::ScheduleBuilder, tir::Scope};

/// A pool of [n, c, y, x, lane].
pub struct Pool {
    /// The stage.
    pub stage: Stage,
}

impl Pool {
    /// Whether a pool has its channels in blocks of a vector, or of half of one.
    pub fn applies(stage: Stage, machine: Machine) -> bool {
        stage.shape().len() == 5 && is_packed(stage, machine)
    }
}

impl Template for Pool {
    type Knobs = Fixed;

    const DOC: Doc = Doc {
        name: "pool",
        applies: "A pool in channel blocks of one vector or half a vector.",
        ways: &[Way {
            knobs: "",
            loops: "Parallel: samples, rows of pixels, channel blocks. Then pixels, window.",
            kept: "Registers: one vector of the result.",
        }],
    };

    fn space(&self, _: Machine) -> Vec<Fixed> {
        vec![Fixed]
    }

    fn cost(&self, _: &Fixed, machine: Machine) -> Cycles {
        let (work, lanes) = (self.stage.work(), self.stage.lanes());
        let sums = registers::pool((work / lanes) as f64, machine);
        let bytes = self.stage.read_bytes() + self.stage.written_bytes();
        sums + memory::stream(bytes, machine)
    }

    fn emit(&self, _: &Fixed, s: &ScheduleBuilder, _: Machine) {
        let handle = s.stage(self.stage.tensor());
        let cache = s.cache_write(handle, Scope::Local);
        let mut axes = s.axes(handle, 5);
        rows_first(&mut axes);
        s.reorder(&axes);
        s.vectorize(axes[4]);
        s.compute_at(cache, handle, axes[3]);
        share(s, self.stage, &axes, 2);
        let axes = s.axes(cache, self.stage.axes());
        let order: Vec<Value> = axes[5..].iter().chain([&axes[4]]).copied().collect();
        s.reorder(&order);
        s.vectorize(axes[4]);
    }
}
