//! Elements that are computed in blocks, each at one point of its stage's axes.

use super::{BoxRegion, Guards, Lowering, Nest, PlaceOfPoint};
use crate::te::lower_te::schedule::{AxisId, Illegal, Relation, Stage, StageId};
use relay_dialects::ir::{AffineExpr, AffineMap, Builder, Op, Value};
use relay_dialects::ops::{arith, memref};
use relay_dialects::tir::{Block, BufferRegion, IterType};
use relay_loops::analysis::quasi_affine::{Form, Term};
use std::collections::HashMap;

impl Lowering<'_> {
    /// Whether the elements of a stage are computed in blocks. Intrinsics do several at once, and a reduction over
    /// nothing has no point at which a block could start it. While reads are looked for, there are no blocks.
    pub(super) fn is_in_block(&self, id: StageId) -> bool {
        let stage = &self.schedule.stages[id];
        let looks = self.probed.is_some() || self.watched.is_some();
        self.blocks
            && !looks
            && stage.tensorize.is_none()
            && !stage.reduce_extents.iter().any(|extent| *extent == 0)
    }

    /// Writes the block of the element at hand.
    pub(super) fn block(&mut self, b: &Builder, nest: &Nest) -> Result<(), Illegal> {
        let factored = is_factored(&self.schedule.stages[nest.stage]);
        let mut place = self.place_of_point(b, nest, !factored);
        let conditions = std::mem::take(&mut place.guards.conditions).into_iter();
        let condition = conditions.reduce(|all, next| arith::AndI::build(b, all, next));
        let stage = &self.schedule.stages[nest.stage];
        let (variables, reduce) = self.variables(nest, &place);
        let block = Block::build(b, &stage.name, &variables, !reduce.is_empty());
        if let Some(init) = block.init() {
            let inside = Builder::at_end(init, b.loc, b.ctx);
            let indices = &init.args()[..stage.data.len()];
            let local = nest.region.place_of(&inside, indices);
            self.store_identity(&inside, nest.stage, indices, local)?;
        }
        let inside = Builder::at_end(block.body(), b.loc, b.ctx);
        let arguments = block.body().args();
        let (indices, values) = arguments.split_at(stage.data.len());
        let local = nest.region.place_of(&inside, indices);
        if reduce.is_empty() && !stage.reduce.is_empty() {
            // All that it reduces over is a data axis now: each point is a reduction of its own.
            self.store_identity(&inside, nest.stage, indices, local.clone())?;
        }
        let (values, guards) = match factored {
            true => self.unfactored(&inside, nest, indices, (&reduce, values)),
            false => (values.to_vec(), Guards::default()),
        };
        let inside = guards.enter(&inside);
        self.element(&inside, nest.stage, (indices, local), &values)?;
        block.declare(condition, &reads(block), &writes(block));
        Ok(())
    }

    /// The variables of a block, by name, binding and type, and the axes of those that reduce: the axes of the
    /// stage's expression. Where one of these is computed from a data axis, the loops that reduce stand for it.
    fn variables(
        &self,
        nest: &Nest,
        place: &PlaceOfPoint,
    ) -> (Vec<(String, Value, IterType)>, Vec<AxisId>) {
        let stage = &self.schedule.stages[nest.stage];
        let axes = &self.schedule.axes;
        let (reduce, values) = if is_factored(stage) {
            let loops = stage.leaf.iter().copied();
            let loops: Vec<AxisId> = loops.filter(|axis| axes[*axis].reduce).collect();
            let values = loops.iter().map(|axis| nest.variables[axis]).collect();
            (loops, values)
        } else {
            (stage.reduce.clone(), place.reduce.clone())
        };
        let name = |axis: &AxisId| match axes[*axis].name.as_str() {
            "" => String::new(),
            name => format!("v{name}"),
        };
        let data = stage.data.iter().zip(&place.indices);
        let data = data.map(|(axis, index)| (name(axis), *index, IterType::Spatial));
        let rest = reduce.iter().zip(values);
        let rest = rest.map(|(axis, value)| (name(axis), value, IterType::Reduce));
        (data.chain(rest).collect(), reduce)
    }

    /// The values of the reduce axes of a stage that `rfactor` made, from the variables of its block: the indices and
    /// the loops that reduce. The conditions on them are no conditions of the block: where a data axis is a part of a
    /// reduction, elements for which nothing is left of it are set all the same.
    fn unfactored(
        &self,
        b: &Builder,
        nest: &Nest,
        indices: &[Value],
        (loops, values): (&[AxisId], &[Value]),
    ) -> (Vec<Value>, Guards) {
        let stage = &self.schedule.stages[nest.stage];
        let data = stage.data.iter().copied().zip(indices.iter().copied());
        let loops = loops.iter().copied().zip(values.iter().copied());
        let inside = Nest {
            stage: nest.stage,
            extents: nest.extents.clone(),
            variables: data.chain(loops).collect::<HashMap<_, _>>(),
            // Indices count from the start of the tensor.
            region: BoxRegion {
                min: vec![b.index(0); indices.len()],
                extent: stage.shape.clone(),
            },
            initialized: true,
        };
        let mut guards = Guards::default();
        let axes = stage.reduce.iter();
        let values = axes.map(|axis| self.root_value(b, &inside, *axis, &mut guards));
        (values.collect(), guards)
    }
}

/// Whether a reduce axis of a stage is computed from a data axis.
fn is_factored(stage: &Stage) -> bool {
    let mut relations = stage.relations.iter();
    relations.any(|relation| matches!(relation, Relation::Factored { .. }))
}

/// What the body of a block reads; of what it writes nothing, if an init sets it.
fn reads(block: Block) -> Vec<BufferRegion> {
    let is_own = |load: &Op| {
        let mut stores = block.op().find_all(memref::Store::NAME).into_iter();
        block.init().is_some() && stores.any(|store| store.operand(1) == load.operand(0))
    };
    let loads = block.op().find_all(memref::Load::NAME).into_iter();
    let loads = loads.filter(|load| !is_own(load));
    regions(block, loads.map(Op::operands))
}

/// What a block writes.
fn writes(block: Block) -> Vec<BufferRegion> {
    let stores = block.op().find_all(memref::Store::NAME).into_iter();
    let in_body = stores.filter(|store| store.block() != block.init());
    regions(block, in_body.map(|store| store.operands().split_off(1)))
}

/// The regions that accesses touch, each a buffer and its subscripts: one for all those that lie at fixed distances
/// from each other.
fn regions(block: Block, accesses: impl Iterator<Item = Vec<Value>>) -> Vec<BufferRegion> {
    let mut found: Vec<Touched> = Vec::new();
    for access in accesses {
        let touched = Touched::new(block, access[0], &access[1..]);
        if !found.iter_mut().any(|known| known.absorb(&touched)) {
            found.push(touched);
        }
    }
    found.into_iter().map(Touched::region).collect()
}

/// A region of a buffer that is being put together.
struct Touched {
    buffer: Value,
    sides: Vec<Side>,
}

/// A dimension of a region.
#[derive(Clone)]
enum Side {
    /// All of the dimension.
    Whole,
    /// So many subscripts from the given one on.
    Part(Form, i64),
}

impl Touched {
    /// The element at the subscripts, as far as they are functions of the block's variables and of what is known
    /// outside of it.
    fn new(block: Block, buffer: Value, subscripts: &[Value]) -> Self {
        let variables = block.body().args();
        let is_known = |value: Value| variables.contains(&value) || !block.makes(value);
        let side = |subscript: &Value| {
            let form = Form::of(*subscript);
            match form.values().into_iter().all(is_known) {
                true => Side::Part(form, 1),
                false => Side::Whole,
            }
        };
        let sides = subscripts.iter().map(side).collect();
        Self { buffer, sides }
    }

    /// Becomes the box around itself and another region, if that lies at a fixed distance.
    fn absorb(&mut self, other: &Self) -> bool {
        if self.buffer != other.buffer {
            return false;
        }
        let both = self.sides.iter().zip(&other.sides);
        let both = both.zip(self.buffer.ty().shape());
        let joined = both.map(|((side, other), dim)| side.joined(other, dim));
        let Some(sides) = joined.collect::<Option<Vec<Side>>>() else {
            return false;
        };
        self.sides = sides;
        true
    }

    fn region(self) -> BufferRegion {
        let mut values = Vec::new();
        let shape = self.buffer.ty().shape();
        let sides = self.sides.iter().zip(shape);
        let (results, extents): (Vec<AffineExpr>, Vec<i64>) = sides
            .map(|(side, dim)| match side {
                Side::Whole => (AffineExpr::Constant(0), dim.max(1)),
                Side::Part(first, extent) => (affine(first, &mut values), *extent),
            })
            .unzip();
        let dims = values.len();
        BufferRegion {
            buffer: self.buffer,
            values,
            first: AffineMap { dims, results },
            extents,
        }
    }
}

impl Side {
    /// What both of them lie in, in a dimension of so many subscripts; none if their distance is not known.
    fn joined(&self, other: &Self, dim: i64) -> Option<Self> {
        match (self, other) {
            (Self::Whole, Self::Whole) => Some(Self::Whole),
            (Self::Part(first, extent), Self::Part(second, length)) => {
                let distance = second.distance(first)?;
                let (start, low) = match distance < 0 {
                    true => (second, distance),
                    false => (first, 0),
                };
                let end = (*extent).max(distance.checked_add(*length)?);
                let extent = end.checked_sub(low)?;
                Some(match extent > dim.max(1) {
                    true => Self::Whole,
                    false => Self::Part(start.clone(), extent),
                })
            }
            _ => None,
        }
    }
}

/// A form as an affine expression of `values`, to which its own are added.
fn affine(form: &Form, values: &mut Vec<Value>) -> AffineExpr {
    let sum = |lhs: AffineExpr, rhs: AffineExpr| AffineExpr::Add(lhs.into(), rhs.into());
    let mut terms = form.terms.iter().map(|(term, coefficient)| {
        let term = match term {
            Term::Value(value) => {
                let known = values.iter().position(|known| known == value);
                AffineExpr::Dim(known.unwrap_or_else(|| {
                    values.push(*value);
                    values.len() - 1
                }))
            }
            Term::Quotient(dividend, divisor) => {
                let dividend = affine(dividend, values);
                AffineExpr::FloorDiv(dividend.into(), AffineExpr::Constant(*divisor).into())
            }
        };
        AffineExpr::Mul(term.into(), AffineExpr::Constant(*coefficient).into())
    });
    let first = terms.next();
    let all = first.map(|first| terms.fold(first, sum));
    let constant = AffineExpr::Constant(form.constant);
    match all {
        Some(all) => sum(all, constant),
        None => constant,
    }
}
