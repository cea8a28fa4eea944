//! Functions as values.

use super::check_yield;
use crate::{
    attrs::TYPE_PARAMS,
    ir::{Attr, Bindings, Op, Type, Value},
    names::relay,
    ops::func,
};

/// The names of a function's type parameters.
pub fn type_params(function: Op) -> Vec<String> {
    let names = function.attr(TYPE_PARAMS).and_then(Attr::as_texts);
    names.unwrap_or_default()
}

/// The `relay.fn` with type parameters that a value is, or that has it as its name for itself.
pub fn generic(value: Value) -> Option<Op> {
    let function = value.def_of(relay::FN).or_else(|| {
        let around = value.owner_block()?.parent()?;
        itself(around).filter(|own| *own == value).map(|_| around)
    });
    function.filter(|function| function.has_attr(TYPE_PARAMS))
}

/// The name that a recursive `relay.fn` has for itself.
pub fn itself(function: Op) -> Option<Value> {
    let is_named = function.is(relay::FN) && function.has_attr("recursive");
    is_named.then(|| function.body().args().first().copied())?
}

/// Checks `relay.fn`.
pub(super) fn verify(op: Op) -> Result<(), String> {
    let ty = op.result(0).ty();
    let (parameters, result) = ty
        .as_function()
        .ok_or_else(|| format!("makes {ty}, expected a function type with one result (C1)"))?;
    let mut arguments = op.body().args().into_iter().map(|value| value.ty());
    if op.has_attr("recursive") {
        let own = arguments
            .next()
            .ok_or("is recursive and has no name for itself (C3)")?;
        if own != ty {
            return Err(format!(
                "has a name of type {own} for itself, expected {ty} (C3)"
            ));
        }
    }
    let arguments: Vec<Type> = arguments.collect();
    if arguments != parameters {
        return Err(format!(
            "has parameters of types {arguments:?}, expected {parameters:?} (C1)"
        ));
    }
    check_yield(op, 0, "the body", result).map_err(|message| message + " (C2)")?;
    if !op.has_attr(TYPE_PARAMS) {
        return Ok(());
    }
    let names = [op.result(0)].into_iter().chain(itself(op));
    let mut users = names.flat_map(Value::users);
    match users.find(|user| !user.is(relay::INSTANTIATE)) {
        None => Ok(()),
        Some(user) => Err(format!(
            "has type parameters, and is used by '{}', which does not say what they stand for (C4)",
            user.name()
        )),
    }
}

/// Checks `relay.instantiate`.
pub(super) fn verify_instantiate(op: Op) -> Result<(), String> {
    let function = generic(op.operand(0)).ok_or("takes no relay.fn with type parameters (C1)")?;
    let (declared, ty) = (op.operand(0).ty(), op.result(0).ty());
    match declared.matches(ty, &type_params(function), &mut Bindings::new()) {
        true => Ok(()),
        false => Err(format!("gives {ty}, but the function is {declared} (C2)")),
    }
}

/// Checks `relay.call`.
pub(super) fn verify_call(op: Op) -> Result<(), String> {
    let operands = op.operands();
    let callee = operands[0].ty();
    if callee.is_incomplete() {
        return Ok(());
    }
    let (parameters, result) = callee
        .as_function()
        .ok_or_else(|| format!("calls a value of type {callee}, expected a function (C1)"))?;
    let arguments: Vec<Type> = operands[1..].iter().map(|value| value.ty()).collect();
    if parameters.len() != arguments.len() {
        return Err(format!(
            "has {} arguments, but the callee has {} parameters (C1)",
            arguments.len(),
            parameters.len()
        ));
    }
    for (index, (argument, parameter)) in arguments.iter().zip(&parameters).enumerate() {
        if !argument.is_compatible(*parameter) {
            return Err(format!(
                "argument {index} is {argument}, but the parameter is {parameter} (C1)"
            ));
        }
    }
    let ty = op.result(0).ty();
    match ty.is_compatible(result) {
        true => Ok(()),
        false => Err(format!("gives {ty}, but the callee gives {result} (C1)")),
    }
}

/// Checks `relay.global`, and `relay.closure`, which has captured values.
pub(super) fn verify_global(op: Op, module: Op) -> Result<(), String> {
    let name = op.attr("callee").and_then(Attr::as_symbol);
    let name = name.ok_or("requires attribute 'callee'")?;
    let function = module
        .lookup(&name)
        .filter(|function| function.is(func::Func::NAME))
        .ok_or_else(|| format!("there is no function @{name} (C1)"))?;
    let declared = function.function_type();
    let declared = declared.ok_or_else(|| format!("@{name} has no type (C1)"))?;
    let ty = op.result(0).ty();
    let captured: Vec<Type> = op.operands().iter().map(|value| value.ty()).collect();
    let whole = match ty.as_function() {
        Some((params, result)) => Type::function(op.ctx(), &[captured, params].concat(), &[result]),
        None if ty.is_incomplete() => return Ok(()),
        None => ty,
    };
    match declared.matches(whole, &type_params(function), &mut Bindings::new()) {
        true => Ok(()),
        false => Err(format!(
            "is of type {whole}, but @{name} is {declared} (C2)"
        )),
    }
}
