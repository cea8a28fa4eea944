//! What rules compute at compile time: conditions, attributes, numbers.

use super::{
    super::{Datum, Match, Pattern, Subject},
    functions::{Form, Function, Outcome, Run},
    syntax::{Expr, ExprKind, Infix, Refused, Span},
};
use relay_dialects::Element;
use std::rc::Rc;

/// Something to compute of a match.
pub(super) struct Scalar {
    pub(super) kind: Kind,
    pub(super) span: Span,
}

/// What it is.
pub(super) enum Kind {
    Literal(Datum),
    List(Vec<Scalar>),
    Named(Rc<Scalar>),
    /// An attribute, and the form of what it holds.
    Attr(Pattern, String, Form),
    Bound(Pattern),
    Apply {
        function: &'static Function,
        values: Vec<Pattern>,
        data: Vec<Scalar>,
    },
    Infix(Infix, Box<Scalar>, Box<Scalar>),
    IsOf(Box<Scalar>, fn(Element) -> bool),
    Not(Box<Scalar>),
    Minus(Box<Scalar>),
}

/// Data that is written down.
pub(super) fn literal(expr: &Expr) -> Result<Datum, Refused> {
    match &expr.kind {
        ExprKind::Int(value) => Ok(Datum::Int(*value)),
        ExprKind::Float(value) => Ok(Datum::Float(*value)),
        ExprKind::Text(text) => Ok(Datum::Text(text.clone())),
        ExprKind::Type(text) => tensor_type(text, expr.span).map(Datum::TypeText),
        ExprKind::Wildcard => Ok(Datum::Any),
        ExprKind::Word(word) => word_literal(word).ok_or_else(|| {
            expr.span.wrong(format!(
                "'{word}' is no number, no text, and no element type"
            ))
        }),
        ExprKind::List(items) => items
            .iter()
            .map(literal)
            .collect::<Result<_, _>>()
            .map(Datum::List),
        ExprKind::Minus(inner) => match literal(inner)? {
            // What has the sign written before it is positive.
            Datum::Int(value) => Ok(Datum::Int(-value)),
            Datum::Float(value) => Ok(Datum::Float(-value)),
            _ => expr.span.refuse("only numbers have a sign"),
        },
        _ => expr
            .span
            .refuse("this is computed, and here is only what is written down"),
    }
}

/// The type of a tensor as MLIR writes it.
pub(super) fn tensor_type(text: &str, span: Span) -> Result<String, Refused> {
    let wrong = || span.wrong(format!("'{text}' is no type of a tensor"));
    let inner = text
        .strip_prefix("tensor<")
        .and_then(|text| text.strip_suffix('>'));
    let inner = inner.ok_or_else(wrong)?;
    let (dims, element) = match inner.rsplit_once('x') {
        Some((dims, element)) => (dims.split('x').collect(), element),
        None => (Vec::new(), inner),
    };
    let is_dim = |dim: &&str| *dim == "?" || dim.parse::<i64>().is_ok_and(|dim| dim >= 0);
    if !dims.iter().all(is_dim) || Element::parse(element).is_none() {
        return Err(wrong());
    }
    Ok(text.into())
}

pub(super) fn word_literal(word: &str) -> Option<Datum> {
    match word {
        "true" => Some(Datum::Bool(true)),
        "false" => Some(Datum::Bool(false)),
        _ => Element::parse(word).map(Datum::Element),
    }
}

impl Scalar {
    /// The form of what it gives.
    pub(super) fn form(&self) -> Form {
        match &self.kind {
            Kind::Literal(datum) => Form::of(datum),
            Kind::List(_) => Form::List,
            Kind::Named(scalar) => scalar.form(),
            Kind::Attr(_, _, form) => *form,
            Kind::Apply { function, .. } => function.gives,
            Kind::Bound(_) | Kind::IsOf(..) | Kind::Not(_) => Form::Bool,
            Kind::Minus(_) => Form::Number,
            Kind::Infix(infix, lhs, rhs) => match infix {
                Infix::Add | Infix::Subtract | Infix::Multiply | Infix::Divide => {
                    match [lhs.form(), rhs.form()] {
                        [Form::Number, Form::Number] => Form::Number,
                        [Form::List, Form::List] => Form::List,
                        _ => Form::Any,
                    }
                }
                Infix::Less | Infix::LessEqual | Infix::Greater | Infix::GreaterEqual => Form::Any,
                _ => Form::Bool,
            },
        }
    }

    /// Refuses a condition that never holds, or always does, because of the forms of data in it.
    pub(super) fn check(self) -> Result<Self, Refused> {
        if let Kind::Infix(infix @ (Infix::Equal | Infix::NotEqual), lhs, rhs) = &self.kind {
            let (lhs, rhs) = (lhs.form(), rhs.form());
            if !lhs.meets(rhs) {
                let (lhs, rhs) = (lhs.text(), rhs.text());
                let always = match infix {
                    Infix::Equal => "never holds",
                    _ => "always holds",
                };
                let message = format!("this {always}: {lhs} is never {rhs}");
                return self.span.refuse(message);
            }
        }
        Ok(self)
    }

    /// Computes it; `None` where it depends on what is not known: an unknown dimension, a name that is not bound, an
    /// attribute that is not there.
    pub(super) fn compute(&self, found: &Match) -> Result<Option<Datum>, Refused> {
        match &self.kind {
            Kind::Literal(datum) => Ok(Some(datum.clone())),
            Kind::List(items) => {
                let items: Result<Option<Vec<Datum>>, Refused> =
                    items.iter().map(|item| item.compute(found)).collect();
                Ok(items?.map(Datum::List))
            }
            Kind::Named(scalar) => scalar.compute(found),
            Kind::Attr(pattern, name, _) => {
                let op = found.get(pattern).and_then(|subject| match subject {
                    Subject::Value(value) => value.def(),
                    Subject::Results(op) | Subject::Callee(op) => Some(op),
                });
                Ok(op.and_then(|op| op.attr(name)).and_then(Datum::of))
            }
            Kind::Bound(pattern) => Ok(Some(Datum::Bool(found.get(pattern).is_some()))),
            Kind::Apply {
                function,
                values,
                data,
            } => self.apply(function, values, data, found),
            Kind::Infix(infix, lhs, rhs) => self.infix(*infix, lhs, rhs, found),
            Kind::IsOf(inner, is_of) => match inner.compute(found)? {
                Some(Datum::Element(element)) => Ok(Some(Datum::Bool(is_of(element)))),
                Some(other) => inner
                    .span
                    .refuse(format!("this is {}, no element type", other.kind())),
                None => Ok(None),
            },
            Kind::Not(inner) => Ok(inner.truth(found)?.map(|holds| Datum::Bool(!holds))),
            Kind::Minus(inner) => match inner.compute(found)? {
                Some(Datum::Int(value)) => Ok(value.checked_neg().map(Datum::Int)),
                Some(Datum::Float(value)) => Ok(Some(Datum::Float(-value))),
                Some(other) => inner
                    .span
                    .refuse(format!("this is {}, no number", other.kind())),
                None => Ok(None),
            },
        }
    }

    /// Whether it holds for sure.
    pub(super) fn holds(&self, found: &Match) -> Result<bool, Refused> {
        Ok(self.truth(found)? == Some(true))
    }

    fn truth(&self, found: &Match) -> Result<Option<bool>, Refused> {
        match self.compute(found)? {
            Some(Datum::Bool(holds)) => Ok(Some(holds)),
            Some(other) => self
                .span
                .refuse(format!("this is {}, no condition", other.kind())),
            None => Ok(None),
        }
    }

    fn apply(
        &self,
        function: &Function,
        values: &[Pattern],
        data: &[Scalar],
        found: &Match,
    ) -> Result<Option<Datum>, Refused> {
        let values: Option<Vec<_>> = values.iter().map(|value| found.value(value)).collect();
        let data: Result<Option<Vec<Datum>>, Refused> =
            data.iter().map(|item| item.compute(found)).collect();
        let (Some(values), Some(data)) = (values, data?) else {
            return Ok(None);
        };
        let outcome: Outcome = match (function.run, &values[..], &data[..]) {
            (Run::Value(run), [value], []) => run(*value),
            (Run::ValueData(run), [value], [data]) => run(*value, data),
            (Run::Data(run), [], [data]) => run(data),
            (Run::TwoData(run), [], [first, second]) => run(first, second),
            _ => Err("has other arguments than were read".into()),
        };
        outcome.map_err(|message| self.span.wrong(format!("'{}' {message}", function.name)))
    }

    fn infix(
        &self,
        infix: Infix,
        lhs: &Scalar,
        rhs: &Scalar,
        found: &Match,
    ) -> Result<Option<Datum>, Refused> {
        if matches!(infix, Infix::And | Infix::Or) {
            let decisive = infix == Infix::Or;
            // What decides is enough, and the right side is not looked at.
            let first = lhs.truth(found)?;
            if first == Some(decisive) {
                return Ok(Some(Datum::Bool(decisive)));
            }
            let second = rhs.truth(found)?;
            if second == Some(decisive) {
                return Ok(Some(Datum::Bool(decisive)));
            }
            return Ok(first.and(second).map(|_| Datum::Bool(!decisive)));
        }
        let (Some(lhs), Some(rhs)) = (lhs.compute(found)?, rhs.compute(found)?) else {
            return Ok(None);
        };
        match infix {
            Infix::Equal => Ok(lhs.compare(&rhs).map(Datum::Bool)),
            Infix::NotEqual => Ok(lhs.compare(&rhs).map(|same| Datum::Bool(!same))),
            _ => match arithmetic(infix, &lhs, &rhs) {
                Some(result) => Ok(result),
                None => self.span.refuse(format!(
                    "'{}' takes numbers, not {} and {}",
                    infix.text(),
                    lhs.kind(),
                    rhs.kind()
                )),
            },
        }
    }
}

/// `None` if these are no numbers; nothing known where the result is none.
#[allow(
    clippy::option_option,
    reason = "what are no numbers, and what has no known result, are two things"
)]
fn arithmetic(infix: Infix, lhs: &Datum, rhs: &Datum) -> Option<Option<Datum>> {
    if matches!(lhs, Datum::Unknown) || matches!(rhs, Datum::Unknown) {
        return Some(None);
    }
    if let (Datum::List(lhs), Datum::List(rhs)) = (lhs, rhs) {
        let items = lhs.iter().zip(rhs);
        // A text in a list of numbers is a form of open dimensions: padding that keeps an open extent, say.
        let is_form = |(lhs, rhs): (&Datum, &Datum)| {
            matches!(lhs, Datum::Text(_)) || matches!(rhs, Datum::Text(_))
        };
        let items: Option<Vec<Option<Datum>>> = items
            .map(|(lhs, rhs)| match is_form((lhs, rhs)) {
                true => Some(None),
                false => arithmetic(infix, lhs, rhs),
            })
            .collect();
        let is_whole = lhs.len() == rhs.len();
        let known = |items: Vec<Option<Datum>>| items.into_iter().collect::<Option<Vec<Datum>>>();
        return items.map(|items| known(items).filter(|_| is_whole).map(Datum::List));
    }
    if let (Datum::Int(lhs), Datum::Int(rhs)) = (lhs, rhs) {
        let whole = match infix {
            Infix::Add => Some(lhs.checked_add(*rhs)),
            Infix::Subtract => Some(lhs.checked_sub(*rhs)),
            Infix::Multiply => Some(lhs.checked_mul(*rhs)),
            Infix::Divide if lhs.checked_rem(*rhs) == Some(0) => Some(lhs.checked_div(*rhs)),
            _ => None,
        };
        if let Some(whole) = whole {
            return Some(whole.map(Datum::Int));
        }
    }
    let (lhs, rhs) = (lhs.number()?, rhs.number()?);
    let number = match infix {
        Infix::Add => lhs + rhs,
        Infix::Subtract => lhs - rhs,
        Infix::Multiply => lhs * rhs,
        Infix::Divide => lhs / rhs,
        Infix::Less => return Some(Some(Datum::Bool(lhs < rhs))),
        Infix::LessEqual => return Some(Some(Datum::Bool(lhs <= rhs))),
        Infix::Greater => return Some(Some(Datum::Bool(lhs > rhs))),
        Infix::GreaterEqual => return Some(Some(Datum::Bool(lhs >= rhs))),
        _ => return None,
    };
    Some((!number.is_nan()).then_some(Datum::Float(number)))
}
