//! `extract-intermediate-expr`: a function that ends with one of its values.

use crate::graph::{calls::CallGraph, operators::functions};
use relay_dialects::{
    ir::{Attr, Op, Type},
    names,
    ops::builtin,
    pass::{Default, OptionSpec, Options, PassResult, PassSpec, fail},
    rewrite,
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "extract-intermediate-expr",
    summary: "return the result of one of a function's operators",
    description: include_str!("extract_intermediate_expr.md"),
    anchor: builtin::Module::NAME,
    options: &[
        OptionSpec {
            name: "operator",
            summary: "the operator: its number in the function, from 0, or the name of its node in the model",
            default: Default::Str("0"),
        },
        OptionSpec {
            name: "function",
            summary: "the function",
            default: Default::Str("main"),
        },
    ],
    run,
};

fn run(module: Op, options: &Options) -> PassResult {
    let name = options.str("function");
    let mut all = functions(module).into_iter();
    let Some(function) = all.find(|op| op.symbol().as_deref() == Some(name)) else {
        return fail(module, format!("has no function @{name} with a body"));
    };
    if let Some(namer) = CallGraph::of(module).namer_of(function) {
        return fail(
            namer,
            format!("names @{name}, whose results would not be what they are here"),
        );
    }
    let wanted = options.str("operator").trim();
    let top = function.body();
    let found = rewrite::operators(function).into_iter();
    let found: Vec<Op> = found
        .filter(|op| op.block() == Some(top) && !op.is(names::relay::CONSTANT))
        .collect();
    let op = match wanted.parse::<usize>() {
        Ok(number) => found.get(number),
        // A node may have become several operators: the last one gives what the node gave.
        Err(_) => found
            .iter()
            .rfind(|op| op.loc().names().iter().any(|name| name == wanted)),
    };
    let Some(op) = op else {
        return fail(
            function,
            format!("has {} operators, but none '{wanted}'", found.len()),
        );
    };
    end_with(function, *op);
    Ok(())
}

/// Has a function return the results of one of its ops, and drops what is behind that.
fn end_with(function: Op, op: Op) {
    let body = function.body();
    let Some(end) = body.terminator() else { return };
    let results = op.results();
    end.set_operands(&results);
    let types: Vec<Type> = results.iter().map(|value| value.ty()).collect();
    let inputs: Vec<Type> = body.args().iter().map(|value| value.ty()).collect();
    let ty = Type::function(function.ctx(), &inputs, &types);
    function.set_attr("function_type", Attr::ty(ty));
    function.remove_attr("res_attrs");
    // Those behind go from the end on: nothing that stays reads them.
    for behind in body.ops().into_iter().rev() {
        if behind == op {
            break;
        }
        if behind != end {
            behind.erase();
        }
    }
}
