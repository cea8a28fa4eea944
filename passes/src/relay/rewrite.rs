//! `rewrite`: rules of a file, applied until none matches.

use crate::{
    graph::operators::functions,
    pattern::{rewriter::Rewriter, rules::RuleSet},
};
use relay_dialects::{
    ir::Op,
    ops::builtin,
    pass::{Default, OptionSpec, Options, PassFailed, PassResult, PassSpec, fail},
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "rewrite",
    summary: "apply the rules of a file until none matches",
    description: include_str!("rewrite.md"),
    anchor: builtin::Module::NAME,
    options: &[
        RULES,
        OptionSpec {
            name: "report",
            summary: "print on stderr the number of applications of each rule",
            default: Default::Bool(false),
        },
    ],
    run,
};

/// The option of passes that read rules.
pub(super) const RULES: OptionSpec = OptionSpec {
    name: "rules",
    summary: "the rule file; the option's name is optional",
    default: Default::Str(""),
};

fn run(module: Op, options: &Options) -> PassResult {
    let rules = open(module, options)?;
    if let Some(rule) = rules.rules().iter().find(|rule| !rule.has_replacement()) {
        rules.emit_error(
            module.ctx(),
            rule,
            "this rule says not 'with' what to replace its match",
        );
        return Err(PassFailed);
    }
    let mut rewriter = Rewriter::new(&rules);
    let done = functions(module)
        .into_iter()
        .try_for_each(|function| rewriter.apply(function));
    if options.bool("report") {
        rewriter.report();
    }
    done
}

/// The rules that the option names.
pub(super) fn open(module: Op, options: &Options) -> Result<RuleSet, PassFailed> {
    match options.str(RULES.name) {
        "" => fail(module, "needs rules: name their file, as in rules=FILE"),
        path => RuleSet::open(module, path),
    }
}
