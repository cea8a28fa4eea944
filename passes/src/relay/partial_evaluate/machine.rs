//! Running a program of which not all is known.

use super::{
    constants::is_computable,
    state::Machine,
    value::{Form, Function, Known, Partial},
};
use crate::graph::calls::is_primitive;
use relay_dialects::{
    ir::{Attr, Block, Op, Type, Value},
    names::relay,
    ops::func,
    pass::{PassFailed, fail},
    relay::language::pattern::Pattern,
};
use std::collections::HashSet;

/// The most values on a way down from one that is known, and the most calls inside of calls. Values and calls are walked on
/// the stack, of which a level takes some kilobytes.
const DEEPEST: usize = 256;

/// Whether a value has a pattern.
enum Fits {
    Yes,
    No,
    Unknown,
}

impl Machine<'_> {
    /// What is left of a function's body, in a block of its own.
    pub fn body(&mut self, op: Op) -> Result<Block, PassFailed> {
        let mut known = Known::new();
        let (block, arguments) = self.block_like(op.body(), &mut known);
        let function = Function {
            op,
            around: Vec::new(),
            first: Vec::new(),
        };
        self.places.clear();
        self.scopes.push(block);
        let outer = self.enter(&function, &arguments)?;
        let results = self.run_block(op.body(), &mut known)?;
        let results = self.residuals(&results)?;
        func::Return::build(&self.builder(), &results);
        self.leave(op, outer.flatten());
        self.scopes.pop();
        Ok(block)
    }

    /// Notes the results of an op that is left.
    pub fn bind_unknown(&mut self, op: Op, made: Op, known: &mut Known) {
        for (old, new) in op.results().into_iter().zip(made.results()) {
            let value = self.unknown(new);
            known.insert(old, value);
        }
    }

    /// Runs the ops of a block; gives what it ends with.
    pub fn run_block(
        &mut self,
        block: Block,
        known: &mut Known,
    ) -> Result<Vec<Partial>, PassFailed> {
        for op in block.ops() {
            let operands = self.operands(op, known)?;
            if op.is(func::Return::NAME) || op.is(relay::YIELD) {
                return Ok(operands);
            }
            let outer = self.loc;
            self.loc = op.loc();
            self.step(op, operands, known)?;
            self.loc = outer;
        }
        fail(self.module, "has a block without an end")
    }

    fn operands(&self, op: Op, known: &Known) -> Result<Vec<Partial>, PassFailed> {
        let operands = op.operands().into_iter();
        let values: Option<Vec<Partial>> =
            operands.map(|value| known.get(&value).cloned()).collect();
        match values {
            Some(values) => Ok(values),
            None => fail(op, "reads a value that is not there yet"),
        }
    }

    fn step(
        &mut self,
        op: Op,
        operands: Vec<Partial>,
        known: &mut Known,
    ) -> Result<(), PassFailed> {
        let form = match op.name().as_str() {
            relay::IF => return self.choose(op, &operands[0], known),
            relay::MATCH => return self.take_apart(op, &operands[0], known),
            relay::CALL => return self.call(op, &operands, known),
            func::Call::NAME => return self.call_named(op, &operands, known),
            relay::REF_CREATE | relay::REF_READ | relay::REF_WRITE => {
                return self.refer(op, &operands, known);
            }
            relay::TUPLE_GET => return self.field(op, operands, known),
            relay::CONSTANT => Form::Constant,
            relay::TUPLE => Form::Tuple(operands),
            relay::CONSTRUCT => match op.attr("constructor") {
                Some(path) => Form::Data(path, operands),
                None => return fail(op, "names no constructor"),
            },
            relay::GLOBAL | relay::CLOSURE => Form::Function(self.named(op, operands)?),
            relay::FN => Form::Function(closure(op, known)),
            _ if is_computable(op, &operands) => Form::Computed(op, operands),
            _ => return self.keep(op, &operands, known),
        };
        let value = self.node(op.result(0).ty(), form);
        if op.is(relay::CONSTANT)
            && let Some(elements) = op.attr("value")
        {
            value.elements.get_or_init(|| elements);
        }
        let value = self.within_depth(value)?;
        known.insert(op.result(0), value);
        Ok(())
    }

    /// A value itself, or where the new program computes it if it is made of too many others.
    fn within_depth(&mut self, value: Partial) -> Result<Partial, PassFailed> {
        if value.depth <= DEEPEST {
            return Ok(value);
        }
        let made = self.residual(&value)?;
        Ok(self.unknown(made))
    }

    /// Leaves an op for later.
    fn keep(&mut self, op: Op, operands: &[Partial], known: &mut Known) -> Result<(), PassFailed> {
        if !op.regions().is_empty() {
            return fail(
                op,
                "is an op that partial-evaluate does not know: run it before",
            );
        }
        let made = self.copy(op, operands)?;
        self.bind_unknown(op, made, known);
        Ok(())
    }

    fn field(
        &mut self,
        op: Op,
        operands: Vec<Partial>,
        known: &mut Known,
    ) -> Result<(), PassFailed> {
        let index = op.attr("index").and_then(Attr::as_i64).unwrap_or_default();
        if let Form::Tuple(fields) = &operands[0].form
            && let Some(field) = fields.get(index as usize)
            && field.ty == op.result(0).ty()
        {
            known.insert(op.result(0), field.clone());
            return Ok(());
        }
        self.keep(op, &operands, known)
    }

    /// The function of the module that an op names.
    fn named(&self, op: Op, first: Vec<Partial>) -> Result<Function, PassFailed> {
        let name = op.attr("callee").and_then(Attr::as_symbol);
        match name.and_then(|name| self.module.lookup(&name)) {
            Some(function) => Ok(Function {
                op: function,
                around: Vec::new(),
                first,
            }),
            None => fail(op, "names no function of the module"),
        }
    }

    fn call_named(
        &mut self,
        op: Op,
        arguments: &[Partial],
        known: &mut Known,
    ) -> Result<(), PassFailed> {
        let function = self.named(op, Vec::new())?;
        if is_primitive(function.op) {
            return self.keep(op, arguments, known);
        }
        let declared = function.op.function_type();
        let Some(ty) = declared else {
            return fail(op, "calls what has no type");
        };
        let callee = self.node(ty, Form::Function(function));
        if !self.carry_out(op, &callee, arguments, known)? {
            self.keep(op, arguments, known)?;
            self.forget();
        }
        Ok(())
    }

    /// Calls a function that is a value.
    fn call(&mut self, op: Op, operands: &[Partial], known: &mut Known) -> Result<(), PassFailed> {
        let (callee, arguments) = (&operands[0], &operands[1..]);
        if !self.carry_out(op, callee, arguments, known)? {
            self.keep(op, operands, known)?;
            self.forget();
        }
        Ok(())
    }

    /// Carries out a call if the function is known and the evaluation comes to an end; whether it has.
    fn carry_out(
        &mut self,
        op: Op,
        callee: &Partial,
        arguments: &[Partial],
        known: &mut Known,
    ) -> Result<bool, PassFailed> {
        let Form::Function(function) = &callee.form else {
            return Ok(false);
        };
        let Some(body) = function.op.block_in(0) else {
            return Ok(false);
        };
        let itself = function.op.is(relay::FN) && function.op.has_attr("recursive");
        let itself = itself.then(|| callee.clone());
        let given: Vec<Partial> = (itself.into_iter())
            .chain(function.first.iter().cloned())
            .chain(arguments.iter().cloned())
            .collect();
        let fits = has_types(&body.args(), &given) && gives(body, &op.results());
        let may = !self.is_idle && self.calls_left > 0 && self.nested_calls < DEEPEST;
        if !fits || !may || is_primitive(function.op) {
            return Ok(false);
        }
        let Some(outer) = self.enter(function, arguments)? else {
            return Ok(false);
        };
        self.calls_left -= 1;
        self.nested_calls += 1;
        let mut inside: Known = function.around.iter().cloned().collect();
        inside.extend(body.args().into_iter().zip(given));
        let results = self.run_block(body, &mut inside)?;
        self.nested_calls -= 1;
        self.leave(function.op, outer);
        known.extend(op.results().into_iter().zip(results));
        Ok(true)
    }

    /// Runs the branch that is taken, if that is known.
    fn choose(&mut self, op: Op, condition: &Partial, known: &mut Known) -> Result<(), PassFailed> {
        let is_true = self.condition(op, condition)?;
        let branch = is_true.and_then(|is_true| op.block_in(usize::from(!is_true)));
        match branch.filter(|branch| gives(*branch, &op.results())) {
            Some(branch) => {
                let results = self.run_block(branch, known)?;
                known.extend(op.results().into_iter().zip(results));
                Ok(())
            }
            None => self.residual_choice(op, condition, known),
        }
    }

    /// Runs the arm that takes a value, if that is known.
    fn take_apart(&mut self, op: Op, value: &Partial, known: &mut Known) -> Result<(), PassFailed> {
        let patterns = op.attr("patterns").and_then(Attr::as_array);
        for (index, pattern) in patterns.unwrap_or_default().into_iter().enumerate() {
            let (Some(pattern), Some(arm)) = (Pattern::of(pattern), op.block_in(index)) else {
                return fail(op, "has an arm without a pattern");
            };
            let mut names = Vec::new();
            match fits(&pattern, value, &mut names) {
                Fits::No => {}
                Fits::Yes if has_types(&arm.args(), &names) && gives(arm, &op.results()) => {
                    known.extend(arm.args().into_iter().zip(names));
                    let results = self.run_block(arm, known)?;
                    known.extend(op.results().into_iter().zip(results));
                    return Ok(());
                }
                Fits::Yes | Fits::Unknown => break,
            }
        }
        self.residual_choice(op, value, known)
    }
}

/// Whether a value has a pattern, and what its names stand for then.
fn fits(pattern: &Pattern, value: &Partial, names: &mut Vec<Partial>) -> Fits {
    let fields = match (pattern, &value.form) {
        (Pattern::Wildcard, _) => return Fits::Yes,
        (Pattern::Name(_), _) => {
            names.push(value.clone());
            return Fits::Yes;
        }
        (Pattern::Tuple(_), Form::Tuple(fields)) => fields,
        (Pattern::Constructor { of, name, .. }, Form::Data(path, fields)) => {
            let path = path.as_nested_symbol();
            if path.is_none_or(|(known_of, known)| (&known_of, &known) != (of, name)) {
                return Fits::No;
            }
            fields
        }
        _ => return Fits::Unknown,
    };
    let mut all = Fits::Yes;
    for (pattern, field) in pattern.fields().iter().zip(fields) {
        match fits(pattern, field, names) {
            Fits::Yes => {}
            Fits::No => return Fits::No,
            Fits::Unknown => all = Fits::Unknown,
        }
    }
    all
}

/// Whether values have the types of those that they stand for: a dimension may be unknown on one side.
fn has_types(expected: &[Value], given: &[Partial]) -> bool {
    let mut pairs = expected.iter().zip(given);
    expected.len() == given.len() && pairs.all(|(expected, given)| expected.ty() == given.ty)
}

/// Whether a block gives values of just these types.
fn gives(block: Block, results: &[Value]) -> bool {
    let given = block.terminator().map(Op::operands).unwrap_or_default();
    let types = |values: &[Value]| values.iter().map(|value| value.ty()).collect::<Vec<Type>>();
    types(&given) == types(results)
}

/// A function with what it reads of what is around it.
fn closure(op: Op, known: &Known) -> Function {
    let mut seen = HashSet::new();
    let mut around = Vec::new();
    op.walk(|inner| {
        for value in inner.operands() {
            if let Some(known) = known.get(&value)
                && seen.insert(value)
            {
                around.push((value, known.clone()));
            }
        }
    });
    Function {
        op,
        around,
        first: Vec::new(),
    }
}
