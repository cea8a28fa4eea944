//! Products whose parts of rows lie in the second cache while a tile of columns of the second operand after the other meets them.

use super::{Around, Knobs, Product};
use crate::schedule::{
    F32_BYTES, Machine,
    cost::{MOST_TRIED, even_part, product},
    panel,
    prefetch::{Panel, PanelSize},
};
use relay_dialects::{index::ceil_div, ir::Value, te::build::ScheduleBuilder};

impl Product {
    /// Parts of tiles of rows and vectors.
    pub(super) fn parts(&self, tile: (i64, i64), machine: Machine) -> Around {
        let is_plain = self.product.block().is_none();
        let operand = panel::scattered_operand(self.product, machine).filter(|_| is_plain);
        let part = if self.writes_most(machine) {
            1
        } else {
            self.part_in_l2(tile.0, F32_BYTES * self.depth(), machine)
        };
        let taken = self.taken(tile, part, machine);
        Around::Parts {
            tiles: part,
            taken,
            copied: operand.is_some() && product::is_worth_copying(taken),
        }
    }

    /// The tiles of rows, of a part of `tiles`, that a thread takes at a time: all of them where there are tiles of columns
    /// enough for threads.
    pub(super) fn taken(&self, (rows, vectors): (i64, i64), tiles: i64, machine: Machine) -> i64 {
        if !self.product.is_worth_sharing_tiles(self.lanes) {
            return tiles;
        }
        let extents = self.extents();
        let parts = self.batch() * ceil_div(ceil_div(extents.rows, rows), tiles);
        let shared = parts * ceil_div(extents.columns, vectors * self.lanes);
        let most = ceil_div(tiles, ceil_div(machine.threads, shared.max(1)));
        // A number that divides them, where there is one nearly as large: nothing is computed twice then.
        let mut nearly = (most / 2 + 1..=most).rev().take(MOST_TRIED);
        let dividing = nearly.find(|taken| tiles % taken == 0);
        dividing.unwrap_or_else(|| even_part(tiles, most))
    }

    pub(super) fn emit_parts(
        &self,
        (sums, result): (Value, Value),
        knobs: &Knobs,
        (part, taken, copied): (i64, i64, bool),
        (s, machine): (&ScheduleBuilder, Machine),
    ) {
        let rank = self.product.shape().len();
        let axes = s.axes(result, rank);
        let (tile, row) = s.split_inwards(axes[rank - 2], knobs.rows);
        let (part_outer, mut rows) = s.split_inwards(tile, part);
        let (columns, vector, lane) = self.split_columns(s, axes[rank - 1], knobs);
        let mut shared = [&axes[..rank - 2], &[part_outer, columns]].concat();
        if taken < part {
            let (take, inner) = s.split_inwards(rows, taken);
            shared.push(take);
            rows = inner;
        }
        let columns = self.arrange(s, &shared, &[rows], [row, vector, lane]);
        panel::widen(s, self.product, (result, columns), self.lanes);
        if copied {
            self.copy((sums, result), columns, (s, machine));
        }
        s.compute_at(sums, result, rows);
        let panel = self.panel(columns, knobs, taken);
        self.emit_sums(sums, knobs, panel, (s, machine));
    }

    /// What `tiles` tiles of rows read of the second operand, in the loop over columns; none if all columns are in one tile.
    fn panel(&self, columns: Value, knobs: &Knobs, tiles: i64) -> Option<Panel> {
        let wide = knobs.vectors * self.lanes;
        (self.extents().columns > wide).then_some(Panel {
            size: PanelSize {
                bytes: F32_BYTES * self.depth() * wide,
                readers: tiles,
            },
            axis: columns,
            every: 1,
        })
    }
}
