//! Iterations of a reduction that change nothing, as `te.skip` has them: their flags are computed, and nothing else.

use super::{BoxRegion, Lowering, load, store};
use crate::te::lower_te::schedule::{AxisId, Illegal, Skip, StageId};
use relay_dialects::{
    index::{self, Extent as _, Predicate},
    ir::{Builder, Type, Value},
    ops::arith,
    tir::{AllocBuffer, For, Scope, if_holds},
};
use relay_loops::buffers::buffer_type;

impl Lowering<'_> {
    /// Computes what an iteration of a stage's loop reads of other stages. Returns where the rest of the iteration stands: under a
    /// condition if the iteration may be left out.
    pub(super) fn realize_regions(
        &mut self,
        b: &Builder,
        (stage, axis): (StageId, AxisId),
        regions: Vec<(StageId, BoxRegion)>,
    ) -> Result<Builder, Illegal> {
        // What is looked at is not run.
        let looks = self.probed.is_some() || self.watched.is_some();
        let skip = self.schedule.stages[stage].skip;
        let Some(skip) = skip.filter(|skip| skip.axis == axis && !looks) else {
            self.realize_each(b, regions)?;
            return Ok(*b);
        };
        let region = regions.iter().find(|(id, _)| *id == skip.flags);
        let Some((_, region)) = region.cloned() else {
            return Ok(*b);
        };
        let sources = self.schedule.sources(skip.flags, &[]);
        let (first, others) = regions
            .into_iter()
            .partition(|(id, _)| sources.contains(id));
        self.realize_each(b, first)?;
        let any = self.any_flag(b, skip, &region);
        let inside = if_holds(b, any);
        self.realize_each(&inside, others)?;
        Ok(inside)
    }

    fn realize_each(
        &mut self,
        b: &Builder,
        regions: Vec<(StageId, BoxRegion)>,
    ) -> Result<(), Illegal> {
        regions
            .into_iter()
            .try_for_each(|(id, region)| self.realize(b, id, region, &[]))
    }

    /// Whether a flag of a region is not zero.
    fn any_flag(&self, b: &Builder, skip: Skip, region: &BoxRegion) -> Value {
        let flags = &self.realized[&skip.flags];
        let buffer = flags.buffers[0];
        let ty = buffer_type(Type::tensor(&[1], buffer.ty().element()));
        let (zero, first) = (b.constant(ty.element(), 0.0), b.index(0));
        let any = AllocBuffer::of_tensor(b, ty, &[], Scope::Local, "any");
        store(b, zero, any, &[first]);
        let (mut inner, mut local, mut indices) = (*b, Vec::new(), Vec::new());
        let shape = &self.schedule.stages[skip.flags].shape;
        for ((min, extent), whole) in region.min.iter().zip(&region.extent).zip(shape) {
            if *extent == 1 {
                local.push(first);
                indices.push(*min);
                continue;
            }
            // A region may reach beyond the tensor.
            let whole = self.extent(&inner, *whole).to_value(&inner);
            let left = arith::SubI::build(&inner, whole, *min);
            let end = index::min(&inner, left, self.extent(&inner, *extent));
            let opened = For::serial(&inner, 0, end);
            inner = opened.inside(&inner);
            local.push(opened.variable());
            indices.push(index::add(&inner, *min, opened.variable()));
        }
        let subscripts = flags.subscripts(&inner, &indices, local);
        let flag = load(&inner, buffer, &subscripts);
        let old = load(&inner, any, &[first]);
        store(&inner, arith::OrI::build(&inner, old, flag), any, &[first]);
        let found = load(b, any, &[first]);
        index::compare(b, Predicate::Ne, found, zero)
    }
}
