//! The attention of a transformer by blocks of keys, where the number of queries or of keys is open: the scores of a block have a known
//! size, those of all keys do not. See [`online`](crate::schedule::online).
//!
//! A block of queries meets one block of keys after the other. The block's scores, exponentials, sums and products stay in the second
//! cache, and its keys lie there as columns, so that vectors of scores need no sum of lanes.

use super::{Doc, Template, Way, attention::tile, in_registers, product, rows};
use crate::schedule::{
    F32_BYTES, Machine, Stage,
    cost::{
        self, Cycles,
        attention::{MOST_QUERIES, keys_of_block},
        lanes_of_row, memory,
        registers::{self, Extents, RegisterTile},
        rows::most_sums,
    },
    epilogue::Epilogue,
    inline,
    online::{self, Hidden, Online, Size},
    operands,
    parts::Reduction,
    stage::Read,
};
use relay_dialects::{
    ir::{Op, Value},
    te::{Pragma, build::ScheduleBuilder},
    tir::Scope,
};
use std::fmt;

/// An attention by blocks of keys.
pub struct BlockwiseAttention {
    online: Online,
    /// The queries, as the product reads them.
    queries: Value,
    /// What is computed with the results.
    epilogue: Epilogue,
    /// The stages that are computed for a block of queries or of keys, beside those of `online`.
    copied: Vec<Stage>,
    /// The stages that become part of others.
    inlined: Vec<Stage>,
}

/// What goes through all stages together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Knobs {
    /// The queries of a block.
    queries: i64,
}

impl fmt::Display for Knobs {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "queries={}", self.queries)
    }
}

/// Replaces the stages of an attention with open extents by some for blocks of keys.
pub fn rewrite(func: Op, machine: Machine) {
    let keys = |size: Size| {
        let keys = || keys_of_block(size.depth, size.columns, machine);
        size.is_open.then(keys)
    };
    if let Some(keys) = online::rewrite_skipping(func, keys) {
        online::copy_keys(func, keys);
    }
}

impl BlockwiseAttention {
    /// None if the stages are something else.
    pub fn of(stages: &[Stage], returned: &[Value]) -> Option<Self> {
        let online = Online::of(stages)?;
        let [result] = online.combined.readers()[..] else {
            return None;
        };
        let is_pointwise = |read: Read| read.is_pointwise();
        if returned.len() != 1 || !online.combined.reads().into_iter().all(is_pointwise) {
            return None;
        }
        let epilogue = Epilogue::of(result, returned)?;
        let [queries, _] = operands::of(online.scores)?;
        let mut own = [&online.of_block()[..], &[online.combined, epilogue.last]].concat();
        own.extend(online.hidden.iter().flat_map(Hidden::stages));
        let multiplied = [online.scores.producers(), online.products.producers()].concat();
        let others = stages.iter().copied().filter(|stage| !own.contains(stage));
        let (copied, mut inlined): (Vec<Stage>, Vec<Stage>) =
            others.partition(|stage| multiplied.contains(stage));
        // A block of values is read where it lies.
        inlined.push(online.part);
        let has_columns = online.scores.dims().len() == 4;
        let is_for = has_columns && !inlined.iter().any(|stage| stage.reduces());
        is_for.then_some(Self {
            online,
            queries: queries.tensor,
            epilogue,
            copied,
            inlined,
        })
    }

    /// The results of a block of queries, one block after the other.
    fn emit_result(&self, queries: i64, s: &ScheduleBuilder, machine: Machine) -> (Value, Value) {
        let result = s.stage(self.epilogue.last.tensor());
        let axes = s.axes(result, 3);
        let (block, query) = s.split_inwards(axes[1], queries);
        let blocks = s.fuse(&[axes[0], block]);
        s.parallel(blocks);
        vectors(s, query, axes[2], self.online.size().columns, machine);
        (result, blocks)
    }

    /// The maxima, sums and results of a block of queries, combined after each block of keys.
    fn emit_combined(
        &self,
        at: (Value, Value),
        s: &ScheduleBuilder,
        machine: Machine,
    ) -> (Value, Value) {
        let combined = s.stage(self.online.combined.tensor());
        s.compute_at(combined, at.0, at.1);
        let axes = s.axes(combined, 4);
        s.reorder(&[axes[3], axes[0], axes[1], axes[2]]);
        vectors(s, axes[1], axes[2], self.online.size().columns, machine);
        (combined, axes[3])
    }

    /// The products of the exponentials and the values of a block of keys.
    fn emit_products(
        &self,
        queries: i64,
        at: (Value, Value),
        s: &ScheduleBuilder,
        machine: Machine,
    ) {
        let products = s.stage(self.online.products.tensor());
        let sums = s.cache_write(products, Scope::Local);
        s.compute_at(products, at.0, at.1);
        let axes = s.axes(products, 4);
        let extents = Extents {
            rows: queries,
            columns: self.online.size().columns,
        };
        let lanes = lanes_along(extents.columns, machine);
        let at = [axes[1], axes[3]];
        tile(s, (sums, products), at, extents, lanes, machine);
        let axes = s.axes(sums, 5);
        accumulate(s, [axes[1], axes[3], axes[4]], lanes);
        // The values of keys beyond the last one are zero.
        s.pragma(axes[4], Pragma::LoopPartitionHint, 1);
    }

    /// The scores of a block of keys.
    fn emit_scores(&self, queries: i64, at: (Value, Value), s: &ScheduleBuilder, machine: Machine) {
        let blocks = s.stage(self.online.blocks.tensor());
        s.compute_at(blocks, at.0, at.1);
        let axes = s.axes(blocks, 4);
        let extents = Extents {
            rows: queries,
            columns: self.online.keys_of_block(),
        };
        let scores = s.stage(self.online.scores.tensor());
        s.set_scope(scores, Scope::Local);
        let lanes = lanes_along(extents.columns, machine);
        let at = [axes[1], axes[3]];
        tile(s, (scores, blocks), at, extents, lanes, machine);
        let axes = s.axes(scores, 5);
        accumulate(s, [axes[1], axes[3], axes[4]], lanes);
    }

    /// The flags of blocks that a mask hides, and the condition on a block.
    fn emit_hidden(
        &self,
        hidden: &Hidden,
        (of_queries, of_keys): ((Value, Value), (Value, Value)),
        s: &ScheduleBuilder,
        machine: Machine,
    ) {
        let flags = s.stage(hidden.flags.tensor());
        s.compute_at(flags, of_keys.0, of_keys.1);
        let axes = s.axes(flags, 3);
        vectors(s, axes[2], axes[1], hidden.flags.shape()[1], machine);
        s.skip(of_keys.0, of_keys.1);
        self.emit_row(hidden.reaches, of_keys, s, machine);
        self.emit_row(hidden.levels, of_queries, s, machine);
    }

    /// The maximum or the sum of what a query has in a block of keys, or of all.
    fn emit_row(&self, stage: Stage, at: (Value, Value), s: &ScheduleBuilder, machine: Machine) {
        let handle = s.stage(stage.tensor());
        let reduction = Reduction::of(stage, handle);
        let partial = rows::across(s, &reduction, most_sums(1, machine), machine);
        s.compute_at(handle, at.0, at.1);
        let query = s.axes(handle, stage.shape().len() + 1)[1];
        for stage in partial {
            s.compute_at(stage, handle, query);
        }
    }

    /// What is copied of keys, values or queries for a block of them.
    fn emit_copies(
        &self,
        of_queries: (Value, Value),
        at: (Value, Value),
        s: &ScheduleBuilder,
        machine: Machine,
    ) {
        for stage in self.copied.iter().rev() {
            let handle = s.stage(stage.tensor());
            let at = match stage.tensor() == self.queries {
                true => of_queries,
                false => at,
            };
            s.compute_at(handle, at.0, at.1);
            columns_outside(s, handle, stage.shape(), machine);
        }
    }
}

/// Cuts the columns of a stage into vectors.
fn vectors(s: &ScheduleBuilder, row: Value, columns: Value, extent: i64, machine: Machine) {
    let Some(lanes) = lanes_of_row(extent, F32_BYTES, machine) else {
        return;
    };
    let (vector, lane) = s.split(columns, lanes);
    s.reorder(&[row, vector, lane]);
    s.vectorize(lane);
}

/// Computes vectors along the last axis of a stage, all rows of one before the next one. Only the last ones have a condition, of keys
/// beyond the last one.
fn columns_outside(s: &ScheduleBuilder, stage: Value, shape: Vec<i64>, machine: Machine) {
    let axes = s.axes(stage, shape.len());
    let ([others @ .., row, column], Some(extent)) = (&axes[..], shape.last()) else {
        return;
    };
    let Some(lanes) = lanes_of_row(*extent, F32_BYTES, machine) else {
        return;
    };
    let (vector, lane) = s.split(*column, lanes);
    s.reorder(&[others, &[vector, *row, lane]].concat());
    s.pragma(vector, Pragma::LoopPartitionHint, 1);
    s.vectorize(lane);
}

/// The lanes of vectors along a row of so many columns.
fn lanes_along(columns: i64, machine: Machine) -> i64 {
    lanes_of_row(columns, F32_BYTES, machine).unwrap_or(1)
}

/// The sums of a tile in registers.
fn accumulate(s: &ScheduleBuilder, [row, columns, depth]: [Value; 3], lanes: i64) {
    let (vector, lane) = s.split(columns, lanes);
    s.reorder(&[depth, row, vector, lane]);
    in_registers(s, &[row, vector, lane]);
}

impl Template for BlockwiseAttention {
    type Knobs = Knobs;

    const DOC: Doc = Doc {
        name: "blockwise-attention",
        applies: "Softmax(scores) * values in one function, of an open number of queries or of keys. The scores are a product, scaled and masked.",
        ways: &[Way {
            knobs: "queries",
            loops: "Parallel: blocks of `queries`. Then blocks of keys: keys as columns, scores by register tiles, their maxima, exponentials and sums, products with values by register tiles, combined with those of the blocks before. A block that a mask hides from all `queries` is left out.",
            kept: "Registers: the sums of each product. L2: keys and values of a block, its scores, the results of a block of queries.",
        }],
    };

    fn space(&self, _: Machine) -> Vec<Knobs> {
        let queries = cost::powers(MOST_QUERIES);
        queries.map(|queries| Knobs { queries }).collect()
    }

    fn cost(&self, knobs: &Knobs, machine: Machine) -> Cycles {
        let (size, keys) = (self.online.size(), self.online.keys_of_block());
        let blocks = (size.batch * size.queries) as f64 / knobs.queries as f64
            * cost::waste(size.queries, knobs.queries)
            * (size.keys / keys) as f64;
        let of_product = |columns: i64, depth: i64| {
            let extents = Extents {
                rows: knobs.queries,
                columns,
            };
            let lanes = lanes_along(columns, machine);
            let (numbers, vectors) = product::choose(extents, lanes, false, machine);
            let tile = RegisterTile { numbers, vectors };
            let multiply_adds = (knobs.queries * columns * depth / lanes) as f64;
            registers::product(multiply_adds, extents, tile, vectors * lanes, machine)
        };
        let of_stage = |stage: Stage, elements: i64| {
            let element = inline::element(stage, &self.inlined);
            let lanes = machine.lanes(F32_BYTES);
            memory::compute(elements, lanes, element, machine)
        };
        let tile = [machine.lanes(F32_BYTES), machine.lanes(F32_BYTES)];
        let of_block = of_product(keys, size.depth)
            + of_product(size.columns, keys)
            + of_stage(self.online.weights, knobs.queries * keys)
            + of_stage(self.online.combined, knobs.queries * size.columns)
            + memory::transpose(keys * size.depth, F32_BYTES, tile, machine);
        of_block * blocks + self.epilogue.cost(machine)
    }

    fn emit(&self, knobs: &Knobs, s: &ScheduleBuilder, machine: Machine) {
        for stage in &self.inlined {
            s.compute_inline(s.stage(stage.tensor()));
        }
        let result = self.emit_result(knobs.queries, s, machine);
        let at = self.emit_combined(result, s, machine);
        self.emit_products(knobs.queries, at, s, machine);
        self.emit_row(self.online.sums, at, s, machine);
        let weights = s.stage(self.online.weights.tensor());
        s.compute_at(weights, at.0, at.1);
        let axes = s.axes(weights, 4);
        let keys = self.online.keys_of_block();
        vectors(s, axes[1], axes[3], keys, machine);
        self.emit_row(self.online.largest, at, s, machine);
        self.emit_scores(knobs.queries, at, s, machine);
        self.emit_copies(result, at, s, machine);
        if let Some(hidden) = &self.online.hidden {
            self.emit_hidden(hidden, (result, at), s, machine);
        }
    }
}
