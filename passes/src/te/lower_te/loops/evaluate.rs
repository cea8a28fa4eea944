//! The expressions of stages, at given indices.

use super::captured::resolve;
use super::{BoxRegion, Lowering, load};
use crate::te::lower_te::schedule::{Attach, Body, StageId};
use relay_dialects::ir::{Block, Builder, Op, Type, Value};
use relay_dialects::names;
use relay_dialects::ops::{scf, tensor};
use relay_loops::analysis::linear::{linear, materialize, simplify_division};
use std::collections::HashMap;

impl Lowering<'_> {
    /// The value of a stage's expression at the given indices.
    pub(super) fn evaluate(
        &mut self,
        b: &Builder,
        id: StageId,
        indices: &[Value],
        reduce: &[Value],
    ) -> Result<Vec<Value>, String> {
        let stage = &self.schedule.stages[id];
        let op = match stage.body {
            Body::Copy(source) => return self.stage_values(b, source, indices),
            Body::Merge {
                source, dimension, ..
            } => {
                let mut at = indices.to_vec();
                for factored in stage.factored.iter().rev() {
                    at.remove(*factored);
                }
                at.insert(dimension, reduce[0]);
                return self.stage_values(b, source, &at);
            }
            Body::Read(tensor) => return Ok(vec![self.read(b, id, tensor, indices)?]),
            Body::Scan(op) => return self.step(b, id, op, indices),
            Body::Extern(_) => return Err("a te.extern has no expression".into()),
            Body::Compute(op) => op,
        };
        let mut indices = indices.to_vec();
        for dimension in stage.factored.iter().rev() {
            indices.remove(*dimension);
        }
        let mut map: HashMap<Value, Value> = HashMap::new();
        map.extend(
            op.body()
                .args()
                .into_iter()
                .zip(indices.iter().chain(reduce).copied()),
        );
        self.copy_block(b, id, op.body(), &mut map)
    }

    fn stage_values(
        &mut self,
        b: &Builder,
        id: StageId,
        indices: &[Value],
    ) -> Result<Vec<Value>, String> {
        (0..self.element_types(id).len())
            .map(|result| self.stage_value(b, id, result, indices))
            .collect()
    }

    /// The results of an inlined stage at the given indices: evaluated once in a block and those
    /// inside it, however many expressions share it.
    fn evaluate_inlined(
        &mut self,
        b: &Builder,
        id: StageId,
        indices: &[Value],
    ) -> Result<Vec<Value>, String> {
        let shape = &self.schedule.stages[id].shape;
        // In a dimension of one element every index is the same.
        let distinct = indices.iter().zip(shape).filter(|(_, dim)| **dim != 1);
        let point = (id, distinct.map(|(index, _)| *index).collect::<Vec<_>>());
        if let Some(values) = self
            .inlined
            .iter()
            .rev()
            .find_map(|known| known.get(&point))
        {
            return Ok(values.clone());
        }
        let values = self.evaluate(b, id, indices, &[])?;
        if let Some(known) = self.inlined.last_mut() {
            known.insert(point, values.clone());
        }
        Ok(values)
    }

    /// Copies the ops of `scf.if`'s branch; what is inlined there is known only there.
    fn copy_branch(
        &mut self,
        b: &Builder,
        reader: StageId,
        block: Block,
        mut map: HashMap<Value, Value>,
    ) -> Result<Vec<Value>, String> {
        self.inlined.push(HashMap::new());
        let yielded = self.copy_block(b, reader, block, &mut map);
        self.inlined.pop();
        yielded
    }

    /// Copies the ops of a compute's block; returns what its terminator yields.
    pub(super) fn copy_block(
        &mut self,
        b: &Builder,
        reader: StageId,
        block: Block,
        map: &mut HashMap<Value, Value>,
    ) -> Result<Vec<Value>, String> {
        let mut yielded = Vec::new();
        for op in block.ops() {
            let operands = op
                .operands()
                .into_iter()
                .map(|operand| resolve(b, operand, map))
                .collect::<Vec<_>>();
            match op.name().as_str() {
                names::te::YIELD | scf::Yield::NAME => yielded = operands,
                tensor::Extract::NAME => {
                    let value = self.read(b, reader, op.operand(0), &operands[1..])?;
                    map.insert(op.result(0), value);
                }
                scf::If::NAME => self.copy_if(b, reader, op, &operands, map)?,
                names::te::EXTENT => {
                    map.insert(op.result(0), self.value_of_extent(b, op)?);
                }
                _ => {
                    let copy = b.insert(op.clone_detached());
                    copy.set_operands(&operands);
                    let results = copy
                        .results()
                        .into_iter()
                        .map(|value| simplify_division(b, value));
                    map.extend(op.results().into_iter().zip(results));
                }
            }
        }
        Ok(yielded)
    }

    fn copy_if(
        &mut self,
        b: &Builder,
        reader: StageId,
        op: Op,
        operands: &[Value],
        map: &mut HashMap<Value, Value>,
    ) -> Result<(), String> {
        if self.is_guarded(reader, op, operands[0]) {
            let holds = op
                .block_in(0)
                .ok_or("scf.if in a compute has two regions")?;
            let values = self.copy_block(b, reader, holds, map)?;
            map.extend(op.results().into_iter().zip(values));
            return Ok(());
        }
        let mut branch = |index: usize| {
            let copy = Block::new(b.ctx, &[]);
            let inside = Builder::at_end(copy, b.loc, b.ctx);
            let source = op
                .block_in(index)
                .ok_or("scf.if in a compute has two regions")?;
            let values = self.copy_branch(&inside, reader, source, map.clone())?;
            scf::Yield::build(&inside, &values);
            Ok::<Block, String>(copy)
        };
        let (then, otherwise) = (branch(0)?, branch(1)?);
        let types: Vec<Type> = op.results().iter().map(|result| result.ty()).collect();
        let copy = scf::If::build(b, &types, operands[0], then, Some(otherwise));
        map.extend(op.results().into_iter().zip(copy.results()));
        Ok(())
    }

    /// The element of a tensor, or of the copy that `reader` has of it, at the given indices.
    pub(super) fn read(
        &mut self,
        b: &Builder,
        reader: StageId,
        tensor: Value,
        indices: &[Value],
    ) -> Result<Value, String> {
        if tensor.ty().count() == 0 {
            // Code that never runs: there is no element, and no buffer of the tensor's rank.
            return Ok(b.constant(tensor.ty().element(), 0.0));
        }
        if let Some(copy) = self.schedule.stages[reader].redirects.get(&tensor) {
            return self.stage_value(b, *copy, 0, indices);
        }
        if let Some((watched, reads)) = &mut self.watched
            && *watched == tensor
        {
            reads.push(indices.to_vec());
        }
        if let Some(buffer) = self.arguments.get(&tensor) {
            return Ok(load(b, *buffer, indices));
        }
        // A state of the scan that is being computed.
        if let Body::Scan(scan) = self.schedule.stages[reader].body
            && tensor.owner_block() == Some(scan.body())
        {
            return self.read_stage(b, reader, tensor.number(), indices);
        }
        let id = self
            .schedule
            .stage_of(tensor)
            .ok_or("a compute reads a tensor that is neither an argument nor a compute's result")?;
        self.stage_value(b, id, tensor.number(), indices)
    }

    /// The element of a stage's result at the given indices: from its buffer, or its expression.
    fn stage_value(
        &mut self,
        b: &Builder,
        id: StageId,
        result: usize,
        indices: &[Value],
    ) -> Result<Value, String> {
        if self.schedule.attach(id, self.version.tile) == Attach::Inline {
            return Ok(self.evaluate_inlined(b, id, indices)?[result]);
        }
        self.read_stage(b, id, result, indices)
    }

    fn read_stage(
        &mut self,
        b: &Builder,
        id: StageId,
        result: usize,
        indices: &[Value],
    ) -> Result<Value, String> {
        let Some(realized) = self.realized.get(&id).cloned() else {
            // Only its subscripts matter; the value goes with the scratch block.
            let element = self.element_types(id)[result];
            return match &mut self.probed {
                Some(probed) => {
                    probed.entry(id).or_default().push(indices.to_vec());
                    Ok(b.constant(element, 0.0))
                }
                None => Err(format!(
                    "stage '{}' is read before it is computed",
                    self.schedule.stages[id].name
                )),
            };
        };
        if let Body::Extern(_) = self.schedule.stages[id].body {
            // Its buffers are whole, each of its own shape.
            return Ok(load(b, realized.buffers[result], indices));
        }
        let local = realized.region.place_of(b, indices);
        let subscripts = realized.subscripts(b, indices, local);
        Ok(load(b, realized.buffers[result], &subscripts))
    }
}

impl BoxRegion {
    /// Where in the region the element at `indices` is.
    pub(super) fn place_of(&self, b: &Builder, indices: &[Value]) -> Vec<Value> {
        let bounds = self.min.iter().zip(&self.extent);
        let places = indices.iter().zip(bounds);
        places
            .map(|(&index, (&min, &extent))| {
                if extent == 1 {
                    b.index(0)
                } else {
                    difference(b, index, min)
                }
            })
            .collect()
    }
}

/// `index - min`, where linear forms show that most of it cancels.
pub(super) fn difference(b: &Builder, index: Value, min: Value) -> Value {
    materialize(b, &linear(index).minus(&linear(min)))
}
