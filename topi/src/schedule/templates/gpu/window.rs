//! Reductions over windows that overlap, on a GPU: depthwise convolutions and pools. A block copies what its results read into shared
//! memory, and each thread computes some rows of a column, whose windows share elements in its registers.

use super::powers;
use crate::schedule::{
    Machine, Stage,
    cost::{
        Cycles,
        gpu::{self, Launch, Steps, Work},
        sectors,
    },
    epilogue::Epilogue,
    inline,
    operands::{self, Operand},
    templates::{Doc, Template, Way},
};
use relay_dialects::{
    index::ceil_div,
    ir::Value,
    te::build::ScheduleBuilder,
    tir::{Scope, Thread},
};
use relay_machine::Gpu;
use std::fmt;

/// A reduction over windows.
pub struct Window {
    /// The reduction, and what is computed with its results.
    epilogue: Epilogue,
    form: Form,
    /// The extents of the axes, those of the results first.
    extents: Vec<i64>,
    gpu: Gpu,
}

/// How a reduction is one over windows.
struct Form {
    /// What it reads.
    operands: Vec<Operand>,
    /// The axis of rows, if windows move along two, and that of columns.
    axes: (Option<usize>, usize),
    /// The axis of planes, each with rows and columns.
    planes: Option<usize>,
}

/// A tile.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Knobs {
    /// The results of a block along planes, rows and columns.
    tile: [i64; 3],
    /// The rows of a thread.
    rows: i64,
}

impl fmt::Display for Knobs {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [planes, rows, columns] = self.tile;
        write!(
            formatter,
            "tile={planes}x{rows}x{columns} rows={}",
            self.rows
        )
    }
}

impl Form {
    /// None if windows do not overlap, or the reduction reads by subscripts that are no sums of axes.
    fn of(stage: Stage) -> Option<Self> {
        if stage.is_open() || stage.op.result_count() != 1 {
            return None;
        }
        let (shape, reduced) = (stage.shape(), stage.reduce_extents());
        let extents = [&shape[..], &reduced].concat();
        let (operands, fixed) = operands::with_fixed_axes(stage)?;
        let is_read_twice = |operand: &Operand| {
            let of_tensor = operands
                .iter()
                .filter(|other| other.tensor == operand.tensor);
            of_tensor.count() > 1
        };
        if extents.contains(&0) || operands.iter().any(is_read_twice) {
            return None;
        }
        let window_axes = |operand: &Operand| operand.window_axes(shape.len(), &extents);
        let mut data = operands
            .iter()
            .filter(|operand| !window_axes(operand).is_empty());
        let windowed = data.next()?;
        let windows = window_axes(windowed);
        let is_fixed_there =
            |axis: &usize| fixed.contains(axis) && (*axis >= shape.len() || windows.contains(axis));
        if data.next().is_some() || fixed.iter().any(is_fixed_there) {
            return None;
        }
        // Two neighbours read fewer elements than each alone, if their windows overlap.
        let read = |of: &dyn Fn(usize) -> i64| {
            let step: Vec<i64> = (0..extents.len()).map(of).collect();
            windowed.part(&step).iter().product::<i64>()
        };
        let of_one = read(&|axis| if axis < shape.len() { 1 } else { extents[axis] });
        let overlaps = |at: &usize| {
            let of = |axis: usize| match axis {
                _ if axis == *at => 2,
                _ if axis < shape.len() => 1,
                _ => extents[axis],
            };
            read(&of) < 2 * of_one
        };
        if !windows.iter().any(overlaps) {
            return None;
        }
        let (column, rows) = windows.split_last()?;
        let is_free =
            |axis: &usize| shape[*axis] > 1 && !windows.contains(axis) && !fixed.contains(axis);
        let planes = (0..shape.len()).rev().find(is_free);
        Some(Self {
            operands,
            axes: (rows.last().copied(), *column),
            planes,
        })
    }
}

impl Window {
    /// The reduction of an epilogue, if it is one over windows.
    pub fn of(epilogue: Epilogue, gpu: Gpu) -> Result<Self, Epilogue> {
        let stage = epilogue.stages[0];
        match Form::of(stage) {
            Some(form) => Ok(Self {
                form,
                extents: [stage.shape(), stage.reduce_extents()].concat(),
                gpu,
                epilogue,
            }),
            None => Err(epilogue),
        }
    }

    fn rank(&self) -> usize {
        self.epilogue.last.shape().len()
    }

    /// The axes of a tile, along planes, rows and columns.
    fn tiled(&self) -> [Option<usize>; 3] {
        [self.form.planes, self.form.axes.0, Some(self.form.axes.1)]
    }

    /// The extents of all axes for a tile of the results.
    fn step(&self, tile: [i64; 3]) -> Vec<i64> {
        let rank = self.rank();
        let mut step = vec![1; self.extents.len()];
        step[rank..].copy_from_slice(&self.extents[rank..]);
        for (axis, extent) in self.tiled().into_iter().zip(tile) {
            if let Some(axis) = axis {
                step[axis] = extent.min(self.extents[axis]);
            }
        }
        step
    }

    /// The elements of all operands that results of a tile read.
    fn copied(&self, tile: [i64; 3], count: impl Fn(&Operand) -> i64) -> i64 {
        let step = self.step(tile);
        let of = |operand: &Operand| operand.part(&step).iter().product::<i64>() * count(operand);
        self.form.operands.iter().map(of).sum()
    }

    fn shared_bytes(&self, knobs: &Knobs) -> i64 {
        self.copied(knobs.tile, Operand::bytes)
    }

    /// The bytes of the sectors that a block copies: rows of the operands are apart.
    fn copied_bytes(&self, knobs: &Knobs) -> f64 {
        let step = self.step(knobs.tile);
        let of_operand = |operand: &Operand| {
            let part = operand.part(&step);
            let (row, others) = part
                .split_last()
                .map_or((1, &part[..]), |(row, others)| (*row, others));
            sectors::of_runs((others.iter().product(), row), operand.bytes())
        };
        self.form.operands.iter().map(of_operand).sum()
    }

    /// The threads of a block.
    fn threads(&self, knobs: &Knobs) -> i64 {
        let [planes, rows, columns] = knobs.tile;
        planes * ceil_div(rows, knobs.rows) * columns
    }

    /// The terms of a result.
    fn terms(&self) -> i64 {
        self.extents[self.rank()..].iter().product()
    }

    /// The rows of a thread to choose from: all terms of them are written out.
    fn rows(&self) -> Vec<i64> {
        let most = match self.form.axes.0 {
            Some(axis) => self.extents[axis].min(gpu::MOST_COPIES / self.terms().max(1)),
            None => 1,
        };
        (1..=gpu::MOST_RESULTS_ALONG.min(most.max(1))).collect()
    }

    /// The parts of an axis to choose from: powers of two, and all of it.
    fn sides(&self, axis: Option<usize>) -> Vec<i64> {
        let Some(extent) = axis.map(|axis| self.extents[axis]) else {
            return vec![1];
        };
        let most = extent.min(gpu::MOST_THREADS_ALONG);
        powers(most - 1).chain([most]).collect()
    }

    /// Has all threads of a block copy what it reads of an operand.
    fn emit_copy(
        &self,
        operand: &Operand,
        threads: i64,
        s: &ScheduleBuilder,
        (sums, result, block): (Value, Value, Value),
    ) {
        let copy = s.cache_read(operand.tensor, &[sums], Scope::Shared);
        s.compute_at(copy, result, block);
        let (_, thread) = s.split(s.fuse(&s.axes(copy, operand.rank())), threads);
        s.bind(thread, Thread::ThreadX);
    }
}

impl Template for Window {
    type Knobs = Knobs;

    const DOC: Doc = Doc {
        name: "gpu/window",
        applies: "On a GPU: a reduction over windows that overlap, such as a depthwise convolution or a pool, with what follows it element by element.",
        ways: &[Way {
            knobs: "tile, rows",
            loops: "Blocks of `tile` planes, rows and columns. The threads copy what the block reads, then each computes `rows` rows of a column: the terms of a window, and these rows.",
            kept: "Registers: the sums of a thread, and what its windows share. Shared memory: the windows of the block, and their weights.",
        }],
    };

    fn space(&self, _: Machine) -> Vec<Knobs> {
        let [planes, tall, wide] = self.tiled().map(|axis| self.sides(axis));
        let most = self.gpu.threads_of_block.min(gpu::MOST_THREADS);
        let shared = gpu::most_shared_bytes(self.gpu);
        let mut found = Vec::new();
        for rows in self.rows() {
            for threads in tall
                .iter()
                .filter(|threads| **threads == 1 || **threads * rows < 2 * tall[tall.len() - 1])
            {
                let sides = wide
                    .iter()
                    .flat_map(|columns| planes.iter().map(|planes| (*columns, *planes)));
                found.extend(sides.map(|(columns, planes)| Knobs {
                    tile: [planes, threads * rows, columns],
                    rows,
                }));
            }
        }
        found.retain(|knobs| self.threads(knobs) <= most && self.shared_bytes(knobs) <= shared);
        // Blocks of less than a warp are for results that are fewer.
        let widest = found.iter().map(|knobs| self.threads(knobs)).max();
        let least = self.gpu.warp.min(widest.unwrap_or(1));
        found.retain(|knobs| self.threads(knobs) >= least);
        if found.is_empty() {
            found.push(Knobs {
                tile: [1, 1, 1],
                rows: 1,
            });
        }
        found
    }

    fn cost(&self, knobs: &Knobs, _: Machine) -> Cycles {
        let stage = self.epilogue.stages[0];
        let tiles = self.tiled().into_iter().zip(knobs.tile);
        let counts =
            tiles.map(|(axis, part)| axis.map_or(1, |axis| ceil_div(self.extents[axis], part)));
        let blocks: i64 = counts.product::<i64>() * self.others();
        // Idle lanes of a warp take part in all that it does.
        let threads = ceil_div(self.threads(knobs), self.gpu.warp.max(1)) * self.gpu.warp.max(1);
        // What a thread reads of each operand, if all its terms are written out.
        let read = self.copied([1, knobs.rows, 1], |_| 1);
        let launch = Launch {
            blocks,
            threads,
            registers: gpu::registers_of_tile(knobs.rows, read.min(gpu::MOST_RESULTS)),
            shared_bytes: self.shared_bytes(knobs),
        };
        let steps = self.form.operands.iter().map(|operand| {
            let part: i64 = operand.part(&self.step(knobs.tile)).iter().product();
            ceil_div(part, threads)
        });
        let steps: i64 = steps.sum();
        let term = gpu::operations(inline::element(stage, &[]));
        let last = gpu::operations(inline::element(self.epilogue.last, &[]));
        let of_results = (threads * knobs.rows) as f64 * (self.terms() as f64 * term + last);
        let of_copies = (steps * threads) as f64 * gpu::OPERATIONS_OF_INDEX;
        let copied = blocks as f64 * self.copied_bytes(knobs);
        let work = Work {
            operations: blocks as f64 * (of_results + of_copies),
            bytes: gpu::bytes_with_cache(stage.read_bytes() as f64, copied)
                + self.epilogue.last.written_bytes() as f64,
            shared_words: (blocks * threads * read) as f64,
        };
        gpu::cycles(launch, work, self.gpu) + Steps { steps: 1, launch }.cycles(self.gpu)
    }

    fn emit(&self, knobs: &Knobs, s: &ScheduleBuilder, _: Machine) {
        self.epilogue.inline(s);
        let (sums, result) = self.epilogue.accumulator(s);
        let mut blocks = s.axes(result, self.rank());
        let (mut threads, mut own) = (Vec::new(), Vec::new());
        let mut tiled: Vec<(usize, i64, i64)> = Vec::new();
        for (place, axis) in self.tiled().into_iter().enumerate() {
            let rows = if place == 1 { knobs.rows } else { 1 };
            tiled.extend(axis.map(|axis| (axis, knobs.tile[place], rows)));
        }
        // Threads are numbered in the order of the results.
        tiled.sort_unstable();
        for (axis, extent, rows) in tiled {
            let (block, inside) = s.split(blocks[axis], extent);
            blocks[axis] = block;
            if rows > 1 {
                let (thread, row) = s.split(inside, rows);
                threads.push(thread);
                own.push(row);
            } else {
                threads.push(inside);
            }
        }
        s.reorder(&[&blocks[..], &threads, &own].concat());
        let block = s.fuse(&blocks);
        s.bind(block, Thread::BlockX);
        own.iter().for_each(|axis| s.unroll(*axis));
        let thread = s.fuse(&threads);
        s.bind(thread, Thread::ThreadX);
        s.compute_at(sums, result, thread);
        self.emit_sums(knobs, s, sums);
        for operand in &self.form.operands {
            self.emit_copy(operand, self.threads(knobs), s, (sums, result, block));
        }
    }
}

impl Window {
    /// The results along the axes that tiles do not lie along.
    fn others(&self) -> i64 {
        let tiled = self.tiled();
        let others = (0..self.rank()).filter(|axis| !tiled.contains(&Some(*axis)));
        others.map(|axis| self.extents[axis]).product()
    }

    /// The terms of a window, then the rows of a thread, all written out if they are few: so registers keep what rows share.
    fn emit_sums(&self, knobs: &Knobs, s: &ScheduleBuilder, sums: Value) {
        let axes = s.axes(sums, self.extents.len());
        let (results, reduce) = axes.split_at(self.rank());
        s.reorder(&[reduce, results].concat());
        results.iter().for_each(|axis| s.unroll(*axis));
        if knobs.rows * self.terms() <= gpu::MOST_COPIES {
            reduce.iter().for_each(|axis| s.unroll(*axis));
        }
    }
}
