//! Products on a GPU: dense layers, products of matrices, convolutions that do not have groups.
//!
//! Results that share the elements of an operand form a tile. A block computes a tile, step by step along the reduction: its threads
//! copy the parts of both operands that a step needs into shared memory, and each adds their products to sums in its registers.

use super::{counts_of_threads, powers};
use crate::schedule::{
    Machine,
    cost::{
        Cycles,
        gpu::{self, Launch, Steps, Work},
    },
    epilogue::Epilogue,
    operands::{self, Operand},
    templates::{Doc, Template, Way},
};
use relay_dialects::{
    index::ceil_div,
    ir::{AffineExpr, AffineMap, Attr, Value},
    te::build::ScheduleBuilder,
    tir::{Scope, Thread},
};
use relay_machine::Gpu;
use std::fmt;

/// A product.
pub struct Product {
    /// The product, and what is computed with its results.
    epilogue: Epilogue,
    operands: [Operand; 2],
    /// The extents of the axes, those of the results first.
    extents: Vec<i64>,
    /// Whether each data axis has an open extent; then `extents` has the one that is planned for.
    open: Vec<bool>,
    /// The axes that tiles lie along: of each operand one or two that the other one does not follow.
    tiled: Vec<usize>,
    gpu: Gpu,
}

/// A tile.
#[derive(Clone, Debug, PartialEq)]
pub struct Knobs {
    /// Its extents.
    tile: Vec<Part>,
    /// The indices along the first reduce axis in a step.
    depth: i64,
    /// Whether a step is of one index along the other reduce axes, the taps of a window. Else it has all of them.
    taps_apart: bool,
}

/// A part of an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Part {
    /// The threads along it.
    threads: i64,
    /// The results of a thread.
    results: i64,
}

impl Part {
    fn extent(self) -> i64 {
        self.threads * self.results
    }
}

impl fmt::Display for Knobs {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |of: fn(&Part) -> i64| {
            let numbers = self.tile.iter().map(|part| of(part).to_string());
            numbers.collect::<Vec<_>>().join("x")
        };
        let (threads, results) = (list(|part| part.threads), list(|part| part.results));
        let taps = if self.taps_apart { "apart" } else { "together" };
        write!(
            formatter,
            "threads={threads} results={results} depth={} taps={taps}",
            self.depth
        )
    }
}

/// The axes along which an operand shares tiles with results that the other one does not follow: the last two.
fn tiled_axes(own: &Operand, other: &Operand, shape: &[i64]) -> Vec<usize> {
    let own = own.own_axes(other, shape);
    own[own.len().saturating_sub(2)..].to_vec()
}

impl Product {
    /// None if the results share too little for tiles.
    pub fn of(epilogue: Epilogue, gpu: Gpu) -> Result<Self, Epilogue> {
        let stage = epilogue.stages[0];
        let Some(operands) = operands::of(stage)
            .filter(|_| !stage.sums_open_number() && stage.op.result_count() == 1)
        else {
            return Err(epilogue);
        };
        let shape = stage.shape();
        let extents = [&shape[..], &stage.reduce_extents()].concat();
        let [first, second] = &operands;
        let sides = [
            tiled_axes(first, second, &shape),
            tiled_axes(second, first, &shape),
        ];
        let is_wide = |axes: &Vec<usize>| {
            axes.iter().map(|axis| shape[*axis]).product::<i64>() >= gpu::LEAST_SHARED
        };
        if !sides.iter().all(is_wide) || extents.contains(&0) {
            return Err(epilogue);
        }
        let mut tiled = sides.concat();
        tiled.sort_unstable();
        Ok(Self {
            open: stage.dims().iter().map(|dim| !dim.is_known()).collect(),
            epilogue,
            operands,
            extents,
            tiled,
            gpu,
        })
    }

    fn rank(&self) -> usize {
        self.epilogue.last.shape().len()
    }

    /// The parts of a tiled axis to choose from: powers of two, as long as the axis at most.
    fn parts(&self, axis: usize) -> Vec<Part> {
        let extent = self.extents[axis];
        let most = (self.gpu.threads_of_block).min(gpu::MOST_THREADS_ALONG);
        // Of three axes, short parts have as many threads and results.
        let results = match self.tiled.len() {
            ..=2 => gpu::MOST_RESULTS_ALONG,
            _ => gpu::MOST_RESULTS_ALONG / 2,
        };
        let parts = powers(most)
            .flat_map(|threads| powers(results).map(move |results| Part { threads, results }));
        parts.filter(|part| part.extent() < 2 * extent).collect()
    }

    /// All tiles that the registers of a thread hold and a block has threads for.
    fn tiles(&self) -> Vec<Vec<Part>> {
        let counts: Vec<i64> = counts_of_threads(self.gpu)
            .take(gpu::COUNTS_OF_THREADS)
            .collect();
        let most = counts.first().copied().unwrap_or(1);
        let fits = |tile: &[Part]| {
            let threads: i64 = tile.iter().map(|part| part.threads).product();
            let results: i64 = tile.iter().map(|part| part.results).product();
            threads <= most && results <= gpu::MOST_RESULTS
        };
        let mut tiles: Vec<Vec<Part>> = vec![Vec::new()];
        for axis in &self.tiled {
            let parts = self.parts(*axis);
            let longer = tiles
                .iter()
                .flat_map(|tile| parts.iter().map(|part| [&tile[..], &[*part]].concat()));
            tiles = longer.filter(|tile| fits(tile)).collect();
        }
        let threads = |tile: &[Part]| tile.iter().map(|part| part.threads).product::<i64>();
        let widest = tiles.iter().map(|tile| threads(tile)).max().unwrap_or(1);
        let least = counts.last().copied().unwrap_or(1).min(widest);
        tiles.retain(|tile| threads(tile) >= least);
        tiles
    }

    /// The indices along the first reduce axis to choose from for a step: those that divide it, if there are any, because the end
    /// of another step is a condition on each term.
    fn depths(&self) -> Vec<i64> {
        let extent = self.extents[self.rank()];
        let depths = gpu::DEPTHS.into_iter().map(|depth| depth.min(extent));
        let mut depths: Vec<i64> = depths.collect();
        depths.dedup();
        if depths.iter().any(|depth| extent % depth == 0) {
            depths.retain(|depth| extent % depth == 0);
        }
        depths
    }

    /// The extent of a part of an axis. A known axis may be shorter than the part.
    fn extent_of(&self, axis: usize, part: Part) -> i64 {
        match self.open[axis] {
            true => part.extent(),
            false => part.extent().min(self.extents[axis]),
        }
    }

    /// The extents of all axes in a step of a block.
    fn step(&self, knobs: &Knobs) -> Vec<i64> {
        let rank = self.rank();
        let mut step = vec![1; self.extents.len()];
        for (axis, part) in self.tiled.iter().zip(&knobs.tile) {
            step[*axis] = self.extent_of(*axis, *part);
        }
        step[rank] = knobs.depth;
        if !knobs.taps_apart {
            step[rank + 1..].copy_from_slice(&self.extents[rank + 1..]);
        }
        step
    }

    /// The bytes of shared memory that a block needs.
    fn shared_bytes(&self, knobs: &Knobs) -> i64 {
        let step = self.step(knobs);
        let bytes = self
            .operands
            .iter()
            .map(|operand| operand.part(&step).iter().product::<i64>() * operand.bytes());
        bytes.sum()
    }

    /// The threads of a block: of a tile that is longer than its axis, fewer.
    fn threads(&self, knobs: &Knobs) -> i64 {
        let parts = self.tiled.iter().zip(&knobs.tile);
        let along = parts.map(|(axis, part)| ceil_div(self.extent_of(*axis, *part), part.results));
        along.product()
    }

    /// The numbers that a thread reads from shared memory for a term of each of its sums.
    fn read_by_thread(&self, knobs: &Knobs) -> i64 {
        let of_operand = |operand: &Operand| {
            let parts = self.tiled.iter().zip(&knobs.tile);
            parts
                .filter(|(axis, _)| operand.follows(**axis))
                .map(|(_, part)| part.results)
                .product::<i64>()
        };
        self.operands.iter().map(of_operand).sum()
    }

    /// Splits the results into blocks, threads and what each thread keeps. Returns the loop over threads.
    fn emit_result(&self, knobs: &Knobs, s: &ScheduleBuilder, result: Value) -> Value {
        let mut blocks = s.axes(result, self.rank());
        let (mut threads, mut own) = (Vec::new(), Vec::new());
        for (axis, part) in self.tiled.iter().zip(&knobs.tile) {
            let (block, inside) = s.split(blocks[*axis], part.extent());
            let (thread, results) = s.split(inside, part.results);
            blocks[*axis] = block;
            threads.push(thread);
            own.push(results);
        }
        s.reorder(&[&blocks[..], &threads, &own].concat());
        s.bind(s.fuse(&blocks), Thread::BlockX);
        own.iter().for_each(|axis| s.unroll(*axis));
        let thread = s.fuse(&threads);
        s.bind(thread, Thread::ThreadX);
        thread
    }

    /// Splits the reduction into steps. Returns the loop over them.
    fn emit_sums(&self, knobs: &Knobs, s: &ScheduleBuilder, sums: Value) -> Value {
        let axes = s.axes(sums, self.extents.len());
        let (results, reduce) = axes.split_at(self.rank());
        let (step, inside) = s.split(reduce[0], knobs.depth);
        let taps = &reduce[1..];
        let (steps, terms) = match knobs.taps_apart {
            true => ([taps, &[step]].concat(), vec![inside]),
            false => (vec![step], [&[inside], taps].concat()),
        };
        s.reorder(&[&steps[..], &terms, results].concat());
        results.iter().for_each(|axis| s.unroll(*axis));
        let copies: i64 = knobs.tile.iter().map(|part| part.results).product();
        let last = match knobs.taps_apart || taps.is_empty() {
            true => knobs.depth,
            false => self.extents.last().copied().unwrap_or(1),
        };
        if copies * last <= gpu::MOST_COPIES {
            s.unroll(terms[terms.len() - 1]);
        }
        steps[steps.len() - 1]
    }

    /// Has all threads copy what a step needs of an operand, with results of a tile next to each other.
    fn emit_copy(
        &self,
        operand: &Operand,
        s: &ScheduleBuilder,
        (sums, step): (Value, Value),
        threads: i64,
    ) {
        let copy = s.cache_read(operand.tensor, &[sums], Scope::Shared);
        s.compute_at(copy, sums, step);
        let order = operand.with_last(&self.tiled);
        let rank = order.len();
        if !order.is_sorted() {
            let map = AffineMap {
                dims: rank,
                results: order.into_iter().map(AffineExpr::Dim).collect(),
            };
            s.transform_layout(copy, Attr::affine_map(operand.tensor.ctx(), &map));
        }
        let (_, thread) = s.split(s.fuse(&s.axes(copy, rank)), threads);
        s.bind(thread, Thread::ThreadX);
    }
}

impl Template for Product {
    type Knobs = Knobs;

    const DOC: Doc = Doc {
        name: "gpu/product",
        applies: "On a GPU: a dense layer, a product of matrices, or a convolution without groups, with what follows it element by element.",
        ways: &[Way {
            knobs: "threads, results, depth, taps",
            loops: "Blocks of `threads` times `results` results along each axis of a tile. Steps of `depth` indices along the first reduce axis, with all taps of a window if `taps=together`: the threads copy what the step reads. Then the terms of the step, and a thread's results.",
            kept: "Registers: the sums of a thread. Shared memory: the operands of a step.",
        }],
    };

    fn space(&self, _: Machine) -> Vec<Knobs> {
        let depths = self.depths();
        let most = gpu::most_shared_bytes(self.gpu);
        let of_tile = |tile: Vec<Part>| {
            depths.clone().into_iter().filter_map(move |depth| {
                let knobs = |taps_apart| Knobs {
                    tile: tile.clone(),
                    depth,
                    taps_apart,
                };
                // One tap at a time reads more often what neighbouring taps share.
                let mut ways = [false, true].into_iter().map(knobs);
                ways.find(|knobs| self.shared_bytes(knobs) <= most)
            })
        };
        let fitting: Vec<Knobs> = self.tiles().into_iter().flat_map(of_tile).collect();
        match fitting.is_empty() {
            true => vec![Knobs {
                tile: vec![
                    Part {
                        threads: 1,
                        results: 1
                    };
                    self.tiled.len()
                ],
                depth: 1,
                taps_apart: true,
            }],
            false => fitting,
        }
    }

    fn cost(&self, knobs: &Knobs, _: Machine) -> Cycles {
        let rank = self.rank();
        let (step, threads) = (self.step(knobs), self.threads(knobs));
        let blocks = self.extents[..rank]
            .iter()
            .zip(&step)
            .map(|(all, part)| ceil_div(*all, *part));
        let blocks: i64 = blocks.product();
        let steps = self.extents[rank..]
            .iter()
            .zip(&step[rank..])
            .map(|(all, part)| ceil_div(*all, *part));
        let steps: i64 = steps.product();
        let terms = (steps * step[rank..].iter().product::<i64>()) as f64;
        let results: i64 = knobs.tile.iter().map(|part| part.results).product();
        let read = self.read_by_thread(knobs);
        let launch = Launch {
            blocks,
            threads,
            registers: gpu::registers_of_tile(results, read),
            shared_bytes: self.shared_bytes(knobs),
        };
        let all_threads = (blocks * threads) as f64;
        let copied = (blocks * steps) as f64 * launch.shared_bytes as f64;
        let stage = self.epilogue.stages[0];
        let work = Work {
            operations: all_threads * results as f64 * terms,
            bytes: gpu::bytes_with_cache(stage.read_bytes() as f64, copied)
                + self.epilogue.last.written_bytes() as f64,
            shared_words: all_threads * read as f64 * terms,
        };
        gpu::cycles(launch, work, self.gpu) + Steps { steps, launch }.cycles(self.gpu)
    }

    fn emit(&self, knobs: &Knobs, s: &ScheduleBuilder, _: Machine) {
        self.epilogue.inline(s);
        let (sums, result) = self.epilogue.accumulator(s);
        let thread = self.emit_result(knobs, s, result);
        s.compute_at(sums, result, thread);
        let step = self.emit_sums(knobs, s, sums);
        for operand in &self.operands {
            self.emit_copy(operand, s, (sums, step), self.threads(knobs));
        }
    }
}
