//! The hooks that MLIR calls for ops of our dialects, and for translations.

use super::{bytes, guard, slice, text};
use crate::{
    declared,
    ir::{Attr, Ctx, Op, Type, Value},
    relay, te, tir, tool, visible,
};
use mlir_sys::{
    MlirAttribute, MlirContext, MlirModule, MlirOperation, MlirStringRef, MlirType, MlirValue,
};
use std::ffi::c_void;

type PushType = unsafe extern "C" fn(*mut c_void, MlirType);
type PushError = unsafe extern "C" fn(*mut c_void, MlirStringRef);
type WriteBytes = unsafe extern "C" fn(*mut c_void, MlirStringRef);

#[unsafe(no_mangle)]
unsafe extern "C" fn relayHostVerify(op: MlirOperation) -> bool {
    // SAFETY: the bridge passes the op under verification.
    let op = unsafe { Op::from_raw(op) };
    let result = guard(|| {
        declared::verify_own(op)?;
        match op.name().split_once('.') {
            Some(("relay", _)) => relay::verify(op),
            Some(("te", _)) => te::verify(op),
            Some(("tir", _)) => tir::verify(op),
            _ => Ok(()),
        }
    });
    result.map_err(|message| op.emit_error(&message)).is_ok()
}

#[unsafe(no_mangle)]
unsafe extern "C" fn relayHostVerifySymbolUses(op: MlirOperation) -> bool {
    // SAFETY: the bridge passes the op under verification.
    let op = unsafe { Op::from_raw(op) };
    let result = guard(|| relay::verify_symbols(op));
    result.map_err(|message| op.emit_error(&message)).is_ok()
}

#[unsafe(no_mangle)]
unsafe extern "C" fn relayHostVerifyAttribute(
    op: MlirOperation,
    name: MlirStringRef,
    attribute: MlirAttribute,
) -> bool {
    // SAFETY: the bridge passes the op under verification, and one of its attributes with its name.
    let (op, name, attribute) =
        unsafe { (Op::from_raw(op), text(name), Attr::from_raw(attribute)) };
    let result = guard(|| declared::verify(name, attribute));
    result.map_err(|message| op.emit_error(&message)).is_ok()
}

#[unsafe(no_mangle)]
unsafe extern "C" fn relayHostInfer(
    name: MlirStringRef,
    context: MlirContext,
    operand_count: isize,
    operands: *const MlirValue,
    attributes: MlirAttribute,
    sink: *mut c_void,
    push_type: PushType,
    push_error: PushError,
) -> bool {
    // SAFETY: the bridge passes a live context, an array of live values of that length, and a
    // dictionary; `sink` is what the two callbacks expect.
    unsafe {
        let ctx = Ctx::from_raw(context);
        let operands: Vec<Type> = slice(operands, operand_count)
            .iter()
            .map(|&raw| Value::from_raw(raw).ty())
            .collect();
        let attributes = Attr::from_raw(attributes);
        let name = text(name);
        match guard(|| relay::infer(ctx, name, &operands, attributes)) {
            Ok(types) => types.iter().for_each(|ty| push_type(sink, ty.to_raw())),
            Err(message) => {
                let message = format!("'{name}' op {message}");
                push_error(sink, crate::ir::string_ref(&message));
                return false;
            }
        }
    }
    true
}

#[unsafe(no_mangle)]
unsafe extern "C" fn relayHostFold(
    op: MlirOperation,
    operand_count: isize,
    operands: *const MlirAttribute,
    attribute: *mut MlirAttribute,
    value: *mut MlirValue,
) -> bool {
    // SAFETY: the bridge passes a live op, an array of that length whose null entries mean "not
    // constant", and two places to write to.
    unsafe {
        let op = Op::from_raw(op);
        let constants: Vec<Option<Attr>> = slice(operands, operand_count)
            .iter()
            .map(|&raw| (!raw.ptr.is_null()).then(|| Attr::from_raw(raw)))
            .collect();
        match guard(|| Ok(relay::fold(op, &constants))) {
            Ok(Some(relay::Folded::Constant(folded))) => *attribute = folded.to_raw(),
            Ok(Some(relay::Folded::Value(folded))) => *value = folded.to_raw(),
            Ok(None) => return false,
            Err(message) => {
                op.emit_error(&message);
                return false;
            }
        }
    }
    true
}

#[unsafe(no_mangle)]
unsafe extern "C" fn relayHostImport(
    host: *const c_void,
    context: MlirContext,
    source: MlirStringRef,
    file_name: MlirStringRef,
    module: *mut MlirModule,
) -> bool {
    // SAFETY: `host` is the `&'static ImportSpec` that was registered; the rest is live for the
    // call, and `module` is a place to write to.
    unsafe {
        let spec = &*host.cast::<tool::ImportSpec>();
        let ctx = Ctx::from_raw(context);
        let bytes = bytes(source);
        match guard(|| (spec.run)(spec, ctx, bytes, text(file_name))) {
            Ok(raw) => *module = raw,
            Err(message) => {
                eprintln!("{}", visible(&message));
                return false;
            }
        }
    }
    true
}

#[unsafe(no_mangle)]
unsafe extern "C" fn relayHostExport(
    host: *const c_void,
    op: MlirOperation,
    sink: *mut c_void,
    write: WriteBytes,
) -> bool {
    // SAFETY: `host` is the `&'static ExportSpec` that was registered; `sink` is what `write`
    // expects.
    unsafe {
        let spec = &*host.cast::<tool::ExportSpec>();
        let op = Op::from_raw(op);
        match guard(|| (spec.run)(op)) {
            Ok(bytes) => {
                write(
                    sink,
                    MlirStringRef {
                        data: bytes.as_ptr().cast(),
                        length: bytes.len(),
                    },
                );
            }
            Err(message) => {
                eprintln!("{}", visible(&message));
                return false;
            }
        }
    }
    true
}
