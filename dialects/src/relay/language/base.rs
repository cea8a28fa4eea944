//! Constants, tuples and `if`.

use crate::{
    element::Element,
    ir::{Attr, Ctx, Op, Type},
    names,
};

/// The result types of `relay.constant`, tuples, their fields, and what says where a value lies; `None` for operators.
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
        names::relay::ON_DEVICE | names::relay::DEVICE_COPY => Some(Ok(operands.to_vec())),
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
    Ok(vec![Type::tuple(ctx, operands)])
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
pub(super) fn verify_if(op: Op) -> Result<(), String> {
    let condition = op.operand(0).ty();
    let is_flag = condition.shape().is_empty() && condition.element().is_bool();
    if !is_flag && !condition.is_incomplete() {
        return Err(format!(
            "condition is {condition}, expected tensor<i1> (C1)"
        ));
    }
    let expected: Vec<Type> = op.results().iter().map(|result| result.ty()).collect();
    for (index, branch) in ["then", "else"].into_iter().enumerate() {
        let yielded = op.block_in(index).and_then(|block| block.terminator());
        let types: Vec<Type> = yielded.map_or_else(Vec::new, |op| {
            op.operands().iter().map(|value| value.ty()).collect()
        });
        let mut pairs = types.iter().zip(&expected);
        if types.len() != expected.len() || !pairs.all(|(ty, expected)| ty.is_compatible(*expected))
        {
            return Err(format!(
                "the {branch} region yields {types:?}, expected {expected:?} (C2)"
            ));
        }
    }
    Ok(())
}

/// Checks `relay.yield`.
pub(super) fn verify_yield(op: Op) -> Result<(), String> {
    let ends = [
        names::relay::IF,
        names::relay::MATCH,
        names::relay::SCAN,
        names::relay::WHILE,
        names::relay::FN,
    ];
    match op.parent() {
        Some(parent) if ends.contains(&parent.name().as_str()) => Ok(()),
        _ => Err(
            "ends no region of relay.if, relay.match, relay.scan, relay.while or relay.fn (C1)"
                .into(),
        ),
    }
}
