//! Products that sum over so much that the cache holds few whole rows of the first operand. So a strip of the second operand, some rows of
//! a tile of columns, meets all rows of a part before the next strip does, as in K. Goto and R. van de Geijn, "Anatomy of
//! High-Performance Matrix Multiplication" (ACM TOMS 34(3), 2008).

use super::{super::in_registers, Around, Knobs, Product};
use crate::schedule::{
    F32_BYTES, Machine,
    cost::{Cycles, MOST_TRIED, product},
    panel,
};
use relay_dialects::{ir::Value, te::build::ScheduleBuilder};

impl Product {
    /// Strips of a tile of rows and vectors, of a second operand in blocks. None if one would be all that is summed over, or has no length that
    /// divides that, and where the second operand is widened a tile of columns at a time.
    pub(super) fn strips(&self, (rows, vectors): (i64, i64), machine: Machine) -> Option<Around> {
        self.product.block()?;
        if panel::of_product(self.product).next().is_some() {
            return None;
        }
        let row_bytes = F32_BYTES * vectors * self.lanes;
        let (least, most) = product::lengths_of_strip(row_bytes, machine);
        let all = self.depth();
        let mut lengths = (least..=most.min(all - 1)).rev().take(MOST_TRIED);
        let depth = lengths.find(|length| all % length == 0)?;
        // What a row reads, and its sums.
        let part = self.part_in_l2(rows, F32_BYTES * depth + row_bytes, machine);
        Some(Around::Strips {
            tiles: self.taken((rows, vectors), part, machine),
            depth,
        })
    }

    /// Bringing the second operand in again for all parts of rows but the first.
    pub(super) fn columns_again(&self, parts: i64, machine: Machine) -> Cycles {
        let matrix = F32_BYTES * self.depth() * self.extents().columns;
        match machine.stays_in_l2(matrix) {
            true => Cycles::default(),
            false => product::columns_again(self.again(matrix, parts), machine),
        }
    }

    /// Bringing the first operand in again for all tiles of columns but the first.
    pub(super) fn rows_again(&self, tiles: i64) -> Cycles {
        let matrix = F32_BYTES * self.depth() * self.extents().rows;
        product::rows_again(self.again(matrix, tiles))
    }

    /// The bytes of a matrix of each product of the batch that is read so many times, but for the first time.
    fn again(&self, bytes: i64, times: i64) -> f64 {
        (times - 1).max(0) as f64 * self.batch() as f64 * bytes as f64
    }

    pub(super) fn emit_strips(
        &self,
        (accumulator, result): (Value, Value),
        knobs: &Knobs,
        (part, depth): (i64, i64),
        s: &ScheduleBuilder,
    ) {
        let rank = self.product.shape().len();
        let axes = s.axes(result, rank);
        let mut shared = axes[..rank - 2].to_vec();
        let mut rows = axes[rank - 2];
        if part * knobs.rows < self.extents().rows {
            // What a part reads is known where it is cut off at once, not tile by tile.
            let (outer, inner) = s.split_inwards(rows, part * knobs.rows);
            shared.push(outer);
            rows = inner;
        }
        let (rows, row) = s.split_inwards(rows, knobs.rows);
        let (columns, vector, lane) = self.split_columns(s, axes[rank - 1], knobs);
        shared.push(columns);
        let columns = self.arrange(s, &shared, &[rows], [row, vector, lane]);
        s.compute_at(accumulator, result, columns);

        let axes = s.axes(accumulator, rank + 1);
        let (row_outer, row) = s.split(axes[rank - 2], knobs.rows);
        let (vector, lane) = s.split(axes[rank - 1], self.lanes);
        let (strip, k) = s.split(axes[rank], depth);
        s.reorder(&[strip, row_outer, k, row, vector, lane]);
        in_registers(s, &[row, vector, lane]);
    }
}
