//! Loops whose body is written once.

use super::{builder::GraphBuilder, error::Result, value::Value};
use relay_dialects::{
    dim::Dim,
    element::Element,
    ir::{Attr, Block, Builder, Type, Value as IrValue},
    names::relay,
    relay::{build::extent_list, language::Scan},
};

/// What a loop reads or collects element by element along the first axis.
#[derive(Clone)]
pub struct Sequence {
    /// The tensor.
    pub value: Value,
    /// Whether the last element is the first one that is read.
    pub reversed: bool,
}

/// What a step of a loop takes.
pub struct Step {
    /// Its number, a scalar of 64 bits.
    pub number: Value,
    /// What the step before it returned.
    pub states: Vec<Value>,
    /// The elements of the sequences.
    pub elements: Vec<Value>,
}

/// What a step of a [`GraphBuilder::scan`] returns, and what the whole loop does.
pub struct Stepped {
    /// The states.
    pub states: Vec<Value>,
    /// What is collected: an element of each output, or all of them along a new first axis.
    pub outputs: Vec<Value>,
}

impl GraphBuilder {
    /// A loop of `trips` steps over sequences that have as many elements. `reversed` says of each output whether its last element is
    /// collected first; there may be fewer outputs.
    ///
    /// # Errors
    /// If `body` fails, or it returns states of other types than it takes.
    pub fn scan(
        &mut self,
        trips: Dim,
        states: &[Value],
        sequences: &[Sequence],
        reversed: &[bool],
        body: impl FnOnce(&mut Self, Step) -> Result<Stepped>,
    ) -> Result<Stepped> {
        let ctx = self.ctx();
        let elements = sequences.iter().map(|sequence| {
            let element = sequence.value.element().ty(ctx);
            Type::tensor_of(&sequence.value.dims()[1..], element)
        });
        let types: Vec<Type> = self.types(states).into_iter().chain(elements).collect();
        let count = states.len();
        let mut made = None;
        let block = self.body(Some(trips), &types, |b, mut step| {
            step.elements = step.states.split_off(count);
            let stepped = body(b, step)?;
            check_states(states, &stepped.states)?;
            let yielded = [&stepped.states[..], &stepped.outputs].concat();
            made = Some(stepped);
            Ok(yielded)
        })?;
        let outputs = made.map(|made| made.outputs).unwrap_or_default();
        let all = outputs.iter().map(|output| {
            let dims = [&[trips], output.dims()].concat();
            Type::tensor_of(&dims, output.element().ty(self.ctx()))
        });
        let results: Vec<Type> = self.types(states).into_iter().chain(all).collect();
        let flags = sequences
            .iter()
            .map(|sequence| i64::from(sequence.reversed));
        let made = (0..outputs.len()).map(|index| reversed.get(index) == Some(&true));
        let flags: Vec<i64> = flags.chain(made.map(i64::from)).collect();
        let attrs = [
            (Scan::STATES, Attr::i64(self.ctx(), count as i64)),
            (Scan::TRIPS, extent_list(self.ctx(), &[trips])),
            (Scan::REVERSED, Attr::ints(self.ctx(), &flags)),
        ];
        let sequences = sequences.iter().map(|sequence| &sequence.value);
        let inputs: Vec<&Value> = states.iter().chain(sequences).collect();
        let mut results = self.closed(relay::SCAN, &inputs, &results, &attrs, block)?;
        let outputs = results.split_off(count);
        Ok(Stepped {
            states: results,
            outputs,
        })
    }

    /// A loop of at most `trips` steps, a scalar of 64 bits, that runs while a condition, a boolean scalar, holds. A step returns the
    /// next condition and the next states. Returns the last states.
    ///
    /// # Errors
    /// If `body` fails, or it returns states of other types than it takes.
    pub fn repeat_while(
        &mut self,
        (trips, condition): (&Value, &Value),
        states: &[Value],
        body: impl FnOnce(&mut Self, Step) -> Result<(Value, Vec<Value>)>,
    ) -> Result<Vec<Value>> {
        let types = self.types(states);
        let block = self.body(None, &types, |b, step| {
            let (condition, next) = body(b, step)?;
            check_states(states, &next)?;
            Ok([&[condition], &next[..]].concat())
        })?;
        let inputs: Vec<&Value> = [trips, condition].into_iter().chain(states).collect();
        self.closed(relay::WHILE, &inputs, &types, &[], block)
    }

    /// Writes the region of a loop of so many steps that takes the number of the step and values of these types.
    fn body(
        &mut self,
        trips: Option<Dim>,
        types: &[Type],
        write: impl FnOnce(&mut Self, Step) -> Result<Vec<Value>>,
    ) -> Result<Block> {
        let number = Type::tensor(&[], Element::I64.ty(self.ctx()));
        let block = Block::new(self.ctx(), &[&[number], types].concat());
        let write = |b: &mut Self| {
            let step = b.step(block)?;
            write(b, step)
        };
        self.in_loop(trips, |b| b.region(block, write))?;
        Ok(block)
    }

    /// Writes ops into a block that is to be a region, and ends it with what they return, which this returns, too.
    pub(super) fn region(
        &mut self,
        block: Block,
        write: impl FnOnce(&mut Self) -> Result<Vec<Value>>,
    ) -> Result<Vec<Value>> {
        let around = self.enter_block(block);
        let mut returned = Vec::new();
        let yielded = self.with_own_sizes(|b| {
            let values = write(b)?;
            returned = b.all_in_ir(&values)?;
            Ok(values)
        });
        let builder = Builder::at_end(block, self.loc(), self.ctx());
        self.enter_block(around);
        match yielded {
            Ok(values) => {
                builder.op(relay::YIELD, &returned, &[], &[]);
                Ok(values)
            }
            Err(reason) => {
                self.discard(block);
                Err(reason)
            }
        }
    }

    /// Erases a block that belongs to nothing.
    pub(super) fn discard(&self, block: Block) {
        let owner = Builder::at_end(self.block(), self.loc(), self.ctx());
        owner
            .region_op(relay::SCAN, &[], &[], &[], &[Some(block)])
            .erase();
    }

    fn step(&self, block: Block) -> Result<Step> {
        let mut arguments = block.args().into_iter().map(Value::computed);
        let number = arguments.next();
        Ok(Step {
            number: number.ok_or("a step has no number")??,
            states: arguments.collect::<Result<_>>()?,
            elements: Vec::new(),
        })
    }

    /// Makes the op around a region.
    fn closed(
        &mut self,
        name: &str,
        inputs: &[&Value],
        types: &[Type],
        attrs: &[(&str, Attr)],
        block: Block,
    ) -> Result<Vec<Value>> {
        let inputs = inputs.iter().map(|value| self.materialize(value));
        let inputs: Vec<IrValue> = inputs.collect::<Result<_>>()?;
        let builder = Builder::at_end(self.block(), self.loc(), self.ctx());
        let op = builder.region_op(name, &inputs, types, attrs, &[Some(block)]);
        op.results().into_iter().map(Value::computed).collect()
    }

    fn all_in_ir(&self, values: &[Value]) -> Result<Vec<IrValue>> {
        values.iter().map(|value| self.materialize(value)).collect()
    }

    pub(super) fn types(&self, values: &[Value]) -> Vec<Type> {
        let ctx = self.ctx();
        let ty = |value: &Value| Type::tensor_of(value.dims(), value.element().ty(ctx));
        values.iter().map(ty).collect()
    }
}

/// Fails if a step returns states of other types than it takes.
fn check_states(taken: &[Value], returned: &[Value]) -> Result<()> {
    if taken.len() != returned.len() {
        return Err(format!(
            "a step takes {} states and returns {}",
            taken.len(),
            returned.len()
        ));
    }
    for (index, (taken, returned)) in taken.iter().zip(returned).enumerate() {
        let types = [taken, returned].map(|value| (value.element(), value.dims()));
        if types[0] != types[1] {
            return Err(format!(
                "state {index} has type {:?} {:?} before a step and {:?} {:?} behind it",
                types[0].0, types[0].1, types[1].0, types[1].1
            ));
        }
    }
    Ok(())
}
