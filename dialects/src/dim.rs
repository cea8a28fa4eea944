//! Extents of tensors: numbers, and forms of symbols whose values are known when a model runs.
//!
//! Type relations compute with [`Dim`]. So the type of a result is its shape function, too: evaluating the forms of a type
//! for the values of its symbols gives the shape of the tensor. No result leaves 64 bits.

mod assume;
mod form;
mod parse;

pub use assume::{Equation, at_most, noted, unify};
pub use form::{Factor, Form, Terms};

use std::{fmt, ops::Range};

/// An extent that is not known, in MLIR's shapes (`ShapedType::kDynamic`).
pub const DYNAMIC: i64 = i64::MIN;

/// The extent of a tensor in one dimension.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Dim {
    /// A number.
    Known(i64),
    /// A form of symbols: a number when the model runs.
    Open(Form),
    /// Nothing is known of it. It is taken to be equal to whatever it must be equal to.
    Unknown,
}

impl Default for Dim {
    /// The number 0.
    fn default() -> Self {
        Self::Known(0)
    }
}

impl From<i64> for Dim {
    /// A dimension of MLIR's shapes, where [`DYNAMIC`] stands for what is not known.
    fn from(extent: i64) -> Self {
        match extent {
            DYNAMIC => Self::Unknown,
            known => Self::Known(known),
        }
    }
}

impl From<&i64> for Dim {
    fn from(extent: &i64) -> Self {
        Self::from(*extent)
    }
}

impl From<&Dim> for Dim {
    fn from(extent: &Dim) -> Self {
        *extent
    }
}

impl PartialEq<i64> for Dim {
    fn eq(&self, other: &i64) -> bool {
        *self == Self::from(*other)
    }
}

impl fmt::Display for Dim {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Known(extent) => extent.fmt(formatter),
            Self::Open(form) => form.fmt(formatter),
            Self::Unknown => formatter.write_str("?"),
        }
    }
}

impl fmt::Debug for Dim {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

impl Dim {
    /// The symbol of that name.
    pub fn symbol(name: &str) -> Self {
        Self::Open(Form::symbol(name))
    }

    /// A number, or a form as [`Display`](fmt::Display) writes it, such as `2*n + 1`.
    ///
    /// # Errors
    /// Where the text is wrong.
    pub fn parse(text: &str) -> Result<Self, String> {
        parse::parse(text)
    }

    /// The number, if it is one.
    pub fn known(self) -> Option<i64> {
        match self {
            Self::Known(extent) => Some(extent),
            Self::Open(_) | Self::Unknown => None,
        }
    }

    /// Whether it is a number.
    pub fn is_known(self) -> bool {
        self.known().is_some()
    }

    /// As MLIR's shapes have it: [`DYNAMIC`] unless it is a number.
    pub fn to_mlir(self) -> i64 {
        self.known().unwrap_or(DYNAMIC)
    }

    /// The number that it is where symbols have these values. `None` if one has none, or 64 bits do not hold it.
    pub fn value(self, symbols: &dyn Fn(&str) -> Option<i64>) -> Option<i64> {
        match self {
            Self::Known(extent) => Some(extent),
            Self::Open(form) => form.value(symbols),
            Self::Unknown => None,
        }
    }

    /// A number that it is never below, where symbols are not below these; `None` where nothing is known.
    pub fn least(self, symbols: &dyn Fn(&str) -> i64) -> Option<i64> {
        match self {
            Self::Known(extent) => Some(extent),
            Self::Open(form) => form.least(symbols),
            Self::Unknown => None,
        }
    }

    /// The dimension in which something else stands for each symbol.
    ///
    /// # Errors
    /// If a number exceeds 64 bits.
    pub fn replace(self, symbols: &dyn Fn(&str) -> Dim) -> Result<Self, String> {
        self.rewrite(&|factor| match factor {
            Factor::Symbol(name) => Some(symbols(name)),
            _ => None,
        })
    }

    /// The dimension in which something else stands for some factors of products.
    ///
    /// # Errors
    /// If a number exceeds 64 bits.
    pub fn rewrite(self, factors: &dyn Fn(Factor) -> Option<Dim>) -> Result<Self, String> {
        match self {
            Self::Open(form) => form.rewrite(factors),
            other => Ok(other),
        }
    }

    /// The names of its symbols, each once, in alphabetical order.
    pub fn symbols(self) -> Vec<&'static str> {
        match self {
            Self::Open(form) => form.symbols(),
            Self::Known(_) | Self::Unknown => Vec::new(),
        }
    }

    /// The sum.
    ///
    /// # Errors
    /// If it exceeds 64 bits.
    pub fn plus(self, other: impl Into<Self>) -> Result<Self, String> {
        let other = other.into();
        self.combine(other, '+', i64::checked_add, Form::plus)
    }

    /// The difference.
    ///
    /// # Errors
    /// If it exceeds 64 bits.
    pub fn minus(self, other: impl Into<Self>) -> Result<Self, String> {
        let other = other.into();
        self.combine(other, '-', i64::checked_sub, |lhs, rhs| {
            lhs.plus(rhs.scaled(-1)?)
        })
    }

    /// The product; 0 if either is.
    ///
    /// # Errors
    /// If it exceeds 64 bits.
    pub fn times(self, other: impl Into<Self>) -> Result<Self, String> {
        let other = other.into();
        if self == 0 || other == 0 {
            return Ok(Self::Known(0));
        }
        self.combine(other, '*', i64::checked_mul, Form::times)
    }

    /// The quotient by a positive number or form, rounded down.
    ///
    /// # Errors
    /// If a number exceeds 64 bits, or the divisor is a number below 1.
    pub fn floor_div(self, divisor: impl Into<Self>) -> Result<Self, String> {
        let divisor = divisor.into();
        if divisor.known().is_some_and(|divisor| divisor < 1) {
            return Err(format!("a dimension of {self} / {divisor}"));
        }
        self.combine(divisor, '/', |x, y| Some(x.div_euclid(y)), Form::floor_div)
    }

    /// How many times another one it is, if that is a whole number whatever the symbols are.
    pub fn multiple_of(self, part: Self) -> Option<i64> {
        let factor = self.floor_div(part).ok()?.known()?;
        let is_whole = factor > 0 && part.times(factor).is_ok_and(|whole| whole == self);
        is_whole.then_some(factor)
    }

    /// The quotient by a positive number, rounded up.
    ///
    /// # Errors
    /// As [`Self::floor_div`].
    pub fn ceil_div(self, divisor: i64) -> Result<Self, String> {
        self.plus(divisor - 1)?.floor_div(divisor)
    }

    /// The larger of two.
    ///
    /// # Errors
    /// If a number exceeds 64 bits.
    pub fn max(self, other: impl Into<Self>) -> Result<Self, String> {
        let other = other.into();
        self.combine(other, '>', |x, y| Some(x.max(y)), Form::max)
    }

    /// The smaller of two.
    ///
    /// # Errors
    /// If a number exceeds 64 bits.
    pub fn min(self, other: impl Into<Self>) -> Result<Self, String> {
        let other = other.into();
        self.combine(other, '<', |x, y| Some(x.min(y)), Form::min)
    }

    fn combine(
        self,
        other: Self,
        sign: char,
        numbers: fn(i64, i64) -> Option<i64>,
        forms: fn(Form, Form) -> Option<Form>,
    ) -> Result<Self, String> {
        let result = match (self, other) {
            (Self::Unknown, _) | (_, Self::Unknown) => return Ok(Self::Unknown),
            (Self::Known(lhs), Self::Known(rhs)) => numbers(lhs, rhs).map(Self::Known),
            (lhs, rhs) => forms(lhs.form(), rhs.form()).map(Form::simplest),
        };
        result.ok_or_else(|| format!("a dimension of {self} {sign} {other} exceeds 64 bits"))
    }

    /// The dimension that a form is.
    pub fn of_form(form: Form) -> Self {
        form.simplest()
    }

    /// A form of what is known.
    fn form(self) -> Form {
        match self {
            Self::Known(extent) => Form::number(extent),
            Self::Open(form) => form,
            Self::Unknown => unreachable!("`combine` has no form of what is not known"),
        }
    }
}

/// Extents as dimensions.
pub fn dims<D: Into<Dim> + Copy>(extents: &[D]) -> Vec<Dim> {
    extents.iter().map(|extent| (*extent).into()).collect()
}

/// The sum of dimensions.
///
/// # Errors
/// If it exceeds 64 bits.
pub fn sum(dims: &[Dim]) -> Result<Dim, String> {
    dims.iter()
        .try_fold(Dim::Known(0), |total, dim| total.plus(*dim))
}

/// The product of dimensions; unknown if one of them is, unless another is 0.
///
/// # Errors
/// If it exceeds 64 bits.
pub fn product<D: Into<Dim> + Copy>(dims: &[D]) -> Result<Dim, String> {
    let dims = || dims.iter().map(|dim| (*dim).into());
    if dims().any(|dim: Dim| dim == 0) {
        return Ok(Dim::Known(0));
    }
    dims().try_fold(Dim::Known(1), |total, dim| total.times(dim))
}

/// `dim / factor`, where `factor` is at least 1. A form is taken to be a multiple. `None` if a number is none.
pub fn quotient(dim: Dim, factor: i64) -> Option<Dim> {
    let quotient = dim.floor_div(factor).ok()?;
    unify(quotient.times(factor).ok()?, dim).map(|_| quotient)
}

/// The dimension that two dimensions broadcast to: as [`unify`], and 1 gives way to any other. A form is not taken to be 1 beside
/// another dimension.
pub fn broadcast(lhs: Dim, rhs: Dim) -> Option<Dim> {
    match (lhs, rhs) {
        (Dim::Known(1), other) | (other, Dim::Known(1)) => Some(other),
        _ => unify(lhs, rhs),
    }
}

/// Dimensions of two shapes that hold as many elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// Those of the first shape.
    pub from: Range<usize>,
    /// Those of the second one.
    pub to: Range<usize>,
}

/// The shortest runs of dimensions that correspond, at least one dimension of either where any is left: so most subscripts
/// need no division.
///
/// # Errors
/// If 64 bits do not hold a number of elements.
pub fn runs(from: &[Dim], to: &[Dim]) -> Result<Vec<Run>, String> {
    let (mut runs, mut i, mut j) = (Vec::new(), 0, 0);
    // Where there is no element, runs of equal size could end anywhere.
    let is_empty = from.contains(&Dim::Known(0));
    while i < from.len() || j < to.len() {
        let ends = |start: usize, len: usize| (start + 1).min(len)..=len;
        let pairs = ends(i, from.len()).flat_map(|x| ends(j, to.len()).map(move |y| (x, y)));
        let mut pairs: Vec<(usize, usize)> = pairs.collect();
        pairs.sort_by_key(|(x, y)| (x + y, *x));
        let mut end = (from.len(), to.len());
        for (x, y) in pairs.into_iter().filter(|_| !is_empty) {
            if product(&from[i..x])? == product(&to[j..y])? {
                end = (x, y);
                break;
            }
        }
        runs.push(Run {
            from: i..end.0,
            to: j..end.1,
        });
        (i, j) = end;
    }
    Ok(runs)
}

#[cfg(test)]
mod tests;
