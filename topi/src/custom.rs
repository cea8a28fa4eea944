//! Operators that are declared outside of this project: their declarations write functions of tensor expressions, whose
//! bodies go to where the operator is.

use crate::Expression;
use relay_dialects::{
    ir::{Attr, Op, Type, Value},
    names::te,
    ops::{arith, builtin, func},
    pass::with_diagnostics_of,
    relay::{
        Attrs, Pattern,
        custom::{self, Operator, Request},
    },
};

/// The family's rows.
pub const ROWS: &[(&str, crate::Compute)] = &[("custom", custom)];

fn custom(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let operator = custom::of_attrs(&Attrs::of(e.op))?;
    let ctx = e.op.ctx();
    let element = |ty: Type| {
        let computed = crate::precision::computed(ty.element());
        Type::tensor_of(&ty.dims(), computed)
    };
    let request = Request {
        ctx,
        operands: e.inputs.iter().map(|input| input.ty()).collect(),
        results: e.op.results().iter().map(|it| element(it.ty())).collect(),
        attributes: custom::complete(&operator.declaration, ctx, &custom::given(e.op))?,
    };
    let text = operator.compute(&request)?;
    let name = operator.name();
    let (module, reasons) = with_diagnostics_of(ctx, || Op::parse(ctx, &text));
    let module = module.ok_or_else(|| {
        format!("\"{name}\": its expression is not valid MLIR:\n{reasons}\nit is:\n{text}")
    })?;
    let results = inserted(e, operator, module, &request);
    module.erase();
    results.map_err(|reason| format!("\"{name}\": its expression {reason}"))
}

/// Moves the body of the module's function to where the operator is; the tensors that it returns.
fn inserted(
    e: &Expression<'_>,
    operator: &Operator,
    module: Op,
    request: &Request,
) -> Result<Vec<Value>, String> {
    let function = checked(operator, module, request)?;
    let body = function.body();
    for (argument, input) in body.args().into_iter().zip(e.inputs) {
        argument.replace_all_uses_with(*input);
    }
    let mut results = Vec::new();
    for op in body.ops() {
        if op.is(func::Return::NAME) {
            results = op.operands();
            continue;
        }
        op.detach();
        e.b.insert(op);
        op.walk(|inner| inner.set_loc(e.op.loc()));
        if let (true, Some(end)) = (op.is(te::SCHEDULE), terminator(e.op)) {
            // Behind all stages, also those that convert elements.
            op.move_before(end);
        }
    }
    Ok(results)
}

/// The end of the function that an op is in.
fn terminator(op: Op) -> Option<Op> {
    op.block()?.terminator()
}

/// The one function of a module, if it computes what was requested.
fn checked(operator: &Operator, module: Op, request: &Request) -> Result<Op, String> {
    let functions = match module.is(builtin::Module::NAME) {
        true => module.body().ops(),
        false => vec![module],
    };
    let [function] = functions[..] else {
        return Err(format!(
            "has {} operations; it is one function",
            functions.len()
        ));
    };
    if !function.is(func::Func::NAME) || function.regions().iter().all(|it| it.blocks().len() != 1)
    {
        return Err("is no function with one block".into());
    }
    let wanted = Type::function(request.ctx, &request.operands, &request.results);
    let ty = function.attr("function_type").and_then(Attr::as_type);
    if ty != Some(wanted) {
        let ty = ty.map_or_else(String::new, |ty| ty.to_string());
        return Err(format!(
            "is of type {ty}, and the operator's type relation says {wanted}"
        ));
    }
    for op in function.body().ops() {
        let is_schedule = op.is(te::SCHEDULE);
        let known = [
            te::COMPUTE,
            te::EXTERN,
            arith::Constant::NAME,
            func::Return::NAME,
        ];
        if !is_schedule && !known.iter().any(|name| op.is(name)) {
            return Err(format!(
                "has the operation {}; it is made of te.compute and te.extern",
                op.name()
            ));
        }
        if is_schedule && operator.row.pattern != Pattern::Opaque {
            return Err(
                "has a schedule, which only an operator of kind opaque may bring: others fuse"
                    .into(),
            );
        }
    }
    let returned = function
        .body()
        .terminator()
        .map(Op::operands)
        .unwrap_or_default();
    match returned.iter().find(|value| value.def().is_none()) {
        Some(_) => Err("returns an operand as it is; compute a copy of it".into()),
        None => Ok(function),
    }
}
