//! Reading constants, and making operators.

use crate::{
    dim::Dim,
    ir::{Attr, Builder, Ctx, NamedAttr, Op, Type, Value, named},
    names,
    relay::{operands::HINTS, row},
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

/// Dimensions as an attribute that [`Attrs::dims`](super::Attrs::dims) reads: a list of integers, if forms are not among them.
pub fn extents(ctx: Ctx, dims: &[Dim]) -> Attr {
    let known: Option<Vec<i64>> = dims.iter().map(|dim| dim.known()).collect();
    if let Some(known) = known {
        return Attr::ints(ctx, &known);
    }
    extent_list(ctx, dims)
}

/// A dimension as an integer, or the text of a form.
pub fn extent(ctx: Ctx, dim: Dim) -> Attr {
    match dim.known() {
        Some(extent) => Attr::int(Type::int(ctx, 64), extent),
        None => Attr::str(ctx, &dim.to_string()),
    }
}

/// Dimensions as an array of integers and texts of forms.
pub fn extent_list(ctx: Ctx, dims: &[Dim]) -> Attr {
    let each = dims.iter().map(|dim| extent(ctx, *dim));
    Attr::array(ctx, &each.collect::<Vec<_>>())
}

/// Makes an operator with one result, by its full name (`names::relay`); its type relation must hold.
pub fn make(builder: &Builder, name: &str, operands: &[Value], attrs: &[(&str, Attr)]) -> Value {
    let op = builder.inferred(name, operands, attrs);
    op.unwrap_or_else(|| panic!("{name} is made with operands that fit"))
        .result(0)
}

/// Whether an attribute of an operator is one of [`HINTS`]: those are for operators that have a rule for their operands.
/// No type says the `kernel_size` of `nn.sparse_conv2d`.
fn is_hint(operator: Op, attribute: &str) -> bool {
    let has_rule = || row(&operator.name()).is_some_and(|row| row.operands.is_some());
    HINTS.contains(&attribute) && has_rule()
}

/// Takes the attributes from an operator that the types of its operands have made needless.
pub fn forget_hints(operator: Op) {
    let hints = HINTS.iter().filter(|hint| is_hint(operator, hint));
    hints.for_each(|hint| operator.remove_attr(hint));
}

/// An op's attributes with `changes` to them, for another op. What they say of the operands' types is left out.
pub fn changed<'a>(attrs: &'a [(String, Attr)], changes: &[NamedAttr<'a>]) -> Vec<NamedAttr<'a>> {
    without(attrs, changes, |name| HINTS.contains(&name))
}

/// The attributes of `op`, which are `attrs`, with `changes` to them, for the same operator on other operands.
pub fn changed_of<'a>(
    op: Op,
    attrs: &'a [(String, Attr)],
    changes: &[NamedAttr<'a>],
) -> Vec<NamedAttr<'a>> {
    without(attrs, changes, |name| is_hint(op, name))
}

fn without<'a>(
    attrs: &'a [(String, Attr)],
    changes: &[NamedAttr<'a>],
    is_left_out: impl Fn(&str) -> bool,
) -> Vec<NamedAttr<'a>> {
    let mut all = named(attrs);
    all.retain(|(name, _)| {
        !is_left_out(name) && changes.iter().all(|(changed, _)| changed != name)
    });
    all.extend_from_slice(changes);
    all
}

/// Makes `op`'s operator again on other operands, with `changes` to its attributes.
pub fn remake(builder: &Builder, op: Op, operands: &[Value], changes: &[(&str, Attr)]) -> Value {
    let attrs = op.attrs();
    let made = builder.inferred(&op.name(), operands, &changed_of(op, &attrs, changes));
    made.unwrap_or_else(|| panic!("{} is made again with operands that fit", op.name()))
        .result(0)
}
