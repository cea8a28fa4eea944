//! Templates for GPUs.
//!
//! The loops of a stage at the root are a grid: those that number blocks are bound to `blockIdx.x`, those that number the threads of
//! a block to `threadIdx.x`. Threads along `threadIdx.x` have neighbouring elements, which a warp moves together.

pub mod attention;
pub mod elementwise;
pub mod matrix;
pub mod product;
pub mod reduce;
pub mod rows;
pub mod transpose;
pub mod window;

use crate::schedule::{
    cost::{gpu::MOST_THREADS, powers},
    stage::Stage,
};
use relay_dialects::{
    ir::Value,
    te::build::ScheduleBuilder,
    tir::{Scope, Thread},
};
use relay_machine::Gpu;
use std::fmt;

/// The numbers of threads of a block to choose from, the largest first: down to a warp.
fn counts_of_threads(gpu: Gpu) -> impl Iterator<Item = i64> {
    let most = gpu.threads_of_block.clamp(1, MOST_THREADS);
    let halves = std::iter::successors(Some(most), |count| Some(count / 2));
    halves.take_while(move |count| *count == most || (*count >= gpu.warp && *count > 0))
}

/// The threads of a block, where nothing else is to choose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Threads {
    threads: i64,
}

impl Threads {
    /// All choices.
    fn space(gpu: Gpu) -> Vec<Self> {
        let counts = counts_of_threads(gpu);
        counts.map(|threads| Self { threads }).collect()
    }
}

impl fmt::Display for Threads {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "threads={}", self.threads)
    }
}

/// Spreads loops over a grid whose blocks have so many threads. Returns the loop over the threads, or none if there is nothing to
/// spread.
fn spread(s: &ScheduleBuilder, axes: &[Value], threads: i64) -> Option<Value> {
    if axes.is_empty() {
        return None;
    }
    let (block, thread) = s.split(s.fuse(axes), threads);
    s.bind(block, Thread::BlockX);
    s.bind(thread, Thread::ThreadX);
    Some(thread)
}

/// Partial results of a reduction.
struct Partial {
    /// Their stage. Its last dimension numbers those of a result.
    stage: Value,
    /// The stage that sums them in registers.
    sums: Value,
    /// The loops over them.
    axes: Vec<Value>,
}

impl Partial {
    /// Has a thread compute each, in the threads of a block inside of the loop `at` of a stage.
    fn share(&self, s: &ScheduleBuilder, (reader, at): (Value, Value)) {
        s.set_scope(self.stage, Scope::Shared);
        s.compute_at(self.stage, reader, at);
        let thread = s.fuse(&self.axes);
        s.bind(thread, Thread::ThreadX);
        s.compute_at(self.sums, self.stage, thread);
    }

    /// Has a thread compute each, in a grid.
    fn spread(&self, s: &ScheduleBuilder, threads: i64) {
        if let Some(thread) = spread(s, &self.axes, threads) {
            s.compute_at(self.sums, self.stage, thread);
        }
    }
}

/// Makes `count` partial results of each result of a reduction, which has so many reduce axes: of the terms whose numbers leave the
/// same rest.
fn factor(s: &ScheduleBuilder, stage: Stage, reduce: usize, count: i64) -> Partial {
    let (handle, rank) = (s.stage(stage.tensor()), stage.shape().len());
    let axes = s.axes(handle, rank + reduce);
    let (_, lane) = s.split(s.fuse(&axes[rank..]), count);
    let stage = s.rfactor(handle, lane, rank as i64);
    let sums = s.cache_write(stage, Scope::Local);
    Partial {
        stage,
        sums,
        axes: s.axes(stage, rank + 1),
    }
}

/// Makes a partial result for each of the `lanes` threads that share a result, and if they are more than a warp, a few of these: of a warp's
/// sums one thread takes as long as two levels.
fn factor_for(
    s: &ScheduleBuilder,
    stage: Stage,
    reduce: usize,
    lanes: i64,
    gpu: Gpu,
) -> Vec<Partial> {
    let mut partial = vec![factor(s, stage, reduce, lanes)];
    if lanes > gpu.warp {
        partial.push(factor(s, stage, 1, square_root(lanes)));
    }
    partial
}

/// The least power of two that is no less than the square root of a number.
fn square_root(number: i64) -> i64 {
    powers(i64::MAX)
        .find(|root| root * root >= number)
        .unwrap_or(1)
}
