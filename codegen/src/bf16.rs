//! Roundings to bf16 that neither upstream's conversions nor the processor's instructions make right.

use relay_dialects::{
    ir::{Builder, Op, Type, Value},
    ops::arith::{self, FastMathFlags},
};

/// Upstream's operation that rounds floats.
const ROUND: &str = arith::TruncF::NAME;

/// The bits of NaN.
const NAN: f64 = 0x7fc0 as f64;

/// Whether something in a module has numbers of bf16.
pub fn has_bf16(module: Op) -> bool {
    let found = module.find(|op| {
        let mut values = op.operands().into_iter().chain(op.results());
        values.any(|value| value.ty().element().is_bf16())
    });
    found.is_some()
}

/// Rounds f64 to f32 before bf16, because upstream expands no other conversion.
pub fn round_by_way_of_f32(module: Op) {
    for op in roundings(module) {
        let ty = op.result(0).ty();
        if op.operand(0).ty().element().is_f32() {
            continue;
        }
        let b = Builder::before(op);
        let single = b.value(
            ROUND,
            &op.operands(),
            ty.with_element(Type::f32(b.ctx)),
            &[],
        );
        op.replace_with(&[b.value(ROUND, &[single], ty, &[])]);
    }
}

/// Writes the casts of f32 to bf16 as arithmetic on bits, for processors whose instruction makes 0 of subnormal numbers. The results of
/// operators, which are marked `contract`, are left to the instruction: it is one operation, and these are eight.
pub fn round_casts_by_bits(module: Op) {
    for op in roundings(module) {
        let is_single = op.operand(0).ty().element().is_f32();
        if is_single && !may_be_left_out(op) {
            let rounded = by_bits(&Builder::before(op), op.operand(0), op.result(0).ty());
            op.replace_with(&[rounded]);
        }
    }
}

/// The operations of a module that round floats to bf16.
fn roundings(module: Op) -> impl Iterator<Item = Op> {
    let all = module.find_all(ROUND).into_iter();
    all.filter(|op| op.result(0).ty().element().is_bf16())
}

/// Whether a rounding is marked `contract`: who reads the result may read the float itself.
fn may_be_left_out(op: Op) -> bool {
    let flags = arith::TruncF::of(op).and_then(arith::TruncF::fastmath);
    flags.is_some_and(|flags| flags.contains(FastMathFlags::CONTRACT))
}

/// The bf16 nearest to an f32, of two the even one: a carry from the bits that are left out goes to the exponent.
fn by_bits(b: &Builder, x: Value, to: Type) -> Value {
    let wide = to.with_element(Type::int(b.ctx, 32));
    let narrow = to.with_element(Type::int(b.ctx, 16));
    let int = |value: f64| b.constant(wide, value);
    let bits = arith::Bitcast::build(b, wide, x);
    let upper = arith::ShRUI::build(b, bits, int(16.0));
    let odd = arith::AndI::build(b, upper, int(1.0));
    let half = arith::AddI::build(b, odd, int(f64::from(0x7fff)));
    let sum = arith::AddI::build(b, bits, half);
    let rounded = arith::ShRUI::build(b, sum, int(16.0));
    let rounded = arith::TruncI::build(b, narrow, rounded);
    let is_nan = arith::CmpF::build(b, arith::CmpFPredicate::Uno, x, x);
    let result = b.select(is_nan, b.constant(narrow, NAN), rounded);
    arith::Bitcast::build(b, to, result)
}
