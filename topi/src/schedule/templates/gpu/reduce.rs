//! Reductions on a GPU, with what follows them element by element.
//!
//! The order in which a result is summed depends on the schedule alone: each thread sums some terms one after the other, and the
//! sums of threads are summed in a fixed order.

use super::{counts_of_threads, factor, factor_for, spread, square_root};
use crate::schedule::{
    Machine, Stage,
    cost::{
        Cycles,
        gpu::{self, APART, CYCLES_OF_SHARED, Launch, MOST_LEVELS, MOST_ROWS, MOST_THREADS, Work},
    },
    epilogue::{Epilogue, accumulator},
    inline,
    templates::{Doc, Template, Way, columns},
};
use relay_dialects::{index::ceil_div, te::build::ScheduleBuilder, tir::Thread};
use relay_machine::Gpu;
use std::fmt;

/// A reduction.
pub struct Reduce {
    /// The reduction, and what is computed with its results.
    pub epilogue: Epilogue,
    /// The GPU.
    pub gpu: Gpu,
}

/// Who shares a reduction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Knobs {
    /// A thread computes a result alone.
    Elements {
        /// The threads of a block.
        threads: i64,
    },
    /// The threads of a block share some results.
    Rows {
        /// The results of a block.
        rows: i64,
        /// The threads that share one.
        lanes: i64,
    },
    /// Threads of all blocks share each result, launch by launch.
    Parts {
        /// The partial results of one result that the first launch leaves.
        parts: i64,
    },
}

impl fmt::Display for Knobs {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Elements { threads } => write!(formatter, "threads={threads}"),
            Self::Rows { rows, lanes } => write!(formatter, "rows={rows} lanes={lanes}"),
            Self::Parts { parts } => write!(formatter, "parts={parts}"),
        }
    }
}

impl Reduce {
    fn stage(&self) -> Stage {
        self.epilogue.stages[0]
    }

    fn rank(&self) -> usize {
        self.stage().shape().len()
    }

    /// The number of results.
    fn results(&self) -> i64 {
        self.stage().shape().iter().product()
    }

    /// The number of terms of a result.
    fn depth(&self) -> i64 {
        self.stage().reduce_extents().iter().product()
    }

    /// The dimension along which the results of a block lie: the last one of more than one element.
    fn row_dim(&self) -> Option<usize> {
        let shape = self.stage().shape();
        let long = shape.iter().rposition(|extent| *extent != 1);
        long.or(shape.len().checked_sub(1))
    }

    /// The ways in which the threads of a block share results.
    fn rows(&self) -> Vec<Knobs> {
        let Some(dim) = self.row_dim() else {
            return Vec::new();
        };
        let (extent, depth) = (self.stage().shape()[dim], self.depth());
        let most = self.gpu.threads_of_block.min(MOST_THREADS);
        let rows = (0..).map(|power| 1 << power);
        let rows = rows.take_while(|rows| *rows <= MOST_ROWS.min(extent.max(1)));
        let of_rows = |rows: i64| {
            let lanes = counts_of_threads(self.gpu);
            let lanes = lanes.filter(move |lanes| rows * lanes <= most && *lanes <= depth);
            lanes.map(move |lanes| Knobs::Rows { rows, lanes })
        };
        rows.flat_map(of_rows).collect()
    }

    /// The ways in which threads of all blocks do.
    fn parts(&self) -> impl Iterator<Item = Knobs> {
        let (warp, depth) = (self.gpu.warp, self.depth());
        let parts = (1..=MOST_LEVELS).map(move |levels| warp.pow(levels));
        let parts = parts.filter(move |parts| *parts > 1 && 2 * parts <= depth);
        parts.map(|parts| Knobs::Parts { parts })
    }

    /// The loops of the results, each with its own thread, which sums in registers.
    fn emit_elements(&self, threads: i64, s: &ScheduleBuilder) {
        if self.rank() == 0 {
            // No loop is there to sum inside of.
            return;
        }
        let (sums, result) = self.epilogue.accumulator(s);
        let axes = s.axes(result, self.rank());
        if let Some(thread) = spread(s, &axes, threads) {
            s.compute_at(sums, result, thread);
        }
    }

    /// Blocks of some results, whose threads share them.
    fn emit_rows(&self, rows: i64, lanes: i64, s: &ScheduleBuilder) {
        let (rank, reduce) = (self.rank(), self.stage().reduce_extents().len());
        let Some(dim) = self.row_dim() else {
            return;
        };
        let partial = factor_for(s, self.stage(), reduce, lanes, self.gpu);
        let (sums, result) = accumulator(s, self.stage(), self.epilogue.last);
        let mut axes = s.axes(result, rank);
        let (outer, row) = s.split(axes.remove(dim), rows);
        axes.push(outer);
        s.reorder(&[&axes[..], &[row]].concat());
        let block = s.fuse(&axes);
        s.bind(block, Thread::BlockX);
        s.bind(row, Thread::ThreadX);
        s.compute_at(sums, result, row);
        partial
            .iter()
            .for_each(|partial| partial.share(s, (result, block)));
    }

    /// One launch for the parts, and others that combine some of them each.
    fn emit_parts(&self, parts: i64, s: &ScheduleBuilder) {
        let warp = self.gpu.warp;
        let threads = counts_of_threads(self.gpu).next().unwrap_or(1);
        let mut reduce = self.stage().reduce_extents().len();
        let mut left = parts;
        while left > 1 {
            factor(s, self.stage(), reduce, left).spread(s, threads);
            (reduce, left) = (1, left / warp);
        }
        self.emit_elements(threads, s);
    }

    /// The multiply-adds that a term and a result take.
    fn operations(&self) -> f64 {
        let term = gpu::operations(inline::element(self.stage(), &[]));
        let last = gpu::operations(inline::element(self.epilogue.last, &[]));
        self.stage().work() as f64 * term + self.results() as f64 * last
    }
}

impl Template for Reduce {
    type Knobs = Knobs;

    const DOC: Doc = Doc {
        name: "gpu/reduce",
        applies: "On a GPU: a reduction, with what follows it element by element.",
        ways: &[
            Way {
                knobs: "threads",
                loops: "Blocks of `threads` neighbouring results, one for each thread, which sums its terms.",
                kept: "Registers: the sum.",
            },
            Way {
                knobs: "rows, lanes",
                loops: "Blocks of `rows` results. `lanes` threads sum the terms of a result, some of them these sums, and one thread the rest.",
                kept: "Shared memory: the sums of the threads.",
            },
            Way {
                knobs: "parts",
                loops: "`parts` threads for each result, in blocks. Further launches sum the sums of a warp's number of threads each.",
                kept: "Registers: the sums.",
            },
        ],
    };

    fn space(&self, _: Machine) -> Vec<Knobs> {
        let counts = counts_of_threads(self.gpu);
        let elements = counts.map(|threads| Knobs::Elements { threads });
        // How many terms each thread gets is known only of known extents.
        match self.stage().is_open() {
            true => elements.collect(),
            false => elements.chain(self.rows()).chain(self.parts()).collect(),
        }
    }

    fn cost(&self, knobs: &Knobs, _: Machine) -> Cycles {
        let (results, depth) = (self.results(), self.depth());
        let bytes = (self.stage().read_bytes() + self.epilogue.last.written_bytes()) as f64;
        let is_across = columns::applies(self.stage());
        let work = |is_apart: bool| Work {
            operations: self.operations(),
            bytes: bytes * if is_apart { APART } else { 1.0 },
            shared_words: 0.0,
        };
        match *knobs {
            Knobs::Elements { threads } => {
                let launch = Launch::of(ceil_div(results, threads), threads);
                gpu::cycles(launch, work(!is_across && depth > 1), self.gpu)
            }
            Knobs::Rows { rows, lanes } => {
                let launch = Launch {
                    shared_bytes: 2 * rows * lanes * self.stage().bytes(),
                    ..Launch::of(ceil_div(results, rows), rows * lanes)
                };
                let levels = (2 * square_root(lanes) + ceil_div(depth, lanes)) as f64;
                gpu::cycles(launch, work(is_across), self.gpu) + Cycles(levels * CYCLES_OF_SHARED)
            }
            Knobs::Parts { parts } => {
                let threads = counts_of_threads(self.gpu).next().unwrap_or(1);
                let first = Launch::of(ceil_div(results * parts, threads), threads);
                let levels = (parts as f64).log(self.gpu.warp.max(2) as f64).round();
                let combine = gpu::cycles(Launch::of(1, threads), Work::default(), self.gpu);
                gpu::cycles(first, work(is_across), self.gpu) + combine * levels
            }
        }
    }

    fn emit(&self, knobs: &Knobs, s: &ScheduleBuilder, _: Machine) {
        self.epilogue.inline(s);
        match *knobs {
            Knobs::Elements { threads } => self.emit_elements(threads, s),
            Knobs::Rows { rows, lanes } => self.emit_rows(rows, lanes, s),
            Knobs::Parts { parts } => self.emit_parts(parts, s),
        }
    }
}
