//! `place-shared`: the places of buffers that the threads of a block share.

use super::{device_functions, shared_memory};
use crate::buffers::{ALIGNMENT, retype};
use relay_dialects::{
    Element, attrs,
    index::ceil_div,
    ir::{Attr, Builder, Op, Type},
    ops::{builtin, memref},
    pass::{Options, PassResult, PassSpec, fail},
    tir::Scope,
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "place-shared",
    summary: "Give shared buffers their places in the shared memory of a block",
    description: "A `memref.alloca` of scope `shared` becomes a view of `@relay_shared_memory`, in address space 3, which is \
                  shared memory on NVIDIA's and AMD's GPUs. The memory is external: a launch says its size, \
                  which `tir.shared_bytes` on the function holds.",
    anchor: builtin::Module::NAME,
    options: &[],
    run,
};

/// The symbol of a block's shared memory.
pub const SHARED_MEMORY: &str = "relay_shared_memory";

fn run(module: Op, _options: &Options) -> PassResult {
    let device: Vec<Op> = device_functions(module).collect();
    let mut most = 0;
    for func in &device {
        most = most.max(place(*func)?);
    }
    if most == 0 {
        return Ok(());
    }
    let ty = memory(module, most);
    for func in device {
        for global in func.find_all(memref::GetGlobal::NAME) {
            global.result(0).set_ty(ty);
        }
    }
    let b = Builder::at_start(module.body(), module.loc(), module.ctx());
    let attrs = [
        ("sym_name", Attr::str(b.ctx, SHARED_MEMORY)),
        ("sym_visibility", Attr::str(b.ctx, "private")),
        ("type", Attr::ty(ty)),
        ("alignment", Attr::i64(b.ctx, ALIGNMENT)),
    ];
    b.op(memref::Global::NAME, &[], &[], &attrs);
    Ok(())
}

/// The type of shared memory of so many bytes.
fn memory(op: Op, bytes: i64) -> Type {
    let byte = Type::int(op.ctx(), 8);
    Type::memref(&[bytes], byte).in_memory_space(Some(shared_memory(op.ctx())))
}

/// Places the shared buffers of a function; how many bytes they take.
fn place(func: Op) -> Result<i64, relay_dialects::pass::PassFailed> {
    let buffers = func.find_all(memref::Alloca::NAME).into_iter();
    let is_shared = |op: &Op| Scope::of_buffer(op.result(0).ty()) == Some(Scope::Shared);
    let buffers: Vec<Op> = buffers.filter(is_shared).collect();
    if buffers.is_empty() {
        return Ok(0);
    }
    let b = Builder::at_start(func.body(), func.loc(), func.ctx());
    let base = b.value(
        memref::GetGlobal::NAME,
        &[],
        memory(func, 1),
        &[("name", Attr::symbol(b.ctx, SHARED_MEMORY))],
    );
    let mut total: i64 = 0;
    let mut views = Vec::new();
    for buffer in &buffers {
        let (buffer, ty) = (*buffer, buffer.result(0).ty());
        let Some(element) = Element::of(ty.element()).filter(|_| ty.is_static()) else {
            return fail(
                buffer,
                "is a shared buffer whose size is not known when it is compiled",
            );
        };
        views.push(memref::View::build(
            &b,
            in_shared(ty),
            base,
            b.index(total),
            &[],
        ));
        let bytes = ty.count().saturating_mul(element.bytes() as i64);
        total = ceil_div(total.saturating_add(bytes), ALIGNMENT).saturating_mul(ALIGNMENT);
    }
    // All views come before any buffer goes: the first one may be what they are written before.
    for (buffer, view) in buffers.into_iter().zip(views) {
        buffer.replace_with(&[view]);
    }
    retype(func, in_shared);
    func.set_attr(attrs::SHARED_BYTES, Attr::i64(func.ctx(), total));
    Ok(total)
}

/// The type of a shared buffer in LLVM's address space; other types stay.
fn in_shared(ty: Type) -> Type {
    match Scope::of_buffer(ty) {
        Some(Scope::Shared) => ty.in_memory_space(Some(shared_memory(ty.ctx()))),
        _ => ty,
    }
}
