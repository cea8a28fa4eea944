//! What values depend on that is not known at compile time, in words.

use relay_dialects::{
    attrs::NAME,
    ir::{Attr, Op, Value},
    names::relay,
    ops::func,
    relay::{build::constant, row_of},
};
use std::collections::HashSet;

/// What `values` depend on, as the end of a sentence.
pub fn of(values: &[Value]) -> String {
    let mut open = values.to_vec();
    open.reverse();
    let (mut seen, mut found) = (HashSet::new(), Vec::new());
    while let Some(value) = open.pop() {
        if !seen.insert(value) || constant(value).is_some() {
            continue;
        }
        let op = value.def().filter(|op| row_of(*op).is_some());
        match op {
            // The values do not matter here, but the dimensions.
            Some(op) if op.is(relay::SHAPE_OF) => {
                let text = format!("the shape of {}", name(op.operand(0)));
                found.push(text);
            }
            Some(op) => open.extend(op.operands().into_iter().rev()),
            None => found.push(name(value)),
        }
    }
    let mut named = HashSet::new();
    found.retain(|text| named.insert(text.clone()));
    if found.is_empty() {
        return "constants that are too large to compute with".into();
    }
    found.join(", ")
}

/// What a value is called.
fn name(value: Value) -> String {
    if let Some(op) = value.def() {
        return format!("the result of '{}'", op.name());
    }
    let function = value.owner_block().and_then(|block| block.parent());
    match function.filter(|op| op.is(func::Func::NAME)) {
        Some(function) => parameter(function, value.number()),
        None => "an argument of a function that is a value, or of a case".into(),
    }
}

/// A parameter of a function, by its name in the model if it has one.
fn parameter(function: Op, number: usize) -> String {
    let attrs = function.attr("arg_attrs").and_then(Attr::as_array);
    let given = attrs.and_then(|attrs| attrs.get(number)?.get(NAME)?.as_str());
    match given {
        Some(name) => format!("parameter '{name}'"),
        None => format!("parameter {number}"),
    }
}
