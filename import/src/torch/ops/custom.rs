//! Operators of PyTorch's libraries that become operators from outside.

use crate::{
    compose::custom::{custom, no_such},
    graph::{attr::Param, builder::GraphBuilder, error::Result, value::Value},
    torch::node::Node,
};
use relay_dialects::relay::custom::{self as outside, Attribute, Holds, Operator};

/// The operator from outside that stands for `mylib.swish` or `mylib.swish.overload`.
pub fn operator(name: &str) -> Option<&'static Operator> {
    let name = name.replacen('.', "::", 1);
    outside::of_torch(&name)
}

/// Converts a node: its tensors are operands in their order, and all other arguments are attributes by their names.
pub fn convert(
    operator: &'static Operator,
    n: &Node<'_>,
    b: &mut GraphBuilder,
) -> Result<Vec<Value>> {
    let operands = n.all_tensors()?;
    custom(b, operator, &operands, |declared| attribute(n, declared))
}

/// What a node says of an attribute.
fn attribute(n: &Node<'_>, declared: &Attribute) -> Result<Option<Param>> {
    let name = declared.name.as_str();
    Ok(match declared.holds {
        Holds::Int => n.int(name)?.map(Param::Int),
        Holds::Float => n.float(name)?.map(Param::Float),
        Holds::Ints => n.ints(name)?.map(Param::Ints),
        Holds::Floats => n.floats(name)?.map(Param::Floats),
        Holds::Text => n.text(name)?.map(|text| Param::Text(text.into())),
        Holds::Bool => n.float(name)?.map(|flag| Param::Bool(flag != 0.0)),
        Holds::Type | Holds::Other => return Err(no_such(declared)),
    })
}
