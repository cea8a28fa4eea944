//! Images of kernels: shared objects for this processor, which the system's loader reads from memory.

use crate::{
    kernel::Kernel,
    status::{Failure, Status},
};
use std::{
    ffi::{CStr, CString, c_void},
    fs::File,
    io::Write,
    mem,
    os::fd::{AsRawFd, FromRawFd},
    slice,
};

/// How a shared object begins.
const MAGIC: [u8; 4] = *b"\x7fELF";

/// The bytes of a header of ELF's for 64 bits, and of one of its segments.
const HEADER: usize = 64;
const SEGMENT: usize = 56;

/// The number of this processor's architecture in the header.
const MACHINE: u16 = match () {
    () if cfg!(target_arch = "x86_64") => 62,
    () if cfg!(target_arch = "aarch64") => 183,
    () => 0,
};

/// The most bytes of an image. The header says how many there are, so a damaged one could say anything.
const MOST_BYTES: usize = 1 << 32;

/// An image that is loaded.
pub(crate) struct Image {
    library: *mut c_void,
    /// The loader knows libraries by their paths: as long as this is open, no other image has this one's.
    _file: File,
}

// SAFETY: the loader's functions may be called from any thread.
unsafe impl Send for Image {}

impl Image {
    /// Loads an image. What it asks for of the emulator must be global.
    ///
    /// # Errors
    /// If it is none for this processor, or the loader refuses it.
    ///
    /// # Safety
    /// The image is a shared object that is as long as its header says, or a C string.
    pub(crate) unsafe fn load(image: *const u8) -> Result<Self, Failure> {
        // SAFETY: as the caller promises.
        let bytes = unsafe { bytes(image) }?;
        let failed = |reason: String| Failure::new(Status::InvalidImage, reason);
        let mut file = memory_file().map_err(|error| failed(error.to_string()))?;
        let written = file.write_all(bytes);
        written.map_err(|error| failed(format!("cannot copy the image: {error}")))?;
        let path = format!("/proc/self/fd/{}", file.as_raw_fd());
        let path = CString::new(path).map_err(|error| failed(error.to_string()))?;
        // SAFETY: the caller trusts the image as it trusts the code of the model.
        let library = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
        if library.is_null() {
            // SAFETY: the call before failed, so there is a text.
            let reason = unsafe { CStr::from_ptr(libc::dlerror()) };
            return Err(failed(reason.to_string_lossy().into_owned()));
        }
        Ok(Self {
            library,
            _file: file,
        })
    }

    /// The kernel of this name.
    pub(crate) fn kernel(&self, name: &CStr) -> Option<Kernel> {
        // SAFETY: the library is loaded.
        let symbol = unsafe { libc::dlsym(self.library, name.as_ptr()) };
        // SAFETY: exported functions of images are kernels.
        (!symbol.is_null()).then(|| unsafe { mem::transmute::<*mut c_void, Kernel>(symbol) })
    }
}

impl Drop for Image {
    fn drop(&mut self) {
        // SAFETY: it was loaded, and no kernel of it runs.
        unsafe { libc::dlclose(self.library) };
    }
}

/// A file that is in memory alone.
fn memory_file() -> std::io::Result<File> {
    // SAFETY: the name is a C string.
    let descriptor = unsafe { libc::memfd_create(c"relay-image".as_ptr(), libc::MFD_CLOEXEC) };
    match descriptor {
        ..0 => Err(std::io::Error::last_os_error()),
        // SAFETY: it is new, and nothing else owns it.
        descriptor => Ok(unsafe { File::from_raw_fd(descriptor) }),
    }
}

/// All bytes of a shared object, which nothing but its header counts.
///
/// # Safety
/// As for [`Image::load`].
unsafe fn bytes<'a>(image: *const u8) -> Result<&'a [u8], Failure> {
    // A text may be shorter than the number, and ends with a zero byte, which differs from the number's.
    // SAFETY: the bytes before are not the end of a text.
    let is_shared_object = MAGIC
        .iter()
        .enumerate()
        .all(|(index, byte)| unsafe { *image.add(index) == *byte });
    if !is_shared_object {
        let reason = "the image is no shared object for this processor: compile the model for the emulated target, not for a GPU";
        return Err(Failure::new(Status::NoBinaryForGpu, reason));
    }
    // SAFETY: a shared object has a header.
    let header = unsafe { slice::from_raw_parts(image, HEADER) };
    let number = |at: usize, bytes: usize| number(header, at, bytes);
    if number(4, 1) != 2 || number(18, 2) != usize::from(MACHINE) {
        let reason = "the image is for another processor: compile the model for the emulated target on this machine";
        return Err(Failure::new(Status::NoBinaryForGpu, reason));
    }
    let damaged = || Failure::new(Status::InvalidImage, "the header of the image is damaged");
    let end = |start: usize, size: usize, count: usize| {
        let end = size.checked_mul(count)?.checked_add(start)?;
        (end <= MOST_BYTES).then_some(end)
    };
    let (segments, count) = (number(32, 8), number(56, 2));
    let all = end(segments, SEGMENT, count).ok_or_else(damaged)?;
    let sections = end(number(40, 8), number(58, 2), number(60, 2)).ok_or_else(damaged)?;
    // SAFETY: the table of segments is part of the shared object.
    let table = unsafe { slice::from_raw_parts(image, all) };
    let mut length = all.max(sections).max(HEADER);
    for index in 0..count {
        let at = segments + SEGMENT * index;
        let (offset, size) = (
            self::number(table, at + 8, 8),
            self::number(table, at + 32, 8),
        );
        length = length.max(end(offset, size, 1).ok_or_else(damaged)?);
    }
    // SAFETY: the shared object has all that its header counts.
    Ok(unsafe { slice::from_raw_parts(image, length) })
}

/// A number of some bytes, the lowest first; it saturates.
fn number(from: &[u8], at: usize, bytes: usize) -> usize {
    let bytes = from.get(at..at + bytes).unwrap_or_default().iter().rev();
    let number = bytes.fold(0_u64, |number, byte| number << 8 | u64::from(*byte));
    usize::try_from(number).unwrap_or(usize::MAX)
}
