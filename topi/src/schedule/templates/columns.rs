//! Reductions of what lies apart, for elements of the result that lie together: sums of columns, pools
//! of lines. A tile of the result is in registers, in vectors along the last dimension.

use super::{Doc, Template, Way};
use crate::schedule::cost::sizes::planned_shape;
use crate::schedule::{
    Machine, Stage,
    cost::{
        Cycles, lanes_of_row, memory,
        registers::{self, RegisterTile},
        rows::most_sums,
    },
    inline,
    parts::{self, Reduction},
};
use relay_dialects::{
    ir::{Op, Value},
    ops::tensor,
    te::{Role, build::ScheduleBuilder},
    tir::Scope,
};
use std::fmt;

/// A reduction of what lies apart.
pub struct Columns {
    /// The stage.
    stage: Stage,
    /// The dimension along which vectors lie.
    dim: usize,
    /// Their lanes.
    lanes: i64,
}

/// A tile of the result in registers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Knobs {
    /// Its vectors.
    vectors: i64,
}

impl fmt::Display for Knobs {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "vectors={}", self.vectors)
    }
}

/// The last dimension of more than one element.
fn last_dim(shape: &[i64]) -> Option<usize> {
    (0..shape.len()).rev().find(|dim| shape[*dim] != 1)
}

/// Whether neighbours in the last dimension of a reduction read what lies together.
pub fn applies(stage: Stage) -> bool {
    let Some(dim) = last_dim(&stage.shape()) else {
        return false;
    };
    if !stage.reduces() {
        return false;
    }
    let along = stage.op.body().args()[dim];
    let mut reads = false;
    stage.op.walk(|op: Op| {
        if op.is(tensor::Extract::NAME) {
            let last = last_dim(&planned_shape(op, op.operand(0)));
            reads |= last.is_some_and(|dim| op.operand(1 + dim) == along);
        }
    });
    reads || stage.is(Role::Pool)
}

impl Columns {
    /// The vectors of a stage that [`applies`]; none if rows are too short for them.
    pub fn of(stage: Stage, machine: Machine) -> Option<Self> {
        let shape = stage.shape();
        let dim = last_dim(&shape)?;
        let lanes = lanes_of_row(shape[dim], stage.bytes(), machine)?;
        Some(Self { stage, dim, lanes })
    }

    fn extent(&self) -> i64 {
        self.stage.shape()[self.dim]
    }

    /// A tuple has a sum for each of its parts, some of two registers.
    fn most_vectors(&self, machine: Machine) -> i64 {
        most_sums(self.stage.op.result_count() as i64, machine)
    }
}

impl Template for Columns {
    type Knobs = Knobs;

    const DOC: Doc = Doc {
        name: "columns",
        applies: "A reduction with neighbouring results from neighbouring elements: sums of columns, pools of plain rows.",
        ways: &[Way {
            knobs: "vectors",
            loops: "Parallel: tiles of `vectors` vectors of the last dimension, or parts of the reduction if there are few tiles. Then the reduction.",
            kept: "Registers: the sums of the tile.",
        }],
    };

    fn space(&self, machine: Machine) -> Vec<Knobs> {
        let most = self.most_vectors(machine).min(self.extent() / self.lanes);
        (1..=most.max(1))
            .rev()
            .map(|vectors| Knobs { vectors })
            .collect()
    }

    fn cost(&self, knobs: &Knobs, machine: Machine) -> Cycles {
        let tile = RegisterTile {
            numbers: 1,
            vectors: knobs.vectors,
        };
        let (vectors, columns) = (
            (self.stage.work() / self.lanes) as f64,
            knobs.vectors * self.lanes,
        );
        let sums = registers::along_rows(vectors, self.extent(), tile, columns, machine);
        let element = inline::element(self.stage, &[]);
        let computed = memory::compute(self.stage.work(), self.lanes, element, machine);
        let bytes = self.stage.read_bytes() + self.stage.written_bytes();
        sums + computed + memory::stream(bytes, machine)
    }

    fn emit(&self, knobs: &Knobs, s: &ScheduleBuilder, machine: Machine) {
        let (stage, dim, lanes, vectors) = (self.stage, self.dim, self.lanes, knobs.vectors);
        let shape = stage.shape();
        let tiles = shape.iter().product::<i64>() / (vectors * lanes);
        if parts::applies(stage, tiles, machine) {
            return self.emit_parts(vectors, s, machine);
        }
        let handle = s.stage(stage.tensor());
        let cache = s.cache_write(handle, Scope::Local);
        let axes = s.axes(handle, shape.len());
        let (outer, wide) = s.split_inwards(axes[dim], vectors * lanes);
        let (vector, lane) = s.split(wide, lanes);
        s.unroll(vector);
        s.vectorize(lane);
        let mut tile = outer;
        if stage.is_shared() {
            tile = s.fuse(&[&axes[..dim], &[outer]].concat());
            s.parallel(tile);
        }
        s.compute_at(cache, handle, tile);
        let axes = s.axes(cache, stage.axes());
        let (vector, lane) = s.split(axes[dim], lanes);
        let mut order: Vec<Value> = axes[shape.len()..].to_vec();
        order.extend([vector, lane]);
        s.reorder(&order);
        s.unroll(vector);
        s.vectorize(lane);
    }
}

impl Columns {
    /// The reduction in parts that threads share. As many sums are in registers as hide what adding to one
    /// takes, each of some of the rows.
    fn emit_parts(&self, vectors: i64, s: &ScheduleBuilder, machine: Machine) {
        let (stage, dim, lanes) = (self.stage, self.dim, self.lanes);
        let part = Reduction::of(stage, s.stage(stage.tensor())).parts(s);
        // The dimensions of the parts and of the sums are before those of the result.
        let (rank, count) = (part.rank, part.rank + part.reduce.len());
        let most = most_sums(part.results, machine);
        let longest = (rank..count).max_by_key(|axis| part.reduce[*axis - rank]);
        let axis = longest.unwrap_or(count - 1);
        let sums = (most / vectors).clamp(1, part.reduce[axis - rank]);
        let (_, sum) = s.split(part.axes(s)[axis], sums);
        let sums = s.rfactor(part.handle, sum, 0);
        s.set_scope(sums, Scope::Local);
        let axes = s.axes(part.handle, rank + 1);
        let (outer, wide) = s.split(axes[1 + dim], vectors * lanes);
        let (vector, lane) = s.split(wide, lanes);
        s.reorder(&[axes[rank], vector, lane]);
        s.unroll(axes[rank]);
        s.unroll(vector);
        s.vectorize(lane);
        let shared = s.fuse(&axes[..1 + dim]);
        s.parallel(shared);
        s.compute_at(sums, part.handle, outer);
        let axes = s.axes(sums, count + 1);
        let (vector, lane) = s.split(axes[2 + dim], lanes);
        let mut order: Vec<Value> = axes[rank + 1..].to_vec();
        order.extend([axes[0], vector, lane]);
        s.reorder(&order);
        s.unroll(axes[0]);
        s.unroll(vector);
        s.vectorize(lane);
    }
}
