//! `split-args`: concatenations of few operands each.

use crate::graph::{operators::remake, rewrite};
use relay_dialects::{
    inferred,
    ir::{Builder, Op, Value},
    names,
    ops::func,
    pass::{Default, OptionSpec, Options, PassResult, PassSpec, fail},
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "split-args",
    summary: "split concatenations with many operands",
    description: include_str!("split_args.md"),
    anchor: func::Func::NAME,
    options: &[OptionSpec {
        name: "max-function-args",
        summary: "the maximum number of operands and results of one operator; 0 for any number",
        default: Default::Int(0),
    }],
    run,
};

fn run(function: Op, options: &Options) -> PassResult {
    let most = options.int("max-function-args");
    if most == 0 {
        return Ok(());
    }
    // Two operands and a result: with fewer, nothing could be concatenated.
    let limit = usize::try_from(most - 1).unwrap_or_default();
    if limit < 2 {
        return fail(
            function,
            format!("max-function-args is {most}, expected 0 or at least 3"),
        );
    }
    inferred::check(function)?;
    for op in rewrite::operators(function) {
        if op.is(names::relay::CONCATENATE) && op.operand_count() > limit {
            split(op, limit);
        }
    }
    Ok(())
}

/// Puts concatenations of `limit` operands at most in the place of one: each but the first begins with the one before.
fn split(op: Op, limit: usize) {
    let builder = Builder::before(op);
    let operands = op.operands();
    let (first, rest) = operands.split_at(limit);
    let begin = remake(&builder, op, first, &[]);
    let next = |done: Value, more: &[Value]| {
        let operands = [&[done], more].concat();
        remake(&builder, op, &operands, &[])
    };
    let whole = rest.chunks(limit - 1).fold(begin, next);
    op.replace_with(&[whole]);
}
