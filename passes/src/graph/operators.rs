//! What Relay passes ask about operators.

pub use relay_dialects::relay::build::{constant, make, remake};

use relay_dialects::{
    Element,
    ir::{Attr, Builder, Op, Type, Value},
    names,
    ops::func,
    relay::{build::splat, pattern, row_of},
};

/// All functions of a module that hold operators, but for the primitive ones.
pub fn functions(module: Op) -> Vec<Op> {
    let is_plain = |op: &Op| {
        op.is(func::Func::NAME)
            && op.block_in(0).is_some()
            && !op.has_attr(relay_dialects::attrs::PRIMITIVE)
    };
    module.body().ops().into_iter().filter(is_plain).collect()
}

/// Whether a `nn.conv2d` reads NCHW and OIHW and gives NCHW.
pub fn is_plain_conv2d(op: Op) -> bool {
    let is = |name: &str, expected: &str| {
        let layout = op.attr(name).and_then(Attr::as_str).unwrap_or_default();
        layout.is_empty() || layout == expected
    };
    op.is(names::relay::NN_CONV2D)
        && is("data_layout", "NCHW")
        && is("kernel_layout", "OIHW")
        && is("out_layout", "NCHW")
}

/// Whether a value depends on constants only, so that `fold-constant` makes it one.
pub fn is_foldable(value: Value) -> bool {
    let from_constants = |op: Op| {
        let is_static = value.ty().is_tensor() && value.ty().is_static();
        is_static && pattern(op).is_some() && op.operands().into_iter().all(is_foldable)
    };
    constant(value).is_some() || value.def().is_some_and(from_constants)
}

/// The number that all elements of a constant are, or of integers that are widened.
pub fn known_number(value: Value) -> Option<f64> {
    match value.def() {
        Some(op) if op.is(names::relay::RESHAPE) || is_widening(op) => known_number(op.operand(0)),
        _ => splat(value),
    }
}

/// Whether an operator is a cast of integers to wider ones or to floats.
fn is_widening(op: Op) -> bool {
    if !op.is(names::relay::CAST) {
        return false;
    }
    let elements = [op.operand(0), op.result(0)].map(|value| Element::of(value.ty().element()));
    let [Some(from), Some(to)] = elements else {
        return false;
    };
    from.is_integer() && (to.is_float() || to.bits() > from.bits())
}

/// Whether two values are known to be one number.
pub fn are_equal(one: Value, other: Value) -> bool {
    one == other || known_number(one).is_some_and(|known| known_number(other) == Some(known))
}

/// A value with its elements in another type; the value itself if it has that.
pub fn cast(builder: &Builder, value: Value, to: Type) -> Value {
    if value.ty().element() == to {
        return value;
    }
    let dtype = [("dtype", Attr::ty(to))];
    make(builder, names::relay::CAST, &[value], &dtype)
}

/// Whether an operator's result has the bytes of its operand, in the same order.
pub fn is_view(op: Op) -> bool {
    row_of(op).is_some_and(|row| row.is_view)
}

/// Whether kernels compute with elements of a type in f32: f32 itself, and the narrow floats.
pub fn is_computed_in_f32(element: Type) -> bool {
    Element::of(element).is_some_and(|element| element.computed_in() == Element::F32)
}
