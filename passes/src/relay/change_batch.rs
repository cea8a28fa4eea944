//! `change-batch`: a model for another number of samples.

use crate::graph::{
    calls::CallGraph,
    retype::{place, reopen_function},
};
use relay_dialects::{
    inferred,
    ir::{Op, Type, Value},
    names,
    ops::builtin,
    pass::{Default, OptionSpec, Options, PassFailed, PassResult, PassSpec, fail, run_inside},
    relay::relation::normalize_axis,
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "change-batch",
    summary: "change the batch size of a function's parameters",
    description: include_str!("change_batch.md"),
    anchor: builtin::Module::NAME,
    options: &[
        OptionSpec {
            name: "data",
            summary: "the parameters with their batch dimension: x:0,y:1; by name in the model, or by number",
            default: Default::Str("0:0"),
        },
        OptionSpec {
            name: "batch-size",
            summary: "the new batch size",
            default: Default::Int(16),
        },
        OptionSpec {
            name: "function",
            summary: "the function with these parameters",
            default: Default::Str("main"),
        },
    ],
    run,
};

fn run(module: Op, options: &Options) -> PassResult {
    inferred::check(module)?;
    let samples = options.int("batch-size");
    if samples < 1 {
        return fail(
            module,
            format!("batch-size is {samples}, expected at least 1"),
        );
    }
    if let Some(call) = module.find(|op| op.is(names::relay::CALL_LOWERED)) {
        return fail(call, "calls a kernel, which is for one number of samples");
    }
    let graph = CallGraph::of(module);
    let name = options.str("function");
    let Some(main) = graph
        .function(name)
        .filter(|main| main.block_in(0).is_some())
    else {
        return fail(module, format!("has no function @{name} with a body"));
    };
    let entries = options.str("data").split(',').map(str::trim);
    let changes = entries
        .filter(|entry| !entry.is_empty())
        .map(|entry| parameter(main, entry))
        .collect::<Result<Vec<(Value, usize)>, PassFailed>>()?;
    let unreached = graph.unreached(&[main]);
    for function in module.functions() {
        if !unreached.contains(&function) {
            reopen_function(function, function == main, |_| true);
        }
    }
    for (value, dim) in changes {
        let mut shape = value.ty().shape();
        shape[dim] = samples;
        value.set_ty(Type::tensor(&shape, value.ty().element()));
    }
    run_inside(module, "infer-type")
}

/// The parameter that `x:0` names, and its dimension of samples.
fn parameter(function: Op, entry: &str) -> Result<(Value, usize), PassFailed> {
    let wrong = |reason: &str| fail(function, format!("data names '{entry}', {reason}"));
    let Some((name, dim)) = entry.rsplit_once(':') else {
        return wrong("without the dimension of its samples");
    };
    let arguments = function.body().args();
    let place = place(function, name.trim());
    let Some(value) = place.and_then(|place| arguments.get(place)).copied() else {
        return wrong("which is no parameter");
    };
    let dim = dim.trim().parse().ok();
    let rank = value.ty().shape().len();
    match dim.and_then(|dim| normalize_axis(dim, rank).ok()) {
        Some(dim) if value.ty().is_tensor() => Ok((value, dim)),
        _ => wrong("which is no dimension of that parameter"),
    }
}
