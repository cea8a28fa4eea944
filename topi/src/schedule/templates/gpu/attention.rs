//! Attentions on a GPU in one kernel, by blocks of keys: a block of threads computes some queries, and keeps no scores but those of a
//! block of keys.

mod tiles;
mod warps;

use super::factor;
use crate::schedule::{
    F32_BYTES, Machine,
    cost::{
        Cycles,
        gpu::{self, CYCLES_OF_SHARED, KEYS_OF_BLOCK, Launch, OPERATIONS_OF_FUNCTION, Steps, Work},
    },
    epilogue::Epilogue,
    online::{Online, Size},
    operands::{self, Operand},
    stage::{Read, Stage},
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
use tiles::Tile;
use warps::{Product, Warps};

/// An attention by blocks of keys.
pub struct Attention {
    online: Online,
    /// The queries and the keys.
    operands: [Operand; 2],
    /// How warps multiply its matrices, if they do.
    product: Option<Product>,
    /// What is computed with the results.
    epilogue: Epilogue,
    /// The stages that become part of others.
    inlined: Vec<Stage>,
    gpu: Gpu,
}

/// How a block of threads computes its queries.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Knobs {
    /// Each thread multiplies.
    Tile(Tile),
    /// Warps multiply matrices.
    Warps(Warps),
}

impl fmt::Display for Knobs {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tile(tile) => write!(formatter, "{tile}"),
            Self::Warps(warps) => write!(formatter, "{warps}"),
        }
    }
}

/// The threads of a block.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Block {
    /// The queries that it computes.
    queries: i64,
    /// Its threads.
    threads: i64,
    /// Of a block of warps along `threadIdx.y`, the threads of a warp.
    warp: Option<i64>,
}

impl Block {
    /// Has threads run the iterations of a loop. Returns the loop inside of which a thread computes.
    fn bind(self, s: &ScheduleBuilder, axis: Value) -> Value {
        let Some(warp) = self.warp else {
            s.bind(axis, Thread::ThreadX);
            return axis;
        };
        let (of_block, lane) = s.split(axis, warp);
        s.bind(of_block, Thread::ThreadY);
        s.bind(lane, Thread::ThreadX);
        lane
    }

    /// Has all threads compute the elements of a stage in shared memory, in an order of its dimensions.
    fn share(self, s: &ScheduleBuilder, stage: Value, order: &[usize]) {
        let axes = s.axes(stage, order.len());
        let ordered: Vec<Value> = order.iter().map(|dim| axes[*dim]).collect();
        if !order.is_sorted() {
            s.reorder(&ordered);
        }
        let (_, thread) = s.split(s.fuse(&ordered), self.threads);
        self.bind(s, thread);
    }

    /// The threads that share the maximum and the sum of a query.
    fn lanes(self) -> i64 {
        (self.threads / self.queries).clamp(1, gpu::MOST_LANES_OF_ROW)
    }

    /// Computes a maximum or a sum of each query, in the loop `at` of a stage. Returns the stage that reads its terms.
    fn reduce(self, stage: Stage, s: &ScheduleBuilder, at: (Value, Value)) -> Value {
        let partial = (self.lanes() > 1).then(|| factor(s, stage, 1, self.lanes()));
        let row = s.stage(stage.tensor());
        let sums = s.cache_write(row, Scope::Local);
        let query = s.axes(row, 3)[1];
        let mut rows = vec![(row, sums, query)];
        rows.extend(partial.as_ref().map(|partial| {
            let thread = s.fuse(&partial.axes);
            (partial.stage, partial.sums, thread)
        }));
        for (stage, sums, axis) in rows {
            s.set_scope(stage, Scope::Shared);
            s.compute_at(stage, at.0, at.1);
            let thread = self.bind(s, axis);
            s.compute_at(sums, stage, thread);
        }
        partial.map_or(sums, |partial| partial.sums)
    }
}

/// Whether an attention of a size is one kernel: of open extents, of the size that is planned for.
pub fn is_for(size: Size, gpu: Gpu) -> bool {
    size.queries >= gpu::LEAST_SHARED && !tiles::all(size, gpu).is_empty()
}

impl Attention {
    /// None if the stages are something else.
    pub fn of(stages: &[Stage], returned: &[Value], gpu: Gpu) -> Option<Self> {
        let online = Online::of(stages)?;
        let [result] = online.combined.readers()[..] else {
            return None;
        };
        if !online.combined.reads().into_iter().all(Read::is_pointwise) {
            return None;
        }
        let epilogue = Epilogue::of(result, returned)?;
        let operands = operands::of(online.scores)?;
        let is_computed = |stage: &Stage| {
            online.of_block().contains(stage)
                || *stage == online.combined
                || *stage == epilogue.last
        };
        let others = stages.iter().copied();
        let inlined: Vec<Stage> = others.filter(|stage| !is_computed(stage)).collect();
        let is_for = returned.len() == 1
            && online.keys_of_block() == KEYS_OF_BLOCK
            && is_for(online.size(), gpu)
            && operands[0].follows(1)
            && operands[1].follows(2)
            && !inlined.iter().any(|stage| stage.reduces());
        is_for.then(|| Self {
            product: Product::of(&online, &operands, gpu),
            online,
            operands,
            epilogue,
            inlined,
            gpu,
        })
    }

    fn block(&self, knobs: &Knobs) -> Block {
        match knobs {
            Knobs::Tile(tile) => tile.block(),
            Knobs::Warps(warps) => warps.block(self.gpu),
        }
    }

    /// The blocks of threads that a knob leads to.
    fn launch(&self, knobs: &Knobs) -> Launch {
        let (size, block) = (self.online.size(), self.block(knobs));
        let (registers, shared_bytes) = match (knobs, &self.product) {
            (Knobs::Warps(warps), Some(product)) => (
                product.registers(*warps, size),
                product.shared_bytes(*warps, size, self.gpu),
            ),
            (Knobs::Tile(tile), _) => (tile.registers(size), tile.shared_bytes(size)),
            (Knobs::Warps(_), None) => (self.gpu.registers_of_thread, 0),
        };
        Launch {
            blocks: size.batch * ceil_div(size.queries, block.queries),
            threads: block.threads,
            registers,
            shared_bytes,
        }
    }

    /// The dimensions of a tensor that threads copy, in the order in which they read its elements: as these lie in memory.
    fn order_of_copy(&self, tensor: Value) -> Vec<usize> {
        let part = [self.online.part];
        let moved = [&part, &self.inlined[..]].concat();
        operands::order_in_memory(tensor, &moved)
    }

    /// The multiply-adds that take a multiprocessor as long as those of all steps, and the words that they read from shared memory.
    fn multiplying(&self, knobs: &Knobs, steps: i64) -> (f64, f64) {
        let size = self.online.size();
        let steps = steps as f64;
        match (knobs, &self.product) {
            (Knobs::Warps(warps), Some(product)) => {
                let slower = self.gpu.fma_per_cycle as f64 / product.rate;
                let words = product.words(*warps, size) as f64;
                (
                    product.terms(*warps, size) as f64 * steps * slower,
                    words * steps,
                )
            }
            (Knobs::Tile(tile), _) => {
                let threads = tile.block().threads as f64 * steps;
                (
                    tile.terms(size) as f64 * threads,
                    tile.words(size) as f64 * threads,
                )
            }
            (Knobs::Warps(_), None) => (0.0, 0.0),
        }
    }
}

impl Template for Attention {
    type Knobs = Knobs;

    const DOC: Doc = Doc {
        name: "gpu/attention",
        applies: "On a GPU: softmax(scores) * values in one function, by blocks of keys, whose number may be open. The scores are a product, scaled and masked.",
        ways: &[
            Way {
                knobs: "threads, results",
                loops: "Blocks of `threads` times `results` queries, and all columns. Steps of a block of keys: the threads copy keys and values, and compute scores, maxima, exponentials and sums one after the other. Then each multiplies its part, and combines it with that of the steps before.",
                kept: "Registers: the maxima, sums and results of a thread. Shared memory: the queries of a block; keys, values, scores and exponentials of a step.",
            },
            Way {
                knobs: "warps",
                loops: "Of 16-bit floats, with instructions for matrices: blocks of `warps` along queries and along columns. The same steps; warps multiply matrices of queries, keys, exponentials and values.",
                kept: "Registers: the maxima, sums and results of a warp. Shared memory: as above.",
            },
        ],
    };

    fn space(&self, _: Machine) -> Vec<Knobs> {
        let size = self.online.size();
        let warps = self
            .product
            .iter()
            .flat_map(|product| product.all(size, self.gpu));
        let mut all: Vec<Knobs> = warps.map(Knobs::Warps).collect();
        if all.is_empty() {
            all.extend(tiles::all(size, self.gpu).into_iter().map(Knobs::Tile));
        }
        all
    }

    fn cost(&self, knobs: &Knobs, _: Machine) -> Cycles {
        let (size, block, launch) = (self.online.size(), self.block(knobs), self.launch(knobs));
        let steps = size.keys / KEYS_OF_BLOCK;
        let (multiply_adds, words) = self.multiplying(knobs, launch.blocks * steps);
        // The exponentials of a step, and the factor of each result.
        let functions = block.queries * (KEYS_OF_BLOCK + size.columns);
        let functions = (launch.blocks * steps * functions) as f64 * OPERATIONS_OF_FUNCTION;
        let of_row = (size.depth + size.columns) * size.bytes;
        let once = (size.batch * (size.queries + size.keys) * of_row) as f64;
        let copied = (launch.blocks * steps * KEYS_OF_BLOCK * of_row) as f64;
        let work = Work {
            operations: multiply_adds + functions,
            bytes: gpu::bytes_with_cache(once, copied),
            shared_words: words,
        };
        let levels = 2 * (KEYS_OF_BLOCK / block.lanes() + block.lanes());
        let waiting = (launch.waves(self.gpu) * steps * levels) as f64 * CYCLES_OF_SHARED;
        gpu::cycles(launch, work, self.gpu)
            + Steps { steps, launch }.cycles(self.gpu)
            + Cycles(waiting)
    }

    fn emit(&self, knobs: &Knobs, s: &ScheduleBuilder, _: Machine) {
        for stage in &self.inlined {
            s.compute_inline(s.stage(stage.tensor()));
        }
        match (knobs, &self.product) {
            (Knobs::Warps(warps), Some(product)) => self.emit_warps(*warps, product, s),
            (Knobs::Tile(tile), _) => self.emit_tile(*tile, s),
            (Knobs::Warps(_), None) => {}
        }
    }
}

/// The bytes of scores of a step in shared memory, and of maxima and sums, with those that threads share.
fn bytes_of_scores(block: Block) -> i64 {
    block.queries * (KEYS_OF_BLOCK + 2 * block.lanes() + 2) * F32_BYTES
}
