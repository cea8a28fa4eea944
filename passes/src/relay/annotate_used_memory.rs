//! `annotate-used-memory`: how many bytes are in use while functions of operators run.

use crate::{analysis::liveness::at_calls, graph::operators::functions};
use relay_dialects::{
    attrs::{IO_USED_MEMORY, PRIMITIVE, USED_MEMORY},
    inferred,
    ir::{Attr, Op, Type},
    ops::builtin,
    pass::{Options, PassFailed, PassResult, PassSpec, fail},
};
use std::collections::HashMap;

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "annotate-used-memory",
    summary: "annotate functions of operators with their memory use",
    description: include_str!("annotate_used_memory.md"),
    anchor: builtin::Module::NAME,
    options: &[],
    run,
};

fn run(module: Op, _options: &Options) -> PassResult {
    inferred::check(module)?;
    let mut used: HashMap<Op, Vec<i64>> = HashMap::new();
    for function in functions(module) {
        for (call, values) in at_calls(module, function) {
            let callee = call.attr("callee").and_then(Attr::as_symbol);
            let callee = callee.and_then(|callee| module.lookup(&callee));
            if let Some(callee) = callee.filter(|callee| callee.has_attr(PRIMITIVE)) {
                let bytes = total(call, values.iter().map(|value| value.ty()))?;
                used.entry(callee).or_default().push(bytes);
            }
        }
        if let Some(ty) = function.function_type() {
            let bytes = total(function, ty.inputs().into_iter().chain(ty.results()))?;
            function.set_attr(IO_USED_MEMORY, Attr::i64(module.ctx(), bytes));
        }
    }
    for (callee, bytes) in used {
        callee.set_attr(USED_MEMORY, Attr::ints(module.ctx(), &bytes));
    }
    Ok(())
}

/// The bytes of values of these types together.
fn total(op: Op, types: impl Iterator<Item = Type>) -> Result<i64, PassFailed> {
    let mut sum = 0_i64;
    for ty in types {
        let Some(bytes) = bytes(ty) else {
            return fail(
                op,
                format!("has to do with a value of {ty}, of which nobody knows the bytes"),
            );
        };
        sum = sum.saturating_add(bytes);
    }
    Ok(sum)
}

/// The bytes of a tensor, or of those in a tuple; `None` if its type does not say them.
fn bytes(ty: Type) -> Option<i64> {
    match ty.fields() {
        Some(fields) => {
            let mut parts = fields.into_iter().map(bytes);
            parts.try_fold(0_i64, |sum, part| Some(sum.saturating_add(part?)))
        }
        None => {
            let has_bytes = |element: Type| element.is_int() || element.is_float();
            let is_known = ty.is_tensor() && ty.is_static() && has_bytes(ty.element());
            is_known.then(|| ty.byte_count())
        }
    }
}
