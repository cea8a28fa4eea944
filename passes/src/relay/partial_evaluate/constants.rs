//! Tensors whose elements are known.

use super::{
    state::Machine,
    value::{Form, Partial},
};
use crate::{evaluator::Evaluator, graph::rewrite::operators};
use relay_dialects::{
    attrs::PRIMITIVE,
    ir::{Attr, Block, Builder, Op, Type, Value},
    names::relay,
    ops::{arith, func, memref},
    pass::{PassFailed, fail, run_inside},
    relay::{Pattern, pattern, row_of},
};
use std::{collections::HashMap, rc::Rc};

/// Whether an operator on known tensors has a known result.
pub fn is_computable(op: Op, operands: &[Partial]) -> bool {
    let is_static = |value: &Value| value.ty().is_tensor() && value.ty().is_static();
    row_of(op).is_some()
        && op.result_count() == 1
        && is_static(&op.result(0))
        && operands.iter().all(|operand| operand.is_constant())
}

impl Machine<'_> {
    /// What a condition is, if it is known.
    pub fn condition(&mut self, op: Op, value: &Partial) -> Result<Option<bool>, PassFailed> {
        let elements = self.elements(op, value)?;
        let scalar = elements.and_then(Attr::splat_value);
        Ok(scalar.and_then(|scalar| {
            let number = || scalar.as_i64().map(|number| number != 0);
            scalar.as_bool().or_else(number)
        }))
    }

    /// What an integer of rank 0 is, if it is known.
    pub fn integer(&mut self, op: Op, value: &Partial) -> Result<Option<i64>, PassFailed> {
        if !value.ty.element().is_int() || !value.ty.shape().is_empty() {
            return Ok(None);
        }
        let elements = self.elements(op, value)?;
        Ok(elements.and_then(Attr::splat_value).and_then(Attr::as_i64))
    }

    /// The elements of a tensor, if they are known.
    fn elements(&mut self, op: Op, value: &Partial) -> Result<Option<Attr>, PassFailed> {
        if let Some(known) = value.elements.get() {
            return Ok(Some(*known));
        }
        if !value.is_constant() {
            return Ok(None);
        }
        let elements = self.compute(op, value)?;
        Ok(Some(*value.elements.get_or_init(|| elements)))
    }

    /// Computes a tensor.
    fn compute(&mut self, op: Op, value: &Partial) -> Result<Attr, PassFailed> {
        let scratch = self.scratch(value);
        let text = scratch.to_string();
        if let Some(known) = self.computed.get(&text) {
            scratch.erase();
            return Ok(*known);
        }
        let folded = match is_scalar(scratch) {
            true => fold(scratch, value.ty)?,
            false => None,
        };
        scratch.erase();
        let elements = match folded {
            Some(elements) => elements,
            None => self.compile(op, value)?,
        };
        self.computed.insert(text, elements);
        Ok(elements)
    }

    /// Computes a tensor by compiling what computes it.
    fn compile(&self, op: Op, value: &Partial) -> Result<Attr, PassFailed> {
        let scratch = self.scratch(value);
        let evaluator = Evaluator::of(self.options);
        let results = evaluator.and_then(|evaluator| (evaluator.evaluate)(scratch, true));
        scratch.erase();
        let bytes = match results {
            Ok(results) => results.into_iter().next(),
            Err(message) => return fail(op, format!("cannot be evaluated: {message}")),
        };
        let elements = bytes.and_then(|bytes| Attr::dense(value.ty, (*bytes).as_ref()));
        match elements {
            Some(elements) => Ok(elements),
            None => fail(op, format!("was evaluated to what {} is not", value.ty)),
        }
    }

    /// A module of its own whose `@main` computes a tensor.
    fn scratch(&self, value: &Partial) -> Op {
        let (ctx, loc) = (self.module.ctx(), self.module.loc());
        let block = Block::new(ctx, &[]);
        let top = Builder::at_end(self.module.body(), loc, ctx);
        let scratch = top.module(None, block);
        scratch.detach();
        let main = Builder::at_end(block, loc, ctx).func("main", &[], &[value.ty], &[]);
        let b = Builder::at_end(main.body(), loc, ctx);
        let result = copy(&b, value, &mut HashMap::new());
        func::Return::build(&b, &[result]);
        scratch
    }
}

/// Whether a module computes numbers of numbers, element by element.
fn is_scalar(scratch: Op) -> bool {
    let is_number = |value: Value| value.ty().is_tensor() && value.ty().shape().is_empty();
    let is_elementwise = |op: Op| {
        let pattern = pattern(op);
        matches!(pattern, Some(Pattern::Elemwise | Pattern::Broadcast)) || op.is(relay::CONSTANT)
    };
    let operators = scratch.functions().into_iter().flat_map(operators);
    let mut operators = operators.peekable();
    operators.peek().is_some()
        && operators.all(|op| {
            let mut values = op.operands().into_iter().chain(op.results());
            is_elementwise(op) && values.all(is_number)
        })
}

/// What such a module gives, by what its operators are in arithmetic: upstream folds that, which takes a thousandth of the
/// time that a library takes. None if something is left.
fn fold(scratch: Op, ty: Type) -> Result<Option<Attr>, PassFailed> {
    for function in scratch.functions() {
        function.set_attr(PRIMITIVE, Attr::unit(scratch.ctx()));
    }
    run_inside(scratch, "relay-to-te{schedule=none},lower-te,canonicalize")?;
    let stores = scratch.find_all(memref::Store::NAME);
    let [store] = stores[..] else {
        return Ok(None);
    };
    let number = store.operand(0).def_of(arith::Constant::NAME);
    let number = number.and_then(|constant| constant.attr("value"));
    Ok(number.map(|number| Attr::splat(ty, number)))
}

/// Computes a known tensor somewhere else.
fn copy(b: &Builder, value: &Partial, done: &mut HashMap<*const (), Value>) -> Value {
    let key = Rc::as_ptr(value).cast();
    if let Some(made) = done.get(&key) {
        return *made;
    }
    let made = match (&value.form, value.elements.get()) {
        (_, Some(elements)) => b.value(relay::CONSTANT, &[], value.ty, &[("value", *elements)]),
        (Form::Computed(op, operands), None) => {
            let operands: Vec<Value> = operands.iter().map(|each| copy(b, each, done)).collect();
            let copy = b.insert(op.clone_detached());
            copy.set_operands(&operands);
            copy.result(0)
        }
        _ => unreachable!("a constant has elements or an operator"),
    };
    done.insert(key, made);
    made
}
