//! The emulator as a library that the process loads, and its memory.

use std::{
    env,
    ffi::{CString, c_void},
    mem,
    path::PathBuf,
    ptr,
};

/// The emulator's library, which cargo builds with these tests.
pub(crate) fn path() -> PathBuf {
    let path = env::current_exe().unwrap();
    path.with_file_name("librelay_gpu_emulator.so")
}

/// Memory of the device that a caller has, outside of the runtime.
pub(crate) struct Allocation {
    pub(crate) address: u64,
}

/// A function of the driver that this process has loaded.
///
/// # Safety
/// `T` is the function's type.
unsafe fn find<T: Copy>(name: &str) -> T {
    let path = CString::new(path().into_os_string().into_encoded_bytes()).unwrap();
    let name = CString::new(name).unwrap();
    // SAFETY: the runtime has loaded it; the type is as the caller promises.
    unsafe {
        let library = libc::dlopen(path.as_ptr(), libc::RTLD_NOW | libc::RTLD_NOLOAD);
        assert!(!library.is_null());
        let symbol = libc::dlsym(library, name.as_ptr());
        assert!(!symbol.is_null());
        mem::transmute_copy(&symbol)
    }
}

/// Does something in the device's context.
fn in_context<T>(work: impl FnOnce() -> T) -> T {
    // SAFETY: the functions have these types, and the runtime has retained the context.
    unsafe {
        let mut context = 0;
        let retain: unsafe extern "C" fn(*mut usize, i32) -> u32 = find("cuDevicePrimaryCtxRetain");
        let release: unsafe extern "C" fn(i32) -> u32 = find("cuDevicePrimaryCtxRelease_v2");
        let push: unsafe extern "C" fn(usize) -> u32 = find("cuCtxPushCurrent_v2");
        let pop: unsafe extern "C" fn(*mut usize) -> u32 = find("cuCtxPopCurrent_v2");
        assert_eq!(retain(&raw mut context, 0), 0);
        assert_eq!(push(context), 0);
        let result = work();
        assert_eq!(pop(&raw mut context), 0);
        assert_eq!(release(0), 0);
        result
    }
}

/// The bytes of the device's memory that are taken.
pub(crate) fn taken() -> usize {
    let (mut free, mut all) = (0, 0);
    // SAFETY: the function has this type.
    in_context(|| unsafe {
        let ask: unsafe extern "C" fn(*mut usize, *mut usize) -> u32 = find("cuMemGetInfo_v2");
        assert_eq!(ask(&raw mut free, &raw mut all), 0);
    });
    all - free
}

impl Allocation {
    /// Memory with these numbers, behind `offset` bytes.
    pub(crate) fn new(numbers: &[f32], offset: u64) -> Self {
        let bytes = mem::size_of_val(numbers);
        let mut address = 0;
        // SAFETY: the functions have these types, and both ranges so many bytes.
        in_context(|| unsafe {
            let take: unsafe extern "C" fn(*mut u64, usize) -> u32 = find("cuMemAlloc_v2");
            let copy: unsafe extern "C" fn(u64, *const c_void, usize, usize) -> u32 =
                find("cuMemcpyHtoDAsync_v2");
            assert_eq!(take(&raw mut address, bytes + offset as usize), 0);
            let from = numbers.as_ptr().cast();
            assert_eq!(copy(address + offset, from, bytes, 0), 0);
        });
        Self {
            address: address + offset,
        }
    }

    /// The first numbers.
    pub(crate) fn read(&self, count: usize) -> Vec<f32> {
        let mut numbers = vec![0.0_f32; count];
        // SAFETY: the function has this type, and both ranges so many bytes.
        in_context(|| unsafe {
            let copy: unsafe extern "C" fn(*mut c_void, u64, usize, usize) -> u32 =
                find("cuMemcpyDtoHAsync_v2");
            let to = numbers.as_mut_ptr().cast();
            assert_eq!(copy(to, self.address, 4 * count, 0), 0);
        });
        numbers
    }

    pub(crate) fn pointer(&self) -> *mut c_void {
        ptr::without_provenance_mut(self.address as usize)
    }
}
