//! The attention of a transformer in bf16, on AMX tiles: as in [`attention`](super::attention), all stages are computed
//! for a block of rows, one after the other. The scores of a block are f32, and what the softmax makes of them is
//! bf16, of which tiles are read; both stay in the second cache.

use super::{
    Doc, Template, Way,
    attention::{Attention, Knobs, between, products},
};
use crate::intrin::x86_amx::{Dense, Numbers};
use crate::schedule::{
    Machine, Stage,
    cost::{Cycles, amx},
    epilogue::accumulator,
    x86_amx,
};
use relay_dialects::{
    ir::Value,
    te::{Role, build::ScheduleBuilder},
};

/// An attention whose two products are on tiles.
pub struct AmxAttention {
    attention: Attention,
}

impl AmxAttention {
    /// None if the stages, of which `inlined` are to become part of others, are something else, or if tiles do not fit.
    pub fn of(
        stages: &[Stage],
        inlined: &[Stage],
        returned: &[Value],
        machine: Machine,
    ) -> Option<Self> {
        let products = products(stages)?;
        let [scores, values] = products;
        let weights = rounded_weights(values)?;
        // Tiles are read of the rounded numbers; what widens them is part of a product.
        let is_inlined =
            |stage: &Stage| *stage != weights && (inlined.contains(stage) || stage.is(Role::Widen));
        let inlined: Vec<Stage> = stages.iter().copied().filter(is_inlined).collect();
        let before = between(stages, [scores, weights])?;
        let between = [before, &[weights]].concat();
        let found = Self {
            attention: Attention::around(&between, products, &inlined, returned)?,
        };
        let fits =
            amx::multiplies_bf16(machine) && found.tiles(found.rows_of_block(machine)).is_some();
        fits.then_some(found)
    }

    /// The rows that go through all stages together.
    fn rows_of_block(&self, machine: Machine) -> i64 {
        let shape = self.attention.masked.shape();
        amx::rows_of_attention(shape[0], shape[1], shape[2], machine)
    }

    /// The tiles of scores and values.
    fn tiles(&self, rows: i64) -> Option<[Dense; 2]> {
        x86_amx::of_attention(self.attention.scores, self.attention.values, rows)
    }

    /// The values, by blocks of rows, and in a block by tiles. Returns their stage and the loop over blocks.
    fn emit_values(&self, rows: i64, product: Product, s: &ScheduleBuilder) -> (Value, Value) {
        let (accumulator, result) =
            accumulator(s, self.attention.values, self.attention.epilogue.last);
        let axes = s.axes(result, 3);
        let (outer, inner) = s.split(axes[1], rows);
        let blocks = s.fuse(&[axes[0], outer]);
        s.parallel(blocks);
        product.emit(
            s,
            (self.attention.values, accumulator, result),
            [inner, axes[2]],
        );
        (result, blocks)
    }

    /// The scores of a block, by tiles of columns, which each meet all rows of the block.
    fn emit_scores(&self, product: Product, s: &ScheduleBuilder, (values, block): (Value, Value)) {
        let (accumulator, result) = accumulator(s, self.attention.scores, self.attention.masked);
        s.compute_at(result, values, block);
        let axes = s.axes(result, 3);
        product.emit(
            s,
            (self.attention.scores, accumulator, result),
            [axes[1], axes[2]],
        );
    }
}

/// How a product is computed.
struct Product {
    tile: Dense,
    /// The copy of its second operand that is put in pairs of rows.
    copy: Option<Value>,
    machine: Machine,
}

impl Product {
    /// By tiles of the axes of rows and columns of the last of three: the product, its accumulator and the stage inside
    /// which that is computed.
    fn emit(self, s: &ScheduleBuilder, stages: (Stage, Value, Value), axes: [Value; 2]) {
        let columns = x86_amx::tiles(s, stages, axes, self.tile, self.machine);
        x86_amx::pair_rows(s, stages.0, self.copy, (stages.2, columns));
    }
}

/// What a product reads as its first operand, if that is a stage that rounds to bf16, and only the product reads it.
fn rounded_weights(values: Stage) -> Option<Stage> {
    let [widened, _] = values.producers()[..] else {
        return None;
    };
    let [weights] = widened.producers()[..] else {
        return None;
    };
    let is_rounded = weights.tensor().ty().element().is_bf16();
    let is_read_once = weights.readers() == [widened] && widened.readers() == [values];
    (is_rounded && is_read_once && widened.is(Role::Widen)).then_some(weights)
}

impl Template for AmxAttention {
    type Knobs = Knobs;

    const DOC: Doc = Doc {
        name: "amx-attention",
        applies: "An attention of bf16, if the machine has AMX tiles and they fit both products.",
        ways: &[Way {
            knobs: "rows",
            loops: "Parallel: blocks of `rows` queries. In a block: scores by AMX tiles of columns, softmax, values by AMX tiles.",
            kept: "L2: the block's scores in f32, its softmax in bf16.",
        }],
    };

    fn space(&self, machine: Machine) -> Vec<Knobs> {
        vec![Knobs {
            rows: self.rows_of_block(machine),
        }]
    }

    fn cost(&self, _: &Knobs, machine: Machine) -> Cycles {
        let products = self.attention.scores.work() + self.attention.values.work();
        amx::products(Numbers::Bf16, products) + self.attention.beside_products(machine)
    }

    fn emit(&self, knobs: &Knobs, s: &ScheduleBuilder, machine: Machine) {
        let Some(tiles) = self.tiles(knobs.rows) else {
            return;
        };
        let product = |stage, tile| Product {
            tile,
            copy: x86_amx::copy_rows(s, stage),
            machine,
        };
        let (scores, values) = (
            product(self.attention.scores, tiles[0]),
            product(self.attention.values, tiles[1]),
        );
        self.attention.inline(s);
        let block = self.emit_values(knobs.rows, values, s);
        self.attention.softmax.emit_at(s, block, machine);
        self.emit_scores(scores, s, block);
    }
}
