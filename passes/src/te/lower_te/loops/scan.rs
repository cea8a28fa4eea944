//! Scans, step after step, and loop programs as they are.

use super::captured::resolve;
use super::{BoxRegion, Lowering, Realized};
use crate::te::lower_te::schedule::{Attach, Body, Illegal, StageId};
use relay_dialects::index::Extent;
use relay_dialects::{
    ir::{Block, Builder, Op, Value},
    names,
    ops::{memref, tensor},
};
use relay_loops::analysis::is_inside;
use relay_loops::copying::remap;
use std::collections::HashMap;

impl Lowering<'_> {
    /// Copies the first steps of a scan, then computes the later ones, in the same loops.
    pub(super) fn fill_steps(
        &mut self,
        b: &Builder,
        id: StageId,
        scan: Op,
        region: &BoxRegion,
        realized: &Realized,
    ) -> Result<(), Illegal> {
        let given = scan.operand(0).ty().dims()[0];
        let (mut first, mut later) = (region.clone(), region.clone());
        first.extent[0] = given;
        later.min[0] = self.extent(b, given).to_value(b);
        let left = later.extent[0].minus(given);
        later.extent[0] = left.map_err(|reason| self.illegal(id, reason))?;
        self.starting = Some(id);
        let copied = self.fill(b, id, first, realized.clone());
        self.starting = None;
        copied?;
        self.fill(b, id, later, realized.clone())
    }

    /// The states of a scan at the given indices.
    pub(super) fn step(
        &mut self,
        b: &Builder,
        id: StageId,
        scan: Op,
        indices: &[Value],
    ) -> Result<Vec<Value>, String> {
        if self.starting == Some(id) {
            let init = scan.operands().into_iter();
            return init
                .map(|tensor| self.read(b, id, tensor, indices))
                .collect();
        }
        let arguments = scan.body().args();
        let (_, axes) = arguments.split_at(scan.result_count());
        let mut map: HashMap<Value, Value> =
            axes.iter().copied().zip(indices.iter().copied()).collect();
        self.copy_block(b, id, scan.body(), &mut map)
    }

    /// Whether a tensor is read in the steps of a scan that are not being written: its first ones are
    /// copied from its operands, the others computed from what its body reads.
    pub(super) fn other_steps_read(&self, id: StageId, tensor: Value) -> bool {
        match self.schedule.stages[id].body {
            Body::Scan(scan) if self.starting == Some(id) => scan
                .find_all(tensor::Extract::NAME)
                .iter()
                .any(|read| read.operand(0) == tensor),
            Body::Scan(scan) => scan.operands().contains(&tensor),
            _ => false,
        }
    }

    /// Copies a loop program, on the buffers of its inputs and of its stage.
    pub(super) fn copy_extern(
        &mut self,
        b: &Builder,
        id: StageId,
        program: Op,
        realized: Realized,
    ) -> Result<(), Illegal> {
        let illegal = |reason: &str| Illegal {
            op: program,
            reason: reason.into(),
        };
        let mut buffers = Vec::new();
        for input in program.operands() {
            let buffer = self.whole(id, input);
            buffers.push(buffer.ok_or_else(|| {
                illegal("reads a tensor that is neither an argument nor computed before it")
            })?);
        }
        buffers.extend(&realized.buffers);
        self.realized.insert(id, realized);
        let parameters = program.body().args();
        let mut map: HashMap<Value, Value> = HashMap::new();
        for (parameter, buffer) in parameters.into_iter().zip(buffers) {
            if parameter.ty() != buffer.ty().in_memory_space(None) {
                return Err(illegal("takes tensors without elements"));
            }
            map.insert(parameter, of_any_scope(b, buffer));
        }
        let copies = copy_ops(b, program.body(), program, &mut map).map_err(|op| Illegal {
            op,
            reason: "uses a value from outside of the te.extern that it stands in".into(),
        })?;
        for copy in copies {
            let mut extents = Vec::new();
            copy.walk(|op| extents.extend(op.is(names::te::EXTENT).then_some(op)));
            for op in extents {
                let value = self.value_of_extent(&Builder::before(op), op);
                op.replace_with(&[value.map_err(|reason| Illegal { op, reason })?]);
            }
        }
        Ok(())
    }

    /// The buffer of a tensor that lies in memory as a whole.
    fn whole(&self, reader: StageId, tensor: Value) -> Option<Value> {
        if let Some(copy) = self.schedule.stages[reader].redirects.get(&tensor) {
            return self.realized.get(copy)?.buffers.first().copied();
        }
        if let Some(buffer) = self.arguments.get(&tensor) {
            return Some(*buffer);
        }
        let id = self.schedule.stage_of(tensor)?;
        let is_whole = self.schedule.stages[id].attach == Attach::Root;
        let realized = self.realized.get(&id).filter(|_| is_whole)?;
        realized.buffers.get(tensor.number()).copied()
    }
}

/// A buffer as a loop program takes it, which knows no scopes.
fn of_any_scope(b: &Builder, buffer: Value) -> Value {
    let ty = buffer.ty().in_memory_space(None);
    if ty == buffer.ty() {
        return buffer;
    }
    memref::MemorySpaceCast::build(b, ty, buffer)
}

/// Copies ops with their regions; constants from around them come along. The op that uses anything
/// else from there is the error. Returns the copies of the block's ops.
fn copy_ops(
    b: &Builder,
    block: Block,
    program: Op,
    map: &mut HashMap<Value, Value>,
) -> Result<Vec<Op>, Op> {
    let mut copies = Vec::new();
    for op in block.ops() {
        let mut outside = Vec::new();
        op.walk(|inner| {
            for operand in inner.operands() {
                if !map.contains_key(&operand) && !is_inside(operand, program) {
                    outside.push((inner, operand));
                }
            }
        });
        for (inner, operand) in outside {
            if resolve(b, operand, map) == operand {
                return Err(inner);
            }
        }
        let copy = b.insert(op.clone_detached());
        remap(copy, map);
        map.extend(op.results().into_iter().zip(copy.results()));
        copies.push(copy);
    }
    Ok(copies)
}
