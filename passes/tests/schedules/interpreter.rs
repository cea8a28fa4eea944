//! Runs kernels of `tir` loops by looking at them: slowly, and with every access checked.
//!
//! What a kernel must not do is an error: to leave a buffer's bounds, to read what it never wrote, to touch in
//! one iteration of a parallel loop what another one writes, unless both only write the same value, and in a block
//! what the block does not say.

mod arithmetic;
mod grid;

use crate::program::offset;
use arithmetic::arithmetic;
use relay_dialects::{
    ir::{Attr, Block, Op, Type, Value},
    ops::{arith, func, memref, scf, vector},
    tir::{self, AllocBuffer, Bound, BufferRegion, For, IterType, LoopKind},
};
use std::collections::HashMap;

/// A number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// An integer, an index or a truth value.
    Int(i64),
    /// A float.
    Float(f32),
}

impl Number {
    fn int(self) -> Result<i64, String> {
        match self {
            Self::Int(value) => Ok(value),
            Self::Float(value) => Err(format!("{value} where an integer is expected")),
        }
    }
}

#[derive(Clone, Debug)]
enum Datum {
    Scalar(Number),
    /// A lane that was loaded before anything was written there may be moved, but not used.
    Vector(Vec<Option<Number>>),
    /// A vector of numbers of 64 bits, each of which is two of 32.
    Pairs(Vec<[Option<Number>; 2]>),
    Buffer(usize),
}

const UNWRITTEN: &str = "something is used that nothing has written";

struct Buffer {
    shape: Vec<i64>,
    elements: Vec<Option<Number>>,
    /// The buffer whose elements it shows in another shape.
    view_of: Option<usize>,
}

/// What the iterations of a parallel loop have touched: an element of a buffer, and in which iteration.
#[derive(Default)]
struct Sharing {
    iteration: i64,
    writes: HashMap<(usize, usize), i64>,
    reads: HashMap<(usize, usize), Vec<i64>>,
}

/// A box in a buffer.
struct Part {
    buffer: usize,
    first: Vec<i64>,
    extents: Vec<i64>,
}

impl Part {
    fn holds(&self, buffer: usize, at: &[i64]) -> bool {
        let sides = self.first.iter().zip(&self.extents).zip(at);
        let mut inside = sides.map(|((first, extent), at)| (*first..first + extent).contains(at));
        self.buffer == buffer && inside.all(|inside| inside)
    }
}

/// What a block says that it touches at one point.
struct Said {
    reads: Vec<Part>,
    writes: Vec<Part>,
}

/// A run of a kernel.
#[derive(Default)]
pub struct Machine {
    buffers: Vec<Buffer>,
    values: HashMap<Value, Datum>,
    parallel: Vec<Sharing>,
    /// Of the blocks around, the innermost last.
    said: Vec<Said>,
    ops: HashMap<Op, Known>,
}

/// What is asked of an op each time that it runs.
#[derive(Clone)]
struct Known {
    name: String,
    operands: Vec<Value>,
    results: Vec<Value>,
}

/// The elements that a kernel leaves in its last arguments, given those of the first ones.
pub fn run(kernel: Op, inputs: &[Vec<Number>]) -> Result<Vec<Vec<Number>>, String> {
    run_with(kernel, inputs, |machine, body| {
        machine.block(body).map(drop)
    })
}

/// Likewise, on a GPU.
pub fn run_on_grid(kernel: Op, inputs: &[Vec<Number>]) -> Result<Vec<Vec<Number>>, String> {
    run_with(kernel, inputs, Machine::launches)
}

fn run_with(
    kernel: Op,
    inputs: &[Vec<Number>],
    run: impl FnOnce(&mut Machine, Block) -> Result<(), String>,
) -> Result<Vec<Vec<Number>>, String> {
    let mut machine = Machine::default();
    let arguments = kernel.body().args();
    for (number, argument) in arguments.iter().enumerate() {
        let buffer = machine.allocate(argument.ty());
        if let Some(input) = inputs.get(number) {
            machine.buffers[buffer].elements = input.iter().copied().map(Some).collect();
        }
        machine.values.insert(*argument, Datum::Buffer(buffer));
    }
    run(&mut machine, kernel.body())?;
    machine.buffers[inputs.len()..arguments.len()]
        .iter()
        .enumerate()
        .map(|(result, buffer)| {
            let elements: Option<Vec<Number>> = buffer.elements.iter().copied().collect();
            elements.ok_or(format!(
                "result {result} has elements that nothing has written"
            ))
        })
        .collect()
}

impl Machine {
    fn allocate(&mut self, ty: Type) -> usize {
        let shape = ty.shape();
        let elements = vec![None; ty.count() as usize];
        self.buffers.push(Buffer {
            shape,
            elements,
            view_of: None,
        });
        self.buffers.len() - 1
    }

    /// The elements of a buffer in the order in which they lie, in the shape of `ty`.
    fn view(&mut self, buffer: Value, ty: Type) -> Result<usize, String> {
        let Datum::Buffer(id) = *self.datum(buffer)? else {
            return Err("a view of something that is no buffer".into());
        };
        self.buffers.push(Buffer {
            shape: ty.shape(),
            elements: Vec::new(),
            view_of: Some(self.buffers[id].view_of.unwrap_or(id)),
        });
        Ok(self.buffers.len() - 1)
    }

    fn block(&mut self, block: Block) -> Result<Vec<Value>, String> {
        let mut next = block.first();
        while let Some(op) = next {
            if let Some(yielded) = self.op(op)? {
                return Ok(yielded);
            }
            next = op.next();
        }
        Ok(Vec::new())
    }

    fn known(&mut self, op: Op) -> Known {
        let known = self.ops.entry(op).or_insert_with(|| Known {
            name: op.name(),
            operands: op.operands(),
            results: op.results(),
        });
        known.clone()
    }

    fn datum(&self, value: Value) -> Result<&Datum, String> {
        self.values
            .get(&value)
            .ok_or_else(|| "a value is used before it is made".into())
    }

    fn int(&self, value: Value) -> Result<i64, String> {
        match self.datum(value)? {
            Datum::Scalar(number) => number.int(),
            other => Err(format!("{other:?} where an integer is expected")),
        }
    }

    /// Runs an op; what a terminator yields.
    fn op(&mut self, op: Op) -> Result<Option<Vec<Value>>, String> {
        let Known {
            name,
            operands,
            results,
        } = self.known(op);
        match name.as_str() {
            func::Return::NAME | scf::Yield::NAME => return Ok(Some(operands)),
            AllocBuffer::NAME => {
                let buffer = self.allocate(results[0].ty());
                self.values.insert(results[0], Datum::Buffer(buffer));
            }
            memref::ReinterpretCast::NAME => {
                let buffer = self.view(operands[0], results[0].ty())?;
                self.values.insert(results[0], Datum::Buffer(buffer));
            }
            For::NAME => self.for_loop(For::of(op).ok_or("is no loop")?)?,
            tir::Block::NAME => self.tir_block(tir::Block::of(op).ok_or("is no block")?)?,
            "tir.where" | "tir.reads" | "tir.writes" => {}
            scf::If::NAME => self.if_op(op, &operands, &results)?,
            memref::Prefetch::NAME => self.prefetch(&operands[1..])?,
            memref::Load::NAME
            | vector::Load::NAME
            | vector::Gather::NAME
            | vector::MaskedLoad::NAME => {
                let datum = self.load(&name, &operands, results[0].ty())?;
                self.values.insert(results[0], datum);
            }
            memref::Store::NAME | vector::Store::NAME | vector::MaskedStore::NAME => {
                self.store(&name, &operands)?;
            }
            _ => {
                let datum = self.pure(op, &name, &operands, results[0].ty())?;
                self.values.insert(results[0], datum);
            }
        }
        Ok(None)
    }

    /// What an op of that name reads from memory.
    fn load(&mut self, name: &str, operands: &[Value], ty: Type) -> Result<Datum, String> {
        if ty.is_vector() {
            not_packed(ty)?;
        }
        let (buffer, rest) = (operands[0], &operands[1..]);
        Ok(match name {
            memref::Load::NAME => {
                let number = self.access(buffer, rest, 0, None)?;
                Datum::Scalar(number.ok_or(UNWRITTEN)?)
            }
            vector::Load::NAME => {
                let lanes = (0..ty.count()).map(|lane| self.access(buffer, rest, lane, None));
                Datum::Vector(lanes.collect::<Result<_, _>>()?)
            }
            vector::Gather::NAME => Datum::Vector(self.gather(buffer, rest)?),
            _ => {
                let (place, rest) = rest.split_at(rest.len() - 2);
                let (mask, mut lanes) = (self.mask(rest[0])?, self.lanes(rest[1])?);
                for (lane, _) in mask.iter().enumerate().filter(|(_, holds)| **holds) {
                    lanes[lane] = self.access(buffer, place, lane as i64, None)?;
                }
                Datum::Vector(lanes)
            }
        })
    }

    /// Writes to memory what an op of that name does.
    fn store(&mut self, name: &str, operands: &[Value]) -> Result<(), String> {
        match name {
            memref::Store::NAME => {
                let Datum::Scalar(number) = *self.datum(operands[0])? else {
                    return Err("memref.store of something that is no scalar".into());
                };
                self.access(operands[1], &operands[2..], 0, Some(number))?;
            }
            vector::Store::NAME => {
                not_packed(operands[0].ty())?;
                let Datum::Vector(lanes) = self.datum(operands[0])?.clone() else {
                    return Err("vector.store of something that is no vector".into());
                };
                for (lane, number) in lanes.into_iter().enumerate() {
                    self.store_lane(operands[1], &operands[2..], lane as i64, number)?;
                }
            }
            _ => {
                let (place, rest) = operands.split_at(operands.len() - 2);
                not_packed(rest[1].ty())?;
                let (mask, lanes) = (self.mask(rest[0])?, self.lanes(rest[1])?);
                for (lane, _) in mask.iter().enumerate().filter(|(_, holds)| **holds) {
                    let number = Some(lanes[lane].ok_or(UNWRITTEN)?);
                    self.access(place[0], &place[1..], lane as i64, number)?;
                }
            }
        }
        Ok(())
    }

    /// Whatever the place: beyond its buffer it does nothing.
    fn prefetch(&self, subscripts: &[Value]) -> Result<(), String> {
        for subscript in subscripts {
            self.int(*subscript)?;
        }
        Ok(())
    }

    fn bound(&self, bound: Bound) -> Result<i64, String> {
        match bound {
            Bound::Static(number) => Ok(number),
            Bound::Dynamic(value) => self.int(value),
        }
    }

    fn for_loop(&mut self, op: For) -> Result<(), String> {
        let (low, high) = op.bounds();
        let (low, high) = (self.bound(low)?, self.bound(high)?);
        let is_parallel = op.kind() == LoopKind::Parallel;
        if is_parallel {
            self.parallel.push(Sharing::default());
        }
        let (body, variable) = (op.body(), op.variable());
        for iteration in low..high {
            if is_parallel && let Some(sharing) = self.parallel.last_mut() {
                sharing.iteration = iteration;
            }
            self.values
                .insert(variable, Datum::Scalar(Number::Int(iteration)));
            self.block(body)?;
        }
        if is_parallel {
            self.parallel.pop();
        }
        Ok(())
    }

    /// Runs a block: its init, if this is the first point of its reduction, and its body.
    fn tir_block(&mut self, block: tir::Block) -> Result<(), String> {
        if let Some(condition) = block.condition()
            && self.int(condition)? == 0
        {
            return Ok(());
        }
        let mut is_first = true;
        for (number, (value, ty)) in block.bindings().into_iter().enumerate() {
            let value = self.int(value)?;
            is_first &= ty == IterType::Spatial || value == 0;
            for region in [Some(block.body()), block.init()].into_iter().flatten() {
                let datum = Datum::Scalar(Number::Int(value));
                self.values.insert(region.args()[number], datum);
            }
        }
        let parts = |regions: Vec<BufferRegion>| -> Result<Vec<Part>, String> {
            regions.iter().map(|region| self.part(region)).collect()
        };
        let (mut reads, writes) = (parts(block.reads())?, parts(block.writes())?);
        if block.init().is_some() {
            // What it sets first, it reads.
            reads.extend(parts(block.writes())?);
        }
        self.said.push(Said { reads, writes });
        if let Some(init) = block.init().filter(|_| is_first) {
            self.block(init)?;
        }
        self.block(block.body())?;
        self.said.pop();
        Ok(())
    }

    fn part(&self, region: &BufferRegion) -> Result<Part, String> {
        let Datum::Buffer(buffer) = *self.datum(region.buffer)? else {
            return Err("a region of something that is no buffer".into());
        };
        let values = region.values.iter().map(|value| self.int(*value));
        let values = values.collect::<Result<Vec<_>, _>>()?;
        let first = region
            .first
            .results
            .iter()
            .map(|result| result.value(&values));
        Ok(Part {
            buffer,
            first: first
                .collect::<Option<_>>()
                .ok_or("a region without a start")?,
            extents: region.extents.clone(),
        })
    }

    /// Whether the innermost block says that it touches an element.
    fn check_said(&self, buffer: usize, at: &[i64], is_write: bool) -> Result<(), String> {
        let Some(Said { reads, writes }) = self.said.last() else {
            return Ok(());
        };
        let (parts, touches) = match is_write {
            true => (writes, "writes"),
            false => (reads, "reads"),
        };
        match parts.iter().any(|part| part.holds(buffer, at)) {
            true => Ok(()),
            false => Err(format!("a block {touches} what it does not say, at {at:?}")),
        }
    }

    fn if_op(&mut self, op: Op, operands: &[Value], results: &[Value]) -> Result<(), String> {
        let taken = usize::from(self.int(operands[0])? == 0);
        let Some(block) = op.block_in(taken) else {
            return Ok(());
        };
        let yielded = self.block(block)?;
        for (result, value) in results.iter().zip(yielded) {
            let datum = self.datum(value)?.clone();
            self.values.insert(*result, datum);
        }
        Ok(())
    }

    /// Writes one element, `lane` after the one at the subscripts; what nothing has written back to where
    /// it is from, where nothing has written either.
    fn store_lane(
        &mut self,
        buffer: Value,
        subscripts: &[Value],
        lane: i64,
        number: Option<Number>,
    ) -> Result<(), String> {
        let old = self.access(buffer, subscripts, lane, number)?;
        if number.is_none() && old.is_some() {
            return Err(UNWRITTEN.into());
        }
        Ok(())
    }

    /// The lanes for which a mask holds.
    fn mask(&self, value: Value) -> Result<Vec<bool>, String> {
        let lanes = self.lanes(value)?.into_iter();
        lanes
            .map(|lane| Ok(lane.ok_or(UNWRITTEN)?.int()? != 0))
            .collect()
    }

    /// Reads or writes one element, `lane` after the one at the subscripts.
    fn access(
        &mut self,
        buffer: Value,
        subscripts: &[Value],
        lane: i64,
        write: Option<Number>,
    ) -> Result<Option<Number>, String> {
        let Datum::Buffer(id) = *self.datum(buffer)? else {
            return Err("an access to something that is no buffer".into());
        };
        let mut at = subscripts
            .iter()
            .map(|value| self.int(*value))
            .collect::<Result<Vec<_>, _>>()?;
        if let Some(last) = at.last_mut() {
            *last += lane;
        }
        self.element(id, &at, write)
    }

    /// The elements of a buffer as far from the one at the subscripts as the vector behind these says.
    fn gather(&mut self, buffer: Value, operands: &[Value]) -> Result<Vec<Option<Number>>, String> {
        let Datum::Buffer(id) = *self.datum(buffer)? else {
            return Err("an access to something that is no buffer".into());
        };
        let shape = self.buffers[id].shape.clone();
        let (subscripts, rest) = operands.split_at(shape.len());
        let first = subscripts
            .iter()
            .map(|value| self.int(*value))
            .collect::<Result<Vec<_>, _>>()?;
        let in_order = |at: &[i64]| {
            at.iter()
                .zip(&shape)
                .fold(0, |sum, (at, dim)| sum * dim + at)
        };
        let distances = self.lanes(rest[0])?.into_iter();
        let places =
            distances.map(|distance| Ok(in_order(&first) + distance.ok_or(UNWRITTEN)?.int()?));
        let places = places.collect::<Result<Vec<i64>, String>>()?;
        let read = |mut place: i64| {
            let mut at = vec![0; shape.len()];
            for dim in (1..shape.len()).rev() {
                at[dim] = place.rem_euclid(shape[dim]);
                place = place.div_euclid(shape[dim]);
            }
            if let Some(outermost) = at.first_mut() {
                *outermost = place;
            }
            self.element(id, &at, None)
        };
        places.into_iter().map(read).collect()
    }

    /// Reads or writes the element at the given place. None if nothing has written it.
    fn element(
        &mut self,
        id: usize,
        at: &[i64],
        write: Option<Number>,
    ) -> Result<Option<Number>, String> {
        let shape = &self.buffers[id].shape;
        if at.len() != shape.len()
            || at
                .iter()
                .zip(shape)
                .any(|(at, dim)| !(0..*dim).contains(at))
        {
            return Err(format!(
                "an access at {at:?} of a buffer of shape {shape:?}"
            ));
        }
        let place = offset(shape, at);
        self.check_said(id, at, write.is_some())?;
        let id = self.buffers[id].view_of.unwrap_or(id);
        self.share((id, place), write)?;
        let element = &mut self.buffers[id].elements[place];
        if write.is_some() {
            *element = write;
        }
        Ok(*element)
    }

    /// Notes an access, a write of a value if there is one, for the iterations that are running.
    fn share(&mut self, element: (usize, usize), write: Option<Number>) -> Result<(), String> {
        let is_write = write.is_some();
        let is_same = is_write && self.buffers[element.0].elements[element.1] == write;
        for sharing in &mut self.parallel {
            let iteration = sharing.iteration;
            let written = sharing.writes.get(&element).copied();
            if written.is_some_and(|other| other != iteration) && !is_same {
                return Err("two iterations of a parallel loop share an element".into());
            }
            let reads = sharing.reads.entry(element).or_default();
            if is_write {
                if reads.iter().any(|other| *other != iteration) {
                    return Err("an iteration of a parallel loop writes what another reads".into());
                }
                sharing.writes.insert(element, iteration);
            } else if reads.last() != Some(&iteration) {
                reads.push(iteration);
            }
        }
        Ok(())
    }

    fn lanes(&self, value: Value) -> Result<Vec<Option<Number>>, String> {
        match self.datum(value)? {
            Datum::Scalar(number) => Ok(vec![Some(*number)]),
            Datum::Vector(lanes) => Ok(lanes.clone()),
            Datum::Pairs(_) => Err("pairs where numbers are expected".into()),
            Datum::Buffer(_) => Err("a buffer where a number is expected".into()),
        }
    }

    /// Ops without effects: lane by lane.
    fn pure(&self, op: Op, name: &str, operands: &[Value], ty: Type) -> Result<Datum, String> {
        if let Some(Datum::Pairs(pairs)) = operands.first().and_then(|value| self.values.get(value))
        {
            return self.of_pairs(name, pairs, operands);
        }
        let lanes = match name {
            arith::Constant::NAME => return constant(op, ty),
            vector::Broadcast::NAME => {
                vec![self.lanes(operands[0])?[0]; ty.count() as usize]
            }
            vector::Step::NAME => (0..ty.count()).map(Number::Int).map(Some).collect(),
            vector::CreateMask::NAME => {
                let count = self.int(operands[0])?;
                let holds = |lane| Some(Number::Int((lane < count).into()));
                (0..ty.count()).map(holds).collect()
            }
            arith::Select::NAME if operands[0].ty().is_vector() => self.select(operands)?,
            vector::FromElements::NAME => operands
                .iter()
                .map(|operand| Ok(self.lanes(*operand)?[0]))
                .collect::<Result<_, String>>()?,
            vector::Shuffle::NAME => {
                let both = [self.lanes(operands[0])?, self.lanes(operands[1])?].concat();
                let mask = op.attr("mask").and_then(Attr::as_ints).unwrap_or_default();
                mask.into_iter().map(|lane| both[lane as usize]).collect()
            }
            vector::BitCast::NAME => return self.bitcast(operands[0], ty),
            vector::Extract::NAME => {
                let position = op.attr("static_position").and_then(Attr::as_ints);
                let lane = position.and_then(|position| position.first().copied());
                let lane = lane.ok_or("vector.extract without a position")? as usize;
                let number = self.lanes(operands[0])?[lane].ok_or(UNWRITTEN)?;
                return Ok(Datum::Scalar(number));
            }
            _ => self.lane_by_lane(op, name, operands, ty)?,
        };
        Ok(if ty.is_vector() {
            Datum::Vector(lanes)
        } else {
            Datum::Scalar(lanes[0].ok_or(UNWRITTEN)?)
        })
    }

    /// Numbers of 32 bits as halves of others of 64 bits, or as they are: whichever type has them, they know their own.
    fn bitcast(&self, vector: Value, ty: Type) -> Result<Datum, String> {
        let lanes = self.lanes(vector)?;
        match (vector.ty().element().bit_width(), ty.element().bit_width()) {
            (32, 32) => Ok(Datum::Vector(lanes)),
            (32, 64) => Ok(Datum::Pairs(lanes.as_chunks::<2>().0.to_vec())),
            (from, to) => Err(format!(
                "a bitcast of {from} to {to} bits is not known here"
            )),
        }
    }

    /// Those ops of pairs that take them apart.
    fn of_pairs(
        &self,
        name: &str,
        pairs: &[[Option<Number>; 2]],
        operands: &[Value],
    ) -> Result<Datum, String> {
        match name {
            arith::TruncI::NAME => Ok(Datum::Vector(pairs.iter().map(|pair| pair[0]).collect())),
            arith::ShRUI::NAME
                if self
                    .lanes(operands[1])?
                    .iter()
                    .all(|by| *by == Some(Number::Int(32))) =>
            {
                Ok(Datum::Pairs(
                    pairs.iter().map(|pair| [pair[1], None]).collect(),
                ))
            }
            _ => Err(format!("{name} of pairs is not known here")),
        }
    }

    /// The lanes that a vector of conditions chooses. Of one that is not chosen, it may be that nothing has
    /// written it.
    fn select(&self, operands: &[Value]) -> Result<Vec<Option<Number>>, String> {
        let sides = [self.lanes(operands[2])?, self.lanes(operands[1])?];
        let conditions = self.lanes(operands[0])?.into_iter().enumerate();
        let choose = |(lane, holds): (usize, Option<Number>)| match holds {
            Some(holds) => Ok(sides[usize::from(holds.int()? != 0)][lane]),
            None => Ok(None),
        };
        conditions.map(choose).collect()
    }

    /// Arithmetic on each lane. Of what nothing has written something comes that nothing has written.
    fn lane_by_lane(
        &self,
        op: Op,
        name: &str,
        operands: &[Value],
        ty: Type,
    ) -> Result<Vec<Option<Number>>, String> {
        let inputs = operands
            .iter()
            .map(|operand| self.lanes(*operand))
            .collect::<Result<Vec<_>, _>>()?;
        let count = inputs.iter().map(Vec::len).max().unwrap_or(0);
        let at = |lane: usize| {
            let inputs = inputs.iter();
            let lanes = inputs.map(|input| input.get(lane).copied().unwrap_or(input[0]));
            let lanes: Option<Vec<Number>> = lanes.collect();
            lanes
                .map(|lanes| arithmetic(op, name, &lanes, ty.element()))
                .transpose()
        };
        (0..count).map(at).collect()
    }
}

/// A vector of truth values is packed bits in memory, which a buffer of them is not.
fn not_packed(ty: Type) -> Result<(), String> {
    if ty.element().is_bool() {
        return Err("a vector of truth values in memory".into());
    }
    Ok(())
}

fn constant(op: Op, ty: Type) -> Result<Datum, String> {
    let value = op.attr("value").ok_or("a constant without a value")?;
    let subscripts = ty.is_vector() && ty.element().is_int() && ty.element().bit_width() == 32;
    if subscripts && value.splat_value().is_none() {
        let bytes = value.bytes().ok_or("a vector constant without numbers")?;
        let numbers = bytes
            .as_chunks::<4>()
            .0
            .iter()
            .map(|four| i32::from_le_bytes(*four));
        let lanes = numbers.map(|number| Number::Int(number.into()));
        return Ok(Datum::Vector(lanes.map(Some).collect()));
    }
    let scalar = value.splat_value().unwrap_or(value);
    let number = match scalar.as_i64() {
        Some(value) => Number::Int(value),
        None => Number::Float(scalar.as_f64().ok_or("a constant of another kind")? as f32),
    };
    Ok(if ty.is_vector() {
        Datum::Vector(vec![Some(number); ty.count() as usize])
    } else {
        Datum::Scalar(number)
    })
}
