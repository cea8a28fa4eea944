//! Functions of two tensors, and the choice between two, with broadcasting.

use super::columns::*;
use crate::relay::{
    Call, TensorType, operands,
    relation::{broadcast, broadcast_shapes, compare},
};

/// The family's rows.
pub const ROWS: &[Row] = &[
    Row::new("add", Broadcast, NUMBERS, Near, broadcast)
        .with_operands(operands::broadcast)
        .with_scaling(Scaling::Sum)
        .with_layout(Broadcasting { filled: true })
        .with_algebra(Algebra {
            neutral: 0.0,
            is_group: true,
        }),
    Row::new("subtract", Broadcast, NUMBERS, Near, broadcast)
        .with_operands(operands::broadcast)
        .with_scaling(Scaling::Sum)
        .with_layout(Broadcasting { filled: false })
        .with_algebra(Algebra {
            neutral: 0.0,
            is_group: false,
        }),
    Row::new("multiply", Broadcast, NUMBERS, Near, broadcast)
        .with_operands(operands::broadcast)
        .with_layout(Broadcasting { filled: true })
        .with_algebra(Algebra {
            neutral: 1.0,
            is_group: true,
        }),
    Row::new("divide", Broadcast, NUMBERS, Near, broadcast)
        .with_operands(operands::broadcast)
        .with_layout(Broadcasting { filled: false })
        .with_algebra(Algebra {
            neutral: 1.0,
            is_group: false,
        }),
    Row::new("power", Broadcast, FLOATS, Amplifies, broadcast)
        .with_operands(operands::broadcast)
        .with_layout(Broadcasting { filled: false }),
    Row::new("maximum", Broadcast, NUMBERS, Near, broadcast)
        .with_operands(operands::broadcast)
        .with_layout(Broadcasting { filled: false }),
    Row::new("minimum", Broadcast, NUMBERS, Near, broadcast)
        .with_operands(operands::broadcast)
        .with_layout(Broadcasting { filled: false }),
    Row::new("mod", Broadcast, NUMBERS, Jumps, broadcast)
        .with_operands(operands::broadcast)
        .with_layout(Broadcasting { filled: false }),
    Row::new("trunc_divide", Broadcast, NUMBERS, Jumps, broadcast)
        .with_operands(operands::broadcast)
        .with_layout(Broadcasting { filled: false }),
    Row::new("trunc_mod", Broadcast, NUMBERS, Jumps, broadcast)
        .with_operands(operands::broadcast)
        .with_layout(Broadcasting { filled: false }),
    Row::new("floor_divide", Broadcast, NUMBERS, Jumps, broadcast)
        .with_operands(operands::broadcast)
        .with_layout(Broadcasting { filled: false }),
    Row::new("floor_mod", Broadcast, NUMBERS, Jumps, broadcast)
        .with_operands(operands::broadcast)
        .with_layout(Broadcasting { filled: false }),
    Row::new("equal", Broadcast, VALUES, Decides, compare)
        .with_operands(operands::compare)
        .with_layout(Broadcasting { filled: false }),
    Row::new("not_equal", Broadcast, VALUES, Decides, compare)
        .with_operands(operands::compare)
        .with_layout(Broadcasting { filled: false }),
    Row::new("less", Broadcast, NUMBERS, Decides, compare)
        .with_operands(operands::compare)
        .with_layout(Broadcasting { filled: false }),
    Row::new("less_equal", Broadcast, NUMBERS, Decides, compare)
        .with_operands(operands::compare)
        .with_layout(Broadcasting { filled: false }),
    Row::new("greater", Broadcast, NUMBERS, Decides, compare)
        .with_operands(operands::compare)
        .with_layout(Broadcasting { filled: false }),
    Row::new("greater_equal", Broadcast, NUMBERS, Decides, compare)
        .with_operands(operands::compare)
        .with_layout(Broadcasting { filled: false }),
    Row::new("logical_and", Broadcast, BOOLEANS, Decides, broadcast)
        .with_operands(operands::logical)
        .with_layout(Broadcasting { filled: false }),
    Row::new("logical_or", Broadcast, BOOLEANS, Decides, broadcast)
        .with_operands(operands::logical)
        .with_layout(Broadcasting { filled: false }),
    Row::new("logical_xor", Broadcast, BOOLEANS, Decides, broadcast)
        .with_operands(operands::logical)
        .with_layout(Broadcasting { filled: false }),
    Row::new("bitwise_and", Broadcast, BITS, Decides, broadcast)
        .with_operands(operands::broadcast)
        .with_layout(Broadcasting { filled: false }),
    Row::new("bitwise_or", Broadcast, BITS, Decides, broadcast)
        .with_operands(operands::broadcast)
        .with_layout(Broadcasting { filled: false }),
    Row::new("bitwise_xor", Broadcast, BITS, Decides, broadcast)
        .with_operands(operands::broadcast)
        .with_layout(Broadcasting { filled: false }),
    Row::new("left_shift", Broadcast, INTEGERS, Decides, broadcast)
        .with_operands(operands::broadcast)
        .with_layout(Broadcasting { filled: false }),
    Row::new("right_shift", Broadcast, INTEGERS, Decides, broadcast)
        .with_operands(operands::broadcast)
        .with_layout(Broadcasting { filled: false }),
    Row::new("where", Broadcast, ANY, Chooses, select),
];

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
