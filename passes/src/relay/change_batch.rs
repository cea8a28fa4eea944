//! `change-batch`: a model for another number of samples.

use crate::graph::calls::CallGraph;
use relay_dialects::{
    attrs::NAME,
    inferred,
    ir::{Attr, Op, Type, Value},
    names,
    pass::{Default, OptionSpec, Options, PassFailed, PassResult, PassSpec, fail, run_inside},
    relay::{is_operator, relation::normalize_axis},
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "change-batch",
    summary: "give a function's parameters another number of samples",
    description: include_str!("change_batch.md"),
    anchor: "builtin.module",
    options: &[
        OptionSpec {
            name: "data",
            summary: "the parameters with their dimension of samples: x:0,y:1; by name in the model, or by number",
            default: Default::Str("0:0"),
        },
        OptionSpec {
            name: "batch-size",
            summary: "how many samples there will be",
            default: Default::Int(16),
        },
        OptionSpec {
            name: "function",
            summary: "the function whose parameters they are",
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
            reopen(function, function == main);
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

/// The number of the parameter with this name in the model, or of this number.
fn place(function: Op, name: &str) -> Option<usize> {
    let attrs = function.attr("arg_attrs").and_then(Attr::as_array);
    let mut attrs = attrs.unwrap_or_default().into_iter();
    let is_named = |entry: Attr| entry.get(NAME).is_some_and(|text| text.is_str(name));
    attrs.position(is_named).or_else(|| name.parse().ok())
}

/// Leaves open the types of all that is computed in a function, and of its parameters unless it is the `main` one.
fn reopen(function: Op, is_main: bool) {
    let open = Type::incomplete(function.ctx());
    let arguments = function.body().args();
    if !is_main {
        arguments.iter().for_each(|argument| argument.set_ty(open));
    }
    function.walk(|op| {
        let is_computed = is_operator(op) && !op.is(names::relay::CONSTANT);
        if is_computed || op.is("func.call") {
            // The type of a function that is a value is written at its parameters.
            let holds_tensors = |ty: Type| ty.is_tensor() || ty.fields().is_some();
            let results = op.results().into_iter();
            results
                .filter(|result| holds_tensors(result.ty()))
                .for_each(|result| result.set_ty(open));
        }
    });
    // Who calls it goes by this type.
    let old = function.attr("function_type").and_then(Attr::as_type);
    let results = vec![open; old.map(Type::results).unwrap_or_default().len()];
    let inputs: Vec<Type> = arguments.iter().map(|argument| argument.ty()).collect();
    let new = Type::function(function.ctx(), &inputs, &results);
    function.set_attr("function_type", Attr::ty(new));
}
