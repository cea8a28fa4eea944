//! The operands of a product: two tensors, each of which some results share.

use super::{cost::sizes::planned_shape, stage::Stage};
use relay_dialects::{
    index::constant,
    ir::{Op, Value},
    names,
    ops::{arith, tensor},
    te::Role,
};

/// A tensor that a reduction reads once for each term.
pub struct Operand {
    /// The tensor.
    pub tensor: Value,
    /// Its subscripts.
    subscripts: Vec<Subscript>,
}

/// A sum of axes of the stage, by number, with the data axes first, each times a number.
type Subscript = Vec<(usize, i64)>;

impl Operand {
    /// Whether it has another element for another index along an axis.
    pub fn follows(&self, axis: usize) -> bool {
        self.subscripts
            .iter()
            .any(|subscript| follows(subscript, axis))
    }

    /// The axes of more than one element that it follows and another operand does not.
    pub fn own_axes(&self, other: &Self, shape: &[i64]) -> Vec<usize> {
        let axes = (0..shape.len()).filter(|axis| shape[*axis] > 1);
        axes.filter(|axis| self.follows(*axis) && !other.follows(*axis))
            .collect()
    }

    /// The extents of the part that is read where axes have these extents.
    pub fn part(&self, extents: &[i64]) -> Vec<i64> {
        let parts = self.subscripts.iter();
        parts
            .map(|subscript| {
                let reach = |(axis, times): &(usize, i64)| (extents[*axis] - 1) * times.abs();
                let reach: i64 = subscript.iter().map(reach).sum();
                reach.saturating_add(1)
            })
            .collect()
    }

    /// The data axes of a reduction along which windows move: their dimension moves along a reduce axis, too. `extents` are those of all
    /// axes, of which the first `data` are data axes.
    pub fn window_axes(&self, data: usize, extents: &[i64]) -> Vec<usize> {
        let reduces = |(axis, _): &(usize, i64)| *axis >= data && extents[*axis] > 1;
        let windows = self.subscripts.iter();
        let mut axes: Vec<usize> = windows
            .filter(|subscript| subscript.iter().any(reduces))
            .flat_map(|subscript| subscript.iter().map(|(axis, _)| *axis))
            .filter(|axis| *axis < data && extents[*axis] > 1)
            .collect();
        axes.sort_unstable();
        axes.dedup();
        axes
    }

    /// The dimensions in an order in which those that some of the axes move along come last.
    pub fn with_last(&self, axes: &[usize]) -> Vec<usize> {
        let moves = |dim: &usize| {
            axes.iter()
                .any(|axis| follows(&self.subscripts[*dim], *axis))
        };
        let (last, first): (Vec<usize>, Vec<usize>) = (0..self.subscripts.len()).partition(moves);
        [first, last].concat()
    }

    /// Whether its dimensions follow these axes, one each, where they have several elements.
    pub fn reads_along(&self, axes: &[usize]) -> bool {
        let dims = self.tensor.ty().dims();
        let mut subscripts = self.subscripts.iter().zip(axes).zip(&dims);
        dims.len() == axes.len()
            && subscripts.all(|((subscript, axis), dim)| *dim == 1 || subscript[..] == [(*axis, 1)])
    }

    /// The dimension along which it moves by one element for each index along an axis, if it moves along no other one then.
    pub fn dimension(&self, axis: usize) -> Option<usize> {
        let mut moving =
            (0..self.subscripts.len()).filter(|dim| follows(&self.subscripts[*dim], axis));
        let dim = moving.next()?;
        let moves_by_one = self.subscripts[dim].contains(&(axis, 1));
        (moves_by_one && moving.next().is_none()).then_some(dim)
    }

    /// The tensor whose elements it has in a wider type for `reader` alone, if there is one.
    pub fn narrow(&self, reader: Stage) -> Option<Value> {
        let stage = Stage {
            op: self.tensor.def_of(names::te::COMPUTE)?,
        };
        let read = stage.op.find_all(tensor::Extract::NAME);
        let is_wide = stage.is(Role::Widen) && stage.readers() == [reader];
        is_wide.then(|| Some(read.first()?.operand(0)))?
    }

    /// Its shape, of open dimensions what is planned for where a stage reads it.
    pub fn shape(&self, reader: Stage) -> Vec<i64> {
        planned_shape(reader.op, self.tensor)
    }

    /// The number of dimensions.
    pub fn rank(&self) -> usize {
        self.subscripts.len()
    }

    /// The bytes of an element.
    pub fn bytes(&self) -> i64 {
        self.tensor.ty().element().byte_width() as i64
    }
}

/// The two operands of a stage that reduces; none if it reads more tensors, or by subscripts that are no sums of its axes.
pub fn of(stage: Stage) -> Option<[Operand; 2]> {
    let axes = stage.op.body().args();
    let mut found = Some(Vec::new());
    stage.op.walk(|op: Op| {
        if op.is(tensor::Extract::NAME)
            && let Some(operands) = &mut found
        {
            match operand(op, &axes) {
                Some(operand) => operands.push(operand),
                None => found = None,
            }
        }
    });
    let operands: [Operand; 2] = found?.try_into().ok()?;
    (operands[0].tensor != operands[1].tensor).then_some(operands)
}

fn operand(read: Op, axes: &[Value]) -> Option<Operand> {
    let operands = read.operands();
    let subscripts = operands[1..].iter().map(|subscript| sum(*subscript, axes));
    Some(Operand {
        tensor: operands[0],
        subscripts: subscripts.collect::<Option<_>>()?,
    })
}

/// A tensor in memory that a stage reads, maybe by way of stages that are part of its expression.
pub struct Reading {
    /// The tensor.
    pub tensor: Value,
    /// The stage with the read.
    pub reader: Stage,
    /// The tensor with subscripts by the axes of the first stage; none if some are no sums of axes.
    pub operand: Option<Operand>,
}

/// The reads of a stage, of which `inlined` stages are part: each element once.
pub fn readings(stage: Stage, inlined: &[Stage]) -> Vec<Reading> {
    let own = (0..stage.axes()).map(|axis| Some(vec![(axis, 1)]));
    let mut open = vec![(stage, own.collect::<Vec<Option<Subscript>>>())];
    let (mut next, mut found) = (0, Vec::new());
    while let Some((stage, indices)) = open.get(next).cloned() {
        next += 1;
        let axes = stage.op.body().args();
        for read in stage.op.find_all(tensor::Extract::NAME) {
            let subscripts = read.operands()[1..].to_vec().into_iter();
            let subscripts: Vec<Option<Subscript>> = subscripts
                .map(|subscript| compose(&sum(subscript, &axes)?, &indices))
                .collect();
            let tensor = read.operand(0);
            let producer = tensor.def_of(names::te::COMPUTE).map(|op| Stage { op });
            match producer.filter(|producer| inlined.contains(producer)) {
                Some(producer) if open.contains(&(producer, subscripts.clone())) => {}
                Some(producer) => open.push((producer, subscripts)),
                None => found.push(Reading {
                    tensor,
                    reader: stage,
                    operand: subscripts
                        .into_iter()
                        .collect::<Option<_>>()
                        .map(|subscripts| Operand { tensor, subscripts }),
                }),
            }
        }
    }
    found
}

/// The dimensions of a tensor in the order in which its elements lie in memory: of one that a stage among `inlined` moves, as what that
/// stage reads has them.
pub fn order_in_memory(tensor: Value, inlined: &[Stage]) -> Vec<usize> {
    let rank = tensor.ty().dims().len();
    let stage = Stage::of(tensor).filter(|stage| inlined.contains(stage));
    let moved = stage.map(|stage| readings(stage, inlined));
    let operand = match moved.as_deref() {
        Some([reading]) => reading.operand.as_ref(),
        _ => None,
    };
    let subscripts = operand.map_or(&[][..], |operand| &operand.subscripts);
    let mut along: Vec<usize> = Vec::new();
    for (axis, _) in subscripts.iter().flatten() {
        if !along.contains(axis) {
            along.push(*axis);
        }
    }
    let others = (0..rank).filter(|dim| !along.contains(dim));
    others.chain(along.iter().copied()).collect()
}

/// What a stage reads, where some axes are fixed: those that subscripts divide, as the channels of groups. None if another subscript is
/// no sum of axes.
pub fn with_fixed_axes(stage: Stage) -> Option<(Vec<Operand>, Vec<usize>)> {
    let axes = stage.op.body().args();
    let (mut operands, mut fixed) = (Vec::new(), Vec::new());
    for read in stage.op.find_all(tensor::Extract::NAME) {
        let mut subscripts = Vec::new();
        for subscript in &read.operands()[1..] {
            subscripts.push(sum_fixing(*subscript, &axes, &mut fixed)?);
        }
        operands.push(Operand {
            tensor: read.operand(0),
            subscripts,
        });
    }
    Some((operands, fixed))
}

/// As [`sum`], without the quotients of axes, which become fixed.
fn sum_fixing(index: Value, axes: &[Value], fixed: &mut Vec<usize>) -> Option<Subscript> {
    if let Some(sum) = sum(index, axes) {
        return Some(sum);
    }
    let op = index.def()?;
    let (lhs, rhs) = (*op.operands().first()?, *op.operands().get(1)?);
    if op.is(arith::AddI::NAME) {
        let lhs = sum_fixing(lhs, axes, fixed)?;
        return Some([lhs, sum_fixing(rhs, axes, fixed)?].concat());
    }
    constant(rhs)?;
    if op.is(arith::DivSI::NAME) {
        fixed.extend(sum(lhs, axes)?.into_iter().map(|(axis, _)| axis));
        return Some(Subscript::new());
    }
    // What is left of a product of a quotient is fixed, too.
    let found = op
        .is(arith::MulI::NAME)
        .then(|| sum_fixing(lhs, axes, fixed));
    found?.filter(Vec::is_empty)
}

/// A sum of indices, each of which is a sum of axes.
fn compose(sum: &Subscript, indices: &[Option<Subscript>]) -> Option<Subscript> {
    let mut found = Subscript::new();
    for (index, times) in sum {
        let parts = indices.get(*index)?.as_ref()?.iter();
        found.extend(parts.map(|(axis, by)| (*axis, by.saturating_mul(*times))));
    }
    Some(found)
}

/// An index as a sum of axes.
fn sum(index: Value, axes: &[Value]) -> Option<Subscript> {
    if constant(index).is_some() {
        return Some(Vec::new());
    }
    if let Some(axis) = axes.iter().position(|axis| *axis == index) {
        return Some(vec![(axis, 1)]);
    }
    let op = index.def()?;
    let (lhs, rhs) = (
        sum(op.operands().first().copied()?, axes),
        op.operands().get(1).copied()?,
    );
    if op.is(arith::AddI::NAME) {
        return Some([lhs?, sum(rhs, axes)?].concat());
    }
    if op.is(arith::SubI::NAME) {
        let other = sum(rhs, axes)?.into_iter();
        return Some([lhs?, other.map(|(axis, times)| (axis, -times)).collect()].concat());
    }
    let by = constant(rhs).filter(|_| op.is(arith::MulI::NAME))?;
    Some(
        lhs?.into_iter()
            .map(|(axis, times)| (axis, times.saturating_mul(by)))
            .collect(),
    )
}

fn follows(subscript: &Subscript, axis: usize) -> bool {
    subscript.iter().any(|(known, _)| *known == axis)
}
