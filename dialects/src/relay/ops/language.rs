//! The ops of the language that are not operators: constants, tuples, `if`.

use crate::{
    element::Element,
    ir::{Attr, Ctx, Op, Type},
    names,
};

/// The result types of `relay.constant`, `relay.tuple` and `relay.tuple_get`; `None` for operators.
pub fn infer(
    ctx: Ctx,
    name: &str,
    operands: &[Type],
    attrs: Attr,
) -> Option<Result<Vec<Type>, String>> {
    match name {
        names::relay::CONSTANT => Some(constant(attrs)),
        names::relay::TUPLE => Some(tuple(ctx, operands)),
        names::relay::TUPLE_GET => Some(tuple_get(ctx, operands, attrs)),
        _ => None,
    }
}

fn constant(attrs: Attr) -> Result<Vec<Type>, String> {
    let value = attrs.get("value").ok_or("requires attribute 'value'")?;
    let element = value.typ().element();
    match Element::of(element) {
        Some(_) => Ok(vec![value.typ()]),
        None => Err(format!("is of {element}, no element type (C1)")),
    }
}

fn tuple(ctx: Ctx, operands: &[Type]) -> Result<Vec<Type>, String> {
    let fields: Vec<String> = operands.iter().map(Type::to_string).collect();
    let text = format!("tuple<{}>", fields.join(", "));
    Type::parse(ctx, &text)
        .map(|ty| vec![ty])
        .ok_or_else(|| format!("cannot make the type {text}"))
}

fn tuple_get(ctx: Ctx, operands: &[Type], attrs: Attr) -> Result<Vec<Type>, String> {
    let index = attrs
        .get("index")
        .and_then(Attr::as_i64)
        .ok_or("requires attribute 'index'")?;
    let tuple = operands.first().ok_or("takes one operand")?;
    if tuple.is_incomplete() {
        return Ok(vec![Type::incomplete(ctx)]);
    }
    let fields = tuple
        .fields()
        .ok_or_else(|| format!("operand is {tuple}, not a tuple (C1)"))?;
    let field = usize::try_from(index)
        .ok()
        .and_then(|index| fields.get(index));
    field
        .map(|ty| vec![*ty])
        .ok_or_else(|| format!("{tuple} has no field {index} (C2)"))
}

/// Checks `relay.if`.
///
/// # Errors
/// What is wrong, as a diagnostic's text.
pub fn verify(op: Op) -> Result<(), String> {
    if !op.is(names::relay::IF) {
        return Ok(());
    }
    let condition = op.operand(0).ty();
    if !condition.shape().is_empty() || !condition.element().is_bool() {
        return Err(format!(
            "condition is {condition}, expected tensor<i1> (C1)"
        ));
    }
    let expected: Vec<Type> = op.results().iter().map(|result| result.ty()).collect();
    for (index, branch) in ["then", "else"].into_iter().enumerate() {
        let yielded = op.block_in(index).and_then(|block| block.terminator());
        let types: Option<Vec<Type>> =
            yielded.map(|op| op.operands().iter().map(|value| value.ty()).collect());
        if types.as_ref() != Some(&expected) {
            return Err(format!(
                "the {branch} region does not yield {expected:?} (C2)"
            ));
        }
    }
    Ok(())
}
