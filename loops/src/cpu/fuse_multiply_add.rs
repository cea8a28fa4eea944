//! `fuse-multiply-add`: a product and the sum that it is added to, as one instruction.

use relay_dialects::{
    ir::{Attr, Builder, Op, Type},
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
    anchor: "builtin.module",
    options: &[DOUBLES],
    run,
};

/// What LLVM fuses if it is marked.
const ARITHMETIC: &[&str] = &["arith.addf", "arith.mulf", "arith.subf"];

fn run(module: Op, options: &Options) -> PassResult {
    let doubles = options.bool(DOUBLES.name);
    for sum in module.find_all("arith.addf") {
        if may_fuse(sum) && has_instruction(sum.result(0).ty().element(), doubles) {
            fuse(sum);
        }
    }
    module.walk(|op| {
        if may_fuse(op) && ARITHMETIC.iter().any(|name| op.is(name)) {
            op.set_attr(FLAGS, without_contract(op));
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
            .def_of("arith.mulf")
            .filter(|op| may_fuse(*op))?;
        Some((op, operands[1 - at]))
    };
    if let Some((product, other)) = product(1).or_else(|| product(0)) {
        let all = [product.operand(0), product.operand(1), other];
        let fused = Builder::before(sum).value("math.fma", &all, other.ty(), &[]);
        sum.replace_with(&[fused]);
        if product.result(0).users().is_empty() {
            product.erase();
        }
    }
}

const FLAGS: &str = "fastmath";
const CONTRACT: &str = "contract";

/// The names of an op's flags of floating point.
fn flags(op: Op) -> Vec<String> {
    let text = op.attr(FLAGS).map(|flags| flags.to_string());
    let inside = text
        .as_deref()
        .and_then(|text| text.split(['<', '>']).nth(1));
    let names = inside.unwrap_or_default().split(',');
    names.map(|name| name.trim().to_owned()).collect()
}

fn may_fuse(op: Op) -> bool {
    flags(op).iter().any(|flag| flag == CONTRACT)
}

fn without_contract(op: Op) -> Attr {
    let mut left = flags(op);
    left.retain(|flag| flag != CONTRACT);
    let left = match left.is_empty() {
        true => "none".into(),
        false => left.join(","),
    };
    Attr::parse(op.ctx(), &format!("#arith.fastmath<{left}>")).expect("arith is loaded")
}
