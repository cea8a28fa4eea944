//! Tensors to and from other libraries by DLPack.

use crate::{
    element,
    errors::{self, InputError},
};
use pyo3::{
    exceptions::PyBufferError,
    ffi, intern,
    prelude::*,
    types::{PyCapsule, PyTuple},
};
use relay_runtime::{
    DType,
    dlpack::{CPU, DLManagedTensor},
};
use std::{
    ffi::CStr,
    ptr::NonNull,
    sync::{Mutex, PoisonError},
};

/// The name of a capsule that holds a tensor.
const FRESH: &CStr = c"dltensor";
/// Its name after somebody took the tensor.
const USED: &CStr = c"used_dltensor";

/// An output that is in memory of the runtime: what a model returns where `dlpack=True` asks for it, and of a type that
/// numpy lacks where `ml_dtypes` is not installed. Every library that speaks DLPack takes it without a copy, once:
/// `torch.from_dlpack(tensor)`, `jax.dlpack.from_dlpack(tensor)`, `numpy.from_dlpack(tensor)`.
#[pyclass(frozen, module = "relay_mlir")]
pub struct Tensor {
    held: Mutex<Option<relay_runtime::Tensor>>,
    dtype: DType,
    dimensions: Vec<i64>,
}

impl Tensor {
    /// What Python is given for a tensor.
    pub fn new(tensor: relay_runtime::Tensor) -> Self {
        Self {
            dtype: tensor.dtype(),
            dimensions: tensor.shape().to_vec(),
            held: Mutex::new(Some(tensor)),
        }
    }
}

#[pymethods]
impl Tensor {
    /// The name of its element type, as numpy has it.
    #[getter]
    fn dtype(&self) -> &'static str {
        element::numpy_name(self.dtype)
    }

    /// Its dimensions.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.dimensions)
    }

    /// Hands the tensor over; the protocol's arguments ask for nothing that memory of the host could not give.
    #[pyo3(signature = (*, stream=None, max_version=None, dl_device=None, copy=None))]
    fn __dlpack__<'py>(
        &self,
        py: Python<'py>,
        stream: Option<Bound<'py, PyAny>>,
        max_version: Option<Bound<'py, PyAny>>,
        dl_device: Option<(i32, i32)>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = (stream, max_version);
        if dl_device.is_some_and(|device| device != self.__dlpack_device__()) {
            let message = "the tensor is in host memory; take it from there";
            return Err(PyBufferError::new_err(message));
        }
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let tensor = if copy == Some(true) {
            held.clone()
        } else {
            held.take()
        };
        let tensor = tensor.ok_or_else(|| {
            PyBufferError::new_err("the tensor was handed over before; it can be taken once")
        })?;
        capsule(py, tensor)
    }

    /// The device of DLPack that it is on: the host's memory.
    fn __dlpack_device__(&self) -> (i32, i32) {
        (CPU, 0)
    }

    fn __repr__(&self) -> String {
        let (dtype, shape) = (element::numpy_name(self.dtype), &self.dimensions);
        format!("Tensor({dtype}{shape:?})")
    }
}

/// A capsule that holds a tensor until it is taken.
fn capsule(py: Python<'_>, tensor: relay_runtime::Tensor) -> PyResult<Bound<'_, PyCapsule>> {
    let managed = NonNull::new(tensor.into_dlpack().cast())
        .ok_or_else(|| PyBufferError::new_err("the tensor has no memory"))?;
    // SAFETY: the tensor stays as it is until its deleter is called, which the destructor does if nobody took it.
    unsafe { PyCapsule::new_with_pointer_and_destructor(py, managed, FRESH, Some(free)) }
}

/// Frees the tensor of a capsule that nobody took.
unsafe extern "C" fn free(capsule: *mut ffi::PyObject) {
    // SAFETY: Python calls this with a capsule of ours; under this name it holds a tensor that is ours to delete.
    unsafe {
        if ffi::PyCapsule_IsValid(capsule, FRESH.as_ptr()) == 0 {
            return;
        }
        let managed = ffi::PyCapsule_GetPointer(capsule, FRESH.as_ptr()).cast::<DLManagedTensor>();
        if let Some(deleter) = (*managed).deleter {
            deleter(managed);
        }
    }
}

/// Takes a tensor over from an object of another library, without copying.
///
/// # Errors
/// If the object does not hand it over, or it is on a device, not dense, or of a type that we do not have.
pub fn take(given: &Bound<'_, PyAny>) -> PyResult<relay_runtime::Tensor> {
    let capsule = given.call_method0(intern!(given.py(), "__dlpack__"))?;
    let capsule = capsule.cast::<PyCapsule>().map_err(PyErr::from)?;
    let managed = capsule.pointer_checked(Some(FRESH)).map_err(|_| {
        InputError::new_err("its __dlpack__ returned no capsule with the name dltensor")
    })?;
    // SAFETY: a capsule of this name holds a tensor that whoever renames it owns. After an error it keeps its name,
    // and the tensor.
    unsafe {
        let tensor = relay_runtime::Tensor::from_dlpack(managed.as_ptr().cast());
        let tensor = tensor.map_err(|error| errors::of_runtime(&error))?;
        if ffi::PyCapsule_SetName(capsule.as_ptr(), USED.as_ptr()) != 0 {
            // Both would delete it.
            std::mem::forget(tensor);
            return Err(PyErr::fetch(given.py()));
        }
        Ok(tensor)
    }
}
