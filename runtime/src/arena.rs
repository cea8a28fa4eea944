//! The memory that a model's runs work in.

use std::{cell::RefCell, ffi::c_void, io, process, ptr};

/// Large arenas start at a huge page and are made of huge pages where the system has them.
const HUGE_PAGE: usize = 2 << 20;

/// Zeroed memory, mapped when it is first touched. It starts at the boundary of a page, large memory of a huge page.
pub(crate) struct Arena {
    start: *mut c_void,
    mapped: usize,
    data: *mut c_void,
    /// The bytes from `data` on.
    size: usize,
}

// SAFETY: the arena owns its memory. What a user does through `data` is that user's responsibility.
unsafe impl Send for Arena {}
// SAFETY: as above.
unsafe impl Sync for Arena {}

impl Arena {
    /// # Errors
    /// If there is not so much memory.
    pub(crate) fn new(bytes: u64) -> Result<Self, String> {
        let failure = |reason: String| {
            format!("cannot allocate the {bytes} bytes that the model works in: {reason}")
        };
        let size = usize::try_from(bytes)
            .ok()
            .filter(|size| *size < isize::MAX as usize - 2 * HUGE_PAGE)
            .ok_or_else(|| failure("that is more than the address space".into()))?
            .max(1);
        let huge = size >= 2 * HUGE_PAGE;
        let mapped = if huge { size + HUGE_PAGE } else { size };
        // SAFETY: a new private mapping, which overlaps no other.
        let start = unsafe {
            libc::mmap(
                ptr::null_mut(),
                mapped,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
                -1,
                0,
            )
        };
        if start == libc::MAP_FAILED {
            return Err(failure(io::Error::last_os_error().to_string()));
        }
        let mut data = start;
        if huge {
            let offset = start.cast::<u8>().align_offset(HUGE_PAGE);
            data = start.wrapping_byte_add(offset);
            // SAFETY: the range lies in the mapping. The call is advice: without it, everything runs as well.
            unsafe { libc::madvise(data, size, libc::MADV_HUGEPAGE) };
        }
        Ok(Self {
            start,
            mapped,
            data,
            size,
        })
    }

    /// Takes a larger one, if this is too small. Then what is in it is lost.
    pub(crate) fn grow(&mut self, bytes: u64) -> Result<(), String> {
        let size = self.size as u64;
        if bytes > size {
            // A size that grows by little each time moves the arena seldom.
            let ample = Self::new(bytes.max(size.saturating_add(size / 2)));
            *self = ample.or_else(|_| Self::new(bytes))?;
        }
        Ok(())
    }

    pub(crate) fn data(&self) -> *mut c_void {
        self.data
    }
}

impl Drop for Arena {
    fn drop(&mut self) {
        // SAFETY: mapped with this size, and nothing points to it any more.
        unsafe { libc::munmap(self.start, self.mapped) };
    }
}

/// Memory that is taken when its size is known, and kept.
#[derive(Default)]
pub(crate) struct Memory(Option<Arena>);

impl Memory {
    /// Takes more, if what is there is too little.
    pub(crate) fn grow(&mut self, bytes: u64) -> Result<(), String> {
        match &mut self.0 {
            Some(arena) => arena.grow(bytes),
            None => {
                self.0 = Some(Arena::new(bytes)?);
                Ok(())
            }
        }
    }

    /// Where it is; null before it was taken.
    pub(crate) fn data(&self) -> *mut c_void {
        self.0.as_ref().map_or(ptr::null_mut(), Arena::data)
    }
}

thread_local! {
    /// One workspace for kernels, and one for the bodies of their loops. Each grows to the largest that was
    /// asked for, and is freed when its thread ends.
    static WORKSPACES: RefCell<[Option<Arena>; 2]> = const { RefCell::new([None, None]) };
}

/// This thread's workspace of that level, of at least `bytes`. The next call with more bytes moves it.
///
/// Ends the process if there is no such memory, because a running kernel cannot return an error. Linux gives
/// memory out long before it is touched, so this happens only under a limit on the address space.
pub(crate) fn workspace(level: usize, bytes: usize) -> *mut u8 {
    WORKSPACES.with_borrow_mut(|workspaces| {
        let workspace = &mut workspaces[level];
        if let Some(arena) = workspace
            && arena.size >= bytes
        {
            return arena.data.cast();
        }
        // The old one first, so that both need not fit.
        *workspace = None;
        match Arena::new(bytes as u64) {
            Ok(arena) => workspace.insert(arena).data.cast(),
            Err(reason) => {
                eprintln!("relay runtime: {reason}");
                process::abort()
            }
        }
    })
}
