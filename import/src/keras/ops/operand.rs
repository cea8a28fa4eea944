//! The operands of operations: tensors, numbers and arrays.

use crate::{
    graph::{
        builder::GraphBuilder,
        constant::{Const, Numbers},
        error::Result,
        value::Value,
    },
    keras::{
        element,
        item::{Item, Tree},
        node::Node,
    },
};
use relay_dialects::element::Element;

/// An argument that is a tensor, or becomes one.
///
/// # Errors
/// If it is missing.
pub fn tensor(n: &Node<'_>, b: &GraphBuilder, place: usize, names: &[&str]) -> Result<Value> {
    let found = n.arg(place, names);
    let found = found.ok_or_else(|| format!("argument '{}' is missing", names[0]))?;
    value(b, found, None)
}

/// A structure as a tensor. Numbers have no type of their own: they become such of `other`, as far as that can hold them.
///
/// # Errors
/// If it is something else.
pub fn value(b: &GraphBuilder, item: &Item, other: Option<Element>) -> Result<Value> {
    match item {
        Tree::Leaf(tensor) => Ok(tensor.value.clone()),
        Tree::Array(array) => Ok(b.known(array.clone())),
        Tree::Bool(flag) => Ok(b.scalar(Element::Bool, f64::from(u8::from(*flag)))),
        Tree::Int(number) => {
            let element = match other {
                Some(Element::Bool) | None => Element::I32,
                Some(other) => other,
            };
            let number = Numbers::ints(&[*number]);
            Ok(b.known(Const::new(element, vec![], &number)))
        }
        Tree::Float(number) => {
            let element = other.filter(|other| other.is_float());
            Ok(b.scalar(element.unwrap_or(Element::F32), *number))
        }
        Tree::List(all) => {
            let numbers: Option<Vec<f64>> = all.iter().map(Tree::float).collect();
            let numbers = numbers.ok_or("a list of something else than numbers is no tensor")?;
            let are_ints = all.iter().all(|one| matches!(one, Tree::Int(_)));
            let element = match are_ints {
                true => Element::I32,
                false => Element::F32,
            };
            let shape = vec![numbers.len() as i64];
            Ok(b.known(Const::new(element, shape, &Numbers::Floats(numbers))))
        }
        other => Err(format!(
            "a tensor is expected, and {} is given",
            other.kind()
        )),
    }
}

/// Two operands of one type.
///
/// # Errors
/// If one is missing.
pub fn pair(n: &Node<'_>, b: &mut GraphBuilder) -> Result<(Value, Value)> {
    let [lhs, rhs] = [(0, ["x1", "x", "a"]), (1, ["x2", "y", "b"])].map(|(place, names)| {
        n.arg(place, &names)
            .ok_or_else(|| format!("argument '{}' is missing", names[0]))
    });
    let (lhs, rhs) = (lhs?, rhs?);
    let of = |item: &Item| match item {
        Tree::Leaf(tensor) => Some(tensor.value.element()),
        Tree::Array(array) => Some(array.element),
        _ => None,
    };
    let (lhs, rhs) = (value(b, lhs, of(rhs))?, value(b, rhs, of(lhs))?);
    unified(b, &lhs, &rhs)
}

/// Two tensors in the type in which they meet.
pub fn unified(b: &mut GraphBuilder, lhs: &Value, rhs: &Value) -> Result<(Value, Value)> {
    let common = element::common(lhs.element(), rhs.element());
    Ok((b.cast(lhs, common)?, b.cast(rhs, common)?))
}

/// A tensor of floats.
pub fn floats(b: &mut GraphBuilder, x: &Value) -> Result<Value> {
    match x.element().is_float() {
        true => Ok(x.clone()),
        false => b.cast(x, Element::F32),
    }
}
