//! Maxima and minima of numbers that are f16 in memory.

use relay_dialects::{
    intrinsics::call_intrinsic,
    ir::{Builder, Op, Value},
    ops::arith,
};

/// The operations of two floats that LLVM computes in f16 if both are widened from it.
const EXTREMES: [&str; 4] = [
    arith::MaximumF::NAME,
    arith::MaxNumF::NAME,
    arith::MinimumF::NAME,
    arith::MinNumF::NAME,
];

/// LLVM's intrinsic that hides from its optimisations how a float was computed. It becomes no instruction.
const FENCE: &str = "llvm.arithmetic.fence";

/// Keeps maxima and minima of widened f16 in f32, as kernels compute them. Without instructions on f16, LLVM would widen the operands of each
/// of them again.
pub fn keep_in_f32(module: Op) {
    for op in EXTREMES.iter().flat_map(|name| module.find_all(name)) {
        let mut operands = op.operands().into_iter().enumerate();
        // One operand that is no f16 suffices.
        let widened = operands.rfind(|(_, operand)| is_widened(*operand));
        if let Some((index, operand)) = widened {
            op.set_operand(index, fence(&Builder::before(op), operand));
        }
    }
}

fn is_widened(value: Value) -> bool {
    let source = arith::ExtF::making(value).map(|widening| widening.in_().ty());
    source.is_some_and(|ty| ty.element().is_f16())
}

fn fence(b: &Builder, value: Value) -> Value {
    call_intrinsic(b, FENCE, &[value], value.ty())
}
