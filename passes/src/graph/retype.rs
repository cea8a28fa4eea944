//! Types that are inferred again.

use relay_dialects::{
    attrs::NAME,
    ir::{Attr, Op, Type},
    names,
    ops::func,
    relay::is_operator,
};
use std::collections::HashSet;

/// The number of the parameter with this name in the model, or of this number.
pub fn place(function: Op, name: &str) -> Option<usize> {
    let attrs = function.attr("arg_attrs").and_then(Attr::as_array);
    let mut attrs = attrs.unwrap_or_default().into_iter();
    let is_named = |entry: Attr| entry.get(NAME).is_some_and(|text| text.is_str(name));
    attrs.position(is_named).or_else(|| name.parse().ok())
}

/// The names of the functions that something in a module calls.
pub fn called(module: Op) -> HashSet<String> {
    let calls = module.find_all(func::Call::NAME).into_iter();
    calls
        .filter_map(|call| call.attr("callee")?.as_symbol())
        .collect()
}

/// Leaves open those types in a module's functions for which `holds` is true, but for the parameters of functions that
/// nothing in the module calls: the module's own.
pub fn reopen(module: Op, holds: fn(Type) -> bool) {
    let called = called(module);
    for function in module.functions() {
        if function.block_in(0).is_some() {
            let is_called = function.symbol().is_some_and(|name| called.contains(&name));
            reopen_function(function, !is_called, holds);
        }
    }
}

/// Leaves open the types of all that is computed in a function, and of its parameters unless it `keeps_parameters`,
/// where `holds` is true of the type.
pub fn reopen_function(function: Op, keeps_parameters: bool, holds: fn(Type) -> bool) {
    let open = Type::incomplete(function.ctx());
    let arguments = function.body().args();
    if !keeps_parameters {
        let arguments = arguments.iter().filter(|argument| holds(argument.ty()));
        arguments.for_each(|argument| argument.set_ty(open));
    }
    function.walk(|op| {
        let is_computed = is_operator(op) && !op.is(names::relay::CONSTANT);
        if is_computed || op.is(func::Call::NAME) {
            // The type of a function that is a value is written at its parameters.
            let holds_tensors = |ty: Type| ty.is_tensor() || ty.fields().is_some();
            let results = op.results().into_iter();
            results
                .filter(|result| holds_tensors(result.ty()) && holds(result.ty()))
                .for_each(|result| result.set_ty(open));
        }
    });
    // Who calls it goes by this type.
    let old = function.function_type();
    let results = old.map(Type::results).unwrap_or_default().into_iter();
    let results: Vec<Type> = results
        .map(|result| if holds(result) { open } else { result })
        .collect();
    let inputs: Vec<Type> = arguments.iter().map(|argument| argument.ty()).collect();
    let new = Type::function(function.ctx(), &inputs, &results);
    function.set_attr("function_type", Attr::ty(new));
}
