//! From a TE function and its schedule to a TIR kernel.
//!
//! Each realised stage becomes a loop nest that writes its buffer; an inlined stage becomes part
//! of its readers' expressions. What part of a producer a loop body needs is found by *probing*:
//! the body is written once into a scratch block, and the subscripts with which it reads the
//! producer are looked at as linear forms of the loop variables.

use super::{
    bufferize::buffer_type,
    reducer::Reducer,
    schedule::{Attach, AxisId, Body, Relation, Schedule, StageId},
};
use crate::analysis::linear::{interval, linear, materialize, same_value, simplify_division};
use relay_dialects::index;
use relay_dialects::ir::{Attr, Block, Builder, Op, Type, Value};
use std::collections::HashMap;

/// The part of a stage's result that is computed at one place: a box.
#[derive(Clone, Debug)]
pub struct BoxRegion {
    /// The lowest subscript in each dimension.
    pub min: Vec<Value>,
    /// The number of subscripts in each dimension.
    pub extent: Vec<i64>,
}

/// Where a stage's results lie: one buffer per result, holding `region`.
#[derive(Clone, Debug)]
struct Realized {
    buffers: Vec<Value>,
    region: BoxRegion,
}

/// The values of loop variables, and the extents of all axes, while a stage is written.
struct Nest {
    stage: StageId,
    extents: HashMap<AxisId, i64>,
    variables: HashMap<AxisId, Value>,
    region: BoxRegion,
    /// Whether the accumulators have been set to the identity.
    initialized: bool,
}

/// Writes the loops of one function.
pub struct Lowering<'a> {
    schedule: &'a Schedule,
    /// From tensors that are arguments to their buffers.
    arguments: HashMap<Value, Value>,
    realized: HashMap<StageId, Realized>,
    /// While probing: reads of stages that are not yet realised.
    probed: Option<HashMap<StageId, Vec<Vec<Value>>>>,
    /// What inlined stages have come to, one table per block that is being written, innermost last.
    inlined: Vec<HashMap<Point, Vec<Value>>>,
}

/// A stage and the indices that it is evaluated at.
type Point = (StageId, Vec<Value>);

impl<'a> Lowering<'a> {
    /// A lowering that reads the function's arguments from `arguments` and leaves the results in
    /// `outputs`, given in order of the returned tensors.
    pub fn new(schedule: &'a Schedule, arguments: HashMap<Value, Value>) -> Self {
        Self {
            schedule,
            arguments,
            realized: HashMap::new(),
            probed: None,
            inlined: Vec::new(),
        }
    }

    /// Writes the loops of all stages. `outputs` maps result tensors to the buffers to fill.
    ///
    /// # Errors
    /// If the schedule cannot be carried out; the text says why.
    pub fn run(&mut self, b: &Builder, outputs: &HashMap<Value, Value>) -> Result<(), String> {
        for &id in &self.schedule.order {
            let stage = &self.schedule.stages[id];
            if stage.attach != Attach::Root {
                let is_output = stage
                    .tensors
                    .iter()
                    .any(|tensor| outputs.contains_key(tensor));
                if is_output {
                    return Err(format!(
                        "stage '{}' is a result and must be computed at the root",
                        stage.name
                    ));
                }
                continue;
            }
            let region = BoxRegion {
                min: stage.shape.iter().map(|_| b.index(0)).collect(),
                extent: stage.shape.clone(),
            };
            let given: Vec<Option<Value>> = stage
                .tensors
                .iter()
                .map(|tensor| outputs.get(tensor).copied())
                .collect();
            self.realize(b, id, region, &given)?;
        }
        Ok(())
    }

    /// Makes the buffers of a stage and writes its loops.
    fn realize(
        &mut self,
        b: &Builder,
        id: StageId,
        region: BoxRegion,
        given: &[Option<Value>],
    ) -> Result<(), String> {
        let stage = &self.schedule.stages[id];
        let elements = self.element_types(id);
        let buffers = elements
            .iter()
            .enumerate()
            .map(|(result, element)| {
                given.get(result).copied().flatten().unwrap_or_else(|| {
                    let ty = buffer_type(Type::tensor(&region.extent, *element));
                    let scope = Attr::str(b.ctx, &stage.scope);
                    b.value("tir.alloc_buffer", &[], ty, &[("scope", scope)])
                })
            })
            .collect();
        self.realized.insert(
            id,
            Realized {
                buffers,
                region: region.clone(),
            },
        );
        let mut nest = Nest {
            stage: id,
            extents: stage.extents(&region.extent),
            variables: HashMap::new(),
            region,
            initialized: stage.reduce.is_empty(),
        };
        self.loops(b, &mut nest, 0)
    }

    fn element_types(&self, id: StageId) -> Vec<Type> {
        match self.schedule.stages[id].body {
            Body::Compute(op) => op
                .results()
                .iter()
                .map(|result| result.ty().element())
                .collect(),
            Body::Copy(source) => self.element_types(source),
        }
    }

    /// Writes the loops from `position` inwards.
    fn loops(&mut self, b: &Builder, nest: &mut Nest, position: usize) -> Result<(), String> {
        let stage = &self.schedule.stages[nest.stage];
        let Some(&axis) = stage.leaf.get(position) else {
            return self.point(b, nest);
        };
        if self.schedule.axes[axis].reduce && !nest.initialized {
            self.initialize(b, nest, position)?;
            nest.initialized = true;
        }
        if nest.extents[&axis] == 0 {
            return Ok(());
        }
        let inner = self.open_loop(b, nest, axis);
        self.attached(&inner, nest, axis, position)?;
        self.loops(&inner, nest, position + 1)
    }

    /// Opens the loop of `axis` and binds its variable; a loop of one iteration is none.
    fn open_loop(&self, b: &Builder, nest: &mut Nest, axis: AxisId) -> Builder {
        let extent = nest.extents[&axis];
        if extent == 1 {
            nest.variables.insert(axis, b.index(0));
            return *b;
        }
        let body = Block::new(b.ctx, &[Type::index(b.ctx)]);
        let kind = Attr::str(b.ctx, self.schedule.axes[axis].kind);
        let bounds = [b.index(0), b.index(extent)];
        b.region_op("tir.for", &bounds, &[], &[("kind", kind)], &[Some(body)]);
        nest.variables.insert(axis, body.arg(0));
        Builder::at_end(body, b.loc, b.ctx)
    }

    /// Sets the accumulators to the identity, in loops over the data axes from `position` inwards.
    fn initialize(&mut self, b: &Builder, nest: &mut Nest, position: usize) -> Result<(), String> {
        let outer = nest.variables.clone();
        let leaf = &self.schedule.stages[nest.stage].leaf[position..];
        let mut inner = *b;
        for &axis in leaf
            .iter()
            .filter(|axis| !self.schedule.axes[**axis].reduce)
        {
            inner = self.open_loop(&inner, nest, axis);
        }
        let (inner, _, subscripts) = self.enter_point(&inner, nest, false);
        let realized = self.realized[&nest.stage].clone();
        let reducer = self.reducer(nest.stage)?;
        for (result, buffer) in realized.buffers.iter().enumerate() {
            let identity = reducer.identity(&inner, result, buffer.ty().element())?;
            store(&inner, identity, *buffer, &subscripts);
        }
        nest.variables = outer;
        Ok(())
    }

    fn reducer(&self, id: StageId) -> Result<Reducer, String> {
        let compute = self.schedule.stages[id]
            .compute()
            .ok_or("a copy does not reduce")?;
        Reducer::of(compute)
    }

    /// Writes the computation of one element.
    fn point(&mut self, b: &Builder, nest: &Nest) -> Result<(), String> {
        let (inner, indices, subscripts) = self.enter_point(b, nest, true);
        let stage = &self.schedule.stages[nest.stage];
        let reduce: Vec<Value> = stage
            .reduce
            .iter()
            .map(|&axis| self.root_value(&inner, nest, axis).0)
            .collect();
        let outer = std::mem::replace(&mut self.inlined, vec![HashMap::new()]);
        let values = self.evaluate(&inner, nest.stage, &indices, &reduce);
        self.inlined = outer;
        let values = values?;
        let buffers = self.realized[&nest.stage].buffers.clone();
        let values = if stage.reduce_extents.is_empty() {
            values
        } else {
            let old: Vec<Value> = buffers
                .iter()
                .map(|buffer| load(&inner, *buffer, &subscripts))
                .collect();
            self.reducer(nest.stage)?.combine(&inner, &old, &values)
        };
        for (value, buffer) in values.into_iter().zip(buffers) {
            store(&inner, value, buffer, &subscripts);
        }
        Ok(())
    }

    /// Computes the subscripts of the element at hand, in the tensor and in its buffer, behind the
    /// guards that imperfect splits need.
    fn enter_point(
        &self,
        b: &Builder,
        nest: &Nest,
        reduce: bool,
    ) -> (Builder, Vec<Value>, Vec<Value>) {
        let stage = &self.schedule.stages[nest.stage];
        let mut guards: Vec<Value> = Vec::new();
        let mut subscripts = Vec::new();
        let mut indices = Vec::new();
        for (dimension, &axis) in stage.data.iter().enumerate() {
            let (value, guard) = self.root_value(b, nest, axis);
            guards.extend(guard);
            let index = index::add(b, nest.region.min[dimension], value);
            // A consumer's guard may let its region reach beyond the tensor.
            let limit = stage.shape[dimension];
            if nest.extents[&axis] > 1 && interval(index).is_some_and(|(_, high)| high >= limit) {
                guards.push(index::less(b, index, limit));
            }
            subscripts.push(value);
            indices.push(index);
        }
        if reduce {
            for &axis in &stage.reduce {
                guards.extend(self.root_value(b, nest, axis).1);
            }
        }
        let guarded = guards.into_iter().fold(*b, |b, guard| {
            let then = Block::new(b.ctx, &[]);
            b.region_op("scf.if", &[guard], &[], &[], &[Some(then), None]);
            let end = Builder::at_end(then, b.loc, b.ctx).op("scf.yield", &[], &[], &[]);
            Builder::before(end).with_loc(b.loc)
        });
        (guarded, indices, subscripts)
    }

    /// The value of a data or reduce axis from those of the loops made of it, and the condition
    /// under which it is in range, if it is not always.
    ///
    /// An imperfect split of a data axis outside all reductions shifts its last part inwards
    /// instead: some elements are then computed twice, to the same value, and no guard stands in
    /// the innermost loops.
    fn root_value(&self, b: &Builder, nest: &Nest, root: AxisId) -> (Value, Option<Value>) {
        let stage = &self.schedule.stages[nest.stage];
        let mut values = nest.variables.clone();
        let mut guard = None;
        for relation in stage.relations.iter().rev() {
            match *relation {
                Relation::Split {
                    parent,
                    outer,
                    inner,
                    ..
                } => {
                    let (Some(&o), Some(&i)) = (values.get(&outer), values.get(&inner)) else {
                        continue;
                    };
                    let (whole, factor) = (nest.extents[&parent], nest.extents[&inner]);
                    let base = index::scale(b, o, factor);
                    let value = if whole % factor == 0 {
                        index::add(b, base, i)
                    } else if self.may_shift(nest, outer) {
                        index::add(b, index::min(b, base, whole - factor), i)
                    } else {
                        let value = index::add(b, base, i);
                        if derives(stage.relations.as_slice(), root, parent) {
                            guard = Some(index::less(b, value, whole));
                        }
                        value
                    };
                    values.insert(parent, value);
                }
                Relation::Fuse {
                    outer,
                    inner,
                    fused,
                } => {
                    let Some(&f) = values.get(&fused) else {
                        continue;
                    };
                    let extent = nest.extents[&inner];
                    values.insert(outer, index::div(b, f, extent));
                    values.insert(inner, index::rem(b, f, extent));
                }
            }
        }
        (
            values.get(&root).copied().unwrap_or_else(|| b.index(0)),
            guard,
        )
    }

    fn may_shift(&self, nest: &Nest, outer: AxisId) -> bool {
        let stage = &self.schedule.stages[nest.stage];
        let axes = &self.schedule.axes;
        if axes[outer].reduce || axes[outer].kind == "parallel" {
            return false;
        }
        // Only a loop as it was split: of a fused one the parts may run on several threads.
        let first_reduce = stage.leaf.iter().position(|&axis| axes[axis].reduce);
        match stage.leaf.iter().position(|&axis| axis == outer) {
            Some(place) => first_reduce.is_none_or(|reduce| place < reduce),
            None => false,
        }
    }

    /// Realises the stages that are computed inside the loop of `axis`.
    fn attached(
        &mut self,
        b: &Builder,
        nest: &mut Nest,
        axis: AxisId,
        position: usize,
    ) -> Result<(), String> {
        let here = Attach::At {
            parent: nest.stage,
            axis,
        };
        let order = self.schedule.order.iter().copied();
        let stages: Vec<StageId> = order
            .filter(|id| self.schedule.stages[*id].attach == here)
            .collect();
        // What is needed of a stage depends on its readers among the others: the last one first.
        let mut regions: Vec<(StageId, BoxRegion)> = Vec::new();
        for &id in stages.iter().rev() {
            let region = self.region(b, nest, id, position, &regions)?;
            regions.insert(0, (id, region));
        }
        for (id, region) in regions {
            self.realize(b, id, region, &[])?;
        }
        Ok(())
    }

    /// What the loops of `nest` inside leaf `position`, and the stages computed before them in
    /// that leaf, read of stage `id`, as a box.
    fn region(
        &mut self,
        b: &Builder,
        nest: &mut Nest,
        id: StageId,
        position: usize,
        before: &[(StageId, BoxRegion)],
    ) -> Result<BoxRegion, String> {
        // Write the rest of the nest into a loop that runs no iteration, look, and throw it away.
        let body = Block::new(b.ctx, &[Type::index(b.ctx)]);
        let kind = Attr::str(b.ctx, "serial");
        let bounds = [b.index(0), b.index(0)];
        let scratch = b.region_op("tir.for", &bounds, &[], &[("kind", kind)], &[Some(body)]);
        let inside = Builder::at_end(body, b.loc, b.ctx);
        let (variables, initialized) = (nest.variables.clone(), nest.initialized);
        let outer_probe = self.probed.replace(HashMap::new());
        let known = self.realized.clone();
        nest.initialized = true;
        let written = before
            .iter()
            .try_for_each(|(id, region)| self.realize(&inside, *id, region.clone(), &[]))
            .and_then(|()| self.loops(&inside, nest, position + 1));
        let probed = std::mem::replace(&mut self.probed, outer_probe);
        self.realized = known;
        (nest.variables, nest.initialized) = (variables, initialized);
        written?;

        let stage = &self.schedule.stages[id];
        let reads = probed
            .and_then(|mut probed| probed.remove(&id))
            .unwrap_or_default();
        if reads.is_empty() {
            return Err(format!("nothing in that loop reads stage '{}'", stage.name));
        }
        let dimensions = (0..stage.shape.len())
            .map(|dimension| {
                let subscripts: Vec<Value> = reads.iter().map(|read| read[dimension]).collect();
                range(b, scratch, &subscripts, stage.shape[dimension])
            })
            .collect::<Vec<_>>();
        scratch.erase();
        let (min, extent) = dimensions.into_iter().unzip();
        Ok(BoxRegion { min, extent })
    }

    /// The value of a stage's expression at the given indices.
    fn evaluate(
        &mut self,
        b: &Builder,
        id: StageId,
        indices: &[Value],
        reduce: &[Value],
    ) -> Result<Vec<Value>, String> {
        let body = match self.schedule.stages[id].body {
            Body::Copy(source) => return Ok(vec![self.read_stage(b, source, 0, indices)?]),
            Body::Compute(op) => op.body(),
        };
        let mut map: HashMap<Value, Value> = HashMap::new();
        map.extend(
            body.args()
                .into_iter()
                .zip(indices.iter().chain(reduce).copied()),
        );
        self.copy_block(b, body, &mut map)
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
        block: Block,
        mut map: HashMap<Value, Value>,
    ) -> Result<Vec<Value>, String> {
        self.inlined.push(HashMap::new());
        let yielded = self.copy_block(b, block, &mut map);
        self.inlined.pop();
        yielded
    }

    /// Copies the ops of a compute's block; returns what its terminator yields.
    fn copy_block(
        &mut self,
        b: &Builder,
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
                "te.yield" | "scf.yield" => yielded = operands,
                "tensor.extract" => {
                    let value = self.read(b, op.operand(0), &operands[1..])?;
                    map.insert(op.result(0), value);
                }
                "scf.if" => self.copy_if(b, op, &operands, map)?,
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
        op: Op,
        operands: &[Value],
        map: &mut HashMap<Value, Value>,
    ) -> Result<(), String> {
        let mut blocks = Vec::new();
        for index in 0..2 {
            let copy = Block::new(b.ctx, &[]);
            let inside = Builder::at_end(copy, b.loc, b.ctx);
            let source = op
                .block_in(index)
                .ok_or("scf.if in a compute has two regions")?;
            let values = self.copy_branch(&inside, source, map.clone())?;
            inside.op("scf.yield", &values, &[], &[]);
            blocks.push(Some(copy));
        }
        let types: Vec<Type> = op.results().iter().map(|result| result.ty()).collect();
        let copy = b.region_op("scf.if", operands, &types, &[], &blocks);
        map.extend(op.results().into_iter().zip(copy.results()));
        Ok(())
    }

    /// The element of a tensor at the given indices.
    fn read(&mut self, b: &Builder, tensor: Value, indices: &[Value]) -> Result<Value, String> {
        if let Some(buffer) = self.arguments.get(&tensor) {
            return Ok(load(b, *buffer, indices));
        }
        let id = self
            .schedule
            .stage_of(tensor)
            .ok_or("a compute reads a tensor that is neither an argument nor a compute's result")?;
        if self.schedule.stages[id].attach == Attach::Inline {
            return Ok(self.evaluate_inlined(b, id, indices)?[tensor.number()]);
        }
        self.read_stage(b, id, tensor.number(), indices)
    }

    fn read_stage(
        &mut self,
        b: &Builder,
        id: StageId,
        result: usize,
        indices: &[Value],
    ) -> Result<Value, String> {
        let Some(Realized { buffers, region }) = self.realized.get(&id).cloned() else {
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
        let subscripts: Vec<Value> = indices
            .iter()
            .zip(&region.min)
            .zip(&region.extent)
            .map(|((&index, &min), &extent)| {
                if extent == 1 {
                    b.index(0)
                } else {
                    difference(b, index, min)
                }
            })
            .collect();
        Ok(load(b, buffers[result], &subscripts))
    }
}

/// Whether `axis` is `root` or was made from it.
fn derives(relations: &[Relation], root: AxisId, axis: AxisId) -> bool {
    axis == root
        || relations.iter().any(|relation| match *relation {
            Relation::Split {
                parent,
                outer,
                inner,
                ..
            } => (axis == outer || axis == inner) && derives(relations, root, parent),
            Relation::Fuse {
                outer,
                inner,
                fused,
            } => {
                axis == fused
                    && (derives(relations, root, outer) || derives(relations, root, inner))
            }
        })
}

/// `index - min`, where linear forms show that most of it cancels.
fn difference(b: &Builder, index: Value, min: Value) -> Value {
    materialize(b, &linear(index).minus(&linear(min)))
}

/// The lowest of the subscripts and the number of values from there to the highest, over all
/// iterations of the loops inside `scratch`. The whole dimension where that is not known.
fn range(b: &Builder, scratch: Op, subscripts: &[Value], limit: i64) -> (Value, i64) {
    let whole = || (b.index(0), limit);
    let mut fixed: Option<Vec<(Value, i64)>> = None;
    let mut bounds: Option<(i64, i64)> = None;
    for subscript in subscripts {
        let form = linear(*subscript);
        let (inner, mut outer): (Vec<_>, Vec<_>) = form
            .terms
            .iter()
            .copied()
            .partition(|(term, _)| varies_inside(*term, scratch));
        outer.sort_by_key(|(term, _)| term.to_raw().ptr as usize);
        let mut part = (form.constant, form.constant);
        for (term, coefficient) in inner {
            let Some((low, high)) = interval(term) else {
                return whole();
            };
            let (x, y) = (low * coefficient, high * coefficient);
            part = (part.0 + x.min(y), part.1 + x.max(y));
        }
        if fixed
            .as_ref()
            .is_some_and(|known| !same_terms(known, &outer))
        {
            return whole();
        }
        fixed.get_or_insert(outer);
        bounds = Some(bounds.map_or(part, |known| (known.0.min(part.0), known.1.max(part.1))));
    }
    let (Some(fixed), Some((low, high))) = (fixed, bounds) else {
        return whole();
    };
    if high - low + 1 >= limit {
        return whole();
    }
    let mut min = b.index(low);
    for (term, coefficient) in fixed {
        let here = rematerialize(b, scratch, term);
        min = index::add(b, min, index::scale(b, here, coefficient));
    }
    (min, high - low + 1)
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
fn varies_inside(value: Value, scratch: Op) -> bool {
    match value.def() {
        Some(op) => op
            .operands()
            .into_iter()
            .any(|operand| varies_inside(operand, scratch)),
        None => value
            .owner_block()
            .and_then(Block::parent)
            .is_some_and(|owner| {
                std::iter::successors(Some(owner), |op| op.parent()).any(|op| op == scratch)
            }),
    }
}

/// A value that does not vary inside `scratch`, computed before it.
fn rematerialize(b: &Builder, scratch: Op, value: Value) -> Value {
    let inside =
        |op: Op| std::iter::successors(op.parent(), |op| op.parent()).any(|op| op == scratch);
    match value.def() {
        Some(op) if inside(op) => {
            let operands: Vec<Value> = op
                .operands()
                .into_iter()
                .map(|operand| rematerialize(b, scratch, operand))
                .collect();
            let copy = b.insert(op.clone_detached());
            copy.set_operands(&operands);
            copy.result(value.number())
        }
        _ => value,
    }
}

/// What stands for a captured operand: its copy, or a fresh constant.
fn resolve(b: &Builder, operand: Value, map: &mut HashMap<Value, Value>) -> Value {
    if let Some(value) = map.get(&operand) {
        return *value;
    }
    match operand.def_of("arith.constant") {
        Some(op) => {
            let copy = b.insert(op.clone_detached()).result(0);
            map.insert(operand, copy);
            copy
        }
        None => operand,
    }
}

fn load(b: &Builder, buffer: Value, subscripts: &[Value]) -> Value {
    let operands: Vec<Value> = std::iter::once(buffer)
        .chain(subscripts.iter().copied())
        .collect();
    b.value("memref.load", &operands, buffer.ty().element(), &[])
}

fn store(b: &Builder, value: Value, buffer: Value, subscripts: &[Value]) {
    let operands: Vec<Value> = [value, buffer]
        .into_iter()
        .chain(subscripts.iter().copied())
        .collect();
    b.op("memref.store", &operands, &[], &[]);
}
