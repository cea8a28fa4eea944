//! The functions of the driver, with the symbols and types of CUDA's header `cuda.h`, and under HIP's names ([`hip`]). There is one device, with one context. All work is done when
//! a function returns, so streams are names.

mod caller;
mod context;
mod hip;
mod memory;
mod module;

use crate::{
    memory::Memory,
    options::{Chip, Options},
    status::{Failure, Status, texts},
};
use module::Modules;
use std::{
    ffi::{CStr, c_char, c_int, c_uint, c_void},
    panic::{AssertUnwindSafe, catch_unwind},
    ptr,
    sync::{Mutex, MutexGuard, OnceLock, PoisonError},
};

/// A pointer to something of the driver's.
type Handle = usize;

/// The device's name.
const NAME: &CStr = c"Relay's emulated GPU";

/// `CUDA_VERSION` of the driver that this one stands for: 12.0.
const VERSION: c_int = 12000;

/// `CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR` and `_MINOR`.
const CAPABILITY_MAJOR: c_uint = 75;
const CAPABILITY_MINOR: c_uint = 76;

/// What the environment said when the driver was started.
static OPTIONS: OnceLock<Options> = OnceLock::new();

/// The device's memory.
static MEMORY: Memory = Memory::new();

/// The images that are loaded.
static MODULES: Mutex<Option<Modules>> = Mutex::new(None);

/// Runs a function of the driver; its status. Standard error says why it failed.
fn answer(function: &str, work: impl FnOnce() -> Result<(), Failure>) -> u32 {
    let result = catch_unwind(AssertUnwindSafe(work));
    let failed = |_| Err(Failure::new(Status::Unknown, "the emulator panicked"));
    match result.unwrap_or_else(failed) {
        Ok(()) => Status::Success as u32,
        Err(Failure { status, reason }) => {
            let function = caller::name().unwrap_or(function);
            eprintln!("relay-gpu-emulator: {function}: {reason}");
            status as u32
        }
    }
}

/// As [`answer`], for what needs a context.
fn answer_here(function: &str, work: impl FnOnce() -> Result<(), Failure>) -> u32 {
    answer(function, || context::check().and_then(|()| work()))
}

/// The options, once the driver was started.
fn options() -> Result<&'static Options, Failure> {
    let failure = || Failure::new(Status::NotInitialized, "cuInit was not called");
    OPTIONS.get().ok_or_else(failure)
}

/// The images.
fn modules() -> MutexGuard<'static, Option<Modules>> {
    MODULES.lock().unwrap_or_else(PoisonError::into_inner)
}

fn invalid(reason: impl Into<String>) -> Failure {
    Failure::new(Status::InvalidValue, reason)
}

/// Writes what a function gives to where its caller wants it.
///
/// # Safety
/// The place is null, or can be written to.
unsafe fn fill<T>(place: *mut T, value: T) -> Result<(), Failure> {
    if place.is_null() {
        return Err(invalid("a place for a result is a null pointer"));
    }
    // SAFETY: as the caller promises.
    unsafe { place.write(value) };
    Ok(())
}

/// Starts the driver: reads its options from the environment, and lets images find the functions that kernels call.
#[unsafe(no_mangle)]
pub extern "C" fn cuInit(_flags: c_uint) -> u32 {
    answer("cuInit", || {
        let options = Options::read().map_err(invalid)?;
        OPTIONS.get_or_init(|| {
            become_global();
            options
        });
        Ok(())
    })
}

/// Has the system's loader look for symbols of images in this library, however a program loaded it, and in the C library of mathematical
/// functions, which kernels may call.
fn become_global() {
    let address: extern "C" fn(c_uint) -> u32 = cuInit;
    let mut found = libc::Dl_info {
        dli_fname: ptr::null(),
        dli_fbase: ptr::null_mut(),
        dli_sname: ptr::null(),
        dli_saddr: ptr::null_mut(),
    };
    let flags = libc::RTLD_NOW | libc::RTLD_NOLOAD | libc::RTLD_GLOBAL;
    // SAFETY: the address is in this library, which is loaded. A program that it is linked into has no library of this path, and exports
    // the functions itself.
    unsafe {
        if libc::dladdr(address as *const c_void, &raw mut found) != 0 {
            libc::dlopen(found.dli_fname, flags);
        }
        libc::dlopen(c"libm.so.6".as_ptr(), libc::RTLD_NOW | libc::RTLD_GLOBAL);
    }
}

/// The version of CUDA.
///
/// # Safety
/// The version is null, or can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDriverGetVersion(version: *mut c_int) -> u32 {
    // SAFETY: as the caller promises.
    answer("cuDriverGetVersion", || unsafe { fill(version, VERSION) })
}

/// The number of devices: 1.
///
/// # Safety
/// The count is null, or can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceGetCount(count: *mut c_int) -> u32 {
    answer("cuDeviceGetCount", || {
        options()?;
        // SAFETY: as the caller promises.
        unsafe { fill(count, 1) }
    })
}

/// The device of a number.
///
/// # Safety
/// The device is null, or can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceGet(device: *mut c_int, number: c_int) -> u32 {
    answer("cuDeviceGet", || {
        options()?;
        check_device(number)?;
        // SAFETY: as the caller promises.
        unsafe { fill(device, number) }
    })
}

fn check_device(device: c_int) -> Result<(), Failure> {
    let reason = || format!("there is no device {device}");
    match device {
        0 => Ok(()),
        _ => Err(Failure::new(Status::InvalidDevice, reason())),
    }
}

/// The name of a device.
///
/// # Safety
/// The name has room for so many bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceGetName(name: *mut c_char, room: c_int, device: c_int) -> u32 {
    answer("cuDeviceGetName", || {
        check_device(device)?;
        let room = usize::try_from(room).unwrap_or(0);
        if name.is_null() || room == 0 {
            return Err(invalid("there is no room for the name"));
        }
        let length = NAME.count_bytes().min(room - 1);
        // SAFETY: as the caller promises.
        unsafe {
            name.copy_from_nonoverlapping(NAME.as_ptr(), length);
            name.add(length).write(0);
        }
        Ok(())
    })
}

/// A number that a device says of itself: of the chip alone. It is 0 if the device says no chip.
///
/// # Safety
/// The value is null, or can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceGetAttribute(
    value: *mut c_int,
    attribute: c_uint,
    device: c_int,
) -> u32 {
    answer("cuDeviceGetAttribute", || {
        check_device(device)?;
        let (major, minor) = match options()?.chip {
            Some(Chip::Capability(major, minor)) => (major, minor),
            _ => (0, 0),
        };
        let number = match attribute {
            CAPABILITY_MAJOR => major,
            CAPABILITY_MINOR => minor,
            _ => return Err(invalid(format!("there is no attribute {attribute}"))),
        };
        // SAFETY: as the caller promises.
        unsafe { fill(value, number) }
    })
}

/// The bytes of a device's memory.
///
/// # Safety
/// The place is null, or can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceTotalMem_v2(bytes: *mut usize, device: c_int) -> u32 {
    answer("cuDeviceTotalMem", || {
        check_device(device)?;
        // SAFETY: as the caller promises.
        unsafe { fill(bytes, memory::total()? as usize) }
    })
}

/// The name of a status.
///
/// # Safety
/// The place is null, or can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuGetErrorName(status: u32, name: *mut *const c_char) -> u32 {
    let [known, ..] = texts(status).unwrap_or([ptr::null(); 3]);
    // SAFETY: as the caller promises.
    unsafe { give_text(known, name) }
}

/// The meaning of a status.
///
/// # Safety
/// The place is null, or can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuGetErrorString(status: u32, text: *mut *const c_char) -> u32 {
    let [.., known] = texts(status).unwrap_or([ptr::null(); 3]);
    // SAFETY: as the caller promises.
    unsafe { give_text(known, text) }
}

/// # Safety
/// The place is null, or can be written to.
unsafe fn give_text(text: *const c_char, place: *mut *const c_char) -> u32 {
    // SAFETY: as the caller promises.
    let given = unsafe { fill(place, text) };
    match given.is_ok() && !text.is_null() {
        true => Status::Success as u32,
        false => Status::InvalidValue as u32,
    }
}
