//! What an instance asks of its device. The code behind the trait is linked only into models that open a device.

use super::Image;
use crate::{descriptor::Descriptor, sizes::Sizes};
use std::{
    ffi::{CStr, c_void},
    ptr,
};

/// What an instance has on its device.
pub trait Offload: Send + Sync {
    /// Begins a run: copies the inputs to the device that are not there.
    ///
    /// # Errors
    /// If there is not enough memory, a copy fails, or this is the child of a fork.
    ///
    /// # Safety
    /// The lists are as for [`Instance::run`](crate::instance::Instance::run), and were checked and bound.
    unsafe fn begin(
        &self,
        descriptor: &Descriptor,
        sizes: &Sizes,
        inputs: *const *const c_void,
        outputs: *const *mut c_void,
    ) -> Result<Placement, String>;

    /// Ends a run: waits for its kernels, and then copies the outputs to the caller if it `is_done`.
    ///
    /// # Errors
    /// The first one of the run. The caller's memory on the host is as it was then.
    ///
    /// # Safety
    /// The placement is from [`Offload::begin`], and the caller's memory is still there.
    unsafe fn end(&self, placement: &Placement, is_done: bool) -> Result<(), String>;

    /// Launches a kernel, unless the run has failed. An error ends the run.
    ///
    /// # Safety
    /// As for [`relay_rt_launch`](crate::ffi::device::relay_rt_launch).
    unsafe fn launch(
        &self,
        image: &Image,
        kernel: &CStr,
        sizes: &[i64; 7],
        arguments: &[*mut c_void],
    );

    /// Copies within the device, unless the run has failed.
    ///
    /// # Safety
    /// Both ranges are in the device's memory, and do not overlap.
    unsafe fn copy(&self, to: *mut c_void, from: *const c_void, bytes: i64);

    /// The bits of a number in the device's memory, after the kernels that were launched before; 0 if the run has failed.
    ///
    /// # Safety
    /// So many bytes, 8 at most, are in the device's memory.
    unsafe fn read(&self, from: *const c_void, bytes: i64) -> i64;

    /// Writes the low bytes of a number into the device's memory, unless the run has failed.
    ///
    /// # Safety
    /// So many bytes, 8 at most, are in the device's memory.
    unsafe fn write(&self, to: *mut c_void, value: i64, bytes: i64);

    /// Memory of the host for a kernel that runs there: the bytes from an address of the device, after the kernels that were launched before, or any
    /// for a null address. It stays until a call for the same slot. After an error of the run it has any bytes.
    ///
    /// # Safety
    /// So many bytes are in the device's memory, unless the address is null.
    unsafe fn fetch(&self, from: *const c_void, bytes: i64, slot: i64) -> *mut c_void;

    /// Copies what a kernel of the host has computed to the device, unless the run has failed.
    ///
    /// # Safety
    /// Both ranges are there.
    unsafe fn send(&self, to: *mut c_void, from: *const c_void, bytes: i64);

    /// Memory of the device for kernels. A call for the same slot with more bytes moves it. Null if the run has failed.
    fn workspace(&self, slot: i64, bytes: i64) -> *mut c_void;

    /// Waits for the kernels that were launched.
    fn synchronise(&self);

    /// The place of the code that runs here, of the descriptor's code for chips.
    fn variant(&self) -> usize;

    /// Whether this process opened the device. The child of a fork did not, and may call nothing else.
    fn is_own(&self) -> bool;
}

/// Where a run's tensors are on the device: what its graph is called with.
pub struct Placement {
    pub(crate) inputs: Vec<*const c_void>,
    pub(crate) outputs: Vec<*mut c_void>,
    pub(crate) arena: *mut c_void,
    pub(crate) weights: *const u8,
    /// What is copied after the run.
    pub(super) results: Vec<Copied>,
}

impl Placement {
    /// Adds an output that is copied to the host after the run: one whose shape the graph has computed.
    pub(crate) fn add_result(&mut self, from: *mut c_void, to: *mut c_void, bytes: usize) {
        self.results.push(Copied {
            from,
            to,
            bytes,
            is_on_device: false,
        });
    }
}

/// An output that the caller wants elsewhere than the graph writes it.
pub(super) struct Copied {
    pub(super) from: *mut c_void,
    pub(super) to: *mut c_void,
    pub(super) bytes: usize,
    /// Whether the caller's memory is the device's.
    pub(super) is_on_device: bool,
}

/// What the function that opens a device fills: what the instance has there, or why it has nothing.
pub type Opened = Result<Box<dyn Offload>, String>;

/// Opens the device of a model; `None` if it runs on the processor.
///
/// # Errors
/// If there is no such device, or the model needs what it cannot do.
///
/// # Safety
/// The descriptor is a compiled model's.
pub(crate) unsafe fn open(descriptor: &Descriptor) -> Result<Option<Box<dyn Offload>>, String> {
    let Some(open) = descriptor.device else {
        return Ok(None);
    };
    let mut opened: Opened = Err("the model's device was not opened".into());
    // SAFETY: the function is this runtime's, and fills the result.
    unsafe { open(ptr::from_ref(descriptor).cast(), (&raw mut opened).cast()) };
    opened.map(Some)
}
