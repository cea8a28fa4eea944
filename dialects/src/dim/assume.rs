//! Dimensions that are taken to be equal: forms that may differ, and are compared when a model is prepared.

use super::{Dim, Form};
use std::cell::RefCell;

/// Two dimensions that must have one value when a model runs.
pub type Equation = (Dim, Dim);

thread_local! {
    /// What was taken to be equal, where somebody wants to know.
    static NOTED: RefCell<Option<Vec<Equation>>> = const { RefCell::new(None) };
}

/// The result of a function, and the dimensions that it takes to be equal although they may differ, each pair once.
pub fn noted<T>(run: impl FnOnce() -> T) -> (T, Vec<Equation>) {
    let outer = NOTED.replace(Some(Vec::new()));
    let result = run();
    (result, NOTED.replace(outer).unwrap_or_default())
}

fn note(equation: Equation) {
    NOTED.with_borrow_mut(|noted| {
        if let Some(noted) = noted.as_mut().filter(|noted| !noted.contains(&equation)) {
            noted.push(equation);
        }
    });
}

/// The one value of two dimensions that must be equal. One of which nothing is known is taken to be equal to the other one. So
/// are forms that may differ: the pass `equate-dims` has them compared when the model is prepared. `None` if they surely differ.
pub fn unify(lhs: impl Into<Dim>, rhs: impl Into<Dim>) -> Option<Dim> {
    let (lhs, rhs) = (lhs.into(), rhs.into());
    let taken = match (lhs, rhs) {
        (lhs, rhs) if lhs == rhs => return Some(lhs),
        (Dim::Unknown, other) | (other, Dim::Unknown) => return Some(other),
        (Dim::Known(_), Dim::Known(_)) => return None,
        _ if differ(lhs, rhs) => return None,
        (Dim::Known(_), _) => lhs,
        (_, Dim::Known(_)) => rhs,
        (Dim::Open(one), Dim::Open(other)) => Dim::Open(simpler(one, other)),
    };
    note((lhs, rhs));
    Some(taken)
}

/// Whether no values of symbols make two dimensions equal.
fn differ(lhs: Dim, rhs: Dim) -> bool {
    let is_above = |one: Dim, other: Dim| {
        let more = other.plus(1);
        more.is_ok_and(|more| one.form().is_at_least(more.form()))
    };
    is_above(lhs, rhs) || is_above(rhs, lhs)
}

/// The form that stands for two. Of `min(a, b)` and `a` it is the minimum, which exceeds neither; else it is a symbol, or the form
/// with fewer terms.
fn simpler(one: Form, other: Form) -> Form {
    match (one.is_least_of(other), other.is_least_of(one)) {
        (true, _) => one,
        (_, true) => other,
        _ => {
            let order = |form: Form| (form.symbol_alone().is_none(), form.terms().count(), form);
            match order(one) <= order(other) {
                true => one,
                false => other,
            }
        }
    }
}

/// Takes a dimension to be no greater than another one. `None` if it surely is.
pub fn at_most(dim: Dim, bound: Dim) -> Option<()> {
    unify(dim.min(bound).ok()?, dim).map(drop)
}
