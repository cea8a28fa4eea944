//! What functions that C and C++ call have in common.

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
