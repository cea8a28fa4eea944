//! Products of bytes with weights of few bits, of which each block has a scale.

use super::{Doc, Template, Way, in_registers};
use crate::schedule::{
    Machine, Stage,
    cost::{
        Cycles,
        blocks::{self, MOST_ROWS, MOST_VECTORS, MOST_WORDS, Tile},
        memory,
        registers::Extents,
    },
    epilogue::Epilogue,
};
use relay_dialects::{
    index::gcd,
    ir::Value,
    relay::ops::blocks::Grain,
    te::{Role, build::ScheduleBuilder},
    tir::Scope,
};
use std::fmt;

/// Whether a stage is scheduled with the product that reads it.
pub fn is_part(stage: Stage) -> bool {
    stage.is(Role::BlockSums)
}

/// The sums of blocks, and the product that adds them up.
pub struct DenseBlocks {
    /// The sums of a block's products, [digit, row, block, column].
    sums: Stage,
    /// The product.
    product: Stage,
    /// What is computed with it.
    epilogue: Epilogue,
}

/// A tile of rows by vectors in registers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Knobs {
    /// The rows of a tile.
    rows: i64,
    /// The vectors of a tile.
    vectors: i64,
}

impl fmt::Display for Knobs {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "rows={} vectors={}", self.rows, self.vectors)
    }
}

impl DenseBlocks {
    /// None if the stages are not as TOPI writes them.
    pub fn of(product: Stage, epilogue: Epilogue) -> Option<Self> {
        let producers = product.producers();
        let sums = producers.into_iter().find(|stage| is_part(*stage))?;
        (sums.shape().len() == 4 && sums.readers() == [product]).then_some(Self {
            sums,
            product,
            epilogue,
        })
    }

    fn extents(&self) -> Extents {
        let shape = self.product.shape();
        Extents {
            rows: shape[0],
            columns: shape[1],
        }
    }

    fn lanes(&self) -> i64 {
        self.product.block().unwrap_or(1)
    }

    /// How the weight lies in blocks.
    fn grain(&self) -> Grain {
        let (shape, extents) = (self.sums.shape(), self.sums.reduce_extents());
        let [words, parts] = [extents[0], extents[1]];
        Grain::of_parts(shape[2], words, parts)
    }

    /// The words of a block that are written out, which divide them.
    fn words_written_out(&self) -> i64 {
        gcd(self.sums.reduce_extents()[0], MOST_WORDS)
    }

    fn tile(&self, knobs: &Knobs) -> Tile {
        Tile {
            rows: knobs.rows,
            vectors: knobs.vectors,
            digits: self.sums.shape()[0],
        }
    }
}

impl Template for DenseBlocks {
    type Knobs = Knobs;

    const DOC: Doc = Doc {
        name: "dense-blocks",
        applies: "A product of bytes with a weight of few bits in blocks.",
        ways: &[Way {
            knobs: "rows, vectors",
            loops: "Parallel: tiles of columns. Then tiles of rows, blocks, words of a block.",
            kept: "Registers: the sums of the tile's block, for each digit. L1 or L2: the weight's words of the tile's columns.",
        }],
    };

    fn space(&self, machine: Machine) -> Vec<Knobs> {
        let (Extents { rows, columns }, lanes) = (self.extents(), self.lanes());
        let wide = machine.registers_of(lanes);
        let fits = |knobs: &Knobs| self.tile(knobs).registers() * wide <= machine.registers;
        // A vector of a tile that moved inwards would lie in two blocks of columns.
        let is_whole = |vectors: &i64| columns % (vectors * lanes) == 0;
        let vectors = (1..=MOST_VECTORS).filter(is_whole);
        let knobs = |vectors: i64| {
            let rows = 1..=rows.clamp(1, MOST_ROWS);
            rows.map(move |rows| Knobs { rows, vectors })
        };
        let tiles = vectors.flat_map(knobs);
        let tiles: Vec<Knobs> = tiles.filter(fits).collect();
        match tiles.is_empty() {
            true => vec![Knobs {
                rows: 1,
                vectors: 1,
            }],
            false => tiles,
        }
    }

    fn cost(&self, knobs: &Knobs, machine: Machine) -> Cycles {
        let tile = (self.tile(knobs), self.lanes());
        let product = blocks::product(self.extents(), &self.grain(), tile, machine);
        product + memory::stream(self.sums.read_bytes(), machine) + self.epilogue.cost(machine)
    }

    fn emit(&self, knobs: &Knobs, s: &ScheduleBuilder, _: Machine) {
        self.epilogue.inline(s);
        let lanes = self.lanes();
        let (product, result) = self.epilogue.accumulator(s);
        let axes = s.axes(result, 2);
        let (rows, row) = s.split_inwards(axes[0], knobs.rows);
        let (columns, wide) = s.split(axes[1], knobs.vectors * lanes);
        let (vector, lane) = s.split(wide, lanes);
        s.reorder(&[columns, rows, row, vector, lane]);
        in_registers(s, &[row, vector, lane]);
        if self.sums.are_tiles_shared(lanes) {
            s.parallel(columns);
        }
        s.compute_at(product, result, rows);
        let axes = s.axes(product, 3);
        let (vector, lane) = s.split(axes[1], lanes);
        s.reorder(&[axes[2], axes[0], vector, lane]);
        in_registers(s, &[axes[0], vector, lane]);
        self.emit_sums((product, axes[2]), s);
    }
}

impl DenseBlocks {
    /// The sums of a block, for each digit, in the loop of the product over blocks.
    fn emit_sums(&self, (product, blocks): (Value, Value), s: &ScheduleBuilder) {
        let sums = s.stage(self.sums.tensor());
        s.set_scope(sums, Scope::Local);
        s.compute_at(sums, product, blocks);
        let axes = s.axes(sums, 6);
        let [digit, row, block, column, word, part] = axes[..] else {
            return;
        };
        let (vector, lane) = s.split(column, self.lanes());
        let (outer, word) = s.split(word, self.words_written_out());
        let inner = [word, block, part, row, vector, digit, lane];
        s.reorder(&[&[outer], &inner[..]].concat());
        in_registers(s, &inner);
    }
}
