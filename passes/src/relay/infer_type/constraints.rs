//! What each op says of types.

mod relations;

use super::terms::{Conflict, Term, Terms, fresh};
use relay_dialects::{
    ir::{Attr, Loc, Op, Type, Value},
    names::relay,
    ops::func,
    pass::{PassFailed, PassResult, fail},
    relay::{
        is_operator,
        language::{
            Scan,
            adt::{self, TypeDef},
            pattern::Pattern,
            type_params,
        },
    },
};
use std::collections::HashMap;

/// The types of a module's values, and the ops whose types follow from those of others.
pub struct Constraints {
    module: Op,
    terms: Terms,
    values: HashMap<Value, Term>,
    /// The types that functions give, by their names.
    results: HashMap<String, Vec<Term>>,
    relations: Vec<relations::Relation>,
    fields: Vec<Op>,
    /// Uses of functions with type parameters that are values.
    instances: Vec<Op>,
}

/// Finds the types of a module's values.
///
/// # Errors
/// Types that contradict each other, or an operator that does not take its operands.
pub fn solve(module: Op) -> Result<Constraints, PassFailed> {
    let mut constraints = Constraints {
        module,
        terms: Terms::default(),
        values: HashMap::new(),
        results: HashMap::new(),
        relations: Vec::new(),
        fields: Vec::new(),
        instances: Vec::new(),
    };
    for function in module.functions() {
        constraints.declare(function);
    }
    let mut result = Ok(());
    super::walk(module, |op| {
        if result.is_ok() {
            result = constraints.visit(op);
        }
    });
    result?;
    constraints.settle()?;
    Ok(constraints)
}

impl Constraints {
    /// What was found of a value's type.
    pub fn ty(&mut self, value: Value) -> Type {
        let term = self.values.get(&value).copied();
        term.map_or(value.ty(), |term| self.terms.ty(term, value.ctx()))
    }

    /// What was found of the types that a function gives.
    pub fn results(&mut self, function: Op) -> Vec<Type> {
        let name = function.symbol().unwrap_or_default();
        let terms = self.results.get(&name).cloned().unwrap_or_default();
        let types = terms.into_iter();
        types
            .map(|term| self.terms.ty(term, function.ctx()))
            .collect()
    }

    fn term(&mut self, value: Value) -> Term {
        if let Some(term) = self.values.get(&value) {
            return *term;
        }
        let term = self.terms.of(value.ty(), value.loc());
        self.values.insert(value, term);
        term
    }

    fn declare(&mut self, function: Op) {
        let ty = function.function_type();
        let results = ty.map(Type::results).unwrap_or_default().into_iter();
        let results = results
            .map(|ty| self.terms.of(ty, function.loc()))
            .collect();
        let name = function.symbol().unwrap_or_default();
        self.results.insert(name, results);
    }

    /// Makes the types of two things one, or says at `op` why that cannot be.
    fn same(&mut self, op: Op, what: &str, a: Term, b: Term) -> PassResult {
        let (first, second) = (self.terms.ty(a, op.ctx()), self.terms.ty(b, op.ctx()));
        self.terms
            .unify(a, b, op.ctx())
            .map_err(|conflict| report(op, what, [first, second], &conflict, Vec::new()))
    }

    fn visit(&mut self, op: Op) -> PassResult {
        let results = op.results();
        for value in &results {
            self.term(*value);
        }
        match op.name().as_str() {
            func::Func::NAME => self.function(op),
            func::Call::NAME => self.direct_call(op),
            relay::GLOBAL | relay::CLOSURE => self.global(op),
            relay::FN => self.closure(op),
            relay::CALL => self.call(op),
            relay::IF => self.branches(op),
            relay::SCAN | relay::WHILE => self.repeated(op),
            relay::CONSTRUCT => self.construct(op),
            relay::MATCH => self.arms(op),
            relay::TUPLE => self.tuple(op),
            relay::ON_DEVICE | relay::DEVICE_COPY => {
                let (given, result) = (self.term(op.operand(0)), self.term(op.result(0)));
                self.same(op, "what it gives", result, given)
            }
            relay::REF_CREATE => self.reference(op, op.result(0), op.operand(0)),
            relay::REF_READ => self.reference(op, op.operand(0), op.result(0)),
            relay::REF_WRITE => {
                let unit = self.terms.of(Type::tuple(op.ctx(), &[]), op.loc());
                let result = self.term(op.result(0));
                self.same(op, "what it gives", result, unit)?;
                self.reference(op, op.operand(0), op.operand(1))
            }
            relay::TUPLE_GET => {
                self.fields.push(op);
                Ok(())
            }
            relay::INSTANTIATE => {
                self.instances.push(op);
                Ok(())
            }
            relay::CONSTANT => {
                let value = op.attr("value").map(Attr::typ);
                let known = self.terms.of(value.unwrap_or(results[0].ty()), op.loc());
                let result = self.term(results[0]);
                self.same(op, "the constant", result, known)
            }
            // Its types are those of the call that it was.
            relay::CALL_LOWERED => Ok(()),
            // They give nothing.
            relay::TYPE_DEF | relay::CONSTRUCTOR | relay::DIM_OF => Ok(()),
            _ if is_operator(op) => {
                self.relations.push(relations::Relation::of(op));
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// What a function gives is what it returns.
    fn function(&mut self, op: Op) -> PassResult {
        let Some(end) = op.block_in(0).and_then(|body| body.terminator()) else {
            return Ok(());
        };
        for value in op.body().args() {
            self.term(value);
        }
        let results = self.results.get(&op.symbol().unwrap_or_default());
        let Some(results) = results
            .filter(|_| op.parent() == Some(self.module))
            .cloned()
        else {
            return fail(
                op,
                "stands inside of another function: move it into the module",
            );
        };
        for (returned, result) in end.operands().into_iter().zip(results) {
            let returned = self.term(returned);
            self.same(end, "the result of the function", returned, result)?;
        }
        Ok(())
    }

    /// The parameters and results of a function of the module; type parameters stand for new unknown types.
    fn signature(&mut self, name: &str) -> Option<(Vec<Term>, Vec<Term>)> {
        let function = self.module.lookup(name)?;
        let ty = function.function_type()?;
        let names = type_params(function);
        if !names.is_empty() || function.block_in(0).is_none() {
            let params = fresh(&mut self.terms, &names);
            let mut instances = |types: Vec<Type>| {
                let types = types.into_iter();
                types
                    .map(|ty| self.terms.instance(ty, &params, function.loc()))
                    .collect()
            };
            return Some((instances(ty.inputs()), instances(ty.results())));
        }
        let params = function.body().args().into_iter();
        let params = params.map(|value| self.term(value)).collect();
        Some((params, self.results.get(name)?.clone()))
    }

    fn direct_call(&mut self, op: Op) -> PassResult {
        let callee = op.attr("callee").and_then(Attr::as_symbol);
        let Some((params, results)) = callee.and_then(|name| self.signature(&name)) else {
            return Ok(());
        };
        for (index, (value, param)) in op.operands().into_iter().zip(params).enumerate() {
            let value = self.term(value);
            self.same(op, &format!("argument {index}"), value, param)?;
        }
        for (value, result) in op.results().into_iter().zip(results) {
            let value = self.term(value);
            self.same(op, "the result", value, result)?;
        }
        Ok(())
    }

    fn global(&mut self, op: Op) -> PassResult {
        let callee = op.attr("callee").and_then(Attr::as_symbol);
        let Some((params, results)) = callee.and_then(|name| self.signature(&name)) else {
            return fail(op, "names no function of the module");
        };
        let [result] = results[..] else {
            return fail(
                op,
                "names a function with several results, which is no value",
            );
        };
        // The first arguments of a relay.closure.
        let captured = op.operands();
        if captured.len() > params.len() {
            return fail(op, "has more captured values than the function parameters");
        }
        let (first, rest) = params.split_at(captured.len());
        for (index, (value, param)) in captured.into_iter().zip(first).enumerate() {
            let value = self.term(value);
            self.same(op, &format!("captured value {index}"), value, *param)?;
        }
        let function = self.terms.function(rest, result, op);
        let value = self.term(op.result(0));
        self.same(op, "the function", value, function)
    }

    fn closure(&mut self, op: Op) -> PassResult {
        let value = self.term(op.result(0));
        let mut params = Vec::new();
        for param in op.body().args() {
            params.push(self.term(param));
        }
        if op.has_attr("recursive") {
            let own = params.remove(0);
            self.same(op, "its name for itself", own, value)?;
        }
        let Some(end) = op.body().terminator() else {
            return Ok(());
        };
        let result = self.term(end.operand(0));
        let function = self.terms.function(&params, result, op);
        self.same(op, "the function", value, function)
    }

    fn call(&mut self, op: Op) -> PassResult {
        let operands: Vec<Term> = op
            .operands()
            .into_iter()
            .map(|value| self.term(value))
            .collect();
        let result = self.term(op.result(0));
        let function = self.terms.function(&operands[1..], result, op);
        self.same(op, "the callee", operands[0], function)
    }

    /// The results of an `if` are what its regions yield.
    fn branches(&mut self, op: Op) -> PassResult {
        let condition = self.term(op.operand(0));
        let flag = Type::tensor(&[], Type::int(op.ctx(), 1));
        let flag = self.terms.of(flag, op.loc());
        self.same(op, "the condition", condition, flag)?;
        for (index, what) in ["the then region", "the else region"]
            .into_iter()
            .enumerate()
        {
            let Some(end) = op.block_in(index).and_then(|block| block.terminator()) else {
                continue;
            };
            for (result, yielded) in op.results().into_iter().zip(end.operands()) {
                let (yielded, result) = (self.term(yielded), self.term(result));
                self.same(end, what, yielded, result)?;
            }
        }
        Ok(())
    }

    /// A state of a loop has one type before it, in each step, and behind it.
    fn repeated(&mut self, op: Op) -> PassResult {
        let (Some(block), operands) = (op.block_in(0), op.operands()) else {
            return Ok(());
        };
        let yielded = block.terminator().map(Op::operands).unwrap_or_default();
        // Behind a condition, or the number of the step, come the states.
        let (first, next, states) = match Scan::of(op) {
            Some(scan) => (&operands[..], &yielded[..], scan.states()),
            None => (
                operands.get(2..).unwrap_or(&[]),
                yielded.get(1..).unwrap_or(&[]),
                op.results().len(),
            ),
        };
        let inside = block.args().into_iter().skip(1);
        let all = first.iter().zip(next).zip(inside).zip(op.results());
        for (((first, next), inside), last) in all.take(states) {
            let last = self.term(last);
            for state in [*first, *next, inside] {
                let state = self.term(state);
                self.same(op, "a state", state, last)?;
            }
        }
        Ok(())
    }

    fn construct(&mut self, op: Op) -> PassResult {
        let path = op.attr("constructor").ok_or(PassFailed)?;
        let (definition, tag) = match adt::constructor(self.module, path) {
            Ok(found) => found,
            Err(message) => return fail(op, message),
        };
        let (whole, fields) = self.instance(&definition, tag, op);
        let value = self.term(op.result(0));
        self.same(op, "the value", value, whole)?;
        for (index, (operand, field)) in op.operands().into_iter().zip(fields).enumerate() {
            let operand = self.term(operand);
            self.same(op, &format!("field {index}"), operand, field)?;
        }
        Ok(())
    }

    /// A data type and the fields of one of its constructors, with new unknown types for the type parameters.
    fn instance(&mut self, definition: &TypeDef, tag: usize, from: Op) -> (Term, Vec<Term>) {
        let params = fresh(&mut self.terms, &definition.params);
        let whole = self.terms.instance(definition.ty(), &params, from.loc());
        let fields = definition.constructors[tag].fields.iter();
        let at = definition.op.loc();
        let fields = fields.map(|ty| self.terms.instance(*ty, &params, at));
        (whole, fields.collect())
    }

    fn arms(&mut self, op: Op) -> PassResult {
        let patterns = op.attr("patterns").and_then(Attr::as_array);
        let matched = self.term(op.operand(0));
        let result = self.term(op.result(0));
        for (index, pattern) in patterns.unwrap_or_default().into_iter().enumerate() {
            let Some(arm) = op.block_in(index) else {
                continue;
            };
            let mut names = arm.args().into_iter();
            if let Some(pattern) = Pattern::of(pattern) {
                self.pattern(op, &pattern, matched, &mut names)?;
            }
            if let Some(end) = arm.terminator() {
                let yielded = self.term(end.operand(0));
                self.same(end, &format!("arm {index}"), yielded, result)?;
            }
        }
        Ok(())
    }

    fn pattern(
        &mut self,
        op: Op,
        pattern: &Pattern,
        matched: Term,
        names: &mut impl Iterator<Item = Value>,
    ) -> PassResult {
        let parts = match pattern {
            Pattern::Wildcard => return Ok(()),
            Pattern::Name(name) => {
                let Some(value) = names.next() else {
                    return Ok(());
                };
                let value = self.term(value);
                return self.same(op, &format!("%{name}"), value, matched);
            }
            Pattern::Tuple(fields) => {
                let parts: Vec<Term> = fields.iter().map(|_| self.terms.open()).collect();
                let open = vec![Type::incomplete(op.ctx()); parts.len()];
                let like = Type::tuple(op.ctx(), &open);
                let whole = self.terms.made(like, parts.clone(), op.loc());
                self.same(op, "the tuple", matched, whole)?;
                parts
            }
            Pattern::Constructor { of, name, .. } => {
                let path = Attr::nested_symbol(op.ctx(), of, name);
                let (definition, tag) = match adt::constructor(self.module, path) {
                    Ok(found) => found,
                    Err(message) => return fail(op, message),
                };
                let (whole, parts) = self.instance(&definition, tag, op);
                self.same(op, &format!("what {path} takes apart"), matched, whole)?;
                parts
            }
        };
        if parts.len() != pattern.fields().len() {
            let (has, given) = (parts.len(), pattern.fields().len());
            return fail(op, format!("takes {given} fields of a value with {has}"));
        }
        let mut pairs = pattern.fields().iter().zip(parts);
        pairs.try_for_each(|(field, part)| self.pattern(op, field, part, names))
    }

    fn tuple(&mut self, op: Op) -> PassResult {
        let operands = op.operands().into_iter();
        let fields: Vec<Term> = operands.map(|value| self.term(value)).collect();
        let like = Type::tuple(op.ctx(), &vec![Type::incomplete(op.ctx()); fields.len()]);
        let tuple = self.terms.made(like, fields, op.loc());
        let value = self.term(op.result(0));
        self.same(op, "the tuple", value, tuple)
    }

    fn reference(&mut self, op: Op, reference: Value, value: Value) -> PassResult {
        let value = self.term(value);
        let like = Type::reference(Type::incomplete(op.ctx()));
        let made = self.terms.made(like, vec![value], op.loc());
        let reference = self.term(reference);
        self.same(op, "the reference", reference, made)
    }
}

/// Says which types contradict each other, and where they come from; `notes` say more.
fn report(
    op: Op,
    what: &str,
    [first, second]: [Type; 2],
    conflict: &Conflict,
    mut notes: Vec<(Loc, String)>,
) -> PassFailed {
    let [(x, _), (y, _)] = &conflict.sides;
    let mut message = format!("{what} is {first}, expected {second}");
    if (*x, *y) != (first, second) && (*y, *x) != (first, second) {
        message += &format!(": {x} is not {y}");
    }
    if let Some(because) = conflict.because {
        message += &format!(": {because}");
    }
    for (ty, from) in &conflict.sides {
        if let Some(place) = from.filter(|place| *place != op.loc()) {
            notes.push((place, format!("{ty} comes from here")));
        }
    }
    op.emit_error_with_notes(&message, &notes);
    PassFailed
}
