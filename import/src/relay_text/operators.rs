//! TVM's operators as ours. Names, attributes and defaults are the same; what differs stands here.

use super::{
    element,
    syntax::{AttrValue, Attribute, Kind, Number},
};
use relay_dialects::{
    Element,
    ir::{Attr, Ctx, DYNAMIC, Op, Type, Value},
    relay::relation::normalize_axis,
    signatures::{self, Holds},
};

/// An attribute to be made.
type Named = (String, Attr);

/// What becomes of an attribute that does not stay as it is written.
#[derive(Clone, Copy)]
enum Becomes {
    /// What ours is, where it has one: the types of operands say the same.
    Hint,
    /// Nothing, if it says what is so anyway: an empty text, or what the first operand says.
    OfTheData,
    /// Padding of each side: one number stands for all, one for each dimension for both of its sides.
    Padding,
    /// An element type.
    Element,
    /// A list; one number may stand without brackets.
    List,
    /// A boolean, which may be written as a number.
    Flag,
}

/// Attributes that are written in another way than ours, by their names.
const ATTRIBUTES: &[(&str, Becomes)] = &[
    ("channels", Becomes::Hint),
    ("kernel_size", Becomes::Hint),
    ("units", Becomes::Hint),
    ("out_dtype", Becomes::OfTheData),
    ("out_layout", Becomes::OfTheData),
    ("padding", Becomes::Padding),
    ("allowzero", Becomes::Flag),
    ("dtype", Becomes::Element),
    ("keepdims", Becomes::Flag),
    ("exclude", Becomes::Flag),
];

/// Operators whose `axis` is a list.
const OF_AXES: &[&str] = &[
    "all", "any", "argmax", "argmin", "max", "mean", "min", "prod", "squeeze", "sum", "variance",
];

/// Operators that take a tuple as any number of operands.
pub const OF_TUPLES: &[&str] = &["adv_index", "concatenate", "einsum", "meshgrid", "stack"];

/// The operator that takes three tuples, of tensors, scales and zero points, and two operands more.
pub const OF_LISTS: &str = "qnn.concatenate";

/// Products of quantised tensors, which give integers of 32 bits. TVM has them say so.
const OF_WORDS: &[&str] = &[
    "qnn.batch_matmul",
    "qnn.conv2d",
    "qnn.conv2d_transpose",
    "qnn.dense",
];

/// The element type of a result that TVM has an operator say, and ours does not.
pub fn implied_element(operator: &str, operands: &[Value]) -> Option<Type> {
    let ty = |index: usize| {
        let ty = operands.get(index).map(|value| value.ty());
        ty.filter(|ty| ty.is_tensor()).map(|ty| ty.element())
    };
    match operator {
        "qnn.dequantize" => ty(1),
        _ if OF_WORDS.contains(&operator) => ty(0).map(|data| Element::I32.ty(data.ctx())),
        _ => None,
    }
}

/// Attributes that operators share with those whose shape is known, and that TVM writes as empty lists: an operand says it here.
pub const OF_OPERANDS: &[(&str, &str)] = &[("dyn.reshape", "newshape"), ("dyn.tile", "reps")];

/// The attributes of an operator from what is written.
///
/// # Errors
/// What cannot be read, or is not there.
pub fn attributes(
    ctx: Ctx,
    operator: &str,
    operands: &[Value],
    given: &[Attribute],
) -> Result<Vec<Named>, String> {
    let mut made = Vec::new();
    for written in given {
        let Attribute { name, value } = written;
        let is_ours = declared(operator, name).is_some();
        if !is_ours && is_of_the_data(operator, written, operands, given)
            || is_of_an_operand(operator, written)
        {
            continue;
        }
        let attr = attribute(ctx, (operator, name), value);
        let attr = attr.ok_or_else(|| format!("{written} is not what `{operator}` takes"))?;
        made.extend(attr.map(|attr| (name.clone(), attr)));
    }
    complete(ctx, operator, operands, &mut made)?;
    Ok(made)
}

/// Whether an attribute says that the result is as the first operand is, or what the operator gives anyway.
fn is_of_the_data(
    operator: &str,
    written: &Attribute,
    operands: &[Value],
    given: &[Attribute],
) -> bool {
    let AttrValue::Text(text) = &written.value else {
        return false;
    };
    match written.name.as_str() {
        "out_dtype" => {
            let ty = operands.first().map(|value| value.ty());
            let element = ty.filter(|ty| ty.is_tensor()).map(|ty| ty.element());
            let element = implied_element(operator, operands).or(element);
            element::parse(text)
                .zip(element)
                .is_some_and(|(said, element)| said.ty(element.ctx()) == element)
        }
        "out_layout" => given
            .iter()
            .any(|other| other.name == "data_layout" && other.value == written.value),
        _ => false,
    }
}

/// Numbers that operators share with those whose numbers are known: an operand says them here.
const NUMBERS_OF_OPERANDS: &[(&str, &str)] = &[("dyn.one_hot", "depth"), ("dyn.topk", "k")];

/// Whether an operand says what an attribute would, which is empty or has its default.
fn is_of_an_operand(operator: &str, written: &Attribute) -> bool {
    let is_empty = matches!(&written.value, AttrValue::List(values) if values.is_empty());
    let named = (operator, written.name.as_str());
    is_empty && OF_OPERANDS.contains(&named) || NUMBERS_OF_OPERANDS.contains(&named)
}

/// What an attribute of our operator holds, if that has it.
fn declared(operator: &str, name: &str) -> Option<Holds> {
    signatures::find(&format!("relay.{operator}"))?.attr(name)
}

/// An attribute of ours, or none where none is needed; `None` if it is not of the form that it should be of.
fn attribute(ctx: Ctx, (operator, name): (&str, &str), value: &AttrValue) -> Option<Option<Attr>> {
    // What is nothing is left out.
    if *value == AttrValue::Nothing {
        return Some(None);
    }
    let known = ATTRIBUTES.iter().find(|(known, _)| *known == name);
    let becomes = match known {
        Some((_, becomes)) => Some(*becomes),
        None => (name == "axis" && OF_AXES.contains(&operator)).then_some(Becomes::List),
    };
    let declared = declared(operator, name);
    let becomes = becomes.filter(|it| !matches!(it, Becomes::OfTheData) || declared.is_none());
    let Some(becomes) = becomes else {
        return held(ctx, declared.unwrap_or(Holds::Other), value).map(Some);
    };
    Some(match becomes {
        Becomes::Hint => {
            match declared {
                None => None,
                Some(Holds::Ints) => Some(Attr::ints(ctx, &list(value)?)),
                // Some exporters write one number as a list.
                Some(_) => match list(value)?[..] {
                    [number] => Some(Attr::i64(ctx, number)),
                    _ => return None,
                },
            }
        }
        Becomes::OfTheData => match value {
            AttrValue::Text(text) if text.is_empty() => None,
            _ => return None,
        },
        Becomes::Padding => Some(Attr::ints(ctx, &padding(operator, &list(value)?)?)),
        Becomes::Element => Some(element_type(ctx, value)?),
        Becomes::List => Some(Attr::ints(ctx, &list(value)?)),
        Becomes::Flag => Some(Attr::bool(ctx, flag(value)?)),
    })
}

/// A value as what an attribute holds.
pub fn held(ctx: Ctx, holds: Holds, value: &AttrValue) -> Option<Attr> {
    match holds {
        Holds::Float => Some(Attr::f64(ctx, float(value)?)),
        Holds::Floats => Some(Attr::floats(ctx, &floats(value)?)),
        Holds::Bool => Some(Attr::bool(ctx, flag(value)?)),
        Holds::Type => element_type(ctx, value),
        _ => same(ctx, value),
    }
}

/// An element type by its name.
fn element_type(ctx: Ctx, value: &AttrValue) -> Option<Attr> {
    match value {
        AttrValue::Text(name) => Some(Attr::ty(element::parse(name)?.ty(ctx))),
        _ => None,
    }
}

/// A number, which may be written as an integer.
fn float(value: &AttrValue) -> Option<f64> {
    match value {
        AttrValue::Expr(expr) => match expr.kind {
            Kind::Number(number @ Number::Float(..)) => Some(number.as_written()),
            _ => int(value).map(|number| number as f64),
        },
        _ => None,
    }
}

/// The numbers of a list.
fn floats(value: &AttrValue) -> Option<Vec<f64>> {
    match value {
        AttrValue::List(values) => values.iter().map(float).collect(),
        value => Some(vec![float(value)?]),
    }
}

/// An attribute as it is written.
fn same(ctx: Ctx, value: &AttrValue) -> Option<Attr> {
    match value {
        AttrValue::Text(text) => Some(Attr::str(ctx, text)),
        AttrValue::List(_) => Some(Attr::ints(ctx, &list(value)?)),
        AttrValue::Nothing => None,
        AttrValue::Expr(expr) => match expr.kind {
            Kind::Number(Number::Int(value, _)) => Some(Attr::i64(ctx, value)),
            Kind::Number(number @ Number::Float(..)) => Some(Attr::f64(ctx, number.as_written())),
            Kind::Bool(value) => Some(Attr::bool(ctx, value)),
            _ => None,
        },
    }
}

fn int(value: &AttrValue) -> Option<i64> {
    match value {
        AttrValue::Expr(expr) => match expr.kind {
            Kind::Number(Number::Int(value, _)) => Some(value),
            _ => None,
        },
        _ => None,
    }
}

/// A boolean, which may be written as a number.
pub fn flag(value: &AttrValue) -> Option<bool> {
    match value {
        AttrValue::Expr(expr) => match expr.kind {
            Kind::Bool(value) => Some(value),
            _ => int(value).map(|number| number != 0),
        },
        _ => None,
    }
}

/// The integers of a list, and of lists in it.
fn list(value: &AttrValue) -> Option<Vec<i64>> {
    match value {
        AttrValue::List(values) => {
            let lists = values.iter().map(list).collect::<Option<Vec<_>>>()?;
            Some(lists.concat())
        }
        value => Some(vec![int(value)?]),
    }
}

/// The padding before each dimension, and that behind each.
fn padding(operator: &str, given: &[i64]) -> Option<Vec<i64>> {
    let rank = ["1d", "2d", "3d"]
        .iter()
        .position(|rank| operator.contains(rank))?
        + 1;
    match given {
        [all] => Some(vec![*all; 2 * rank]),
        both if both.len() == rank => Some([both, both].concat()),
        each => (each.len() == 2 * rank).then(|| each.to_vec()),
    }
}

/// Adds what TVM leaves out and ours has to say; and says in our way what depends on the operands.
fn complete(
    ctx: Ctx,
    operator: &str,
    operands: &[Value],
    made: &mut Vec<Named>,
) -> Result<(), String> {
    let shape = || {
        let ty = operands.first().map(|value| value.ty());
        let shape = ty.filter(|ty| ty.is_tensor()).map(|ty| ty.shape());
        shape.ok_or_else(|| format!("the shape that `{operator}` takes is not known here"))
    };
    match operator {
        "concatenate" if find(made, "axis").is_none() => {
            made.push(("axis".into(), Attr::i64(ctx, 0)));
        }
        "transpose" if find(made, "axes").is_none() => {
            let axes: Vec<i64> = (0..shape()?.len() as i64).rev().collect();
            made.push(("axes".into(), Attr::ints(ctx, &axes)));
        }
        "squeeze" if find(made, "axis").is_none() => {
            let shape = shape()?;
            let axes = (0..shape.len() as i64).filter(|axis| shape[*axis as usize] == 1);
            made.push(("axis".into(), Attr::ints(ctx, &axes.collect::<Vec<_>>())));
        }
        "strided_slice" => slice(ctx, made),
        "reshape" => reshape(ctx, shape, made)?,
        "split" => split(ctx, &shape()?, made)?,
        "take" if find(made, "axis").is_none() => {
            return Err(
                "`take` without an axis is not read; reshape its data to one dimension".into(),
            );
        }
        _ => {}
    }
    Ok(())
}

/// Strides of 1 and the first axes, where nothing else is said.
fn slice(ctx: Ctx, made: &mut Vec<Named>) {
    let begin = find(made, "begin").and_then(Attr::as_ints);
    let count = begin.unwrap_or_default().len();
    let axes: Vec<i64> = (0..count as i64).collect();
    for (name, default) in [("strides", vec![1; count]), ("axes", axes)] {
        match find(made, name).and_then(Attr::as_ints) {
            None => made.push((name.into(), Attr::ints(ctx, &default))),
            // One stride stands for all.
            Some(given) if name == "strides" && given.len() == 1 => {
                remove(made, name);
                made.push((name.into(), Attr::ints(ctx, &vec![given[0]; count])));
            }
            Some(_) => {}
        }
    }
}

fn find(made: &[Named], name: &str) -> Option<Attr> {
    let found = made.iter().find(|(known, _)| known == name);
    found.map(|(_, attr)| *attr)
}

fn remove(made: &mut Vec<Named>, name: &str) -> Option<Attr> {
    let at = made.iter().position(|(known, _)| known == name)?;
    Some(made.remove(at).1)
}

/// A 0 keeps the dimension of the data, unless `allowzero` says that it is one.
fn reshape(
    ctx: Ctx,
    shape: impl Fn() -> Result<Vec<i64>, String>,
    made: &mut Vec<Named>,
) -> Result<(), String> {
    let allows = remove(made, "allowzero").and_then(Attr::as_bool) == Some(true);
    let wanted = remove(made, "newshape").and_then(Attr::as_ints);
    let mut wanted = wanted.ok_or("`reshape` has no newshape")?;
    for (dim, extent) in wanted.iter_mut().enumerate().filter(|_| !allows) {
        if *extent == 0 {
            let shape = shape()?;
            let kept = shape.get(dim).filter(|kept| **kept != DYNAMIC);
            *extent = *kept
                .ok_or_else(|| format!("newshape keeps dimension {dim}, which is not known"))?;
        }
    }
    made.push(("newshape".into(), Attr::ints(ctx, &wanted)));
    Ok(())
}

/// So many equal parts, or where they begin.
fn split(ctx: Ctx, shape: &[i64], made: &mut Vec<Named>) -> Result<(), String> {
    let axis = remove(made, "axis").and_then(Attr::as_i64).unwrap_or(0);
    let extent = shape[normalize_axis(axis, shape.len())?];
    let sections =
        remove(made, "indices_or_sections").ok_or("`split` has no indices_or_sections")?;
    let indices = match (sections.as_i64(), sections.as_ints()) {
        (Some(_), _) if extent == DYNAMIC => {
            return Err("`split` into equal parts needs a known extent".into());
        }
        // More parts than elements would be parts without any.
        (Some(parts), _) if parts > 0 && parts <= extent.max(1) && extent % parts == 0 => {
            (1..parts).map(|part| part * (extent / parts)).collect()
        }
        (None, Some(indices)) => indices,
        _ => return Err(format!("{extent} elements are not so many equal parts")),
    };
    made.push(("indices".into(), Attr::ints(ctx, &indices)));
    made.push(("axis".into(), Attr::i64(ctx, axis)));
    Ok(())
}

/// What the types of an operator's operands say of one of the attributes in [`HINTS`](relay_dialects::relay::operands::HINTS),
/// if it has that one and its layouts are not in blocks.
pub fn implied(op: Op, name: &str) -> Option<Vec<i64>> {
    signatures::find(&op.name())?.attr(name)?;
    let (weight, result) = (op.operands().get(1)?.ty(), op.results().first()?.ty());
    if !weight.is_tensor() || !result.is_tensor() {
        return None;
    }
    let letters = |layout: &str| {
        let layout = op.attr(layout).and_then(Attr::as_str)?;
        layout
            .chars()
            .all(|letter| letter.is_ascii_uppercase())
            .then_some(layout)
    };
    let said = match name {
        "units" => result.shape().last().map(|units| vec![*units]),
        "channels" => {
            let at = letters("data_layout")?.find('C')?;
            Some(vec![*result.shape().get(at)?])
        }
        "kernel_size" => {
            let layout = letters("kernel_layout")?;
            let dims = layout.chars().zip(weight.shape());
            Some(
                dims.filter(|(letter, _)| !"OI".contains(*letter))
                    .map(|(_, dim)| dim)
                    .collect(),
            )
        }
        _ => None,
    };
    said.filter(|said| !said.contains(&DYNAMIC))
}
