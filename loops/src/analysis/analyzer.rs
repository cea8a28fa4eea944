//! What is known of index arithmetic: bounds, remainders and conditions, and simpler forms of values.

use super::{
    condition::{self, Bound},
    linear::{Linear, cut, difference, form_interval, interval, linear, materialize},
};
use relay_dialects::{
    index::constant,
    ir::{Builder, Op, Value},
    ops::arith::{self, CmpIPredicate},
};

/// The values `coefficient * n + base` for whole `n`; one value where the coefficient is 0. TVM:
/// `ModularSet`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Modular {
    /// How far apart they are.
    pub coefficient: i64,
    /// The base of the values: from 0 up to the coefficient, exclusive, where that is not 0.
    pub base: i64,
}

impl Modular {
    /// All numbers.
    const ANY: Self = Self {
        coefficient: 1,
        base: 0,
    };

    /// [`Self::ANY`] where 64 bits do not hold the coefficient or the base.
    fn new(coefficient: i128, base: i128) -> Self {
        let coefficient = coefficient.abs();
        let base = if coefficient == 0 {
            base
        } else {
            base.rem_euclid(coefficient)
        };
        match (coefficient.try_into(), base.try_into()) {
            (Ok(coefficient), Ok(base)) => Self { coefficient, base },
            _ => Self::ANY,
        }
    }

    /// The coefficient and the base, whose products 128 bits hold.
    fn wide(self) -> (i128, i128) {
        (self.coefficient.into(), self.base.into())
    }

    fn plus(self, other: Self, factor: i64) -> Self {
        let ((a, x), (b, y)) = (self.wide(), other.wide());
        let factor = i128::from(factor);
        Self::new(gcd(a, b * factor), x + y * factor)
    }

    fn times(self, other: Self) -> Self {
        let ((a, x), (b, y)) = (self.wide(), other.wide());
        Self::new(gcd(gcd(a * b, a * y), b * x), x * y)
    }

    /// What both sets' values are.
    fn union(self, other: Self) -> Self {
        let ((a, x), (b, y)) = (self.wide(), other.wide());
        Self::new(gcd(gcd(a, b), x - y), x)
    }

    /// Whether no value of the set is `value`.
    pub fn excludes(self, value: i64) -> bool {
        let (apart, base) = self.wide();
        let distance = i128::from(value) - base;
        match apart {
            0 => distance != 0,
            apart => distance % apart != 0,
        }
    }
}

/// The greatest common divisor; that of 0 and 0 is 0.
fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}

/// Answers questions on index values from the bounds of the loops around them and arithmetic.
#[derive(Clone, Copy, Debug, Default)]
pub struct Analyzer;

impl Analyzer {
    /// The smallest and largest value, both inclusive. TVM: `ConstIntBound`.
    pub fn bound(self, value: Value) -> Option<(i64, i64)> {
        interval(value)
    }

    /// What the values have in common as remainders.
    pub fn modular(self, value: Value) -> Modular {
        let form = linear(value);
        let constant = Modular::new(0, form.constant.into());
        let terms = form.terms.iter();
        terms.fold(constant, |sum, (term, factor)| {
            sum.plus(self.term_modular(*term), *factor)
        })
    }

    fn term_modular(self, term: Value) -> Modular {
        let Some(op) = term.def() else {
            return Modular::ANY;
        };
        match op.name().as_str() {
            arith::MulI::NAME => self
                .modular(op.operand(0))
                .times(self.modular(op.operand(1))),
            arith::Select::NAME => self
                .modular(op.operand(1))
                .union(self.modular(op.operand(2))),
            arith::MinSI::NAME | arith::MaxSI::NAME => self
                .modular(op.operand(0))
                .union(self.modular(op.operand(1))),
            arith::RemSI::NAME | arith::RemUI::NAME => match constant(op.operand(1)) {
                Some(by) if by > 0 && self.is_natural(op.operand(0)) => {
                    let (apart, base) = self.modular(op.operand(0)).wide();
                    Modular::new(gcd(apart, by.into()), base)
                }
                _ => Modular::ANY,
            },
            _ => Modular::ANY,
        }
    }

    fn is_natural(self, value: Value) -> bool {
        self.bound(value).is_some_and(|(low, _)| low >= 0)
    }

    /// Whether a condition always holds, or never.
    pub fn condition(self, value: Value) -> Option<bool> {
        if let Some(known) = condition::known(value) {
            return Some(known);
        }
        let comparison = arith::CmpI::making(value)?;
        let (lhs, rhs) = (comparison.lhs(), comparison.rhs());
        if Bound::of(comparison.op()).is_some() || !lhs.ty().is_index() {
            return None;
        }
        let equal = self.equal(lhs, rhs)?;
        match comparison.predicate() {
            CmpIPredicate::Eq => Some(equal),
            CmpIPredicate::Ne => Some(!equal),
            _ => None,
        }
    }

    /// Whether two values are always equal, or never.
    fn equal(self, lhs: Value, rhs: Value) -> Option<bool> {
        let form = linear(lhs).minus(&linear(rhs));
        match form_interval(&form) {
            Some((0, 0)) => return Some(true),
            Some((low, high)) if low > 0 || high < 0 => return Some(false),
            _ => {}
        }
        let apart = self.modular(lhs).plus(self.modular(rhs), -1);
        apart.excludes(0).then_some(false)
    }

    /// A value that equals an op's result and takes fewer ops, written at `b`; `None` if there is no such value.
    pub fn simplify(self, b: &Builder, op: Op) -> Option<Value> {
        let result = op.result(0);
        let name = op.name();
        if name == arith::CmpI::NAME {
            return self
                .condition(result)
                .map(|holds| b.int_constant(result.ty(), i64::from(holds)));
        }
        if name == arith::Select::NAME {
            return self
                .condition(op.operand(0))
                .map(|holds| op.operand(if holds { 1 } else { 2 }));
        }
        if !result.ty().is_index() {
            return None;
        }
        match name.as_str() {
            arith::DivSI::NAME | arith::FloorDivSI::NAME | arith::DivUI::NAME => {
                self.divide(b, op, true)
            }
            arith::RemSI::NAME | arith::RemUI::NAME => self.divide(b, op, false),
            arith::MinSI::NAME => self.smaller(op.operand(0), op.operand(1)),
            arith::MaxSI::NAME => {
                let smaller = self.smaller(op.operand(0), op.operand(1))?;
                Some(op.operand(usize::from(smaller == op.operand(0))))
            }
            arith::AddI::NAME | arith::SubI::NAME | arith::MulI::NAME => {
                // A product of two variables is a term itself.
                one_term(b, &linear(result)).filter(|value| *value != result)
            }
            _ => None,
        }
    }

    /// Of two values the one that is never greater than the other, if that is known.
    fn smaller(self, lhs: Value, rhs: Value) -> Option<Value> {
        match form_interval(&difference(lhs, rhs)?)? {
            (_, high) if high <= 0 => Some(lhs),
            (low, _) if low >= 0 => Some(rhs),
            _ => None,
        }
    }

    /// A quotient or remainder of `by * whole + rest`, where `0 <= rest < by`.
    fn divide(self, b: &Builder, op: Op, quotient: bool) -> Option<Value> {
        let by = constant(op.operand(1)).filter(|by| *by > 0)?;
        if !self.is_natural(op.operand(0)) {
            return None;
        }
        if let Some((whole, rest)) = cut(&linear(op.operand(0)), by) {
            return Some(materialize(b, if quotient { &whole } else { &rest }));
        }
        let set = self.modular(op.operand(0));
        if !quotient && set.coefficient % by == 0 {
            return Some(b.index(set.base.rem_euclid(by)));
        }
        None
    }
}

/// A form without ops, or of one term.
fn one_term(b: &Builder, form: &Linear) -> Option<Value> {
    match form.terms[..] {
        [] => Some(b.index(form.constant)),
        [(term, 1)] if form.constant == 0 => Some(term),
        _ => None,
    }
}
