//! What is known of conditions from the bounds of loops.

use super::linear::{Linear, difference, form_interval};
use relay_dialects::{
    index::constant,
    ir::{Op, Value},
    ops::arith::{self, CmpIPredicate},
};

/// Numbers from here on are in no [`Bound`], so that the numbers of its negation are within 64 bits.
const LARGE: u64 = 1 << 62;

/// `form <= 0`: what a comparison of index values says.
#[derive(Clone, Debug)]
pub struct Bound {
    /// The left side. Its constant and its coefficients lie below 2^62.
    pub form: Linear,
}

impl Bound {
    /// The form of a signed comparison; `None` for equalities, and for numbers near 2^63.
    pub fn of(op: Op) -> Option<Self> {
        let comparison = arith::CmpI::of(op).filter(|op| op.lhs().ty().is_index())?;
        let (lhs, rhs) = (comparison.lhs(), comparison.rhs());
        let strict = |mut form: Linear| {
            form.constant = form.constant.saturating_add(1);
            form
        };
        let form = match comparison.predicate() {
            CmpIPredicate::Slt => strict(difference(lhs, rhs)?),
            CmpIPredicate::Sle => difference(lhs, rhs)?,
            CmpIPredicate::Sgt => strict(difference(rhs, lhs)?),
            CmpIPredicate::Sge => difference(rhs, lhs)?,
            _ => return None,
        };
        let coefficients = form.terms.iter().map(|(_, coefficient)| *coefficient);
        let mut numbers = coefficients.chain([form.constant]);
        numbers
            .all(|number| number.unsigned_abs() < LARGE)
            .then_some(Self { form })
    }

    /// What holds where it does not.
    pub fn negated(&self) -> Self {
        // form > 0, that is 1 - form <= 0
        let mut form = Linear::default().minus(&self.form);
        form.constant += 1;
        Self { form }
    }

    /// Whether it always holds, or never.
    pub fn known(&self) -> Option<bool> {
        match form_interval(&self.form)? {
            (_, high) if high <= 0 => Some(true),
            (low, _) if low > 0 => Some(false),
            _ => None,
        }
    }
}

/// Whether a condition always holds, or never.
pub fn known(condition: Value) -> Option<bool> {
    if let Some(value) = constant(condition) {
        return Some(value != 0);
    }
    let op = condition.def()?;
    match op.name().as_str() {
        arith::CmpI::NAME => Bound::of(op)?.known(),
        arith::AndI::NAME => match (known(op.operand(0)), known(op.operand(1))) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            (Some(true), Some(true)) => Some(true),
            _ => None,
        },
        arith::OrI::NAME => match (known(op.operand(0)), known(op.operand(1))) {
            (Some(true), _) | (_, Some(true)) => Some(true),
            (Some(false), Some(false)) => Some(false),
            _ => None,
        },
        _ => None,
    }
}

/// The comparisons among the [parts] of a condition.
pub fn conjuncts(condition: Value) -> Vec<Op> {
    let comparison = |part: Value| part.def_of(arith::CmpI::NAME);
    parts(condition)
        .into_iter()
        .filter_map(comparison)
        .collect()
}

/// The conditions whose conjunction is a condition.
pub fn parts(condition: Value) -> Vec<Value> {
    match condition.def_of(arith::AndI::NAME) {
        Some(op) => op.operands().into_iter().flat_map(parts).collect(),
        None => vec![condition],
    }
}
