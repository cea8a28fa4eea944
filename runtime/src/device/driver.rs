//! The functions of a driver, and what tells one driver from another.
//!
//! Functions are found when a model needs them: models run where there is no driver, and no library of CUDA's or ROCm's is needed to compile
//! them. The types and numbers are those of CUDA's header `cuda.h`. HIP's header `hip_runtime_api.h` has the same ones.

use std::{
    env,
    ffi::{CStr, CString, c_char, c_void},
    mem,
    os::unix::ffi::OsStrExt,
    ptr,
    sync::{Mutex, PoisonError},
};

/// `CUresult`, `hipError_t`.
pub(super) type Status = u32;

/// A pointer to something of the driver's: `CUcontext`, `CUmodule` or `hipModule_t`, `CUfunction`, `CUstream`.
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

/// An interface to GPUs. Each is a constant to which only the function refers that opens its devices, so a model holds the names of one.
pub(super) struct Interface {
    /// What messages call the driver.
    pub(super) name: &'static str,
    /// What targets call its GPUs.
    pub(super) target: &'static str,
    /// The driver's library, under the names under which it may be installed.
    pub(super) libraries: &'static [&'static CStr],
    /// How to get a driver.
    pub(super) install: &'static str,
    /// The variable that names another library.
    pub(super) library_variable: &'static str,
    /// The variable that says the GPU's number.
    pub(super) device_variable: &'static str,
    /// The driver's own variable that hides GPUs.
    pub(super) visible_variable: &'static str,
    /// The program that lists the GPUs of a machine.
    pub(super) tool: &'static str,
    /// The setting with which a launch waits for its kernel.
    pub(super) waiting: &'static str,
    /// The symbols of the functions that all interfaces have.
    pub(super) symbols: Symbols,
    /// Finds the others.
    pub(super) particular: fn(&Library) -> Result<Particular, String>,
}

/// The functions that all drivers have, each by its symbol.
macro_rules! functions {
    ($($field:ident ($($parameter:ty),*);)*) => {
        /// The symbols of the functions.
        pub(super) struct Symbols {
            $(pub(super) $field: &'static CStr,)*
        }

        /// A driver.
        pub(super) struct Driver {
            pub(super) interface: &'static Interface,
            pub(super) particular: Particular,
            $(pub(super) $field: Function<unsafe extern "C" fn($($parameter),*) -> Status>,)*
        }

        impl Driver {
            /// Finds all functions.
            ///
            /// # Errors
            /// Names the first one that is not there, or says what is wrong with the driver.
            fn find(interface: &'static Interface, library: &Library) -> Result<Self, String> {
                Ok(Self {
                    interface,
                    // SAFETY: the headers declare the function with this type.
                    $($field: unsafe { library.find(interface.symbols.$field) }?,)*
                    particular: (interface.particular)(library)?,
                })
            }
        }
    };
}

/// What drivers have functions of their own for.
pub(super) struct Particular {
    pub(super) contexts: Contexts,
    pub(super) chips: Chips,
    /// The function that lets a kernel use much shared memory, if the driver wants to be asked.
    pub(super) set_attribute: Option<Function<unsafe extern "C" fn(Handle, u32, i32) -> Status>>,
}

/// How a thread comes to use a GPU.
#[derive(Clone, Copy)]
pub(super) enum Contexts {
    /// The thread has a stack of contexts.
    OfStack {
        retain: Function<unsafe extern "C" fn(*mut Handle, i32) -> Status>,
        release: Function<unsafe extern "C" fn(i32) -> Status>,
        push: Function<unsafe extern "C" fn(Handle) -> Status>,
        pop: Function<unsafe extern "C" fn(*mut Handle) -> Status>,
    },
    /// The thread has a device.
    OfDevice {
        get: Function<unsafe extern "C" fn(*mut i32) -> Status>,
        set: Function<unsafe extern "C" fn(i32) -> Status>,
    },
}

/// How a driver says the chip of a GPU.
#[derive(Clone, Copy)]
pub(super) enum Chips {
    /// By two numbers, each an attribute of the GPU.
    OfAttributes(Function<unsafe extern "C" fn(*mut i32, u32, i32) -> Status>),
    /// By its name, in a struct.
    OfProperties(Function<unsafe extern "C" fn(*mut Properties, i32) -> Status>),
}

/// `CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR` and `_MINOR`.
pub(super) const CAPABILITY: [u32; 2] = [75, 76];

/// `hipDeviceProp_tR0600`, and room for what later versions may add.
#[repr(C, align(8))]
pub(super) struct Properties {
    others: [u8; 1160],
    /// `gcnArchName`.
    pub(super) chip: [c_char; 256],
    more: [u8; 2680],
}

impl Properties {
    /// All are zero.
    pub(super) const NONE: Self = Self {
        others: [0; 1160],
        chip: [0; 256],
        more: [0; 2680],
    };
}

/// A function of the driver.
#[derive(Clone, Copy)]
pub(super) struct Function<F> {
    /// Its symbol.
    pub(super) name: &'static CStr,
    pub(super) call: F,
}

/// An open library.
pub(super) struct Library {
    handle: *mut c_void,
    /// What messages call it.
    shown: String,
}

impl Library {
    /// A function of the library.
    ///
    /// # Errors
    /// Says that it is not there.
    ///
    /// # Safety
    /// `F` is the type of a pointer to the function.
    pub(super) unsafe fn find<F: Copy>(&self, name: &'static CStr) -> Result<Function<F>, String> {
        const { assert!(size_of::<F>() == size_of::<*mut c_void>()) };
        // SAFETY: the library is open.
        let symbol = unsafe { libc::dlsym(self.handle, name.as_ptr()) };
        if symbol.is_null() {
            let name = name.to_string_lossy();
            return Err(format!(
                "{} has no function {name}; install a newer one",
                self.shown
            ));
        }
        // SAFETY: as the caller promises; the sizes are equal.
        let call = unsafe { mem::transmute_copy::<*mut c_void, F>(&symbol) };
        Ok(Function { name, call })
    }
}

functions! {
    init(u32);
    get_device(*mut i32, i32);
    count_devices(*mut i32);
    name_device(*mut c_char, i32, i32);
    total_memory(*mut usize, i32);
    create_stream(*mut Handle, u32);
    destroy_stream(Handle);
    synchronise(Handle);
    allocate(*mut u64, usize);
    free(u64);
    copy_to(u64, *const c_void, usize, Handle);
    copy_from(*mut c_void, u64, usize, Handle);
    copy_within(u64, u64, usize, Handle);
    pointer_attribute(*mut c_void, u32, u64);
    load_module(*mut Handle, *const c_void, u32, *mut u32, *mut *mut c_void);
    unload_module(Handle);
    find_function(*mut Handle, Handle, *const c_char);
    launch(Handle, u32, u32, u32, u32, u32, u32, u32, Handle, *mut *mut c_void, *mut *mut c_void);
    error_name(Status, *mut *const c_char);
    error_text(Status, *mut *const c_char);
}

/// The drivers that this process has opened. They stay open: drivers have threads of their own.
static OPENED: Mutex<Vec<&'static Driver>> = Mutex::new(Vec::new());

/// Opens the driver of an interface.
///
/// # Errors
/// If there is none, or it is too old.
pub(super) fn open(interface: &'static Interface) -> Result<&'static Driver, String> {
    let mut opened = OPENED.lock().unwrap_or_else(PoisonError::into_inner);
    let mut known = opened.iter();
    if let Some(driver) = known.find(|driver| ptr::eq(driver.interface, interface)) {
        return Ok(driver);
    }
    let driver = &*Box::leak(Box::new(Driver::find(interface, &load(interface)?)?));
    opened.push(driver);
    Ok(driver)
}

/// Loads the library that the environment names, or the first one that there is.
fn load(interface: &Interface) -> Result<Library, String> {
    let variable = interface.library_variable;
    let named = env::var_os(variable).filter(|name| !name.is_empty());
    let paths = match &named {
        Some(name) => {
            let path = CString::new(name.as_bytes());
            vec![path.map_err(|_| format!("{variable} holds a zero byte"))?]
        }
        None => interface
            .libraries
            .iter()
            .copied()
            .map(CStr::to_owned)
            .collect(),
    };
    let mut reasons = Vec::new();
    for path in paths {
        match open_library(&path) {
            Ok(handle) => {
                let shown = format!("the {} {}", interface.name, path.to_string_lossy());
                return Ok(Library { handle, shown });
            }
            Err(reason) => reasons.push(reason),
        }
    }
    let remedy = match named {
        Some(_) => format!("check the path in {variable}"),
        None => format!(
            "{}, or compile for this machine's processor",
            interface.install
        ),
    };
    let (name, reason) = (interface.name, reasons.join("; "));
    Err(format!("no {name}: {reason}; {remedy}"))
}

/// Opens a library; or why there is none.
fn open_library(path: &CStr) -> Result<*mut c_void, String> {
    // SAFETY: the user trusts the library of this name; a driver's initialisers run.
    let library = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
    if !library.is_null() {
        return Ok(library);
    }
    // SAFETY: the call before failed, so there is a text.
    let reason = unsafe { text(libc::dlerror()) };
    let shown = path.to_string_lossy();
    Err(match reason.contains(&*shown) {
        true => reason,
        false => format!("{shown}: {reason}"),
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
