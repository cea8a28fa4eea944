//! `lambda-lift`: functions of the module out of functions that are values.

use crate::graph::names::fresh;
use relay_dialects::{
    attrs::TYPE_PARAMS,
    ir::{Attr, Builder, Op, Type, Value},
    names::relay,
    ops::{builtin, func},
    pass::{Options, PassResult, PassSpec},
};
use std::collections::HashSet;

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "lambda-lift",
    summary: "turn function values into functions of the module",
    description: include_str!("lambda_lift.md"),
    anchor: builtin::Module::NAME,
    options: &[],
    run,
};

fn run(module: Op, _options: &Options) -> PassResult {
    let mut open = module.functions();
    while let Some(function) = open.pop() {
        // Those inside of others are lifted out of the function that the outer one becomes.
        let outer = function.find_all(relay::FN).into_iter();
        let outer: Vec<Op> = outer
            .filter(|op| op.parent().and_then(|op| around(op, function)).is_none())
            .collect();
        open.extend(outer.into_iter().map(|op| lift(module, function, op)));
    }
    for op in module.find_all(relay::CALL) {
        call_directly(module, op);
    }
    for name in [relay::CLOSURE, relay::GLOBAL] {
        let all = module.find_all(name).into_iter();
        all.filter(|op| !op.is_used()).for_each(Op::erase);
    }
    Ok(())
}

/// The `relay.fn` that is `op` or around it, inside of a function.
fn around(op: Op, function: Op) -> Option<Op> {
    let mut at = Some(op);
    while let Some(op) = at.filter(|op| *op != function) {
        if op.is(relay::FN) {
            return Some(op);
        }
        at = op.parent();
    }
    None
}

/// Whether each function makes an op for itself, because that costs as little as passing it on.
fn is_made_anew(value: Value) -> bool {
    value.def_of(relay::CONSTANT).is_some() || value.def_of(relay::GLOBAL).is_some()
}

/// Makes a function of one that is a value; returns it.
fn lift(module: Op, function: Op, closure: Op) -> Op {
    let ctx = closure.ctx();
    let seen = seen_around(closure);
    let (copied, captured): (Vec<Value>, Vec<Value>) =
        seen.into_iter().partition(|value| is_made_anew(*value));
    let name = format!("{}_fn", function.symbol().unwrap_or_default());
    let name = fresh(module, &name);
    let ty = closure.result(0).ty();
    let (params, result) = ty.as_function().unwrap_or_else(|| (Vec::new(), ty));
    let types: Vec<Type> = captured.iter().map(|value| value.ty()).collect();
    let top = Builder::after(function).with_loc(closure.loc());
    let lifted = top.func(&name, &[types, params].concat(), &[result], &[]);
    lifted.set_attr("sym_visibility", Attr::str(ctx, "private"));
    if let Some(names) = function.attr(TYPE_PARAMS) {
        lifted.set_attr(TYPE_PARAMS, names);
    }
    let callee = [("callee", Attr::symbol(ctx, &name))];

    let (body, old) = (lifted.body(), closure.body());
    let b = Builder::at_end(body, closure.loc(), ctx);
    let mut arguments = body.args().into_iter();
    let mut inside: Vec<(Value, Value)> = captured.iter().copied().zip(&mut arguments).collect();
    for value in copied {
        if let Some(op) = value.def() {
            inside.push((value, b.insert(op.clone_detached()).result(0)));
        }
    }
    let mut parameters = old.args().into_iter();
    if closure.has_attr("recursive")
        && let Some(itself) = parameters.next()
    {
        let first: Vec<Value> = body.args()[..captured.len()].to_vec();
        let made = b.op(relay::CLOSURE, &first, &[ty], &callee).result(0);
        itself.replace_all_uses_with(made);
    }
    for (old, new) in parameters.zip(arguments) {
        old.replace_all_uses_with(new);
    }
    replace_inside(closure, &inside);
    for op in old.ops() {
        if op.is(relay::YIELD) && op.next().is_none() {
            func::Return::build(&b.with_loc(op.loc()), &op.operands());
        } else {
            op.detach();
            body.append(op);
        }
    }
    let made = Builder::before(closure).op(relay::CLOSURE, &captured, &[ty], &callee);
    closure.replace_with(&made.results());
    lifted
}

/// The values around a function that it reads, in the order in which it reads them.
fn seen_around(closure: Op) -> Vec<Value> {
    let mut own = HashSet::new();
    let mut read = Vec::new();
    closure.walk(|op| {
        own.extend(op.results());
        let regions = op.regions().into_iter();
        let blocks = regions.flat_map(|region| region.blocks());
        own.extend(blocks.flat_map(|block| block.args()));
        read.extend(op.operands());
    });
    let mut seen = HashSet::new();
    read.retain(|value| !own.contains(value) && seen.insert(*value));
    read
}

fn replace_inside(closure: Op, pairs: &[(Value, Value)]) {
    closure.walk(|op| {
        for (index, value) in op.operands().into_iter().enumerate() {
            if let Some((_, new)) = pairs.iter().find(|(old, _)| *old == value) {
                op.set_operand(index, *new);
            }
        }
    });
}

/// Makes a call of a value one of the function that the value is, if that has just these types.
fn call_directly(module: Op, op: Op) {
    let operands = op.operands();
    let made = operands[0].def();
    let made = made.filter(|made| made.is(relay::CLOSURE) || made.is(relay::GLOBAL));
    let Some(made) = made else { return };
    let arguments = [&made.operands()[..], &operands[1..]].concat();
    let types: Vec<Type> = arguments.iter().map(|value| value.ty()).collect();
    let ty = Type::function(op.ctx(), &types, &[op.result(0).ty()]);
    let name = made.attr("callee").and_then(Attr::as_symbol);
    let Some(name) = name.filter(|name| {
        let callee = module.lookup(name);
        callee.and_then(|callee| callee.function_type()) == Some(ty)
    }) else {
        return;
    };
    let call = Builder::before(op).call(&name, &arguments, &[op.result(0).ty()]);
    op.replace_with(&call.results());
}
