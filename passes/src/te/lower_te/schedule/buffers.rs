//! Primitives on a stage's buffer.

use super::{
    Align, AxisId, Buffering, Prefetch, StageId,
    apply::{Applier, once},
};
use relay_dialects::ir::{Attr, Op};
use relay_dialects::te::Cache;

impl Applier<'_> {
    pub(super) fn transform_layout(&mut self, op: Op) -> Result<(), String> {
        let id = self.stage(op, 0)?;
        let stage = &self.schedule.stages[id];
        let map = op
            .attr("map")
            .and_then(Attr::as_affine_map)
            .ok_or("takes a map without symbols")?;
        if !stage.aligns.is_empty() {
            return Err(
                "the strides of the stage are aligned, which are those of its own layout".into(),
            );
        }
        let earlier = stage.layout.as_ref().map(|(_, op)| *op);
        once(earlier, "the stage", "its buffer has one layout")?;
        let (dims, rank) = (map.dims, stage.shape.len());
        if dims != rank {
            return Err(format!(
                "the map takes {dims} indices, the stage has {rank} dimensions"
            ));
        }
        self.schedule.stages[id].layout = Some((map, op));
        Ok(())
    }

    pub(super) fn storage_align(&mut self, op: Op) -> Result<(), String> {
        let id = self.stage(op, 0)?;
        let axis = self.axis_of(op, 1, id)?;
        let number = |name: &str| op.attr(name).and_then(Attr::as_i64).unwrap_or(0);
        let stage = &mut self.schedule.stages[id];
        let dimension = stage
            .data
            .iter()
            .position(|data| *data == axis)
            .ok_or("takes one of the axes that the stage was made with")?;
        if stage.layout.is_some() {
            return Err("the stage has a layout of its own".into());
        }
        let align = Align {
            dimension,
            factor: number("factor"),
            offset: number("offset"),
            op,
        };
        if dimension + 1 == stage.data.len() && (1 - align.offset) % align.factor != 0 {
            return Err("the stride of the last dimension is 1".into());
        }
        stage.aligns.push(align);
        stage
            .aligns
            .sort_by_key(|align| std::cmp::Reverse(align.dimension));
        Ok(())
    }

    pub(super) fn buffering(&mut self, op: Op, buffering: Buffering) -> Result<(), String> {
        let id = self.stage(op, 0)?;
        let stage = &mut self.schedule.stages[id];
        match stage.buffering {
            Some((known, _)) if known != buffering => {
                return Err(
                    "a buffer is either double or rolling, and this one is the other".into(),
                );
            }
            _ => stage.buffering = Some((buffering, op)),
        }
        Ok(())
    }

    pub(super) fn prefetch(&mut self, op: Op) -> Result<(), String> {
        let (id, axis) = self.leaf(op, 1)?;
        let number = |name: &str| op.attr(name).and_then(Attr::as_i64);
        let (offset, every) = (number("offset").unwrap_or(0), number("every").unwrap_or(1));
        let most = i64::from(i32::MAX);
        for (name, number) in [("offset", offset), ("every", every)] {
            if number > most {
                return Err(format!("{name} is at most {most} iterations"));
            }
        }
        let over = (op.operand_count() > 2).then(|| self.leaf(op, 2));
        let prefetch = Prefetch {
            tensor: op.operand(0),
            axis,
            over: over.transpose()?,
            offset,
            every,
            cache: op.attr("cache").and_then(Cache::of).unwrap_or(Cache::First),
            op,
        };
        self.schedule.stages[id].prefetches.push(prefetch);
        Ok(())
    }

    /// The axis that an operand stands for, be it a loop or not.
    fn axis_of(&self, op: Op, operand: usize, id: StageId) -> Result<AxisId, String> {
        match self.axes.get(&op.operand(operand)) {
            Some((stage, axis)) if *stage == id => Ok(*axis),
            _ => Err("takes an axis of the stage".into()),
        }
    }
}
