//! Reductions of rows, with what is computed of a row before and after them: softmax, normalisations,
//! sums along the last dimensions. All stages of a row are computed while it is in the first cache, and
//! rows are shared among threads.

use super::{Doc, Template, Way};
use crate::schedule::{cost::sizes::planned_shape, stage::bytes_of};
use crate::{
    schedule::{
        Machine, Stage,
        cost::{
            self, Cycles, lanes_of_row,
            layout::FEW_ROWS,
            memory,
            prefetch::rows_ahead,
            rows::{self as cycles, most_sums},
        },
        inline, is_tiled,
        parts::{self, Reduction},
        templates::injective,
    },
    winograd::STAGES,
};
use relay_dialects::{
    index::depends_on,
    ir::{Op, Value},
    ops::tensor,
    te::{
        Role,
        build::{Prefetch, ScheduleBuilder},
    },
    tir::Scope,
};
use std::fmt;

/// The stages of a function that computes rows.
pub struct Rows {
    /// The stage that is returned.
    last: Stage,
    /// What is computed for a row before it, in order.
    parts: Vec<Stage>,
    /// How many dimensions number the rows, those of one element left out.
    dims: usize,
    /// The stages that become part of others.
    inlined: Vec<Stage>,
    /// What widens an operand that all rows read. It is computed before them.
    shared: Vec<Stage>,
}

/// How a row is reduced.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Knobs {
    /// The most vectors of sums side by side.
    sums: i64,
}

impl fmt::Display for Knobs {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "sums={}", self.sums)
    }
}

/// The handles of the stages of a row.
struct Row {
    /// The last stage.
    result: Value,
    /// What is computed before it.
    stages: Vec<Value>,
    /// The axes of the last stage that number the rows; none if there is one row.
    axes: Vec<Value>,
    /// The stages that compute elements of a row in vectors, with the loops over these.
    loops: Vec<(Stage, Value)>,
}

impl Row {
    /// Computes the stages at a loop of the last one.
    fn compute_at(&self, s: &ScheduleBuilder, at: Value) {
        for stage in &self.stages {
            s.compute_at(*stage, self.result, at);
        }
    }
}

/// The dimensions of more than one element.
fn dims(stage: Stage) -> Vec<usize> {
    let shape = stage.shape();
    (0..shape.len()).filter(|dim| shape[*dim] != 1).collect()
}

impl Rows {
    /// None if the stages, of which `inlined` are to become part of others, do not belong to rows.
    pub fn of(stages: &[Stage], inlined: &[Stage], returned: &[Value]) -> Option<Self> {
        let last = *stages.last()?;
        let is_other = |stage: &Stage| {
            (stage.op.result_count() != 1 && !stage.reduces())
                || (stage.is(Role::Pool) && !reads_along(*stage))
                || stage.role().is_some_and(|role| STAGES.contains(&role))
                || is_tiled(stage)
        };
        let [result] = returned else { return None };
        if result.def() != Some(last.op) || stages.iter().any(is_other) {
            return None;
        }
        let reductions = stages.iter().filter(|stage| stage.reduces());
        let count = reductions.map(|stage| dims(*stage).len()).min()?;
        let is_part = |stage: &Stage| {
            !inlined.contains(stage) || (dims(*stage).len() == count && stage.is_costly())
        };
        let others = stages[..stages.len() - 1].iter().copied();
        let mut rows = Self {
            last,
            parts: others.filter(is_part).collect(),
            dims: count,
            inlined: inlined
                .iter()
                .copied()
                .filter(|stage| !is_part(stage))
                .collect(),
            shared: Vec::new(),
        };
        let is_shared = |stage: &Stage| {
            stage.is(Role::Widen) && stage.producers().is_empty() && !rows.is_aligned(*stage)
        };
        let (shared, parts) = rows.parts.iter().copied().partition(is_shared);
        (rows.shared, rows.parts) = (shared, parts);
        let alike = rows.parts.iter().all(|part| rows.is_aligned(*part))
            && (stages.iter().filter(|stage| stage.reduces())).all(|stage| reads_along(*stage));
        (dims(last).len() >= count && alike).then_some(rows)
    }

    /// Whether each row of what reads a part needs that row of it, and rows are as many.
    fn is_aligned(&self, part: Stage) -> bool {
        let own = dims(part);
        let extents = |stage: Stage, dims: &[usize]| -> Vec<i64> {
            let dims = dims.iter().take(self.dims);
            dims.map(|dim| stage.shape()[*dim]).collect()
        };
        part.reads().into_iter().all(|read| {
            let reader = dims(read.reader);
            let indices = read.reader.op.body().args();
            let subscripts = read.op.operands();
            extents(part, &own) == extents(read.reader, &reader)
                && (own.iter().zip(&reader).take(self.dims))
                    .all(|(own, reader)| subscripts[1 + own] == indices[*reader])
        })
    }

    /// All stages of a row, before the next row.
    fn emit_rows(&self, sums: i64, s: &ScheduleBuilder, machine: Machine) {
        let mut row = self.row(sums, s, machine);
        if row.axes.is_empty() {
            return;
        }
        if self.is_product_of_few() {
            row.axes.swap(0, 1);
            s.reorder(&row.axes);
        }
        let at = s.fuse(&row.axes);
        let is_open = self.stages().any(Stage::is_open);
        if is_open || cost::is_worth_sharing(self.stages().map(Stage::work).sum()) {
            s.parallel(at);
        }
        row.compute_at(s, at);
        self.prefetch(&row, at, s, machine);
    }

    /// Has the stage that computes most fetch what later rows read, and the lines that this one or a later one
    /// writes: the loops of a row read and write one after the other, so that the processor sees the next row too late.
    fn prefetch(&self, row: &Row, at: Value, s: &ScheduleBuilder, machine: Machine) {
        let read = self.read_by_row();
        let bytes = |tensor: &Value| bytes_of(self.last.op, *tensor);
        let streamed: i64 = read.iter().chain([&self.last.tensor()]).map(bytes).sum();
        let cost =
            |stage: Stage| memory::compute(1, 1, inline::element(stage, &self.inlined), machine);
        let longest = (row.loops.iter()).max_by(|a, b| cost(a.0).compare(&cost(b.0)));
        let Some((_, over)) = longest.filter(|_| streamed > machine.l1_bytes) else {
            return;
        };
        let ahead = rows_ahead(
            self.computing(machine) * (1.0 / self.count() as f64),
            machine,
        );
        for tensor in read {
            s.prefetch(tensor, at, Prefetch::ahead(ahead).spread(*over));
        }
        s.prefetch(
            self.last.tensor(),
            at,
            Prefetch::ahead(ahead - 1).spread(*over),
        );
    }

    /// The arguments of which each row reads another part.
    fn read_by_row(&self) -> Vec<Value> {
        let mut found = Vec::new();
        for stage in self.stages().chain(self.inlined.iter().copied()) {
            let args = stage.op.body().args();
            let own = dims(stage);
            let rows: Vec<Value> = own.iter().take(self.dims).map(|dim| args[*dim]).collect();
            stage.op.walk(|op: Op| {
                if op.is(tensor::Extract::NAME)
                    && op.operand(0).def().is_none()
                    && rows.iter().all(|row| op.operands()[1..].contains(row))
                    && !found.contains(&op.operand(0))
                {
                    found.push(op.operand(0));
                }
            });
        }
        found
    }

    /// Writes the schedule of all stages but those that are inlined, with the last one in the loop `axis` of the
    /// stage `reader`, which needs several rows at a time.
    pub fn emit_at(&self, s: &ScheduleBuilder, (reader, axis): (Value, Value), machine: Machine) {
        let row = self.row(most_sums(1, machine), s, machine);
        s.compute_at(row.result, reader, axis);
        match row.axes.last() {
            Some(at) => row.compute_at(s, *at),
            None => (row.stages.iter()).for_each(|stage| s.compute_at(*stage, reader, axis)),
        }
    }

    /// The stage that is returned.
    pub fn last(&self) -> Stage {
        self.last
    }

    /// The stages that are computed for a row before the last one, in order; none if some are computed before all rows.
    pub fn parts(&self) -> Option<&[Stage]> {
        self.shared.is_empty().then_some(&self.parts)
    }

    /// The stages that become part of others.
    pub fn inlined(&self) -> &[Stage] {
        &self.inlined
    }

    /// The axes of the last stage that number rows, and those along a row.
    pub fn last_axes(&self) -> (Vec<usize>, Vec<usize>) {
        let axes = 0..self.last.shape().len();
        let numbers: Vec<usize> = dims(self.last)[..self.dims].to_vec();
        let end = numbers.last().map_or(0, |dim| dim + 1);
        axes.partition(|axis| *axis < end)
    }

    /// Whether a stage has one element for each row.
    pub fn is_of_row(&self, stage: Stage) -> bool {
        dims(stage).len() == self.dims
    }

    /// Whether a stage is computed for a row before the last one.
    pub fn contains(&self, stage: Stage) -> bool {
        self.parts.contains(&stage)
    }

    /// The vectors of all stages.
    fn row(&self, sums: i64, s: &ScheduleBuilder, machine: Machine) -> Row {
        let (mut stages, mut loops) = (Vec::new(), Vec::new());
        for part in &self.parts {
            let handle = s.stage(part.tensor());
            let (before, vectors) = self.within(s, *part, (handle, sums), machine);
            stages.extend(before);
            stages.push(handle);
            loops.extend(vectors.map(|vectors| (*part, vectors)));
        }
        let result = s.stage(self.last.tensor());
        let (before, vectors) = self.within(s, self.last, (result, sums), machine);
        loops.extend(vectors.map(|vectors| (self.last, vectors)));
        // What is reduced in steps has one reduce axis left.
        let count = match before.is_empty() {
            true => self.last.axes(),
            false => self.last.shape().len() + 1,
        };
        stages.extend(before);
        let mut axes = s.axes(result, count);
        let last_of_rows = self.dims.checked_sub(1).map(|dim| dims(self.last)[dim]);
        axes.truncate(last_of_rows.map_or(0, |dim| dim + 1));
        Row {
            result,
            stages,
            axes,
            loops,
        }
    }

    /// What its stages take beside what comes from memory.
    pub fn computing(&self, machine: Machine) -> Cycles {
        self.computing_with(most_sums(1, machine), machine)
    }

    fn computing_with(&self, sums: i64, machine: Machine) -> Cycles {
        let of_stage = |stage: Stage| {
            let element = inline::element(stage, &self.inlined);
            let lanes = lanes_of_row(stage.row_extent(), stage.bytes(), machine).unwrap_or(1);
            let computed = memory::compute(stage.work(), lanes, element, machine);
            let Some(&extent) = stage.reduce_extents().last() else {
                return computed;
            };
            let results = stage.op.result_count() as i64;
            let most = sums.min(most_sums(results, machine));
            let lanes = lanes_of_row(extent, stage.bytes(), machine).unwrap_or(1);
            let vectors = cycles::vectors_of_row(extent, lanes, most, machine);
            let rows = stage.work() as f64 / extent.max(1) as f64;
            computed + cycles::cycles(extent, vectors, lanes, machine) * rows
        };
        self.stages().map(of_stage).sum()
    }

    /// Whether the stage that is returned is [m, n] with few rows m, and what is reduced reads a matrix of n
    /// rows: each of these is read once if it meets all m rows before the next one does.
    fn is_product_of_few(&self) -> bool {
        let shape = self.last.shape();
        let mut reads_matrix = false;
        for stage in self.stages().filter(|stage| stage.reduces()) {
            let row = stage.op.body().arg(0);
            stage.op.walk(|op: Op| {
                reads_matrix |= op.is(tensor::Extract::NAME)
                    && !op.operands()[1..].iter().any(|at| depends_on(*at, row));
            });
        }
        shape.len() == 2 && self.dims == 2 && shape[0] <= FEW_ROWS && reads_matrix
    }

    /// Whether threads should share the elements of a row. Where several stages reduce, a row that is
    /// computed at a time is read from the cache.
    fn are_few(&self, machine: Machine) -> bool {
        let rows = self.count();
        let reductions = || self.stages().filter(|stage| stage.reduces());
        let alone = rows == 1 || reductions().count() == 1;
        alone && reductions().any(|stage| parts::applies(stage, rows, machine))
    }

    /// The number of rows.
    fn count(&self) -> i64 {
        let shape = self.last.shape();
        dims(self.last)[..self.dims]
            .iter()
            .map(|dim| shape[*dim])
            .product()
    }

    /// All stages, in order.
    fn stages(&self) -> impl Iterator<Item = Stage> {
        self.parts.iter().copied().chain([self.last])
    }

    /// One stage after the other, each shared by threads.
    fn emit_parts(&self, sums: i64, s: &ScheduleBuilder, machine: Machine) {
        for stage in self.stages() {
            if !stage.reduces() {
                injective::emit(s, stage, machine);
                continue;
            }
            let part = Reduction::of(stage, s.stage(stage.tensor())).parts(s);
            let vectors = across(s, &part, sums, machine);
            // What is reduced in steps has one reduce axis left.
            let left = if vectors.is_empty() {
                part.reduce.len()
            } else {
                1
            };
            let axes = s.axes(part.handle, part.rank + left);
            let shared = s.fuse(&axes[..part.rank]);
            s.parallel(shared);
            for stage in vectors {
                s.compute_at(stage, part.handle, shared);
            }
        }
    }

    /// The vectors of a row of a stage: along its last dimension, or across its last reduce axis. Returns
    /// the stages that it is reduced in before, or the loop over its vectors.
    fn within(
        &self,
        s: &ScheduleBuilder,
        stage: Stage,
        (handle, sums): (Value, i64),
        machine: Machine,
    ) -> (Vec<Value>, Option<Value>) {
        if stage.reduces() {
            let before = across(s, &Reduction::of(stage, handle), sums, machine);
            return (before, None);
        }
        let shape = stage.shape();
        let dim = dims(stage).into_iter().skip(self.dims).last();
        let vectors = dim.and_then(|dim| {
            let lanes = lanes_of_row(shape[dim], stage.bytes(), machine)?;
            let (vectors, lane) = s.split(s.axes(handle, shape.len())[dim], lanes);
            s.vectorize(lane);
            Some(vectors)
        });
        (Vec::new(), vectors)
    }
}

impl Template for Rows {
    type Knobs = Knobs;

    const DOC: Doc = Doc {
        name: "rows",
        applies: "Stages that compute each row from one row: softmax, normalisations, sums along the last dimensions.",
        ways: &[Way {
            knobs: "sums",
            loops: "Parallel: rows, or the elements of a row if there are few rows. In a row: one stage after the other; the longest stage prefetches the next row.",
            kept: "Registers: up to `sums` vectors of a reduction. L1: the row in every stage.",
        }],
    };

    fn space(&self, machine: Machine) -> Vec<Knobs> {
        let most = most_sums(1, machine).max(1);
        (1..=most).rev().map(|sums| Knobs { sums }).collect()
    }

    fn cost(&self, knobs: &Knobs, machine: Machine) -> Cycles {
        let bytes = self.last.written_bytes() + inline::read_bytes(self.last, &self.inlined);
        self.computing_with(knobs.sums, machine) + memory::stream(bytes, machine)
    }

    fn emit(&self, knobs: &Knobs, s: &ScheduleBuilder, machine: Machine) {
        for stage in &self.inlined {
            s.compute_inline(s.stage(stage.tensor()));
        }
        for stage in &self.shared {
            injective::emit(s, *stage, machine);
        }
        if self.are_few(machine) {
            self.emit_parts(knobs.sums, s, machine);
        } else {
            self.emit_rows(knobs.sums, s, machine);
        }
    }
}

/// Whether a stage reduces what lies together: its last reduce axis is the last subscript, but for
/// dimensions of one element, wherever it is one.
fn reads_along(stage: Stage) -> bool {
    let Some(along) = stage.op.body().args().last().copied() else {
        return false;
    };
    let mut reads = 0;
    let mut across = false;
    stage.op.walk(|op: Op| {
        if !op.is(tensor::Extract::NAME) {
            return;
        }
        let (operands, shape) = (op.operands(), planned_shape(op, op.operand(0)));
        let last = (0..shape.len()).rev().find(|dim| shape[*dim] != 1);
        for (dim, subscript) in operands[1..].iter().enumerate() {
            if *subscript == along {
                reads += 1;
                across |= Some(dim) != last;
            }
        }
    });
    reads > 0 && !across
}

/// A reduction in some vectors, which are then combined with each other, and their lanes at last.
/// There are up to `sums` of them. Returns the stages that the vectors are.
pub fn across(
    s: &ScheduleBuilder,
    reduction: &Reduction,
    sums: i64,
    machine: Machine,
) -> Vec<Value> {
    let &Reduction {
        handle: result,
        rank,
        ref reduce,
        results,
        ..
    } = reduction;
    let extent = reduce.last().copied().unwrap_or(1);
    let Some(lanes) = lanes_of_row(extent, reduction.bytes, machine) else {
        return Vec::new();
    };
    let count = rank + reduce.len();
    let vectors = cycles::vectors_of_row(
        extent,
        lanes,
        sums.min(most_sums(results, machine)),
        machine,
    );
    let axes = reduction.axes(s);
    let (_, inner) = s.split(axes[count - 1], vectors * lanes);
    let partial = s.rfactor(result, inner, rank as i64);
    s.set_scope(partial, Scope::Local);
    let axes = s.axes(partial, count + 1);
    let (vector, lane) = s.split(axes[rank], lanes);
    let left = &axes[rank + 1..];
    s.reorder(&[left, &[vector, lane]].concat());
    s.unroll(vector);
    s.vectorize(lane);
    let mut stages = vec![partial];
    let mut over = s.axes(result, rank + 1)[rank];
    if vectors > 1 {
        let (_, lane) = s.split(over, lanes);
        let combined = s.rfactor(result, lane, rank as i64);
        s.set_scope(combined, Scope::Local);
        let axes = s.axes(combined, rank + 2);
        s.reorder(&[axes[rank + 1], axes[rank]]);
        s.unroll(axes[rank + 1]);
        s.vectorize(axes[rank]);
        stages.push(combined);
        over = s.axes(result, rank + 1)[rank];
    }
    s.vectorize(over);
    stages
}
