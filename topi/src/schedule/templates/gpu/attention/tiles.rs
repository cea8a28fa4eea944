//! Attentions whose threads each multiply for some queries and columns.

use super::{Attention, Block, bytes_of_scores};
use crate::schedule::{
    cost::gpu::{self, KEYS_OF_BLOCK},
    online::Size,
    operands::Operand,
    templates::gpu::powers,
};
use relay_dialects::{
    index::ceil_div,
    ir::{AffineExpr, AffineMap, Attr, Value},
    te::build::ScheduleBuilder,
    tir::{Scope, Thread},
};
use relay_machine::Gpu;
use std::fmt;

/// A tile of queries and columns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tile {
    /// The threads along queries, and those along keys and columns.
    threads: [i64; 2],
    /// The queries of a thread.
    results: i64,
}

impl fmt::Display for Tile {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [queries, columns] = self.threads;
        let results = self.results;
        write!(formatter, "threads={queries}x{columns} results={results}")
    }
}

impl Tile {
    /// The threads of a block.
    pub(super) fn block(self) -> Block {
        Block {
            queries: self.threads[0] * self.results,
            threads: self.threads[0] * self.threads[1],
            warp: None,
        }
    }

    /// The keys and the columns of a thread.
    fn along(self, size: Size) -> [i64; 2] {
        [KEYS_OF_BLOCK, size.columns].map(|extent| ceil_div(extent, self.threads[1]))
    }

    /// The registers of a thread: scores, products, and maxima, sums and results.
    pub(super) fn registers(self, size: Size) -> i64 {
        let [keys, columns] = self.along(size);
        gpu::registers_of_tile(self.results * (keys + gpu::NUMBERS_OF_RESULT * columns), 0)
    }

    /// The multiply-adds of a thread in a step.
    pub(super) fn terms(self, size: Size) -> i64 {
        let [keys, columns] = self.along(size);
        self.results * (keys * size.depth + columns * KEYS_OF_BLOCK)
    }

    /// The words that a thread reads from shared memory in a step.
    pub(super) fn words(self, size: Size) -> i64 {
        let [keys, columns] = self.along(size);
        (self.results + keys) * size.depth + (self.results + columns) * KEYS_OF_BLOCK
    }

    /// The bytes of shared memory of a block.
    pub(super) fn shared_bytes(self, size: Size) -> i64 {
        let queries = self.block().queries;
        let copies = size.depth * (queries + KEYS_OF_BLOCK);
        let of_step = KEYS_OF_BLOCK * (queries + size.columns);
        (copies + of_step) * size.bytes + bytes_of_scores(self.block())
    }

    fn fits(self, size: Size, gpu: Gpu) -> bool {
        let (block, [_, along]) = (self.block(), self.threads);
        let columns = ceil_div(size.columns, along);
        block.queries <= size.queries
            // All threads have columns.
            && ceil_div(size.columns, columns) == along
            && block.threads >= block.queries
            && block.threads <= gpu.threads_of_block.min(gpu::MOST_THREADS)
            && self.results * columns <= gpu::MOST_RESULTS_OF_ATTENTION
            && self.registers(size) <= gpu.registers_of_thread
            && self.shared_bytes(size) <= gpu::most_shared_bytes(gpu)
    }
}

/// The tiles of an attention of a size.
pub fn all(size: Size, gpu: Gpu) -> Vec<Tile> {
    let sides = || powers(gpu::MOST_THREADS_ALONG);
    let along = || sides().filter(|along| *along <= KEYS_OF_BLOCK);
    let threads = sides().flat_map(|queries| along().map(move |columns| [queries, columns]));
    let all = threads.flat_map(|threads| {
        powers(gpu::MOST_RESULTS_ALONG).map(move |results| Tile { threads, results })
    });
    let mut all: Vec<Tile> = all.filter(|tile| tile.fits(size, gpu)).collect();
    // Of less than a warp, lanes would be idle.
    let is_full = |tile: &Tile| tile.block().threads >= gpu.warp;
    if all.iter().any(is_full) {
        all.retain(is_full);
    }
    all
}

impl Attention {
    /// Writes the schedule of a tile.
    pub(super) fn emit_tile(&self, tile: Tile, s: &ScheduleBuilder) {
        let (online, block) = (&self.online, tile.block());
        let result = s.stage(self.epilogue.last.tensor());
        let [blocks, thread] = self.emit_result_of_tile(tile, s, result);
        let combined = s.stage(online.combined.tensor());
        s.set_scope(combined, Scope::Local);
        s.compute_at(combined, result, thread);
        let axes = s.axes(combined, 4);
        let at = (combined, axes[3]);
        s.reorder(&[&axes[3..], &axes[..3]].concat());
        axes[..3].iter().for_each(|axis| s.unroll(*axis));

        let products = s.stage(online.products.tensor());
        s.set_scope(products, Scope::Local);
        s.compute_at(products, at.0, at.1);
        let [_, columns] = tile.along(online.size());
        let results = tile.results * columns;
        accumulate(s, &s.axes(products, 5), results, KEYS_OF_BLOCK);
        block.reduce(online.sums, s, at);
        for stage in [online.part, online.weights] {
            let handle = s.stage(stage.tensor());
            s.set_scope(handle, Scope::Shared);
            s.compute_at(handle, at.0, at.1);
            block.share(s, handle, &self.order_of_copy(stage.tensor()));
        }
        block.reduce(online.largest, s, at);
        self.emit_scores_of_tile(tile, s, at);
        let [queries, keys] = &self.operands;
        self.emit_copy((keys, 2), block, s, at);
        self.emit_copy((queries, 1), block, s, (result, blocks));
    }

    /// Splits the results into blocks, threads and what each thread keeps. Returns the loops over blocks and over threads.
    fn emit_result_of_tile(&self, tile: Tile, s: &ScheduleBuilder, result: Value) -> [Value; 2] {
        let [_, columns] = tile.along(self.online.size());
        let axes = s.axes(result, 3);
        let (block, inside) = s.split(axes[1], tile.block().queries);
        let (above, own) = s.split(inside, tile.results);
        let (side_by_side, column) = s.split(axes[2], columns);
        s.reorder(&[axes[0], block, above, side_by_side, own, column]);
        let block = s.fuse(&[axes[0], block]);
        s.bind(block, Thread::BlockX);
        let thread = s.fuse(&[above, side_by_side]);
        s.bind(thread, Thread::ThreadX);
        s.unroll(own);
        s.unroll(column);
        [block, thread]
    }

    /// The scores of a block of keys, in shared memory.
    fn emit_scores_of_tile(&self, tile: Tile, s: &ScheduleBuilder, at: (Value, Value)) {
        let blocks = s.stage(self.online.blocks.tensor());
        let [keys, _] = tile.along(self.online.size());
        s.set_scope(blocks, Scope::Shared);
        s.compute_at(blocks, at.0, at.1);
        let axes = s.axes(blocks, 4);
        let (above, own) = s.split(axes[1], tile.results);
        let (side_by_side, key) = s.split(axes[3], keys);
        s.reorder(&[axes[0], axes[2], above, side_by_side, own, key]);
        let thread = s.fuse(&[above, side_by_side]);
        s.bind(thread, Thread::ThreadX);
        s.unroll(own);
        s.unroll(key);
        let scores = s.stage(self.online.scores.tensor());
        s.set_scope(scores, Scope::Local);
        s.compute_at(scores, blocks, thread);
        let (results, depth) = (tile.results * keys, self.online.size().depth);
        accumulate(s, &s.axes(scores, 4), results, depth);
    }

    /// Copies queries or keys: `axis` is theirs, and those of a tile are next to each other.
    fn emit_copy(
        &self,
        (operand, axis): (&Operand, usize),
        block: Block,
        s: &ScheduleBuilder,
        at: (Value, Value),
    ) {
        let scores = self.online.scores;
        let (narrow, reader) = match operand.narrow(scores) {
            Some(narrow) => (narrow, operand.tensor),
            None => (operand.tensor, scores.tensor()),
        };
        let copy = s.cache_read(narrow, &[s.stage(reader)], Scope::Shared);
        s.compute_at(copy, at.0, at.1);
        let order = operand.with_last(&[axis]);
        let rank = order.len();
        if !order.is_sorted() {
            let map = AffineMap {
                dims: rank,
                results: order.into_iter().map(AffineExpr::Dim).collect(),
            };
            s.transform_layout(copy, Attr::affine_map(narrow.ctx(), &map));
        }
        block.share(s, copy, &self.order_of_copy(narrow));
    }
}

/// Sums in the registers of a thread: `axes` are those of results, and then that of terms.
fn accumulate(s: &ScheduleBuilder, axes: &[Value], results: i64, terms: i64) {
    let (axes, term) = axes.split_at(axes.len() - 1);
    let copies = powers(gpu::MOST_COPIES_OF_ATTENTION / results.max(1));
    let step = copies.filter(|step| terms % step == 0).max().unwrap_or(1);
    let (outer, inner) = s.split(term[0], step);
    s.reorder(&[&[outer, inner], axes].concat());
    s.unroll(inner);
    axes.iter().for_each(|axis| s.unroll(*axis));
}
