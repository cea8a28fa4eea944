//! Index values as sums of loop variables and of quotients. Equal values have equal forms however they are
//! computed, as `(x / 7) * 7 + x % 7` and `x`.
//!
//! A remainder is written by its definition, `x % k = x - k * (x / k)`. So quotients are all that is left beside
//! [linear forms](super::linear), and multiples of `k` leave a quotient by `k`. Only quotients of values that
//! cannot be negative are taken apart: for those, all kinds of division agree.

use super::{
    known::{Answers, answer},
    linear::interval,
};
use relay_dialects::{
    index::{self, constant},
    ir::{Op, Value},
    ops::arith,
};
use std::cell::RefCell;

thread_local! {
    static FORMS: RefCell<Answers<Value, Form>> = RefCell::default();
}

/// `constant + sum of coefficient * term`; every term occurs once, with a coefficient other than 0.
#[derive(Clone, Debug)]
pub struct Form {
    /// The constant part.
    pub constant: i64,
    /// Terms with their coefficients.
    pub terms: Vec<(Term, i64)>,
}

/// What a form is a sum of.
#[derive(Clone, Debug)]
pub enum Term {
    /// A value that is not taken apart, most often a loop variable.
    Value(Value),
    /// The quotient, rounded down, of a form and a positive constant.
    Quotient(Box<Form>, i64),
}

impl PartialEq for Term {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Value(left), Self::Value(right)) => left == right,
            (Self::Quotient(left, k), Self::Quotient(right, l)) => {
                k == l && left.distance(right) == Some(0)
            }
            _ => false,
        }
    }
}

impl Form {
    fn of_constant(constant: i64) -> Self {
        Self {
            constant,
            terms: Vec::new(),
        }
    }

    fn of_term(term: Term) -> Self {
        Self {
            constant: 0,
            terms: vec![(term, 1)],
        }
    }

    /// The form of an index value.
    pub fn of(value: Value) -> Self {
        if let Some(constant) = constant(value) {
            return Self::of_constant(constant);
        }
        let opaque = || Self::of_term(Term::Value(value));
        match value.def() {
            Some(op) => answer(&FORMS, value, || of_result(op).unwrap_or_else(opaque)),
            None => opaque(),
        }
    }

    /// The place of an element in a dense row-major buffer of `shape`, in elements; `None` where 64 bits do not hold
    /// its numbers.
    pub fn of_element(indices: &[Value], shape: &[i64]) -> Option<Self> {
        let zero = Self::of_constant(0);
        let mut places = indices.iter().zip(shape);
        places.try_fold(zero, |place, (index, dim)| {
            Self::of(*index).plus(&place, *dim)
        })
    }

    /// `self + scale * other`; `None` where 64 bits do not hold its numbers.
    fn plus(mut self, other: &Self, scale: i64) -> Option<Self> {
        let constant = other.constant.checked_mul(scale)?;
        self.constant = self.constant.checked_add(constant)?;
        for (term, coefficient) in &other.terms {
            let added = coefficient.checked_mul(scale)?;
            match self.terms.iter_mut().find(|(known, _)| known == term) {
                Some((_, sum)) => *sum = sum.checked_add(added)?,
                None => self.terms.push((term.clone(), added)),
            }
        }
        self.terms.retain(|(_, coefficient)| *coefficient != 0);
        Some(self)
    }

    /// `self - other`, if that is a constant.
    pub fn distance(&self, other: &Self) -> Option<i64> {
        let apart = self.clone().plus(other, -1)?;
        apart.terms.is_empty().then_some(apart.constant)
    }

    /// The values that it is computed from.
    pub fn values(&self) -> Vec<Value> {
        let terms = self.terms.iter();
        terms
            .flat_map(|(term, _)| match term {
                Term::Value(value) => vec![*value],
                Term::Quotient(form, _) => form.values(),
            })
            .collect()
    }

    /// An interval that its values lie in, both ends included.
    fn interval(&self) -> Option<(i64, i64)> {
        let mut bounds = (self.constant, self.constant);
        for (term, coefficient) in &self.terms {
            let (low, high) = match term {
                Term::Value(value) => interval(*value)?,
                Term::Quotient(form, divisor) => {
                    let (low, high) = form.interval()?;
                    (low.div_euclid(*divisor), high.div_euclid(*divisor))
                }
            };
            let ends = (
                low.checked_mul(*coefficient)?,
                high.checked_mul(*coefficient)?,
            );
            bounds = (
                bounds.0.checked_add(ends.0.min(ends.1))?,
                bounds.1.checked_add(ends.0.max(ends.1))?,
            );
        }
        Some(bounds)
    }

    /// The quotient by `divisor`, rounded down.
    fn quotient(self, divisor: i64) -> Option<Self> {
        let (whole, rest): (Vec<_>, Vec<_>) = self
            .terms
            .into_iter()
            .partition(|(_, coefficient)| coefficient % divisor == 0);
        let whole = Self {
            constant: self.constant.div_euclid(divisor),
            terms: whole
                .into_iter()
                .map(|(term, coefficient)| (term, coefficient / divisor))
                .collect(),
        };
        let rest = Self {
            constant: self.constant.rem_euclid(divisor),
            terms: rest,
        };
        whole.plus(&rest.small_quotient(divisor), 1)
    }

    /// `(x, g)`, if this is `g * x + r`, `g` divides the divisor, and `r` lies in `0..g`: then the quotients of this by the divisor and of
    /// `x` by `divisor / g` are the same.
    fn without_small_terms(&self, divisor: i64) -> Option<(Self, i64)> {
        let parts = index::divisors(divisor).into_iter().rev();
        let mut parts = parts.filter(|part| ![1, divisor].contains(part));
        parts.find_map(|part| {
            let is_multiple = |(_, coefficient): &&(Term, i64)| coefficient % part == 0;
            let (whole, rest): (Vec<_>, Vec<_>) = self.terms.iter().partition(is_multiple);
            let rest = Self {
                constant: self.constant.rem_euclid(part),
                terms: rest.into_iter().cloned().collect(),
            };
            let (low, high) = rest.interval()?;
            let whole = whole.into_iter().cloned();
            let shorter = Self {
                constant: self.constant.div_euclid(part),
                terms: whole.map(|(term, by)| (term, by / part)).collect(),
            };
            (!shorter.terms.is_empty() && low >= 0 && high < part).then_some((shorter, part))
        })
    }

    /// The quotient of a form that holds no multiple of the divisor.
    fn small_quotient(self, divisor: i64) -> Self {
        if let Some((low, high)) = self.interval()
            && low.div_euclid(divisor) == high.div_euclid(divisor)
        {
            return Self::of_constant(low.div_euclid(divisor));
        }
        if let Some((shorter, part)) = self.without_small_terms(divisor)
            && let Some(quotient) = shorter.quotient(divisor / part)
        {
            return quotient;
        }
        // The quotient of a quotient is the quotient by the product of both divisors.
        if let ([(Term::Quotient(inner, first), 1)], 0) = (self.terms.as_slice(), self.constant)
            && let Some(product) = first.checked_mul(divisor)
        {
            return Self::of_term(Term::Quotient(inner.clone(), product));
        }
        Self::of_term(Term::Quotient(Box::new(self), divisor))
    }
}

/// The form of an op's result, if the op is arithmetic that forms can hold.
fn of_result(op: Op) -> Option<Form> {
    let operand = |index: usize| Form::of(op.operand(index));
    match op.name().as_str() {
        arith::AddI::NAME => operand(0).plus(&operand(1), 1),
        arith::SubI::NAME => operand(0).plus(&operand(1), -1),
        arith::MulI::NAME => match (constant(op.operand(0)), constant(op.operand(1))) {
            (_, Some(factor)) => Form::of_constant(0).plus(&operand(0), factor),
            (Some(factor), _) => Form::of_constant(0).plus(&operand(1), factor),
            _ => None,
        },
        arith::FloorDivSI::NAME | arith::DivSI::NAME | arith::DivUI::NAME => {
            let (dividend, divisor) = division(op)?;
            dividend.quotient(divisor)
        }
        arith::RemSI::NAME | arith::RemUI::NAME => {
            let (dividend, divisor) = division(op)?;
            let quotient = dividend.clone().quotient(divisor)?;
            dividend.plus(&quotient, -divisor)
        }
        _ => None,
    }
}

/// The operands of a division of a value that is not negative by a positive constant.
fn division(op: Op) -> Option<(Form, i64)> {
    let divisor = constant(op.operand(1)).filter(|divisor| *divisor > 0)?;
    interval(op.operand(0)).filter(|(low, _)| *low >= 0)?;
    Some((Form::of(op.operand(0)), divisor))
}
