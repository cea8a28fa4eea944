//! What a loop computes or fetches for its later iterations: double and rolling buffers, prefetches.

use super::{
    BoxRegion, Lowering, Nest, Realized,
    buffer::{Circle, Placement},
    tensorize::block_of,
};
use crate::analysis::linear::linear;
use crate::te::schedule::{Attach, AxisId, Buffering, Illegal, Prefetch, StageId};
use relay_dialects::index;
use relay_dialects::ir::{Attr, Block, Builder, Op, Type, Value};

/// The bytes of a line of the cache.
const CACHE_LINE: i64 = 64;

/// What is computed before a loop, and what in one of its iterations.
struct Parts<'a> {
    before: &'a Builder,
    first: BoxRegion,
    here: BoxRegion,
}

impl Lowering<'_> {
    /// The stage in the loop of `axis` that shares its buffer among the iterations, if there is one.
    pub(super) fn buffered(&self, nest: &Nest, axis: AxisId) -> Result<Option<StageId>, Illegal> {
        let here = Attach::At {
            parent: nest.stage,
            axis,
        };
        let stages = &self.schedule.stages;
        let inside: Vec<StageId> = (0..stages.len())
            .filter(|id| stages[*id].attach == here)
            .collect();
        let Some(&id) = inside.iter().find(|id| stages[**id].buffering.is_some()) else {
            return Ok(None);
        };
        let Some((_, op)) = stages[id].buffering else {
            return Ok(None);
        };
        let illegal = |reason: &str| {
            Err(Illegal {
                op,
                reason: reason.into(),
            })
        };
        if inside.len() > 1 {
            return illegal("the stage is not the only one that is computed in its loop");
        }
        if !matches!(self.schedule.axes[axis].kind, "serial" | "unrolled") {
            return illegal("the iterations of the loop that it is computed in have no order");
        }
        Ok(Some(id))
    }

    /// Computes stage `id` in the loop whose body `b` stands in, the first part before the loop.
    pub(super) fn realize_ahead(
        &mut self,
        b: &Builder,
        nest: &mut Nest,
        (axis, position): (AxisId, usize),
        id: StageId,
    ) -> Result<(), Illegal> {
        let stage = &self.schedule.stages[id];
        let (Some((buffering, op)), Some(around)) = (stage.buffering, enclosing(b)) else {
            return Ok(());
        };
        let before = Builder::before(around).with_loc(b.loc);
        let variable = nest.variables[&axis];
        nest.variables.insert(axis, before.index(0));
        let first = self.region(&before, nest, id, position, &[])?;
        nest.variables.insert(axis, variable);
        let here = self.region(b, nest, id, position, &[])?;
        if first.extent != here.extent {
            let reason = "the iterations read parts of different shapes".into();
            return Err(Illegal { op, reason });
        }
        match buffering {
            Buffering::Double => {
                let parts = Parts {
                    before: &before,
                    first,
                    here,
                };
                self.double(b, nest, (axis, position), id, parts)
            }
            Buffering::Rolling => self.roll(b, &before, variable, id, &first, here),
        }
    }

    fn double(
        &mut self,
        b: &Builder,
        nest: &mut Nest,
        (axis, position): (AxisId, usize),
        id: StageId,
        parts: Parts<'_>,
    ) -> Result<(), Illegal> {
        let Parts {
            before,
            first,
            here,
        } = parts;
        let buffers = self.allocate(before, id, &first.extent, Some(2), &[])?;
        let layout = self.place(id, Vec::new(), first.clone()).placement.layout;
        let slot = |slot: Value, region: BoxRegion| Realized {
            buffers: buffers.clone(),
            region,
            placement: Placement {
                slot: Some(slot),
                circle: None,
                layout: layout.clone(),
            },
        };
        let start = slot(before.index(0), first.clone());
        self.fill(before, id, first, start)?;

        let variable = nest.variables[&axis];
        let next = index::add(b, variable, b.index(1));
        let has_next = index::less(b, next, nest.extents[&axis]);
        let then = Block::new(b.ctx, &[]);
        b.region_op("scf.if", &[has_next], &[], &[], &[Some(then), None]);
        let end = Builder::at_end(then, b.loc, b.ctx).op("scf.yield", &[], &[], &[]);
        let inside = Builder::before(end).with_loc(b.loc);
        nest.variables.insert(axis, next);
        let region = self.region(&inside, nest, id, position, &[])?;
        let other = index::rem(&inside, next, 2);
        self.fill(&inside, id, region.clone(), slot(other, region))?;
        nest.variables.insert(axis, variable);

        let own = index::rem(b, variable, 2);
        self.realized.insert(id, slot(own, here));
        Ok(())
    }

    fn roll(
        &mut self,
        b: &Builder,
        before: &Builder,
        variable: Value,
        id: StageId,
        first: &BoxRegion,
        here: BoxRegion,
    ) -> Result<(), Illegal> {
        let Some((_, op)) = self.schedule.stages[id].buffering else {
            return Ok(());
        };
        let (dimension, step) = slide(&here, variable).map_err(|reason| Illegal {
            op,
            reason: reason.into(),
        })?;
        let length = here.extent[dimension];
        if step >= length {
            let reason = "no iteration reads again what one before it has read".into();
            return Err(Illegal { op, reason });
        }
        let buffers = self.allocate(before, id, &here.extent, None, &[])?;
        let mut whole = self.place(id, buffers, here.clone());
        whole.placement.circle = Some(Circle {
            dimension,
            start: first.min[dimension],
            length,
        });
        let mut start = first.clone();
        start.extent[dimension] = length - step;
        self.fill(before, id, start, whole.clone())?;
        let mut new = here;
        new.extent[dimension] = step;
        new.min[dimension] = index::add(b, new.min[dimension], b.index(length - step));
        self.fill(b, id, new, whole)
    }

    /// Fetches what the loops inside the leaf `position` of `nest`, in whose loop `b` stands, read
    /// some iterations later.
    pub(super) fn prefetch(
        &mut self,
        b: &Builder,
        nest: &mut Nest,
        position: usize,
        prefetch: Prefetch,
    ) -> Result<(), Illegal> {
        let Prefetch {
            tensor,
            axis,
            offset,
            op,
        } = prefetch;
        let illegal = |reason: &str| Illegal {
            op,
            reason: reason.into(),
        };
        let buffer = match (self.arguments.get(&tensor), self.schedule.stage_of(tensor)) {
            (Some(buffer), _) => *buffer,
            (None, Some(id)) => {
                let stage = &self.schedule.stages[id];
                let realized = self.realized.get(&id);
                let whole =
                    realized.filter(|_| stage.attach == Attach::Root && stage.layout.is_none());
                let whole =
                    whole.ok_or_else(|| illegal("the tensor is not in memory as a whole"))?;
                whole.buffers[tensor.number()]
            }
            (None, None) => return Err(illegal("takes an argument or the result of a stage")),
        };
        let variable = nest.variables[&axis];
        nest.variables
            .insert(axis, index::add(b, variable, b.index(offset)));
        let region = self.tensor_region(b, nest, tensor, position);
        nest.variables.insert(axis, variable);
        let region = region?.ok_or_else(|| illegal("nothing in that loop reads the tensor"))?;
        fetch(b, buffer, &region);
        Ok(())
    }
}

/// The dimension in which a region moves with a loop's variable, and how far in one iteration.
fn slide(region: &BoxRegion, variable: Value) -> Result<(usize, i64), &'static str> {
    let mut moving = None;
    for (dimension, min) in region.min.iter().enumerate() {
        let form = linear(*min);
        let step = form.coefficient(variable);
        let mut others = form.terms.iter().filter(|(term, _)| *term != variable);
        if others.any(|(term, _)| index::depends_on(*term, variable)) {
            return Err("what an iteration reads does not move evenly with the loop");
        }
        if step != 0 && moving.replace((dimension, step)).is_some() {
            return Err("what an iteration reads moves in two dimensions");
        }
    }
    match moving {
        Some((dimension, step)) if step > 0 => Ok((dimension, step)),
        Some(_) => Err("what an iteration reads moves backwards"),
        None => Err("what an iteration reads does not move with the loop"),
    }
}

/// The `tir.for` whose body a builder stands in.
fn enclosing(b: &Builder) -> Option<Op> {
    block_of(b)
        .and_then(Block::parent)
        .filter(|op| op.is("tir.for"))
}

/// One prefetch per line of the cache in a region. What lies beyond the buffer is its edge.
fn fetch(b: &Builder, buffer: Value, region: &BoxRegion) {
    let shape = buffer.ty().shape();
    let line = (CACHE_LINE / buffer.ty().element().byte_width() as i64).max(1);
    let mut inner = *b;
    let mut subscripts = Vec::new();
    for (dimension, dim) in shape.iter().enumerate() {
        let step = if dimension + 1 == shape.len() {
            line
        } else {
            1
        };
        let count = index::ceil_div(region.extent[dimension], step);
        let mut at = region.min[dimension];
        if count > 1 {
            let block = Block::new(b.ctx, &[Type::index(b.ctx)]);
            let kind = Attr::str(b.ctx, "serial");
            let bounds = [inner.index(0), inner.index(count)];
            inner.region_op("tir.for", &bounds, &[], &[("kind", kind)], &[Some(block)]);
            inner = Builder::at_end(block, b.loc, b.ctx);
            at = index::add(&inner, at, index::scale(&inner, block.arg(0), step));
        }
        let at = inner.binary("arith.maxsi", at, inner.index(0));
        subscripts.push(index::min(&inner, at, dim - 1));
    }
    let operands: Vec<Value> = std::iter::once(buffer).chain(subscripts).collect();
    let hint = Attr::int(Type::int(b.ctx, 32), 3);
    let attrs = [
        ("isWrite", Attr::bool(b.ctx, false)),
        ("localityHint", hint),
        ("isDataCache", Attr::bool(b.ctx, true)),
    ];
    inner.op("memref.prefetch", &operands, &[], &attrs);
}
