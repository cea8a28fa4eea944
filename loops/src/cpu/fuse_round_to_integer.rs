//! `fuse-round-to-integer`: a float that is rounded and then made an integer, in one instruction.

use relay_dialects::{
    intrinsics::call_intrinsic,
    ir::{Builder, Op, Type, Value},
    ops::{
        arith::{self, FastMathFlags},
        builtin, math,
    },
    pass::{Options, PassResult, PassSpec},
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "fuse-round-to-integer",
    summary: "convert f32 to 32-bit integers with rounding",
    description: "`arith.fptosi` of `math.roundeven`, from f32 to i32, becomes LLVM's intrinsic `llvm.lrint`, for scalars and \
                  vectors. Processors round to nearest, half to even, unless a program changes their mode. On x86-64, that is the \
                  instruction that converts; elsewhere it may be a call for each element, so that this pass is not for such \
                  targets. Maxima and minima before get the flag `nsz`, because integers have one zero. What 32 bits do not hold has no defined result before or after.",
    anchor: builtin::Module::NAME,
    options: &[],
    run,
};

fn run(module: Op, _options: &Options) -> PassResult {
    for conversion in module.find_all(arith::FPToSI::NAME) {
        let rounding = conversion.operand(0).def_of(math::RoundEven::NAME);
        let is_word = conversion.result(0).ty().element() == Type::int(conversion.ctx(), 32);
        if let Some(rounding) = rounding
            && is_word
            && rounding.result(0).ty().element().is_f32()
        {
            fuse(conversion, rounding);
        }
    }
    Ok(())
}

/// Marks the maxima and minima that only give what is converted: an integer has one zero. Otherwise a maximum of a number and
/// zero takes several instructions.
fn forget_signs_of_zeros(mut value: Value) {
    while let Some(op) = value
        .def()
        .filter(|op| is_extreme(*op) && value.users().len() == 1)
    {
        let flags = op.attr(FLAGS).and_then(FastMathFlags::of);
        let flags = flags.unwrap_or(FastMathFlags::NONE) | FastMathFlags::NSZ;
        op.set_attr(FLAGS, flags.attr(op.ctx()));
        let number = |index: usize| op.operand(index).def_of(arith::Constant::NAME).is_some();
        value = op.operand(usize::from(number(0)));
    }
}

fn is_extreme(op: Op) -> bool {
    op.is(arith::MaximumF::NAME) || op.is(arith::MinimumF::NAME)
}

const FLAGS: &str = "fastmath";

fn fuse(conversion: Op, rounding: Op) {
    let ty = conversion.result(0).ty();
    let name = match ty.shape()[..] {
        [lanes] => format!("llvm.lrint.v{lanes}i32.v{lanes}f32"),
        _ => "llvm.lrint.i32.f32".into(),
    };
    forget_signs_of_zeros(rounding.operand(0));
    let b = Builder::before(conversion);
    let whole = call_intrinsic(&b, &name, &[rounding.operand(0)], ty);
    conversion.replace_with(&[whole]);
    if !rounding.is_used() {
        rounding.erase();
    }
}
