//! `lower-byte-dots`: products of bytes as instructions of the processor.

use crate::vectors::shuffle;
use relay_dialects::{
    intrinsics::call_intrinsic,
    ir::{Attr, Builder, Op, Type, Value},
    names::tir,
    ops::{arith, builtin, vector},
    pass::{Default, OptionSpec, Options, PassResult, PassSpec, fail},
};
use relay_machine::dots::{BYTE_DOTS, ByteDot, Sums};

/// The instruction.
const INSTRUCTION: OptionSpec = OptionSpec {
    name: "instruction",
    summary: "the name of the processor's instruction, such as avx512-vnni; none for plain arithmetic",
    default: Default::Str("none"),
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "lower-byte-dots",
    summary: "lower tir.dot_bytes to the processor's instruction",
    description: include_str!("lower_byte_dots.md"),
    anchor: builtin::Module::NAME,
    options: &[INSTRUCTION],
    run,
};

/// The bytes of a word.
const BYTES: i64 = 4;

fn run(module: Op, options: &Options) -> PassResult {
    let name = options.str(INSTRUCTION.name);
    let instruction = ByteDot::named(name);
    if instruction.is_none() && name != "none" {
        let known: Vec<&str> = BYTE_DOTS.iter().map(|dot| dot.name).collect();
        let known = known.join(", ");
        let reason = format!("instruction is {name}, expected none or one of {known}");
        return fail(module, reason);
    }
    for op in module.find_all(tir::DOT_BYTES) {
        let lanes = op.result(0).ty().shape().first().copied().unwrap_or(1);
        let found = instruction.and_then(|dot| Some((dot.sums, dot.intrinsic(lanes)?)));
        match found {
            Some((Sums::Bytes, intrinsic)) => add_to_sum(op, intrinsic),
            Some((Sums::Pairs, intrinsic)) => {
                replace(op, |b, [lhs, rhs]| pairs(b, lhs, rhs, intrinsic))
            }
            None => replace(op, |b, [lhs, rhs]| plain(b, lhs, rhs)),
        }
    }
    Ok(())
}

/// Replaces a dot product.
fn replace(op: Op, write: impl FnOnce(&Builder, [Value; 2]) -> Value) {
    let value = write(&Builder::before(op), [op.operand(0), op.operand(1)]);
    op.replace_with(&[value]);
}

/// Replaces a dot product, and the addition to a sum that is its only use.
fn add_to_sum(op: Op, (lanes, intrinsic): (i64, &str)) {
    let sum = match op.result(0).users()[..] {
        [user] if user.is(arith::AddI::NAME) && user.operand(0) != user.operand(1) => Some(user),
        _ => None,
    };
    let target = sum.unwrap_or(op);
    let b = Builder::before(target);
    let other = sum.and_then(|sum| {
        sum.operands()
            .into_iter()
            .find(|value| *value != op.result(0))
    });
    let ty = op.result(0).ty();
    let start = other.unwrap_or_else(|| number(&b, ty, 0));
    let value = in_parts(
        &b,
        [start, op.operand(0), op.operand(1)],
        lanes,
        &|b: &Builder, [start, lhs, rhs]: [Value; 3]| {
            let [lhs, rhs] = [lhs, rhs].map(|words| bits(b, words, 8));
            call_intrinsic(b, intrinsic, &[start, lhs, rhs], start.ty())
        },
    );
    target.replace_with(&[value]);
    if sum.is_some() {
        op.erase();
    }
}

/// Even and odd bytes apart, as 16-bit numbers.
fn pairs(b: &Builder, lhs: Value, rhs: Value, (lanes, intrinsic): (i64, &str)) -> Value {
    let unsigned = |words: Value| {
        let halves = bits(b, words, 16);
        let odd = arith::ShRUI::build(b, halves, number(b, halves.ty(), 8));
        [
            arith::AndI::build(b, halves, number(b, halves.ty(), 255)),
            odd,
        ]
    };
    let signed = |words: Value| {
        let halves = bits(b, words, 16);
        let eight = number(b, halves.ty(), 8);
        let high = arith::ShLI::build(b, halves, eight);
        [high, halves].map(|halves| arith::ShRSI::build(b, halves, eight))
    };
    let ([even, odd], [other_even, other_odd]) = (unsigned(lhs), signed(rhs));
    let sums = |lhs: Value, rhs: Value| {
        in_parts(
            b,
            [lhs, rhs],
            2 * lanes,
            &|b: &Builder, [lhs, rhs]: [Value; 2]| {
                call_intrinsic(
                    b,
                    intrinsic,
                    &[lhs, rhs],
                    Type::vector(&[lanes], Type::int(b.ctx, 32)),
                )
            },
        )
    };
    arith::AddI::build(b, sums(even, other_even), sums(odd, other_odd))
}

/// Byte by byte, in 32 bits.
fn plain(b: &Builder, lhs: Value, rhs: Value) -> Value {
    let of = |value| number(b, lhs.ty(), value);
    let product = |byte: i64| {
        let low = arith::ShRUI::build(b, lhs, of(8 * byte));
        let unsigned = arith::AndI::build(b, low, of(255));
        let high = arith::ShLI::build(b, rhs, of(24 - 8 * byte));
        let signed = arith::ShRSI::build(b, high, of(24));
        arith::MulI::build(b, unsigned, signed)
    };
    let others = (1..BYTES).map(product);
    others.fold(product(0), |sum, product| {
        arith::AddI::build(b, sum, product)
    })
}

/// What `write` makes of vectors, in parts of so many lanes.
fn in_parts<const COUNT: usize>(
    b: &Builder,
    vectors: [Value; COUNT],
    lanes: i64,
    write: &impl Fn(&Builder, [Value; COUNT]) -> Value,
) -> Value {
    let all = vectors[0].ty().shape()[0];
    if all == lanes {
        return write(b, vectors);
    }
    let halves = [0, all / 2].map(|first| {
        let half = vectors.map(|vector| shuffle(b, [vector; 2], first..first + all / 2));
        in_parts(b, half, lanes, write)
    });
    let count = 2 * halves[0].ty().shape()[0];
    shuffle(b, halves, 0..count)
}

/// A vector's bits as narrower lanes.
fn bits(b: &Builder, words: Value, width: u32) -> Value {
    let lanes = words.ty().shape()[0] * 32 / i64::from(width);
    let ty = Type::vector(&[lanes], Type::int(b.ctx, width));
    vector::BitCast::build(b, ty, words)
}

/// A number in each lane.
fn number(b: &Builder, ty: Type, value: i64) -> Value {
    let scalar = Attr::int(ty.element(), value);
    let is_vector = ty.element() != ty;
    arith::Constant::build(
        b,
        if is_vector {
            Attr::splat(ty, scalar)
        } else {
            scalar
        },
    )
}
