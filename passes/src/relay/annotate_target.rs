//! `annotate-target`: which external code generator writes whose code.

use crate::graph::operators::functions;
use relay_dialects::{
    attrs::{COMPOSITE, TARGET},
    ir::{Attr, Op},
    ops::{builtin, func},
    pass::{Default, OptionSpec, Options, PassResult, PassSpec, fail},
    relay::pattern,
};
use std::collections::HashMap;

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "annotate-target",
    summary: "assign operators to external code generators",
    description: include_str!("annotate_target.md"),
    anchor: builtin::Module::NAME,
    options: &[
        OptionSpec {
            name: "targets",
            summary: "the names of the code generators, separated by commas",
            default: Default::Str(""),
        },
        OptionSpec {
            name: "operators",
            summary: "operators besides composites, each after its code generator: c.exp,c.nn.relu",
            default: Default::Str(""),
        },
    ],
    run,
};

fn run(module: Op, options: &Options) -> PassResult {
    let targets = list(options.str("targets"));
    if targets.is_empty() {
        return fail(module, "needs targets: name them, as in targets=dnnl");
    }
    let mut taken: HashMap<String, &str> = HashMap::new();
    for entry in list(options.str("operators")) {
        let parts = entry.split_once('.');
        let parts = parts.filter(|(target, _)| targets.contains(target));
        let Some((target, operator)) = parts else {
            return fail(
                module,
                format!("is given the operator '{entry}', which begins with none of its targets"),
            );
        };
        // The first of several targets that take an operator has it.
        taken.entry(format!("relay.{operator}")).or_insert(target);
    }
    for function in functions(module) {
        if !function.has_attr(COMPOSITE) {
            function.walk(|op| annotate(module, op, &targets, &taken));
        }
    }
    Ok(())
}

fn annotate(module: Op, op: Op, targets: &[&str], taken: &HashMap<String, &str>) {
    let target = match composite_of(module, op) {
        Some(composite) => composite
            .split_once('.')
            .and_then(|(target, _)| targets.iter().copied().find(|known| *known == target)),
        None if pattern(op).is_some() => taken.get(&op.name()).copied(),
        None => None,
    };
    if let Some(target) = target
        && !op.has_attr(TARGET)
    {
        op.set_attr(TARGET, Attr::str(op.ctx(), target));
    }
}

/// The rule that the function was made by that an op calls.
fn composite_of(module: Op, op: Op) -> Option<String> {
    if !op.is(func::Call::NAME) {
        return None;
    }
    let callee = op.attr("callee")?.as_symbol()?;
    module.lookup(&callee)?.attr(COMPOSITE)?.as_str()
}

fn list(text: &str) -> Vec<&str> {
    let names = text.split(',').map(str::trim);
    names.filter(|name| !name.is_empty()).collect()
}
