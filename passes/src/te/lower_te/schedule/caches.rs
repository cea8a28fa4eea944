//! Primitives that make stages.

use super::{
    Attach, AxisId, Body, Relation, Stage, StageId,
    apply::{Applier, position, scope},
};
use relay_dialects::dim::Dim;
use relay_dialects::ir::{Attr, Op, Value};
use relay_dialects::tir::LoopKind;
use std::collections::HashMap;

impl Applier<'_> {
    /// The new stage takes over the compute with fresh axes; the old one, whose loops must be as
    /// they were made, becomes the copy.
    pub(super) fn cache_write(&mut self, op: Op) -> Result<(), String> {
        let id = self.stage(op, 0)?;
        self.untouched(id)?;
        let stage = &self.schedule.stages[id];
        if !stage.has_one_shape() {
            return Err(
                "stage fills tensors of different shapes, which one nest of loops cannot copy: \
                        te.cache_read makes copies of each"
                    .into(),
            );
        }
        let scope = scope(op)?;
        let mut cache = stage.clone();
        self.renew_axes(&mut cache);
        cache.tensors = Vec::new();
        cache.scope = Some((scope, op));
        cache.name += &format!(".{scope}");
        cache.attach = Attach::Root;
        cache.attach_op = None;
        cache.layout = None;
        cache.aligns = Vec::new();
        cache.buffering = None;
        let cache_id = self.schedule.stages.len();
        self.schedule.stages.push(cache);
        let place = position(&self.schedule.order, id);
        self.schedule.order.insert(place, cache_id);
        let stage = &mut self.schedule.stages[id];
        stage.body = Body::Copy(cache_id);
        stage.redirects.clear();
        stage.factored.clear();
        stage.exact.clear();
        stage.relations.clear();
        stage.leaf = stage.data.clone();
        stage.reduce.clear();
        stage.reduce_extents.clear();
        self.stages.insert(op.result(0), cache_id);
        Ok(())
    }

    /// Gives a stage axes of its own, related as those that it had.
    fn renew_axes(&mut self, stage: &mut Stage) {
        let mut known: HashMap<AxisId, AxisId> = HashMap::new();
        let schedule = &mut *self.schedule;
        let mut new = |axis: AxisId| {
            let make = || schedule.copy_axes(&[axis])[0];
            *known.entry(axis).or_insert_with(make)
        };
        let lists = [&mut stage.data, &mut stage.reduce, &mut stage.leaf];
        for axis in lists.into_iter().flatten() {
            *axis = new(*axis);
        }
        for relation in &mut stage.relations {
            let axes = match relation {
                Relation::Split {
                    parent,
                    outer,
                    inner,
                    ..
                } => [Some(parent), Some(outer), Some(inner)],
                Relation::Fuse {
                    outer,
                    inner,
                    fused,
                } => [Some(outer), Some(inner), Some(fused)],
                Relation::Factored { data, reduce } => [Some(data), Some(reduce), None],
            };
            for axis in axes.into_iter().flatten() {
                *axis = new(*axis);
            }
        }
        for (axis, _) in &mut stage.exact {
            *axis = new(*axis);
        }
    }

    /// The new stage copies the tensor, and the readers read it.
    pub(super) fn cache_read(&mut self, op: Op) -> Result<(), String> {
        let tensor = op.operand(0);
        let source = self.schedule.stage_of(tensor);
        if source.is_none() && tensor.def().is_some() {
            return Err("takes an argument of the function or the result of a stage".into());
        }
        let scope = scope(op)?;
        let readers = (1..op.operand_count())
            .map(|operand| self.stage(op, operand))
            .collect::<Result<Vec<_>, _>>()?;
        for &reader in &readers {
            if !self.reads_tensor(reader, tensor) {
                let name = &self.schedule.stages[reader].name;
                return Err(format!("stage '{name}' does not read that tensor"));
            }
        }
        let order = &self.schedule.order;
        let Some(first) = readers.iter().map(|reader| position(order, *reader)).min() else {
            return Err("takes at least one reader".into());
        };
        let name = match source {
            Some(source) => self.schedule.stages[source].name.clone(),
            None => format!("argument{}", tensor.number()),
        };
        let shape = tensor.ty().dims();
        let data: Vec<AxisId> = (0..shape.len())
            .map(|dimension| self.schedule.add_axis(format!("ax{dimension}"), false))
            .collect();
        let id = self.schedule.stages.len();
        self.schedule.stages.push(Stage {
            scope: Some((scope, op)),
            ..Stage::new(format!("{name}.{scope}"), Body::Read(tensor), shape, data)
        });
        self.schedule.order.insert(first, id);
        for reader in readers {
            self.schedule.stages[reader].redirects.insert(tensor, id);
        }
        self.stages.insert(op.result(0), id);
        Ok(())
    }

    fn reads_tensor(&self, id: StageId, tensor: Value) -> bool {
        match self.schedule.stages[id].body {
            Body::Compute(op) | Body::Scan(op) | Body::Extern(op) => {
                super::tensors_read(op).contains(&tensor)
            }
            Body::Read(other) => other == tensor,
            Body::Copy(_) | Body::Merge { .. } => false,
        }
    }

    /// The new stage takes over the compute with its reduce loops, `axis` as a data axis; the old one
    /// reduces over that.
    pub(super) fn rfactor(&mut self, op: Op) -> Result<(), String> {
        let (id, axis) = self.factored(op)?;
        let stage = &self.schedule.stages[id];
        let compute = stage.compute().ok_or("takes a stage that reduces")?.op();
        let dimension = factor_axis(op, stage.shape.len() as i64)?;
        let extent = stage.extents(&stage.shape)[&axis];

        let partial = self.partial_stage(id, axis, dimension, extent);
        let partial_id = self.schedule.stages.len();
        self.schedule.stages.push(partial);
        let place = position(&self.schedule.order, id);
        self.schedule.order.insert(place, partial_id);
        for (stage, axis) in self.axes.values_mut() {
            if *stage == id && self.schedule.axes[*axis].reduce {
                *stage = partial_id;
            }
        }
        let name = self.schedule.axes[axis].name.clone();
        let over = self.schedule.add_axis(name, true);
        let merge = Body::Merge {
            source: partial_id,
            dimension,
            compute,
        };
        let merged = self.merged_stage(id, merge, over, extent);
        self.schedule.stages[id] = merged;
        self.stages.insert(op.result(0), partial_id);
        Ok(())
    }

    /// The stage that is factored, and the reduce loop along which that is.
    fn factored(&self, op: Op) -> Result<(StageId, AxisId), String> {
        let id = self.stage(op, 0)?;
        let (owner, axis) = self.leaf(op, 1)?;
        if owner != id || !self.schedule.axes[axis].reduce {
            return Err("takes a reduce loop of the stage".into());
        }
        let stage = &self.schedule.stages[id];
        stage.compute().ok_or("takes a stage that reduces")?;
        let is_untouched = |axis: &AxisId| {
            stage.leaf.contains(axis) && self.schedule.axes[*axis].kind == LoopKind::Serial
        };
        if !stage.data.iter().all(is_untouched) {
            return Err("comes before the primitives on the data axes of its stage".into());
        }
        Ok((id, axis))
    }

    /// What becomes of the factored stage: it merges what the partial one computes, along one axis.
    fn merged_stage(&self, id: StageId, merge: Body, over: AxisId, extent: Dim) -> Stage {
        let old = &self.schedule.stages[id];
        Stage {
            tensors: old.tensors.clone(),
            attach: old.attach,
            attach_op: old.attach_op,
            scope: old.scope,
            layout: old.layout.clone(),
            aligns: old.aligns.clone(),
            buffering: old.buffering,
            reduce_extents: vec![extent],
            reduce: vec![over],
            leaf: old.data.iter().copied().chain([over]).collect(),
            ..Stage::new(old.name.clone(), merge, old.shape.clone(), old.data.clone())
        }
    }

    fn partial_stage(&mut self, id: StageId, axis: AxisId, dimension: usize, extent: Dim) -> Stage {
        let mut copied = self.schedule.stages[id].data.clone();
        copied.insert(dimension, axis);
        let data = self.schedule.copy_axes(&copied);
        self.schedule.axes[data[dimension]].reduce = false;
        let old = &self.schedule.stages[id];
        let mut shape = old.shape.clone();
        shape.insert(dimension, extent);
        let axes = &self.schedule.axes;
        let left = old.leaf.iter().copied();
        let left = left.filter(|leaf| axes[*leaf].reduce && *leaf != axis);
        let mut relations = old.relations.clone();
        for relation in &mut relations {
            // Dimensions that an earlier rfactor added have new axes, too.
            if let Relation::Factored { data: axis, .. } = relation
                && let Some(at) = old.data.iter().position(|known| known == axis)
            {
                *axis = data[at + usize::from(at >= dimension)];
            }
        }
        relations.push(Relation::Factored {
            data: data[dimension],
            reduce: axis,
        });
        let mut factored = old.factored.clone();
        factored.push(dimension);
        Stage {
            reduce_extents: old.reduce_extents.clone(),
            reduce: old.reduce.clone(),
            leaf: data.iter().copied().chain(left).collect(),
            relations,
            redirects: old.redirects.clone(),
            factored,
            exact: old.exact.clone(),
            prefetches: old.prefetches.clone(),
            ..Stage::new(old.name.clone() + ".rf", old.body, shape, data)
        }
    }

    /// Whether the loops of a stage are as they were made; those over terms of partial results as `rfactor` left them.
    fn untouched(&self, id: StageId) -> Result<(), String> {
        let stage = &self.schedule.stages[id];
        let (data, left) = stage.leaf.split_at(stage.data.len().min(stage.leaf.len()));
        let is_serial = |axis: &AxisId| self.schedule.axes[*axis].kind == LoopKind::Serial;
        let is_made = match stage.factored.is_empty() {
            true => left == stage.reduce,
            false => left.iter().all(|axis| self.schedule.axes[*axis].reduce),
        };
        if data == stage.data && is_made && stage.leaf.iter().all(is_serial) {
            return Ok(());
        }
        Err("comes before the primitives on the loops of its stage".into())
    }
}

/// The dimension of the new stage along which a reduce loop lies, for a stage of `rank`.
fn factor_axis(op: Op, rank: i64) -> Result<usize, String> {
    let axis = op.attr("factor_axis").and_then(Attr::as_i64).unwrap_or(0);
    let dimension = if axis < 0 { axis + rank + 1 } else { axis };
    if !(0..=rank).contains(&dimension) {
        return Err(format!("factor_axis is from {} to {rank}", -rank - 1));
    }
    Ok(dimension as usize)
}
