//! Memory of the device: mappings of this process that can be reached only while kernels run or copies are made.

use crate::status::{Failure, Status};
use std::{
    collections::BTreeMap,
    ffi::{c_int, c_void},
    io, ptr,
    sync::{Mutex, MutexGuard, PoisonError},
};

/// What CUDA aligns allocations to.
pub const ALIGNMENT: usize = 256;

/// What new memory is filled with: as a float, that is NaN.
pub const FILL: u8 = 0xFF;

/// The bytes of a page.
fn page() -> usize {
    // SAFETY: a question to the system.
    let bytes = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    usize::try_from(bytes).unwrap_or(4096)
}

/// Pages between two pages that cannot be reached. Its bytes end as near to the second one as their alignment allows.
pub struct Mapping {
    start: *mut c_void,
    mapped: usize,
    /// The bytes of the pages in between.
    inner: usize,
    data: *mut u8,
    size: usize,
}

// SAFETY: the mapping owns its memory. What a user does through `data` is that user's responsibility.
unsafe impl Send for Mapping {}

impl Mapping {
    /// So many bytes, which can be reached and hold [`FILL`].
    ///
    /// # Errors
    /// If the system does not give them.
    pub fn new(size: usize) -> Result<Self, String> {
        let page = page();
        let padded = size.max(1).checked_next_multiple_of(ALIGNMENT);
        let inner = padded.and_then(|padded| padded.checked_next_multiple_of(page));
        let mapped = inner.and_then(|inner| inner.checked_add(2 * page));
        let (Some(padded), Some(inner), Some(mapped)) = (padded, inner, mapped) else {
            return Err("that is more than the address space".into());
        };
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        // SAFETY: a new private mapping, which overlaps no other.
        let start = unsafe { libc::mmap(ptr::null_mut(), mapped, libc::PROT_NONE, flags, -1, 0) };
        if start == libc::MAP_FAILED {
            return Err(io::Error::last_os_error().to_string());
        }
        let data = start.wrapping_byte_add(page + inner - padded).cast();
        let mapping = Self {
            start,
            mapped,
            inner,
            data,
            size,
        };
        mapping.protect(libc::PROT_READ | libc::PROT_WRITE)?;
        let first = start.wrapping_byte_add(page);
        // Each launch changes the protection of all pages, so few large ones save time.
        // SAFETY: these pages are mapped. The call is advice: without it, everything runs as well.
        unsafe { libc::madvise(first, inner, libc::MADV_HUGEPAGE) };
        mapping.fill();
        Ok(mapping)
    }

    /// Sets all bytes to [`FILL`].
    pub fn fill(&self) {
        let first = self.start.wrapping_byte_add(page()).cast::<u8>();
        // SAFETY: these pages are mapped, and callers have them reachable and unused.
        unsafe { first.write_bytes(FILL, self.inner) };
    }

    /// Its first byte.
    pub fn data(&self) -> *mut u8 {
        self.data
    }

    /// Its bytes.
    pub fn size(&self) -> usize {
        self.size
    }

    fn protect(&self, protection: c_int) -> Result<(), String> {
        let first = self.start.wrapping_byte_add(page());
        // SAFETY: these pages are part of the mapping.
        match unsafe { libc::mprotect(first, self.inner, protection) } {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error().to_string()),
        }
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: mapped with this size, and nothing points to it any more.
        unsafe { libc::munmap(self.start, self.mapped) };
    }
}

/// All memory of the device.
pub struct Memory {
    allocations: Mutex<Allocations>,
}

struct Allocations {
    by_address: BTreeMap<u64, Mapping>,
    taken: u64,
    /// How many launches and copies use the memory now.
    uses: usize,
}

/// The time for which the memory can be reached.
pub struct Use<'a>(&'a Memory);

impl Memory {
    /// No memory.
    #[allow(clippy::new_without_default, reason = "a constant needs a function")]
    pub const fn new() -> Self {
        Self {
            allocations: Mutex::new(Allocations {
                by_address: BTreeMap::new(),
                taken: 0,
                uses: 0,
            }),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Allocations> {
        let allocations = self.allocations.lock();
        allocations.unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes memory; its address.
    ///
    /// # Errors
    /// If it is none, more than the `limit` leaves, or more than the system gives.
    pub fn allocate(&self, bytes: u64, limit: Option<u64>) -> Result<u64, Failure> {
        let none = |reason: String| {
            Failure::new(
                Status::OutOfMemory,
                format!("cannot allocate {bytes} bytes: {reason}"),
            )
        };
        if bytes == 0 {
            let reason = "an allocation has no bytes";
            return Err(Failure::new(Status::InvalidValue, reason));
        }
        let mut all = self.lock();
        let taken = all.taken.checked_add(bytes);
        let taken = taken.filter(|taken| limit.is_none_or(|limit| *taken <= limit));
        let taken = taken.ok_or_else(|| {
            let limit = limit.unwrap_or(u64::MAX);
            none(format!("{} of {limit} bytes are taken", all.taken))
        })?;
        let mapping = Mapping::new(bytes as usize).map_err(none)?;
        if all.uses == 0 {
            mapping.protect(libc::PROT_NONE).map_err(none)?;
        }
        let address = mapping.data().addr() as u64;
        all.by_address.insert(address, mapping);
        all.taken = taken;
        Ok(address)
    }

    /// Gives memory back.
    ///
    /// # Errors
    /// If no allocation begins there.
    pub fn free(&self, address: u64) -> Result<(), Failure> {
        let mut all = self.lock();
        let Some(mapping) = all.by_address.remove(&address) else {
            let reason = format!("no allocation begins at {address:#x}");
            return Err(Failure::new(Status::InvalidValue, reason));
        };
        all.taken -= mapping.size() as u64;
        Ok(())
    }

    /// The bytes that are taken.
    pub fn taken(&self) -> u64 {
        self.lock().taken
    }

    /// Whether an address lies in the memory.
    pub fn holds(&self, address: u64) -> bool {
        self.lock().find(address, 1).is_some()
    }

    /// A range of one allocation.
    ///
    /// # Errors
    /// If it is none.
    pub fn range(&self, address: u64, bytes: usize) -> Result<*mut u8, Failure> {
        self.lock().find(address, bytes).ok_or_else(|| {
            Failure::new(
                Status::InvalidValue,
                format!(
                    "the {bytes} bytes at {address:#x} are not in one allocation of the device"
                ),
            )
        })
    }

    /// Has the memory be reachable, as long as the result lives.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn reach(&self) -> Result<Use<'_>, Failure> {
        let mut all = self.lock();
        if all.uses == 0 {
            all.protect(libc::PROT_READ | libc::PROT_WRITE)?;
        }
        all.uses += 1;
        Ok(Use(self))
    }
}

impl Allocations {
    fn find(&self, address: u64, bytes: usize) -> Option<*mut u8> {
        let (start, mapping) = self.by_address.range(..=address).next_back()?;
        let offset = usize::try_from(address - start).ok()?;
        let end = offset.checked_add(bytes)?;
        (end <= mapping.size()).then(|| mapping.data().wrapping_add(offset))
    }

    fn protect(&self, protection: c_int) -> Result<(), Failure> {
        let mut mappings = self.by_address.values();
        let done = mappings.try_for_each(|mapping| mapping.protect(protection));
        done.map_err(|reason| Failure::new(Status::Unknown, reason))
    }
}

impl Drop for Use<'_> {
    fn drop(&mut self) {
        let mut all = self.0.lock();
        all.uses -= 1;
        if all.uses == 0 {
            // Memory that stays reachable hides a fault, and is none.
            let _ = all.protect(libc::PROT_NONE);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_aligned_full_of_nan_and_ends_at_a_page() {
        let mapping = Mapping::new(4097).unwrap_or_else(|reason| panic!("{reason}"));
        let data = mapping.data();
        assert!(data.addr().is_multiple_of(ALIGNMENT));
        assert!(
            (data.addr() + 4097)
                .next_multiple_of(ALIGNMENT)
                .is_multiple_of(page())
        );
        // SAFETY: the mapping can be reached, and has so many bytes.
        let bytes = unsafe { std::slice::from_raw_parts(data, 4097) };
        assert!(bytes.iter().all(|byte| *byte == FILL));
    }

    #[test]
    fn memory_has_a_limit() {
        let memory = Memory::new();
        let first = memory.allocate(1000, Some(1500));
        let status = memory
            .allocate(501, Some(1500))
            .map_err(|failure| failure.status);
        assert_eq!(status, Err(Status::OutOfMemory));
        assert!(memory.allocate(500, Some(1500)).is_ok());
        assert_eq!(memory.taken(), 1500);
        assert_eq!(first.and_then(|first| memory.free(first)), Ok(()));
        assert_eq!(memory.taken(), 500);
        assert!(memory.free(0).is_err());
    }

    #[test]
    fn a_range_lies_in_one_allocation() -> Result<(), Failure> {
        let memory = Memory::new();
        let start = memory.allocate(100, None)?;
        assert!(memory.range(start + 90, 10).is_ok());
        assert!(memory.range(start + 90, 11).is_err());
        assert!(memory.range(start - 1, 1).is_err());
        assert!(memory.holds(start + 99));
        assert!(!memory.holds(start + 100));
        Ok(())
    }
}
