//! `infer-type`: finds the types that a module leaves open.

mod constraints;
mod kinds;
mod terms;

use constraints::Constraints;
use relay_dialects::{
    ir::{Attr, Op, Type, Value},
    names,
    ops::builtin,
    pass::{Options, PassResult, PassSpec, fail},
    relay::build,
};
use std::collections::HashMap;

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "infer-type",
    summary: "infer types, and replace !relay.incomplete by them",
    description: include_str!("infer_type.md"),
    anchor: MODULE,
    options: &[],
    run,
};

const MODULE: &str = builtin::Module::NAME;

fn run(module: Op, _options: &Options) -> PassResult {
    infer(module)
}

/// Infers the types in the modules inside a module, each by itself, and then its own.
fn infer(module: Op) -> PassResult {
    for inner in module.body().ops() {
        if inner.is(MODULE) {
            infer(inner)?;
        }
    }
    kinds::check(module)?;
    let mut seen = HashMap::new();
    let mut is_open = |value: Value| {
        let ty = value.ty();
        *seen.entry(ty).or_insert_with(|| ty.has_incomplete())
    };
    // A function may have an open type although its values have none.
    let is_declared_open = |op: Op| {
        let declared = op.function_type();
        declared.is_some_and(Type::has_incomplete)
    };
    let open = find(module, |op| {
        values_of(op).into_iter().any(&mut is_open) || is_declared_open(op)
    });
    if open.is_none() {
        return Ok(());
    }
    let mut types = constraints::solve(module)?;
    walk(module, |op| write(op, &mut types));
    types.operators().into_iter().for_each(forget_hints);
    let open = find(module, |op| {
        let mut values = values_of(op).into_iter();
        values.any(|value| value.ty().has_incomplete())
    });
    open.map_or(Ok(()), |op| {
        fail(
            op,
            "has a type that cannot be inferred: annotate its operands or arguments",
        )
    })
}

/// Calls `visit` for the ops of a module, inner ones first, but not for those of modules in it: their names are other ones.
fn walk(module: Op, mut visit: impl FnMut(Op)) {
    let ops = module.body().ops().into_iter();
    ops.filter(|op| !op.is(MODULE))
        .for_each(|op| op.walk(&mut visit));
}

/// The first op for which `holds` is true, of those that [`walk`] visits.
fn find(module: Op, mut holds: impl FnMut(Op) -> bool) -> Option<Op> {
    let mut ops = module.body().ops().into_iter();
    ops.find_map(|op| match op.is(MODULE) {
        true => None,
        false => op.find(&mut holds),
    })
}

/// The values that an op defines: its results, and the arguments of its regions.
fn values_of(op: Op) -> Vec<Value> {
    let regions = op.regions().into_iter();
    let blocks = regions.flat_map(|region| region.blocks());
    let arguments = blocks.flat_map(|block| block.args());
    op.results().into_iter().chain(arguments).collect()
}

/// Gives the values of an op the types that were found, and a function its own.
fn write(op: Op, types: &mut Constraints) {
    for value in values_of(op) {
        if value.ty().has_incomplete() {
            value.set_ty(types.ty(value));
        }
    }
    if op.is(names::relay::FN) {
        write_closure(op);
    }
    let declared = op.function_type();
    if let Some(declared) = declared.filter(|ty| ty.has_incomplete()) {
        let args = op.block_in(0).map(|body| body.args());
        let inputs = args.map_or_else(
            || declared.inputs(),
            |args| args.iter().map(|value| value.ty()).collect(),
        );
        let found = types.results(op).into_iter().zip(declared.results());
        let results: Vec<Type> = found
            .map(|(found, declared)| {
                if declared.has_incomplete() {
                    found
                } else {
                    declared
                }
            })
            .collect();
        let ty = Type::function(op.ctx(), &inputs, &results);
        op.set_attr("function_type", Attr::ty(ty));
    }
}

/// Takes the attributes from an operator that its operands' types have made needless.
fn forget_hints(operator: Op) {
    let mut operands = operator.operands().into_iter();
    if operands.all(|operand| !operand.ty().has_incomplete()) {
        build::forget_hints(operator);
    }
}

/// Gives a closure the type that its parameters have: what others know of a dimension is not what they know.
fn write_closure(op: Op) {
    let Some((_, result)) = op.result(0).ty().as_function() else {
        return;
    };
    let mut args = op.body().args();
    let itself = op.has_attr("recursive").then(|| args.remove(0));
    let params: Vec<Type> = args.iter().map(|value| value.ty()).collect();
    let ty = Type::function(op.ctx(), &params, &[result]);
    let all = [op.result(0)].into_iter().chain(itself);
    all.for_each(|value| value.set_ty(ty));
}
