//! `relay-to-te`: primitive functions of Relay operators as tensor expressions, with a schedule.
//!
//! ```mlir
//! func.func private @fused_relu(%x: tensor<4xf32>) -> tensor<4xf32> attributes {relay.primitive} {
//!   %0 = relay.nn.relu %x : (tensor<4xf32>) -> tensor<4xf32>
//!   return %0 : tensor<4xf32>
//! }
//! ```
//! becomes
//! ```mlir
//! func.func private @fused_relu(%x: tensor<4xf32>) -> tensor<4xf32> attributes {relay.primitive} {
//!   %relu = te.compute "relu" (%i: 4) {
//!     %v = tensor.extract %x[%i] : tensor<4xf32>
//!     %zero = arith.constant 0.000000e+00 : f32
//!     %m = arith.maximumf %v, %zero : f32
//!     te.yield %m : f32
//!   } : tensor<4xf32>
//!   te.schedule {
//!     %s = te.stage %relu : tensor<4xf32>
//!     %i = te.axes %s
//!   }
//!   return %relu : tensor<4xf32>
//! }
//! ```

use crate::machine::{CACHE_BYTES, TILES, VECTOR_BITS, VECTOR_REGISTERS, machine};
use relay_dialects::{
    ir::{Attr, Builder, Op, Value},
    pass::{Options, PassResult, PassSpec, fail},
    te::build,
};
use relay_topi::{Machine, compute, schedule};
use std::collections::HashMap;

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "relay-to-te",
    summary: "Write primitive functions of Relay operators as tensor expressions with a schedule",
    description: include_str!("relay_to_te.md"),
    anchor: "builtin.module",
    options: &[VECTOR_BITS, VECTOR_REGISTERS, CACHE_BYTES, TILES],
    run,
};

/// Runs the pass on a module.
///
/// # Errors
/// If the vectors have no possible width, or an operator has no tensor expression.
pub fn run(module: Op, options: &Options) -> PassResult {
    let bits = options.int(VECTOR_BITS.name);
    if bits < 64 || bits % 32 != 0 {
        let reason = format!("vector-bits is {bits}, expected a multiple of 32 from 64 on");
        return fail(module, reason);
    }
    for func in module.functions().into_iter().filter(is_unexpressed) {
        express(func, machine(options))?;
    }
    Ok(())
}

/// Whether a function's operators are to be computed as one kernel. Reshapes alone become views.
fn is_unexpressed(func: &Op) -> bool {
    let has_operators = |func: &Op| {
        let mut ops = func.body().ops().into_iter();
        ops.any(|op| op.name().starts_with("relay."))
    };
    func.has_attr("relay.primitive") && !func.has_attr("relay.reshape_only") && has_operators(func)
}

/// Replaces the operators of a primitive function by their tensor expressions, with a schedule for
/// `machine`.
fn express(func: Op, machine: Machine) -> PassResult {
    let mut map: HashMap<Value, Value> = HashMap::new();
    let ops = func.body().ops();
    for op in &ops {
        let b = Builder::before(*op);
        let name = op.name();
        if name == "relay.constant" {
            let value = constant(&b, *op)?;
            map.insert(op.result(0), value);
        } else if name.starts_with("relay.") {
            let inputs: Vec<Value> = op
                .operands()
                .into_iter()
                .map(|operand| map.get(&operand).copied().unwrap_or(operand))
                .collect();
            match compute(&b, *op, &inputs) {
                Ok(results) => map.extend(op.results().into_iter().zip(results)),
                Err(reason) => return fail(*op, reason),
            }
        } else if name == "func.return" {
            let values: Vec<Value> = op
                .operands()
                .into_iter()
                .map(|operand| map.get(&operand).copied().unwrap_or(operand))
                .collect();
            op.set_operands(&values);
        }
    }
    for op in ops
        .into_iter()
        .rev()
        .filter(|op| op.name().starts_with("relay."))
    {
        op.erase();
    }
    schedule(func, machine);
    Ok(())
}

/// A scalar constant becomes part of the expressions that use it.
fn constant(b: &Builder, op: Op) -> Result<Value, relay_dialects::pass::PassFailed> {
    let ty = op.result(0).ty();
    let scalar = op.attr("value").and_then(|value| {
        value.splat_value().or_else(|| {
            (ty.count() == 1)
                .then(|| value.bytes())
                .flatten()
                .and_then(|bytes| scalar(ty.element(), &bytes))
        })
    });
    let Some(scalar) = scalar else {
        return fail(
            op,
            "is not a scalar and stands in a primitive function; fuse-ops passes it as an argument",
        );
    };
    Ok(build::compute(
        b,
        "constant",
        &ty.shape(),
        ty.element(),
        |b, _| b.value("arith.constant", &[], ty.element(), &[("value", scalar)]),
    ))
}

/// The attribute for the one element in `bytes`.
fn scalar(ty: relay_dialects::ir::Type, bytes: &[u8]) -> Option<Attr> {
    Some(match (ty.is_float(), bytes.len()) {
        // The first half of an f32.
        (true, 2) if ty.is_bf16() => {
            let half = u32::from(u16::from_le_bytes(bytes.try_into().ok()?));
            Attr::float(ty, f64::from(f32::from_bits(half << 16)))
        }
        (true, 4) => Attr::float(ty, f64::from(f32::from_le_bytes(bytes.try_into().ok()?))),
        (true, 8) => Attr::float(ty, f64::from_le_bytes(bytes.try_into().ok()?)),
        (false, 8) => Attr::int(ty, i64::from_le_bytes(bytes.try_into().ok()?)),
        (false, 4) => Attr::int(ty, i64::from(i32::from_le_bytes(bytes.try_into().ok()?))),
        (false, 1) => Attr::int(ty, i64::from(bytes[0] as i8)),
        _ => return None,
    })
}
