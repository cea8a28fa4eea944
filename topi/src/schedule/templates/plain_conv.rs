//! Convolutions on plain channels: grouped ones, transposed ones, those of one and three dimensions.

use super::{Doc, Template, Way};
use crate::schedule::{
    Machine, Stage,
    cost::{
        Cycles,
        registers::{self, RegisterTile},
    },
    epilogue::Epilogue,
};
use relay_dialects::{ir::Value, te::build::ScheduleBuilder};
use std::fmt;

/// A convolution to [n, channels, space.., x].
pub struct PlainConv {
    /// The convolution.
    pub conv: Stage,
    /// What is computed with it.
    pub epilogue: Epilogue,
    /// Whether channels share no data.
    pub depthwise: bool,
    /// The lanes of the vectors along x.
    pub lanes: i64,
}

/// A tile of channels, or of rows where channels share no data, by vectors along x in registers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Knobs {
    /// Channels or rows, which they divide.
    rows: i64,
    /// Vectors along x.
    vectors: i64,
}

impl fmt::Display for Knobs {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "rows={} vectors={}", self.rows, self.vectors)
    }
}

/// The most channels or rows, and vectors, of a tile: more leave too few registers for the other.
const MOST_ROWS: i64 = 6;
const MOST_VECTORS: i64 = 4;

impl PlainConv {
    /// The axis along which a tile has several rows, and its extent. Channels share the data, rows of one channel the weight.
    fn tiled_axis(&self) -> (usize, i64) {
        let shape = self.conv.shape();
        let rank = shape.len();
        if self.depthwise && rank > 3 {
            (rank - 2, shape[rank - 2])
        } else {
            (1, self.conv.channels_of_group())
        }
    }

    fn width(&self) -> i64 {
        self.conv.lanes()
    }
}

impl Template for PlainConv {
    type Knobs = Knobs;

    const DOC: Doc = Doc {
        name: "plain-conv",
        applies: "A convolution in plain layout: grouped, transposed, 1-D or 3-D.",
        ways: &[Way {
            knobs: "rows, vectors",
            loops: "Parallel: samples, tiles of `rows` channels, rows of pixels (of a depthwise convolution: channels, tiles of `rows` rows). Then tiles of `vectors` vectors of pixels, reduction.",
            kept: "Registers: the sums of the tile.",
        }],
    };

    fn space(&self, machine: Machine) -> Vec<Knobs> {
        let (_, extent) = self.tiled_axis();
        let fit = (self.width() / self.lanes).max(1);
        let vectors = |rows: i64| {
            // Beside the sums, a vector of data for each column and some for the weight.
            let most = (machine.registers - 4) / (rows + 1);
            let most = most.clamp(1, MOST_VECTORS).min(fit);
            (1..=most).map(move |vectors| Knobs { rows, vectors })
        };
        (1..=MOST_ROWS)
            .filter(|rows| extent % rows == 0)
            .flat_map(vectors)
            .collect()
    }

    fn cost(&self, knobs: &Knobs, machine: Machine) -> Cycles {
        let tile = RegisterTile {
            numbers: knobs.rows,
            vectors: knobs.vectors,
        };
        let vectors = (self.conv.work() / self.lanes) as f64;
        let columns = knobs.vectors * self.lanes;
        let sums = registers::along_rows(vectors, self.width(), tile, columns, machine);
        sums + self.epilogue.cost(machine)
    }

    fn emit(&self, knobs: &Knobs, s: &ScheduleBuilder, _: Machine) {
        self.epilogue.inline(s);
        let (conv, lanes) = (self.conv, self.lanes);
        let rank = conv.shape().len();
        let (axis, _) = self.tiled_axis();
        let (accumulator, result) = self.epilogue.accumulator(s);
        let axes = s.axes(result, rank);
        let (outer, inner) = s.split(axes[axis], knobs.rows);
        let (column, wide) = s.split(axes[rank - 1], knobs.vectors * lanes);
        let (vector, lane) = s.split(wide, lanes);
        let mut order: Vec<Value> = axes[..rank - 1].to_vec();
        order[axis] = outer;
        // Threads share what lies outside of the tiled axis; it too, which its tile divides.
        let shared = order.clone();
        order.extend([column, inner, vector, lane]);
        s.reorder(&order);
        s.unroll(inner);
        s.unroll(vector);
        s.vectorize(lane);
        s.compute_at(accumulator, result, column);
        let rows = s.fuse(&shared);
        if conv.are_tiles_shared(lanes) {
            s.parallel(rows);
        }

        let axes = s.axes(accumulator, conv.axes());
        let (vector, lane) = s.split(axes[rank - 1], lanes);
        let mut order: Vec<Value> = axes[rank..].to_vec();
        order.extend([axes[axis], vector, lane]);
        s.reorder(&order);
        s.unroll(axes[axis]);
        s.unroll(vector);
        s.vectorize(lane);
    }
}
