//! `tir.alloc_buffer` and `tir.allocate_const`, and views of buffers.

use super::Scope;
use crate::{
    dim::Dim,
    element::Element,
    index,
    ir::{Attr, Builder, Op, Type, Value},
    limits::{BUFFER_BYTES, TOO_LARGE},
    names,
    ops::{builtin, memref},
    relay::build::extent_list,
};

impl Scope {
    /// The scope of a buffer of this type; none if its memory space is something else, or it is no buffer.
    pub fn of_buffer(ty: Type) -> Option<Self> {
        if !ty.is_memref() {
            return None;
        }
        match ty.memory_space() {
            None => Some(Self::Global),
            Some(space) => Self::of_written(space).filter(|scope| *scope != Self::Global),
        }
    }

    /// The type of a buffer like this one in this scope.
    pub fn place(self, ty: Type) -> Type {
        let space = (self != Self::Global).then(|| self.written(ty.ctx()));
        ty.in_memory_space(space)
    }
}

/// A `tir.alloc_buffer`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AllocBuffer(Op);

impl AllocBuffer {
    /// The op's name.
    pub const NAME: &str = names::tir::ALLOC_BUFFER;

    /// An op as an allocation, if it is one.
    pub fn of(op: Op) -> Option<Self> {
        op.is(Self::NAME).then_some(Self(op))
    }

    /// The allocation of a buffer, if it is one's result.
    pub fn making(buffer: Value) -> Option<Self> {
        buffer.def_of(Self::NAME).map(Self)
    }

    /// All allocations inside an op.
    pub fn all(op: Op) -> Vec<Self> {
        op.find_all(Self::NAME).into_iter().map(Self).collect()
    }

    /// A new buffer, whose name may be empty.
    pub fn build(b: &Builder, ty: Type, scope: Scope, name: &str) -> Value {
        let name = (!name.is_empty()).then(|| ("name", Attr::str(b.ctx, name)));
        let attrs: Vec<_> = name.into_iter().collect();
        b.value(Self::NAME, &[], scope.place(ty), &attrs)
    }

    /// A new buffer of a tensor whose extents may be open.
    pub fn of_tensor(b: &Builder, ty: Type, dims: &[Dim], scope: Scope, name: &str) -> Value {
        let name = (!name.is_empty()).then(|| ("name", Attr::str(b.ctx, name)));
        let dims = (!ty.is_static()).then(|| ("dims", extent_list(b.ctx, dims)));
        let attrs: Vec<_> = name.into_iter().chain(dims).collect();
        b.value(Self::NAME, &[], scope.place(ty), &attrs)
    }

    /// Its dimensions.
    pub fn dims(self) -> Vec<Dim> {
        let open = self.0.attr("dims").and_then(Attr::as_dims);
        open.unwrap_or_else(|| self.buffer().ty().dims())
    }

    /// The op.
    pub fn op(self) -> Op {
        self.0
    }

    /// The buffer.
    pub fn buffer(self) -> Value {
        self.0.result(0)
    }

    /// Where it lies.
    pub fn scope(self) -> Scope {
        Scope::of_buffer(self.buffer().ty()).unwrap_or(Scope::Global)
    }

    /// How many bytes it takes.
    pub fn bytes(self) -> i64 {
        self.buffer().ty().byte_count()
    }
}

/// A buffer of type `ty` over the elements of `source`, in the same scope.
pub fn reshape_view(b: &Builder, source: Value, ty: Type) -> Value {
    let ty = ty.in_memory_space(source.ty().memory_space());
    if source.ty() == ty {
        return source;
    }
    let sizes = ty.shape();
    let strides = index::strides(&sizes);
    memref::ReinterpretCast::build(b, ty, source, &[], &[], &[], &[0], &sizes, &strides)
}

/// A buffer of type `ty` over the elements of `source` from a number of bytes on; `sizes` are its open extents.
///
/// A view with an offset has another type in `memref`, which kernels do not take. So this is a view of bytes. Only the type of
/// the pointer's elements changes at the cast, which all descriptors of one rank have in common.
pub fn pointer_view(b: &Builder, source: Value, bytes: Value, ty: Type, sizes: &[Value]) -> Value {
    let space = source.ty().memory_space();
    let pointer = |element: Type| Type::memref(&[], element).in_memory_space(space);
    let byte = Type::int(b.ctx, 8);
    let first = pointer(source.ty().element());
    let first = memref::ReinterpretCast::build(b, first, source, &[], &[], &[], &[0], &[], &[]);
    let cast = builtin::UnrealizedConversionCast::build(b, &[pointer(byte)], &[first]);
    let run = Type::memref(&[1], byte).in_memory_space(space);
    let run =
        memref::ReinterpretCast::build(b, run, cast.result(0), &[], &[], &[], &[0], &[1], &[1]);
    memref::View::build(b, ty.in_memory_space(space), run, bytes, sizes)
}

/// Checks the constraints of `tir.alloc_buffer`.
pub(super) fn verify_alloc(op: Op) -> Result<(), String> {
    let ty = op.result(0).ty();
    let dims = AllocBuffer(op).dims();
    let shape: Vec<i64> = dims.iter().map(|dim| dim.to_mlir()).collect();
    if dims.contains(&Dim::Unknown) || shape != ty.shape() {
        return Err(format!(
            "has the type {ty}, whose dimensions nothing names (C1)"
        ));
    }
    Element::require_in_kernel(ty.element()).map_err(|no| format!("makes {ty}: {no} (C3)"))?;
    if Scope::of_buffer(ty).is_none() {
        return Err(format!(
            "has the type {ty}, whose memory space is no scope of tir other than global (C2)"
        ));
    }
    if ty.is_static() && ty.byte_count() > BUFFER_BYTES {
        return Err(format!("makes {ty}, which {TOO_LARGE} (C4)"));
    }
    Ok(())
}

/// Checks a `tir.allocate_const`.
pub(super) fn verify_const(op: Op) -> Result<(), String> {
    let (buffer, value) = (op.result(0).ty(), op.attr("value").map(Attr::typ));
    Element::require(buffer.element()).map_err(|no| format!("makes {buffer}: {no}"))?;
    match value {
        Some(value) if holds(buffer, value) => Ok(()),
        _ => Err(format!(
            "the value is not of the buffer's shape and element type, {buffer}"
        )),
    }
}

/// Whether a buffer holds the elements of a tensor: those of one without any have no shape.
fn holds(buffer: Type, tensor: Type) -> bool {
    let is_empty = buffer.count() == 0 && tensor.count() == 0;
    tensor.element() == buffer.element() && (is_empty || tensor.shape() == buffer.shape())
}
