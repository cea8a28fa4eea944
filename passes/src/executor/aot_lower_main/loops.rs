//! Loops of a graph: the calls of a step in an `scf.for` or `scf.while`.
//!
//! ```mlir
//! %h, %hs = relay.scan %first, %xs {states = 1, trips = ["n"], reversed = array<i64: 0, 0>} ... {
//! ^bb0(%step: tensor<i64>, %before: tensor<4xf32>, %x: tensor<4xf32>):
//!   %next = relay.call_lowered @cell(%x, %before) : ...
//!   relay.yield %next, %next : ...
//! }
//! ```
//! becomes
//! ```mlir
//! %h = scf.for %i = %c0 to %n step %c1 iter_args(%before = %first) -> (memref<4xf32>) {
//!   %x = ...     // a view of element %i of %xs
//!   %next = ...  // a view of element %i of %hs
//!   call @cell(%x, %before, %next)
//!   scf.yield %next : memref<4xf32>
//! }
//! ```
//! The loop carries buffers, not their elements, so a step copies nothing.

use super::Graph;
use relay_dialects::{
    dim::{self, Dim},
    index,
    ir::{Block, Builder, Op, Type, Value},
    ops::{arith, memref, scf},
    pass::{PassFailed, PassResult, fail},
    relay::language::{Scan, While},
    tir::{AllocBuffer, Scope, pointer_view},
};
use relay_loops::buffers::buffer_type;

/// How a state comes from one step to the next.
#[derive(Clone, Copy)]
enum Carry {
    /// It is the same in all steps.
    Same,
    /// It is an element of this output: the next step reads it there.
    Output(usize),
    /// It has two places. A step reads one, and computes the next state in the other.
    Places,
}

/// How each state is carried, for the values that a step yields as states and as elements of outputs.
fn carries(body: Block, states: &[Value], outputs: &[Value]) -> Vec<Carry> {
    let parameters = body.args();
    let carry = |(index, state): (usize, &Value)| {
        let output = outputs.iter().position(|output| output == state);
        match output {
            _ if *state == parameters[1 + index] => Carry::Same,
            Some(output) => Carry::Output(output),
            None => Carry::Places,
        }
    };
    states.iter().enumerate().map(carry).collect()
}

/// Whether an op of a block makes a value.
fn is_made_in(block: Block, value: Value) -> bool {
    value.def().and_then(Op::block) == Some(block)
}

/// The states of a loop that is being lowered.
struct States {
    carries: Vec<Carry>,
    /// What a step yields.
    yielded: Vec<Value>,
    /// What the loop carries before its first step: for each state its buffer, and the two places that it has.
    carried: Vec<Value>,
}

impl States {
    fn types(&self) -> Vec<Type> {
        self.carried.iter().map(|value| value.ty()).collect()
    }

    /// For each state, which of the carried values is its buffer.
    fn places(&self) -> Vec<usize> {
        let width = |carry: &Carry| match carry {
            Carry::Same | Carry::Output(_) => 1,
            Carry::Places => 3,
        };
        let starts = self.carries.iter().scan(0, |next, carry| {
            let place = *next;
            *next += width(carry);
            Some(place)
        });
        starts.collect()
    }
}

impl Graph {
    /// A loop with a number of steps that is known before it.
    pub(super) fn scan(&mut self, b: &Builder, op: Op) -> PassResult {
        let scan = Scan::of(op).ok_or(PassFailed)?;
        let body = op.block_in(0).ok_or(PassFailed)?;
        let yielded = body.terminator().map(Op::operands).unwrap_or_default();
        let (states, elements) = yielded.split_at(scan.states());
        let trips = self.extent(b, op, scan.trips().unwrap_or(Dim::Unknown))?;
        let mut sequences = Vec::new();
        for (value, reversed) in scan.sequences() {
            sequences.push((self.buffer(op, value)?, reversed));
        }
        let outputs = scan.outputs().into_iter();
        let outputs: Vec<(Value, bool)> = outputs
            .map(|(value, reversed)| (self.allocate(b, value), reversed))
            .collect();
        let first = &op.operands()[..scan.states()];
        let states = self.states(b, op, (body, first), (states, elements))?;

        let types = [&[Type::index(b.ctx)], &states.types()[..]].concat();
        let block = Block::new(b.ctx, &types);
        let inside = Builder::at_end(block, b.loc, b.ctx);
        let (step, carried) = (block.arg(0), &block.args()[1..]);
        let place = |at: &Builder, (buffer, reversed): (Value, bool), element: Value| {
            let step = match reversed {
                false => step,
                true => {
                    let last = index::sub(at, trips, at.index(1));
                    index::sub(at, last, step)
                }
            };
            self.element(at, op, (buffer, step), element)
        };
        let parameters = body.args().split_off(1 + scan.states());
        let mut views = Vec::new();
        for (sequence, parameter) in sequences.into_iter().zip(&parameters) {
            views.push(place(&inside, sequence, *parameter)?);
        }
        let mut places = Vec::new();
        for (output, element) in outputs.into_iter().zip(elements) {
            places.push(place(&inside, output, *element)?);
        }
        self.buffers.extend(parameters.into_iter().zip(views));
        for (element, place) in elements.iter().zip(&places) {
            if is_made_in(body, *element) {
                self.destinations.entry(*element).or_insert(*place);
            }
        }
        self.step(&inside, body, step, (&states, carried))?;
        for (element, place) in elements.iter().zip(&places) {
            self.fill(&inside, op, *element, *place)?;
        }
        let next = self.next(&inside, op, (&states, carried), &places)?;
        scf::Yield::build(&inside, &next);
        let (low, one) = (b.index(0), b.index(1));
        let first = &states.carried;
        let results = scf::For::build(b, &states.types(), low, trips, one, first, block).results();
        self.finish(op, &states, &results);
        Ok(())
    }

    /// A loop that ends by a condition.
    pub(super) fn while_op(&mut self, b: &Builder, op: Op) -> PassResult {
        let of = While::of(op).ok_or(PassFailed)?;
        let body = op.block_in(0).ok_or(PassFailed)?;
        let yielded = body.terminator().map(Op::operands).unwrap_or_default();
        let (condition, next) = yielded.split_first().ok_or(PassFailed)?;
        let trips = self.buffer(op, of.trips())?;
        let trips = memref::Load::build(b, trips, &[]);
        let trips = arith::IndexCast::build(b, Type::index(b.ctx), trips);
        let flag = self.buffer(op, of.condition())?;
        let flag = memref::Load::build(b, flag, &[]);
        let states = self.states(b, op, (body, &of.states()), (next, &[]))?;

        let control = [b.index(0), flag];
        let first = [&control[..], &states.carried].concat();
        let types: Vec<Type> = first.iter().map(|value| value.ty()).collect();
        let before = Block::new(b.ctx, &types);
        let test = Builder::at_end(before, b.loc, b.ctx);
        let is_step = arith::CmpI::build(&test, arith::CmpIPredicate::Slt, before.arg(0), trips);
        let goes_on = arith::AndI::build(&test, before.arg(1), is_step);
        scf::Condition::build(&test, goes_on, &before.args());

        let after = Block::new(b.ctx, &types);
        let inside = Builder::at_end(after, b.loc, b.ctx);
        let (step, carried) = (after.arg(0), &after.args()[2..]);
        let defined = self.defined;
        self.step(&inside, body, step, (&states, carried))?;
        let flag = self.buffer(op, *condition)?;
        let mut flag = memref::Load::build(&inside, flag, &[]);
        if self.defined > defined {
            let goes_on = self.goes_on(&inside);
            flag = arith::AndI::build(&inside, flag, goes_on);
        }
        let next = self.next(&inside, op, (&states, carried), &[])?;
        let control = [index::add(&inside, step, inside.index(1)), flag];
        scf::Yield::build(&inside, &[&control[..], &next].concat());
        let results = scf::While::build(b, &types, &first, before, after).results();
        self.finish(op, &states, &results[2..]);
        Ok(())
    }

    /// The states of a loop before its first step.
    fn states(
        &mut self,
        b: &Builder,
        op: Op,
        (body, first): (Block, &[Value]),
        (yielded, outputs): (&[Value], &[Value]),
    ) -> Result<States, PassFailed> {
        let mut states = States {
            carries: carries(body, yielded, outputs),
            yielded: yielded.to_vec(),
            carried: Vec::new(),
        };
        let results = op.results();
        for ((first, result), carry) in first.iter().zip(results).zip(&states.carries) {
            if first.ty().dims() != result.ty().dims() {
                let (first, last) = (first.ty(), result.ty());
                return fail(
                    op,
                    format!("has a state of type {first} first and {last} last"),
                );
            }
            states.carried.push(self.buffer(op, *first)?);
            if matches!(carry, Carry::Places) {
                let (ty, dims) = (buffer_type(result.ty()), result.ty().dims());
                let place = || AllocBuffer::of_tensor(b, ty, &dims, Scope::Global, "");
                states.carried.extend([place(), place()]);
            }
        }
        Ok(states)
    }

    /// The calls of a step. Its states are in what the loop carries, and the next ones go to their other places.
    fn step(
        &mut self,
        b: &Builder,
        body: Block,
        step: Value,
        (states, carried): (&States, &[Value]),
    ) -> PassResult {
        let parameters = body.args();
        if parameters[0].is_used() {
            let number = AllocBuffer::build(b, buffer_type(parameters[0].ty()), Scope::Global, "");
            let step = arith::IndexCast::build(b, Type::int(b.ctx, 64), step);
            memref::Store::build(b, step, number, &[]);
            self.buffers.insert(parameters[0], number);
        }
        let all = states.places().into_iter().zip(&states.carries);
        for (index, (place, carry)) in all.enumerate() {
            self.buffers.insert(parameters[1 + index], carried[place]);
            let next = states.yielded[index];
            if matches!(carry, Carry::Places) && is_made_in(body, next) {
                self.destinations.entry(next).or_insert(carried[place + 1]);
            }
        }
        self.nested_block(b, body)
    }

    /// What the loop carries to the next step.
    fn next(
        &mut self,
        b: &Builder,
        op: Op,
        (states, carried): (&States, &[Value]),
        outputs: &[Value],
    ) -> Result<Vec<Value>, PassFailed> {
        let mut next = Vec::with_capacity(carried.len());
        let all = states.places().into_iter().zip(&states.carries);
        for ((place, carry), value) in all.zip(&states.yielded) {
            match carry {
                Carry::Same => next.push(carried[place]),
                Carry::Output(output) => next.push(outputs[*output]),
                Carry::Places => {
                    let (filled, other) = (carried[place + 1], carried[place + 2]);
                    self.fill(b, op, *value, filled)?;
                    next.extend([filled, other, filled]);
                }
            }
        }
        Ok(next)
    }

    /// Copies a value to a place, if it was not computed there.
    fn fill(&self, b: &Builder, op: Op, value: Value, place: Value) -> PassResult {
        let buffer = self.buffer(op, value)?;
        if buffer != place {
            memref::Copy::build(b, buffer, place);
        }
        Ok(())
    }

    /// Notes the last states.
    fn finish(&mut self, op: Op, states: &States, results: &[Value]) {
        let last = states.places().into_iter().map(|place| results[place]);
        self.buffers.extend(op.results().into_iter().zip(last));
    }

    /// A view of an element of a sequence: of the type of `element`.
    fn element(
        &self,
        b: &Builder,
        op: Op,
        (sequence, at): (Value, Value),
        element: Value,
    ) -> Result<Value, PassFailed> {
        let dims = element.ty().dims();
        let ty = buffer_type(element.ty());
        let bytes =
            dim::product(&dims).and_then(|count| count.times(ty.element().byte_width() as i64));
        let bytes = self.extent(b, op, bytes.unwrap_or(Dim::Unknown))?;
        let mut sizes = Vec::new();
        for dim in dims.iter().filter(|_| !ty.is_static()) {
            if !dim.is_known() {
                sizes.push(self.extent(b, op, *dim)?);
            }
        }
        Ok(pointer_view(
            b,
            sequence,
            index::mul(b, at, bytes),
            ty,
            &sizes,
        ))
    }

    fn extent(&self, b: &Builder, op: Op, dim: Dim) -> Result<Value, PassFailed> {
        match self.symbols.value(b, dim) {
            Some(value) => Ok(value),
            None => fail(
                op,
                format!("has the extent {dim}, which no input of the graph says"),
            ),
        }
    }
}
