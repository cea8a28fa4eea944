//! HIP's functions: those of CUDA's driver under other names. A thread needs no context, and has a device.

use super::{
    Handle, answer,
    caller::called,
    check_device,
    context::{self, cuStreamCreate, cuStreamDestroy_v2, cuStreamSynchronize},
    cuDeviceGet, cuDeviceGetCount, cuDeviceGetName, cuDeviceTotalMem_v2, cuGetErrorString, cuInit,
    fill, give_text, invalid,
    memory::{
        cuMemAlloc_v2, cuMemFree_v2, cuMemGetInfo_v2, cuMemcpyDtoDAsync_v2, cuMemcpyDtoHAsync_v2,
        cuMemcpyHtoDAsync_v2, cuPointerGetAttribute,
    },
    module::{
        MOST_SHARED as LIMIT, cuFuncSetAttribute, cuLaunchKernel, cuModuleGetFunction,
        cuModuleLoadDataEx, cuModuleUnload,
    },
    options,
};
use crate::{
    options::Chip,
    status::{Status, texts},
};
use std::{
    ffi::{c_char, c_int, c_uint, c_void},
    ptr,
};

/// `HIP_VERSION` of the runtime that this one stands for: ROCm 6.0.
const VERSION: c_int = 60_000_000;

/// The place of `gcnArchName` in `hipDeviceProp_tR0600`, and its bytes.
const CHIP: usize = 1160;
const CHIP_BYTES: usize = 256;

/// The bytes of shared memory of a block.
const MOST_SHARED: c_int = 64 << 10;

/// Defines functions of HIP's that are those of CUDA's driver.
macro_rules! functions {
    ($($name:ident = $of_cuda:ident($($parameter:ident: $type:ty),*);)*) => {
        $(
            /// The function of CUDA's driver under HIP's name.
            ///
            /// # Safety
            /// As for the function of CUDA's driver.
            #[unsafe(no_mangle)]
            #[allow(unused_unsafe, reason = "some are safe to call")]
            pub unsafe extern "C" fn $name($($parameter: $type),*) -> u32 {
                // SAFETY: as the caller promises.
                called(stringify!($name), || unsafe { $of_cuda($($parameter),*) })
            }
        )*
    };
}

functions! {
    hipGetDeviceCount = cuDeviceGetCount(count: *mut c_int);
    hipDeviceGet = cuDeviceGet(device: *mut c_int, number: c_int);
    hipDeviceGetName = cuDeviceGetName(name: *mut c_char, room: c_int, device: c_int);
    hipDeviceTotalMem = cuDeviceTotalMem_v2(bytes: *mut usize, device: c_int);
    hipStreamCreateWithFlags = cuStreamCreate(stream: *mut Handle, flags: c_uint);
    hipStreamDestroy = cuStreamDestroy_v2(stream: Handle);
    hipStreamSynchronize = cuStreamSynchronize(stream: Handle);
    hipMalloc = cuMemAlloc_v2(address: *mut u64, bytes: usize);
    hipFree = cuMemFree_v2(address: u64);
    hipMemGetInfo = cuMemGetInfo_v2(free: *mut usize, all: *mut usize);
    hipMemcpyHtoDAsync = cuMemcpyHtoDAsync_v2(to: u64, from: *const c_void, bytes: usize, stream: Handle);
    hipMemcpyDtoHAsync = cuMemcpyDtoHAsync_v2(to: *mut c_void, from: u64, bytes: usize, stream: Handle);
    hipMemcpyDtoDAsync = cuMemcpyDtoDAsync_v2(to: u64, from: u64, bytes: usize, stream: Handle);
    hipPointerGetAttribute = cuPointerGetAttribute(value: *mut c_void, attribute: c_uint, pointer: u64);
    hipModuleLoadDataEx = cuModuleLoadDataEx(
        module: *mut Handle, image: *const c_void, count: c_uint, names: *mut c_uint, values: *mut *mut c_void
    );
    hipModuleUnload = cuModuleUnload(module: Handle);
    hipModuleLaunchKernel = cuLaunchKernel(
        function: Handle, grid_x: c_uint, grid_y: c_uint, grid_z: c_uint, block_x: c_uint, block_y: c_uint, block_z: c_uint,
        shared: c_uint, stream: Handle, arguments: *mut *mut c_void, extra: *mut *mut c_void
    );
    hipDrvGetErrorString = cuGetErrorString(status: u32, text: *mut *const c_char);
}

/// Starts HIP.
#[unsafe(no_mangle)]
pub extern "C" fn hipInit(flags: c_uint) -> u32 {
    context::retain_always();
    called("hipInit", || cuInit(flags))
}

/// The version of HIP.
///
/// # Safety
/// The version is null, or can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipRuntimeGetVersion(version: *mut c_int) -> u32 {
    // SAFETY: as the caller promises.
    answer("hipRuntimeGetVersion", || unsafe { fill(version, VERSION) })
}

/// The number of the thread's device: 0.
///
/// # Safety
/// The device is null, or can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipGetDevice(device: *mut c_int) -> u32 {
    answer("hipGetDevice", || {
        options()?;
        // SAFETY: as the caller promises.
        unsafe { fill(device, 0) }
    })
}

/// What a device says of itself. The chip's name is filled in, and nothing else; it is empty if the device says no chip.
///
/// # Safety
/// The properties are null, or a `hipDeviceProp_tR0600` that can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipGetDevicePropertiesR0600(
    properties: *mut c_void,
    device: c_int,
) -> u32 {
    answer("hipGetDevicePropertiesR0600", || {
        check_device(device)?;
        let name = match &options()?.chip {
            Some(Chip::Name(name)) => name.as_bytes(),
            _ => &[],
        };
        let mut field = [0; CHIP_BYTES];
        let length = name.len().min(CHIP_BYTES - 1);
        field[..length].copy_from_slice(&name[..length]);
        if properties.is_null() {
            return Err(invalid("a place for a result is a null pointer"));
        }
        // SAFETY: as the caller promises; the field lies in the struct.
        unsafe {
            let place = properties.cast::<u8>().add(CHIP);
            place.copy_from_nonoverlapping(field.as_ptr(), CHIP_BYTES);
        }
        Ok(())
    })
}

/// Makes a device that of the thread.
#[unsafe(no_mangle)]
pub extern "C" fn hipSetDevice(device: c_int) -> u32 {
    answer("hipSetDevice", || {
        options()?;
        check_device(device)
    })
}

/// Finds a kernel of an image. It may use all shared memory of a block.
///
/// # Safety
/// As for [`cuModuleGetFunction`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipModuleGetFunction(
    function: *mut Handle,
    module: Handle,
    name: *const c_char,
) -> u32 {
    called("hipModuleGetFunction", || {
        // SAFETY: as the caller promises.
        let status = unsafe { cuModuleGetFunction(function, module, name) };
        if status != Status::Success as u32 {
            return status;
        }
        // SAFETY: after a success the handle is there.
        let function = unsafe { *function };
        cuFuncSetAttribute(function, LIMIT, MOST_SHARED)
    })
}

/// The name of a status.
///
/// # Safety
/// The place is null, or can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hipDrvGetErrorName(status: u32, name: *mut *const c_char) -> u32 {
    let [_, known, _] = texts(status).unwrap_or([ptr::null(); 3]);
    // SAFETY: as the caller promises.
    unsafe { give_text(known, name) }
}
