//! Primitives that make stages.

use super::{
    Attach, Body, StageId,
    apply::{Applier, position, scope},
};
use relay_dialects::ir::Op;

impl Applier<'_> {
    /// The new stage takes over the compute with fresh axes; the old one, whose loops must be as
    /// they were made, becomes the copy.
    pub(super) fn cache_write(&mut self, op: Op) -> Result<(), String> {
        let id = self.stage(op, 0)?;
        self.untouched(id)?;
        let scope = scope(op)?;
        let mut cache = self.schedule.stages[id].clone();
        cache.data = cache
            .shape
            .iter()
            .map(|_| self.schedule.add_axis(false))
            .collect();
        cache.reduce = cache
            .reduce_extents
            .iter()
            .map(|_| self.schedule.add_axis(true))
            .collect();
        cache.leaf = cache.data.iter().chain(&cache.reduce).copied().collect();
        cache.tensors = Vec::new();
        cache.scope = Some((scope, op));
        cache.name += ".cache";
        cache.attach = Attach::Root;
        cache.attach_op = None;
        let cache_id = self.schedule.stages.len();
        self.schedule.stages.push(cache);
        let place = position(&self.schedule.order, id);
        self.schedule.order.insert(place, cache_id);
        let stage = &mut self.schedule.stages[id];
        stage.body = Body::Copy(cache_id);
        stage.leaf = stage.data.clone();
        stage.reduce.clear();
        stage.reduce_extents.clear();
        self.stages.insert(op.result(0), cache_id);
        Ok(())
    }

    /// Whether the loops of a stage are as they were made.
    fn untouched(&self, id: StageId) -> Result<(), String> {
        let stage = &self.schedule.stages[id];
        let made = stage.data.iter().chain(&stage.reduce);
        let is_serial = |axis: &usize| self.schedule.axes[*axis].kind == "serial";
        if made.eq(&stage.leaf) && stage.leaf.iter().all(is_serial) {
            return Ok(());
        }
        Err("comes before the primitives on the loops of its stage".into())
    }
}
