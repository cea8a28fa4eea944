//! Handing tensors to and from other libraries without copying their elements, by DLPack. Only dense row-major
//! tensors are taken.

use crate::{
    DType, RuntimeError, Tensor,
    dlpack::{CPU, DLDevice, DLManagedTensor, DLTensor, Imported},
    tensor::byte_length,
};
use std::{ffi::c_void, ptr, slice};

/// An exported tensor, and what its `DLTensor` points to.
pub(crate) struct Exported<T> {
    managed: DLManagedTensor,
    shape: Vec<i64>,
    /// Who owns the elements.
    _owner: T,
}

impl<T> Exported<T> {
    /// Hands a tensor over whose elements are at `data`, which stays as it is where `owner` moves.
    pub(crate) fn hand_over(
        owner: T,
        dtype: DType,
        shape: Vec<i64>,
        (data, device): (*mut c_void, DLDevice),
    ) -> *mut DLManagedTensor {
        let exported = Box::into_raw(Box::new(Self {
            managed: DLManagedTensor {
                dl_tensor: DLTensor {
                    data,
                    device,
                    ndim: shape.len() as i32,
                    dtype: dtype.into(),
                    shape: ptr::null_mut(),
                    strides: ptr::null_mut(),
                    byte_offset: 0,
                },
                manager_ctx: ptr::null_mut(),
                deleter: Some(Self::delete),
            },
            shape,
            _owner: owner,
        }));
        // SAFETY: just made.
        unsafe {
            (*exported).managed.dl_tensor.shape = (*exported).shape.as_mut_ptr();
            (*exported).managed.manager_ctx = exported.cast();
            &raw mut (*exported).managed
        }
    }

    /// # Safety
    /// `managed` is null or from [`Exported::hand_over`], and is not used again.
    unsafe extern "C" fn delete(managed: *mut DLManagedTensor) {
        if managed.is_null() {
            return;
        }
        // SAFETY: as the caller promises.
        unsafe {
            let exported = (*managed).manager_ctx.cast::<Self>();
            drop(Box::from_raw(exported));
        }
    }
}

/// A tensor that was taken over.
pub(crate) struct Taken {
    pub(crate) dtype: DType,
    pub(crate) shape: Vec<i64>,
    /// The bytes of its elements.
    pub(crate) length: usize,
    pub(crate) data: Imported,
}

/// Takes a tensor over whose device is one that the caller wants.
///
/// # Errors
/// If it is not a dense row-major tensor of our element types there. The caller keeps the tensor then.
///
/// # Safety
/// As for [`Tensor::from_dlpack`].
pub(crate) unsafe fn take(
    managed: *mut DLManagedTensor,
    is_wanted: impl FnOnce(DLDevice) -> bool,
) -> Result<Taken, RuntimeError> {
    if managed.is_null() {
        return Err(RuntimeError::Import("the pointer is null".into()));
    }
    // SAFETY: as the caller promises.
    let view = unsafe { &(*managed).dl_tensor };
    if !is_wanted(view.device) {
        return Err(RuntimeError::Import(format!(
            "it lies on {}, which the model does not read; copy it to host memory first",
            view.device
        )));
    }
    // SAFETY: as the caller promises.
    let (dtype, shape, length) = unsafe { dense(view) }.map_err(RuntimeError::Import)?;
    let start = if length == 0 {
        // The data of a tensor without elements may be null, which a slice must not be.
        ptr::without_provenance_mut(64)
    } else {
        view.data
            .cast::<u8>()
            .wrapping_add(view.byte_offset as usize)
    };
    if start.is_null() || !start.addr().is_multiple_of(dtype.size()) {
        return Err(RuntimeError::Import(format!(
            "its data is at {start:?}, which is no place for elements of type {dtype}"
        )));
    }
    // SAFETY: the caller hands the tensor over, whose data begin there.
    let data = unsafe { Imported::new(managed, start) };
    Ok(Taken {
        dtype,
        shape,
        length,
        data,
    })
}

impl Tensor {
    /// Hands the tensor over to another library, without copying. Whoever takes it calls its
    /// `deleter` once.
    pub fn into_dlpack(mut self) -> *mut DLManagedTensor {
        // Moving the tensor moves none of its elements.
        let data = self.bytes_mut().as_mut_ptr().cast();
        let device = DLDevice {
            device_type: CPU,
            device_id: 0,
        };
        let (dtype, shape) = (self.dtype(), self.shape().to_vec());
        Exported::hand_over(self, dtype, shape, (data, device))
    }

    /// Takes a tensor over from another library, without copying.
    ///
    /// # Errors
    /// If it is not a dense row-major tensor of our element types in host memory. The caller keeps
    /// the tensor then.
    ///
    /// # Safety
    /// `managed` is a valid DLPack tensor that nobody else changes, reads while we change it, or
    /// deletes after a success.
    pub unsafe fn from_dlpack(managed: *mut DLManagedTensor) -> Result<Self, RuntimeError> {
        // SAFETY: as the caller promises.
        let taken = unsafe { take(managed, DLDevice::is_host) }?;
        let (dtype, shape) = (taken.dtype, taken.shape);
        Ok(Self::imported(dtype, shape, taken.length, taken.data))
    }
}

/// The type, the dimensions and the bytes of a tensor that we can use as it is.
///
/// # Safety
/// `view` is a valid DLPack tensor.
unsafe fn dense(view: &DLTensor) -> Result<(DType, Vec<i64>, usize), String> {
    let dtype = DType::from_dlpack(view.dtype)
        .ok_or_else(|| format!("its element type {:?} is not supported", view.dtype))?;
    let rank = usize::try_from(view.ndim).map_err(|_| format!("its rank is {}", view.ndim))?;
    // SAFETY: as the caller promises; the arrays have as many entries as dimensions.
    let (shape, strides) = unsafe {
        let list = |start: *mut i64| match rank {
            0 => &[][..],
            _ => slice::from_raw_parts(start, rank),
        };
        let strides = (!view.strides.is_null()).then(|| list(view.strides));
        (list(view.shape), strides)
    };
    let length = byte_length(dtype, shape).ok_or_else(|| format!("its shape is {shape:?}"))?;
    let mut expected = 1;
    for (dim, extent) in shape.iter().enumerate().rev() {
        // Where there is one element or none, its distance to the next does not matter.
        let differs = strides.is_some_and(|strides| strides[dim] != expected);
        if differs && *extent > 1 && length > 0 {
            return Err(format!(
                "its strides {:?} are not those of a dense row-major {shape:?}; make it \
                 contiguous first",
                strides.unwrap_or_default()
            ));
        }
        expected = expected.saturating_mul(*extent);
    }
    Ok((dtype, shape.to_vec(), length))
}
