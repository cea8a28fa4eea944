//! Whether each data type that is named is defined, and has as many arguments as parameters (TVM: `KindCheck`).

use relay_dialects::{
    attrs::TYPE_PARAMS,
    ir::{Attr, Op, Type},
    names,
    ops::func,
    pass::{PassResult, fail},
    relay::language::{adt::TypeDef, type_params},
};
use std::collections::HashMap;

/// The check.
///
/// # Errors
/// The first op with a type that is none.
pub fn check(module: Op) -> PassResult {
    let definitions: HashMap<String, usize> = TypeDef::all(module)
        .into_iter()
        .map(|definition| (definition.name, definition.params.len()))
        .collect();
    let mut checked = HashMap::new();
    let mut result = Ok(());
    super::walk(module, |op| {
        if result.is_ok() {
            let wrong = types_of(op).into_iter().find_map(|ty| {
                let wrong = checked.entry(ty);
                wrong.or_insert_with(|| arity(ty, &definitions)).clone()
            });
            result = match wrong.or_else(|| unbound(op)) {
                Some(message) => fail(op, message),
                None => Ok(()),
            };
        }
    });
    result
}

/// The types that an op names.
fn types_of(op: Op) -> Vec<Type> {
    let own = match op.name().as_str() {
        func::Func::NAME => op.function_type().map(|ty| vec![ty]),
        names::relay::CONSTRUCTOR => op.attr("fields").and_then(|fields| {
            let fields = fields.as_array()?.into_iter();
            fields.map(Attr::as_type).collect()
        }),
        _ => None,
    };
    let values = super::values_of(op).into_iter().map(|value| value.ty());
    own.unwrap_or_default().into_iter().chain(values).collect()
}

/// What is wrong with the data types in a type.
fn arity(ty: Type, definitions: &HashMap<String, usize>) -> Option<String> {
    let mut wrong = None;
    ty.any_part(&mut |part| {
        let Some((name, arguments)) = part.as_adt() else {
            return false;
        };
        let given = arguments.len();
        wrong = match definitions.get(&name) {
            None => Some(format!("has the type {part}, but no type @{name} is defined")),
            Some(count) if *count != given => Some(format!(
                "has the type {part} with {given} arguments, but @{name} has {count} type parameters"
            )),
            Some(_) => None,
        };
        wrong.is_some()
    });
    wrong
}

/// A type variable that no function around an op declares, or one that a function declares again.
fn unbound(op: Op) -> Option<String> {
    if op.is(names::relay::CONSTRUCTOR) {
        return None;
    }
    let own = (op.is(names::relay::FN) && op.has_attr(TYPE_PARAMS)).then(|| type_params(op));
    if let Some(own) = &own {
        let around = op.parent().map(declared).unwrap_or_default();
        if let Some(name) = own.iter().find(|name| around.contains(name)) {
            return Some(format!(
                "has the type parameter \"{name}\", which a function around it has, too: give it another name"
            ));
        }
    }
    let mut known = None;
    let mut wrong = None;
    for ty in types_of(op) {
        ty.any_part(&mut |part| {
            let Some(name) = part.as_type_var() else {
                return false;
            };
            let is_known = known.get_or_insert_with(|| declared(op)).contains(&name);
            if !is_known {
                wrong = Some(format!(
                    "has the type variable \"{name}\", which is no type parameter of the function"
                ));
            }
            !is_known
        });
    }
    wrong
}

/// The type parameters of an op and of the functions around it.
fn declared(op: Op) -> Vec<String> {
    let all = std::iter::successors(Some(op), |op| op.parent());
    all.filter(|op| op.is(func::Func::NAME) || op.is(names::relay::FN))
        .flat_map(type_params)
        .collect()
}
