//! `lower-tir`: from `tir` to `scf` and `memref`.
//!
//! A `parallel` loop that stands directly in a kernel becomes a function of a range of iterations
//! and a call of it: code generation makes that a call of the runtime's thread pool. Other loops become `scf.for`; buffers of the scope `local` become `memref.alloca` at
//! the start of the function. Larger ones, and buffers of global scope inside loops, lie in the
//! workspace that the runtime keeps for each thread. A CPU has one memory: scopes go from the types.

use crate::copying::clone_body;
use relay_dialects::{
    index::ceil_div,
    ir::{Attr, Block, Builder, Op, Region, Type, Value},
    pass::{Options, PassResult, PassSpec, fail},
    tir::{AllocBuffer, For, LoopKind, Scope},
};
use std::collections::HashMap;

/// The runtime's function that returns this thread's workspace, for a kernel (0) or for the body of its
/// loop (1), of at least so many bytes.
const WORKSPACE: &str = "relay_rt_workspace";

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "lower-tir",
    summary: "Lower tir loops and local buffers to scf and memref, parallel loops to functions",
    description: "A `parallel` loop directly in a kernel becomes a function of a range of its \
                  iterations. All other loops become `scf.for`. `tir.alloc_buffer` of the scope `local` becomes `memref.alloca` at \
                  the start of its function. Local buffers of more than 16 KiB, and buffers of global scope \
                  inside a loop, are parts of the workspace that `relay_rt_workspace` gives each \
                  thread. Types of buffers lose \
                  their scopes, for a CPU has one memory.",
    anchor: "builtin.module",
    options: &[],
    run,
};

fn run(module: Op, _options: &Options) -> PassResult {
    for func in module.functions() {
        let mut count = 0;
        for found in func.body().ops().into_iter().filter_map(For::of) {
            if found.kind() == LoopKind::Parallel {
                outline(func, found, &mut count)?;
            }
        }
    }
    for func in module.functions() {
        lower_buffers(module, func);
        for found in For::all(func) {
            lower_loop(found);
        }
    }
    drop_scopes(module);
    Ok(())
}

/// Takes the memory spaces from the types of all buffers, and with them the casts between these.
fn drop_scopes(module: Op) {
    module.walk(|op| {
        let blocks = op.regions().into_iter().flat_map(Region::blocks);
        let arguments = blocks.flat_map(Block::args);
        for value in op.results().into_iter().chain(arguments) {
            value.set_ty(without_scope(value.ty()));
        }
        if let Some(ty) = op.attr("function_type").and_then(Attr::as_type) {
            let [inputs, results] = [ty.inputs(), ty.results()]
                .map(|types| types.into_iter().map(without_scope).collect::<Vec<_>>());
            let ty = Type::function(op.ctx(), &inputs, &results);
            op.set_attr("function_type", Attr::ty(ty));
        }
    });
    for cast in module.find_all("memref.memory_space_cast") {
        if cast.operand(0).ty() == cast.result(0).ty() {
            cast.replace_with(&[cast.operand(0)]);
        }
    }
}

fn without_scope(ty: Type) -> Type {
    match Scope::of_buffer(ty) {
        Some(Scope::Local) => Scope::Global.place(ty),
        _ => ty,
    }
}

/// Moves a parallel loop into a function of its own.
fn outline(func: Op, parallel: For, count: &mut usize) -> PassResult {
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
    let name = format!("{}_parallel_{count}", func.symbol().unwrap_or_default());
    *count += 1;
    let index = Type::index(op.ctx());
    let types: Vec<Type> = [index, index]
        .into_iter()
        .chain(captured.iter().map(|value| value.ty()))
        .collect();
    let attrs = [
        ("sym_visibility", Attr::str(op.ctx(), "private")),
        (relay_dialects::attrs::PARALLEL_BODY, Attr::unit(op.ctx())),
    ];
    let body_func = Builder::before(func)
        .with_loc(op.loc())
        .func(&name, &types, &[], &attrs);
    let arguments = body_func.body().args();
    let b = Builder::at_end(body_func.body(), op.loc(), op.ctx());
    let mut map: HashMap<Value, Value> = captured
        .iter()
        .copied()
        .zip(arguments[2..].iter().copied())
        .collect();
    for constant in outer_constants(op) {
        let copy = b.insert(constant.clone_detached());
        map.insert(constant.result(0), copy.result(0));
    }

    let call = Builder::before(op);
    let (lower, upper) = parallel.bounds();
    let bounds = [lower.value(&call), upper.value(&call)];
    let operands: Vec<Value> = bounds.into_iter().chain(captured).collect();
    call.call(&name, &operands, &[]);

    let serial = For::serial(&b, arguments[0], arguments[1]);
    map.insert(parallel.variable(), serial.variable());
    clone_body(&serial.inside(&b), parallel.body(), &mut map);
    b.op("func.return", &[], &[], &[]);
    op.erase();
    Ok(())
}

/// The values that a loop's body uses from outside, constants excepted, each once.
fn captures(op: Op) -> Vec<Value> {
    let mut found = Vec::new();
    visit_outer_operands(op, |value| {
        if value.def_of("arith.constant").is_none() && !found.contains(&value) {
            found.push(value);
        }
    });
    found
}

fn outer_constants(op: Op) -> Vec<Op> {
    let mut found = Vec::new();
    visit_outer_operands(op, |value| {
        found.extend(
            value
                .def_of("arith.constant")
                .filter(|def| !found.contains(def)),
        );
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
            let within =
                std::iter::successors(owner, |op| op.parent()).any(|ancestor| ancestor == op);
            if !within {
                visit(operand);
            }
        }
    });
}

/// Local buffers of more bytes lie in the workspace: a thread's stack is the caller's, and may be small.
const STACK_BYTES: i64 = 16 << 10;

/// Buffers start at multiples of this, in bytes: a cache line and the widest vector.
const ALIGNMENT: i64 = 64;

fn lower_buffers(module: Op, func: Op) {
    let mut shared = Vec::new();
    for alloc in AllocBuffer::all(func) {
        // Global buffers outside of all loops are for plan-memory.
        let inside = alloc.op().block() != Some(func.body())
            || func.has_attr(relay_dialects::attrs::PARALLEL_BODY);
        let local = alloc.scope() == Scope::Local;
        if local && alloc.bytes() <= STACK_BYTES {
            on_stack(func, alloc.op());
        } else if local || inside {
            shared.push(alloc);
        }
    }
    if !shared.is_empty() {
        in_workspace(module, func, &shared);
    }
}

fn on_stack(func: Op, op: Op) {
    let b = Builder::at_start(func.body(), op.loc(), op.ctx());
    let segments = Attr::parse(b.ctx, "array<i32: 0, 0>").expect("a builtin attribute parses");
    let align = Attr::i64(b.ctx, ALIGNMENT);
    let buffer = b.value(
        "memref.alloca",
        &[],
        op.result(0).ty(),
        &[("operandSegmentSizes", segments), ("alignment", align)],
    );
    op.replace_with(&[buffer]);
}

/// One call of the runtime at the start of the function, whose result all buffers share.
fn in_workspace(module: Op, func: Op, buffers: &[AllocBuffer]) {
    let b = Builder::at_start(func.body(), func.loc(), func.ctx());
    let mut total = 0;
    let places: Vec<i64> = buffers
        .iter()
        .map(|buffer| {
            let place = total;
            total += ceil_div(buffer.bytes(), ALIGNMENT) * ALIGNMENT;
            place
        })
        .collect();
    let base = Type::memref(&[1], Type::int(b.ctx, 8));
    if module.lookup(WORKSPACE).is_none() {
        let index = Type::index(b.ctx);
        Builder::at_start(module.body(), module.loc(), module.ctx()).declare(
            WORKSPACE,
            &[index, index],
            &[base],
        );
    }
    // What a kernel keeps there is in use while the bodies of its loops run on the same thread.
    let level = i64::from(func.has_attr(relay_dialects::attrs::PARALLEL_BODY));
    let operands = [b.index(level), b.index(total)];
    let workspace = b.call(WORKSPACE, &operands, &[base]).result(0);
    for (buffer, place) in buffers.iter().zip(places) {
        let operands = [workspace, b.index(place)];
        let view = b.value("memref.view", &operands, buffer.buffer().ty(), &[]);
        buffer.op().replace_with(&[view]);
    }
}

/// `tir.for` to `scf.for`.
fn lower_loop(lowered: For) {
    let op = lowered.op();
    let b = Builder::before(op);
    let block = Block::new(op.ctx(), &[Type::index(op.ctx())]);
    let (lower, upper) = lowered.bounds();
    let operands = [lower.value(&b), upper.value(&b), b.index(1)];
    b.region_op("scf.for", &operands, &[], &[], &[Some(block)]);
    lowered.variable().replace_all_uses_with(block.arg(0));
    let end = Builder::at_end(block, op.loc(), op.ctx()).op("scf.yield", &[], &[], &[]);
    for inner in op.body().ops() {
        inner.move_before(end);
    }
    op.erase();
}
