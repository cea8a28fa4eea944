//! Tensors that no array of numpy holds: in host memory, or in that of a device.

use crate::{errors, ports::Slot};
use pyo3::prelude::*;
use relay_runtime::{
    DType, Tensor,
    device::{DeviceMemory, DeviceTensor},
    dlpack::{CPU, DLDevice, DLManagedTensor},
};
use std::ffi::c_void;

/// A tensor, wherever it lies.
pub enum Held {
    /// In host memory.
    Host(Tensor),
    /// In the memory of a device, with what copies from there.
    Device(DeviceTensor, DeviceMemory),
}

impl Held {
    /// The element type.
    pub fn dtype(&self) -> DType {
        match self {
            Self::Host(tensor) => tensor.dtype(),
            Self::Device(tensor, _) => tensor.dtype(),
        }
    }

    /// The dimensions.
    pub fn shape(&self) -> &[i64] {
        match self {
            Self::Host(tensor) => tensor.shape(),
            Self::Device(tensor, _) => tensor.shape(),
        }
    }

    /// The bytes of its elements.
    pub fn length(&self) -> usize {
        match self {
            Self::Host(tensor) => tensor.bytes().len(),
            Self::Device(tensor, _) => tensor.length(),
        }
    }

    /// Where it lies, as DLPack has it.
    pub fn place(&self) -> DLDevice {
        match self {
            Self::Host(_) => DLDevice {
                device_type: CPU,
                device_id: 0,
            },
            Self::Device(tensor, _) => tensor.place(),
        }
    }

    /// Where its elements begin, to be read.
    pub fn source(&self) -> *const c_void {
        match self {
            Self::Host(tensor) => tensor.bytes().as_ptr().cast(),
            Self::Device(tensor, _) => tensor.address().cast_const(),
        }
    }

    /// Where its elements begin, to be written.
    pub fn target(&mut self) -> *mut c_void {
        match self {
            Self::Host(tensor) => tensor.bytes_mut().as_mut_ptr().cast(),
            Self::Device(tensor, _) => tensor.address(),
        }
    }

    /// A copy at the same place.
    pub fn copy(&self) -> PyResult<Self> {
        match self {
            Self::Host(tensor) => Ok(Self::Host(tensor.clone())),
            Self::Device(tensor, memory) => {
                let copy = tensor.copy(memory);
                let copy = copy.map_err(|error| errors::of_runtime(&error))?;
                Ok(Self::Device(copy, memory.clone()))
            }
        }
    }

    /// A copy in host memory.
    pub fn to_host(&self) -> PyResult<Tensor> {
        match self {
            Self::Host(tensor) => Ok(tensor.clone()),
            Self::Device(tensor, memory) => {
                let copy = tensor.to_host(memory);
                copy.map_err(|error| errors::of_runtime(&error))
            }
        }
    }

    /// Hands the tensor over to another library. Whoever takes it calls its `deleter` once.
    pub fn into_dlpack(self) -> *mut DLManagedTensor {
        match self {
            Self::Host(tensor) => tensor.into_dlpack(),
            Self::Device(tensor, _) => tensor.into_dlpack(),
        }
    }
}

/// What a call's outputs are made of.
#[derive(Clone, Copy)]
pub enum Form<'a> {
    /// Arrays of numpy; tensors of ours for types that numpy lacks.
    Array,
    /// Tensors of ours in host memory.
    Host,
    /// Tensors of ours in the memory of the model's device.
    Device(&'a DeviceMemory),
}

impl Form<'_> {
    /// A new tensor of this form for an output.
    pub fn new_tensor(self, slot: &Slot, shape: &[i64]) -> PyResult<Held> {
        let held = match self {
            Self::Array | Self::Host => Tensor::try_zeros(slot.dtype, shape).map(Held::Host),
            Self::Device(memory) => DeviceTensor::new(memory, slot.dtype, shape)
                .map(|tensor| Held::Device(tensor, memory.clone())),
        };
        held.map_err(|error| errors::of_runtime(&error))
    }

    /// A tensor of this form with the elements of one in host memory.
    pub fn of_host(self, tensor: Tensor) -> PyResult<Held> {
        match self {
            Self::Array | Self::Host => Ok(Held::Host(tensor)),
            Self::Device(memory) => {
                let copy = DeviceTensor::from_host(memory, &tensor);
                let copy = copy.map_err(|error| errors::of_runtime(&error))?;
                Ok(Held::Device(copy, memory.clone()))
            }
        }
    }
}
