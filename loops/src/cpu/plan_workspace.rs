//! `plan-workspace`: where the buffers of one thread lie that its stack does not hold.

use crate::buffers::ALIGNMENT;
use crate::estimates::STACK_BYTES;
use crate::symbols::Symbols;
use relay_dialects::{
    attrs,
    dim::{self, Dim},
    ir::{Builder, Op, Type, Value},
    ops::{builtin, memref},
    pass::{Options, PassResult, PassSpec, fail},
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
        if !buffers.is_empty()
            && let Err(reason) = place(module, func, &buffers)
        {
            return fail(func, reason);
        }
    }
    Ok(())
}

fn is_for_workspace(func: Op, alloc: AllocBuffer) -> bool {
    if alloc.scope() != Scope::Global {
        return !alloc.buffer().ty().is_static() || alloc.bytes() > STACK_BYTES;
    }
    alloc.op().block() != Some(func.body()) || func.has_attr(attrs::PARALLEL_BODY)
}

/// One call of the runtime at the start of the function, whose result all buffers share.
///
/// # Errors
/// If 64 bits do not hold a size, or the function is not given a symbol of one.
fn place(module: Op, func: Op, buffers: &[AllocBuffer]) -> Result<(), String> {
    let b = Builder::at_start(func.body(), func.loc(), func.ctx());
    let (mut total, mut places) = (Dim::Known(0), Vec::new());
    for buffer in buffers {
        places.push(total);
        let width = buffer.buffer().ty().element().byte_width() as i64;
        let bytes = dim::product(&buffer.dims())?.times(width)?;
        total = total.plus(bytes.max(0)?.ceil_div(ALIGNMENT)?.times(ALIGNMENT)?)?;
    }
    let symbols = Symbols::of(func);
    let value = |dim: Dim| {
        let missing = || {
            format!("has a buffer in a loop whose size, {dim}, has a symbol that is no parameter")
        };
        symbols.value(&b, dim).ok_or_else(missing)
    };
    let base = Type::memref(&[1], Type::int(b.ctx, 8));
    if module.lookup(WORKSPACE).is_none() {
        let index = Type::index(b.ctx);
        let start = Builder::at_start(module.body(), module.loc(), module.ctx());
        start.declare(WORKSPACE, &[index, index], &[base]);
    }
    let level = i64::from(func.has_attr(attrs::PARALLEL_BODY));
    let operands = [b.index(level), value(total)?];
    let workspace = b.call(WORKSPACE, &operands, &[base]).result(0);
    let views = buffers.iter().zip(places).map(|(buffer, place)| {
        let dims = buffer.dims();
        let open = dims.iter().filter(|dim| !dim.is_known());
        let sizes = open.map(|dim| value(*dim)).collect::<Result<Vec<_>, _>>()?;
        let ty = buffer.buffer().ty();
        let plain = Scope::Global.place(ty);
        let view = memref::View::build(&b, plain, workspace, value(place)?, &sizes);
        Ok(match plain == ty {
            true => view,
            false => memref::MemorySpaceCast::build(&b, ty, view),
        })
    });
    // All views come before any buffer goes: the first one may be what they are written before.
    let views: Vec<Value> = views.collect::<Result<_, String>>()?;
    for (buffer, view) in buffers.iter().zip(views) {
        buffer.op().replace_with(&[view]);
    }
    Ok(())
}
