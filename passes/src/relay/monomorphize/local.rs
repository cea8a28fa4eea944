//! Functions with type parameters that are values.

use super::{INSTANCE_LIMIT, instance_of, substitute};
use relay_dialects::{
    attrs::TYPE_PARAMS,
    ir::{Builder, Op, Type, Value},
    names::relay,
    pass::{PassResult, fail},
    relay::language::itself,
};
use std::collections::HashMap;

/// Makes a `relay.fn` for each set of types that one with type parameters is used with, and erases those. `made` counts them.
///
/// # Errors
/// If a function uses itself at other types than its own, or there are more of them than a program has.
pub fn instantiate(function: Op, made: &mut usize) -> PassResult {
    while let Some(generic) = last(function) {
        specialise(generic, made)?;
    }
    Ok(())
}

/// The last function with type parameters that is in no other one: all that use it are there, with their types.
fn last(function: Op) -> Option<Op> {
    let is_generic = |op: &Op| op.is(relay::FN) && op.has_attr(TYPE_PARAMS);
    let is_inside = |op: &Op| {
        let around = std::iter::successors(op.parent(), |op| op.parent());
        around
            .take_while(|op| *op != function)
            .any(|op| is_generic(&op))
    };
    let all = function.find_all(relay::FN).into_iter();
    all.filter(|op| is_generic(op) && !is_inside(op)).last()
}

fn specialise(generic: Op, made: &mut usize) -> PassResult {
    let mut instances: HashMap<Type, Value> = HashMap::new();
    for user in generic.result(0).users() {
        let (ty, bindings) = instance_of(generic, generic.result(0).ty(), user.result(0).ty());
        let instance = match instances.get(&ty) {
            Some(instance) => *instance,
            None => {
                if *made == INSTANCE_LIMIT {
                    return fail(
                        generic,
                        format!(
                            "is one of more than {INSTANCE_LIMIT} instances of functions with type parameters"
                        ),
                    );
                }
                *made += 1;
                let copy = Builder::before(generic).insert(generic.clone_detached());
                copy.remove_attr(TYPE_PARAMS);
                substitute(copy, &bindings);
                recur(copy)?;
                instances.insert(ty, copy.result(0));
                copy.result(0)
            }
        };
        user.replace_with(&[instance]);
    }
    generic.erase();
    Ok(())
}

/// Makes an instance call itself by its own name.
fn recur(function: Op) -> PassResult {
    let Some(own) = itself(function) else {
        return Ok(());
    };
    for user in own.users() {
        if user.result(0).ty() != own.ty() {
            return fail(
                user,
                format!(
                    "uses a function inside of itself as {}, but it is {} there: make it a function of the module",
                    user.result(0).ty(),
                    own.ty()
                ),
            );
        }
        user.replace_with(&[own]);
    }
    Ok(())
}
