//! Index values as linear forms, and the intervals they lie in.
//!
//! A linear form is `constant + sum of coefficient * term`, where a term is a value that is not itself a sum or
//! a product with a constant: a loop variable, a quotient, a minimum. A quotient or remainder is a term only if
//! its parts are not known: `(4 * a + b) / 4` is `a`, if `b` lies in `0..4`.

use super::known::{Answers, answer};
use crate::symbols::Symbols;
use relay_dialects::{
    index::{self, constant},
    ir::{Builder, DYNAMIC, Op, Value},
    names,
    ops::{arith, func, gpu},
    te::Compute,
    tir::{Block, Bound, For},
};
use std::cell::RefCell;

thread_local! {
    static FORMS: RefCell<Answers<Value, Linear>> = RefCell::default();
    static INTERVALS: RefCell<Answers<Value, Option<(i64, i64)>>> = RefCell::default();
    static SAME: RefCell<Answers<(Value, Value), bool>> = RefCell::default();
}

/// `constant + sum of coefficient * term`; every term occurs once, with a coefficient other than 0.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Linear {
    /// The constant part.
    pub constant: i64,
    /// Terms with their coefficients.
    pub terms: Vec<(Value, i64)>,
}

impl Linear {
    /// A number.
    fn number(constant: i64) -> Self {
        Self {
            constant,
            terms: Vec::new(),
        }
    }

    /// A term by itself.
    fn term(term: Value) -> Self {
        Self {
            constant: 0,
            terms: vec![(term, 1)],
        }
    }

    /// `self + scale * other`.
    pub fn plus(mut self, other: &Linear, scale: i64) -> Self {
        // Index arithmetic wraps, and intervals of forms do not. So a form whose interval leaves 64 bits has no
        // interval.
        self.constant = self
            .constant
            .wrapping_add(other.constant.wrapping_mul(scale));
        for (term, coefficient) in &other.terms {
            match self
                .terms
                .iter_mut()
                .find(|(known, _)| same_value(*known, *term))
            {
                Some((_, sum)) => *sum = sum.wrapping_add(coefficient.wrapping_mul(scale)),
                None => self.terms.push((*term, coefficient.wrapping_mul(scale))),
            }
        }
        self.terms.retain(|(_, coefficient)| *coefficient != 0);
        self.rejoin()
    }

    /// `c * k * (x / k) + c * (x % k)` as `c * x`.
    fn rejoin(mut self) -> Self {
        let parts = |(term, coefficient): &(Value, i64)| {
            Some((division(*term, arith::DivSI::NAME)?, *coefficient))
        };
        let found = self.terms.iter().enumerate().find_map(|(at, term)| {
            let ((dividend, divisor), coefficient) = parts(term)?;
            let rest = self.terms.iter().position(|(rest, factor)| {
                factor.checked_mul(divisor) == Some(coefficient)
                    && division(*rest, arith::RemSI::NAME)
                        .is_some_and(|(other, by)| by == divisor && same_value(other, dividend))
            })?;
            Some((at, rest, dividend))
        });
        let Some((quotient, rest, dividend)) = found.or_else(|| self.parts_of_open_division())
        else {
            return self;
        };
        let coefficient = self.terms[rest].1;
        self.terms.remove(quotient.max(rest));
        self.terms.remove(quotient.min(rest));
        self.plus(&linear(dividend), coefficient)
    }

    /// The places of `c * ((x / y) * y)` and `c * (x % y)` among the terms, and `x`, where `y` is no constant.
    fn parts_of_open_division(&self) -> Option<(usize, usize, Value)> {
        let rests = self.terms.iter().enumerate();
        let mut rests = rests.filter_map(|(at, (term, factor))| {
            let op = term.def_of(arith::RemSI::NAME)?;
            let is_open = constant(op.operand(1)).is_none();
            is_open.then(|| (at, *factor, op.operand(0), op.operand(1)))
        });
        rests.find_map(|(rest, factor, dividend, divisor)| {
            let quotient = self.terms.iter().position(|(term, other)| {
                *other == factor && is_multiple_of_quotient(*term, dividend, divisor)
            })?;
            Some((quotient, rest, dividend))
        })
    }

    /// `self - other`.
    pub fn minus(self, other: &Linear) -> Self {
        self.plus(other, -1)
    }

    /// The coefficient of `term`.
    pub fn coefficient(&self, term: Value) -> i64 {
        self.terms
            .iter()
            .find(|(known, _)| *known == term)
            .map_or(0, |(_, factor)| *factor)
    }
}

/// The linear form of an index value.
pub fn linear(value: Value) -> Linear {
    if let Some(constant) = constant(value) {
        return Linear::number(constant);
    }
    match value.def() {
        Some(op) => answer(&FORMS, value, || form_of(value, op)),
        None => Linear::term(value),
    }
}

/// The linear form of what an op makes.
fn form_of(value: Value, op: Op) -> Linear {
    let opaque = || Linear::term(value);
    match op.name().as_str() {
        arith::AddI::NAME => linear(op.operand(0)).plus(&linear(op.operand(1)), 1),
        arith::SubI::NAME => linear(op.operand(0)).plus(&linear(op.operand(1)), -1),
        arith::MulI::NAME => match (constant(op.operand(0)), constant(op.operand(1))) {
            (_, Some(factor)) => Linear::default().plus(&linear(op.operand(0)), factor),
            (Some(factor), _) => Linear::default().plus(&linear(op.operand(1)), factor),
            _ => opaque(),
        },
        name @ (arith::DivSI::NAME | arith::RemSI::NAME) => division(value, name)
            .and_then(|(dividend, divisor)| divided(dividend, divisor))
            .map_or_else(opaque, |(quotient, rest)| {
                if name == arith::DivSI::NAME {
                    quotient
                } else {
                    rest
                }
            }),
        _ => opaque(),
    }
}

/// Whether a value is `(dividend / divisor) * divisor`.
fn is_multiple_of_quotient(value: Value, dividend: Value, divisor: Value) -> bool {
    let Some(op) = value.def_of(arith::MulI::NAME) else {
        return false;
    };
    let is_quotient = |value: Value| {
        let form = linear(value);
        let ([(term, 1)], 0) = (&form.terms[..], form.constant) else {
            return false;
        };
        term.def_of(arith::DivSI::NAME).is_some_and(|op| {
            same_value(op.operand(0), dividend) && same_value(op.operand(1), divisor)
        })
    };
    let (lhs, rhs) = (op.operand(0), op.operand(1));
    same_value(rhs, divisor) && is_quotient(lhs) || same_value(lhs, divisor) && is_quotient(rhs)
}

/// The dividend and the divisor, if an op is the division `name` by a positive constant.
fn division(value: Value, name: &str) -> Option<(Value, i64)> {
    let op = value.def_of(name)?;
    let divisor = constant(op.operand(1)).filter(|divisor| *divisor > 0)?;
    Some((op.operand(0), divisor))
}

/// The quotient and the remainder of a value that is not negative, if it is the sum of a multiple of the divisor
/// and of something less than the divisor.
fn divided(dividend: Value, divisor: i64) -> Option<(Linear, Linear)> {
    let form = linear(dividend);
    let not_negative = form_end(&form, End::Least)? >= 0;
    not_negative.then(|| cut(&form, divisor))?
}

/// `(quotient, rest)` of a form by `divisor`, if the terms that it does not divide lie in
/// `0..divisor`.
pub fn cut(form: &Linear, divisor: i64) -> Option<(Linear, Linear)> {
    let (whole, rest): (Vec<_>, Vec<_>) = form
        .terms
        .iter()
        .partition(|(_, coefficient)| coefficient % divisor == 0);
    let rest = Linear {
        constant: form.constant.rem_euclid(divisor),
        terms: rest,
    };
    let (low, high) = form_interval(&rest)?;
    let quotient = Linear {
        constant: form.constant.div_euclid(divisor),
        terms: whole
            .into_iter()
            .map(|(term, coefficient)| (term, coefficient / divisor))
            .collect(),
    };
    (low >= 0 && high < divisor).then_some((quotient, rest))
}

/// For a quotient or remainder of an index by a constant, a form that is cheaper to compute than the division,
/// if one is known; any other value is its own form.
pub fn simplify_division(b: &Builder, value: Value) -> Value {
    let quotient = division(value, arith::DivSI::NAME);
    let Some((dividend, divisor)) = quotient.or_else(|| division(value, arith::RemSI::NAME)) else {
        return value;
    };
    let form = linear(value);
    if !form.terms.contains(&(value, 1)) {
        return materialize(b, &form);
    }
    // (g * a + r) / (g * k) is a / k, if r lies in 0..g.
    let dividend = linear(dividend);
    if form_end(&dividend, End::Least).is_none_or(|low| low < 0) {
        return value;
    }
    let found = parts(divisor)
        .into_iter()
        .filter_map(|part| Some((part, cut(&dividend, part)?)))
        .find(|(_, (whole, _))| !whole.terms.is_empty());
    let Some((part, (whole, rest))) = found else {
        return value;
    };
    let whole = materialize(b, &whole);
    if quotient.is_some() {
        return index::div(b, whole, divisor / part);
    }
    let above = index::scale(b, index::rem(b, whole, divisor / part), part);
    index::add(b, above, materialize(b, &rest))
}

/// The divisors of a number but 1 and itself, the largest first.
fn parts(number: i64) -> Vec<i64> {
    let all = index::divisors(number).into_iter().rev();
    all.filter(|part| ![1, number].contains(part)).collect()
}

/// The value of a linear form.
pub fn materialize(b: &Builder, form: &Linear) -> Value {
    let start = b.index(form.constant);
    form.terms.iter().fold(start, |sum, (term, coefficient)| {
        index::add(b, sum, index::scale(b, *term, *coefficient))
    })
}

/// Whether two values are the same by construction: one value, or results of equal ops on equal operands. It
/// holds only for ops without side effects, such as index arithmetic.
pub fn same_value(lhs: Value, rhs: Value) -> bool {
    if lhs == rhs {
        return true;
    }
    let (Some(x), Some(y)) = (lhs.def(), rhs.def()) else {
        return false;
    };
    answer(&SAME, (lhs, rhs), || same_ops((lhs, x), (rhs, y)))
}

/// Whether values of two ops are the same.
fn same_ops((lhs, x): (Value, Op), (rhs, y): (Value, Op)) -> bool {
    x.name() == y.name()
        && x.attrs() == y.attrs()
        && lhs.number() == rhs.number()
        && x.operand_count() == y.operand_count()
        && x.operands()
            .into_iter()
            .zip(y.operands())
            .all(|(a, b)| same_value(a, b))
}

/// `lhs - rhs` as a form of the same value in the integers, as comparisons take it. `None` where index arithmetic may
/// wrap around 2^64 on the way; values of unknown bounds are taken to stay away from there.
pub fn difference(lhs: Value, rhs: Value) -> Option<Linear> {
    let (lhs, rhs) = (linear(lhs), linear(rhs));
    match (form_interval(&lhs), form_interval(&rhs)) {
        (Some(left), Some(right)) => {
            left.0.checked_sub(right.1)?;
            left.1.checked_sub(right.0)?;
        }
        (left, right) => {
            let may_wrap =
                left.is_none() && is_bounded(&lhs) || right.is_none() && is_bounded(&rhs);
            lhs.constant
                .checked_sub(rhs.constant)
                .filter(|_| !may_wrap)?;
        }
    }
    Some(lhs.minus(&rhs))
}

/// Whether the bounds of all terms are known.
fn is_bounded(form: &Linear) -> bool {
    form.terms
        .iter()
        .all(|(term, _)| term_interval(*term).is_some())
}

/// The smallest and largest value that `value` takes, both inclusive, if that is known from loop
/// bounds and arithmetic.
pub fn interval(value: Value) -> Option<(i64, i64)> {
    form_interval(&linear(value))
}

/// The smallest and largest value of a linear form, as [`interval`].
pub fn form_interval(form: &Linear) -> Option<(i64, i64)> {
    let mut bounds = (form.constant, form.constant);
    for &(term, coefficient) in &form.terms {
        let (low, high) = term_interval(term)?;
        let (a, b) = (
            low.checked_mul(coefficient)?,
            high.checked_mul(coefficient)?,
        );
        bounds = (
            bounds.0.checked_add(a.min(b))?,
            bounds.1.checked_add(a.max(b))?,
        );
    }
    Some(bounds)
}

/// A number that a value is never below, also where it has no greatest value that is known.
pub fn least(value: Value) -> Option<i64> {
    form_end(&linear(value), End::Least)
}

/// A number that a value is never above, also where it has no least value that is known.
pub fn greatest(value: Value) -> Option<i64> {
    form_end(&linear(value), End::Greatest)
}

/// One end of the values that something takes.
#[derive(Clone, Copy, PartialEq)]
enum End {
    Least,
    Greatest,
}

impl End {
    /// The end of a term that decides for this end of a multiple of it.
    fn of_multiple(self, coefficient: i64) -> Self {
        match (self, coefficient > 0) {
            (end, true) => end,
            (Self::Least, false) => Self::Greatest,
            (Self::Greatest, false) => Self::Least,
        }
    }
}

fn form_end(form: &Linear, end: End) -> Option<i64> {
    let mut terms = form.terms.iter();
    terms.try_fold(form.constant, |sum, (term, coefficient)| {
        let bound = term_end(*term, end.of_multiple(*coefficient))?;
        sum.checked_add(bound.checked_mul(*coefficient)?)
    })
}

fn term_end(term: Value, end: End) -> Option<i64> {
    if let Some((low, high)) = term_interval(term) {
        return Some(if end == End::Least { low } else { high });
    }
    let Some(op) = term.def() else {
        let owner = term.owner_block()?.parent()?;
        let is_size = || is_symbol(owner, term).then_some(0);
        return match end {
            End::Least => match For::of(owner) {
                Some(found) => found.bounds().0.constant(),
                None => is_size(),
            },
            End::Greatest => None,
        };
    };
    let operand = |index: usize| form_end(&linear(op.operand(index)), end);
    match (op.name().as_str(), end) {
        (arith::MaxSI::NAME, End::Least) => operand(0).max(operand(1)),
        (arith::MaxSI::NAME, End::Greatest) => Some(operand(0)?.max(operand(1)?)),
        (arith::MinSI::NAME, End::Least) => Some(operand(0)?.min(operand(1)?)),
        (arith::MinSI::NAME, End::Greatest) => operand(0).into_iter().chain(operand(1)).min(),
        (arith::RemSI::NAME, End::Least) => (operand(0)? >= 0).then_some(0),
        // Nothing is divided by 0.
        (arith::DivSI::NAME | arith::FloorDivSI::NAME | arith::MulI::NAME, End::Least) => {
            (operand(0)? >= 0 && operand(1)? >= 0).then_some(0)
        }
        _ => None,
    }
}

/// Whether a parameter of a function holds the value of a symbol, which is a size.
fn is_symbol(func: Op, parameter: Value) -> bool {
    parameter.ty().is_index()
        && func.is(func::Func::NAME)
        && Symbols::of(func).name(parameter).is_some()
}

/// Whether a value is certain to be less than a limit: their difference is, where variables of loops have their last
/// values, which other values may bound.
pub fn is_below(value: Value, limit: Value) -> bool {
    is_form_below(&linear(value), &linear(limit))
}

fn is_form_below(value: &Linear, limit: &Linear) -> bool {
    if is_greatest_below(value, limit) || is_below_one_of(value, limit) {
        return true;
    }
    if let [(term, 1)] = value.terms[..]
        && let Some((dividend, divisor)) = division(term, arith::DivSI::NAME)
        && divisor > 0
        && least(dividend).is_some_and(|low| low >= 0)
    {
        // x / c < y is x < c * y, where x is not negative.
        let constant = Linear::number(value.constant);
        let scaled = Linear::default().plus(&limit.clone().minus(&constant), divisor);
        return is_form_below(&linear(dividend), &scaled);
    }
    is_positive(limit.clone().minus(value), &mut Vec::new())
}

/// Whether a value is below one of two values, of which a limit is the greater one.
fn is_below_one_of(value: &Linear, limit: &Linear) -> bool {
    let ([(term, 1)], 0) = (&limit.terms[..], limit.constant) else {
        return false;
    };
    let operands = term.def_of(arith::MaxSI::NAME).map(Op::operands);
    let mut operands = operands.unwrap_or_default().into_iter();
    operands.any(|operand| is_form_below(value, &linear(operand)))
}

/// Whether the greatest values of the terms, as polynomials of open extents, are below a limit.
fn is_greatest_below(value: &Linear, limit: &Linear) -> bool {
    let greatest = Polynomial::of(value).greatest();
    let above = Polynomial::of(limit).plus(&greatest, -1);
    above.number().is_some_and(|number| number >= 1)
}

/// The end of the loop of a variable, if it is known only when the loop runs.
fn last_of(variable: Value) -> Option<Value> {
    let owner = variable.owner_block()?.parent()?;
    match For::of(owner)?.bounds().1 {
        Bound::Static(_) => None,
        Bound::Dynamic(upper) => Some(upper),
    }
}

/// Whether a form is certain to be above 0. Each variable of a loop is replaced once; bounds may be computed from variables of
/// loops around.
fn is_positive(form: Linear, seen: &mut Vec<Value>) -> bool {
    if form_end(&form, End::Least).is_some_and(|low| low >= 1) {
        return true;
    }
    let replaced = |term: Value, coefficient: i64, by: &Linear| {
        let rest = form.clone();
        let rest = rest.plus(&Linear::term(term), coefficient.wrapping_neg());
        rest.plus(by, coefficient)
    };
    let below = |limit: Value| linear(limit).minus(&Linear::number(1));
    for &(term, coefficient) in &form.terms {
        if coefficient < 0 && !seen.contains(&term) {
            let last = last_of(term).or_else(|| {
                let rest = term.def_of(arith::RemSI::NAME)?;
                (least(rest.operand(0))? >= 0).then(|| rest.operand(1))
            });
            if let Some(limit) = last {
                seen.push(term);
                return is_positive(replaced(term, coefficient, &below(limit)), seen);
            }
        }
        let Some(op) = term.def() else { continue };
        let is_min = op.is(arith::MinSI::NAME);
        if !is_min && !op.is(arith::MaxSI::NAME) {
            continue;
        }
        let holds = |operand: usize| {
            let by = linear(op.operand(operand));
            is_positive(replaced(term, coefficient, &by), &mut seen.clone())
        };
        // Of what is subtracted, one bound from above is enough; of the rest, one from below.
        let found = match is_min == (coefficient < 0) {
            true => holds(0) || holds(1),
            false => holds(0) && holds(1),
        };
        if found {
            return true;
        }
    }
    false
}

/// A sum of products of values with whole coefficients. These have 128 bits, so that no product of two numbers of 64 bits wraps.
#[derive(Default)]
struct Polynomial(Vec<(i128, Vec<Value>)>);

impl Polynomial {
    fn of_number(number: i64) -> Self {
        Self(vec![(i128::from(number), Vec::new())]).normal()
    }

    fn of(form: &Linear) -> Self {
        let constant = Self::of_number(form.constant);
        (form.terms.iter()).fold(constant, |sum, (term, coefficient)| {
            sum.plus(&polynomial_of_term(*term), i128::from(*coefficient))
        })
    }

    fn plus(mut self, other: &Self, scale: i128) -> Self {
        let others = other.0.iter();
        let scaled =
            others.map(|(number, factors)| (number.saturating_mul(scale), factors.clone()));
        self.0.extend(scaled);
        self.normal()
    }

    fn times(&self, other: &Self) -> Self {
        let pairs = (self.0.iter()).flat_map(|lhs| other.0.iter().map(move |rhs| (lhs, rhs)));
        let products = pairs.map(|((x, lhs), (y, rhs))| {
            (
                x.saturating_mul(*y),
                [lhs.as_slice(), rhs.as_slice()].concat(),
            )
        });
        Self(products.collect()).normal()
    }

    /// Each product once, with a coefficient other than 0.
    fn normal(self) -> Self {
        let mut sums: Vec<(i128, Vec<Value>)> = Vec::new();
        for (number, factors) in self.0 {
            match sums.iter_mut().find(|(_, known)| are_same(known, &factors)) {
                Some((sum, _)) => *sum = sum.saturating_add(number),
                None => sums.push((number, factors)),
            }
        }
        sums.retain(|(number, _)| *number != 0);
        Self(sums)
    }

    /// The polynomial, if it is a number.
    fn number(&self) -> Option<i64> {
        match &self.0[..] {
            [] => Some(0),
            [(number, factors)] if factors.is_empty() => i64::try_from(*number).ok(),
            _ => None,
        }
    }

    /// What a product is multiplied by to get this polynomial; `None` if there is nothing, or `other` is a sum.
    fn divided_by(&self, other: &Self) -> Option<Self> {
        let [(divisor, factors)] = &other.0[..] else {
            return None;
        };
        let quotients = self.0.iter().map(|(number, own)| {
            let mut left = own.clone();
            for factor in factors {
                let place = left.iter().position(|other| same_value(*other, *factor));
                left.swap_remove(place?);
            }
            (number.checked_rem(*divisor)? == 0).then(|| (number / divisor, left))
        });
        quotients.collect::<Option<_>>().map(Self)
    }

    /// An upper bound: the last values of variables and remainders replace them. A product with a factor that may be negative stays
    /// as it is.
    fn greatest(&self) -> Self {
        let products = self.0.iter().map(|(number, factors)| {
            let is_natural = |factor: &Value| least(*factor).is_some_and(|low| low >= 0);
            let are_natural = *number > 0 && factors.iter().all(is_natural);
            let start = Self(vec![(*number, Vec::new())]);
            factors.iter().fold(start, |product, factor| {
                let last = are_natural.then(|| last_value(*factor)).flatten();
                product.times(&last.unwrap_or_else(|| Self(vec![(1, vec![*factor])])))
            })
        });
        products.fold(Self::default(), |sum, product| sum.plus(&product, 1))
    }
}

/// The last value of a variable of a loop, of its quotients, or of a remainder that is not negative.
fn last_value(term: Value) -> Option<Polynomial> {
    if let Some((_, high)) = term_interval(term) {
        return Some(Polynomial::of_number(high));
    }
    let remainder = term.def_of(arith::RemSI::NAME);
    let end = match remainder {
        Some(op) => polynomial(op.operand(1)),
        None => end_of(term)?,
    };
    Some(end.plus(&Polynomial::of_number(1), -1))
}

fn polynomial(value: Value) -> Polynomial {
    Polynomial::of(&linear(value))
}

fn polynomial_of_term(term: Value) -> Polynomial {
    match term.def_of(arith::MulI::NAME) {
        Some(op) => polynomial(op.operand(0)).times(&polynomial(op.operand(1))),
        None => Polynomial(vec![(1, vec![term])]),
    }
}

/// Whether two products have the same factors.
fn are_same(lhs: &[Value], rhs: &[Value]) -> bool {
    let mut left = rhs.to_vec();
    lhs.len() == rhs.len()
        && lhs.iter().all(|value| {
            let place = left.iter().position(|other| same_value(*value, *other));
            place.map(|place| left.swap_remove(place)).is_some()
        })
}

fn term_interval(term: Value) -> Option<(i64, i64)> {
    match term.def() {
        Some(op) => answer(&INTERVALS, term, || op_interval(op)),
        None => loop_interval(term),
    }
}

/// The smallest and largest value of what an op makes that is no sum and no product.
fn op_interval(op: Op) -> Option<(i64, i64)> {
    let operand = |index: usize| interval(op.operand(index));
    match op.name().as_str() {
        arith::FloorDivSI::NAME | arith::DivSI::NAME | arith::DivUI::NAME => {
            let Some(divisor) = constant(op.operand(1)) else {
                return open_quotient(op.result(0));
            };
            let (low, high) = operand(0).filter(|_| divisor > 0)?;
            (low >= 0).then_some((low / divisor, high / divisor))
        }
        arith::RemSI::NAME | arith::RemUI::NAME => {
            let divisor = constant(op.operand(1)).filter(|divisor| *divisor > 0)?;
            match operand(0) {
                Some((low, high)) => (low >= 0).then_some((0, high.min(divisor - 1))),
                None => (least(op.operand(0))? >= 0).then_some((0, divisor - 1)),
            }
        }
        arith::MinSI::NAME => match (operand(0), operand(1)) {
            (Some(a), Some(b)) => Some((a.0.min(b.0), a.1.min(b.1))),
            _ => None,
        },
        arith::MaxSI::NAME => match (operand(0), operand(1)) {
            (Some(a), Some(b)) => Some((a.0.max(b.0), a.1.max(b.1))),
            _ => None,
        },
        arith::Select::NAME => match (operand(1), operand(2)) {
            (Some(a), Some(b)) => Some((a.0.min(b.0), a.1.max(b.1))),
            _ => None,
        },
        gpu::ThreadId::NAME | gpu::BlockId::NAME | gpu::LaneId::NAME => {
            let of_thread = gpu::ThreadId::of(op).and_then(gpu::ThreadId::upper_bound);
            let of_block = gpu::BlockId::of(op).and_then(gpu::BlockId::upper_bound);
            let of_lane = gpu::LaneId::of(op).and_then(gpu::LaneId::upper_bound);
            let bound = of_thread.or(of_block).or(of_lane);
            // No GPU counts further.
            Some((0, bound.unwrap_or(i64::from(u32::MAX)) - 1))
        }
        _ => None,
    }
}

/// The end of a loop's variable, or of its quotient by open extents. The end is exclusive, and must be a multiple of each divisor: so no
/// divisor is 0 if the loop runs.
fn end_of(value: Value) -> Option<Polynomial> {
    let Some(op) = value.def_of(arith::DivSI::NAME) else {
        return last_of(value).map(polynomial);
    };
    let is_natural = |index: usize| least(op.operand(index)).is_some_and(|low| low >= 0);
    let end = end_of(op.operand(0)).filter(|_| is_natural(0) && is_natural(1))?;
    end.divided_by(&polynomial(op.operand(1)))
}

/// The interval of a quotient by an open extent.
fn open_quotient(quotient: Value) -> Option<(i64, i64)> {
    let end = end_of(quotient)?.number()?;
    (end > 0).then_some((0, end - 1))
}

/// The range of a `tir.for` variable, of what a block's variable is bound to, or of an axis of a `te.compute` or
/// `te.scan`.
fn loop_interval(variable: Value) -> Option<(i64, i64)> {
    let owner = variable.owner_block()?.parent()?;
    if let Some(block) = Block::of(owner) {
        return interval(block.op().operand(variable.number()));
    }
    let bounds = For::of(owner).and_then(known_bounds);
    let (low, high) = bounds.or_else(|| axis_bounds(owner, variable.number()))?;
    (low < high).then_some((low, high - 1))
}

/// The bounds of a loop, as far as constants tell.
fn known_bounds(found: For) -> Option<(i64, i64)> {
    let high = match found.bounds().1 {
        Bound::Static(high) => high,
        Bound::Dynamic(upper) => greatest(upper)?,
    };
    let low = match found.bounds().0 {
        Bound::Static(low) => low,
        Bound::Dynamic(lower) => least(lower)?,
    };
    Some((low, high))
}

/// The bounds of an argument of the body of a `te.compute` or `te.scan`.
fn axis_bounds(op: Op, argument: usize) -> Option<(i64, i64)> {
    match op.name().as_str() {
        Compute::NAME => {
            let extents = Compute::of(op)?.extents();
            let extent = extents.get(argument).filter(|extent| **extent != DYNAMIC);
            extent.map(|extent| (0, *extent))
        }
        names::te::SCAN => {
            let dimension = argument.checked_sub(op.result_count())?;
            let extent = *op.result(0).ty().shape().get(dimension)?;
            // The steps that are given are not computed.
            let first = if dimension == 0 {
                op.operand(0).ty().shape()[0]
            } else {
                0
            };
            (extent != DYNAMIC).then_some((first, extent))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_all_divisors_between_one_and_the_number() {
        for number in 1..200 {
            let all: Vec<i64> = (2..number)
                .rev()
                .filter(|part| number % part == 0)
                .collect();
            assert_eq!(parts(number), all, "{number}");
        }
        assert_eq!(parts(i64::MAX).first(), Some(&(i64::MAX / 7)));
        // 2^61 - 1 is prime.
        assert!(parts((1 << 61) - 1).is_empty());
    }
}
