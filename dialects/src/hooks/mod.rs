//! MLIR's hooks: C functions that the bridge calls, which look up an op by its name; and the care that all such
//! functions take, those of passes too.
//!
//! None of them unwinds: a panic in Rust becomes an error diagnostic.

#[cfg(feature = "dialects")]
mod dialects;
#[cfg(feature = "dialects")]
mod reductions;

#[cfg(feature = "dialects")]
use crate::calls::guard;
use crate::calls::slice;
use mlir_sys::MlirStringRef;

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
