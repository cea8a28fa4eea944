//! The functions of NVIDIA's driver, found when a model needs them: models run where there is no driver, and no library of CUDA's is
//! needed to compile them. The types and numbers are those of CUDA's header `cuda.h`.

use std::{
    env,
    ffi::{CStr, CString, OsStr, c_char, c_void},
    mem,
    os::unix::ffi::OsStrExt,
    sync::{Mutex, PoisonError},
};

/// The variable that names another driver.
pub(super) const VARIABLE: &str = "RELAY_CUDA_DRIVER";

/// The driver's library.
const LIBRARY: &str = "libcuda.so.1";

/// `CUresult`.
pub(super) type Status = u32;

/// A pointer to something of the driver's: `CUcontext`, `CUmodule`, `CUfunction`, `CUstream`.
pub(super) type Handle = usize;

/// `CUDA_SUCCESS`.
pub(super) const SUCCESS: Status = 0;

/// `CU_JIT_ERROR_LOG_BUFFER` and `CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES`.
pub(super) const ERROR_LOG: [u32; 2] = [5, 6];

/// `CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES`.
pub(super) const MOST_SHARED: u32 = 8;

/// `CU_POINTER_ATTRIBUTE_MEMORY_TYPE`, and its value `CU_MEMORYTYPE_DEVICE`.
pub(super) const MEMORY_TYPE: u32 = 2;
pub(super) const OF_DEVICE: u32 = 2;

/// `CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL`.
pub(super) const DEVICE_ORDINAL: u32 = 9;

/// The functions of a library, each by its symbol.
macro_rules! functions {
    ($($field:ident = $symbol:literal ($($parameter:ty),*);)*) => {
        /// The driver.
        pub(super) struct Driver {
            $(pub(super) $field: Function<unsafe extern "C" fn($($parameter),*) -> Status>,)*
        }

        impl Driver {
            /// Finds all functions.
            ///
            /// # Errors
            /// Names the first one that is not there.
            fn find(library: *mut c_void) -> Result<Self, &'static CStr> {
                $(
                    // SAFETY: the library is open.
                    let $field = unsafe { libc::dlsym(library, $symbol.as_ptr()) };
                    if $field.is_null() {
                        return Err($symbol);
                    }
                )*
                Ok(Self {
                    $($field: Function {
                        name: $symbol,
                        // SAFETY: `cuda.h` declares the function with this type.
                        call: unsafe {
                            mem::transmute::<*mut c_void, unsafe extern "C" fn($($parameter),*) -> Status>($field)
                        },
                    },)*
                })
            }
        }
    };
}

/// A function of the driver.
#[derive(Clone, Copy)]
pub(super) struct Function<F> {
    /// Its symbol.
    pub(super) name: &'static CStr,
    pub(super) call: F,
}

functions! {
    init = c"cuInit"(u32);
    get_device = c"cuDeviceGet"(*mut i32, i32);
    count_devices = c"cuDeviceGetCount"(*mut i32);
    name_device = c"cuDeviceGetName"(*mut c_char, i32, i32);
    total_memory = c"cuDeviceTotalMem_v2"(*mut usize, i32);
    retain_context = c"cuDevicePrimaryCtxRetain"(*mut Handle, i32);
    release_context = c"cuDevicePrimaryCtxRelease_v2"(i32);
    push_context = c"cuCtxPushCurrent_v2"(Handle);
    pop_context = c"cuCtxPopCurrent_v2"(*mut Handle);
    create_stream = c"cuStreamCreate"(*mut Handle, u32);
    destroy_stream = c"cuStreamDestroy_v2"(Handle);
    synchronise = c"cuStreamSynchronize"(Handle);
    allocate = c"cuMemAlloc_v2"(*mut u64, usize);
    free = c"cuMemFree_v2"(u64);
    copy_to = c"cuMemcpyHtoDAsync_v2"(u64, *const c_void, usize, Handle);
    copy_from = c"cuMemcpyDtoHAsync_v2"(*mut c_void, u64, usize, Handle);
    copy_within = c"cuMemcpyDtoDAsync_v2"(u64, u64, usize, Handle);
    pointer_attribute = c"cuPointerGetAttribute"(*mut c_void, u32, u64);
    load_module = c"cuModuleLoadDataEx"(*mut Handle, *const c_void, u32, *mut u32, *mut *mut c_void);
    unload_module = c"cuModuleUnload"(Handle);
    find_function = c"cuModuleGetFunction"(*mut Handle, Handle, *const c_char);
    set_attribute = c"cuFuncSetAttribute"(Handle, u32, i32);
    launch = c"cuLaunchKernel"(Handle, u32, u32, u32, u32, u32, u32, u32, Handle, *mut *mut c_void, *mut *mut c_void);
    error_name = c"cuGetErrorName"(Status, *mut *const c_char);
    error_text = c"cuGetErrorString"(Status, *mut *const c_char);
}

/// The driver that this process has opened. It stays open: drivers have threads of their own.
static OPENED: Mutex<Option<&'static Driver>> = Mutex::new(None);

/// Opens the driver.
///
/// # Errors
/// If there is none, or it is too old.
pub(super) fn open() -> Result<&'static Driver, String> {
    let mut opened = OPENED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(driver) = *opened {
        return Ok(driver);
    }
    let named = env::var_os(VARIABLE).filter(|name| !name.is_empty());
    let driver = &*Box::leak(Box::new(load(named.as_deref())?));
    *opened = Some(driver);
    Ok(driver)
}

/// Loads the driver of this name, or NVIDIA's.
fn load(named: Option<&OsStr>) -> Result<Driver, String> {
    let name = named.unwrap_or(OsStr::new(LIBRARY));
    let shown = name.to_string_lossy();
    let path = CString::new(name.as_bytes());
    let path = path.map_err(|_| format!("{VARIABLE} holds a zero byte"))?;
    // SAFETY: the user trusts the library of this name; a driver's initialisers run.
    let library = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
    if library.is_null() {
        // SAFETY: the call before failed, so there is a text.
        let reason = unsafe { text(libc::dlerror()) };
        let remedy = match named {
            Some(_) => format!("check the path in {VARIABLE}"),
            None => "install NVIDIA's driver, or compile for this machine's processor".into(),
        };
        let reason = match reason.contains(&*shown) {
            true => reason,
            false => format!("{shown}: {reason}"),
        };
        return Err(format!("no CUDA driver: {reason}; {remedy}"));
    }
    Driver::find(library).map_err(|symbol| {
        format!(
            "the CUDA driver {shown} has no function {}; install a newer one",
            symbol.to_string_lossy()
        )
    })
}

/// A C string, which may be null.
///
/// # Safety
/// `text` is null, or a C string.
pub(super) unsafe fn text(text: *const c_char) -> String {
    match text.is_null() {
        true => String::new(),
        // SAFETY: as the caller promises.
        false => unsafe { CStr::from_ptr(text) }
            .to_string_lossy()
            .into_owned(),
    }
}
