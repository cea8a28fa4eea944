//! What a loop needs of a producer, found by probing.

use super::{BoxRegion, Lowering, Nest, threads::is_thread};
use crate::te::lower_te::schedule::{Attach, AxisId, Body, Illegal, Stage, StageId};
use relay_dialects::dim::Dim;
use relay_dialects::index::{self, any_part};
use relay_dialects::ir::{AffineExpr, Builder, Op, Value};
use relay_dialects::tir::{For, Scope};
use relay_loops::analysis::{
    is_inside,
    linear::{Linear, form_interval, linear, same_value},
};
use std::collections::HashMap;

impl Lowering<'_> {
    /// What the loops of `nest` inside leaf `position`, and the stages `later` that are computed there
    /// in their regions, read of stage `id`, which is not realised yet, as a box; none if nothing.
    pub(super) fn region(
        &mut self,
        b: &Builder,
        nest: &mut Nest,
        id: StageId,
        position: usize,
        later: &[(StageId, BoxRegion)],
    ) -> Result<Option<BoxRegion>, Illegal> {
        // What an earlier part of the program has of it is of no use here.
        self.realized.remove(&id);
        let outer_probe = self.probed.replace(HashMap::new());
        // What is read in the scratch block goes with it.
        let outer_watch = self.watched.take();
        let scratch = self.scratch(b, nest, position, later);
        self.watched = outer_watch;
        let probed = std::mem::replace(&mut self.probed, outer_probe);
        let scratch = scratch?;
        let reads = probed
            .and_then(|mut probed| probed.remove(&id))
            .unwrap_or_default();
        let stage = &self.schedule.stages[id];
        let inside = match stage.scope() {
            Scope::Shared => Inside::Block(scratch),
            Scope::Global | Scope::Local | Scope::Fragment => Inside::Loop(scratch),
        };
        // What is zero beyond the tensor may be read there.
        let within = !self.reaches_beyond(id);
        let region = (!reads.is_empty()).then(|| hull(b, inside, &reads, (&stage.shape, within)));
        scratch.erase();
        Ok(region.map(|region| match stage.scope() {
            Scope::Fragment if !within => whole_matrices(region, stage),
            _ => region,
        }))
    }

    /// The stages that are computed in the loop of `axis`, producers first.
    pub(super) fn computed_in(&self, nest: &Nest, axis: AxisId) -> Vec<StageId> {
        let here = Attach::At {
            parent: nest.stage,
            axis,
        };
        let stages = self.schedule.order.iter().copied();
        stages
            .filter(|id| self.schedule.attach(*id, self.version.tile) == here)
            .collect()
    }

    /// What an iteration of the loop of `axis`, leaf `position` of `nest`, reads of the stages that are
    /// computed in it, producers first.
    pub(super) fn regions(
        &mut self,
        b: &Builder,
        nest: &mut Nest,
        axis: AxisId,
        position: usize,
    ) -> Result<Vec<(StageId, BoxRegion)>, Illegal> {
        // What a stage must hold depends on those after it.
        let mut regions: Vec<(StageId, BoxRegion)> = Vec::new();
        for id in self.computed_in(nest, axis).into_iter().rev() {
            match self.region(b, nest, id, position, &regions)? {
                Some(region) => regions.insert(0, (id, region)),
                // The first steps of a scan are copied, the others computed: from other stages.
                None if matches!(self.schedule.stages[nest.stage].body, Body::Scan(_)) => {}
                // A loop without iterations reads nothing.
                None if self.schedule.stages.iter().any(Stage::is_empty) => {}
                None => {
                    let name = &self.schedule.stages[id].name;
                    let reason = format!("nothing in that loop reads stage '{name}'");
                    return Err(self.illegal(id, reason));
                }
            }
        }
        Ok(regions)
    }

    /// What the loops of `nest` inside leaf `position`, and the stages `inside` that are computed there in their
    /// regions, read or write of a tensor, as a box; none if nothing. The box may lie beyond the tensor.
    pub(super) fn tensor_region(
        &mut self,
        b: &Builder,
        nest: &mut Nest,
        tensor: Value,
        (position, inside): (usize, &[(StageId, BoxRegion)]),
    ) -> Result<Option<BoxRegion>, Illegal> {
        let outer_probe = self.probed.replace(HashMap::new());
        let outer_watch = self.watched.replace((tensor, Vec::new()));
        let scratch = self.scratch(b, nest, position, inside);
        let watched = std::mem::replace(&mut self.watched, outer_watch);
        self.probed = outer_probe;
        let scratch = scratch?;
        let reads = watched.map(|(_, reads)| reads).unwrap_or_default();
        let shape = tensor.ty().dims();
        let inside = Inside::Loop(scratch);
        let region = (!reads.is_empty()).then(|| hull(b, inside, &reads, (&shape, false)));
        scratch.erase();
        Ok(region)
    }

    /// Writes the rest of a nest into a loop that runs no iteration, to be looked at and thrown away.
    fn scratch(
        &mut self,
        b: &Builder,
        nest: &mut Nest,
        position: usize,
        later: &[(StageId, BoxRegion)],
    ) -> Result<Op, Illegal> {
        let scratch = For::serial(b, 0, 0);
        let inside = scratch.inside(b);
        let (variables, initialized) = (nest.variables.clone(), nest.initialized);
        let known = self.realized.clone();
        nest.initialized = true;
        let written = later
            .iter()
            .try_for_each(|(id, region)| self.realize(&inside, *id, region.clone(), &[]))
            .and_then(|()| self.loops(&inside, nest, position + 1));
        self.realized = known;
        (nest.variables, nest.initialized) = (variables, initialized);
        written.map(|()| scratch.op())
    }
}

/// A region of a fragment that has all of each matrix that its layout cuts it into.
fn whole_matrices(mut region: BoxRegion, stage: &Stage) -> BoxRegion {
    let layout = stage.layout.iter().flat_map(|(map, _)| &map.results);
    for result in layout {
        let AffineExpr::FloorDiv(dividend, divisor) = result else {
            continue;
        };
        let (AffineExpr::Dim(dim), AffineExpr::Constant(length)) = (&**dividend, &**divisor) else {
            continue;
        };
        if let Dim::Known(extent) = &mut region.extent[*dim] {
            *extent = index::ceil_div(*extent, *length) * length;
        }
    }
    region
}

/// The iterations that a box is around.
#[derive(Clone, Copy)]
enum Inside {
    /// Those of the loops inside an op.
    Loop(Op),
    /// Also those of the threads of a block around it: they share what is in the box.
    Block(Op),
}

impl Inside {
    fn scratch(self) -> Op {
        match self {
            Self::Loop(scratch) | Self::Block(scratch) => scratch,
        }
    }

    /// Whether a value differs among the iterations.
    fn varies(self, value: Value) -> bool {
        let of_thread = || matches!(self, Self::Block(_)) && any_part(value, is_thread);
        varies_inside(value, self.scratch()) || of_thread()
    }
}

/// The box around the subscripts of reads inside an op: the whole of a dimension where it is not known, and,
/// if it is to stay `within` the shape, where it would be longer.
fn hull(
    b: &Builder,
    inside: Inside,
    reads: &[Vec<Value>],
    (shape, within): (&[Dim], bool),
) -> BoxRegion {
    let dimensions = shape.iter().enumerate().map(|(dimension, limit)| {
        let subscripts: Vec<Value> = reads.iter().map(|read| read[dimension]).collect();
        let range = range(inside, &subscripts);
        let is_part = |range: &Range| limit.known().is_none_or(|limit| range.extent() < limit);
        match range.filter(|range| !within || is_part(range)) {
            Some(range) => (range.first(b, inside.scratch()), Dim::Known(range.extent())),
            None => (b.index(0), *limit),
        }
    });
    let (min, extent) = dimensions.unzip();
    BoxRegion { min, extent }
}

/// The values that some subscripts take: what is fixed, and from `low` to `high` more.
struct Range {
    fixed: Vec<(Value, i64)>,
    low: i64,
    high: i64,
}

impl Range {
    fn extent(&self) -> i64 {
        self.high.saturating_sub(self.low).saturating_add(1)
    }

    /// The lowest, computed before `scratch`.
    fn first(&self, b: &Builder, scratch: Op) -> Value {
        let low = b.index(self.low);
        self.fixed.iter().fold(low, |sum, (term, coefficient)| {
            let here = rematerialize(b, scratch, *term);
            index::add(b, sum, index::scale(b, here, *coefficient))
        })
    }
}

/// The range of subscripts over all iterations; none where it is not known.
fn range(inside: Inside, subscripts: &[Value]) -> Option<Range> {
    let mut found: Option<Range> = None;
    for subscript in subscripts {
        let form = linear(*subscript);
        let (inner, fixed): (Vec<_>, Vec<_>) = form
            .terms
            .iter()
            .copied()
            .partition(|(term, _)| inside.varies(*term));
        let inner = Linear {
            constant: form.constant,
            terms: inner,
        };
        let (low, high) = form_interval(&inner)?;
        match &mut found {
            None => found = Some(Range { fixed, low, high }),
            Some(known) if same_terms(&known.fixed, &fixed) => {
                known.low = known.low.min(low);
                known.high = known.high.max(high);
            }
            Some(_) => return None,
        }
    }
    found
}

/// Equal up to copies of one computation: the probe writes `min(...)` of an outer loop once per read.
fn same_terms(lhs: &[(Value, i64)], rhs: &[(Value, i64)]) -> bool {
    lhs.len() == rhs.len()
        && lhs.iter().all(|(term, factor)| {
            rhs.iter()
                .any(|(other, other_factor)| factor == other_factor && same_value(*term, *other))
        })
}

/// Whether a value depends on a loop inside `scratch`.
pub(super) fn varies_inside(value: Value, scratch: Op) -> bool {
    any_part(value, |part| {
        part.def().is_none() && is_inside(part, scratch)
    })
}

/// A value that does not vary inside `scratch`, computed before it.
pub(super) fn rematerialize(b: &Builder, scratch: Op, value: Value) -> Value {
    copy(b, scratch, value, &mut HashMap::new())
}

/// Copies what a value is computed from inside `scratch`, each operation once.
fn copy(b: &Builder, scratch: Op, value: Value, copies: &mut HashMap<Op, Op>) -> Value {
    let Some(op) = value.def().filter(|_| is_inside(value, scratch)) else {
        return value;
    };
    if let Some(known) = copies.get(&op) {
        return known.result(value.number());
    }
    let operands = op.operands().into_iter();
    let operands: Vec<Value> = operands
        .map(|operand| copy(b, scratch, operand, copies))
        .collect();
    let copied = b.insert(op.clone_detached());
    copied.set_operands(&operands);
    copies.insert(op, copied);
    copied.result(value.number())
}
