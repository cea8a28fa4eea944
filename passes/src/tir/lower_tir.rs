//! `lower-tir`: from `tir` to `scf` and `memref`.
//!
//! A `parallel` loop that stands directly in a kernel becomes a function of a range of iterations
//! and a call of it that carries `tir.parallel`: code generation makes that a call of the runtime's
//! thread pool. Other loops become `scf.for`; buffers of the scope `local` become `memref.alloca` at
//! the start of the function.

use relay_dialects::{
    ir::{Attr, Block, Builder, Op, Type, Value},
    pass::{Options, PassResult, PassSpec, fail},
};
use std::collections::HashMap;

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "lower-tir",
    summary: "Lower tir loops and local buffers to scf and memref, parallel loops to functions",
    description: "A `parallel` loop directly in a kernel becomes a function of a range of its \
                  iterations, called with the unit attribute `tir.parallel`. All other loops become \
                  `scf.for`. `tir.alloc_buffer \"local\"` becomes `memref.alloca` at the start of \
                  its function. Buffers of global scope inside a parallel loop are an error: they \
                  would be shared by threads.",
    anchor: "builtin.module",
    options: &[],
    run,
};

fn run(module: Op, _options: &Options) -> PassResult {
    for func in module.functions() {
        let mut count = 0;
        for op in func.body().ops() {
            if op.is("tir.for")
                && op.attr("kind").and_then(Attr::as_str).as_deref() == Some("parallel")
            {
                outline(func, op, &mut count)?;
            }
        }
    }
    for func in module.functions() {
        lower_buffers(func)?;
        for op in func.find_all("tir.for") {
            lower_loop(op);
        }
    }
    Ok(())
}

/// Moves a parallel loop into a function of its own.
fn outline(func: Op, op: Op, count: &mut usize) -> PassResult {
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
        ("tir.parallel_body", Attr::unit(op.ctx())),
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
    let operands: Vec<Value> = op.operands().into_iter().chain(captured).collect();
    call.call(&name, &operands, &[])
        .set_attr("tir.parallel", Attr::unit(op.ctx()));

    op.set_attr("kind", Attr::str(op.ctx(), "serial"));
    let mut source = HashMap::new();
    std::mem::swap(&mut source, &mut map);
    let block = Block::new(op.ctx(), &[index]);
    let kind = Attr::str(op.ctx(), "serial");
    b.region_op(
        "tir.for",
        &arguments[..2],
        &[],
        &[("kind", kind)],
        &[Some(block)],
    );
    source.insert(op.body().arg(0), block.arg(0));
    super::unroll_loop::clone_body(
        &Builder::at_end(block, op.loc(), op.ctx()),
        op.body(),
        &mut source,
    );
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

fn lower_buffers(func: Op) -> PassResult {
    for op in func.find_all("tir.alloc_buffer") {
        let local = op.attr("scope").and_then(Attr::as_str).as_deref() == Some("local");
        if !local {
            if op.block() != Some(func.body()) || func.has_attr("tir.parallel_body") {
                return fail(
                    op,
                    "has global scope inside a loop, where threads would share it; compute it at the root or give it local scope",
                );
            }
            continue;
        }
        let b = Builder::at_start(func.body(), op.loc(), op.ctx());
        let segments = Attr::parse(b.ctx, "array<i32: 0, 0>").expect("a builtin attribute parses");
        let align = Attr::i64(b.ctx, 64);
        let buffer = b.value(
            "memref.alloca",
            &[],
            op.result(0).ty(),
            &[("operandSegmentSizes", segments), ("alignment", align)],
        );
        op.replace_with(&[buffer]);
    }
    Ok(())
}

/// `tir.for` to `scf.for`.
fn lower_loop(op: Op) {
    let b = Builder::before(op);
    let block = Block::new(op.ctx(), &[Type::index(op.ctx())]);
    let operands = [op.operand(0), op.operand(1), b.index(1)];
    b.region_op("scf.for", &operands, &[], &[], &[Some(block)]);
    op.body().arg(0).replace_all_uses_with(block.arg(0));
    let end = Builder::at_end(block, op.loc(), op.ctx()).op("scf.yield", &[], &[], &[]);
    for inner in op.body().ops() {
        inner.move_before(end);
    }
    op.erase();
}
