//! The context of the device, and streams. A thread has a stack of contexts, and can do little without one, as with NVIDIA's driver.

use super::{Handle, answer, answer_here, check_device, fill, invalid, options};
use crate::status::{Failure, Status};
use std::{
    cell::Cell,
    ffi::{c_int, c_uint},
    sync::atomic::{AtomicUsize, Ordering},
};

/// The handle of the context.
const CONTEXT: Handle = 1;

/// How often the context was retained and not released.
static RETAINED: AtomicUsize = AtomicUsize::new(0);

/// The handle of the next stream. Handles up to 2 are CUDA's own streams.
static NEXT_STREAM: AtomicUsize = AtomicUsize::new(16);

thread_local! {
    static DEPTH: Cell<usize> = const { Cell::new(0) };
}

/// Checks that the calling thread has the context.
pub(super) fn check() -> Result<(), Failure> {
    options()?;
    match DEPTH.get() > 0 && RETAINED.load(Ordering::Acquire) > 0 {
        true => Ok(()),
        false => Err(Failure::new(
            Status::InvalidContext,
            "no context is current on this thread",
        )),
    }
}

/// Does something in the context, which the calling thread has until then.
pub(super) fn within<T>(work: impl FnOnce() -> T) -> T {
    DEPTH.set(DEPTH.get() + 1);
    let result = work();
    DEPTH.set(DEPTH.get() - 1);
    result
}

/// Retains the context for good: HIP's functions release none.
pub(super) fn retain_always() {
    RETAINED.fetch_add(1, Ordering::AcqRel);
}

/// Retains the context of a device.
///
/// # Safety
/// The place is null, or can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDevicePrimaryCtxRetain(context: *mut Handle, device: c_int) -> u32 {
    answer("cuDevicePrimaryCtxRetain", || {
        options()?;
        check_device(device)?;
        // SAFETY: as the caller promises.
        unsafe { fill(context, CONTEXT) }?;
        RETAINED.fetch_add(1, Ordering::AcqRel);
        Ok(())
    })
}

/// Releases the context of a device.
#[unsafe(no_mangle)]
pub extern "C" fn cuDevicePrimaryCtxRelease_v2(device: c_int) -> u32 {
    answer("cuDevicePrimaryCtxRelease", || {
        check_device(device)?;
        let less = |count: usize| count.checked_sub(1);
        let released = RETAINED.fetch_update(Ordering::AcqRel, Ordering::Acquire, less);
        let failed = |_| Failure::new(Status::InvalidContext, "the context is not retained");
        released.map(|_| ()).map_err(failed)
    })
}

/// Makes a context that of the calling thread.
#[unsafe(no_mangle)]
pub extern "C" fn cuCtxPushCurrent_v2(context: Handle) -> u32 {
    answer("cuCtxPushCurrent", || {
        options()?;
        if context != CONTEXT {
            return Err(invalid(format!("there is no context {context}")));
        }
        DEPTH.set(DEPTH.get() + 1);
        Ok(())
    })
}

/// Makes the context before that of the calling thread.
///
/// # Safety
/// The place is null, or can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuCtxPopCurrent_v2(context: *mut Handle) -> u32 {
    answer("cuCtxPopCurrent", || {
        let less = DEPTH.get().checked_sub(1);
        let failed = || Failure::new(Status::InvalidContext, "no context was pushed");
        DEPTH.set(less.ok_or_else(failed)?);
        match context.is_null() {
            true => Ok(()),
            // SAFETY: as the caller promises.
            false => unsafe { fill(context, CONTEXT) },
        }
    })
}

/// Makes a stream.
///
/// # Safety
/// The place is null, or can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuStreamCreate(stream: *mut Handle, _flags: c_uint) -> u32 {
    answer_here("cuStreamCreate", || {
        let handle = NEXT_STREAM.fetch_add(1, Ordering::Relaxed);
        // SAFETY: as the caller promises.
        unsafe { fill(stream, handle) }
    })
}

/// Ends a stream.
#[unsafe(no_mangle)]
pub extern "C" fn cuStreamDestroy_v2(_stream: Handle) -> u32 {
    answer_here("cuStreamDestroy", || Ok(()))
}

/// Waits for a stream, in which nothing is left.
#[unsafe(no_mangle)]
pub extern "C" fn cuStreamSynchronize(_stream: Handle) -> u32 {
    answer_here("cuStreamSynchronize", || Ok(()))
}
