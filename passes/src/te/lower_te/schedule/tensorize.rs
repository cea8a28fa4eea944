//! Intrinsics in place of loops.

use super::{AxisId, apply::Applier};
use relay_dialects::{
    ir::{Attr, Op},
    names,
    ops::builtin,
};

/// The loops that an intrinsic does.
#[derive(Clone, Copy, Debug)]
pub struct Tensorize {
    /// The outermost of them.
    pub axis: AxisId,
    /// The `te.tensor_intrin`.
    pub intrin: Op,
    /// The primitive.
    pub op: Op,
}

impl Applier<'_> {
    pub(super) fn tensorize(&mut self, op: Op) -> Result<(), String> {
        let (id, axis) = self.leaf(op, 0)?;
        let name = op
            .attr("intrin")
            .and_then(Attr::as_symbol)
            .unwrap_or_default();
        let module = op.ancestor(builtin::Module::NAME);
        let intrin = module
            .and_then(|module| module.lookup(&name))
            .filter(|intrin| intrin.is(names::te::TENSOR_INTRIN))
            .ok_or_else(|| format!("there is no te.tensor_intrin '{name}'"))?;
        self.schedule.stages[id].tensorize = Some(Tensorize { axis, intrin, op });
        Ok(())
    }
}
