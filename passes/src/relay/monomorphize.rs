//! `monomorphize`: a function for each set of types that a function with type parameters is used with.

mod local;

use crate::graph::names::fresh;
use relay_dialects::{
    attrs::TYPE_PARAMS,
    inferred,
    ir::{Attr, Bindings, Builder, Op, Type},
    names::relay,
    ops::builtin,
    pass::{Options, PassResult, PassSpec, fail},
    relay::language::type_params,
};
use std::collections::HashMap;

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "monomorphize",
    summary: "copy functions with type parameters for each set of types",
    description: include_str!("monomorphize.md"),
    anchor: builtin::Module::NAME,
    options: &[],
    run,
};

/// The most instances of a module, and the most parts of a type that one of them is for. Programs of people have dozens.
const INSTANCE_LIMIT: usize = 4096;
const PART_LIMIT: usize = 4096;

fn run(module: Op, _options: &Options) -> PassResult {
    inferred::check(module)?;
    let (generic, mut open): (Vec<Op>, Vec<Op>) =
        (module.functions().into_iter()).partition(|function| !type_params(*function).is_empty());
    let mut instances = HashMap::new();
    let mut made = 0;
    while let Some(function) = open.pop() {
        local::instantiate(function, &mut made)?;
        for user in [relay::GLOBAL, relay::CLOSURE] {
            for op in function.find_all(user) {
                open.extend(instantiate(module, op, &mut instances)?);
            }
        }
    }
    generic.into_iter().for_each(Op::erase);
    Ok(())
}

/// Makes an op that names a function with type parameters name an instance of it; returns the instance if it is new.
fn instantiate(
    module: Op,
    op: Op,
    instances: &mut HashMap<(String, Type), String>,
) -> Result<Option<Op>, relay_dialects::pass::PassFailed> {
    let name = op.attr("callee").and_then(Attr::as_symbol);
    let Some((name, function)) = name.and_then(|name| Some((name.clone(), module.lookup(&name)?)))
    else {
        return fail(op, "names no function of the module");
    };
    let declared = function.function_type();
    let (Some(declared), false) = (declared, type_params(function).is_empty()) else {
        return Ok(None);
    };
    let used = whole_type(op);
    let mut parts = 0;
    let is_large = used.any_part(&mut |_| {
        parts += 1;
        parts > PART_LIMIT
    });
    if is_large {
        return fail(
            op,
            format!(
                "uses @{name} as a function whose type has more than {PART_LIMIT} parts: does a function use itself \
                 with ever larger types?"
            ),
        );
    }
    let (ty, bindings) = instance_of(function, declared, used);
    let mut made = None;
    let instance = match instances.get(&(name.clone(), ty)) {
        Some(instance) => instance.clone(),
        None if instances.len() == INSTANCE_LIMIT => {
            return fail(
                op,
                format!(
                    "uses @{name}, and the module has more than {INSTANCE_LIMIT} instances of functions: does a \
                     function use itself with ever larger types?"
                ),
            );
        }
        None => {
            let instance = fresh(module, &name);
            made = Some(copy(function, &instance, ty, &bindings));
            instances.insert((name, ty), instance.clone());
            instance
        }
    };
    op.set_attr("callee", Attr::symbol(op.ctx(), &instance));
    Ok(made)
}

/// The type of a function that is declared to be of one type and used at another one, and what its type parameters stand for.
fn instance_of(function: Op, declared: Type, used: Type) -> (Type, Bindings) {
    let params = type_params(function);
    let mut bindings = Bindings::new();
    declared.matches(used, &params, &mut bindings);
    // What stands nowhere in the type may be anything.
    let unit = Type::tuple(function.ctx(), &[]);
    for name in params {
        bindings.entry(name).or_insert(unit);
    }
    (declared.substitute(&bindings), bindings)
}

/// The type that the function has which an op names.
fn whole_type(op: Op) -> Type {
    let ty = op.result(0).ty();
    let captured: Vec<Type> = op.operands().iter().map(|value| value.ty()).collect();
    ty.as_function().map_or(ty, |(params, result)| {
        Type::function(op.ctx(), &[captured, params].concat(), &[result])
    })
}

/// A copy of a function, with types for its type parameters.
fn copy(function: Op, name: &str, ty: Type, bindings: &Bindings) -> Op {
    let ctx = function.ctx();
    let copy = Builder::after(function).insert(function.clone_detached());
    copy.set_attr("sym_name", Attr::str(ctx, name));
    copy.set_attr("sym_visibility", Attr::str(ctx, "private"));
    copy.set_attr("function_type", Attr::ty(ty));
    copy.remove_attr(TYPE_PARAMS);
    substitute(copy, bindings);
    copy
}

/// Gives the values of a function types for its type parameters.
fn substitute(function: Op, bindings: &Bindings) {
    function.walk(|op| {
        let regions = op.regions().into_iter();
        let blocks = regions.flat_map(|region| region.blocks());
        let arguments = blocks.flat_map(|block| block.args());
        for value in op.results().into_iter().chain(arguments) {
            value.set_ty(value.ty().substitute(bindings));
        }
    });
}
