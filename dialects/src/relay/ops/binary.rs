//! Functions of two tensors, and the choice between two, with broadcasting.

use crate::relay::{
    Call,
    Pattern::Broadcast,
    Row, TensorType,
    relation::{broadcast, broadcast_shapes, compare},
};

/// The family's rows.
pub const ROWS: &[Row] = &[
    Row::new("add", Broadcast, broadcast),
    Row::new("subtract", Broadcast, broadcast),
    Row::new("multiply", Broadcast, broadcast),
    Row::new("divide", Broadcast, broadcast),
    Row::new("power", Broadcast, broadcast),
    Row::new("maximum", Broadcast, broadcast),
    Row::new("minimum", Broadcast, broadcast),
    Row::new("mod", Broadcast, broadcast),
    Row::new("floor_divide", Broadcast, broadcast),
    Row::new("floor_mod", Broadcast, broadcast),
    Row::new("equal", Broadcast, compare),
    Row::new("not_equal", Broadcast, compare),
    Row::new("less", Broadcast, compare),
    Row::new("less_equal", Broadcast, compare),
    Row::new("greater", Broadcast, compare),
    Row::new("greater_equal", Broadcast, compare),
    Row::new("logical_and", Broadcast, logical),
    Row::new("logical_or", Broadcast, logical),
    Row::new("logical_xor", Broadcast, logical),
    Row::new("where", Broadcast, select),
];

fn logical(call: &Call) -> Result<Vec<TensorType>, String> {
    let element = call.inputs[0].element;
    if !element.is_bool() {
        return Err(format!("takes booleans, not {element} (C3)"));
    }
    broadcast(call)
}

fn select(call: &Call) -> Result<Vec<TensorType>, String> {
    let [condition, x, y] = &call.inputs[..] else {
        return Err("takes three operands".into());
    };
    if !condition.element.is_bool() {
        return Err(format!(
            "the condition is of {}, expected booleans (C3)",
            condition.element
        ));
    }
    if x.element != y.element {
        return Err(format!(
            "element types {} and {} differ (C2)",
            x.element, y.element
        ));
    }
    let shape = broadcast_shapes(&condition.shape, &broadcast_shapes(&x.shape, &y.shape)?)?;
    Ok(vec![TensorType::new(shape, x.element)])
}
