//! Where MLIR's hooks arrive: C functions that the bridge calls, keyed by op name.
//!
//! None of them unwinds: a panic in Rust becomes an error diagnostic.

#[cfg(feature = "dialects")]
mod dialects;

use crate::{
    ir::Op,
    pass::{Options, PassSpec},
};
use mlir_sys::{MlirOperation, MlirStringRef};
use std::{
    any::Any,
    ffi::c_void,
    panic::{AssertUnwindSafe, catch_unwind},
};

/// Runs a pass; the bridge has its address from the pass's registration.
pub(crate) unsafe extern "C" fn run_pass(
    host: *const c_void,
    op: MlirOperation,
    option_count: isize,
    options: *const MlirStringRef,
) -> bool {
    // SAFETY: `host` is the `&'static PassSpec` that was registered; the rest is live for the call.
    unsafe {
        let spec = &*host.cast::<PassSpec>();
        let op = Op::from_raw(op);
        let values = slice(options, option_count)
            .iter()
            .map(|&value| text(value).to_owned());
        let options = Options::new(spec, values.collect());
        match guard(|| Ok((spec.run)(op, &options))) {
            Ok(result) => result.is_ok(),
            Err(message) => {
                op.loc()
                    .emit_error(&format!("pass '{}': {message}", spec.flag));
                false
            }
        }
    }
}

/// Runs `body`; a panic becomes an error that says that the fault is ours.
fn guard<T>(body: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|payload| {
        Err(format!(
            "internal error, please report it: {}",
            panic_text(payload.as_ref())
        ))
    })
}

fn panic_text(payload: &(dyn Any + Send)) -> &str {
    payload
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| payload.downcast_ref::<&str>().copied())
        .unwrap_or("panic")
}

/// # Safety
/// `data` points to `count` values, or `count` is 0.
unsafe fn slice<'a, T>(data: *const T, count: isize) -> &'a [T] {
    if count == 0 {
        return &[];
    }
    // SAFETY: as the caller promises.
    unsafe { std::slice::from_raw_parts(data, count as usize) }
}

/// # Safety
/// The reference is to live bytes.
unsafe fn bytes<'a>(text: MlirStringRef) -> &'a [u8] {
    // SAFETY: as the caller promises.
    unsafe { slice(text.data.cast(), text.length as isize) }
}

/// # Safety
/// The reference is to live text that MLIR made: op names and option values, which are UTF-8.
unsafe fn text<'a>(text: MlirStringRef) -> &'a str {
    // SAFETY: as the caller promises.
    std::str::from_utf8(unsafe { bytes(text) }).unwrap_or("")
}
