//! What the passes that fetch ahead share.

use crate::{
    analysis::linear::{Linear, linear},
    buffers::reshape_view,
};
use relay_dialects::{
    index,
    ir::{Attr, Builder, Op, Type, Value},
    tir::For,
};

/// The cache that a line is asked into.
#[derive(Clone, Copy)]
pub(super) enum Near {
    First,
    Second,
}

/// Asks for the line of the element of this number.
pub(super) fn prefetch(b: &Builder, buffer: Value, element: Value, near: Near) {
    let ty = buffer.ty();
    let line = reshape_view(b, buffer, Type::memref(&[ty.count()], ty.element()));
    let locality = match near {
        Near::First => 3,
        Near::Second => 2,
    };
    let attrs = [
        ("isWrite", Attr::bool(b.ctx, false)),
        ("localityHint", Attr::int(Type::int(b.ctx, 32), locality)),
        ("isDataCache", Attr::bool(b.ctx, true)),
    ];
    b.op("memref.prefetch", &[line, element], &[], &attrs);
}

/// The number of the first element that a load reads. None if its buffer has gaps.
pub(super) fn element(load: Op) -> Option<Linear> {
    let ty = load.operand(0).ty();
    let shape = ty.shape();
    let is_whole = ty.is_static() && ty.in_memory_space(None) == Type::memref(&shape, ty.element());
    let subscripts = load.operands();
    let mut sum = Linear::default();
    for (subscript, stride) in subscripts[1..].iter().zip(index::strides(&shape)) {
        sum = sum.plus(&linear(*subscript), stride);
    }
    is_whole.then_some(sum)
}

/// The iterations of a loop; 0 if they are not constant.
pub(super) fn extent(found: For) -> i64 {
    found.extent().unwrap_or(0)
}
