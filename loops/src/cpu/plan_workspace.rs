//! `plan-workspace`: where the buffers of one thread lie that its stack does not hold.

use crate::buffers::ALIGNMENT;
use crate::estimates::STACK_BYTES;
use relay_dialects::{
    attrs,
    index::ceil_div,
    ir::{Builder, Op, Type, Value},
    ops::{builtin, memref},
    pass::{Options, PassResult, PassSpec},
    tir::{AllocBuffer, Scope},
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "plan-workspace",
    summary: "Move large local buffers, and global buffers inside loops, into the thread's workspace",
    description: "Local buffers above 16 KiB, and buffers of global scope inside a loop, move into the thread's memory \
                  from `relay_rt_workspace`. A function calls it once at its start; each buffer is a `memref.view`, \
                  cast to the buffer's scope. A kernel's workspace is in use while bodies of its parallel loops run on \
                  the same thread, so these have their own workspace (1; the kernel's is 0). `lower-tir` handles \
                  smaller local buffers, and `plan-memory` global buffers outside of loops.",
    anchor: builtin::Module::NAME,
    options: &[],
    run,
};

/// The runtime's function that returns this thread's workspace, for a kernel (0) or for the body of its
/// loop (1), of at least so many bytes.
const WORKSPACE: &str = "relay_rt_workspace";

fn run(module: Op, _options: &Options) -> PassResult {
    for func in module.functions() {
        let buffers: Vec<AllocBuffer> = AllocBuffer::all(func)
            .into_iter()
            .filter(|alloc| is_for_workspace(func, *alloc))
            .collect();
        if !buffers.is_empty() {
            place(module, func, &buffers);
        }
    }
    Ok(())
}

fn is_for_workspace(func: Op, alloc: AllocBuffer) -> bool {
    if alloc.scope() == Scope::Local {
        return alloc.bytes() > STACK_BYTES;
    }
    alloc.op().block() != Some(func.body()) || func.has_attr(attrs::PARALLEL_BODY)
}

/// One call of the runtime at the start of the function, whose result all buffers share.
fn place(module: Op, func: Op, buffers: &[AllocBuffer]) {
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
        let start = Builder::at_start(module.body(), module.loc(), module.ctx());
        start.declare(WORKSPACE, &[index, index], &[base]);
    }
    let level = i64::from(func.has_attr(attrs::PARALLEL_BODY));
    let operands = [b.index(level), b.index(total)];
    let workspace = b.call(WORKSPACE, &operands, &[base]).result(0);
    let views = buffers.iter().zip(places).map(|(buffer, place)| {
        let place = b.index(place);
        let ty = buffer.buffer().ty();
        let plain = Scope::Global.place(ty);
        let view = memref::View::build(&b, plain, workspace, place, &[]);
        match plain == ty {
            true => view,
            false => memref::MemorySpaceCast::build(&b, ty, view),
        }
    });
    // All views come before any buffer goes: the first one may be what they are written before.
    let views: Vec<Value> = views.collect();
    for (buffer, view) in buffers.iter().zip(views) {
        buffer.op().replace_with(&[view]);
    }
}
