//! Functions of a module from function values.

use crate::graph::names::fresh;
use relay_dialects::{
    attrs::COMPOSITE,
    ir::{Attr, Builder, Op, Type, Value},
    names::relay,
    ops::func,
    pass::{PassFailed, fail},
};
use relay_loops::{analysis::is_inside, copying::remap};
use std::collections::HashMap;

/// What a function value gives: one value, or the fields of a tuple that it makes.
pub struct Results {
    values: Vec<Value>,
    /// The type of the tuple.
    tuple: Option<Type>,
}

impl Results {
    /// Those of a function value.
    pub fn of(value: Op) -> Self {
        let end = value.body().terminator();
        let values = end.map(Op::operands).unwrap_or_default();
        let tuple = values.first().and_then(|given| given.def_of(relay::TUPLE));
        Self {
            values: tuple.map_or(values, Op::operands),
            tuple: tuple.map(|tuple| tuple.result(0).ty()),
        }
    }

    /// The types.
    pub fn types(&self) -> Vec<Type> {
        self.values.iter().map(|value| value.ty()).collect()
    }
}

/// The calls of a function value.
pub fn calls_of(value: Op) -> Vec<Op> {
    let uses = value.result(0).uses().into_iter();
    uses.filter(|(user, place)| user.is(relay::CALL) && *place == 0)
        .map(|(user, _)| user)
        .collect()
}

/// Makes a function of a module from a function value, and the composites that it calls, too.
///
/// # Errors
/// If the value calls itself or sees values around it.
pub fn lift(part: Op, value: Op, name: &str) -> Result<Op, PassFailed> {
    if value.has_attr("recursive") {
        return fail(value, "calls itself, and cannot be a function of operators");
    }
    let sees = |op: Op| {
        let mut read = op.operands().into_iter();
        op != value && read.any(|read| !is_inside(read, value))
    };
    if let Some(op) = value.find(sees) {
        return fail(op, "reads a value from around the function that it is in");
    }
    let inputs: Vec<Type> = value.body().args().iter().map(|value| value.ty()).collect();
    let results = Results::of(value);
    let end = Builder::at_end(part.body(), value.loc(), part.ctx());
    let function = end.func(name, &inputs, &results.types(), &[]);
    fill(function, value, &results);
    for inner in function.find_all(relay::FN) {
        if let Some(composite) = inner.attr(COMPOSITE).and_then(Attr::as_str) {
            let name = fresh(part, &composite.replace('.', "_"));
            let lifted = lift(part, inner, &name)?;
            lifted.set_attr("sym_visibility", Attr::str(part.ctx(), "private"));
            for (key, attr) in inner.attrs() {
                if !["names", "recursive"].contains(&key.as_str()) {
                    lifted.set_attr(&key, attr);
                }
            }
            lifted.move_before(function);
            replace_calls(inner, &name, &Results::of(inner));
        }
    }
    Ok(function)
}

/// Copies the body of a function value into a function.
fn fill(function: Op, value: Op, results: &Results) {
    let (body, from) = (function.body(), value.body());
    let inside = Builder::at_end(body, value.loc(), value.ctx());
    let mut known: HashMap<Value, Value> = from.args().into_iter().zip(body.args()).collect();
    let end = from.terminator();
    for op in from.ops().into_iter().filter(|op| Some(*op) != end) {
        let copy = inside.insert(op.clone_detached());
        remap(copy, &known);
        known.extend(op.results().into_iter().zip(copy.results()));
    }
    let returned: Vec<Value> = results.values.iter().map(|value| known[value]).collect();
    func::Return::build(&inside, &returned);
    let tuple = end.and_then(|end| known.get(&end.operand(0))?.def_of(relay::TUPLE));
    if let Some(tuple) = tuple.filter(|tuple| !tuple.is_used()) {
        tuple.erase();
    }
}

/// Has the calls of a function value call the function of this name. The value goes if nothing else uses it.
pub fn replace_calls(value: Op, name: &str, results: &Results) {
    let types = results.types();
    for call in calls_of(value) {
        let builder = Builder::before(call);
        let made = builder.call(name, &call.operands()[1..], &types).results();
        let given = match results.tuple {
            Some(ty) => vec![builder.value(relay::TUPLE, &made, ty, &[])],
            None => made,
        };
        call.replace_with(&given);
    }
    if !value.is_used() {
        value.erase();
    }
}
