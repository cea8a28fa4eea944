//! What an op computes of numbers.

use super::Number;
use relay_dialects::{
    ir::{Attr, Op, Type},
    ops::arith,
};

/// What an op of that name makes of numbers: one of type `ty`.
pub(super) fn arithmetic(op: Op, name: &str, lanes: &[Number], ty: Type) -> Result<Number, String> {
    use Number::{Float, Int};
    let number = match (name, lanes) {
        (arith::Select::NAME, [Int(condition), yes, no]) => {
            Some(if *condition != 0 { *yes } else { *no })
        }
        (arith::SIToFP::NAME, [Int(a)]) => Some(Float(*a as f32)),
        (arith::IndexCast::NAME | arith::ExtSI::NAME | arith::TruncI::NAME, [Int(a)]) => {
            Some(Int(wrap(ty, *a)))
        }
        (arith::CmpI::NAME, [Int(a), Int(b)]) => {
            // MLIR numbers eq, ne, slt, sle, sgt, sge.
            let holds = [a == b, a != b, a < b, a <= b, a > b, a >= b];
            Some(Int(compared(op, &holds, 0)?))
        }
        (arith::CmpF::NAME, [Float(a), Float(b)]) => {
            // From 1 on: oeq, ogt, oge, olt, ole, one, ord, ueq, ugt, uge, ult, ule, une.
            let ordered = !a.is_nan() && !b.is_nan();
            let holds = [
                a == b,
                a > b,
                a >= b,
                a < b,
                a <= b,
                ordered && a != b,
                ordered,
            ];
            let holds = [
                &holds[..],
                &holds[..6]
                    .iter()
                    .map(|holds| *holds || !ordered)
                    .collect::<Vec<_>>(),
            ]
            .concat();
            Some(Int(compared(op, &holds, 1)?))
        }
        (_, [Int(a), Int(b)]) => of_ints(name, *a, *b)?.map(|value| Int(wrap(ty, value))),
        (_, [Float(a), Float(b)]) => of_floats(name, *a, *b).map(Float),
        _ => None,
    };
    number.ok_or_else(|| format!("{name} of {lanes:?} is not known here"))
}

/// An integer as a type of fewer than 64 bits holds it.
fn wrap(ty: Type, value: i64) -> i64 {
    if ty.is_bool() {
        return value & 1;
    }
    if ty.is_int() && ty.bit_width() < 64 {
        let shift = 64 - ty.bit_width();
        return value << shift >> shift;
    }
    value
}

fn of_ints(name: &str, a: i64, b: i64) -> Result<Option<i64>, String> {
    let is_division = [
        arith::DivSI::NAME,
        arith::RemSI::NAME,
        arith::FloorDivSI::NAME,
    ]
    .contains(&name);
    if is_division && b == 0 {
        return Err("a division by 0".into());
    }
    Ok(Some(match name {
        arith::AddI::NAME => a.wrapping_add(b),
        arith::SubI::NAME => a.wrapping_sub(b),
        arith::MulI::NAME => a.wrapping_mul(b),
        arith::DivSI::NAME => a / b,
        arith::RemSI::NAME => a % b,
        arith::FloorDivSI::NAME => a.div_euclid(b),
        arith::MinSI::NAME => a.min(b),
        arith::MaxSI::NAME => a.max(b),
        arith::AndI::NAME => a & b,
        arith::OrI::NAME => a | b,
        arith::XOrI::NAME => a ^ b,
        _ => return Ok(None),
    }))
}

fn of_floats(name: &str, a: f32, b: f32) -> Option<f32> {
    Some(match name {
        arith::AddF::NAME => a + b,
        arith::SubF::NAME => a - b,
        arith::MulF::NAME => a * b,
        arith::MaximumF::NAME => a.max(b),
        arith::MinimumF::NAME => a.min(b),
        _ => return None,
    })
}

/// What a comparison says, given what each predicate from number `first` on does.
fn compared(op: Op, holds: &[bool], first: i64) -> Result<i64, String> {
    let predicate = predicate(op)?;
    let place = usize::try_from(predicate - first).ok();
    let holds = place.and_then(|place| holds.get(place));
    let unknown = || format!("{} of predicate {predicate}", op.name());
    holds.copied().map(i64::from).ok_or_else(unknown)
}

fn predicate(op: Op) -> Result<i64, String> {
    op.attr("predicate")
        .and_then(Attr::as_i64)
        .ok_or_else(|| "a comparison without predicate".into())
}
