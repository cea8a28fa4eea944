//! `bare-buffers`: functions take buffers with open extents as pointers, and the values of symbols.
//!
//! ```mlir
//! func.func @kernel(%x: memref<?x4xf32> {relay.dims = ["n", 4]}, %n: index) attributes {tir.symbols = ["n"]} { ... }
//! ```
//! becomes
//! ```mlir
//! func.func @kernel(%x: memref<f32>, %n: index) attributes {tir.symbols = ["n"]} {
//!   %0 = memref.reinterpret_cast %x to offset: [0], sizes: [%n, 4], strides: [4, 1] : memref<f32> to memref<?x4xf32>
//!   ...
//! }
//! ```

use crate::symbols::Symbols;
use relay_dialects::{
    attrs::{DIMS, NUM_INPUTS},
    dim::Dim,
    ir::{Attr, Builder, Op, Type, Value},
    ops::{builtin, func, memref},
    pass::{Options, PassResult, PassSpec, fail},
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "bare-buffers",
    summary: "Pass buffers with open extents as pointers to their first element",
    description: "A parameter `memref<?x4xf32>` becomes `memref<f32>`, which C's calling convention passes as a pointer. At its \
                  start the function makes the buffer from it, from `relay.dims` of the parameter and the function's parameters \
                  that hold the values of symbols (`tir.symbols`). Calls pass such pointers. The pass runs after `plan-memory`, \
                  which adds parameters.",
    anchor: builtin::Module::NAME,
    options: &[],
    run,
};

fn run(module: Op, _options: &Options) -> PassResult {
    for function in module.functions() {
        take_pointers(function)?;
    }
    for call in module.find_all(func::Call::NAME) {
        let b = Builder::before(call);
        let operands = call
            .operands()
            .into_iter()
            .map(|operand| pointer_to(&b, operand));
        call.set_operands(&operands.collect::<Vec<_>>());
    }
    Ok(())
}

/// Has a function take pointers.
fn take_pointers(function: Op) -> PassResult {
    let body = function.body();
    let open: Vec<Value> = body
        .args()
        .into_iter()
        .filter(|value| is_open(value.ty()))
        .collect();
    let symbols = Symbols::of(function);
    for value in open {
        let ty = value.ty();
        if !value.is_used() && function.has_attr(NUM_INPUTS) {
            // Of an output that the runtime gives memory for.
            value.set_ty(pointer(ty));
            continue;
        }
        let Some(dims) = dims_of(function, value.number()) else {
            return fail(
                function,
                format!("has a parameter of type {ty}, whose dimensions nothing names"),
            );
        };
        let b = Builder::at_start(body, function.loc(), function.ctx());
        value.set_ty(pointer(ty));
        let users = value.uses();
        let Some(view) = symbols.view(&b, value, ty, &dims) else {
            return fail(
                function,
                format!("has a parameter of type {ty}, and not the values of all its symbols"),
            );
        };
        for (user, operand) in users {
            user.set_operand(operand, view);
        }
    }
    if let Some(ty) = function.function_type() {
        let inputs: Vec<Type> = body.args().iter().map(|value| value.ty()).collect();
        let ty = Type::function(function.ctx(), &inputs, &ty.results());
        function.set_attr("function_type", Attr::ty(ty));
    }
    Ok(())
}

/// The dimensions of a parameter.
fn dims_of(function: Op, parameter: usize) -> Option<Vec<Dim>> {
    let attrs = function.attr("arg_attrs").and_then(Attr::as_array)?;
    attrs.get(parameter)?.get(DIMS).and_then(Attr::as_dims)
}

fn is_open(ty: Type) -> bool {
    ty.is_memref() && !ty.is_static()
}

/// The type of a pointer to the first element of a buffer.
fn pointer(ty: Type) -> Type {
    Type::memref(&[], ty.element()).in_memory_space(ty.memory_space())
}

/// The first element of a buffer whose extents are open; any other value as it is.
fn pointer_to(b: &Builder, value: Value) -> Value {
    let ty = value.ty();
    if !is_open(ty) {
        return value;
    }
    let made = memref::ReinterpretCast::making(value).map(memref::ReinterpretCast::source);
    if let Some(source) = made.filter(|source| source.ty() == pointer(ty)) {
        return source;
    }
    memref::ReinterpretCast::build(b, pointer(ty), value, &[], &[], &[], &[0], &[], &[])
}
