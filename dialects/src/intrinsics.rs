//! Calls of LLVM's intrinsics.

use crate::{
    ir::{Attr, Builder, Type, Value},
    ops::llvm,
};

/// Calls an intrinsic of LLVM, `llvm.x86...`, that has one result.
pub fn call_intrinsic(b: &Builder, name: &str, operands: &[Value], ty: Type) -> Value {
    let attrs = [
        ("intrin", Attr::str(b.ctx, name)),
        ("op_bundle_sizes", Attr::short_ints(b.ctx, &[])),
        (
            "operandSegmentSizes",
            Attr::short_ints(b.ctx, &[operands.len() as i32, 0]),
        ),
    ];
    b.value(llvm::CallIntrinsic::NAME, operands, ty, &attrs)
}
