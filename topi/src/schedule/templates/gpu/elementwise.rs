//! Stages that compute each element from a few others, on a GPU.

use super::{counts_of_threads, spread};
use crate::schedule::{
    Machine, Stage,
    cost::{
        Cycles,
        gpu::{self, Launch, Stream, VECTOR_BYTES},
    },
    inline, neighbours,
    templates::{Doc, Template, Way},
};
use relay_dialects::{index::ceil_div, te::build::ScheduleBuilder};
use relay_machine::Gpu;
use std::fmt;

/// A stage without reduction.
pub struct Elementwise {
    /// The stage.
    stage: Stage,
    /// The stages that are part of its expression.
    inlined: Vec<Stage>,
    /// The elements of a thread to choose from, the most first.
    vectors: Vec<i64>,
    /// The bytes of the sectors that a warp reads / those that it needs.
    overhead: f64,
    gpu: Gpu,
}

/// The elements of a block.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Knobs {
    /// The threads of a block.
    threads: i64,
    /// The neighbours along the last dimension that a thread computes.
    vector: i64,
}

impl fmt::Display for Knobs {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "threads={} vector={}", self.threads, self.vector)
    }
}

impl Elementwise {
    /// A stage with those that are part of its expression, and the bytes of the sectors that a warp reads / those that it needs.
    pub fn of(stage: Stage, inlined: Vec<Stage>, overhead: f64, gpu: Gpu) -> Self {
        let vectors = vectors(stage, &inlined);
        // Threads that read apart from each other do not read vectors.
        let overhead = if vectors.len() == 1 { overhead } else { 1.0 };
        Self {
            stage,
            vectors,
            overhead,
            inlined,
            gpu,
        }
    }
}

/// The numbers of neighbours that a thread may compute: their bytes are one access, and no row ends inside of them.
fn vectors(stage: Stage, inlined: &[Stage]) -> Vec<i64> {
    let row = stage.dims().last().and_then(|dim| dim.known());
    let most = VECTOR_BYTES / stage.bytes().max(1);
    let halves = std::iter::successors(Some(most), |lanes| Some(lanes / 2));
    let longer = halves.take_while(|lanes| *lanes > 1);
    let of_row = longer.filter(|lanes| row.is_some_and(|row| row > 0 && row % lanes == 0));
    let of_row = of_row.filter(|lanes| neighbours::are_vectors(stage, inlined, *lanes));
    of_row.chain([1]).collect()
}

impl Template for Elementwise {
    type Knobs = Knobs;

    const DOC: Doc = Doc {
        name: "gpu/elementwise",
        applies: "On a GPU: every stage that does not reduce.",
        ways: &[Way {
            knobs: "threads, vector",
            loops: "Blocks of `threads` times `vector` neighbouring elements, `vector` along the last dimension for each thread: more than one where each tensor has them beside each other, or one for all.",
            kept: "Registers: the elements of a thread.",
        }],
    };

    fn space(&self, _: Machine) -> Vec<Knobs> {
        let of_vector = |vector: &i64| {
            let vector = *vector;
            counts_of_threads(self.gpu).map(move |threads| Knobs { threads, vector })
        };
        self.vectors.iter().flat_map(of_vector).collect()
    }

    fn cost(&self, knobs: &Knobs, _: Machine) -> Cycles {
        let (elements, element) = (
            self.stage.work(),
            inline::element(self.stage, &self.inlined),
        );
        let (read, written) = (
            inline::read_bytes(self.stage, &self.inlined),
            self.stage.written_bytes(),
        );
        let stream = Stream {
            launch: Launch::of(
                ceil_div(elements, knobs.threads * knobs.vector),
                knobs.threads,
            ),
            elements: knobs.vector,
            operations: gpu::operations(element),
            bytes: read as f64 * gpu::times_read(self.overhead) + written as f64,
            read,
        };
        stream.cycles(self.gpu)
    }

    fn emit(&self, knobs: &Knobs, s: &ScheduleBuilder, _: Machine) {
        let handle = s.stage(self.stage.tensor());
        let mut axes = s.axes(handle, self.stage.axes());
        if knobs.vector > 1
            && let Some(last) = axes.pop()
        {
            let (vectors, lane) = s.split(last, knobs.vector);
            axes.push(vectors);
            s.vectorize(lane);
        }
        spread(s, &axes, knobs.threads);
    }
}
