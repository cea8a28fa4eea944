//! Tensors in a device's memory.

use super::memory::{DeviceMemory, Taken};
use crate::{
    DType, RuntimeError, Tensor,
    dlpack::{DLDevice, DLManagedTensor, Imported},
    exchange::{self, Exported},
    tensor::byte_length,
};
use std::{ffi::c_void, fmt, ptr};

/// Where a tensor without elements is: its memory may be null, which no interface takes.
const NOWHERE: usize = 256;

/// Who owns a tensor's memory.
enum Storage {
    Taken(Taken),
    Imported(Imported),
}

/// A dense row-major tensor in the memory of a device.
pub struct DeviceTensor {
    dtype: DType,
    shape: Vec<i64>,
    length: usize,
    place: DLDevice,
    storage: Storage,
}

impl DeviceTensor {
    /// A new tensor, whose elements are not defined.
    ///
    /// # Errors
    /// If a dimension is negative, or the device has not so much memory.
    pub fn new(memory: &DeviceMemory, dtype: DType, shape: &[i64]) -> Result<Self, RuntimeError> {
        let length = byte_length(dtype, shape).ok_or_else(|| {
            RuntimeError::Run(format!("a tensor of {dtype} {shape:?} fits in no memory"))
        })?;
        Ok(Self {
            dtype,
            shape: shape.to_vec(),
            length,
            place: memory.place(),
            storage: Storage::Taken(memory.take(length)?),
        })
    }

    /// A copy of a tensor in the host's memory.
    ///
    /// # Errors
    /// As [`DeviceTensor::new`], and if the device copies nothing.
    pub fn from_host(memory: &DeviceMemory, tensor: &Tensor) -> Result<Self, RuntimeError> {
        let copy = Self::new(memory, tensor.dtype(), tensor.shape())?;
        // SAFETY: the copy has as many bytes.
        unsafe { memory.upload(copy.address().addr() as u64, tensor) }?;
        Ok(copy)
    }

    /// A copy in the host's memory; `memory` is that of the tensor's device.
    ///
    /// # Errors
    /// If there is not enough memory, or the device copies nothing.
    pub fn to_host(&self, memory: &DeviceMemory) -> Result<Tensor, RuntimeError> {
        let mut copy = Tensor::try_zeros(self.dtype, &self.shape)?;
        // SAFETY: the copy has as many bytes.
        unsafe { memory.download(&mut copy, self.address().addr() as u64) }?;
        Ok(copy)
    }

    /// A copy on the same device; `memory` is that of the device.
    ///
    /// # Errors
    /// As [`DeviceTensor::from_host`].
    pub fn copy(&self, memory: &DeviceMemory) -> Result<Self, RuntimeError> {
        let copy = Self::new(memory, self.dtype, &self.shape)?;
        let addresses = [&copy, self].map(|tensor| tensor.address().addr() as u64);
        // SAFETY: both have as many bytes, and the copy's are new.
        unsafe { memory.copy_within(addresses[0], addresses[1], self.length) }?;
        Ok(copy)
    }

    /// The element type.
    pub fn dtype(&self) -> DType {
        self.dtype
    }

    /// The dimensions.
    pub fn shape(&self) -> &[i64] {
        &self.shape
    }

    /// The bytes of its elements.
    pub fn length(&self) -> usize {
        self.length
    }

    /// The device, as DLPack has it.
    pub fn place(&self) -> DLDevice {
        self.place
    }

    /// Where its elements begin, in the device's memory.
    pub fn address(&self) -> *mut c_void {
        let address = match &self.storage {
            Storage::Taken(memory) => memory.address() as usize,
            Storage::Imported(data) => data.start().addr(),
        };
        ptr::without_provenance_mut(if self.length == 0 { NOWHERE } else { address })
    }

    /// Hands the tensor over to another library, without copying. Whoever takes it calls its `deleter` once.
    pub fn into_dlpack(self) -> *mut DLManagedTensor {
        let (data, place) = (self.address(), self.place);
        let (dtype, shape) = (self.dtype, self.shape.clone());
        Exported::hand_over(self, dtype, shape, (data, place))
    }

    /// Takes a tensor over from another library, without copying.
    ///
    /// # Errors
    /// If it is not a dense row-major tensor of our element types on this device. The caller keeps the tensor then.
    ///
    /// # Safety
    /// As for [`Tensor::from_dlpack`]; what computes the tensor's elements has ended, or the default stream waits for it.
    pub unsafe fn from_dlpack(
        managed: *mut DLManagedTensor,
        place: DLDevice,
    ) -> Result<Self, RuntimeError> {
        // SAFETY: as the caller promises.
        let taken = unsafe { exchange::take(managed, |found| found == place) }?;
        Ok(Self {
            dtype: taken.dtype,
            shape: taken.shape,
            length: taken.length,
            place,
            storage: Storage::Imported(taken.data),
        })
    }
}

impl fmt::Debug for DeviceTensor {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (dtype, shape, place) = (self.dtype, &self.shape, self.place);
        write!(formatter, "DeviceTensor({dtype} {shape:?}, {place})")
    }
}
