//! Runs kernels of `tir` loops by looking at them: slowly, and with every access checked.
//!
//! What a kernel must not do is an error: to leave a buffer's bounds, to read what it never wrote, and
//! to touch in one iteration of a parallel loop what another one writes.

use crate::program::offset;
use relay_dialects::{
    ir::{Attr, Block, Op, Type, Value},
    tir::{AllocBuffer, Bound, For, LoopKind},
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
    Buffer(usize),
}

const UNWRITTEN: &str = "something is used that nothing has written";

struct Buffer {
    shape: Vec<i64>,
    elements: Vec<Option<Number>>,
}

/// What the iterations of a parallel loop have touched: an element of a buffer, and in which iteration.
#[derive(Default)]
struct Sharing {
    iteration: i64,
    writes: HashMap<(usize, usize), i64>,
    reads: HashMap<(usize, usize), Vec<i64>>,
}

/// A run of a kernel.
#[derive(Default)]
pub struct Machine {
    buffers: Vec<Buffer>,
    values: HashMap<Value, Datum>,
    parallel: Vec<Sharing>,
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
    let mut machine = Machine::default();
    let arguments = kernel.body().args();
    for (number, argument) in arguments.iter().enumerate() {
        let buffer = machine.allocate(argument.ty());
        if let Some(input) = inputs.get(number) {
            machine.buffers[buffer].elements = input.iter().copied().map(Some).collect();
        }
        machine.values.insert(*argument, Datum::Buffer(buffer));
    }
    machine.block(kernel.body())?;
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
        self.buffers.push(Buffer { shape, elements });
        self.buffers.len() - 1
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
            "func.return" | "scf.yield" => return Ok(Some(operands)),
            AllocBuffer::NAME => {
                let buffer = self.allocate(results[0].ty());
                self.values.insert(results[0], Datum::Buffer(buffer));
            }
            For::NAME => self.for_loop(For::of(op).ok_or("is no loop")?)?,
            "scf.if" => self.if_op(op, &operands, &results)?,
            "memref.load" => {
                let number = self.access(operands[0], &operands[1..], 0, None)?;
                let number = number.ok_or(UNWRITTEN)?;
                self.values.insert(results[0], Datum::Scalar(number));
            }
            "memref.store" => {
                let Datum::Scalar(number) = *self.datum(operands[0])? else {
                    return Err("memref.store of something that is no scalar".into());
                };
                self.access(operands[1], &operands[2..], 0, Some(number))?;
            }
            "vector.load" => {
                let ty = results[0].ty();
                not_packed(ty)?;
                let lanes = (0..ty.count())
                    .map(|lane| self.access(operands[0], &operands[1..], lane, None))
                    .collect::<Result<_, _>>()?;
                self.values.insert(results[0], Datum::Vector(lanes));
            }
            "vector.gather" => {
                not_packed(results[0].ty())?;
                let lanes = self.gather(operands[0], &operands[1..])?;
                self.values.insert(results[0], Datum::Vector(lanes));
            }
            "vector.store" => {
                not_packed(operands[0].ty())?;
                let Datum::Vector(lanes) = self.datum(operands[0])?.clone() else {
                    return Err("vector.store of something that is no vector".into());
                };
                for (lane, number) in lanes.into_iter().enumerate() {
                    self.store_lane(operands[1], &operands[2..], lane as i64, number)?;
                }
            }
            "vector.maskedload" => {
                let ty = results[0].ty();
                not_packed(ty)?;
                let (place, rest) = operands.split_at(operands.len() - 2);
                let (mask, mut lanes) = (self.mask(rest[0])?, self.lanes(rest[1])?);
                for (lane, _) in mask.iter().enumerate().filter(|(_, holds)| **holds) {
                    lanes[lane] = self.access(place[0], &place[1..], lane as i64, None)?;
                }
                self.values.insert(results[0], Datum::Vector(lanes));
            }
            "vector.maskedstore" => {
                let (place, rest) = operands.split_at(operands.len() - 2);
                not_packed(rest[1].ty())?;
                let (mask, lanes) = (self.mask(rest[0])?, self.lanes(rest[1])?);
                for (lane, _) in mask.iter().enumerate().filter(|(_, holds)| **holds) {
                    let number = Some(lanes[lane].ok_or(UNWRITTEN)?);
                    self.access(place[0], &place[1..], lane as i64, number)?;
                }
            }
            "memref.prefetch" => {
                for (subscript, dim) in operands[1..].iter().zip(operands[0].ty().shape()) {
                    if !(0..dim).contains(&self.int(*subscript)?) {
                        return Err("a prefetch beyond its buffer".into());
                    }
                }
            }
            _ => {
                let datum = self.pure(op, &name, &operands, results[0].ty())?;
                self.values.insert(results[0], datum);
            }
        }
        Ok(None)
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
        self.share((id, place), write.is_some())?;
        let element = &mut self.buffers[id].elements[place];
        if write.is_some() {
            *element = write;
        }
        Ok(*element)
    }

    fn share(&mut self, element: (usize, usize), is_write: bool) -> Result<(), String> {
        for sharing in &mut self.parallel {
            let iteration = sharing.iteration;
            let written = sharing.writes.get(&element).copied();
            if written.is_some_and(|other| other != iteration) {
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
            Datum::Buffer(_) => Err("a buffer where a number is expected".into()),
        }
    }

    /// Ops without effects: lane by lane.
    fn pure(&self, op: Op, name: &str, operands: &[Value], ty: Type) -> Result<Datum, String> {
        let lanes = match name {
            "arith.constant" => return constant(op, ty),
            "vector.broadcast" => {
                vec![self.lanes(operands[0])?[0]; ty.count() as usize]
            }
            "vector.step" => (0..ty.count()).map(Number::Int).map(Some).collect(),
            "vector.create_mask" => {
                let count = self.int(operands[0])?;
                let holds = |lane| Some(Number::Int((lane < count).into()));
                (0..ty.count()).map(holds).collect()
            }
            "arith.select" if operands[0].ty().is_vector() => {
                // Of a lane that is not chosen, it may be that nothing has written it.
                let sides = [self.lanes(operands[2])?, self.lanes(operands[1])?];
                let conditions = self.lanes(operands[0])?.into_iter().enumerate();
                let choose = |(lane, holds): (usize, Option<Number>)| match holds {
                    Some(holds) => Ok(sides[usize::from(holds.int()? != 0)][lane]),
                    None => Ok(None),
                };
                conditions.map(choose).collect::<Result<_, String>>()?
            }
            "vector.from_elements" => operands
                .iter()
                .map(|operand| Ok(self.lanes(*operand)?[0]))
                .collect::<Result<_, String>>()?,
            "vector.shuffle" => {
                let both = [self.lanes(operands[0])?, self.lanes(operands[1])?].concat();
                let mask = op.attr("mask").and_then(Attr::as_ints).unwrap_or_default();
                mask.into_iter().map(|lane| both[lane as usize]).collect()
            }
            "vector.extract" => {
                let position = op.attr("static_position").and_then(Attr::as_ints);
                let lane = position.and_then(|position| position.first().copied());
                let lane = lane.ok_or("vector.extract without a position")? as usize;
                let number = self.lanes(operands[0])?[lane].ok_or(UNWRITTEN)?;
                return Ok(Datum::Scalar(number));
            }
            _ => {
                let inputs = operands
                    .iter()
                    .map(|operand| self.lanes(*operand))
                    .collect::<Result<Vec<_>, _>>()?;
                let count = inputs.iter().map(Vec::len).max().unwrap_or(0);
                (0..count)
                    .map(|lane| {
                        let lanes: Option<Vec<Number>> = inputs
                            .iter()
                            .map(|input| input.get(lane).copied().unwrap_or(input[0]))
                            .collect();
                        // Of what nothing has written something comes that nothing has written.
                        lanes
                            .map(|lanes| arithmetic(op, name, &lanes, ty.element()))
                            .transpose()
                    })
                    .collect::<Result<_, _>>()?
            }
        };
        Ok(if ty.is_vector() {
            Datum::Vector(lanes)
        } else {
            Datum::Scalar(lanes[0].ok_or(UNWRITTEN)?)
        })
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

fn arithmetic(op: Op, name: &str, lanes: &[Number], ty: Type) -> Result<Number, String> {
    use Number::{Float, Int};
    let wrap = |value: i64| {
        if ty.is_int() && ty.bit_width() < 64 {
            let shift = 64 - ty.bit_width();
            if ty.is_bool() {
                value & 1
            } else {
                value << shift >> shift
            }
        } else {
            value
        }
    };
    Ok(match (name, lanes) {
        ("arith.addi", [Int(a), Int(b)]) => Int(wrap(a.wrapping_add(*b))),
        ("arith.subi", [Int(a), Int(b)]) => Int(wrap(a.wrapping_sub(*b))),
        ("arith.muli", [Int(a), Int(b)]) => Int(wrap(a.wrapping_mul(*b))),
        ("arith.divsi" | "arith.remsi" | "arith.floordivsi", [_, Int(0)]) => {
            return Err("a division by 0".into());
        }
        ("arith.divsi", [Int(a), Int(b)]) => Int(a / b),
        ("arith.remsi", [Int(a), Int(b)]) => Int(a % b),
        ("arith.floordivsi", [Int(a), Int(b)]) => Int(a.div_euclid(*b)),
        ("arith.minsi", [Int(a), Int(b)]) => Int(*a.min(b)),
        ("arith.maxsi", [Int(a), Int(b)]) => Int(*a.max(b)),
        ("arith.andi", [Int(a), Int(b)]) => Int(a & b),
        ("arith.ori", [Int(a), Int(b)]) => Int(a | b),
        ("arith.xori", [Int(a), Int(b)]) => Int(wrap(a ^ b)),
        ("arith.addf", [Float(a), Float(b)]) => Float(a + b),
        ("arith.subf", [Float(a), Float(b)]) => Float(a - b),
        ("arith.mulf", [Float(a), Float(b)]) => Float(a * b),
        ("arith.maximumf", [Float(a), Float(b)]) => Float(a.max(*b)),
        ("arith.minimumf", [Float(a), Float(b)]) => Float(a.min(*b)),
        ("arith.select", [Int(condition), yes, no]) => {
            if *condition != 0 {
                *yes
            } else {
                *no
            }
        }
        ("arith.index_cast" | "arith.extsi" | "arith.trunci", [Int(a)]) => Int(wrap(*a)),
        ("arith.sitofp", [Int(a)]) => Float(*a as f32),
        ("arith.cmpi", [Int(a), Int(b)]) => {
            let holds = match predicate(op)? {
                0 => a == b,
                1 => a != b,
                2 => a < b,
                3 => a <= b,
                4 => a > b,
                5 => a >= b,
                other => return Err(format!("arith.cmpi of predicate {other}")),
            };
            Int(i64::from(holds))
        }
        ("arith.cmpf", [Float(a), Float(b)]) => {
            let holds = match predicate(op)? {
                1 => a == b,
                2 => a > b,
                3 => a >= b,
                4 => a < b,
                5 => a <= b,
                other => return Err(format!("arith.cmpf of predicate {other}")),
            };
            Int(i64::from(holds))
        }
        _ => return Err(format!("{name} of {lanes:?} is not known here")),
    })
}

fn predicate(op: Op) -> Result<i64, String> {
    op.attr("predicate")
        .and_then(Attr::as_i64)
        .ok_or_else(|| "a comparison without predicate".into())
}
