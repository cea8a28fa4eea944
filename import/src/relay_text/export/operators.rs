//! Our operators as TVM's. Names and attributes are the same; what differs stands here.

use super::{Result, unsayable};
use crate::relay_text::{
    element,
    operators::{self, OF_LISTS, OF_OPERANDS, OF_TUPLES},
    syntax::{AttrValue, Attribute, Call, Expr, Kind, Number},
};
use relay_dialects::{
    element::Element,
    ir::{Attr, Op},
    names::relay,
    relay::{Attrs, custom, operands::HINTS, ops::quantised::tensors_of},
};

/// Attributes of ours that TVM calls otherwise.
const RENAMED: &[(&str, &str, &str)] = &[("split", "indices", "indices_or_sections")];

/// Lists of ours that are lists of pairs of TVM's.
const OF_PAIRS: &[&str] = &["crops", "pad_width", "paddings"];

/// The call that an operator is.
///
/// # Errors
/// If TVM's operator cannot say an attribute.
pub(super) fn call(op: Op, operands: Vec<Expr>) -> Result<Kind> {
    if op.is(relay::CUSTOM) {
        return custom_call(op, operands);
    }
    let full = op.name();
    let name = full.strip_prefix("relay.").unwrap_or(&full);
    let attributes = op.attrs().into_iter().map(|(attr, value)| {
        let renamed = RENAMED
            .iter()
            .find(|(of, ours, _)| (*of, *ours) == (name, &attr));
        let value = written(value).map(|value| match OF_PAIRS.contains(&attr.as_str()) {
            true => in_pairs(value),
            false => value,
        });
        Ok(Attribute {
            value: value.ok_or_else(|| unsayable(op))?,
            name: renamed.map_or(attr, |(_, _, theirs)| (*theirs).into()),
        })
    });
    let mut attributes = attributes.collect::<Result<Vec<Attribute>>>()?;
    attributes.extend(hints(op));
    attributes.extend(of_operands(name));
    if let Some(element) = operators::implied_element(name, &op.operands()) {
        let element = Element::of(element).ok_or_else(|| unsayable(op))?;
        attributes.push(Attribute {
            name: "out_dtype".into(),
            value: AttrValue::Text(element::name(element)),
        });
    }
    let arguments = match name {
        OF_LISTS => in_lists(operands),
        _ if OF_TUPLES.contains(&name) => vec![tuple(operands)],
        _ => operands,
    };
    Ok(Kind::Call(Box::new(Call {
        callee: Kind::Named(theirs(&full).into()).into(),
        arguments,
        attributes,
    })))
}

/// The call of an operator from outside.
fn custom_call(op: Op, arguments: Vec<Expr>) -> Result<Kind> {
    let name = custom::of_attrs(&Attrs::of(op))?.name();
    let attributes = custom::given(op).into_iter().map(|(name, value)| {
        let value = written(value).ok_or_else(|| unsayable(op))?;
        Ok(Attribute { name, value })
    });
    Ok(Kind::Call(Box::new(Call {
        callee: Kind::Named(name.into()).into(),
        arguments,
        attributes: attributes.collect::<Result<_>>()?,
    })))
}

/// Operands as the fields of a tuple.
fn tuple(operands: Vec<Expr>) -> Expr {
    let fields = operands.into_iter().map(super::alone).collect();
    Kind::Tuple(fields).into()
}

/// Three lists of operands as tuples, and the two operands behind them.
fn in_lists(mut operands: Vec<Expr>) -> Vec<Expr> {
    let Some(count) = tensors_of(operands.len()) else {
        return operands;
    };
    let rest = operands.split_off(3 * count);
    let mut lists = Vec::new();
    for _ in 0..3 {
        let others = operands.split_off(count);
        lists.push(tuple(operands));
        operands = others;
    }
    lists.extend(rest);
    lists
}

/// TVM's name of an operator. Those of `op` have the first part of ours there, too.
fn theirs(full: &str) -> &str {
    let name = full.strip_prefix("relay.").unwrap_or(full);
    if name.starts_with("op.") { full } else { name }
}

/// What TVM's operator says of its weight, where ours leaves it to the weight's type.
fn hints(op: Op) -> impl Iterator<Item = Attribute> {
    let missing = HINTS.iter().filter(move |name| !op.has_attr(name));
    missing.filter_map(move |name| {
        let values = operators::implied(op, name)?;
        let value = match (*name, &values[..]) {
            ("kernel_size", _) => AttrValue::List(values.into_iter().map(int).collect()),
            (_, [value]) => int(*value),
            _ => return None,
        };
        let name = (*name).into();
        Some(Attribute { name, value })
    })
}

/// What TVM's operator has to have, and an operand says.
fn of_operands(operator: &str) -> impl Iterator<Item = Attribute> {
    let own = OF_OPERANDS.iter().filter(move |(of, _)| *of == operator);
    own.map(|(_, name)| Attribute {
        name: (*name).into(),
        value: AttrValue::List(Vec::new()),
    })
}

/// An integer as it is written.
fn int(value: i64) -> AttrValue {
    let bits = if i32::try_from(value).is_ok() { 32 } else { 64 };
    AttrValue::Expr(Kind::Number(Number::Int(value, bits)).into())
}

/// A list with each two of its items in a list of their own.
fn in_pairs(value: AttrValue) -> AttrValue {
    match value {
        AttrValue::List(items) => {
            let pairs = items.chunks(2);
            AttrValue::List(pairs.map(|pair| AttrValue::List(pair.to_vec())).collect())
        }
        value => value,
    }
}

/// An attribute's value as it is written.
fn written(attr: Attr) -> Option<AttrValue> {
    let number = |number| AttrValue::Expr(Kind::Number(number).into());
    if let Some(text) = attr.as_str() {
        return Some(AttrValue::Text(text));
    }
    if let Some(values) = attr.as_ints() {
        return Some(AttrValue::List(values.into_iter().map(int).collect()));
    }
    if let Some(values) = attr.as_floats() {
        let values = values.into_iter();
        let values = values.map(|value| number(Number::Float(value, 64)));
        return Some(AttrValue::List(values.collect()));
    }
    if let Some(ty) = attr.as_type() {
        return Some(AttrValue::Text(element::name(Element::of(ty)?)));
    }
    if let Some(flag) = attr.as_bool() {
        return Some(AttrValue::Expr(Kind::Bool(flag).into()));
    }
    if let Some(value) = attr.as_i64() {
        return Some(int(value));
    }
    attr.as_f64().map(|value| number(Number::Float(value, 64)))
}
