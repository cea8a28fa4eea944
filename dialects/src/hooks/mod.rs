//! MLIR's hooks: C functions that the bridge calls, which look up an op by its name; and the care that all such
//! functions take, those of passes too.
//!
//! None of them unwinds: a panic in Rust becomes an error diagnostic.

#[cfg(feature = "dialects")]
mod dialects;
#[cfg(feature = "dialects")]
mod reductions;

use mlir_sys::MlirStringRef;
use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind},
};

/// Runs `body`; a panic becomes an error that says that the fault is the compiler's.
pub(crate) fn guard<T>(body: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
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
pub(crate) unsafe fn slice<'a, T>(data: *const T, count: isize) -> &'a [T] {
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
pub(crate) unsafe fn text<'a>(text: MlirStringRef) -> &'a str {
    // SAFETY: as the caller promises.
    std::str::from_utf8(unsafe { bytes(text) }).unwrap_or("")
}
