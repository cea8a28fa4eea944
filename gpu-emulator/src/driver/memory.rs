//! Memory of the device, and copies.

use super::{Handle, MEMORY, answer_here, context, fill, invalid, options};
use crate::status::{Failure, Status};
use std::ffi::{c_uint, c_void};

/// `CU_POINTER_ATTRIBUTE_MEMORY_TYPE` and its value `CU_MEMORYTYPE_DEVICE`, and `CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL`.
const MEMORY_TYPE: c_uint = 2;
const OF_DEVICE: c_uint = 2;
const DEVICE_ORDINAL: c_uint = 9;

/// The bytes of the device's memory: those of the options, or those of the machine.
pub(super) fn total() -> Result<u64, Failure> {
    let limit = options()?.memory;
    // SAFETY: questions to the system.
    let machine = unsafe {
        let pages = libc::sysconf(libc::_SC_PHYS_PAGES);
        pages.saturating_mul(libc::sysconf(libc::_SC_PAGESIZE))
    };
    Ok(limit.unwrap_or(u64::try_from(machine).unwrap_or(0)))
}

/// Takes memory.
///
/// # Safety
/// The address is null, or can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemAlloc_v2(address: *mut u64, bytes: usize) -> u32 {
    answer_here("cuMemAlloc", || {
        let taken = MEMORY.allocate(bytes as u64, options()?.memory)?;
        // SAFETY: as the caller promises.
        unsafe { fill(address, taken) }
    })
}

/// Gives memory back.
#[unsafe(no_mangle)]
pub extern "C" fn cuMemFree_v2(address: u64) -> u32 {
    answer_here("cuMemFree", || match address {
        0 => Ok(()),
        address => MEMORY.free(address),
    })
}

/// The bytes of memory that are free, and those of all.
///
/// # Safety
/// Each place is null, or can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemGetInfo_v2(free: *mut usize, all: *mut usize) -> u32 {
    answer_here("cuMemGetInfo", || {
        let total = total()?;
        let rest = total.saturating_sub(MEMORY.taken());
        // SAFETY: as the caller promises.
        unsafe { fill(free, rest as usize).and_then(|()| fill(all, total as usize)) }
    })
}

/// Copies from the host to the device.
///
/// # Safety
/// The host's range can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemcpyHtoDAsync_v2(
    to: u64,
    from: *const c_void,
    bytes: usize,
    _stream: Handle,
) -> u32 {
    answer_here("cuMemcpyHtoDAsync", || {
        let to = MEMORY.range(to, bytes)?;
        let _reach = MEMORY.reach()?;
        // SAFETY: as the caller promises, and the device's range is in one allocation.
        unsafe { to.copy_from_nonoverlapping(from.cast(), bytes) };
        Ok(())
    })
}

/// Copies from the device to the host.
///
/// # Safety
/// The host's range can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemcpyDtoHAsync_v2(
    to: *mut c_void,
    from: u64,
    bytes: usize,
    _stream: Handle,
) -> u32 {
    answer_here("cuMemcpyDtoHAsync", || {
        let from = MEMORY.range(from, bytes)?;
        let _reach = MEMORY.reach()?;
        // SAFETY: as the caller promises, and the device's range is in one allocation.
        unsafe { to.cast::<u8>().copy_from_nonoverlapping(from, bytes) };
        Ok(())
    })
}

/// Copies within the device.
#[unsafe(no_mangle)]
pub extern "C" fn cuMemcpyDtoDAsync_v2(to: u64, from: u64, bytes: usize, _stream: Handle) -> u32 {
    answer_here("cuMemcpyDtoDAsync", || {
        let (to, from) = (MEMORY.range(to, bytes)?, MEMORY.range(from, bytes)?);
        if to.addr().abs_diff(from.addr()) < bytes {
            return Err(invalid("the ranges of a copy overlap"));
        }
        let _reach = MEMORY.reach()?;
        // SAFETY: both ranges are in allocations, and do not overlap.
        unsafe { to.copy_from_nonoverlapping(from, bytes) };
        Ok(())
    })
}

/// Says where a pointer of the device's leads to. Other pointers have no attributes.
///
/// # Safety
/// The value is null, or a number of 32 bits that can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuPointerGetAttribute(
    value: *mut c_void,
    attribute: c_uint,
    pointer: u64,
) -> u32 {
    let known = match attribute {
        MEMORY_TYPE => Some(OF_DEVICE),
        DEVICE_ORDINAL => Some(0),
        _ => None,
    };
    // Callers ask of any pointer, so nothing is said of others.
    let Some(known) = known.filter(|_| context::check().is_ok() && MEMORY.holds(pointer)) else {
        return Status::InvalidValue as u32;
    };
    // SAFETY: as the caller promises.
    answer_here("cuPointerGetAttribute", || unsafe {
        fill(value.cast(), known)
    })
}
