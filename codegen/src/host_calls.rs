//! Calls of kernels that the host runs, in a graph whose buffers lie in a device's memory: those of external code generators.
//!
//! The host copies what a kernel reads into memory of its own, runs the kernel there, and copies the results back.

use crate::{
    CodegenError,
    device_memory::{FETCH, SEND, keep_off_memory, unsupported},
    symbols::callee,
};
use relay_dialects::{
    attrs::NUM_INPUTS,
    ir::{Attr, Builder, Op, Type, Value},
    ops::{arith, builtin, func, llvm},
    tir::KernelKind,
};

/// The type of a pointer to the host's memory, to MLIR.
const POINTER: &str = "!llvm.ptr";

/// Has the host access a device's memory by the runtime only, in a graph, and run the external kernels that it calls on memory of its own.
///
/// # Errors
/// If no device does an access, or an external kernel takes a buffer with open dimensions.
pub(crate) fn run_beside_device(main: Op) -> Result<(), CodegenError> {
    keep_off_memory(main)?;
    let mut calls = main.find_all(func::Call::NAME).into_iter();
    calls.try_for_each(call_on_host)
}

/// Has a call of an external kernel run on the host. Other calls stay.
fn call_on_host(call: Op) -> Result<(), CodegenError> {
    let Some((declaration, inputs)) = hosted(call) else {
        return Ok(());
    };
    let buffers = call.operands();
    if buffers.iter().any(|buffer| !buffer.ty().is_static()) {
        return Err(unsupported(call, "a buffer with open dimensions"));
    }
    let b = Builder::before(call);
    let pointer = Type::parse(b.ctx, POINTER);
    let pointer =
        pointer.ok_or_else(|| CodegenError::Lowering(format!("{POINTER} is no type of MLIR")))?;
    let mut places = Vec::new();
    for (slot, buffer) in buffers.iter().enumerate() {
        let from = match slot < inputs {
            true => b.address(*buffer),
            false => b.index(0),
        };
        let operands = [from, bytes(&b, *buffer), b.index(slot as i64)];
        places.push(FETCH.call(&b, call, &operands).result(0));
    }
    let pointers: Vec<Value> = places
        .iter()
        .map(|place| llvm::IntToPtr::build(&b, pointer, *place))
        .collect();
    take_pointers(declaration, pointer, pointers.len());
    let symbol = callee(call).unwrap_or_default();
    func::Call::build(&b, &[], &symbol, &pointers);
    for (buffer, place) in buffers.iter().zip(places).skip(inputs) {
        let place = arith::IndexCast::build(&b, Type::index(b.ctx), place);
        SEND.call(&b, call, &[b.address(*buffer), place, bytes(&b, *buffer)]);
    }
    call.erase();
    Ok(())
}

/// The external kernel that a call names, and the number of its inputs.
fn hosted(call: Op) -> Option<(Op, usize)> {
    let module = call.ancestor(builtin::Module::NAME)?;
    let declaration = module.lookup(&callee(call)?)?;
    let inputs = declaration.attr(NUM_INPUTS).and_then(Attr::as_i64)?;
    let is_external = declaration.is(func::Func::NAME) && KernelKind::External.is_of(declaration);
    is_external.then_some((declaration, usize::try_from(inputs).ok()?))
}

/// The bytes of a buffer.
fn bytes(b: &Builder, buffer: Value) -> Value {
    b.index(buffer.ty().byte_count())
}

/// Declares that a kernel takes pointers.
fn take_pointers(declaration: Op, pointer: Type, count: usize) {
    let ty = Type::function(declaration.ctx(), &vec![pointer; count], &[]);
    declaration.set_attr("function_type", Attr::ty(ty));
}
