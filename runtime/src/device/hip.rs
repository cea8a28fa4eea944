//! HIP: the interface of AMD's ROCm.

use super::driver::{
    Chips, Contexts, Function, Interface, Library, Particular, SUCCESS, Status, Symbols,
};

/// HIP.
pub(super) static HIP: Interface = Interface {
    name: "HIP runtime",
    target: "rocm",
    libraries: &[
        c"libamdhip64.so",
        c"libamdhip64.so.7",
        c"libamdhip64.so.6",
        c"/opt/rocm/lib/libamdhip64.so",
    ],
    install: "install AMD's ROCm 6 or a newer one",
    library_variable: "RELAY_HIP_DRIVER",
    device_variable: "RELAY_HIP_DEVICE",
    visible_variable: "HIP_VISIBLE_DEVICES",
    tool: "rocminfo",
    waiting: "AMD_SERIALIZE_KERNEL=3",
    symbols: Symbols {
        init: c"hipInit",
        get_device: c"hipDeviceGet",
        count_devices: c"hipGetDeviceCount",
        name_device: c"hipDeviceGetName",
        total_memory: c"hipDeviceTotalMem",
        create_stream: c"hipStreamCreateWithFlags",
        destroy_stream: c"hipStreamDestroy",
        synchronise: c"hipStreamSynchronize",
        allocate: c"hipMalloc",
        free: c"hipFree",
        copy_to: c"hipMemcpyHtoDAsync",
        copy_from: c"hipMemcpyDtoHAsync",
        copy_within: c"hipMemcpyDtoDAsync",
        pointer_attribute: c"hipPointerGetAttribute",
        load_module: c"hipModuleLoadDataEx",
        unload_module: c"hipModuleUnload",
        find_function: c"hipModuleGetFunction",
        launch: c"hipModuleLaunchKernel",
        error_name: c"hipDrvGetErrorName",
        error_text: c"hipDrvGetErrorString",
    },
    particular,
};

/// `HIP_VERSION` of ROCm 6.0. Before, other numbers said where a pointer leads to.
const LEAST_VERSION: i32 = 60_000_000;

/// The device of a thread. HIP has contexts, too, but taking one off the stack does not give the thread its device back.
fn particular(library: &Library) -> Result<Particular, String> {
    // SAFETY: `hip_runtime_api.h` declares the functions with these types.
    unsafe {
        check_version(library.find(c"hipRuntimeGetVersion")?)?;
        Ok(Particular {
            contexts: Contexts::OfDevice {
                get: library.find(c"hipGetDevice")?,
                set: library.find(c"hipSetDevice")?,
            },
            chips: Chips::OfProperties(library.find(c"hipGetDevicePropertiesR0600")?),
            set_attribute: None,
        })
    }
}

/// Refuses releases that are too old.
fn check_version(ask: Function<unsafe extern "C" fn(*mut i32) -> Status>) -> Result<(), String> {
    let mut version = 0;
    // SAFETY: the function fills the number.
    let status = unsafe { (ask.call)(&raw mut version) };
    if status == SUCCESS && version >= LEAST_VERSION {
        return Ok(());
    }
    let (major, minor) = (version / 10_000_000, version / 100_000 % 100);
    Err(format!(
        "the HIP runtime is of ROCm {major}.{minor} (hipRuntimeGetVersion: {version}, status {status}); {}",
        HIP.install
    ))
}
