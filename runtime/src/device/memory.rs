//! The memory of a device, for programs that run models on tensors of their own there.

use super::{
    Address, Device, Stream,
    cuda::CUDA,
    gpu::{self, FORKED},
    hip::HIP,
};
use crate::{
    RuntimeError, Tensor,
    dlpack::{self, DLDevice},
};
use std::{ffi::c_void, process, sync::Arc};

/// The default stream. Each stream of an instance waits for it, and it waits for them.
const DEFAULT_STREAM: Stream = Stream(0);

/// A device that models run on, opened by a program.
#[derive(Clone)]
pub struct DeviceMemory {
    device: Arc<dyn Device>,
    place: DLDevice,
    number_variable: &'static str,
    /// The process that opened the device. The child of a fork cannot use it.
    process: u32,
}

impl DeviceMemory {
    /// Opens the device on which models of a kind run in this process: [`Model::device`](crate::Model::device) says the kind.
    ///
    /// # Errors
    /// If there is no driver, or no such device.
    pub fn open(kind: &str) -> Result<Self, RuntimeError> {
        let (interface, device_type) = match kind {
            "cuda" => (&CUDA, dlpack::CUDA),
            "rocm" => (&HIP, dlpack::ROCM),
            _ => {
                return Err(RuntimeError::Input(format!(
                    "there is no device of the kind '{kind}': 'cuda' and 'rocm' are known"
                )));
            }
        };
        let device = gpu::open(interface).map_err(RuntimeError::Run)?;
        let place = DLDevice {
            device_type,
            device_id: device.number(),
        };
        Ok(Self {
            device,
            place,
            number_variable: interface.device_variable,
            process: process::id(),
        })
    }

    /// The device as DLPack has it.
    pub fn place(&self) -> DLDevice {
        self.place
    }

    /// What messages call the device: its number, its model and its memory.
    pub fn describe(&self) -> String {
        self.device.describe()
    }

    /// The variable of the environment that says the number of the device.
    pub fn number_variable(&self) -> &'static str {
        self.number_variable
    }

    fn check_process(&self) -> Result<(), RuntimeError> {
        match self.process == process::id() {
            true => Ok(()),
            false => Err(RuntimeError::Run(FORKED.into())),
        }
    }

    /// Takes memory, aligned to 256 bytes. Its content is not defined.
    pub(super) fn take(&self, bytes: usize) -> Result<Taken, RuntimeError> {
        self.check_process()?;
        let address = match bytes {
            0 => 0,
            _ => (self.device.allocate(bytes as u64)).map_err(RuntimeError::Run)?,
        };
        Ok(Taken {
            memory: self.clone(),
            address,
        })
    }

    /// Copies a tensor's elements to the device.
    ///
    /// # Safety
    /// The device's memory has so many bytes there.
    pub(super) unsafe fn upload(&self, to: Address, from: &Tensor) -> Result<(), RuntimeError> {
        let bytes = from.bytes();
        self.copy(bytes.len(), |device| {
            // SAFETY: as the caller promises; the tensor outlives the wait.
            unsafe { device.copy_to(DEFAULT_STREAM, to, bytes.as_ptr().cast(), bytes.len()) }
        })
    }

    /// Copies elements from the device to a tensor.
    ///
    /// # Safety
    /// As for [`DeviceMemory::upload`].
    pub(super) unsafe fn download(
        &self,
        to: &mut Tensor,
        from: Address,
    ) -> Result<(), RuntimeError> {
        let bytes = to.bytes_mut();
        self.copy(bytes.len(), |device| {
            let to = bytes.as_mut_ptr().cast::<c_void>();
            // SAFETY: as the caller promises; the tensor outlives the wait.
            unsafe { device.copy_from(DEFAULT_STREAM, to, from, bytes.len()) }
        })
    }

    /// Copies bytes within the device.
    ///
    /// # Safety
    /// As for [`DeviceMemory::upload`], of both ranges, which do not overlap.
    pub(super) unsafe fn copy_within(
        &self,
        to: Address,
        from: Address,
        bytes: usize,
    ) -> Result<(), RuntimeError> {
        self.copy(bytes, |device| {
            // SAFETY: as the caller promises.
            unsafe { device.copy_within(DEFAULT_STREAM, to, from, bytes) }
        })
    }

    /// Has the device copy bytes, if there are any, and waits for it.
    fn copy(
        &self,
        bytes: usize,
        work: impl FnOnce(&dyn Device) -> Result<(), String>,
    ) -> Result<(), RuntimeError> {
        self.check_process()?;
        if bytes == 0 {
            return Ok(());
        }
        let device = &*self.device;
        let copied = work(device).and_then(|()| device.synchronise(DEFAULT_STREAM));
        copied.map_err(RuntimeError::Run)
    }
}

/// Memory that was taken, given back when it is dropped.
pub(super) struct Taken {
    memory: DeviceMemory,
    /// 0 for no bytes.
    address: Address,
}

impl Taken {
    /// Where it is.
    pub(super) fn address(&self) -> Address {
        self.address
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        // In the child of a fork the memory is the parent's.
        if self.address != 0 && self.memory.check_process().is_ok() {
            // SAFETY: it was taken, and whoever had the tensor uses it no more. The driver waits for kernels that run.
            unsafe { self.memory.device.free(self.address) };
        }
    }
}
