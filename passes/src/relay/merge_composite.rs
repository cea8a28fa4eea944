//! `merge-composite`: functions of what an external code generator computes at once.

use super::{
    partition::make_composites,
    rewrite::{RULES, open},
};
use crate::pattern::rules::RuleSet;
use relay_dialects::{
    ir::Op,
    ops::builtin,
    pass::{Default, OptionSpec, Options, PassFailed, PassResult, PassSpec, fail},
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "merge-composite",
    summary: "move matches of an external code generator's rules into composite functions",
    description: include_str!("merge_composite.md"),
    anchor: builtin::Module::NAME,
    options: &[
        RULES,
        OptionSpec {
            name: "target",
            summary: "the rules of a built-in code generator, c or dnnl, instead of a file",
            default: Default::Str(""),
        },
    ],
    run,
};

/// What the external code generators take that are built in: the name of each, and its rules.
pub const BUILT_IN: &[(&str, &str)] = &[
    ("c", include_str!("../../rules/c.pat")),
    ("dnnl", include_str!("../../rules/dnnl.pat")),
];

fn run(module: Op, options: &Options) -> PassResult {
    let rules = match options.str("target") {
        "" => open(module, options)?,
        _ if !options.str(RULES.name).is_empty() => {
            return fail(
                module,
                "is given a target and a file of rules; leave one of them out",
            );
        }
        target => of_target(module, target)?,
    };
    make_composites(module, &rules)
}

/// The rules of a code generator that is built in.
pub(super) fn of_target(module: Op, target: &str) -> Result<RuleSet, PassFailed> {
    let known = BUILT_IN.iter().find(|(name, _)| *name == target);
    let Some((name, text)) = known else {
        let names: Vec<&str> = BUILT_IN.iter().map(|(name, _)| *name).collect();
        let names = names.join(", ");
        return fail(
            module,
            format!("knows no rules of '{target}'; those of {names} are built in"),
        );
    };
    RuleSet::load(module, &format!("{name}.pat"), text)
}
