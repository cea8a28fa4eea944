//! Marks on values, for passes.

use super::{columns::*, keyword, rule};
use crate::{
    dim::{self, Dim},
    relay::{
        Call, TensorType,
        operands::as_result,
        relation::{identity, normalize_axis},
    },
};

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

/// The `kind` of `op.annotation.simulated_quantize` at data.
pub const INPUT: i64 = 1;
/// Its `kind` at a weight.
pub const WEIGHT: i64 = 2;

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
    let has_scales = |ty: &TensorType| {
        let axis = normalize_axis(call.attrs.int("axis")?, data.rank())?;
        let is_along = |shape: &[Dim]| dim::unify(shape[0], data.shape[axis]).is_some();
        Ok::<_, String>(ty.rank() == 1 && ty.element == data.element && is_along(&ty.shape))
    };
    for (place, ty) in numbers.iter().enumerate() {
        let fits = is_number(ty) || (place == 0 && has_scales(ty).map_err(rule("C1"))?);
        if !fits {
            return Err(format!(
                "an operand is {}, expected rank 0 and {} (C1)",
                ty.to_type(),
                data.element
            ));
        }
    }
    let kind = call.attrs.int("kind")?;
    if !(0..4).contains(&kind) {
        return Err(format!("kind is {kind}, not from 0 to 3 (C2)"));
    }
    keyword(call, "rounding", &["round"]).map_err(rule("C3"))?;
    identity(call)
}
