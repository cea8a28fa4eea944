//! `partition`: what rules match, as functions of their own.

use super::rewrite::{RULES, open};
use crate::{
    graph::operators::functions,
    pattern::{
        group::Group,
        rules::{Rule, RuleSet},
    },
};
use relay_dialects::{
    attrs::{COMPOSITE, PARTITIONED},
    inferred,
    ir::{Attr, Builder, Loc, Op, Type, Value},
    ops::{builtin, func},
    pass::{Options, PassFailed, PassResult, PassSpec},
    rewrite,
};
use std::collections::{HashMap, HashSet};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "partition",
    summary: "move matches of the rules in a file into functions",
    description: include_str!("partition.md"),
    anchor: builtin::Module::NAME,
    options: &[RULES],
    run,
};

fn run(module: Op, options: &Options) -> PassResult {
    make_composites(module, &open(module, options)?)
}

/// Makes functions of what rules match in the functions of a module.
pub(super) fn make_composites(module: Op, rules: &RuleSet) -> PassResult {
    if let Some(rule) = rules.rules().iter().find(|rule| rule.has_replacement()) {
        let message =
            "this rule says 'with' what to replace its match, and here it becomes a function";
        rules.emit_error(module.ctx(), rule, message);
        return Err(PassFailed);
    }
    inferred::check(module)?;
    let is_plain = |function: &Op| !function.has_attr(PARTITIONED);
    for rule in rules.rules() {
        for function in functions(module).into_iter().filter(is_plain) {
            partition(module, function, rules, rule)?;
        }
    }
    Ok(())
}

/// Makes functions of what one rule matches in a function, from its end to its start, as TVM does.
fn partition(module: Op, function: Op, rules: &RuleSet, rule: &Rule) -> PassResult {
    let mut taken: HashSet<Op> = HashSet::new();
    for root in rewrite::operators(function).into_iter().rev() {
        // What was taken is gone, and a handle of it names nothing.
        if taken.contains(&root) {
            continue;
        }
        let Some(found) = rules.find(rule, root)? else {
            continue;
        };
        let Some(group) = Group::of(&found, root) else {
            continue;
        };
        let constants = group.constants.iter().filter_map(|value| value.def());
        for op in constants.chain(group.ops.iter().copied()) {
            op.walk(|op| taken.extend([op]));
        }
        outline(module, &group, rule.name());
    }
    Ok(())
}

/// Moves a group into a function of a module, and calls it; the call.
pub(super) fn outline(module: Op, group: &Group, rule: &str) -> Op {
    let ctx = module.ctx();
    let types = |values: &[Value]| -> Vec<Type> { values.iter().map(|value| value.ty()).collect() };
    let results = group.root.results();
    let attrs = [
        ("sym_visibility", Attr::str(ctx, "private")),
        (COMPOSITE, Attr::str(ctx, rule)),
        (PARTITIONED, Attr::str(ctx, &group.name())),
    ];
    let name = fresh_name(module, rule);
    let location = Loc::fused(
        ctx,
        &group.ops.iter().map(|op| op.loc()).collect::<Vec<_>>(),
    );
    let function = Builder::at_end(module.body(), location, ctx).func(
        &name,
        &types(&group.inputs),
        &types(&results),
        &attrs,
    );
    let call = Builder::before(group.root).call(&name, &group.inputs, &types(&results));
    let body = function.body();
    let inside = Builder::at_end(body, location, ctx);
    let mut known: HashMap<Value, Value> = group.inputs.iter().copied().zip(body.args()).collect();
    for constant in &group.constants {
        if let Some(op) = constant.def() {
            known.insert(*constant, inside.insert(op.clone_detached()).result(0));
        }
    }
    for (result, called) in results.iter().zip(call.results()) {
        result.replace_all_uses_with(called);
    }
    for op in &group.ops {
        op.detach();
        inside.insert(*op);
        op.walk(|op| read_from(op, &known));
    }
    func::Return::build(&inside, &results);
    for constant in group.constants.iter().filter(|value| !value.is_used()) {
        if let Some(op) = constant.def() {
            op.erase();
        }
    }
    call
}

/// Has an op read a function's parameters and constants in the place of what was outside.
fn read_from(op: Op, known: &HashMap<Value, Value>) {
    for (index, value) in op.operands().into_iter().enumerate() {
        if let Some(inner) = known.get(&value) {
            op.set_operand(index, *inner);
        }
    }
}

/// A name that no symbol of the module has.
pub(super) fn fresh_name(module: Op, rule: &str) -> String {
    let symbols: HashSet<String> = module
        .body()
        .ops()
        .into_iter()
        .filter_map(Op::symbol)
        .collect();
    let name = |number: usize| format!("{}_{number}", rule.replace('.', "_"));
    (0..)
        .map(name)
        .find(|name| !symbols.contains(name))
        .unwrap_or_default()
}
