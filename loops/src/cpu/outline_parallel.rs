//! `outline-parallel`: a parallel loop becomes a function of a range of its iterations.

use crate::{analysis::work::evaluations, buffers::texts, copying::clone_body, symbols::Symbols};
use relay_dialects::{
    attrs,
    dim::Dim,
    index,
    ir::{Attr, Block, Builder, Op, Type, Value},
    ops::{arith, builtin, func, memref},
    pass::{Options, PassResult, PassSpec, fail},
    tir::{self, AllocBuffer, For, LoopKind},
};
use relay_machine::EVALUATIONS_OF_A_THREAD;
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
        let is_outermost = |found: &For| For::around(found.op()).next().is_none();
        let loops = For::all(func).into_iter().filter(is_outermost);
        let parallel = loops.filter(|found| found.kind() == LoopKind::Parallel);
        for (count, found) in parallel.enumerate() {
            let name = format!("{}_parallel_{count}", func.symbol().unwrap_or_default());
            outline(func, found, &name)?;
        }
    }
    Ok(())
}

/// The parameters of a loop's function before what the loop uses: its first iteration, the one behind its last, and the most threads that
/// share it.
const RANGE: [&str; 3] = ["begin", "end", "threads"];

/// Moves a loop of `func` into a function of its own, and calls that.
fn outline(func: Op, parallel: For, name: &str) -> PassResult {
    let op = parallel.op();
    let captured = captures(op);
    let is_passed = |value: &&Value| value.ty().is_memref() || value.ty().is_index();
    if let Some(value) = captured.iter().find(|value| !is_passed(value)) {
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
    let threads = most_threads(&call, parallel);
    let operands: Vec<Value> = [call.index(0), extent, threads]
        .into_iter()
        .chain(captured)
        .collect();
    call.call(name, &operands, &[]);
    op.erase();
    Ok(())
}

/// The most threads that a loop's work pays for; 0 for all, where its schedule has decided that threads share it, because its extents are
/// known.
fn most_threads(b: &Builder, parallel: For) -> Value {
    match evaluations(b, parallel) {
        Some(work) if index::constant(work).is_none() => {
            let threads = index::div(b, work, EVALUATIONS_OF_A_THREAD);
            index::max(b, threads, 1)
        }
        _ => b.index(0),
    }
}

/// The function of a range of a loop's iterations, counted from 0, and of what the loop uses from outside.
fn write_function(func: Op, parallel: For, name: &str, captured: &[Value], first: i64) {
    let op = parallel.op();
    let index_type = Type::index(op.ctx());
    let captured_types = captured.iter().map(|value| value.ty());
    let types: Vec<Type> = [index_type; RANGE.len()]
        .into_iter()
        .chain(captured_types)
        .collect();
    let marks = [
        ("sym_visibility", Attr::str(op.ctx(), "private")),
        (attrs::PARALLEL_BODY, Attr::unit(op.ctx())),
    ];
    let before = Builder::before(func).with_loc(op.loc());
    let outlined = before.func(name, &types, &[], &marks);
    note_symbols(func, outlined, captured);
    tir::set_in_place(outlined, &in_place(func, captured));
    let body = outlined.body();
    let arguments = body.args();
    let b = Builder::at_end(body, op.loc(), op.ctx());

    let inside = arguments[RANGE.len()..].iter().copied();
    let mut map: HashMap<Value, Value> = captured.iter().copied().zip(inside).collect();
    for made in copied(op) {
        let copy = b.insert(made.clone_detached());
        let operands = made.operands().into_iter();
        let operands = operands.map(|operand| map.get(&operand).copied().unwrap_or(operand));
        copy.set_operands(&operands.collect::<Vec<_>>());
        map.insert(made.result(0), copy.result(0));
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

/// Says which symbols the function of a loop is given.
fn note_symbols(func: Op, outlined: Op, captured: &[Value]) {
    let symbols = Symbols::of(func);
    let numbers = captured.iter().filter(|value| value.ty().is_index());
    let names = numbers.map(|value| symbols.name(*value).unwrap_or_default().to_owned());
    let of_range = std::iter::repeat_n(String::new(), RANGE.len());
    let names: Vec<String> = of_range.chain(names).collect();
    if names.iter().any(|name| !name.is_empty()) {
        outlined.set_attr(attrs::SYMBOL_VALUES, texts(func.ctx(), &names));
    }
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
    let places = (RANGE.len()..).zip(&buffers);
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

/// The values that a loop's body uses from outside, or that what is [copied] into it uses, each once.
fn captures(op: Op) -> Vec<Value> {
    let mut found = Vec::new();
    let copied = copied(op);
    let is_copied = |value: Value| value.def().is_some_and(|def| copied.contains(&def));
    let mut add = |value: Value| {
        if !is_copied(value) && !found.contains(&value) {
            found.push(value);
        }
    };
    visit_outer_operands(op, &mut add);
    copied
        .iter()
        .flat_map(|made| made.operands())
        .for_each(&mut add);
    symbols_of_buffers(op).into_iter().for_each(&mut add);
    found
}

/// The values of the symbols in the dimensions of buffers that a loop makes: `plan-workspace` needs them.
fn symbols_of_buffers(op: Op) -> Vec<Value> {
    let function =
        std::iter::successors(op.parent(), |op| op.parent()).find(|op| op.is(func::Func::NAME));
    let symbols = function.map(Symbols::of).unwrap_or_default();
    let dims = AllocBuffer::all(op).into_iter().flat_map(AllocBuffer::dims);
    let names = dims.flat_map(Dim::symbols);
    names.filter_map(|name| symbols.get(name)).collect()
}

/// What is written again in the function of a loop, because it is no argument: constants from outside, and buffers with open
/// extents; each once, after what it is made of.
fn copied(op: Op) -> Vec<Op> {
    let mut found = Vec::new();
    visit_outer_operands(op, |value| copy_before(value, &mut found));
    found
}

/// Adds what makes a value, if that is to be copied, and before it what makes its operands.
fn copy_before(value: Value, found: &mut Vec<Op>) {
    let is_copied = |def: &Op| {
        let is_open = def.is(memref::ReinterpretCast::NAME) && !value.ty().is_static();
        def.is(arith::Constant::NAME) || is_open
    };
    let Some(def) = value
        .def()
        .filter(is_copied)
        .filter(|def| !found.contains(def))
    else {
        return;
    };
    for operand in def.operands() {
        copy_before(operand, found);
    }
    found.push(def);
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
