//! Tensors to and from other libraries by DLPack.

use crate::{
    element,
    errors::{self, InputError},
    held::Held,
    memory,
};
use numpy::PyUntypedArray;
use pyo3::{
    exceptions::PyBufferError,
    ffi, intern,
    prelude::*,
    types::{PyCapsule, PyDict, PyTuple},
};
use relay_runtime::{
    DType,
    device::{DeviceMemory, DeviceTensor},
    dlpack::{CPU, CUDA, DLDevice, DLManagedTensor},
};
use std::{
    ffi::CStr,
    ptr::NonNull,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// The name of a capsule that holds a tensor.
const FRESH: &CStr = c"dltensor";
/// Its name after somebody took the tensor.
const USED: &CStr = c"used_dltensor";

/// What is said of a tensor that is gone.
const GONE: &str = "the tensor was handed over before; it can be taken once";

/// An output that is in memory of the runtime, or of the GPU that the model runs on: what a model returns where
/// `dlpack=True` or `device` asks for it, and of a type that numpy lacks where `ml_dtypes` is not installed. Every
/// library that speaks DLPack takes it without a copy, once: `torch.from_dlpack(tensor)`,
/// `jax.dlpack.from_dlpack(tensor)`, `numpy.from_dlpack(tensor)`. Models read it as often as it is given to them.
#[pyclass(frozen, module = "relay_mlir")]
pub struct Tensor {
    /// `None` once it was handed over. Runs that read it share it.
    held: Mutex<Option<Arc<Held>>>,
    dtype: DType,
    dimensions: Vec<i64>,
    place: DLDevice,
}

impl Tensor {
    /// What Python is given for a tensor.
    pub fn new(tensor: Held) -> Self {
        Self {
            dtype: tensor.dtype(),
            dimensions: tensor.shape().to_vec(),
            place: tensor.place(),
            held: Mutex::new(Some(Arc::new(tensor))),
        }
    }

    /// The tensor, to be read.
    ///
    /// # Errors
    /// If it was handed over.
    pub fn shared(&self) -> PyResult<Arc<Held>> {
        let held = self.held();
        let held = held.as_ref().map(Arc::clone);
        held.ok_or_else(|| PyBufferError::new_err(GONE))
    }

    fn held(&self) -> MutexGuard<'_, Option<Arc<Held>>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is handed over to a device: the tensor, or a copy of it.
    fn handed_over(&self, device: Option<(i32, i32)>, copy: Option<bool>) -> PyResult<Held> {
        let is_here = device.is_none_or(|device| device == self.__dlpack_device__());
        let to_host = !is_here && device.is_some_and(|(device_type, _)| device_type == CPU);
        if !is_here && (!to_host || copy == Some(false)) {
            let place = self.place;
            return Err(PyBufferError::new_err(format!(
                "the tensor lies in the memory of {place}; take it from there, or let it be copied to host memory"
            )));
        }
        match copy {
            _ if to_host => self.shared()?.to_host().map(Held::Host),
            Some(true) => self.shared()?.copy(),
            _ => self.take(),
        }
    }

    /// Takes the tensor out.
    fn take(&self) -> PyResult<Held> {
        let mut held = self.held();
        let taken = held.take().ok_or_else(|| PyBufferError::new_err(GONE))?;
        Arc::try_unwrap(taken).map_err(|shared| {
            *held = Some(shared);
            PyBufferError::new_err("a model reads the tensor now; take it after the run")
        })
    }
}

#[pymethods]
impl Tensor {
    /// A copy of an array of numpy: in host memory, or on the GPU that models of a kind run on, `cuda` or `rocm`.
    #[staticmethod]
    #[pyo3(signature = (array, device="cpu"))]
    fn from_numpy(array: &Bound<'_, PyUntypedArray>, device: &str) -> PyResult<Self> {
        let tensor = memory::tensor_of(array)?;
        if device == "cpu" {
            return Ok(Self::new(Held::Host(tensor)));
        }
        let copy = DeviceMemory::open(device).and_then(|memory| {
            let copy = DeviceTensor::from_host(&memory, &tensor)?;
            Ok(Held::Device(copy, memory))
        });
        copy.map(Self::new)
            .map_err(|error| errors::of_runtime(&error))
    }

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

    /// Hands the tensor over. The run that computed it has ended, so no `stream` has to wait for it.
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
        capsule(py, self.handed_over(dl_device, copy)?)
    }

    /// The device of DLPack that it is on: the host's memory, or the GPU of the model.
    fn __dlpack_device__(&self) -> (i32, i32) {
        (self.place.device_type, self.place.device_id)
    }

    /// A copy of its elements as an array of numpy. The tensor can still be taken.
    fn numpy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyUntypedArray>> {
        let Some(descriptor) = element::descriptor(py, self.dtype)? else {
            let name = element::numpy_name(self.dtype);
            return Err(InputError::new_err(format!(
                "numpy has no type {name} without the package ml_dtypes"
            )));
        };
        memory::array_of(&descriptor, &self.shared()?.to_host()?)
    }

    fn __repr__(&self) -> String {
        let (dtype, shape) = (element::numpy_name(self.dtype), &self.dimensions);
        match self.place.is_host() {
            true => format!("Tensor({dtype}{shape:?})"),
            false => format!("Tensor({dtype}{shape:?}, {})", self.place),
        }
    }
}

/// A capsule that holds a tensor until it is taken.
fn capsule(py: Python<'_>, tensor: Held) -> PyResult<Bound<'_, PyCapsule>> {
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

/// Takes a tensor over from an object of another library, without copying. A model on a device takes tensors from its memory, too.
///
/// # Errors
/// If the object does not hand it over, or it is on another device, not dense, or of a type that we do not have.
pub fn take(given: &Bound<'_, PyAny>, device: Option<&DeviceMemory>) -> PyResult<Held> {
    let device = match device {
        Some(device) if is_on(given, device)? => Some(device),
        _ => None,
    };
    let capsule = match device {
        Some(device) => exported(given, device)?,
        None => given.call_method0(intern!(given.py(), "__dlpack__"))?,
    };
    let capsule = capsule.cast::<PyCapsule>().map_err(PyErr::from)?;
    let managed = capsule.pointer_checked(Some(FRESH)).map_err(|_| {
        InputError::new_err("its __dlpack__ returned no capsule with the name dltensor")
    })?;
    let managed: *mut DLManagedTensor = managed.as_ptr().cast();
    // SAFETY: a capsule of this name holds a tensor that whoever renames it owns. After an error it keeps its name,
    // and the tensor.
    unsafe {
        let tensor = match device {
            Some(memory) => DeviceTensor::from_dlpack(managed, memory.place())
                .map(|tensor| Held::Device(tensor, memory.clone())),
            None => relay_runtime::Tensor::from_dlpack(managed).map(Held::Host),
        };
        let tensor = tensor.map_err(|error| errors::of_runtime(&error))?;
        if ffi::PyCapsule_SetName(capsule.as_ptr(), USED.as_ptr()) != 0 {
            // Both would delete it.
            std::mem::forget(tensor);
            return Err(PyErr::fetch(given.py()));
        }
        Ok(tensor)
    }
}

/// Whether an object is in the memory of a model's device, and not in the host's.
///
/// # Errors
/// If it is in the memory of another device.
fn is_on(given: &Bound<'_, PyAny>, device: &DeviceMemory) -> PyResult<bool> {
    let place = given.call_method0(intern!(given.py(), "__dlpack_device__"))?;
    let (device_type, device_id) = place.extract()?;
    let place = DLDevice {
        device_type,
        device_id,
    };
    match place.is_host() {
        true => Ok(false),
        false => check_place(place, Some(device)).map(|()| true),
    }
}

/// Checks that a model can read a tensor at a place.
///
/// # Errors
/// If it is in the memory of a device on which the model does not run.
pub fn check_place(place: DLDevice, device: Option<&DeviceMemory>) -> PyResult<()> {
    match device {
        _ if place.is_host() => Ok(()),
        Some(device) if place == device.place() => Ok(()),
        None => Err(InputError::new_err(format!(
            "it lies on {place}, and the model runs on the processor; copy it to host memory first"
        ))),
        Some(device) => Err(InputError::new_err(format!(
            "it lies on {place}, and the model runs on {}; copy it there or to host memory, or choose the model's device by {}",
            device.describe(),
            device.number_variable()
        ))),
    }
}

/// The capsule of an object in the memory of a model's device. The model's streams wait for the device's default stream, so this is the
/// stream that has to wait for what computes the elements. Its number in the protocol is 1 for CUDA and 0 for ROCm.
fn exported<'py>(given: &Bound<'py, PyAny>, device: &DeviceMemory) -> PyResult<Bound<'py, PyAny>> {
    let py = given.py();
    let stream = i32::from(device.place().device_type == CUDA);
    let options = PyDict::new(py);
    options.set_item(intern!(py, "stream"), stream)?;
    given.call_method(intern!(py, "__dlpack__"), (), Some(&options))
}
