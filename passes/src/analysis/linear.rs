//! Index values as linear forms, and the intervals they lie in.
//!
//! A linear form is `constant + sum of coefficient * term`, where a term is a value that is not
//! itself a sum or a product with a constant: a loop variable, a quotient, a minimum.

use relay_dialects::{
    index::constant,
    ir::{Op, Value},
};

/// `constant + sum of coefficient * term`; every term occurs once, with a coefficient other than 0.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Linear {
    /// The constant part.
    pub constant: i64,
    /// Terms with their coefficients.
    pub terms: Vec<(Value, i64)>,
}

impl Linear {
    fn add(mut self, other: &Linear, scale: i64) -> Self {
        self.constant += other.constant * scale;
        for (term, coefficient) in &other.terms {
            match self
                .terms
                .iter_mut()
                .find(|(known, _)| same_value(*known, *term))
            {
                Some((_, sum)) => *sum += coefficient * scale,
                None => self.terms.push((*term, coefficient * scale)),
            }
        }
        self.terms.retain(|(_, coefficient)| *coefficient != 0);
        self
    }

    /// `self - other`.
    pub fn minus(self, other: &Linear) -> Self {
        self.add(other, -1)
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
        return Linear {
            constant,
            terms: Vec::new(),
        };
    }
    let opaque = || Linear {
        constant: 0,
        terms: vec![(value, 1)],
    };
    let Some(op) = value.def() else {
        return opaque();
    };
    match op.name().as_str() {
        "arith.addi" => linear(op.operand(0)).add(&linear(op.operand(1)), 1),
        "arith.subi" => linear(op.operand(0)).add(&linear(op.operand(1)), -1),
        "arith.muli" => match (constant(op.operand(0)), constant(op.operand(1))) {
            (_, Some(factor)) => Linear::default().add(&linear(op.operand(0)), factor),
            (Some(factor), _) => Linear::default().add(&linear(op.operand(1)), factor),
            _ => opaque(),
        },
        _ => opaque(),
    }
}

/// Whether two values are the same by construction: one value, or results of equal ops on equal
/// operands. Only for ops without side effects, as index arithmetic is.
pub fn same_value(lhs: Value, rhs: Value) -> bool {
    if lhs == rhs {
        return true;
    }
    let (Some(x), Some(y)) = (lhs.def(), rhs.def()) else {
        return false;
    };
    x.name() == y.name()
        && x.attrs() == y.attrs()
        && lhs.number() == rhs.number()
        && x.operand_count() == y.operand_count()
        && x.operands()
            .into_iter()
            .zip(y.operands())
            .all(|(a, b)| same_value(a, b))
}

/// Whether `value` is computed from `from`.
pub fn depends_on(value: Value, from: Value) -> bool {
    value == from
        || value
            .def()
            .is_some_and(|op| op.operands().into_iter().any(|part| depends_on(part, from)))
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

fn term_interval(term: Value) -> Option<(i64, i64)> {
    let Some(op) = term.def() else {
        return loop_interval(term);
    };
    let operand = |index: usize| interval(op.operand(index));
    match op.name().as_str() {
        "arith.floordivsi" | "arith.divsi" | "arith.divui" => {
            let divisor = constant(op.operand(1)).filter(|divisor| *divisor > 0)?;
            let (low, high) = operand(0)?;
            (low >= 0).then_some((low / divisor, high / divisor))
        }
        "arith.remsi" | "arith.remui" => {
            let divisor = constant(op.operand(1)).filter(|divisor| *divisor > 0)?;
            let (low, high) = operand(0)?;
            (low >= 0).then_some((0, high.min(divisor - 1)))
        }
        "arith.minsi" => match (operand(0), operand(1)) {
            (Some(a), Some(b)) => Some((a.0.min(b.0), a.1.min(b.1))),
            _ => None,
        },
        "arith.maxsi" => match (operand(0), operand(1)) {
            (Some(a), Some(b)) => Some((a.0.max(b.0), a.1.max(b.1))),
            _ => None,
        },
        "arith.select" => match (operand(1), operand(2)) {
            (Some(a), Some(b)) => Some((a.0.min(b.0), a.1.max(b.1))),
            _ => None,
        },
        _ => None,
    }
}

/// The range of a `tir.for` variable.
fn loop_interval(variable: Value) -> Option<(i64, i64)> {
    let owner = variable.owner_block()?.parent()?;
    let (low, high) = loop_bounds(owner)?;
    (low < high).then_some((low, high - 1))
}

/// The constant bounds of a `tir.for`: first value, and one past the last.
pub fn loop_bounds(op: Op) -> Option<(i64, i64)> {
    if !op.is("tir.for") {
        return None;
    }
    Some((constant(op.operand(0))?, constant(op.operand(1))?))
}
