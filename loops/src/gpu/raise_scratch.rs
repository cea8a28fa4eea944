//! `raise-scratch`: memory of loop programs that no thread has.

use relay_dialects::{
    ir::{Op, Value},
    ops::func,
    pass::{Options, PassResult, PassSpec, fail},
    tir::{AllocBuffer, KernelKind, Scope},
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "raise-scratch",
    summary: "Move the local buffers of whole kernels to the memory that all threads share",
    description: "A loop program (`te.extern`) may have local buffers outside of its loops, of any size. A processor puts them on \
                  the stack or into its thread's workspace. The loops of a kernel are launches of a GPU, and a thread has little memory \
                  of its own, so these buffers become global: `plan-memory`, which runs next, gives them places in the arena.",
    anchor: func::Func::NAME,
    options: &[],
    run,
};

fn run(func: Op, _options: &Options) -> PassResult {
    if !KernelKind::Generated.is_of(func) {
        return Ok(());
    }
    let buffers = AllocBuffer::all(func).into_iter();
    let is_of_kernel = |alloc: &AllocBuffer| {
        alloc.scope() == Scope::Local && alloc.op().block() == Some(func.body())
    };
    for alloc in buffers.filter(is_of_kernel) {
        raise(alloc.buffer());
    }
    let open = AllocBuffer::all(func)
        .into_iter()
        .find(|alloc| alloc.scope() != Scope::Global && !alloc.buffer().ty().is_static());
    match open {
        None => Ok(()),
        Some(alloc) => fail(
            alloc.op(),
            "is memory of a thread, whose size is known at run time only: GPUs have no such memory, and it is not \
             supported on them yet; fix the dimensions (--shape), or compile for a processor",
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
