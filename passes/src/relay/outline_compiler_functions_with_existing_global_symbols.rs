//! `outline-compiler-functions-with-existing-global-symbols`: function values that are for external code generators.

mod lifting;

use crate::graph::external::{TARGET, declare, mark_constants, part};
use lifting::{Results, calls_of, lift, replace_calls};
use relay_dialects::{
    attrs::{COMPILER, GLOBAL_SYMBOL},
    ir::{Attr, Builder, Op, Type},
    names,
    ops::{builtin, func},
    pass::{Options, PassResult, PassSpec, fail},
    tir::KernelKind,
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "outline-compiler-functions-with-existing-global-symbols",
    summary: "outline function values for external code generators",
    description: include_str!("outline_compiler_functions_with_existing_global_symbols.md"),
    anchor: builtin::Module::NAME,
    options: &[TARGET],
    run,
};

fn run(module: Op, options: &Options) -> PassResult {
    let target = options.str(TARGET.name);
    let mut wanted = Vec::new();
    for function in module.functions() {
        for value in function.find_all(names::relay::FN) {
            let compiler = value.attr(COMPILER).and_then(Attr::as_str);
            let compiler = compiler.filter(|name| target.is_empty() || name == target);
            wanted.extend(compiler.map(|compiler| (value, compiler)));
        }
    }
    wanted
        .into_iter()
        .try_for_each(|(value, compiler)| outline(module, value, &compiler))
}

/// Makes an external function of a function value that is called, if there is none of its name, and has the calls call that.
fn outline(module: Op, value: Op, compiler: &str) -> PassResult {
    let calls = calls_of(value);
    let Some(first) = calls.first() else {
        return Ok(());
    };
    let name = value.attr(GLOBAL_SYMBOL).and_then(Attr::as_str);
    let Some(name) = name else {
        return fail(
            value,
            format!("is for '{compiler}' and has no {GLOBAL_SYMBOL} to be its name"),
        );
    };
    let part = part(module, compiler);
    let inputs: Vec<Type> = value.body().args().iter().map(|value| value.ty()).collect();
    let results = Results::of(value);
    let declared = Type::function(module.ctx(), &inputs, &results.types());
    match module.lookup(&name) {
        None => {
            let function = lift(part, value, &name)?;
            let around = value.ancestor(func::Func::NAME).unwrap_or(value);
            let before = Builder::before(around).with_loc(value.loc());
            declare(&before, &name, &inputs, &results.types());
            if calls.len() == 1 {
                mark_constants(function, &first.operands()[1..]);
            }
        }
        Some(known) => {
            let is_same = known.attr("function_type") == Some(Attr::ty(declared))
                && KernelKind::External.is_of(known)
                && part.lookup(&name).is_some();
            if !is_same {
                return fail(value, format!("is to be @{name}, which is there already"));
            }
        }
    }
    replace_calls(value, &name, &results);
    Ok(())
}
