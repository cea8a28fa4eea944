//! Operators of ONNX that become operators from outside.

use super::row::Convert;
use crate::{
    compose::custom::{custom, no_such},
    graph::{attr::Param, builder::GraphBuilder, error::Result, value::Value},
    onnx::{node::Node, proto},
};
use relay_dialects::relay::custom::{self as outside, Attribute, Holds};

/// The conversion of a node that an operator from outside stands for.
pub fn conversion(node: &proto::Node) -> Option<Convert> {
    outside::of_onnx(&node.domain, &node.op_type).map(|_| Convert::Tensors(convert))
}

fn convert(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let (domain, operator) = n.operator();
    let operator = outside::of_onnx(domain, operator).ok_or("the operator is not registered")?;
    let operands = (0..n.input_count()).map(|index| n.input(index));
    let operands = operands.collect::<Result<Vec<_>>>()?;
    custom(b, operator, &operands, |declared| attribute(n, declared))
}

/// What a node says of an attribute.
fn attribute(n: &Node<'_>, declared: &Attribute) -> Result<Option<Param>> {
    let name = declared.name.as_str();
    Ok(match declared.holds {
        Holds::Int => n.attr_i64(name)?.map(Param::Int),
        Holds::Float => n.attr_f32(name)?.map(|value| Param::Float(value.into())),
        Holds::Ints => n.attr_ints(name)?.map(Param::Ints),
        Holds::Floats => n
            .attr_floats(name)?
            .map(|values| Param::Floats(values.into_iter().map(f64::from).collect())),
        Holds::Text => n.attr_text(name)?.map(Param::Text),
        Holds::Bool => match n.attr_i64(name)? {
            None => None,
            Some(_) => Some(Param::Bool(n.attr_bool_or(name, false)?)),
        },
        Holds::Type | Holds::Other => return Err(no_such(declared)),
    })
}
