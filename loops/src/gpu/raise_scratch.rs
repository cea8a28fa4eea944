//! `raise-scratch`: memory of loop programs that no thread has.

use super::bound_loops;
use crate::{buffers::ALIGNMENT, symbols::Symbols};
use relay_dialects::{
    dim::{self, Dim},
    index,
    ir::{Builder, Op, Type, Value},
    ops::{func, memref},
    pass::{Options, PassResult, PassSpec, fail},
    tir::{AllocBuffer, Bound, For, KernelKind, LoopKind, Scope},
};
use relay_machine::ir::machine_of;

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "raise-scratch",
    summary: "Move local buffers that no thread has room for to the memory that all threads share",
    description: include_str!("raise_scratch.md"),
    anchor: func::Func::NAME,
    options: &[],
    run,
};

/// The bytes of a buffer that a thread keeps itself. A driver reserves a thread's own memory for all threads that a GPU can hold: 100 000
/// or more.
const MOST_OWN_BYTES: i64 = 512;

/// The threads of a multiprocessor that run a loop program with scratch at a time.
const THREADS: i64 = 128;

/// The threads at a time, of a GPU about which nothing is known.
const USUAL_THREADS: i64 = 1 << 14;

fn run(func: Op, _options: &Options) -> PassResult {
    if !KernelKind::Generated.is_of(func) {
        return Ok(());
    }
    for step in func.body().ops() {
        match AllocBuffer::of(step).filter(|alloc| alloc.scope() == Scope::Local) {
            Some(alloc) => raise(alloc.buffer()),
            None => raise_of_step(func, step).or_else(|reason| fail(step, reason))?,
        }
    }
    let open = AllocBuffer::all(func)
        .into_iter()
        .find(|alloc| alloc.scope() != Scope::Global && !alloc.buffer().ty().is_static());
    match open {
        None => Ok(()),
        Some(alloc) => fail(
            alloc.op(),
            "is memory of a thread or a block of a scheduled kernel, whose size is known at run time only: GPUs have no such memory, \
             and it is not supported on them yet; fix the dimensions (--shape), or compile for a processor",
        ),
    }
}

/// Gives a buffer, and all views of it, the types of global ones.
fn raise(buffer: Value) {
    buffer.set_ty(Scope::Global.place(buffer.ty()));
    let users = buffer.users().into_iter();
    let views = users.filter(|user| user.operand(0) == buffer && user.result_count() == 1);
    for view in views.map(|user| user.result(0)) {
        if Scope::of_buffer(view.ty()) == Some(Scope::Local) {
            raise(view);
        }
    }
}

/// Raises the buffers inside of a step of a kernel that are too large for a thread: each thread has a part of a global one.
///
/// # Errors
/// If a size has no form.
fn raise_of_step(func: Op, step: Op) -> Result<(), String> {
    let is_too_large = |alloc: &AllocBuffer| {
        alloc.scope() == Scope::Local
            && (!alloc.buffer().ty().is_static() || alloc.bytes() > MOST_OWN_BYTES)
    };
    let buffers: Vec<AllocBuffer> = AllocBuffer::all(step)
        .into_iter()
        .filter(is_too_large)
        .collect();
    if buffers.is_empty() || !bound_loops(step).is_empty() {
        return Ok(());
    }
    let symbols = Symbols::of(func);
    let shared = For::of(step).filter(|step| step.kind() == LoopKind::Parallel);
    // Other steps run on one thread.
    let (count, threads) = match shared {
        None => (Dim::Known(1), None),
        Some(shared) => {
            let (count, threads) = limit_threads(shared, most_threads(func)?, &symbols);
            (count, Some(threads))
        }
    };
    let before = Builder::before(threads.map_or(step, For::op));
    let number = threads.map_or_else(|| before.index(0), For::variable);
    for alloc in buffers {
        let (ty, dims) = (alloc.buffer().ty(), alloc.dims());
        let width = Dim::Known(ty.element().byte_width() as i64);
        let bytes = dim::product(&dims)?.times(width)?;
        let bytes = bytes.ceil_div(ALIGNMENT)?.times(ALIGNMENT)?;
        let all = bytes.times(count)?;
        let value = |dim: Dim| {
            let value = symbols.value(&before, dim);
            value.ok_or_else(|| format!("has a buffer of {dim} bytes, which nothing computes"))
        };
        let stride = value(bytes)?;
        let open = dims.iter().filter(|dim| !dim.is_known());
        let sizes = open
            .map(|dim| value(*dim))
            .collect::<Result<Vec<Value>, String>>()?;
        let memory = Type::memref(&[all.to_mlir()], Type::int(func.ctx(), 8));
        let memory = AllocBuffer::of_tensor(&before, memory, &[all], Scope::Global, "scratch");
        raise(alloc.buffer());
        let b = Builder::before(alloc.op());
        let first = index::mul(&b, number, stride);
        let view = memref::View::build(&b, Scope::Global.place(ty), memory, first, &sizes);
        alloc.op().replace_with(&[view]);
    }
    Ok(())
}

/// The threads that may run a loop program at a time.
///
/// # Errors
/// If the module describes a machine that is none.
fn most_threads(func: Op) -> Result<i64, String> {
    let gpu = machine_of(func)?.and_then(|machine| machine.gpu);
    Ok(gpu.map_or(USUAL_THREADS, |gpu| {
        gpu.multiprocessors.max(1).saturating_mul(THREADS)
    }))
}

/// Has so many threads at most run a loop that they share. Returns how many there are, and the loop over them, which starts at 0.
fn limit_threads(shared: For, most: i64, symbols: &Symbols) -> (Dim, For) {
    let op = shared.op();
    let before = Builder::before(op);
    let (lower, upper) = shared.bounds();
    if let (Bound::Static(0), Some(extent)) = (lower, shared.extent())
        && extent <= most
    {
        return (Dim::Known(extent), shared);
    }
    let lower = lower.value(&before);
    let extent = index::sub(&before, upper.value(&before), lower);
    let known = symbols.dim(extent).and_then(|extent| extent.min(most).ok());
    let threads = index::min(&before, extent, most);
    let around = shared.like(&before, 0, threads);
    let inside = around.inside(&before);
    let left = index::sub(&inside, extent, around.variable());
    let rounded = index::add(&inside, left, index::sub(&inside, threads, inside.index(1)));
    let turns = index::div(&inside, rounded, threads);
    let turn = For::serial(&inside, 0, turns);
    let b = turn.inside(&inside);
    let skipped = index::mul(&b, turn.variable(), threads);
    let number = index::add(&b, around.variable(), skipped);
    let iteration = index::add(&b, lower, number);
    shared.variable().replace_all_uses_with(iteration);
    for inner in shared.body().ops() {
        inner.detach();
        turn.body().append(inner);
    }
    op.erase();
    (known.unwrap_or(Dim::Known(most)), around)
}
