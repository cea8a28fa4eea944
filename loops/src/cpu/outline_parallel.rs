//! `outline-parallel`: a parallel loop becomes a function of a range of its iterations.

use crate::copying::clone_body;
use relay_dialects::{
    attrs, index,
    ir::{Attr, Block, Builder, Op, Type, Value},
    ops::{arith, builtin, func},
    pass::{Options, PassResult, PassSpec, fail},
    tir::{self, For, LoopKind},
};
use std::collections::HashMap;

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "outline-parallel",
    summary: "Move the body of each parallel loop into a function over a range of iterations",
    description: include_str!("outline_parallel.md"),
    anchor: builtin::Module::NAME,
    options: &[],
    run,
};

fn run(module: Op, _options: &Options) -> PassResult {
    for func in module.functions() {
        let loops = func.body().ops().into_iter().filter_map(For::of);
        let parallel = loops.filter(|found| found.kind() == LoopKind::Parallel);
        for (count, found) in parallel.enumerate() {
            let name = format!("{}_parallel_{count}", func.symbol().unwrap_or_default());
            outline(func, found, &name)?;
        }
    }
    Ok(())
}

/// Moves a loop of `func` into a function of its own, and calls that.
fn outline(func: Op, parallel: For, name: &str) -> PassResult {
    let op = parallel.op();
    let captured = captures(op);
    if let Some(value) = captured.iter().find(|value| !value.ty().is_memref()) {
        return fail(
            op,
            format!(
                "is parallel and uses a value of type {} from outside",
                value.ty()
            ),
        );
    }
    let (lower, upper) = parallel.bounds();
    let Some(first) = lower.constant() else {
        return fail(op, "is parallel and starts at a number that is not known");
    };

    write_function(func, parallel, name, &captured, first);

    // The runtime counts iterations from 0.
    let call = Builder::before(op);
    let upper = upper.value(&call);
    let extent = match first {
        0 => upper,
        _ => arith::SubI::build(&call, upper, call.index(first)),
    };
    let operands: Vec<Value> = [call.index(0), extent]
        .into_iter()
        .chain(captured)
        .collect();
    call.call(name, &operands, &[]);
    op.erase();
    Ok(())
}

/// The function of a range of a loop's iterations, counted from 0, and of what the loop uses from outside.
fn write_function(func: Op, parallel: For, name: &str, captured: &[Value], first: i64) {
    let op = parallel.op();
    let index_type = Type::index(op.ctx());
    let captured_types = captured.iter().map(|value| value.ty());
    let types: Vec<Type> = [index_type; 2].into_iter().chain(captured_types).collect();
    let marks = [
        ("sym_visibility", Attr::str(op.ctx(), "private")),
        (attrs::PARALLEL_BODY, Attr::unit(op.ctx())),
    ];
    let before = Builder::before(func).with_loc(op.loc());
    let outlined = before.func(name, &types, &[], &marks);
    tir::set_in_place(outlined, &in_place(func, captured));
    let body = outlined.body();
    let arguments = body.args();
    let b = Builder::at_end(body, op.loc(), op.ctx());

    let inside = arguments[2..].iter().copied();
    let mut map: HashMap<Value, Value> = captured.iter().copied().zip(inside).collect();
    for constant in outer_constants(op) {
        let copy = b.insert(constant.clone_detached());
        map.insert(constant.result(0), copy.result(0));
    }
    let bound = |argument: Value| match first {
        0 => argument,
        _ => index::add(&b, argument, b.index(first)),
    };
    let serial = For::serial(&b, bound(arguments[0]), bound(arguments[1]));
    map.insert(parallel.variable(), serial.variable());
    clone_body(&serial.inside(&b), parallel.body(), &mut map);
    func::Return::build(&b, &[]);
}

/// Which parameters of a loop's function may lie in one place: those that stand for such ones of the function around the loop, or for views
/// of them, and several views of one buffer.
fn in_place(func: Op, captured: &[Value]) -> Vec<usize> {
    let parameters = func.body().args();
    let around = tir::in_place(func).into_iter();
    let around: Vec<Value> = around.map(|number| parameters[number]).collect();
    let buffers: Vec<Value> = captured.iter().map(|value| viewed(*value)).collect();
    let count = |buffer: &Value| buffers.iter().filter(|other| *other == buffer).count();
    let is_shared = |buffer: &Value| around.contains(buffer) || count(buffer) > 1;
    let places = (2..).zip(&buffers);
    let shared = places.filter(|(_, buffer)| is_shared(buffer));
    shared.map(|(place, _)| place).collect()
}

/// The buffer that a value is, or is a view of.
fn viewed(value: Value) -> Value {
    let operands = value.def().map(|def| def.operands()).unwrap_or_default();
    match operands.first() {
        Some(buffer) if buffer.ty().is_memref() => viewed(*buffer),
        _ => value,
    }
}

/// The values that a loop's body uses from outside, constants excepted, each once.
fn captures(op: Op) -> Vec<Value> {
    let mut found = Vec::new();
    visit_outer_operands(op, |value| {
        if value.def_of(arith::Constant::NAME).is_none() && !found.contains(&value) {
            found.push(value);
        }
    });
    found
}

/// The constants outside of a loop that its body uses, each once.
fn outer_constants(op: Op) -> Vec<Op> {
    let mut found = Vec::new();
    visit_outer_operands(op, |value| {
        let constant = value.def_of(arith::Constant::NAME);
        found.extend(constant.filter(|def| !found.contains(def)));
    });
    found
}

fn visit_outer_operands(op: Op, mut visit: impl FnMut(Value)) {
    op.walk(|inner| {
        if inner == op {
            return;
        }
        for operand in inner.operands() {
            let owner = match operand.def() {
                Some(def) => def.parent(),
                None => operand.owner_block().and_then(Block::parent),
            };
            let mut around = std::iter::successors(owner, |op| op.parent());
            if !around.any(|ancestor| ancestor == op) {
                visit(operand);
            }
        }
    });
}
