//! Tensors that the caller hands over and gets back.

use crate::{
    arena::Arena,
    dlpack::Imported,
    dtype::{DType, Element},
    error::RuntimeError,
};
use std::fmt;

/// A block of bytes that is aligned for the widest vectors.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
struct Line([u8; 64]);

/// Where a tensor's elements are.
enum Storage {
    Owned(Vec<Line>),
    /// A mapping, for large tensors: zeros that nobody has to write, in huge pages.
    Mapped(Arena),
    Imported(Imported),
}

/// Tensors of this many bytes and more have a mapping of their own.
const MAPPED_BYTES: usize = 8 << 20;

impl Storage {
    /// `None` if there is no such memory.
    fn zeros(length: usize) -> Option<Self> {
        if length < MAPPED_BYTES {
            return Some(Self::Owned(vec![Line([0; 64]); length.div_ceil(64)]));
        }
        Arena::new(length as u64).ok().map(Self::Mapped)
    }
}

/// A dense row-major tensor. The data of a tensor that we allocate starts at a multiple of 64 bytes; that of a
/// tensor from DLPack ([`Tensor::from_dlpack`]) stays where it is.
pub struct Tensor {
    dtype: DType,
    shape: Vec<i64>,
    length: usize,
    storage: Storage,
}

/// The bytes of a dense tensor; `None` for negative dimensions, or too many elements.
pub(crate) fn byte_length(dtype: DType, shape: &[i64]) -> Option<usize> {
    let length = if shape.contains(&0) {
        0
    } else {
        shape.iter().try_fold(dtype.size(), |length, dim| {
            length.checked_mul(usize::try_from(*dim).ok()?)
        })?
    };
    let valid = shape.iter().all(|dim| *dim >= 0) && length <= isize::MAX as usize;
    valid.then_some(length)
}

impl Tensor {
    fn owned(dtype: DType, shape: &[i64], length: usize) -> Option<Self> {
        Some(Self {
            dtype,
            shape: shape.to_vec(),
            length,
            storage: Storage::zeros(length)?,
        })
    }

    pub(crate) fn imported(dtype: DType, shape: Vec<i64>, length: usize, data: Imported) -> Self {
        Self {
            dtype,
            shape,
            length,
            storage: Storage::Imported(data),
        }
    }

    /// A tensor of zeros.
    ///
    /// # Panics
    /// If a dimension is negative, or there is not enough memory. Shapes that come from users go through
    /// [`Tensor::try_zeros`].
    pub fn zeros(dtype: DType, shape: &[i64]) -> Self {
        match Self::try_zeros(dtype, shape) {
            Ok(tensor) => tensor,
            Err(error) => panic!("{error}"),
        }
    }

    /// A tensor of zeros.
    ///
    /// # Errors
    /// If a dimension is negative, or there is not enough memory.
    pub fn try_zeros(dtype: DType, shape: &[i64]) -> Result<Self, RuntimeError> {
        let tensor = byte_length(dtype, shape).and_then(|length| Self::owned(dtype, shape, length));
        tensor.ok_or_else(|| {
            RuntimeError::Run(format!(
                "there is not enough memory for a tensor of {dtype} {shape:?}"
            ))
        })
    }

    /// A tensor from its elements' bytes; `None` if they are not as many as the shape says, or there is not enough
    /// memory.
    pub fn from_bytes(dtype: DType, shape: &[i64], bytes: &[u8]) -> Option<Self> {
        let length = byte_length(dtype, shape).filter(|length| *length == bytes.len())?;
        let mut tensor = Self::owned(dtype, shape, length)?;
        tensor.bytes_mut().copy_from_slice(bytes);
        Some(tensor)
    }

    /// A tensor from its elements; `None` if they are not as many as the shape says.
    pub fn from_slice<T: Element>(shape: &[i64], values: &[T]) -> Option<Self> {
        // SAFETY: elements have no padding, so all their bytes are initialised.
        let bytes = unsafe {
            std::slice::from_raw_parts(values.as_ptr().cast::<u8>(), size_of_val(values))
        };
        Self::from_bytes(T::DTYPE, shape, bytes)
    }

    /// A tensor of 32-bit floats; `None` if they are not as many as the shape says.
    pub fn from_f32(shape: &[i64], values: &[f32]) -> Option<Self> {
        Self::from_slice(shape, values)
    }

    /// The element type.
    pub fn dtype(&self) -> DType {
        self.dtype
    }

    /// The dimensions.
    pub fn shape(&self) -> &[i64] {
        &self.shape
    }

    fn data(&self) -> *const u8 {
        match &self.storage {
            Storage::Owned(lines) => lines.as_ptr().cast(),
            Storage::Mapped(arena) => arena.data().cast_const().cast(),
            Storage::Imported(data) => data.start().cast_const(),
        }
    }

    /// The elements' bytes.
    pub fn bytes(&self) -> &[u8] {
        // SAFETY: lines and mappings are plain bytes, and there are at least `length` of them;
        // imported data is as long as its producer promised.
        unsafe { std::slice::from_raw_parts(self.data(), self.length) }
    }

    /// The elements' bytes, to be changed.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        let data = match &mut self.storage {
            Storage::Owned(lines) => lines.as_mut_ptr().cast(),
            Storage::Mapped(arena) => arena.data().cast(),
            Storage::Imported(data) => data.start(),
        };
        // SAFETY: as above; the borrow is unique.
        unsafe { std::slice::from_raw_parts_mut(data, self.length) }
    }

    /// The elements; `None` if the tensor holds another type.
    pub fn as_slice<T: Element>(&self) -> Option<&[T]> {
        // SAFETY: the data is aligned for its element type (imports are checked), and every
        // pattern of bytes is an element.
        (self.dtype == T::DTYPE).then(|| unsafe {
            std::slice::from_raw_parts(self.data().cast(), self.length / size_of::<T>())
        })
    }

    /// The elements of a tensor of 32-bit floats; `None` for other types.
    pub fn to_f32(&self) -> Option<Vec<f32>> {
        self.as_slice().map(<[f32]>::to_vec)
    }
}

impl Clone for Tensor {
    /// A copy of the elements, also of an imported tensor's.
    fn clone(&self) -> Self {
        let mut copy = Self::zeros(self.dtype, &self.shape);
        copy.bytes_mut().copy_from_slice(self.bytes());
        copy
    }
}

impl fmt::Debug for Tensor {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Tensor({} {:?})", self.dtype, self.shape)
    }
}
