//! `inline-compiler-functions-bound-to`: takes back what an external code generator was given.

use crate::graph::{
    calls::{erase_unnamed, inline_all},
    external::parts,
    names::fresh,
};
use relay_dialects::{
    attrs::COMPOSITE,
    ir::{Attr, Builder, Op},
    ops::{builtin, func},
    pass::{Default, OptionSpec, Options, PassFailed, PassResult, PassSpec, fail},
};
use std::collections::{HashMap, HashSet};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "inline-compiler-functions-bound-to",
    summary: "inline functions of external code generators",
    description: include_str!("inline_compiler_functions_bound_to.md"),
    anchor: builtin::Module::NAME,
    options: &[OptionSpec {
        name: "functions",
        summary: "the names of the functions, separated by commas",
        default: Default::Str(""),
    }],
    run,
};

fn run(module: Op, options: &Options) -> PassResult {
    let names = options.str("functions").split(',').map(str::trim);
    let found = names
        .filter(|name| !name.is_empty())
        .map(|name| find(module, name))
        .collect::<Result<Vec<(Op, Op)>, PassFailed>>()?;
    let mut bodies = HashSet::new();
    for (part, function) in &found {
        bodies.extend(take_back(module, *part, *function));
    }
    for (part, _) in found {
        let unnamed: HashSet<Op> = part.functions().into_iter().filter(is_composite).collect();
        erase_unnamed(part, &unnamed);
    }
    for part in parts(module, "")
        .into_iter()
        .filter(|part| part.body().first().is_none())
    {
        part.erase();
    }
    inline_all(module, |function| bodies.contains(&function));
    Ok(())
}

fn is_composite(function: &Op) -> bool {
    function.has_attr(COMPOSITE)
}

/// The function of this name, and the module that it is in.
fn find(module: Op, name: &str) -> Result<(Op, Op), PassFailed> {
    let inside = |part: Op| {
        let function = part.lookup(name).filter(|op| !is_composite(op));
        function.map(|function| (part, function))
    };
    let found = parts(module, "").into_iter().find_map(inside);
    found.map_or_else(
        || {
            fail(
                module,
                format!("has no function @{name} of an external code generator"),
            )
        },
        Ok,
    )
}

/// Moves a function to where it is declared, with copies of the composites that it calls. Gives all of these.
fn take_back(module: Op, part: Op, function: Op) -> Vec<Op> {
    let private = Attr::str(module.ctx(), "private");
    let mut bodies = vec![function];
    match function.symbol().and_then(|name| module.lookup(&name)) {
        Some(declaration) => {
            function.move_before(declaration);
            declaration.erase();
        }
        None => function.move_before(part),
    }
    function.set_attr("sym_visibility", private);
    let mut copies: HashMap<String, String> = HashMap::new();
    for call in function.find_all(func::Call::NAME) {
        let callee = call.attr("callee").and_then(Attr::as_symbol);
        let composite = callee.as_ref().and_then(|callee| part.lookup(callee));
        let (Some(callee), Some(composite)) = (callee, composite.filter(is_composite)) else {
            continue;
        };
        let name = copies.entry(callee.clone()).or_insert_with(|| {
            let name = match module.lookup(&callee) {
                None => callee,
                Some(_) => fresh(module, &callee),
            };
            let copy = Builder::before(function).insert(composite.clone_detached());
            copy.set_attr("sym_name", Attr::str(module.ctx(), &name));
            copy.set_attr("sym_visibility", private);
            bodies.push(copy);
            name
        });
        call.set_attr("callee", Attr::symbol(module.ctx(), name));
    }
    bodies
}
