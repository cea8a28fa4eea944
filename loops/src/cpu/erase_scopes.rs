//! `erase-scopes`: the types of buffers where there is one memory.

use crate::buffers::retype;
use relay_dialects::{
    ir::{Attr, Op, Type},
    ops::{builtin, memref},
    pass::{Options, PassResult, PassSpec},
    tir::Scope,
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "erase-scopes",
    summary: "Remove the scopes from buffer types, because a processor has one memory",
    description: "`memref<4xf32, #tir.scope<local>>` becomes `memref<4xf32>`, also in function types. A \
                  `memref.memory_space_cast` between types that become equal disappears. The pass runs after \
                  `lower-tir`, which puts local buffers on the stack.",
    anchor: builtin::Module::NAME,
    options: &[],
    run,
};

fn run(module: Op, _options: &Options) -> PassResult {
    retype(module, without_scope);
    module.walk(|op| {
        if let Some(ty) = op.function_type() {
            let [inputs, results] = [ty.inputs(), ty.results()]
                .map(|types| types.into_iter().map(without_scope).collect::<Vec<_>>());
            let ty = Type::function(op.ctx(), &inputs, &results);
            op.set_attr("function_type", Attr::ty(ty));
        }
    });
    for cast in module.find_all(memref::MemorySpaceCast::NAME) {
        if cast.operand(0).ty() == cast.result(0).ty() {
            cast.replace_with(&[cast.operand(0)]);
        }
    }
    Ok(())
}

fn without_scope(ty: Type) -> Type {
    match Scope::of_buffer(ty) {
        Some(Scope::Local | Scope::Shared | Scope::Fragment) => Scope::Global.place(ty),
        _ => ty,
    }
}
