//! Marks on values, for passes.

use super::{columns::*, keyword, rule};
use crate::relay::{Call, TensorType, operands::as_result, relation::identity};

/// The family's rows.
pub const ROWS: &[Row] = &[
    mark("annotation.stop_fusion"),
    mark("annotation.checkpoint"),
    mark("annotation.cast_hint"),
    mark("annotation.compiler_begin"),
    mark("annotation.compiler_end"),
    Row::new(
        "op.annotation.simulated_quantize",
        Elemwise,
        FLOATS,
        Jumps,
        simulated_quantize,
    ),
];

/// The result is the operand: nothing is computed, and no kernel goes past it.
const fn mark(name: &'static str) -> Row {
    Row::new(name, Opaque, ANY, Moves, identity)
        .with_operands(as_result)
        .view()
}

fn simulated_quantize(call: &Call) -> Result<Vec<TensorType>, String> {
    let [data, numbers @ ..] = &call.inputs[..] else {
        return Err("takes four operands".into());
    };
    let is_number = |ty: &TensorType| ty.rank() == 0 && ty.element == data.element;
    if let Some(other) = numbers.iter().find(|ty| !is_number(ty)) {
        return Err(format!(
            "an operand is {}, expected rank 0 and {} (C1)",
            other.to_type(),
            data.element
        ));
    }
    let kind = call.attrs.int("kind")?;
    if !(0..4).contains(&kind) {
        return Err(format!("kind is {kind}, not from 0 to 3 (C2)"));
    }
    keyword(call, "rounding", &["round"]).map_err(rule("C3"))?;
    identity(call)
}
