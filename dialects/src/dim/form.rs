//! Forms of symbols: sums of products with whole coefficients, in one canonical order, so that equal forms are the same.

use super::Dim;
use crate::extents::gcd;
use std::{
    cmp::Ordering,
    collections::{BTreeMap, BTreeSet, HashSet},
    fmt,
    sync::{LazyLock, Mutex},
};

/// A form. Equal ones are one value in memory, which lives as long as the process.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Form(&'static Terms);

/// What a form is a sum of: products, the largest first, and what each is multiplied by. The number alone has no factors.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Terms(BTreeMap<Product, i64>);

/// A product of factors in ascending order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Product(Vec<Factor>);

/// A part of a product.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Factor {
    /// A symbol.
    Symbol(&'static str),
    /// A quotient, rounded down.
    Quotient(Form, Form),
    /// The larger of two.
    Max(Form, Form),
    /// The smaller of two.
    Min(Form, Form),
}

/// Products of more factors come first; of as many factors, the first ones decide. This order is kept by multiplication,
/// which division relies on.
impl Ord for Product {
    fn cmp(&self, other: &Self) -> Ordering {
        let degree = |product: &Self| product.0.len();
        degree(other)
            .cmp(&degree(self))
            .then_with(|| self.0.cmp(&other.0))
    }
}

impl PartialOrd for Product {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Product {
    fn times(&self, other: &Self) -> Self {
        let mut factors = [&self.0[..], &other.0[..]].concat();
        factors.sort_unstable();
        Self(factors)
    }

    /// What makes this product together with `other`.
    fn without(&self, other: &Self) -> Option<Self> {
        let mut rest = self.0.clone();
        for factor in &other.0 {
            rest.remove(rest.iter().position(|own| own == factor)?);
        }
        Some(Self(rest))
    }
}

impl Terms {
    fn number(value: i64) -> Self {
        let mut terms = Self::default();
        terms.add(Product::default(), value);
        terms
    }

    fn of(factor: Factor) -> Self {
        Self(BTreeMap::from([(Product(vec![factor]), 1)]))
    }

    /// Adds a product; `None` where 64 bits do not hold what it is multiplied by.
    fn add(&mut self, product: Product, coefficient: i64) -> Option<()> {
        let sum = self.0.get(&product).copied().unwrap_or(0);
        match sum.checked_add(coefficient)? {
            0 => self.0.remove(&product),
            sum => self.0.insert(product, sum),
        };
        Some(())
    }

    /// The number that is added to products.
    fn constant(&self) -> i64 {
        self.0.get(&Product::default()).copied().unwrap_or(0)
    }

    /// The number that this is, if no symbol is in it.
    fn known(&self) -> Option<i64> {
        self.0
            .keys()
            .all(|product| product.0.is_empty())
            .then(|| self.constant())
    }

    fn plus(&self, other: &Self) -> Option<Self> {
        let mut sum = self.clone();
        for (product, coefficient) in &other.0 {
            sum.add(product.clone(), *coefficient)?;
        }
        Some(sum)
    }

    fn times(&self, other: &Self) -> Option<Self> {
        let mut sum = Self::default();
        for (lhs, x) in &self.0 {
            for (rhs, y) in &other.0 {
                sum.add(lhs.times(rhs), x.checked_mul(*y)?)?;
            }
        }
        Some(sum)
    }

    /// What gives this sum, multiplied by `divisor`; `None` if nothing does.
    fn divided(&self, divisor: &Self) -> Option<Self> {
        let (leading, by) = divisor.0.first_key_value()?;
        let (mut rest, mut quotient) = (self.clone(), Self::default());
        while let Some((product, coefficient)) = rest.0.first_key_value() {
            let factor = product.without(leading)?;
            if coefficient % by != 0 {
                return None;
            }
            let coefficient = coefficient / by;
            quotient.add(factor.clone(), coefficient)?;
            let term = Self(BTreeMap::from([(factor, coefficient.checked_neg()?)]));
            rest = rest.plus(&term.times(divisor)?)?;
        }
        Some(quotient)
    }

    /// The terms that are multiples of a number, divided by it, and the others.
    fn split(&self, divisor: i64) -> (Self, Self) {
        let (whole, rest): (BTreeMap<_, _>, BTreeMap<_, _>) =
            (self.0.clone().into_iter()).partition(|(_, coefficient)| coefficient % divisor == 0);
        let whole = whole.into_iter();
        let whole = whole.map(|(product, coefficient)| (product, coefficient / divisor));
        (Self(whole.collect()), Self(rest))
    }
}

/// The names of symbols and the forms that there are; both live as long as the process, which meets few.
fn interned<T: ?Sized + std::hash::Hash + Eq>(
    all: &Mutex<HashSet<&'static T>>,
    value: &T,
    keep: impl FnOnce() -> &'static T,
) -> &'static T {
    let mut all = all.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    if let Some(known) = all.get(value) {
        return known;
    }
    let kept = keep();
    all.insert(kept);
    kept
}

impl Form {
    /// The symbol of that name.
    pub fn symbol(name: &str) -> Self {
        static NAMES: LazyLock<Mutex<HashSet<&'static str>>> = LazyLock::new(Mutex::default);
        let name = interned(&NAMES, name, || Box::leak(name.into()));
        Self::of(Terms::of(Factor::Symbol(name)))
    }

    /// A number.
    pub(super) fn number(value: i64) -> Self {
        Self::of(Terms::number(value))
    }

    fn of(terms: Terms) -> Self {
        static FORMS: LazyLock<Mutex<HashSet<&'static Terms>>> = LazyLock::new(Mutex::default);
        Self(interned(&FORMS, &terms, || {
            Box::leak(Box::new(terms.clone()))
        }))
    }

    /// The number that it is, or itself.
    pub(super) fn simplest(self) -> Dim {
        self.0.known().map_or(Dim::Open(self), Dim::Known)
    }

    pub(super) fn plus(self, other: Self) -> Option<Self> {
        self.0.plus(other.0).map(Self::of)
    }

    pub(super) fn times(self, other: Self) -> Option<Self> {
        self.0.times(other.0).map(Self::of)
    }

    pub(super) fn scaled(self, factor: i64) -> Option<Self> {
        self.times(Self::number(factor))
    }

    /// The quotient, rounded down. What divides evenly leaves the fraction, and common divisors go.
    pub(super) fn floor_div(self, divisor: Self) -> Option<Self> {
        if let Some(exact) = self.0.divided(divisor.0) {
            return Some(Self::of(exact));
        }
        let Some(by) = divisor.0.known() else {
            return Some(Self::of(Terms::of(Factor::Quotient(self, divisor))));
        };
        let (mut whole, mut rest) = self.0.split(by);
        let constant = rest.constant();
        rest.add(Product::default(), constant.checked_neg()?)?;
        whole.add(Product::default(), constant.div_euclid(by))?;
        let (constant, coefficients) = (constant.rem_euclid(by), rest.0.values().copied());
        let common = coefficients.fold(by, |common, coefficient| {
            gcd(common, coefficient.saturating_abs())
        });
        let (mut numerator, _) = rest.split(common);
        numerator.add(Product::default(), constant / common)?;
        let quotient = quotient(Self::of(numerator), by / common)?;
        whole.plus(&quotient).map(Self::of)
    }

    pub(super) fn max(self, other: Self) -> Option<Self> {
        Some(if self.is_at_least(other) {
            self
        } else if other.is_at_least(self) {
            other
        } else {
            Self::of(Terms::of(Factor::Max(
                Ord::min(self, other),
                Ord::max(self, other),
            )))
        })
    }

    pub(super) fn min(self, other: Self) -> Option<Self> {
        Some(if self.is_at_least(other) {
            other
        } else if other.is_at_least(self) {
            self
        } else {
            Self::of(Terms::of(Factor::Min(
                Ord::min(self, other),
                Ord::max(self, other),
            )))
        })
    }

    /// Whether it is certain that this form is not less than another, for all symbols from 0 on.
    pub(super) fn is_at_least(self, other: Self) -> bool {
        match (self.alone(), other.alone()) {
            (_, Some(Factor::Max(lhs, rhs))) => self.is_at_least(lhs) && self.is_at_least(rhs),
            (Some(Factor::Min(lhs, rhs)), _) => lhs.is_at_least(other) && rhs.is_at_least(other),
            (_, Some(Factor::Min(lhs, rhs))) if self.is_at_least(lhs) || self.is_at_least(rhs) => {
                true
            }
            (Some(Factor::Max(lhs, rhs)), _)
                if lhs.is_at_least(other) || rhs.is_at_least(other) =>
            {
                true
            }
            _ => {
                let difference = other.scaled(-1).and_then(|other| self.plus(other));
                let least = difference.and_then(|difference| difference.least(&|_| 0));
                least.is_some_and(|least| least >= 0)
            }
        }
    }

    /// Whether it is the least of another form and something else.
    pub(super) fn is_least_of(self, other: Self) -> bool {
        matches!(self.alone(), Some(Factor::Min(lhs, rhs)) if lhs == other || rhs == other)
    }

    /// The name of the one symbol that it is.
    pub fn symbol_alone(self) -> Option<&'static str> {
        match self.alone() {
            Some(Factor::Symbol(name)) => Some(name),
            _ => None,
        }
    }

    /// The one factor that it is.
    pub fn alone(self) -> Option<Factor> {
        let mut terms = self.terms();
        match (terms.next(), terms.next()) {
            (Some((1, [factor])), None) => Some(*factor),
            _ => None,
        }
    }

    /// See [`Dim::least`].
    pub(super) fn least(self, symbols: &dyn Fn(&str) -> i64) -> Option<i64> {
        self.terms().try_fold(0_i64, |sum, (coefficient, factors)| {
            let mut least = coefficient;
            for factor in factors {
                let own = factor.least(symbols);
                let own = own.filter(|own| *own >= 0 && coefficient > 0)?;
                least = least.checked_mul(own)?;
            }
            sum.checked_add(least)
        })
    }

    /// The terms, each a number and what it is multiplied by, the number alone last.
    pub fn terms(self) -> impl Iterator<Item = (i64, &'static [Factor])> {
        let terms = self.0.0.iter();
        terms.map(|(product, coefficient)| (*coefficient, &product.0[..]))
    }

    /// See [`Dim::value`].
    pub(super) fn value(self, symbols: &dyn Fn(&str) -> Option<i64>) -> Option<i64> {
        self.terms().try_fold(0_i64, |sum, (coefficient, factors)| {
            let product = factors.iter().try_fold(coefficient, |product, factor| {
                product.checked_mul(factor.value(symbols)?)
            });
            sum.checked_add(product?)
        })
    }

    /// See [`Dim::rewrite`].
    pub(super) fn rewrite(self, made: &dyn Fn(Factor) -> Option<Dim>) -> Result<Dim, String> {
        self.terms()
            .try_fold(Dim::Known(0), |sum, (coefficient, factors)| {
                let first = Dim::Known(coefficient);
                let product = factors.iter().try_fold(first, |product, factor| {
                    product.times(factor.rewrite(made)?)
                });
                sum.plus(product?)
            })
    }

    /// See [`Dim::symbols`].
    pub(super) fn symbols(self) -> Vec<&'static str> {
        let mut names = BTreeSet::new();
        self.collect_symbols(&mut names);
        names.into_iter().collect()
    }

    fn collect_symbols(self, names: &mut BTreeSet<&'static str>) {
        for factor in self.terms().flat_map(|(_, factors)| factors) {
            match *factor {
                Factor::Symbol(name) => drop(names.insert(name)),
                Factor::Quotient(lhs, rhs) | Factor::Max(lhs, rhs) | Factor::Min(lhs, rhs) => {
                    lhs.collect_symbols(names);
                    rhs.collect_symbols(names);
                }
            }
        }
    }
}

/// The quotient of a form without common divisors.
fn quotient(numerator: Form, divisor: i64) -> Option<Terms> {
    if divisor == 1 {
        return Some(numerator.0.clone());
    }
    if let Some(known) = numerator.0.known() {
        return Some(Terms::number(known.div_euclid(divisor)));
    }
    if let Some(merged) = merged(numerator, divisor) {
        return Some(merged.0.clone());
    }
    Some(Terms::of(Factor::Quotient(
        numerator,
        Form::number(divisor),
    )))
}

/// A quotient of a quotient and a number, as one quotient: `(x / a + b) / c` is `(x + a*b) / (a*c)`.
fn merged(numerator: Form, divisor: i64) -> Option<Form> {
    let mut terms = numerator.terms();
    let Some((1, [Factor::Quotient(inner, by)])) = terms.next() else {
        return None;
    };
    let constant = match terms.next() {
        None => 0,
        Some((constant, [])) => constant,
        Some(_) => return None,
    };
    let by = by.0.known()?;
    let inner = inner.plus(Form::number(by.checked_mul(constant)?))?;
    inner.floor_div(Form::number(by.checked_mul(divisor)?))
}

impl Factor {
    /// See [`Dim::least`].
    fn least(self, symbols: &dyn Fn(&str) -> i64) -> Option<i64> {
        let least = |form: Form| form.least(symbols);
        match self {
            Self::Symbol(name) => Some(symbols(name)),
            Self::Quotient(lhs, rhs) => match rhs.0.known() {
                Some(by) => Some(least(lhs)?.div_euclid(by)),
                None => least(lhs).filter(|least| *least >= 0).map(|_| 0),
            },
            Self::Max(lhs, rhs) => least(lhs).max(least(rhs)),
            Self::Min(lhs, rhs) => Some(least(lhs)?.min(least(rhs)?)),
        }
    }

    fn value(self, symbols: &dyn Fn(&str) -> Option<i64>) -> Option<i64> {
        let both = |lhs: Form, rhs: Form| Some((lhs.value(symbols)?, rhs.value(symbols)?));
        match self {
            Self::Symbol(name) => symbols(name),
            Self::Quotient(lhs, rhs) => {
                let (lhs, rhs) = both(lhs, rhs)?;
                lhs.checked_div_euclid(rhs).filter(|_| rhs > 0)
            }
            Self::Max(lhs, rhs) => both(lhs, rhs).map(|(lhs, rhs)| lhs.max(rhs)),
            Self::Min(lhs, rhs) => both(lhs, rhs).map(|(lhs, rhs)| lhs.min(rhs)),
        }
    }

    fn rewrite(self, made: &dyn Fn(Factor) -> Option<Dim>) -> Result<Dim, String> {
        if let Some(other) = made(self) {
            return Ok(other);
        }
        let both = |lhs: Form, rhs: Form| Ok((lhs.rewrite(made)?, rhs.rewrite(made)?));
        match self {
            Self::Symbol(name) => Ok(Dim::symbol(name)),
            Self::Quotient(lhs, rhs) => both(lhs, rhs).and_then(|(lhs, rhs)| lhs.floor_div(rhs)),
            Self::Max(lhs, rhs) => both(lhs, rhs).and_then(|(lhs, rhs)| lhs.max(rhs)),
            Self::Min(lhs, rhs) => both(lhs, rhs).and_then(|(lhs, rhs)| lhs.min(rhs)),
        }
    }
}

impl fmt::Display for Form {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.0.is_empty() {
            return formatter.write_str("0");
        }
        for (place, (coefficient, factors)) in self.terms().enumerate() {
            let sign = match (place, coefficient < 0) {
                (0, false) => "",
                (0, true) => "-",
                (_, false) => " + ",
                (_, true) => " - ",
            };
            formatter.write_str(sign)?;
            let size = coefficient.unsigned_abs();
            let mut parts: Vec<String> = Vec::new();
            if size != 1 || factors.is_empty() {
                parts.push(size.to_string());
            }
            let is_alone = parts.is_empty() && factors.len() == 1;
            parts.extend(
                factors
                    .iter()
                    .map(|factor| factor.show(is_alone && place == 0)),
            );
            formatter.write_str(&parts.join("*"))?;
        }
        Ok(())
    }
}

impl fmt::Debug for Form {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

impl Factor {
    /// As text; a quotient in parentheses unless it `is_alone`.
    fn show(self, is_alone: bool) -> String {
        let operand = |form: Form| match form.terms().collect::<Vec<_>>()[..] {
            [(1, [Self::Symbol(name)])] => (*name).to_owned(),
            [(number, [])] => number.to_string(),
            _ => format!("({form})"),
        };
        match self {
            Self::Symbol(name) => name.to_owned(),
            Self::Quotient(lhs, rhs) if is_alone => format!("{} / {}", operand(lhs), operand(rhs)),
            Self::Quotient(lhs, rhs) => format!("({} / {})", operand(lhs), operand(rhs)),
            Self::Max(lhs, rhs) => format!("max({lhs}, {rhs})"),
            Self::Min(lhs, rhs) => format!("min({lhs}, {rhs})"),
        }
    }
}
