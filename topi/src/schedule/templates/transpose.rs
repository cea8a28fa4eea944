//! Stages whose elements lie in another order in memory than what they read: a tile at a time, whose lines
//! on both sides stay in the first cache.

use super::{Doc, Template, Way};
use crate::schedule::cost::sizes::planned_shape;
use crate::schedule::{
    Machine, Stage,
    cost::{Cycles, even_parts, lanes_of_row, memory, waste},
    inline,
};
use relay_dialects::{
    index::depends_on,
    ir::{Op, Value},
    names,
    ops::tensor,
    te::build::ScheduleBuilder,
};
use std::fmt;

/// A stage that reads along one dimension and writes along another.
pub struct Transpose {
    stage: Stage,
    /// The dimension along which it reads what lies together.
    dim: usize,
    /// The lanes of the vectors that it writes.
    lanes: i64,
    inlined: Vec<Stage>,
}

/// A tile.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Knobs {
    /// The elements along the dimension that is read.
    lines: i64,
}

impl fmt::Display for Knobs {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "lines={}", self.lines)
    }
}

/// The dimension along which a stage reads what lies together, if that is not its last one; `inlined`
/// stages are read as part of it. `seen` holds those that have been looked at.
fn along(stage: Stage, inlined: &[Stage], seen: &mut Vec<Stage>) -> Option<usize> {
    if seen.contains(&stage) {
        return None;
    }
    seen.push(stage);
    let shape = stage.shape();
    let arguments = stage.op.body().args();
    let (last, others) = arguments.get(..shape.len())?.split_last()?;
    let mut found = None;
    let mut reads_rows = false;
    let mut inner = Vec::new();
    stage.op.walk(|op: Op| {
        if !op.is(tensor::Extract::NAME) {
            return;
        }
        let (tensor, subscripts) = (op.operand(0), &op.operands()[1..]);
        let producer = tensor.def_of(names::te::COMPUTE).map(|op| Stage { op });
        if let Some(producer) = producer.filter(|producer| inlined.contains(producer)) {
            let same = subscripts.iter().zip(&arguments).all(|(a, b)| a == b);
            inner.extend((same && producer.shape() == shape).then_some(producer));
            return;
        }
        let from = planned_shape(op, tensor);
        let Some(inmost) = (0..from.len()).rev().find(|dim| from[*dim] != 1) else {
            return;
        };
        let needs = |argument: &Value| depends_on(subscripts[inmost], *argument);
        if needs(last) {
            reads_rows = true;
        } else if subscripts
            .iter()
            .any(|subscript| depends_on(*subscript, *last))
        {
            found = found.or(others.iter().rposition(needs));
        }
    });
    if reads_rows {
        return None;
    }
    found.or_else(|| {
        inner
            .into_iter()
            .find_map(|stage| along(stage, inlined, seen))
    })
}

impl Transpose {
    /// None if tiles gain nothing; `inlined` stages are read as part of it.
    pub fn of(stage: Stage, inlined: &[Stage], machine: Machine) -> Option<Self> {
        if stage.reduces() || stage.op.result_count() != 1 {
            return None;
        }
        let dim = along(stage, inlined, &mut Vec::new())?;
        let lanes = lanes_of_row(stage.lanes(), stage.bytes(), machine)?;
        Some(Self {
            stage,
            dim,
            lanes,
            inlined: inlined.to_vec(),
        })
    }
}

impl Template for Transpose {
    type Knobs = Knobs;

    const DOC: Doc = Doc {
        name: "transpose",
        applies: "A stage that reads along one dimension and writes along another.",
        ways: &[Way {
            knobs: "lines",
            loops: "Parallel: outer dimensions, tiles of `lines` elements along the dimension that is read. Then vectors along the dimension that is written, the tile.",
            kept: "L1: the cache lines of the tile, source and destination.",
        }],
    };

    fn space(&self, machine: Machine) -> Vec<Knobs> {
        let extent = self.stage.shape()[self.dim];
        let most = machine.lanes(self.stage.bytes()).min(extent);
        let parts = even_parts(extent, most).into_iter();
        parts.map(|lines| Knobs { lines }).collect()
    }

    fn cost(&self, knobs: &Knobs, machine: Machine) -> Cycles {
        let elements = self.stage.work();
        let tile = [knobs.lines, self.lanes];
        let moved = memory::transpose(elements, self.stage.bytes(), tile, machine);
        let element = inline::element(self.stage, &self.inlined);
        let bytes = self.stage.written_bytes() + inline::read_bytes(self.stage, &self.inlined);
        // The last tile lies over the one before where it would be shorter.
        let wasted = waste(self.stage.shape()[self.dim], knobs.lines);
        let computed = memory::compute(elements, self.lanes, element, machine);
        (moved + computed) * wasted + memory::stream(bytes, machine)
    }

    fn emit(&self, knobs: &Knobs, s: &ScheduleBuilder, _: Machine) {
        let (stage, dim, shape) = (self.stage, self.dim, self.stage.shape());
        let last = shape.len() - 1;
        let axes = s.axes(s.stage(stage.tensor()), shape.len());
        let (outer, line) = s.split_inwards(axes[dim], knobs.lines);
        let (column, lane) = s.split(axes[last], self.lanes);
        let mut order = axes[..last].to_vec();
        order[dim] = outer;
        let rows = order.clone();
        order.extend([column, line, lane]);
        s.reorder(&order);
        s.vectorize(lane);
        if stage.is_shared() && !rows.is_empty() {
            s.parallel(s.fuse(&rows));
        }
    }
}
