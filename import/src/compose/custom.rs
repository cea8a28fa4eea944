//! Operators of models that become operators from outside, which `relay_dialects::relay::custom` lists.

use crate::graph::{attr::Param, builder::GraphBuilder, error::Result, value::Value};
use relay_dialects::relay::custom::{Attribute, Operator};

/// Makes an operator from outside. `read` gives the attribute of a model's node that a declared one stands for, if it is there.
///
/// # Errors
/// What `read` says, or what does not fit the declaration.
pub fn custom(
    b: &mut GraphBuilder,
    operator: &'static Operator,
    operands: &[Value],
    read: impl Fn(&Attribute) -> Result<Option<Param>>,
) -> Result<Vec<Value>> {
    let mut attrs = vec![("op_name", Param::Str(operator.row.name))];
    for declared in &operator.declaration.attributes {
        if let Some(given) = read(declared)? {
            attrs.push((declared.name.as_str(), given));
        }
    }
    b.ops("custom", operands, &attrs)
}

/// Says that models cannot give such an attribute.
pub fn no_such(declared: &Attribute) -> String {
    format!(
        "attribute '{}' is {}, which nodes of models do not have",
        declared.name,
        declared.holds.text()
    )
}
