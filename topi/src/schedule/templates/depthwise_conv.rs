//! Depthwise convolutions on packed channels.

use super::{Doc, Template, Way};
use crate::schedule::{
    F32_BYTES, Machine, Stage,
    cost::{
        Cycles,
        conv::{self, Bands},
        even_parts, registers, waste,
    },
    epilogue::Epilogue,
    padding::own_pad,
    rows_first,
};
use relay_dialects::{index::ceil_div, te::build::ScheduleBuilder};
use std::fmt;

/// A convolution of each channel with a window of its own, the channels in blocks.
pub struct DepthwiseConv {
    /// The convolution.
    pub conv: Stage,
    /// What is computed with it.
    pub epilogue: Epilogue,
}

/// What one thread keeps in registers and in its cache.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Knobs {
    /// The pixels of a row whose sums are in registers.
    columns: i64,
    /// The rows of the result that are computed from padded rows in the cache: they divide all rows.
    band: i64,
}

impl fmt::Display for Knobs {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "columns={} band={}", self.columns, self.band)
    }
}

impl DepthwiseConv {
    /// The channels of a block that are computed together: a vector of them, if the block has whole ones.
    fn lanes(&self, machine: Machine) -> i64 {
        match self.conv.lanes() {
            block if block % machine.block() == 0 => machine.block(),
            block => block,
        }
    }

    /// The result in bands of so many rows, if the data is padded for each.
    fn padded(&self, band: i64) -> Option<Bands> {
        let (padded, shape) = (own_pad(self.conv)?.shape(), self.conv.shape());
        let stride = (padded[2] / shape[2].max(1)).max(1);
        let bands = shape[0] * shape[1] * ceil_div(shape[2], band);
        Some(Bands {
            count: bands,
            // What the rows of the result do not move on by are the kernel's.
            rows: padded[2] - stride * (shape[2] - band),
            row_bytes: F32_BYTES * padded[3] * padded[4],
            results: bands * band,
            kernel: *self.conv.reduce_extents().first()?,
        })
    }

    /// The heights of bands whose padded data stays in the second cache, of which there are enough for threads. They are as
    /// high as each other but for the last one.
    fn heights(&self, machine: Machine) -> Vec<i64> {
        let rows = self.conv.shape()[2];
        let least = match self.conv.is_worth_sharing_tiles(self.conv.lanes()) {
            true => machine.threads,
            false => 1,
        };
        let fits = |bands: Bands| {
            machine.stays_in_l2(bands.rows * bands.row_bytes) && bands.count >= least
        };
        let heights = even_parts(rows, rows).into_iter();
        let larger = heights.filter(|band| *band > 1);
        let larger = larger.filter(|band| self.padded(*band).is_some_and(fits));
        std::iter::once(1).chain(larger).collect()
    }
}

impl Template for DepthwiseConv {
    type Knobs = Knobs;

    const DOC: Doc = Doc {
        name: "depthwise-conv",
        applies: "A depthwise convolution in channel blocks.",
        ways: &[Way {
            knobs: "columns, band",
            loops: "Parallel: samples, bands of `band` rows, channel blocks. In a band: padding, rows, vectors of a block, tiles of `columns` pixels, kernel rows, kernel columns.",
            kept: "Registers: the sums of the tile. L2: the padded band.",
        }],
    };

    fn space(&self, machine: Machine) -> Vec<Knobs> {
        let shape = self.conv.shape();
        // Half of the registers: the others hold data that is loaded ahead.
        let most = (machine.registers / 2 - 2) / machine.registers_of(self.lanes(machine));
        let columns = 1..=shape[3].min(most).max(1);
        let bands = self.heights(machine);
        let knobs = |columns: i64| bands.iter().map(move |&band| Knobs { columns, band });
        columns.flat_map(knobs).collect()
    }

    fn cost(&self, knobs: &Knobs, machine: Machine) -> Cycles {
        let shape = self.conv.shape();
        let vectors = self.conv.work() / shape[4] * machine.registers_of(shape[4]);
        let sums = registers::depthwise(vectors as f64, shape[3], knobs.columns, machine);
        let bands = self.padded(knobs.band);
        let padding = bands.map(|bands| conv::padded(bands, machine));
        let wasted = waste(shape[2], knobs.band);
        sums * wasted + padding.unwrap_or_default() + self.epilogue.cost(machine)
    }

    /// Reduce axes: kernel rows and columns. The data of a band of rows is padded just before it is used.
    fn emit(&self, knobs: &Knobs, s: &ScheduleBuilder, machine: Machine) {
        self.epilogue.inline(s);
        let conv = self.conv;
        let (accumulator, result) = self.epilogue.accumulator(s);
        let mut axes = s.axes(result, 5);
        let (bands, row) = s.split_inwards(axes[2], knobs.band);
        let (outer, column) = s.split(axes[3], knobs.columns);
        axes[2] = bands;
        rows_first(&mut axes);
        let lanes = self.lanes(machine);
        let mut inner = vec![row, outer, column];
        if lanes < conv.lanes() {
            let (part, lane) = s.split(axes[4], lanes);
            inner.insert(1, part);
            axes[4] = lane;
        }
        s.reorder(&[&axes[..3], &inner, &axes[4..]].concat());
        let shared = s.fuse(&axes[..3]);
        if conv.are_tiles_shared(conv.lanes()) {
            s.parallel(shared);
        }
        s.unroll(column);
        s.vectorize(axes[4]);
        if let Some(pad) = own_pad(conv) {
            let pad = s.stage(pad.tensor());
            s.compute_at(pad, result, shared);
            s.vectorize(s.axes(pad, 5)[4]);
        }
        s.compute_at(accumulator, result, outer);
        let axes = s.axes(accumulator, 7);
        s.reorder(&[axes[5], axes[6], axes[3], axes[4]]);
        s.unroll(axes[3]);
        s.vectorize(axes[4]);
    }
}
