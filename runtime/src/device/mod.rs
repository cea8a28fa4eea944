//! Devices beside the processor that a model's kernels run on, such as GPUs.
//!
//! The host code of a model computes addresses and launches kernels; it reads nothing of a device's memory. The descriptor of such a
//! model points to the function that opens its device ([`relay_rt_cuda`](crate::ffi::device::relay_rt_cuda) or [`relay_rt_rocm`](crate::ffi::device::relay_rt_rocm)). Nothing else refers to the code of devices, so a
//! model for processors is linked without it.

mod buffer;
mod chip;
mod cuda;
mod driver;
mod failure;
mod gpu;
mod hip;
mod host;
mod instance;
#[cfg(feature = "loader")]
mod memory;
mod modules;
mod offload;
#[cfg(feature = "loader")]
mod tensor;

#[cfg(feature = "loader")]
pub use memory::DeviceMemory;
pub use offload::Opened;
pub(crate) use offload::{Offload, open};
#[cfg(feature = "loader")]
pub use tensor::DeviceTensor;

pub use crate::descriptor::DeviceImage as Image;

use crate::descriptor::Descriptor;
use driver::Interface;
use std::ffi::{CStr, c_void};

/// An address in a device's memory.
pub type Address = u64;

/// A queue of a device. What is in one queue runs in order.
#[derive(Clone, Copy, Debug)]
pub struct Stream(pub usize);

/// A kernel that was loaded to a device.
#[derive(Clone, Copy, Debug)]
pub struct Kernel(pub usize);

/// How many threads a launch has, and the bytes of shared memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaunchSizes {
    /// The blocks of the grid, along x, y and z.
    pub grid: [u32; 3],
    /// The threads of a block.
    pub block: [u32; 3],
    /// The bytes of dynamic shared memory of a block.
    pub shared: u32,
}

/// A device that runs kernels. The instances of a model share it; each has a stream. An error says what failed, and the remedy.
pub trait Device: Send + Sync {
    /// Its number among the devices of its kind.
    fn number(&self) -> i32;

    /// What messages call it: its number, its model and its memory.
    fn describe(&self) -> String;

    /// The place of the code that runs best here, of code for some chips.
    ///
    /// # Errors
    /// If none of it runs here.
    fn choose(&self, chips: &[String]) -> Result<usize, String>;

    /// A new stream.
    ///
    /// # Errors
    /// If the driver makes none.
    fn create_stream(&self) -> Result<Stream, String>;

    /// Ends a stream. What is in it runs to its end.
    fn destroy_stream(&self, stream: Stream);

    /// Takes memory, aligned to 256 bytes.
    ///
    /// # Errors
    /// If there is not so much.
    fn allocate(&self, bytes: u64) -> Result<Address, String>;

    /// Gives memory back.
    ///
    /// # Safety
    /// The memory is from [`Device::allocate`], and nothing uses it any more.
    unsafe fn free(&self, address: Address);

    /// Copies from the host's memory to the device's. The host's memory may still be read until [`Device::synchronise`].
    ///
    /// # Errors
    /// If the driver refuses, or an earlier kernel failed.
    ///
    /// # Safety
    /// Both ranges are there.
    unsafe fn copy_to(
        &self,
        stream: Stream,
        to: Address,
        from: *const c_void,
        bytes: usize,
    ) -> Result<(), String>;

    /// Copies from the device's memory to the host's, which has the bytes after [`Device::synchronise`].
    ///
    /// # Errors
    /// As [`Device::copy_to`].
    ///
    /// # Safety
    /// Both ranges are there.
    unsafe fn copy_from(
        &self,
        stream: Stream,
        to: *mut c_void,
        from: Address,
        bytes: usize,
    ) -> Result<(), String>;

    /// Copies within the device's memory.
    ///
    /// # Errors
    /// As [`Device::copy_to`].
    ///
    /// # Safety
    /// Both ranges are there, and do not overlap.
    unsafe fn copy_within(
        &self,
        stream: Stream,
        to: Address,
        from: Address,
        bytes: usize,
    ) -> Result<(), String>;

    /// Loads images that are not loaded, several at once. The device keeps them.
    ///
    /// # Errors
    /// If the device cannot run one of them.
    ///
    /// # Safety
    /// The images are constants of a model.
    unsafe fn load(&self, images: &[&Image]) -> Result<(), String>;

    /// A kernel of an image, which may use `shared` bytes of dynamic shared memory. An image that was not loaded is loaded now.
    ///
    /// # Errors
    /// If the device cannot run the image, or the image has no such kernel.
    ///
    /// # Safety
    /// The image is a constant of a model.
    unsafe fn find_kernel(&self, image: &Image, name: &CStr, shared: u32)
    -> Result<Kernel, String>;

    /// Launches a kernel.
    ///
    /// # Errors
    /// If the driver refuses, or an earlier kernel failed.
    ///
    /// # Safety
    /// Each argument points to a value of the type of the kernel's parameter, and the kernel may run on these values.
    unsafe fn launch(
        &self,
        stream: Stream,
        kernel: Kernel,
        sizes: &LaunchSizes,
        arguments: &[*mut c_void],
    ) -> Result<(), String>;

    /// Waits until a stream is empty.
    ///
    /// # Errors
    /// If something in it failed.
    fn synchronise(&self, stream: Stream) -> Result<(), String>;

    /// Whether a pointer is to memory of this device.
    ///
    /// # Errors
    /// If it is to memory of another device.
    fn is_device_pointer(&self, pointer: *const c_void) -> Result<bool, String>;
}

/// Opens an NVIDIA GPU for an instance of a model.
///
/// # Errors
/// If there is no driver or no such GPU, the model needs what no device can do yet, or there is not enough memory.
///
/// # Safety
/// The descriptor is a compiled model's.
pub(crate) unsafe fn open_cuda(descriptor: &Descriptor) -> Opened {
    // SAFETY: as the caller promises.
    unsafe { open_gpu(&cuda::CUDA, descriptor) }
}

/// Opens an AMD GPU for an instance of a model.
///
/// # Errors
/// As for [`open_cuda`].
///
/// # Safety
/// The descriptor is a compiled model's.
pub(crate) unsafe fn open_rocm(descriptor: &Descriptor) -> Opened {
    // SAFETY: as the caller promises.
    unsafe { open_gpu(&hip::HIP, descriptor) }
}

/// Opens a GPU by its interface.
unsafe fn open_gpu(interface: &'static Interface, descriptor: &Descriptor) -> Opened {
    let device = gpu::open(interface)?;
    // SAFETY: as the callers promise.
    let instance = unsafe { instance::DeviceInstance::new(device, descriptor) }?;
    Ok(Box::new(instance))
}
