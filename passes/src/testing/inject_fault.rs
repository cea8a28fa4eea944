//! `inject-fault`: makes one node wrong, for tests of what finds such a node.

use relay_dialects::{
    Element,
    ir::{Builder, Op},
    names,
    ops::builtin,
    pass::{Default, OptionSpec, Options, PassResult, PassSpec, fail},
    relay::{build, pattern},
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "inject-fault",
    summary: "make a node compute a wrong result, to test tools that find such nodes",
    description: include_str!("inject_fault.md"),
    anchor: builtin::Module::NAME,
    options: &[OptionSpec {
        name: "node",
        summary: "the node, by its name in the model",
        default: Default::Str(""),
    }],
    run,
};

fn run(module: Op, options: &Options) -> PassResult {
    let node = options.str("node");
    let mut found = None;
    module.walk(|op| {
        let is_number = |op: Op| {
            let ty = op.result(0).ty();
            ty.is_tensor()
                && Element::of(ty.element()).is_some_and(|element| element != Element::Bool)
        };
        let is_named = op.loc().names().iter().any(|name| name == node);
        if pattern(op).is_some() && is_named && is_number(op) {
            found = Some(op);
        }
    });
    let Some(op) = found else {
        return fail(
            module,
            format!("no operator of node '{node}' computes numbers here"),
        );
    };
    let result = op.result(0);
    let uses = result.uses();
    let builder = Builder::after(op);
    let one = build::scalar(&builder, result.ty().element(), 1.0);
    let wrong = build::make(&builder, names::relay::ADD, &[result, one], &[]);
    for (user, index) in uses {
        user.set_operand(index, wrong);
    }
    Ok(())
}
