//! The structs of DLPack's unversioned C interface, which numpy, PyTorch and JAX exchange in capsules named
//! `dltensor`.

use std::{ffi::c_void, fmt};

/// `DLDevice.device_type` of host memory.
pub const CPU: i32 = 1;

/// `DLDevice.device_type` of memory of NVIDIA's and AMD's GPUs.
pub const CUDA: i32 = 2;
/// As [`CUDA`].
pub const ROCM: i32 = 10;

/// `DLDevice.device_type` of host memory that is pinned for their copies.
pub const CUDA_HOST: i32 = 3;
/// As [`CUDA_HOST`].
pub const ROCM_HOST: i32 = 11;

/// `DLDataType.code` of signed and unsigned integers, floats, bf16, booleans, and floats of 8 bits.
pub(crate) mod code {
    pub const INT: u8 = 0;
    pub const UINT: u8 = 1;
    pub const FLOAT: u8 = 2;
    pub const BFLOAT: u8 = 4;
    pub const BOOL: u8 = 6;
    pub const FLOAT8_E4M3FN: u8 = 10;
    pub const FLOAT8_E4M3FNUZ: u8 = 11;
    pub const FLOAT8_E5M2: u8 = 12;
    pub const FLOAT8_E5M2FNUZ: u8 = 13;
}

/// Where a tensor is.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DLDevice {
    /// [`CPU`], [`CUDA`], [`ROCM`], or a device that we do not take tensors from.
    pub device_type: i32,
    /// Which one of that type.
    pub device_id: i32,
}

impl DLDevice {
    /// Whether the processor reads and writes the memory.
    pub fn is_host(self) -> bool {
        matches!(self.device_type, CPU | CUDA_HOST | ROCM_HOST)
    }
}

impl fmt::Display for DLDevice {
    /// As messages have it: `CUDA GPU 0`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = self.device_id;
        match self.device_type {
            CPU | CUDA_HOST | ROCM_HOST => write!(formatter, "host memory"),
            CUDA => write!(formatter, "CUDA GPU {number}"),
            ROCM => write!(formatter, "ROCm GPU {number}"),
            other => write!(formatter, "device {number} of DLPack's type {other}"),
        }
    }
}

/// An element type.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DLDataType {
    /// What kind of number.
    pub code: u8,
    /// Bits of a number.
    pub bits: u8,
    /// The numbers in an element; 1 unless elements are vectors.
    pub lanes: u16,
}

/// A tensor that is borrowed.
#[repr(C)]
#[derive(Debug)]
pub struct DLTensor {
    /// The start of the memory.
    pub data: *mut c_void,
    /// Where it is.
    pub device: DLDevice,
    /// The number of dimensions.
    pub ndim: i32,
    /// The element type.
    pub dtype: DLDataType,
    /// The dimensions.
    pub shape: *mut i64,
    /// The distances of elements along each dimension, in elements; null if dense row-major.
    pub strides: *mut i64,
    /// Where the first element is, from `data`.
    pub byte_offset: u64,
}

/// A tensor with its owner.
#[repr(C)]
#[derive(Debug)]
pub struct DLManagedTensor {
    /// The tensor.
    pub dl_tensor: DLTensor,
    /// The owner's business.
    pub manager_ctx: *mut c_void,
    /// Frees the tensor and this struct; may be null.
    pub deleter: Option<unsafe extern "C" fn(*mut DLManagedTensor)>,
}

/// Memory of another library, given back when it is dropped.
pub(crate) struct Imported {
    owner: *mut DLManagedTensor,
    start: *mut u8,
}

// SAFETY: the tensor was handed over to us as a whole; DLPack lets any thread call the deleter.
unsafe impl Send for Imported {}
// SAFETY: nothing is changed through a shared reference.
unsafe impl Sync for Imported {}

impl Imported {
    /// # Safety
    /// `owner` is a valid tensor that is handed over, whose data begin at `start`.
    pub(crate) unsafe fn new(owner: *mut DLManagedTensor, start: *mut u8) -> Self {
        Self { owner, start }
    }

    pub(crate) fn start(&self) -> *mut u8 {
        self.start
    }
}

impl Drop for Imported {
    fn drop(&mut self) {
        // SAFETY: the owner was handed over to us, and is given back once.
        unsafe {
            if let Some(deleter) = (*self.owner).deleter {
                deleter(self.owner);
            }
        }
    }
}
