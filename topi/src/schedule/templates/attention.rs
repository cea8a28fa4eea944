//! The attention of a transformer: softmax(scores) * values, where the scores are a product, scaled and
//! masked. All stages are computed for a block of rows, one after the other, so that the block's scores stay
//! in the second cache and are never written to memory. Blocks are shared among threads.
//!
//! The products keep tiles of their results in registers. A tile of columns of the scores meets all rows of
//! the block before the next one does.

use super::{Doc, Template, Way, product, rows::Rows};
use crate::schedule::cost::sizes::planned_shape;
use crate::schedule::{
    F32_BYTES, Machine, Stage,
    cost::{
        self, Cycles, lanes_of_row, memory,
        registers::{self, Extents, RegisterTile},
    },
    epilogue::{Epilogue, accumulator},
    panel,
    prefetch::{self, Operands, Panel, PanelSize, Stream},
};
use relay_dialects::{
    index::ceil_div,
    ir::Value,
    te::{Role, build::ScheduleBuilder},
};
use std::fmt;

/// The stages of an attention.
pub struct Attention {
    /// The product of queries and keys.
    pub scores: Stage,
    /// What its result is scaled and masked to: the last stage of its epilogue.
    pub masked: Stage,
    /// The softmax of each row of that, up to its rounding where tiles read it as bf16.
    pub softmax: Rows,
    /// The product of that and the values.
    pub values: Stage,
    /// What follows it element by element.
    pub epilogue: Epilogue,
    /// The stages that become part of others.
    pub inlined: Vec<Stage>,
}

/// What goes through all stages together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Knobs {
    /// The rows of a block.
    pub rows: i64,
}

impl fmt::Display for Knobs {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "rows={}", self.rows)
    }
}

/// A product in a loop over blocks of rows, and what it is cut into.
struct Block {
    /// The stage that has the loop, and the loop.
    at: (Value, Value),
    /// The rows of a block.
    rows: i64,
}

impl Attention {
    /// None if the stages, of which `inlined` are to become part of others, are something else.
    pub fn of(stages: &[Stage], inlined: &[Stage], returned: &[Value]) -> Option<Self> {
        let products = products(stages)?;
        // Panels of keys and values are widened with the products that read them.
        let apart = |stages: &[Stage]| -> Vec<Stage> {
            let stages = stages.iter().copied();
            stages.filter(|stage| !panel::is_panel(*stage)).collect()
        };
        let between = apart(between(stages, products)?);
        let attention = Self::around(&between, products, &apart(inlined), returned)?;
        let weights = attention.softmax.last();
        let [_, values] = products;
        let mut operands = apart(&values.producers());
        operands.retain(|operand| !inlined.contains(operand));
        let reads = operands == [weights] && weights.readers() == [values];
        reads.then_some(attention)
    }

    /// Of the scores and the stages behind them, up to the last one of the softmax, and of the values.
    pub fn around(
        between: &[Stage],
        [scores, values]: [Stage; 2],
        inlined: &[Stage],
        returned: &[Value],
    ) -> Option<Self> {
        let kept = between.iter().copied();
        let kept = kept.filter(|stage| !inlined.contains(stage) || stage.is_costly());
        let kept: Vec<Stage> = kept.collect();
        // The softmax begins with the maximum of a row.
        let begin = kept
            .iter()
            .position(|stage| stage.reduces() && *stage != scores)?;
        let (masked, rows) = (*kept[..begin].last()?, &kept[begin..]);
        let weights = *rows.last()?;
        let has_three_dims = [scores, masked, values, weights]
            .iter()
            .all(|stage| stage.shape().len() == 3);
        let follows = begin == 1 || (begin == 2 && !masked.reduces());
        (has_three_dims && follows).then_some(Self {
            scores,
            masked,
            softmax: Rows::of(rows, inlined, &[weights.tensor()])?,
            values,
            epilogue: Epilogue::of(values, returned)?,
            inlined: inlined.to_vec(),
        })
    }

    /// What all but the two products takes: the softmax, what is read from memory, and the epilogue.
    pub fn beside_products(&self, machine: Machine) -> Cycles {
        let bytes =
            self.scores.read_bytes() + self.values.read_bytes() - self.masked.written_bytes();
        self.softmax.computing(machine)
            + memory::stream(bytes.max(0), machine)
            + self.epilogue.cost(machine)
    }

    /// Inlines the stages that become part of others.
    pub fn inline(&self, s: &ScheduleBuilder) {
        let kept =
            |stage: &&Stage| self.softmax.contains(**stage) || self.epilogue.stages.contains(stage);
        for stage in self.inlined.iter().filter(|stage| !kept(stage)) {
            s.compute_inline(s.stage(stage.tensor()));
        }
        self.epilogue.inline(s);
    }

    /// The rows that may go through all stages together, of blocks that are as long as each other but for the last one:
    /// no more than the second cache holds of the scores beside what streams through it, in blocks enough for all threads.
    fn rows_of_block(&self, machine: Machine) -> Vec<i64> {
        let shape = self.masked.shape();
        let (batch, rows, columns) = (shape[0], shape[1], shape[2]);
        let most = cost::rows_in_l2(rows, 2 * F32_BYTES * columns, machine);
        cost::even_parts(rows, most.min(batch * rows / machine.threads))
    }

    /// The blocks of so many rows, of all samples.
    fn blocks(&self, rows: i64) -> i64 {
        let shape = self.masked.shape();
        shape[0] * ceil_div(shape[1], rows)
    }

    /// What copying the keys for each block of so many rows takes, where they lie scattered.
    fn copying(&self, rows: i64, machine: Machine) -> Cycles {
        let Some(keys) = panel::scattered_operand(self.scores, machine) else {
            return Cycles::default();
        };
        let shape = planned_shape(self.scores.op, keys);
        let bytes = F32_BYTES * shape[1..].iter().product::<i64>();
        memory::stream(2 * bytes, machine) * self.blocks(rows) as f64
    }

    /// The values, by blocks of rows, and in a block by tiles of rows.
    fn emit_values(&self, rows: i64, s: &ScheduleBuilder, machine: Machine) -> Block {
        let columns = self.values.shape()[2];
        let (accumulator, result) = accumulator(s, self.values, self.epilogue.last);
        let axes = s.axes(result, 3);
        let (outer, inner) = s.split_inwards(axes[1], rows);
        let blocks = s.fuse(&[axes[0], outer]);
        s.parallel(blocks);
        let block = Block {
            at: (result, blocks),
            rows,
        };
        let Some(lanes) = lanes_of_row(columns, F32_BYTES, machine) else {
            panel::inline(s, self.values);
            s.compute_at(accumulator, result, blocks);
            return block;
        };
        let extents = Extents { rows, columns };
        let at = [inner, axes[2]];
        let tiles = tile(s, (accumulator, result), at, extents, lanes, machine);
        panel::widen(s, self.values, (result, tiles.of_columns), lanes);
        accumulate(s, self.values, accumulator, &tiles, machine);
        block
    }

    /// The scores of a block, by tiles of columns, which each meet all rows of the block.
    fn emit_scores(&self, s: &ScheduleBuilder, block: &Block, machine: Machine) {
        let columns = self.masked.shape()[2];
        let (accumulator, result) = accumulator(s, self.scores, self.masked);
        s.compute_at(result, block.at.0, block.at.1);
        let Some(lanes) = lanes_of_row(columns, F32_BYTES, machine) else {
            panel::inline(s, self.scores);
            s.compute_at(accumulator, result, s.axes(result, 3)[1]);
            return;
        };
        let extents = Extents {
            rows: block.rows,
            columns,
        };
        let axes = s.axes(result, 3);
        let at = [axes[1], axes[2]];
        let tiles = tile(s, (accumulator, result), at, extents, lanes, machine);
        if let Some(keys) = panel::scattered_operand(self.scores, machine) {
            panel::copy(s, keys, accumulator, (result, tiles.of_columns), lanes);
        }
        panel::widen(s, self.scores, (result, tiles.of_columns), lanes);
        accumulate(s, self.scores, accumulator, &tiles, machine);
    }

    /// The queries of a block, if they are widened.
    fn emit_queries(&self, s: &ScheduleBuilder, block: &Block, machine: Machine) {
        let producers = self.scores.producers().into_iter();
        for queries in
            producers.filter(|stage| !panel::is_panel(*stage) && !self.inlined.contains(stage))
        {
            let handle = s.stage(queries.tensor());
            s.compute_at(handle, block.at.0, block.at.1);
            if let Some(lanes) = lanes_of_row(queries.lanes(), queries.bytes(), machine) {
                let (_, lane) = s.split(s.axes(handle, 3)[2], lanes);
                s.vectorize(lane);
            }
        }
    }
}

impl Template for Attention {
    type Knobs = Knobs;

    const DOC: Doc = Doc {
        name: "attention",
        applies: "Softmax(scores) * values in one function. The scores are a product, scaled and masked.",
        ways: &[Way {
            knobs: "rows",
            loops: "Parallel: blocks of `rows` queries. In a block: scores by panels of columns, softmax, values by register tiles.",
            kept: "Registers: the sums of each product. L2: the block's scores.",
        }],
    };

    fn space(&self, machine: Machine) -> Vec<Knobs> {
        let rows = self.rows_of_block(machine).into_iter();
        rows.map(|rows| Knobs { rows }).collect()
    }

    fn cost(&self, knobs: &Knobs, machine: Machine) -> Cycles {
        let of_product = |stage: Stage| {
            let columns = stage.lanes();
            let lanes = lanes_of_row(columns, F32_BYTES, machine).unwrap_or(1);
            let extents = Extents {
                rows: knobs.rows,
                columns,
            };
            let (rows, vectors) = product::choose(extents, lanes, false, machine);
            let tile = RegisterTile {
                numbers: rows,
                vectors,
            };
            let multiply_adds = (stage.work() / lanes) as f64;
            registers::product(multiply_adds, extents, tile, vectors * lanes, machine)
        };
        // The last block lies over the one before where it would be shorter.
        let wasted = cost::waste(self.masked.shape()[1], knobs.rows);
        (of_product(self.scores) + of_product(self.values)) * wasted
            + self.copying(knobs.rows, machine)
            + self.beside_products(machine) * wasted
    }

    fn emit(&self, knobs: &Knobs, s: &ScheduleBuilder, machine: Machine) {
        self.inline(s);
        let block = self.emit_values(knobs.rows, s, machine);
        self.softmax.emit_at(s, block.at, machine);
        self.emit_scores(s, &block, machine);
        self.emit_queries(s, &block, machine);
    }
}

/// The two products of an attention, of scores and of values.
pub fn products(stages: &[Stage]) -> Option<[Stage; 2]> {
    let products = stages.iter().copied();
    let products: Vec<Stage> = products.filter(|stage| stage.is(Role::Matmul)).collect();
    products.try_into().ok()
}

/// The first of two stages, and those between it and the second one.
pub fn between(stages: &[Stage], [first, second]: [Stage; 2]) -> Option<&[Stage]> {
    let place = |wanted: Stage| stages.iter().position(|stage| *stage == wanted);
    stages.get(place(first)?..place(second)?)
}

/// The register tiles of a product.
pub struct Tiles {
    /// The loop over tiles of columns, which is outermost.
    of_columns: Value,
    /// How many there are of rows and of columns.
    count: [i64; 2],
    /// The registers of sums: rows and vectors.
    sums: [i64; 2],
    /// The lanes of a vector.
    lanes: i64,
}

/// Cuts the axes of rows and of columns of the stage `result` into register tiles, inside which `accumulator` is
/// computed.
pub fn tile(
    s: &ScheduleBuilder,
    (accumulator, result): (Value, Value),
    [rows, columns]: [Value; 2],
    extents: Extents,
    lanes: i64,
    machine: Machine,
) -> Tiles {
    let (tile_rows, vectors) = product::choose(extents, lanes, false, machine);
    let (row_outer, row) = s.split(rows, tile_rows);
    let (column_outer, wide) = s.split(columns, vectors * lanes);
    let (vector, lane) = s.split(wide, lanes);
    s.reorder(&[column_outer, row_outer, row, vector, lane]);
    s.unroll(row);
    s.unroll(vector);
    s.vectorize(lane);
    s.compute_at(accumulator, result, row_outer);
    Tiles {
        of_columns: column_outer,
        count: [
            ceil_div(extents.rows, tile_rows),
            ceil_div(extents.columns, vectors * lanes),
        ],
        sums: [tile_rows, vectors],
        lanes,
    }
}

/// The sums of a tile of a product [batch, m, n] in registers.
fn accumulate(
    s: &ScheduleBuilder,
    product: Stage,
    accumulator: Value,
    tiles: &Tiles,
    machine: Machine,
) {
    let axes = s.axes(accumulator, 4);
    let (vector, lane) = s.split(axes[2], tiles.lanes);
    let depth = product.reduce_extents()[0];
    let panel = Panel {
        size: PanelSize {
            bytes: F32_BYTES * depth * tiles.sums[1] * tiles.lanes,
            readers: tiles.count[0],
        },
        axis: tiles.of_columns,
        every: 1,
    };
    let stream = Stream {
        axis: axes[3],
        extent: depth,
        lanes: tiles.lanes,
        steps: 0,
        sums: tiles.sums.iter().product(),
    };
    let panel = Some(panel).filter(|_| tiles.count[1] > 1);
    let depth = prefetch::ask(s, Operands::of(product), (panel, stream), machine);
    s.reorder(&[&depth[..], &[axes[1], vector, lane]].concat());
    s.unroll(axes[1]);
    s.unroll(vector);
    s.vectorize(lane);
}
