//! A graph whose buffers lie in a device's memory: the processor runs it, and reaches that memory through the runtime only.
//!
//! A graph computes addresses and calls kernels. Beside that it copies buffers, and reads single elements: conditions, numbers of steps,
//! sizes. Each such access becomes a call of a function that codegen writes, which asks the runtime.

use crate::{
    CodegenError,
    writer::{Writer, parameter},
};
use inkwell::{
    module::Linkage,
    types::BasicTypeEnum,
    values::{BasicMetadataValueEnum, BasicValueEnum},
};
use relay_dialects::{
    Element, index,
    ir::{Builder, DYNAMIC, Op, Type, Value},
    ops::{arith, builtin, func, memref},
    tir::{For, LoopKind},
};

/// A function of the runtime for a device's memory: its name behind `relay_rt_device_`, its parameters beside the instance, and what it gives,
/// which a graph takes as 64 bits.
pub(crate) struct Access {
    name: &'static str,
    parameters: &'static [Parameter],
    gives: Option<Parameter>,
}

/// How a number of 64 bits is handed to the runtime, or comes from it.
#[derive(Clone, Copy, PartialEq)]
enum Parameter {
    /// As a pointer.
    Address,
    /// As it is.
    Number,
}

use Parameter::{Address, Number};

/// To, from, bytes.
const COPY: Access = Access {
    name: "copy",
    parameters: &[Address, Address, Number],
    gives: None,
};

/// From, bytes.
const READ: Access = Access {
    name: "read",
    parameters: &[Address, Number],
    gives: Some(Number),
};

/// To, the value's bits, bytes.
const WRITE: Access = Access {
    name: "write",
    parameters: &[Address, Number, Number],
    gives: None,
};

/// From, or null for memory with any bytes; bytes, the number of the buffer of the host. Its address.
pub(crate) const FETCH: Access = Access {
    name: "fetch",
    parameters: &[Address, Number, Number],
    gives: Some(Address),
};

/// To, from in the host's memory, bytes.
pub(crate) const SEND: Access = Access {
    name: "send",
    parameters: &[Address, Address, Number],
    gives: None,
};

const ACCESSES: [Access; 5] = [COPY, READ, WRITE, FETCH, SEND];

impl Access {
    /// The function that a graph calls.
    fn symbol(&self) -> String {
        format!("relay_device_{}", self.name)
    }

    /// The function of the runtime.
    fn runtime(&self) -> String {
        format!("relay_rt_device_{}", self.name)
    }

    /// A call in a graph.
    pub(crate) fn call(&self, b: &Builder, op: Op, operands: &[Value]) -> Op {
        let long = Type::int(b.ctx, 64);
        let results: &[Type] = if self.gives.is_some() { &[long] } else { &[] };
        let types: Vec<Type> = operands.iter().map(|value| value.ty()).collect();
        let symbol = self.symbol();
        let module = op.ancestor(builtin::Module::NAME);
        if let Some(module) = module.filter(|module| module.lookup(&symbol).is_none()) {
            let start = Builder::at_start(module.body(), module.loc(), module.ctx());
            start.declare(&symbol, &types, results);
        }
        func::Call::build(b, results, &symbol, operands)
    }
}

/// Has a graph reach its buffers through the runtime only.
///
/// # Errors
/// If it accesses a buffer in a way that no device does.
pub(crate) fn keep_off_memory(main: Op) -> Result<(), CodegenError> {
    let is_parallel = |found: &For| found.kind() == LoopKind::Parallel;
    if let Some(found) = For::all(main).into_iter().find(is_parallel) {
        return Err(unsupported(
            found.op(),
            "the entry function, beside its calls of kernels",
        ));
    }
    let accesses = |name| main.find_all(name).into_iter();
    for copy in accesses(memref::Copy::NAME) {
        call_copy(copy)?;
    }
    for load in accesses(memref::Load::NAME) {
        call_read(load)?;
    }
    for store in accesses(memref::Store::NAME) {
        call_write(store)?;
    }
    Ok(())
}

/// An access that no device does, with the nodes of the model that need it.
pub(crate) fn unsupported(op: Op, why: &str) -> CodegenError {
    let (names, name) = (op.loc().names().join(" + "), op.name());
    CodegenError::Lowering(format!(
        "{names} needs {name} of {why}, which is not supported on GPUs yet; compile for a processor"
    ))
}

/// The bytes of an element of a buffer.
fn element_bytes(op: Op, buffer: Value) -> Result<i64, CodegenError> {
    let element = Element::of(buffer.ty().element()).map(|element| element.bytes() as i64);
    let index = buffer.ty().element().is_index().then_some(8);
    element
        .or(index)
        .ok_or_else(|| unsupported(op, "elements without a size"))
}

fn call_copy(copy: Op) -> Result<(), CodegenError> {
    let (from, to) = (copy.operand(0), copy.operand(1));
    let b = Builder::before(copy);
    let mut bytes = b.index(element_bytes(copy, from)?);
    for (place, extent) in from.ty().shape().into_iter().enumerate() {
        let extent = match extent {
            DYNAMIC => {
                let operands = [from, b.index(place as i64)];
                b.value(memref::Dim::NAME, &operands, Type::index(b.ctx), &[])
            }
            known => b.index(known),
        };
        bytes = index::mul(&b, bytes, extent);
    }
    COPY.call(&b, copy, &[b.address(to), b.address(from), bytes]);
    copy.erase();
    Ok(())
}

/// The address of the element at some subscripts of a buffer.
fn place(
    b: &Builder,
    op: Op,
    buffer: Value,
    subscripts: &[Value],
) -> Result<(Value, i64), CodegenError> {
    let bytes = element_bytes(op, buffer)?;
    if !buffer.ty().is_static() {
        return Err(unsupported(op, "a buffer with open dimensions"));
    }
    Ok((index::address_of(b, buffer, subscripts), bytes))
}

/// The signless integer with the bits of a value of this type.
fn bits_of(ty: Type) -> Type {
    Type::int(ty.ctx(), if ty.is_index() { 64 } else { ty.bit_width() })
}

fn call_read(load: Op) -> Result<(), CodegenError> {
    let b = Builder::before(load);
    let operands = load.operands();
    let (at, bytes) = place(&b, load, operands[0], &operands[1..])?;
    let ty = load.result(0).ty();
    let read = READ.call(&b, load, &[at, b.index(bytes)]).result(0);
    let value = match bits_of(ty) {
        bits if bits == read.ty() => read,
        bits => arith::TruncI::build(&b, bits, read),
    };
    let value = if ty.is_index() {
        arith::IndexCast::build(&b, ty, value)
    } else if ty.is_float() {
        arith::Bitcast::build(&b, ty, value)
    } else {
        value
    };
    load.replace_with(&[value]);
    Ok(())
}

fn call_write(store: Op) -> Result<(), CodegenError> {
    let b = Builder::before(store);
    let operands = store.operands();
    let (at, bytes) = place(&b, store, operands[1], &operands[2..])?;
    let (value, ty) = (operands[0], operands[0].ty());
    let bits = bits_of(ty);
    let value = if ty.is_index() {
        arith::IndexCast::build(&b, bits, value)
    } else if ty.is_float() {
        arith::Bitcast::build(&b, bits, value)
    } else {
        value
    };
    let long = Type::int(b.ctx, 64);
    let value = match bits == long {
        true => value,
        false => arith::ExtUI::build(&b, long, value),
    };
    WRITE.call(&b, store, &[at, value, b.index(bytes)]);
    store.erase();
    Ok(())
}

/// Writes the functions by which a graph reaches a device's memory, if it does.
pub(crate) fn write_accesses(w: &Writer<'_, '_>) -> Result<(), CodegenError> {
    ACCESSES
        .iter()
        .try_for_each(|access| write_access(w, access))
}

fn write_access<'c>(w: &Writer<'_, 'c>, access: &Access) -> Result<(), CodegenError> {
    let Some(function) = w.module.get_function(&access.symbol()) else {
        return Ok(());
    };
    function.set_linkage(Linkage::Internal);
    w.enter(function);
    let mut operands: Vec<BasicMetadataValueEnum<'c>> = vec![w.instance()?.into()];
    let mut types = vec![BasicTypeEnum::from(w.ptr).into()];
    for (place, kind) in access.parameters.iter().enumerate() {
        let number = parameter(function, place as u32).into_int_value();
        let value: BasicValueEnum<'c> = match kind {
            Address => w.builder.build_int_to_ptr(number, w.ptr, "address")?.into(),
            Number => number.into(),
        };
        types.push(value.get_type().into());
        operands.push(value.into());
    }
    let ty = match access.gives {
        Some(Number) => w.i64.fn_type(&types, false),
        Some(Address) => w.ptr.fn_type(&types, false),
        None => w.context.void_type().fn_type(&types, false),
    };
    let call = w
        .builder
        .build_call(w.runtime(&access.runtime(), ty), &operands, "")?;
    let value = match (call.try_as_basic_value().basic(), access.gives) {
        (Some(BasicValueEnum::PointerValue(pointer)), Some(Address)) => {
            let number = w.builder.build_ptr_to_int(pointer, w.i64, "number")?;
            Some(BasicValueEnum::from(number))
        }
        (value, _) => value,
    };
    w.builder
        .build_return(value.as_ref().map(|value| value as _))?;
    Ok(())
}
