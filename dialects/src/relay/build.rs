//! Reading constants, and making operators.

use crate::{
    ir::{Attr, Builder, NamedAttr, Op, Type, Value, named},
    names,
    relay::operands::HINTS,
};

/// The value of a `relay.constant`.
pub fn constant(value: Value) -> Option<Attr> {
    value.def_of(names::relay::CONSTANT)?.attr("value")
}

/// The number that every element of a constant is.
pub fn splat(value: Value) -> Option<f64> {
    let scalar = constant(value)?.splat_value()?;
    scalar
        .as_f64()
        .or_else(|| scalar.as_i64().map(|int| int as f64))
}

/// Makes a `relay.constant` of rank 0: `number` as an `element`.
pub fn scalar(builder: &Builder, element: Type, number: f64) -> Value {
    let value = Attr::splat(Type::tensor(&[], element), Attr::number(element, number));
    make(builder, names::relay::CONSTANT, &[], &[("value", value)])
}

/// Makes an operator with one result, by its full name (`names::relay`); its type relation must hold.
pub fn make(builder: &Builder, name: &str, operands: &[Value], attrs: &[(&str, Attr)]) -> Value {
    let op = builder.inferred(name, operands, attrs);
    op.unwrap_or_else(|| panic!("{name} is made with operands that fit"))
        .result(0)
}

/// An op's attributes with `changes` to them, for another op. What they say of the operands' types is left out.
pub fn changed<'a>(attrs: &'a [(String, Attr)], changes: &[NamedAttr<'a>]) -> Vec<NamedAttr<'a>> {
    let mut all = named(attrs);
    all.retain(|(name, _)| {
        !HINTS.contains(name) && changes.iter().all(|(changed, _)| changed != name)
    });
    all.extend_from_slice(changes);
    all
}

/// Makes `op`'s operator again on other operands, with `changes` to its attributes.
pub fn remake(builder: &Builder, op: Op, operands: &[Value], changes: &[(&str, Attr)]) -> Value {
    let attrs = op.attrs();
    let made = builder.inferred(&op.name(), operands, &changed(&attrs, changes));
    made.unwrap_or_else(|| panic!("{} is made again with operands that fit", op.name()))
        .result(0)
}
