//! Stages that compute each element from a few others, on a GPU.

use super::{Threads, spread};
use crate::schedule::{
    Machine, Stage,
    cost::{
        Cycles,
        gpu::{self, Launch, Work},
    },
    inline,
    templates::{Doc, Template, Way},
};
use relay_dialects::{index::ceil_div, te::build::ScheduleBuilder};
use relay_machine::Gpu;

/// A stage without reduction.
pub struct Elementwise {
    /// The stage.
    pub stage: Stage,
    /// The stages that are part of its expression.
    pub inlined: Vec<Stage>,
    /// The GPU.
    pub gpu: Gpu,
}

impl Template for Elementwise {
    type Knobs = Threads;

    const DOC: Doc = Doc {
        name: "gpu/elementwise",
        applies: "On a GPU: every stage that does not reduce.",
        ways: &[Way {
            knobs: "threads",
            loops: "Blocks of `threads` neighbouring elements, one for each thread.",
            kept: "Registers: the element.",
        }],
    };

    fn space(&self, _: Machine) -> Vec<Threads> {
        Threads::space(self.gpu)
    }

    fn cost(&self, knobs: &Threads, _: Machine) -> Cycles {
        let elements = self.stage.work();
        let launch = Launch::of(ceil_div(elements, knobs.threads), knobs.threads);
        let element = inline::element(self.stage, &self.inlined);
        let bytes = self.stage.written_bytes() + inline::read_bytes(self.stage, &self.inlined);
        let work = Work {
            operations: elements as f64 * gpu::operations(element),
            bytes: bytes as f64,
            shared_words: 0.0,
        };
        gpu::cycles(launch, work, self.gpu)
    }

    fn emit(&self, knobs: &Threads, s: &ScheduleBuilder, _: Machine) {
        let handle = s.stage(self.stage.tensor());
        let axes = s.axes(handle, self.stage.axes());
        spread(s, &axes, knobs.threads);
    }
}
