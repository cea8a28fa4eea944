//! Loops that are under way.

use crate::{InterpreterError, Value, error::cannot};
use relay_dialects::{
    dim::Dim,
    ir::{Op, Type},
    relay::language::{Scan, While},
};
use relay_runtime::{DType, Tensor};
use std::rc::Rc;

/// A `relay.scan` or `relay.while` that is under way.
pub struct Loop {
    /// The op.
    pub op: Op,
    /// The number of the step that is run, or is the next one.
    step: i64,
    trips: i64,
    /// Whether the condition holds.
    holds: bool,
    states: Vec<Value>,
    sequences: Vec<(Rc<Tensor>, bool)>,
    /// The elements of the outputs, in the order of the steps.
    outputs: Vec<Vec<Rc<Tensor>>>,
}

impl Loop {
    /// The loop before its first step.
    pub fn begin(op: Op, mut operands: Vec<Value>) -> Result<Self, InterpreterError> {
        let Some(scan) = Scan::of(op) else {
            return Self::begin_while(op, operands);
        };
        let mut sequences = Vec::new();
        for (value, (_, reversed)) in operands
            .split_off(scan.states())
            .iter()
            .zip(scan.sequences())
        {
            sequences.push((tensor(op, value)?, reversed));
        }
        let known = scan.trips().and_then(Dim::known);
        let first = sequences
            .first()
            .and_then(|(first, _)| first.shape().first().copied());
        let trips = known.or(first);
        Ok(Self {
            op,
            step: 0,
            trips: trips.ok_or_else(|| cannot(op, "the number of its steps is open"))?,
            holds: true,
            states: operands,
            sequences,
            outputs: vec![Vec::new(); scan.outputs().len()],
        })
    }

    fn begin_while(op: Op, mut operands: Vec<Value>) -> Result<Self, InterpreterError> {
        if While::of(op).is_none() || operands.len() < 2 {
            return Err(cannot(op, "it is no loop"));
        }
        let states = operands.split_off(2);
        let trips = tensor(op, &operands[0])?;
        let trips = trips
            .as_slice::<i64>()
            .and_then(|trips| trips.first().copied());
        Ok(Self {
            op,
            step: 0,
            trips: trips.ok_or_else(|| cannot(op, "the number of its steps is no integer"))?,
            holds: is_true(op, &operands[1])?,
            states,
            sequences: Vec::new(),
            outputs: Vec::new(),
        })
    }

    /// Whether there is another step.
    pub fn goes_on(&self) -> bool {
        self.holds && self.step < self.trips
    }

    /// What the next step takes.
    pub fn arguments(&self) -> Result<Vec<Value>, InterpreterError> {
        let number = Tensor::from_slice(&[], &[self.step]);
        let number = number.ok_or_else(|| cannot(self.op, "there is no number of a step"))?;
        let mut arguments = vec![Value::Tensor(Rc::new(number))];
        arguments.extend(self.states.iter().cloned());
        for (sequence, reversed) in &self.sequences {
            let at = match reversed {
                true => self.trips - 1 - self.step,
                false => self.step,
            };
            let element = element(sequence, at as usize);
            let element = element.ok_or_else(|| cannot(self.op, "a sequence is too short"))?;
            arguments.push(Value::Tensor(Rc::new(element)));
        }
        Ok(arguments)
    }

    /// Ends a step that yielded these values.
    pub fn take(&mut self, mut yielded: Vec<Value>) -> Result<(), InterpreterError> {
        self.step += 1;
        if While::of(self.op).is_some() {
            let states = yielded.split_off(1);
            self.holds = is_true(self.op, &yielded[0])?;
            self.states = states;
            return Ok(());
        }
        let elements = yielded.split_off(self.states.len());
        self.states = yielded;
        for (output, value) in self.outputs.iter_mut().zip(&elements) {
            output.push(tensor(self.op, value)?);
        }
        Ok(())
    }

    /// The results behind the last step.
    pub fn results(self) -> Result<Vec<Value>, InterpreterError> {
        let mut results = self.states;
        let outputs = Scan::of(self.op).map_or_else(Vec::new, Scan::outputs);
        for (mut elements, (result, reversed)) in self.outputs.into_iter().zip(outputs) {
            if reversed {
                elements.reverse();
            }
            let stacked = stacked(&elements, result.ty());
            let stacked = stacked.ok_or_else(|| cannot(self.op, "an output has no tensor"))?;
            results.push(Value::Tensor(Rc::new(stacked)));
        }
        Ok(results)
    }
}

fn tensor(op: Op, value: &Value) -> Result<Rc<Tensor>, InterpreterError> {
    match value {
        Value::Tensor(tensor) => Ok(Rc::clone(tensor)),
        _ => Err(cannot(op, "an operand is no tensor")),
    }
}

fn is_true(op: Op, value: &Value) -> Result<bool, InterpreterError> {
    let flag = tensor(op, value)?;
    Ok(flag.bytes().first().is_some_and(|byte| *byte != 0))
}

/// A part of a tensor along its first axis.
fn element(sequence: &Tensor, at: usize) -> Option<Tensor> {
    let shape = sequence.shape().get(1..)?;
    let count: i64 = shape.iter().product();
    let size = usize::try_from(count).ok()? * sequence.dtype().size();
    let bytes = sequence.bytes().get(at * size..(at + 1) * size)?;
    Tensor::from_bytes(sequence.dtype(), shape, bytes)
}

/// Tensors along a new first axis; of none, as the type says.
fn stacked(elements: &[Rc<Tensor>], ty: Type) -> Option<Tensor> {
    let Some(first) = elements.first() else {
        let dtype = DType::parse(&ty.element().to_string())?;
        return Tensor::from_bytes(dtype, &ty.shape(), &[]);
    };
    let shape = [&[elements.len() as i64], first.shape()].concat();
    let bytes: Vec<u8> = elements
        .iter()
        .flat_map(|element| element.bytes().iter().copied())
        .collect();
    Tensor::from_bytes(first.dtype(), &shape, &bytes)
}
