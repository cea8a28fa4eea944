//! CUDA: the interface of NVIDIA's driver.

use super::driver::{Chips, Contexts, Interface, Library, Particular, Symbols};

/// CUDA.
pub(super) static CUDA: Interface = Interface {
    name: "CUDA driver",
    target: "cuda",
    libraries: &[c"libcuda.so.1"],
    install: "install NVIDIA's driver",
    library_variable: "RELAY_CUDA_DRIVER",
    device_variable: "RELAY_CUDA_DEVICE",
    visible_variable: "CUDA_VISIBLE_DEVICES",
    tool: "nvidia-smi",
    waiting: "CUDA_LAUNCH_BLOCKING=1",
    symbols: Symbols {
        init: c"cuInit",
        get_device: c"cuDeviceGet",
        count_devices: c"cuDeviceGetCount",
        name_device: c"cuDeviceGetName",
        total_memory: c"cuDeviceTotalMem_v2",
        create_stream: c"cuStreamCreate",
        destroy_stream: c"cuStreamDestroy_v2",
        synchronise: c"cuStreamSynchronize",
        allocate: c"cuMemAlloc_v2",
        free: c"cuMemFree_v2",
        copy_to: c"cuMemcpyHtoDAsync_v2",
        copy_from: c"cuMemcpyDtoHAsync_v2",
        copy_within: c"cuMemcpyDtoDAsync_v2",
        pointer_attribute: c"cuPointerGetAttribute",
        load_module: c"cuModuleLoadDataEx",
        unload_module: c"cuModuleUnload",
        find_function: c"cuModuleGetFunction",
        launch: c"cuLaunchKernel",
        error_name: c"cuGetErrorName",
        error_text: c"cuGetErrorString",
    },
    particular,
};

/// Contexts, the attributes of GPUs, and the attribute of kernels that use more than 48 KiB of shared memory.
fn particular(library: &Library) -> Result<Particular, String> {
    // SAFETY: `cuda.h` declares the functions with these types.
    unsafe {
        Ok(Particular {
            contexts: Contexts::OfStack {
                retain: library.find(c"cuDevicePrimaryCtxRetain")?,
                release: library.find(c"cuDevicePrimaryCtxRelease_v2")?,
                push: library.find(c"cuCtxPushCurrent_v2")?,
                pop: library.find(c"cuCtxPopCurrent_v2")?,
            },
            chips: Chips::OfAttributes(library.find(c"cuDeviceGetAttribute")?),
            set_attribute: Some(library.find(c"cuFuncSetAttribute")?),
        })
    }
}
