//! `partial-evaluate`: runs a program as far as it is known.

mod constants;
mod effects;
mod fuel;
mod machine;
mod residual;
mod state;
mod value;

use crate::{
    graph::{operators::functions, rewrite},
    relay::monomorphize,
};
use relay_dialects::{
    inferred,
    ir::{Block, Op},
    ops::builtin,
    pass::{Default, OptionSpec, Options, PassResult, PassSpec},
};
use state::Machine;

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "partial-evaluate",
    summary: "evaluate known calls, matches and branches",
    description: include_str!("partial_evaluate.md"),
    anchor: builtin::Module::NAME,
    options: &[OptionSpec {
        name: "max-calls",
        summary: "the maximum number of calls to evaluate; the others stay",
        default: Default::Int(256),
    }],
    run,
};

fn run(module: Op, options: &Options) -> PassResult {
    inferred::check(module)?;
    (monomorphize::SPEC.run)(module, &Options::defaults(&monomorphize::SPEC))?;
    let mut machine = Machine::new(module, options);
    let functions = functions(module);
    let mut bodies = Vec::new();
    // All functions are read as they were: the new bodies take their places in the end.
    for function in &functions {
        bodies.push(machine.body(*function)?);
    }
    for (function, body) in functions.iter().zip(bodies) {
        replace_body(*function, body);
    }
    functions.into_iter().for_each(rewrite::erase_dead);
    Ok(())
}

/// Puts the ops of a block into the place of those of a function.
fn replace_body(function: Op, new: Block) {
    let old = function.body();
    old.ops().into_iter().rev().for_each(Op::erase);
    for (argument, parameter) in new.args().into_iter().zip(old.args()) {
        argument.replace_all_uses_with(parameter);
    }
    for op in new.ops() {
        op.detach();
        old.append(op);
    }
}
