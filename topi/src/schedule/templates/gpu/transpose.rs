//! Stages whose elements lie in another order in memory than what they read, on a GPU. A block copies a tile into shared memory along
//! the one order, and reads it from there along the other one.

use crate::schedule::{
    Machine, Stage,
    cost::{
        Cycles,
        gpu::{self, Launch, Steps, Work},
        sectors,
    },
    inline,
    operands::{self, Operand, Reading},
    templates::{Doc, Template, Way},
};
use relay_dialects::{
    index::ceil_div,
    ir::Value,
    ops::scf,
    te::build::ScheduleBuilder,
    tir::{Scope, Thread},
};
use relay_machine::Gpu;
use std::fmt;

/// A stage without reduction, whose neighbours along the last dimension read what lies apart.
pub struct Transpose {
    stage: Stage,
    /// The stages that are part of its expression.
    inlined: Vec<Stage>,
    /// What it reads along another dimension.
    sources: Vec<Source>,
    /// This dimension.
    dim: usize,
    gpu: Gpu,
}

/// A tensor that lies along another dimension.
struct Source {
    operand: Operand,
    /// The stage that reads it.
    reader: Stage,
    /// Its dimension along which the last dimension of the stage lies.
    column: usize,
    /// Its dimension along which neighbours lie.
    line: usize,
}

/// A tile.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Knobs {
    /// The elements along the dimension that is read.
    lines: i64,
    /// The elements along the dimension that is written.
    columns: i64,
}

impl fmt::Display for Knobs {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "lines={} columns={}", self.lines, self.columns)
    }
}

/// The last dimension of more than one element.
fn inmost(shape: &[i64]) -> Option<usize> {
    (0..shape.len()).rev().find(|dim| shape[*dim] != 1)
}

/// How a tensor lies.
struct Found {
    /// The axis of the stage along which its neighbours lie.
    dim: usize,
    column: usize,
    line: usize,
}

/// The axis of a stage along which a tensor lies, if the last axis moves along another one of its dimensions.
fn apart(reading: &Reading, shape: &[i64]) -> Option<Found> {
    let (operand, last) = (reading.operand.as_ref()?, shape.len().checked_sub(1)?);
    let column = operand.dimension(last)?;
    let line = inmost(&operand.shape(reading.reader))?;
    let mut axes = (0..last).filter(|axis| operand.dimension(*axis) == Some(line));
    let dim = axes.next()?;
    (column < line && axes.next().is_none()).then_some(Found { dim, column, line })
}

impl Transpose {
    /// None if warps read whole sectors as it is, which the [overhead](super::super::super::neighbours::overhead) says, or tiles would have no
    /// two long sides.
    pub fn of(stage: Stage, inlined: &[Stage], overhead: f64, gpu: Gpu) -> Option<Self> {
        let shape = stage.shape();
        let parts = inline::with_inlined(stage, inlined);
        let has_branches = |part: &Stage| part.op.find(|op| op.is(scf::If::NAME)).is_some();
        if stage.reduces()
            || stage.op.result_count() != 1
            || shape.contains(&0)
            || parts.iter().any(has_branches)
            || gpu::times_read(overhead) <= 1.0
        {
            return None;
        }
        let readings = operands::readings(stage, inlined);
        let dim = readings
            .iter()
            .find_map(|reading| apart(reading, &shape))?
            .dim;
        let count = |tensor: Value| {
            readings
                .iter()
                .filter(|other| other.tensor == tensor)
                .count()
        };
        let alone: Vec<bool> = readings
            .iter()
            .map(|reading| count(reading.tensor) == 1)
            .collect();
        let of_dim = readings
            .into_iter()
            .zip(alone)
            .filter_map(|(reading, is_alone)| {
                let found = apart(&reading, &shape)?;
                (found.dim == dim && is_alone).then_some(())?;
                Some(Source {
                    operand: reading.operand?,
                    reader: reading.reader,
                    column: found.column,
                    line: found.line,
                })
            });
        let sources: Vec<Source> = of_dim.collect();
        let dims = stage.dims();
        let are_known = dims[dim].is_known() && dims.last().is_some_and(|dim| dim.is_known());
        (are_known && !sources.is_empty()).then(|| Self {
            stage,
            inlined: inlined.to_vec(),
            sources,
            dim,
            gpu,
        })
    }

    /// The extents of the dimensions that are read and written along.
    fn extents(&self) -> [i64; 2] {
        let shape = self.stage.shape();
        [shape[self.dim], shape[shape.len() - 1]]
    }

    fn threads(&self) -> i64 {
        self.gpu.threads_of_block.clamp(1, gpu::MOST_THREADS)
    }

    /// The bytes of shared memory of a block.
    fn shared_bytes(&self, knobs: &Knobs) -> i64 {
        let bytes = |source: &Source| {
            let (factor, offset) = gpu::odd_words(source.operand.bytes());
            (knobs.lines + factor + offset) * knobs.columns * source.operand.bytes()
        };
        self.sources.iter().map(bytes).sum()
    }

    /// The bytes of the sectors that tiles read and write.
    fn moved_bytes(&self, knobs: &Knobs) -> f64 {
        let [lines, columns] = self.extents();
        let shape = self.stage.shape();
        let tiles = ceil_div(lines, knobs.lines) * ceil_div(columns, knobs.columns);
        let others = self.stage.work() / (lines * columns).max(1);
        let (line, column) = (knobs.lines.min(lines), knobs.columns.min(columns));
        let read = |source: &Source| {
            // Whole rows follow each other.
            let is_whole = line == lines && source.column + 1 == source.line;
            let runs = if is_whole {
                (1, line * column)
            } else {
                (column, line)
            };
            sectors::of_runs(runs, source.operand.bytes())
        };
        let is_whole = column == columns && self.dim + 2 == shape.len();
        let runs = if is_whole {
            (1, line * column)
        } else {
            (line, column)
        };
        let bytes = self.stage.tensor().ty().element().byte_width() as i64;
        let of_tile = self.sources.iter().map(read).sum::<f64>() + sectors::of_runs(runs, bytes);
        of_tile * (tiles * others) as f64
    }

    /// Has the threads of a block copy a tile along the dimension that is read. Rows begin in different banks.
    fn emit_copy(&self, source: &Source, s: &ScheduleBuilder, (result, block): (Value, Value)) {
        let reader = s.stage(source.reader.tensor());
        let copy = s.cache_read(source.operand.tensor, &[reader], Scope::Shared);
        s.compute_at(copy, result, block);
        let axes = s.axes(copy, source.operand.rank());
        let (factor, offset) = gpu::odd_words(source.operand.bytes());
        s.storage_align(copy, axes[source.line - 1], factor, offset);
        let (step, thread) = s.split(s.fuse(&axes), self.threads());
        s.bind(thread, Thread::ThreadX);
        s.unroll(step);
    }
}

impl Template for Transpose {
    type Knobs = Knobs;

    const DOC: Doc = Doc {
        name: "gpu/transpose",
        applies: "On a GPU: a stage that reads along one dimension and writes along another.",
        ways: &[Way {
            knobs: "lines, columns",
            loops: "Blocks of `lines` elements along the dimension that is read, and `columns` along the last one. The threads copy what the block reads, in the order of memory, then each computes some elements, in their order.",
            kept: "Shared memory: the tile, in rows of an odd number of words.",
        }],
    };

    fn space(&self, _: Machine) -> Vec<Knobs> {
        let [lines, columns] = self.extents();
        let sides = |extent: i64| {
            let whole = (extent <= gpu::LONGEST_SIDE).then_some(extent);
            let parts = gpu::SIDES.into_iter().filter(move |side| *side < extent);
            whole.into_iter().chain(parts).collect::<Vec<i64>>()
        };
        let (lines, columns) = (sides(lines), sides(columns));
        let all = lines
            .iter()
            .flat_map(|lines| columns.iter().map(|columns| (*lines, *columns)));
        let mut tiles: Vec<Knobs> = all
            .map(|(lines, columns)| Knobs { lines, columns })
            .collect();
        let most = gpu::most_shared_bytes(self.gpu);
        let fits = |knobs: &Knobs| {
            self.shared_bytes(knobs) <= most
                && knobs.lines * knobs.columns <= self.threads() * gpu::MOST_STEPS_OF_COPY
        };

        tiles.retain(fits);
        if tiles.is_empty() {
            tiles.push(Knobs {
                lines: 1,
                columns: 1,
            });
        }
        tiles
    }

    fn cost(&self, knobs: &Knobs, _: Machine) -> Cycles {
        let [lines, columns] = self.extents();
        let elements = self.stage.work();
        let tiles = ceil_div(lines, knobs.lines) * ceil_div(columns, knobs.columns);
        let others = elements / (lines * columns).max(1);
        let launch = Launch {
            shared_bytes: self.shared_bytes(knobs),
            ..Launch::of(tiles * others, self.threads())
        };
        // Idle threads take part in each step, of the copies and of the results.
        let of_block = ceil_div(knobs.lines * knobs.columns, self.threads()) * self.threads();
        let places = (launch.blocks * of_block) as f64;
        let element = gpu::operations(inline::element(self.stage, &self.inlined));
        let copies = self.sources.len() as f64;
        let read = inline::read_bytes(self.stage, &self.inlined);
        let tiled: i64 = self
            .sources
            .iter()
            .map(|source| source.operand.bytes() * elements)
            .sum();
        let work = Work {
            operations: places * (element + (1.0 + copies) * gpu::OPERATIONS_OF_INDEX),
            bytes: self.moved_bytes(knobs) + (read - tiled).max(0) as f64,
            shared_words: places * copies,
        };
        gpu::cycles(launch, work, self.gpu) + Steps { steps: 1, launch }.cycles(self.gpu)
    }

    fn emit(&self, knobs: &Knobs, s: &ScheduleBuilder, _: Machine) {
        let result = s.stage(self.stage.tensor());
        let mut axes = s.axes(result, self.stage.axes());
        let last = axes.len() - 1;
        let (outer_lines, line) = s.split(axes[self.dim], knobs.lines);
        let (outer_columns, column) = s.split(axes[last], knobs.columns);
        axes[self.dim] = outer_lines;
        axes[last] = outer_columns;
        s.reorder(&[&axes[..], &[line, column]].concat());
        let block = s.fuse(&axes);
        s.bind(block, Thread::BlockX);
        let (step, thread) = s.split(s.fuse(&[line, column]), self.threads());
        s.reorder(&[thread, step]);
        s.bind(thread, Thread::ThreadX);
        s.unroll(step);
        for source in &self.sources {
            self.emit_copy(source, s, (result, block));
        }
    }
}
