//! What a loop fetches for its later iterations: `te.prefetch`.

use super::{BoxRegion, Lowering, Nest};
use crate::te::schedule::{Attach, AxisId, Illegal, Prefetch};
use relay_dialects::index;
use relay_dialects::ir::{Attr, Builder, Type, Value};
use relay_dialects::tir::For;

/// The bytes of a line of the cache.
const CACHE_LINE: i64 = 64;

/// A part of a buffer that is fetched in equal shares by the iterations of a loop.
#[derive(Clone)]
pub(super) struct Shared {
    fetched: Fetched,
    /// The loop that shares it.
    over: AxisId,
    /// What asks for it.
    prefetch: Prefetch,
    /// Whether the loop was written.
    done: bool,
}

/// A part of a buffer.
#[derive(Clone)]
struct Fetched {
    buffer: Value,
    region: BoxRegion,
    is_write: bool,
}

impl Lowering<'_> {
    /// Fetches what the loop of `axis`, leaf `position` of `nest`, in which `b` stands, reads or writes some
    /// iterations later, or has the loop that shares it do so.
    pub(super) fn prefetches(
        &mut self,
        b: &Builder,
        nest: &mut Nest,
        (axis, position): (AxisId, usize),
    ) -> Result<(), Illegal> {
        let looks = self.probed.is_some() || self.watched.is_some();
        let stage = &self.schedule.stages[nest.stage];
        for &prefetch in stage.prefetches.iter().filter(|known| known.axis == axis) {
            if prefetch.over.is_some() && looks {
                continue;
            }
            let Some(fetched) = self.fetched(b, nest, position, prefetch)? else {
                continue;
            };
            match prefetch.over {
                None => fetched.whole(b),
                Some(over) => self.shared.push(Shared {
                    fetched,
                    over,
                    prefetch,
                    done: false,
                }),
            }
        }
        if !looks {
            for shared in self.shared.iter_mut().filter(|known| known.over == axis) {
                shared.done = true;
                shared
                    .fetched
                    .share(b, nest.variables[&axis], nest.extents[&axis]);
            }
        }
        Ok(())
    }

    /// Forgets what the loop of `axis`, which is written, had others fetch.
    pub(super) fn end_prefetches(&mut self, axis: AxisId) -> Result<(), Illegal> {
        let is_here = |shared: &Shared| shared.prefetch.axis == axis;
        let left = (self.shared.iter()).find(|shared| is_here(shared) && !shared.done);
        if let Some(shared) = left {
            return Err(Illegal {
                op: shared.prefetch.op,
                reason: "the loop that is to share the lines is not inside the other".into(),
            });
        }
        self.shared.retain(|shared| !is_here(shared));
        Ok(())
    }

    /// What a loop fetches; nothing if other steps of a scan read it.
    fn fetched(
        &mut self,
        b: &Builder,
        nest: &mut Nest,
        position: usize,
        prefetch: Prefetch,
    ) -> Result<Option<Fetched>, Illegal> {
        let Prefetch {
            tensor,
            axis,
            offset,
            op,
            ..
        } = prefetch;
        let illegal = |reason: &str| Illegal {
            op,
            reason: reason.into(),
        };
        let id = self.schedule.stage_of(tensor);
        let buffer = match (self.arguments.get(&tensor), id) {
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
        let later = self.regions(b, nest, axis, position);
        let region = later.and_then(|later| self.tensor_region(b, nest, tensor, position, &later));
        nest.variables.insert(axis, variable);
        match region? {
            Some(region) => Ok(Some(Fetched {
                buffer,
                region,
                is_write: id == Some(nest.stage),
            })),
            None if self.other_steps_read(nest.stage, tensor) => Ok(None),
            None => Err(illegal("nothing in that loop reads or writes the tensor")),
        }
    }
}

impl Fetched {
    /// The numbers of its elements in each dimension at which a line is asked for, and how far apart they are.
    fn lines(&self) -> Vec<(i64, i64)> {
        let bytes = self.buffer.ty().element().byte_width() as i64;
        let line = (CACHE_LINE / bytes).max(1);
        let last = self.region.extent.len().saturating_sub(1);
        let extents = self.region.extent.iter().enumerate();
        let lines = extents.map(|(dimension, extent)| {
            let step = if dimension == last { line } else { 1 };
            (index::ceil_div(*extent, step), step)
        });
        lines.collect()
    }

    /// Asks for all lines.
    fn whole(&self, b: &Builder) {
        let mut inner = *b;
        let mut numbers = Vec::new();
        for (count, _) in self.lines() {
            let mut number = b.index(0);
            if count > 1 {
                let lines = For::serial(&inner, 0, count);
                inner = lines.inside(b);
                number = lines.variable();
            }
            numbers.push(number);
        }
        self.line(&inner, &numbers);
    }

    /// Asks for the share of one of `iterations`.
    fn share(&self, b: &Builder, iteration: Value, iterations: i64) {
        let lines = self.lines();
        let count = lines.iter().map(|(count, _)| count).product();
        let share = index::ceil_div(count, iterations);
        let mut inner = *b;
        let mut left = index::scale(b, iteration, share);
        if share > 1 {
            let shares = For::serial(b, 0, share);
            inner = shares.inside(b);
            left = index::add(&inner, left, shares.variable());
        }
        let mut numbers = vec![left; lines.len()];
        for (number, (count, _)) in numbers.iter_mut().zip(&lines).skip(1).rev() {
            *number = index::rem(&inner, left, *count);
            left = index::div(&inner, left, *count);
        }
        if let Some(first) = numbers.first_mut() {
            *first = left;
        }
        self.line(&inner, &numbers);
    }

    /// Asks for the line of these numbers. What lies beyond the buffer is its edge.
    fn line(&self, b: &Builder, numbers: &[Value]) {
        let mut operands = vec![self.buffer];
        let shape = self.buffer.ty().shape();
        for (dimension, (_, step)) in self.lines().into_iter().enumerate() {
            let at = index::scale(b, numbers[dimension], step);
            let at = index::add(b, self.region.min[dimension], at);
            let at = b.binary("arith.maxsi", at, b.index(0));
            operands.push(index::min(b, at, shape[dimension] - 1));
        }
        let attrs = [
            ("isWrite", Attr::bool(b.ctx, self.is_write)),
            ("localityHint", Attr::int(Type::int(b.ctx, 32), 3)),
            ("isDataCache", Attr::bool(b.ctx, true)),
        ];
        b.op("memref.prefetch", &operands, &[], &attrs);
    }
}
