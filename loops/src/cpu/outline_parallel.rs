//! `outline-parallel`: a parallel loop becomes a function of a range of its iterations.

use crate::{
    analysis::work::evaluations,
    copying::clone_body,
    outlining::{captures, in_place, note_symbols, write_copied},
};
use relay_dialects::{
    attrs, index,
    ir::{Attr, Builder, Op, Type, Value},
    ops::{arith, builtin, func},
    pass::{Options, PassResult, PassSpec, fail},
    tir::{self, For, LoopKind},
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
    note_symbols(func, outlined, RANGE.len(), captured);
    tir::set_in_place(outlined, &in_place(func, RANGE.len(), captured));
    let body = outlined.body();
    let arguments = body.args();
    let b = Builder::at_end(body, op.loc(), op.ctx());

    let inside = arguments[RANGE.len()..].iter().copied();
    let mut map: HashMap<Value, Value> = captured.iter().copied().zip(inside).collect();
    write_copied(&b, op, &mut map);
    let bound = |argument: Value| match first {
        0 => argument,
        _ => index::add(&b, argument, b.index(first)),
    };
    let serial = For::serial(&b, bound(arguments[0]), bound(arguments[1]));
    map.insert(parallel.variable(), serial.variable());
    clone_body(&serial.inside(&b), parallel.body(), &mut map);
    func::Return::build(&b, &[]);
}
