//! Products of few rows by a matrix that is in no cache and whose rows lie far apart. A thread takes a run of its columns, whose sums stay in
//! the first cache, and brings in some of its rows at a time, as streams of memory.

use super::{super::in_registers, Around, Knobs, Product};
use crate::schedule::{
    F32_BYTES, Machine,
    cost::{memory, registers::Extents},
    panel,
};
use relay_dialects::{ir::Value, te::build::ScheduleBuilder};

impl Product {
    /// Runs of a tile of rows and vectors. None if the product has more rows, a matrix that caches hold, or columns that equal runs do not divide.
    pub(super) fn runs(
        &self,
        (tile_rows, vectors): (i64, i64),
        machine: Machine,
    ) -> Option<Around> {
        let Extents { rows, columns } = self.extents();
        let [depth] = self.product.reduce_extents()[..] else {
            return None;
        };
        let is_far = F32_BYTES * depth * columns > machine.l2_bytes;
        let is_scattered = || panel::scattered_operand(self.product, machine).is_some();
        if !is_far || rows != tile_rows || !is_scattered() {
            return None;
        }
        let wide = vectors * self.lanes;
        let sums = machine.kept_in_l1() / F32_BYTES / rows;
        // Half as many runs as threads: each waits for memory, which few threads use up.
        let most = sums.min(columns / (machine.threads / 2));
        let divides = |run: &i64| columns % (run * wide) == 0;
        let tiles = (2..=most / wide).rev().find(divides)?;
        let mut depths = memory::STREAMS.rev();
        let depth = depths.find(|part| depth % part == 0)?;
        Some(Around::Runs {
            columns: tiles * wide,
            depth,
        })
    }

    /// [.., m, n] of few rows m, whose sums are in the first cache for a run of columns.
    pub(super) fn emit_runs(
        &self,
        (accumulator, result): (Value, Value),
        knobs: &Knobs,
        (columns, depth): (i64, i64),
        s: &ScheduleBuilder,
    ) {
        let rank = self.product.shape().len();
        let axes = s.axes(result, rank);
        let (outer, inner) = s.split(axes[rank - 1], columns);
        let (vector, lane) = s.split(inner, self.lanes);
        s.reorder(&[outer, axes[rank - 2], vector, lane]);
        s.vectorize(lane);
        let shared = s.fuse(&[&axes[..rank - 2], &[outer]].concat());
        s.parallel(shared);
        s.compute_at(accumulator, result, shared);

        let axes = s.axes(accumulator, rank + 1);
        let (row, wide, k) = (axes[rank - 2], axes[rank - 1], axes[rank]);
        let (tile, wide) = s.split(wide, knobs.vectors * self.lanes);
        let (vector, lane) = s.split(wide, self.lanes);
        let (k, depth) = s.split(k, depth);
        s.reorder(&[k, tile, depth, row, vector, lane]);
        s.unroll(depth);
        in_registers(s, &[row, vector, lane]);
    }
}
