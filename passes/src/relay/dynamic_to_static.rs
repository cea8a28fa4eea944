//! `dynamic-to-static`: operators whose shape an operand says, with the shape as an attribute.

mod operators;
mod places;
mod sources;

use super::fold_constant::{self, CACHE};
use crate::graph::{
    operators::{constant, functions, is_foldable},
    retype::reopen,
    rewrite,
};
use operators::as_static;
use relay_dialects::{
    inferred,
    ir::{Builder, DYNAMIC, Op, Type, Value},
    names,
    ops::builtin,
    pass::{Default, OptionSpec, Options, PassFailed, PassResult, PassSpec, fail, run_inside},
    relay::{Folded, fold, row_of},
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "dynamic-to-static",
    summary: "replace dynamic operators by static ones if their shapes can be computed",
    description: include_str!("dynamic_to_static.md"),
    anchor: builtin::Module::NAME,
    options: &[
        OptionSpec {
            name: "all",
            summary: "fail if a dynamic operator remains, and print the values that its shape depends on",
            default: Default::Bool(false),
        },
        CACHE,
    ],
    run,
};

fn run(module: Op, options: &Options) -> PassResult {
    if module.find(has_open_shape).is_none() {
        return Ok(());
    }
    inferred::check(module)?;
    loop {
        if make_static(module)? {
            reopen(module, has_unknown_dimension);
            run_inside(module, "infer-type")?;
            continue;
        }
        let open: Vec<Value> = dynamic(module)
            .into_iter()
            .flat_map(shape_operands)
            .collect();
        let is_needed = |value: &Value| constant(*value).is_none() && is_foldable(*value);
        let needed: Vec<Value> = open.into_iter().filter(is_needed).collect();
        if !fold_constant::compute(module, &needed, options)? {
            break;
        }
    }
    functions(module).into_iter().for_each(rewrite::erase_dead);
    match dynamic(module).first() {
        Some(left) if options.bool("all") => {
            let from = sources::of(&shape_operands(*left));
            fail(
                *left,
                format!("has a shape that must be known when compiling, and it depends on {from}"),
            )
        }
        _ => Ok(()),
    }
}

/// Whether this pass has to look at an op.
fn has_open_shape(op: Op) -> bool {
    gives_shape(op) || !shape_operands(op).is_empty()
}

/// Whether an op gives the dimensions of its operand.
fn gives_shape(op: Op) -> bool {
    op.is(names::relay::SHAPE_OF) || op.is(names::relay::VM_SHAPE_OF)
}

/// The operands of an op whose values say its shape.
fn shape_operands(op: Op) -> Vec<Value> {
    let places = row_of(op).map_or(&[][..], |row| row.shape_operands);
    places.iter().map(|&place| op.operand(place)).collect()
}

/// The dynamic operators in the functions of a module.
fn dynamic(module: Op) -> Vec<Op> {
    let all = functions(module).into_iter().flat_map(rewrite::operators);
    all.filter(|op| op.is_used() && !shape_operands(*op).is_empty())
        .collect()
}

/// Makes static operators of those whose shape is constant, and constants of shapes that are known; whether there
/// were any.
fn make_static(module: Op) -> Result<bool, PassFailed> {
    let mut changed = false;
    for op in functions(module).into_iter().flat_map(rewrite::operators) {
        if !op.is_used() || !has_open_shape(op) {
            continue;
        }
        let made = match gives_shape(op) {
            true => known_shape(op).map(|value| vec![value]),
            false => match places::named(module, op) {
                Some(values) => Some(values),
                None => as_static(op)?,
            },
        };
        if let Some(values) = made {
            op.replace_with(&values);
            changed = true;
        }
    }
    Ok(changed)
}

/// The dimensions of what a `shape_of` reads as a constant, where they are known.
fn known_shape(op: Op) -> Option<Value> {
    let Folded::Constant(value) = fold(op, &[None])? else {
        return None;
    };
    let ty = op.result(0).ty();
    Some(Builder::before(op).value(names::relay::CONSTANT, &[], ty, &[("value", value)]))
}

/// Whether a tensor, or one in a tuple, has a dimension that is not known.
fn has_unknown_dimension(ty: Type) -> bool {
    match ty.fields() {
        Some(fields) => fields.into_iter().any(has_unknown_dimension),
        None => ty.is_tensor() && ty.shape().contains(&DYNAMIC),
    }
}
