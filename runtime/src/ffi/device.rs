//! What the host code of a model for a device calls. No call unwinds: the code behind it may have no tables for that.

use crate::{
    descriptor::Descriptor,
    device::{Image, Offload, Opened, open_cuda, open_rocm},
    instance::Instance,
};
use std::{
    ffi::{CStr, c_char, c_void},
    panic::{AssertUnwindSafe, catch_unwind},
    slice,
};

/// Opens an NVIDIA GPU for an instance of a model: the `device` of its descriptor. It fills `opened`, which is an [`Opened`].
///
/// # Safety
/// Called by this runtime, with the descriptor of the model that it is linked into.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn relay_rt_cuda(descriptor: *const c_void, opened: *mut c_void) {
    // SAFETY: as the caller promises.
    unsafe { open_by(open_cuda, descriptor, opened) };
}

/// As [`relay_rt_cuda`], for an AMD GPU.
///
/// # Safety
/// As for [`relay_rt_cuda`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn relay_rt_rocm(descriptor: *const c_void, opened: *mut c_void) {
    // SAFETY: as the caller promises.
    unsafe { open_by(open_rocm, descriptor, opened) };
}

/// Has a function open a device.
///
/// # Safety
/// As for [`relay_rt_cuda`].
unsafe fn open_by(
    open: unsafe fn(&Descriptor) -> Opened,
    descriptor: *const c_void,
    opened: *mut c_void,
) {
    // SAFETY: as the caller promises.
    let open = || -> Opened { unsafe { open(&*descriptor.cast()) } };
    let result = catch_unwind(AssertUnwindSafe(open));
    let result = result.unwrap_or_else(|_| Err("internal error: the runtime panicked".into()));
    // SAFETY: as the caller promises.
    unsafe { *opened.cast::<Opened>() = result };
}

/// Launches a kernel of an image on the device of an instance. `sizes` has the extents of the grid along x, y and z, those of a block, and the
/// bytes of dynamic shared memory; a grid or block without threads launches nothing. `arguments[i]` points to the value of parameter `i`.
/// After the first error of a run nothing is launched, and the run gives this error.
///
/// # Safety
/// Called by the graph that `instance` runs, with constants of the model as image and name, and with values that the kernel may run on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn relay_rt_launch(
    instance: *const c_void,
    image: *const Image,
    kernel: *const c_char,
    sizes: *const i64,
    arguments: *const *mut c_void,
    count: i64,
) {
    contain(|| {
        // SAFETY: as the caller promises.
        unsafe {
            let Some(device) = (*instance.cast::<Instance>()).device_of_run() else {
                return;
            };
            let arguments = match usize::try_from(count) {
                Ok(count @ 1..) => slice::from_raw_parts(arguments, count),
                _ => &[],
            };
            let sizes = &*sizes.cast::<[i64; 7]>();
            device.launch(&*image, CStr::from_ptr(kernel), sizes, arguments);
        }
    });
}

/// The number of the variant that runs on the device of an instance: its place among the descriptor's code for chips. -1 without a device.
///
/// # Safety
/// Called by the graph that `instance` runs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn relay_rt_device_variant(instance: *const c_void) -> i32 {
    let mut variant = -1;
    contain(|| {
        // SAFETY: as the caller promises.
        if let Some(device) = unsafe { (*instance.cast::<Instance>()).device() } {
            variant = i32::try_from(device.variant()).unwrap_or(-1);
        }
    });
    variant
}

/// Copies bytes within the memory of an instance's device, after the kernels that were launched before.
///
/// # Safety
/// Called by the graph that `instance` runs. Both ranges are in the device's memory, and do not overlap.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn relay_rt_device_copy(
    instance: *const c_void,
    to: *mut c_void,
    from: *const c_void,
    bytes: i64,
) {
    // SAFETY: as the caller promises.
    unsafe { on_device(instance, |device| device.copy(to, from, bytes)) };
}

/// The bits of a number in the memory of an instance's device, after the kernels that were launched before: a condition, or a size. 0 after an
/// error of the run.
///
/// # Safety
/// Called by the graph that `instance` runs. So many bytes, 8 at most, are in the device's memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn relay_rt_device_read(
    instance: *const c_void,
    from: *const c_void,
    bytes: i64,
) -> i64 {
    let mut value = 0;
    contain(|| {
        // SAFETY: as the caller promises.
        unsafe {
            if let Some(device) = (*instance.cast::<Instance>()).device() {
                value = device.read(from, bytes);
            }
        }
    });
    value
}

/// Writes the low bytes of a number into the memory of an instance's device, after the kernels that were launched before.
///
/// # Safety
/// As for [`relay_rt_device_read`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn relay_rt_device_write(
    instance: *const c_void,
    to: *mut c_void,
    value: i64,
    bytes: i64,
) {
    contain(|| {
        // SAFETY: as the caller promises.
        unsafe {
            if let Some(device) = (*instance.cast::<Instance>()).device() {
                device.write(to, value, bytes);
            }
        }
    });
}

/// Memory of the host for a kernel that runs there, of at least `bytes` and aligned to 64: a buffer for each slot, which stays until a call for the
/// same slot. It has the bytes at `from` in the memory of the instance's device, after the kernels that were launched before; any if `from` is null,
/// and after an error of the run. Null without a device.
///
/// # Safety
/// Called by the graph that `instance` runs. So many bytes are in the device's memory, unless `from` is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn relay_rt_device_fetch(
    instance: *const c_void,
    from: *const c_void,
    bytes: i64,
    slot: i64,
) -> *mut c_void {
    let mut place = std::ptr::null_mut();
    // SAFETY: as the caller promises.
    unsafe { on_device(instance, |device| place = device.fetch(from, bytes, slot)) };
    place
}

/// Copies bytes of the host's memory to that of an instance's device, after the kernels that were launched before. Returns when they are there.
///
/// # Safety
/// Called by the graph that `instance` runs. Both ranges are there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn relay_rt_device_send(
    instance: *const c_void,
    to: *mut c_void,
    from: *const c_void,
    bytes: i64,
) {
    // SAFETY: as the caller promises.
    unsafe { on_device(instance, |device| device.send(to, from, bytes)) };
}

/// Memory of an instance's device, of at least `bytes` and aligned to 256 bytes: a buffer for each slot. It keeps its content until a call for the
/// same slot with more bytes, which moves it. Null for no bytes, and after an error of the run.
///
/// # Safety
/// Called by the graph that `instance` runs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn relay_rt_device_workspace(
    instance: *const c_void,
    slot: i64,
    bytes: i64,
) -> *mut c_void {
    let mut workspace = std::ptr::null_mut();
    // SAFETY: as the caller promises.
    unsafe { on_device(instance, |device| workspace = device.workspace(slot, bytes)) };
    workspace
}

/// Runs `work` on the device of an instance. Without a device the run fails.
///
/// # Safety
/// Called by the graph that `instance` runs.
unsafe fn on_device(instance: *const c_void, work: impl FnOnce(&dyn Offload)) {
    contain(|| {
        // SAFETY: as the caller promises.
        if let Some(device) = unsafe { (*instance.cast::<Instance>()).device_of_run() } {
            work(device);
        }
    });
}

/// Runs `work`, and keeps a panic of it, which says on standard error what is wrong, from leaving the runtime.
fn contain(work: impl FnOnce()) {
    let _ = catch_unwind(AssertUnwindSafe(work));
}
