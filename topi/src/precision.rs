//! Narrow floats: bf16 and f16 are how tensors lie in memory; what is computed is computed in f32.
//!
//! So an operator's expression knows nothing of them. Its operands are widened by stages of their own
//! before it, its result narrowed by one after it; schedules inline both. Both carry arith's flag
//! `contract`: where an operator reads what another one of the same kernel has just computed, upstream's
//! folds drop the two conversions, and the number is not rounded between.

use relay_dialects::{
    Element,
    ir::{Builder, Type, Value},
    ops::{
        arith::{self, FastMathFlags},
        tensor,
    },
    te::{Compute, Role, build},
};

/// Whether numbers of a type are stored only, and computed in a wider float.
pub fn is_narrow(ty: Type) -> bool {
    Element::of(ty).is_some_and(Element::is_narrow_float)
}

/// The type that elements of type `ty` are computed in.
pub fn computed(ty: Type) -> Type {
    match Element::of(ty).filter(|element| element.is_narrow_float()) {
        Some(element) => element.computed_in().ty(ty.ctx()),
        None => ty,
    }
}

/// A tensor in the type that its elements are computed in.
pub fn widened(b: &Builder, tensor: Value) -> Value {
    let element = tensor.ty().element();
    if !is_narrow(element) {
        return tensor;
    }
    let wide = computed(element);
    let widened = build::compute(b, "widen", &tensor.ty().dims(), wide, |b, at| {
        extend(b, build::read(b, tensor, at), wide)
    });
    build::with_role(widened, Role::Widen)
}

/// Whether a tensor is what a stage of [`widened`] makes.
pub fn is_widened(tensor: Value) -> bool {
    Compute::making(tensor).is_some_and(|stage| stage.role() == Some(Role::Widen))
}

/// What `change` makes of a tensor, where a stage of [`widened`] widens that: of the narrow tensor, so that it is
/// the changed one that is widened.
///
/// # Errors
/// Those of `change`.
pub fn before_widening(
    b: &Builder,
    tensor: Value,
    change: impl Fn(Value) -> Result<Value, String>,
) -> Result<Value, String> {
    let stage = Compute::making(tensor);
    let Some(stage) = stage.filter(|stage| stage.role() == Some(Role::Widen)) else {
        return change(tensor);
    };
    let mut ops = stage.op().body().ops().into_iter();
    let Some(read) = ops.find(|op| op.is(tensor::Extract::NAME)) else {
        return change(tensor);
    };
    let changed = change(read.operand(0))?;
    if changed == read.operand(0) {
        return Ok(tensor);
    }
    stage.op().erase();
    Ok(widened(b, changed))
}

/// A computed tensor as a result of type `to`.
pub fn narrowed(b: &Builder, tensor: Value, to: Type) -> Value {
    if tensor.ty().element() == to.element() {
        return tensor;
    }
    build::compute(b, "narrow", &to.dims(), to.element(), |b, at| {
        truncate(b, build::read(b, tensor, at), to.element())
    })
}

/// A float rounded to a narrower type; who reads it in the same kernel may read the float itself.
pub fn truncate(b: &Builder, number: Value, to: Type) -> Value {
    arith::TruncF::build_with(b, to, number, None, Some(FastMathFlags::CONTRACT))
}

/// A float in a wider type: exactly the same number.
pub fn extend(b: &Builder, number: Value, to: Type) -> Value {
    arith::ExtF::build_with(b, to, number, Some(FastMathFlags::CONTRACT))
}
