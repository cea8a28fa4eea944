//! `fuse-multiply-add`: a product and the sum that it is added to, as one instruction.

use relay_dialects::{
    ir::{Builder, Op, Type},
    ops::{
        arith::{self, FastMathFlags},
        builtin, math,
    },
    pass::{Default, OptionSpec, Options, PassResult, PassSpec},
};

/// Whether f64 is fused, too.
const DOUBLES: OptionSpec = OptionSpec {
    name: "doubles",
    summary: "whether the processor also has the instruction for f64",
    default: Default::Bool(true),
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "fuse-multiply-add",
    summary: "Contract a product and a sum to math.fma",
    description: "`arith.addf` of an `arith.mulf`, both marked `contract`, becomes `math.fma`, for scalars and vectors \
                  of f32 and f64. Then the pass removes all `contract` marks. LLVM would decide for each copy of a \
                  loop separately: it rounds once in the vector part and twice in the remainder, or the other way \
                  round. The result would depend on the start of a thread's part. Upstream's `math-uplift-to-fma` \
                  keeps the marks, and accepts types without such an instruction.",
    anchor: builtin::Module::NAME,
    options: &[DOUBLES],
    run,
};

/// What LLVM fuses if it is marked.
const ARITHMETIC: &[&str] = &[arith::AddF::NAME, arith::MulF::NAME, arith::SubF::NAME];

fn run(module: Op, options: &Options) -> PassResult {
    let doubles = options.bool(DOUBLES.name);
    for sum in module.find_all(arith::AddF::NAME) {
        if may_fuse(sum) && has_instruction(sum.result(0).ty().element(), doubles) {
            fuse(sum);
        }
    }
    module.walk(|op| {
        if may_fuse(op) && ARITHMETIC.iter().any(|name| op.is(name)) {
            let flags = flags(op).without(FastMathFlags::CONTRACT);
            op.set_attr(FLAGS, flags.attr(op.ctx()));
        }
    });
    Ok(())
}

fn has_instruction(element: Type, doubles: bool) -> bool {
    element.is_f32() || (element.is_f64() && doubles)
}

/// Of two products, the second one fuses: a sum's new term.
fn fuse(sum: Op) {
    let operands = [sum.operand(0), sum.operand(1)];
    let product = |at: usize| {
        let op = operands[at]
            .def_of(arith::MulF::NAME)
            .filter(|op| may_fuse(*op))?;
        Some((op, operands[1 - at]))
    };
    if let Some((product, other)) = product(1).or_else(|| product(0)) {
        let (lhs, rhs) = (product.operand(0), product.operand(1));
        let fused = math::Fma::build(&Builder::before(sum), lhs, rhs, other);
        sum.replace_with(&[fused]);
        if product.result(0).users().is_empty() {
            product.erase();
        }
    }
}

const FLAGS: &str = "fastmath";

/// An op's flags of floating point.
fn flags(op: Op) -> FastMathFlags {
    let flags = op.attr(FLAGS).and_then(FastMathFlags::of);
    flags.unwrap_or(FastMathFlags::NONE)
}

fn may_fuse(op: Op) -> bool {
    flags(op).contains(FastMathFlags::CONTRACT)
}
