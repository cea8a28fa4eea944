//! `to-cps`: functions that hand on what they give.

mod types;

use crate::graph::{calls::is_primitive, operators::functions};
use relay_dialects::{
    attrs::TYPE_PARAMS,
    inferred,
    ir::{Attr, Block, Builder, Op, Type, Value},
    names::relay,
    ops::{builtin, func},
    pass::{Options, PassFailed, PassResult, PassSpec, fail},
    relay::language::type_params,
};
use types::Types;

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "to-cps",
    summary: "convert functions to continuation-passing style",
    description: include_str!("to_cps.md"),
    anchor: builtin::Module::NAME,
    options: &[],
    run,
};

fn run(module: Op, _options: &Options) -> PassResult {
    inferred::check(module)?;
    for name in [relay::GLOBAL, relay::CLOSURE] {
        for op in module.find_all(name) {
            check(module, op)?;
        }
    }
    let types = Types::of(module);
    types.convert_definitions(module);
    let functions = functions(module);
    for function in &functions {
        function.walk(|op| convert(op, &types));
    }
    for function in functions {
        let results = function.function_type();
        let results = results.map(Type::results).unwrap_or_default();
        let results: Vec<Type> = results.iter().map(|ty| types.converted(*ty)).collect();
        let mut open = vec![(
            function.body(),
            change_interface(function, &results, &types),
        )];
        while let Some((block, next)) = open.pop() {
            rewrite(module, block, next, &types, &mut open)?;
        }
    }
    Ok(())
}

/// Checks that a function that is a value can hand on what it gives.
fn check(module: Op, op: Op) -> PassResult {
    let function = called(module, op);
    match function.filter(|function| function.block_in(0).is_some() && !is_primitive(*function)) {
        Some(_) => Ok(()),
        None => fail(
            op,
            "makes a value of a function of operators or without a body, which cannot hand on its result: call it in a \
             relay.fn",
        ),
    }
}

fn called(module: Op, op: Op) -> Option<Op> {
    module.lookup(&op.attr("callee").and_then(Attr::as_symbol)?)
}

/// Gives what an op defines the types that it has afterwards.
fn convert(op: Op, types: &Types) {
    let regions = op.regions().into_iter();
    let blocks = regions.flat_map(|region| region.blocks());
    let arguments = blocks.flat_map(|block| block.args());
    for value in op.results().into_iter().chain(arguments) {
        value.set_ty(types.converted(value.ty()));
    }
}

/// Gives a function of the module the argument that gets its results; returns it.
fn change_interface(function: Op, results: &[Type], types: &Types) -> Value {
    let ctx = function.ctx();
    let next = function.add_parameter(Type::function(ctx, results, &[types.answer]));
    let inputs: Vec<Type> = function
        .body()
        .args()
        .iter()
        .map(|value| value.ty())
        .collect();
    let ty = Type::function(ctx, &inputs, &[types.answer]);
    function.set_attr("function_type", Attr::ty(ty));
    // The names of results in the model are those of what the other function gets.
    function.remove_attr("res_attrs");
    let mut params = type_params(function);
    params.push(types.name.clone());
    let params: Vec<Attr> = params.iter().map(|name| Attr::str(ctx, name)).collect();
    function.set_attr(TYPE_PARAMS, Attr::array(ctx, &params));
    next
}

/// Makes the ops of a block hand on what it gives to `next`. What it begins and leaves to be rewritten is added to `open`.
fn rewrite(
    module: Op,
    block: Block,
    next: Value,
    types: &Types,
    open: &mut Vec<(Block, Value)>,
) -> Result<(), PassFailed> {
    for op in block.ops() {
        if op.is(relay::FN) {
            open.push(hand_on(op, types));
        }
        let is_call = || {
            let function = called(module, op);
            op.is(func::Call::NAME)
                && function.is_some_and(|function| {
                    function.block_in(0).is_some() && !is_primitive(function)
                })
        };
        if op.is(relay::CALL) || is_call() {
            let then = rest(op, next, types, open);
            call(op, then, types);
            return Ok(());
        }
        if op.is(relay::IF) || op.is(relay::MATCH) {
            let then = rest(op, next, types, open);
            let branches = branch(op, types);
            open.extend(branches.into_iter().map(|block| (block, then)));
            return Ok(());
        }
    }
    let Some(end) = block.terminator() else {
        return match block.parent() {
            Some(parent) => fail(parent, "has a region without an end"),
            None => Err(PassFailed),
        };
    };
    let operands = [&[next], &end.operands()[..]].concat();
    let answer = Builder::before(end).value(relay::CALL, &operands, types.answer, &[]);
    end.set_operands(&[answer]);
    Ok(())
}

/// Gives a function that is a value the argument that gets its result.
fn hand_on(op: Op, types: &Types) -> (Block, Value) {
    // Its type says already what it takes.
    let params = op.result(0).ty().as_function().map(|(params, _)| params);
    let last = params.and_then(|params| params.last().copied());
    let next = op.body().add_arg(last.unwrap_or(types.answer));
    if let Some(mut names) = op.attr("names").and_then(Attr::as_array) {
        names.push(Attr::str(op.ctx(), "k"));
        op.set_attr("names", Attr::array(op.ctx(), &names));
    }
    (op.body(), next)
}

/// Makes a function of what comes after an op in its block, whose arguments are the results of the op; it is `next`
/// itself if that gets just these results. The block then ends with the op.
fn rest(op: Op, next: Value, types: &Types, open: &mut Vec<(Block, Value)>) -> Value {
    let results = op.results();
    let follows = op.next();
    if let Some(end) = follows.filter(|end| end.next().is_none() && end.operands() == results) {
        end.erase();
        return next;
    }
    let ctx = op.ctx();
    let inputs: Vec<Type> = results.iter().map(|value| value.ty()).collect();
    let body = Block::at(op.loc(), &inputs);
    let mut at = follows;
    while let Some(moved) = at {
        at = moved.next();
        if at.is_none() {
            let b = Builder::at_end(body, moved.loc(), ctx);
            b.op(relay::YIELD, &moved.operands(), &[], &[]);
            moved.erase();
        } else {
            moved.detach();
            body.append(moved);
        }
    }
    for (result, argument) in results.into_iter().zip(body.args()) {
        result.replace_all_uses_with(argument);
    }
    let ty = Type::function(ctx, &inputs, &[types.answer]);
    let function = Builder::before(op).region_op(relay::FN, &[], &[ty], &[], &[Some(body)]);
    open.push((body, next));
    function.result(0)
}

/// Ends a block with its last op's result: the answer.
fn end(op: Op, answer: Value) {
    let name = match op.parent() {
        Some(parent) if parent.is(func::Func::NAME) => func::Return::NAME,
        _ => relay::YIELD,
    };
    Builder::after(op).op(name, &[answer], &[], &[]);
}

/// Makes a call that hands on to `next`.
fn call(op: Op, next: Value, types: &Types) {
    let b = Builder::before(op);
    let mut operands = op.operands();
    operands.push(next);
    if op.is(func::Call::NAME) {
        let inputs: Vec<Type> = operands.iter().map(|value| value.ty()).collect();
        let ty = Type::function(op.ctx(), &inputs, &[types.answer]);
        let callee = op.attr("callee").unwrap_or(Attr::unit(op.ctx()));
        operands.insert(0, b.value(relay::GLOBAL, &[], ty, &[("callee", callee)]));
    }
    let answer = b.value(relay::CALL, &operands, types.answer, &[]);
    end(op, answer);
    op.erase();
}

/// Makes a choice between blocks one whose result is the answer; gives the blocks.
fn branch(op: Op, types: &Types) -> Vec<Block> {
    let old: Vec<Block> = (op.regions().into_iter())
        .filter_map(|region| region.first_block())
        .collect();
    let new = old.iter().map(|old| {
        let inputs: Vec<Type> = old.args().iter().map(|value| value.ty()).collect();
        let new = Block::at(op.loc(), &inputs);
        for (old, new) in old.args().into_iter().zip(new.args()) {
            old.replace_all_uses_with(new);
        }
        for inner in old.ops() {
            inner.detach();
            new.append(inner);
        }
        new
    });
    let new: Vec<Block> = new.collect();
    let attrs = op.attrs();
    let attrs = relay_dialects::ir::named(&attrs);
    let blocks: Vec<Option<Block>> = new.iter().map(|block| Some(*block)).collect();
    let b = Builder::before(op);
    let answer = b.region_op(&op.name(), &op.operands(), &[types.answer], &attrs, &blocks);
    end(op, answer.result(0));
    op.erase();
    new
}
