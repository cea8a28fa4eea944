//! `simplify-fc-transpose`: weights that come transposed, in the place of transposes of them.

use crate::graph::operators::make;
use relay_dialects::{
    attrs::NAME,
    inferred,
    ir::{Attr, Builder, Op, Type, Value},
    names,
    ops::{builtin, func},
    pass::{Default, OptionSpec, Options, PassResult, PassSpec, fail},
    relay::Attrs,
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "simplify-fc-transpose",
    summary: "transpose parameters that nn.dense reads through a transpose",
    description: include_str!("simplify_fc_transpose.md"),
    anchor: builtin::Module::NAME,
    options: &[
        OptionSpec {
            name: "target-weight-names",
            summary: "names of weights in the model, separated by commas",
            default: Default::Str(""),
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
    let name = options.str("function");
    let Some(function) = module.lookup(name).filter(|op| op.block_in(0).is_some()) else {
        return fail(module, format!("has no function @{name} with a body"));
    };
    let calls = |op: Op| {
        let callee = op.attr("callee").and_then(Attr::as_symbol);
        op.is(func::Call::NAME) && callee.as_deref() == Some(name)
    };
    if let Some(call) = module.find(calls) {
        return fail(
            call,
            format!("calls @{name}, and would give it weights as they were"),
        );
    }
    let weights = options.str("target-weight-names").split(',').map(str::trim);
    for weight in weights.filter(|weight| !weight.is_empty()) {
        let wrong = |reason: &str| {
            let message = format!("target-weight-names names '{weight}', {reason}");
            fail(function, message)
        };
        let Some(place) = place(function, weight) else {
            return wrong("which is no parameter");
        };
        let value = function.body().arg(place);
        if !is_read_transposed(value) {
            return wrong("which no nn.dense reads transposed");
        }
        turn(function, value);
        rename(function, place, &format!("{weight}.T"));
    }
    Ok(())
}

/// The number of the parameter of this name.
fn place(function: Op, name: &str) -> Option<usize> {
    let attrs = function.attr("arg_attrs").and_then(Attr::as_array)?;
    let is_named = |entry: &Attr| entry.get(NAME).is_some_and(|text| text.is_str(name));
    attrs.iter().position(is_named)
}

/// Whether this exchanges the dimensions of a matrix.
fn is_transpose(op: Op) -> bool {
    let axes = || Attrs::of(op).ints("axes").unwrap_or_default();
    op.is(names::relay::TRANSPOSE) && [&[][..], &[1, 0]].contains(&&axes()[..])
}

/// Whether the transpose of a matrix is the weight of an `nn.dense`.
fn is_read_transposed(value: Value) -> bool {
    let is_weight = |op: &Op| {
        let uses = op.result(0).uses();
        uses.iter()
            .any(|(user, place)| user.is(names::relay::NN_DENSE) && *place == 1)
    };
    let mut readers = value.users().into_iter().filter(|op| is_transpose(*op));
    value.ty().shape().len() == 2 && readers.any(|op| is_weight(&op))
}

/// Makes a matrix of a function's parameters its transpose.
fn turn(function: Op, value: Value) {
    let ty = value.ty();
    let shape: Vec<i64> = ty.shape().into_iter().rev().collect();
    let uses = value.uses();
    value.set_ty(Type::tensor(&shape, ty.element()));
    let mut back = None;
    for (user, place) in uses {
        if is_transpose(user) {
            user.replace_with(&[value]);
            continue;
        }
        let back = *back.get_or_insert_with(|| {
            let builder = Builder::at_start(function.body(), function.loc(), function.ctx());
            let axes = [("axes", Attr::ints(builder.ctx, &[1, 0]))];
            make(&builder, names::relay::TRANSPOSE, &[value], &axes)
        });
        user.set_operand(place, back);
    }
    let arguments = function.body().args();
    let inputs: Vec<Type> = arguments.iter().map(|argument| argument.ty()).collect();
    let old = function.function_type();
    let results = old.map(Type::results).unwrap_or_default();
    let new = Type::function(function.ctx(), &inputs, &results);
    function.set_attr("function_type", Attr::ty(new));
}

/// Gives a parameter another name in the model.
fn rename(function: Op, place: usize, name: &str) {
    let attrs = function.attr("arg_attrs").and_then(Attr::as_array);
    let mut attrs = attrs.unwrap_or_default();
    if let Some(entry) = attrs.get_mut(place) {
        *entry = entry.with(NAME, Attr::str(function.ctx(), name));
        function.set_attr("arg_attrs", Attr::array(function.ctx(), &attrs));
    }
}
