//! What Relay passes ask about values, and how they make operators.

use relay_dialects::ir::{Attr, Builder, Op, Value};

/// The value of a `relay.constant`.
pub fn constant(value: Value) -> Option<Attr> {
    value.def_of("relay.constant")?.attr("value")
}

/// The number that every element of a constant is.
pub fn splat(value: Value) -> Option<f64> {
    let scalar = constant(value)?.splat_value()?;
    scalar
        .as_f64()
        .or_else(|| scalar.as_i64().map(|int| int as f64))
}

/// Whether this is an operator of the relay dialect other than a region's end.
pub fn is_relay(op: Op) -> bool {
    op.name().starts_with("relay.") && !op.is("relay.yield")
}

/// Makes `relay.<name>` with one result; its type relation must hold.
pub fn make(builder: &Builder, name: &str, operands: &[Value], attrs: &[(&str, Attr)]) -> Value {
    let name = format!("relay.{name}");
    let op = builder.inferred(&name, operands, attrs);
    op.unwrap_or_else(|| panic!("{name} is made with operands that fit"))
        .result(0)
}

/// Makes `op`'s operator again on other operands, with `changes` to its attributes.
pub fn remake(builder: &Builder, op: Op, operands: &[Value], changes: &[(&str, Attr)]) -> Value {
    let old = op.attrs();
    let kept = old.iter().map(|(name, attr)| (name.as_str(), *attr));
    let mut attrs: Vec<(&str, Attr)> = kept
        .filter(|(name, _)| changes.iter().all(|(changed, _)| changed != name))
        .collect();
    attrs.extend_from_slice(changes);
    let made = builder.inferred(&op.name(), operands, &attrs);
    made.unwrap_or_else(|| panic!("{} is made again with operands that fit", op.name()))
        .result(0)
}

/// All functions of a module that hold operators, but for the primitive ones.
pub fn functions(module: Op) -> Vec<Op> {
    let is_plain =
        |op: &Op| op.is("func.func") && op.block_in(0).is_some() && !op.has_attr("relay.primitive");
    module.body().ops().into_iter().filter(is_plain).collect()
}

/// Whether a `nn.conv2d` reads NCHW and OIHW and gives NCHW.
pub fn is_plain_conv2d(op: Op) -> bool {
    let is = |name: &str, expected: &str| {
        let layout = op.attr(name).and_then(Attr::as_str).unwrap_or_default();
        layout.is_empty() || layout == expected
    };
    op.is("relay.nn.conv2d")
        && is("data_layout", "NCHW")
        && is("kernel_layout", "OIHW")
        && is("out_layout", "NCHW")
}
