//! What is known of index arithmetic: bounds, remainders and conditions, and simpler forms of values.

use super::{
    condition::{self, Bound},
    linear::{Linear, cut, form_interval, interval, linear, materialize},
};
use relay_dialects::{
    index::constant,
    ir::{Attr, Builder, Op, Value},
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
    fn new(coefficient: i64, base: i64) -> Self {
        let coefficient = coefficient.abs();
        let base = if coefficient == 0 {
            base
        } else {
            base.rem_euclid(coefficient)
        };
        Self { coefficient, base }
    }

    /// What both sets' values are.
    fn union(self, other: Self) -> Self {
        let apart = gcd(
            gcd(self.coefficient, other.coefficient),
            self.base - other.base,
        );
        Self::new(apart, self.base)
    }

    /// Whether no value of the set is `value`.
    pub fn excludes(self, value: i64) -> bool {
        match self.coefficient {
            0 => value != self.base,
            apart => (value - self.base) % apart != 0,
        }
    }
}

/// The greatest common divisor; that of 0 and 0 is 0.
fn gcd(a: i64, b: i64) -> i64 {
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
        let mut set = Modular::new(0, form.constant);
        for &(term, factor) in &form.terms {
            let part = self.term_modular(term);
            let apart = gcd(set.coefficient, part.coefficient * factor);
            set = Modular::new(apart, set.base + part.base * factor);
        }
        set
    }

    fn term_modular(self, term: Value) -> Modular {
        let any = Modular::new(1, 0);
        let Some(op) = term.def() else {
            return any;
        };
        match op.name().as_str() {
            "arith.muli" => {
                let (x, y) = (self.modular(op.operand(0)), self.modular(op.operand(1)));
                let apart = gcd(
                    gcd(x.coefficient * y.coefficient, x.coefficient * y.base),
                    y.coefficient * x.base,
                );
                Modular::new(apart, x.base * y.base)
            }
            "arith.select" => self
                .modular(op.operand(1))
                .union(self.modular(op.operand(2))),
            "arith.minsi" | "arith.maxsi" => self
                .modular(op.operand(0))
                .union(self.modular(op.operand(1))),
            "arith.remsi" | "arith.remui" => match constant(op.operand(1)) {
                Some(by) if by > 0 && self.is_natural(op.operand(0)) => {
                    let whole = self.modular(op.operand(0));
                    Modular::new(gcd(whole.coefficient, by), whole.base)
                }
                _ => any,
            },
            _ => any,
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
        let op = value.def_of("arith.cmpi")?;
        if Bound::of(op).is_some() || !op.operand(0).ty().is_index() {
            return None;
        }
        let equal = self.equal(op.operand(0), op.operand(1))?;
        match op.attr("predicate").and_then(Attr::as_i64)? {
            0 => Some(equal),
            1 => Some(!equal),
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
        let (x, y) = (self.modular(lhs), self.modular(rhs));
        let apart = gcd(x.coefficient, y.coefficient);
        Modular::new(apart, x.base - y.base)
            .excludes(0)
            .then_some(false)
    }

    /// A value that equals an op's result and takes fewer ops, written at `b`; `None` if there is no such value.
    pub fn simplify(self, b: &Builder, op: Op) -> Option<Value> {
        let result = op.result(0);
        let name = op.name();
        if name == "arith.cmpi" {
            return self
                .condition(result)
                .map(|holds| b.int_constant(result.ty(), i64::from(holds)));
        }
        if name == "arith.select" {
            return self
                .condition(op.operand(0))
                .map(|holds| op.operand(if holds { 1 } else { 2 }));
        }
        if !result.ty().is_index() {
            return None;
        }
        match name.as_str() {
            "arith.divsi" | "arith.floordivsi" | "arith.divui" => self.divide(b, op, true),
            "arith.remsi" | "arith.remui" => self.divide(b, op, false),
            "arith.minsi" => self.smaller(op.operand(0), op.operand(1)),
            "arith.maxsi" => {
                let smaller = self.smaller(op.operand(0), op.operand(1))?;
                Some(op.operand(usize::from(smaller == op.operand(0))))
            }
            "arith.addi" | "arith.subi" | "arith.muli" => {
                // A product of two variables is a term itself.
                one_term(b, &linear(result)).filter(|value| *value != result)
            }
            _ => None,
        }
    }

    /// Of two values the one that is never greater than the other, if that is known.
    fn smaller(self, lhs: Value, rhs: Value) -> Option<Value> {
        match form_interval(&linear(lhs).minus(&linear(rhs)))? {
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
