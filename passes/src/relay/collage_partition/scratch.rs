//! Copies of a graph's operators in a module of their own, to be measured.

use crate::graph::operators::{constant, is_foldable};
use relay_dialects::{
    ir::{Attr, Block, Builder, Op, Type, Value},
    names,
    ops::func,
    relay::build::make,
};
use std::collections::{HashMap, HashSet};

/// A module whose `@main` computes what some operators of a graph give.
pub(super) struct Scratch {
    /// The module. It is erased with the scratch.
    pub module: Op,
    values: HashMap<Value, Value>,
    ops: HashMap<Op, Op>,
}

impl Scratch {
    /// A module of its own with copies of `ops`, which are operators of one block in textual order. What they read is a parameter; what
    /// depends on constants only is a constant of other elements, so that equal computations are equal text.
    pub fn of(module: Op, ops: &[Op]) -> Self {
        let ctx = module.ctx();
        let builder = Builder::at_end(module.body(), module.loc(), ctx);
        let block = Block::new(ctx, &[]);
        let apart = builder.module(None, block);
        apart.detach();
        let members: HashSet<Op> = ops.iter().copied().collect();
        let (inputs, outputs) = (inputs(ops, &members), outputs(ops, &members));
        let types = |values: &[Value]| values.iter().map(|value| value.ty()).collect::<Vec<Type>>();
        let (constants, parameters): (Vec<Value>, Vec<Value>) =
            inputs.into_iter().partition(|value| is_foldable(*value));
        let main = Builder::at_end(block, module.loc(), ctx).func(
            "main",
            &types(&parameters),
            &types(&outputs),
            &[],
        );
        let inside = Builder::at_end(main.body(), module.loc(), ctx);
        let mut scratch = Self {
            module: apart,
            values: parameters.into_iter().zip(main.body().args()).collect(),
            ops: HashMap::new(),
        };
        for value in constants {
            scratch.values.insert(value, stand_in(&inside, value));
        }
        for op in ops {
            scratch.copy(&inside, *op);
        }
        let returned: Vec<Value> = outputs.iter().map(|value| scratch.value(*value)).collect();
        func::Return::build(&inside, &returned);
        scratch
    }

    /// The copy of an operator, or itself if there is none.
    pub fn op(&self, op: Op) -> Op {
        self.ops.get(&op).copied().unwrap_or(op)
    }

    /// What a value is here.
    pub fn value(&self, value: Value) -> Value {
        self.values.get(&value).copied().unwrap_or(value)
    }

    fn copy(&mut self, inside: &Builder, op: Op) {
        let copy = inside.insert(op.clone_detached());
        let operands = op.operands().into_iter().map(|value| self.value(value));
        copy.set_operands(&operands.collect::<Vec<_>>());
        self.values
            .extend(op.results().into_iter().zip(copy.results()));
        self.ops.insert(op, copy);
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        self.module.erase();
    }
}

/// A constant of one element as it is, as schedules and generators may ask for it; others without their elements.
fn stand_in(inside: &Builder, value: Value) -> Value {
    let ty = value.ty();
    if let Some(op) = value
        .def()
        .filter(|_| ty.count() == 1 && constant(value).is_some())
    {
        return inside.insert(op.clone_detached()).result(0);
    }
    let element = ty.element();
    // Of 0 and 1 compilers know too much.
    let number = if element.is_float() { 0.5 } else { 1.0 };
    let elements = Attr::splat(ty, Attr::number(element, number));
    make(inside, names::relay::CONSTANT, &[], &[("value", elements)])
}

/// What operators read from outside, each once.
fn inputs(ops: &[Op], members: &HashSet<Op>) -> Vec<Value> {
    let mut inputs = Vec::new();
    for value in ops.iter().flat_map(|op| op.operands()) {
        let is_made_here = value.def().is_some_and(|def| members.contains(&def));
        if !is_made_here && !inputs.contains(&value) {
            inputs.push(value);
        }
    }
    inputs
}

/// What others read of the operators' results, or the last ones if nobody does.
fn outputs(ops: &[Op], members: &HashSet<Op>) -> Vec<Value> {
    let escapes = |value: &Value| value.users().iter().any(|user| !members.contains(user));
    let results = ops.iter().flat_map(|op| op.results());
    let outputs: Vec<Value> = results.filter(escapes).collect();
    match (outputs.is_empty(), ops.last()) {
        (true, Some(last)) => last.results(),
        _ => outputs,
    }
}
