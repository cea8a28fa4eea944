//! What a caller gives for an input or output.

use crate::{
    dlpack, element,
    errors::InputError,
    held::{Form, Held},
    memory,
    ports::{Slot, describe},
};
use numpy::{PyArrayDescrMethods as _, PyUntypedArray, PyUntypedArrayMethods as _};
use pyo3::{
    intern,
    prelude::*,
    types::{PyDict, PyList, PyTuple},
};
use relay_runtime::{Tensor, before_run, device::DeviceMemory};
use std::{ffi::c_void, sync::Arc};

/// A value of an input or output, of its type and shape, dense and row-major.
pub enum Value<'py> {
    /// An array of numpy.
    Array(Bound<'py, PyUntypedArray>),
    /// A new tensor of ours, or one of another library that handed it over by DLPack.
    Tensor(Held),
    /// A tensor of ours that Python keeps, to be read.
    Shared(Arc<Held>),
    /// An object of another library that an output is written into, and its tensor.
    Lent(Bound<'py, PyAny>, Held),
}

impl<'py> Value<'py> {
    /// What is given for an input, copied only where its elements do not lie as the model reads them. `device` is that of the model.
    pub fn for_input(
        given: &Bound<'py, PyAny>,
        slot: &Slot,
        device: Option<&DeviceMemory>,
    ) -> PyResult<Self> {
        if let Ok(array) = given.cast::<PyUntypedArray>() {
            return array_for_input(array, slot).map(Self::Array);
        }
        let py = given.py();
        if let Ok(own) = given.cast::<dlpack::Tensor>() {
            return shared_tensor(own, slot, device).map(Self::Shared);
        }
        if given.hasattr(intern!(py, "__dlpack__"))? && !is_numpy_scalar(given)? {
            return tensor_of(given, slot, device).map(Self::Tensor);
        }
        let numpy = py.import(intern!(py, "numpy"))?;
        let keywords = PyDict::new(py);
        // Numbers of Python have no element type of their own.
        let is_plain = given.is_instance_of::<PyList>()
            || given.is_instance_of::<PyTuple>()
            || !given.hasattr(intern!(py, "__array__"))?;
        if let Some(descriptor) = slot.descriptor(py).filter(|_| is_plain) {
            keywords.set_item(intern!(py, "dtype"), descriptor)?;
        }
        let array = numpy
            .getattr(intern!(py, "asarray"))?
            .call((given,), Some(&keywords))
            .map_err(|error| in_slot(py, &error, slot))?;
        array_for_input(array.cast()?, slot).map(Self::Array)
    }

    /// The array or tensor that an output is to be written into. `device` is that of the model.
    pub fn for_output(
        given: &Bound<'py, PyAny>,
        slot: &Slot,
        device: Option<&DeviceMemory>,
    ) -> PyResult<Self> {
        let Ok(array) = given.cast::<PyUntypedArray>() else {
            let py = given.py();
            // A number of numpy exports a copy of itself, and a tensor of ours is gone after it was handed over.
            let is_lent = given.hasattr(intern!(py, "__dlpack__"))?
                && !is_numpy_scalar(given)?
                && !given.is_instance_of::<dlpack::Tensor>();
            if is_lent {
                let tensor = tensor_of(given, slot, device)?;
                return Ok(Self::Lent(given.clone(), tensor));
            }
            let kind = given.get_type().name()?;
            return Err(slot.differs(
                &format!("a {kind}"),
                "; outputs are written into numpy arrays, and tensors with __dlpack__",
            ));
        };
        check(array, slot)?;
        let refuse = |what: &str| {
            let title = slot.title();
            Err(InputError::new_err(format!("{title}: the array {what}")))
        };
        if !is_dense(array) {
            return refuse("is not dense, row-major and aligned, so it cannot be written into");
        }
        if !memory::is_writable(array) {
            return refuse("is read-only");
        }
        Ok(Self::Array(array.clone()))
    }

    /// A new output of a form. Arrays are tensors where numpy does not know the element type.
    pub fn new_output(
        py: Python<'py>,
        slot: &Slot,
        shape: &[i64],
        form: Form<'_>,
    ) -> PyResult<Self> {
        let shape = before_run(shape);
        match (form, slot.descriptor(py)) {
            (Form::Array, Some(descriptor)) => memory::empty(descriptor, &shape).map(Self::Array),
            _ => form.new_tensor(slot, &shape).map(Self::Tensor),
        }
    }

    /// An output of a form with the elements of a tensor.
    pub fn filled(py: Python<'py>, slot: &Slot, tensor: Tensor, form: Form<'_>) -> PyResult<Self> {
        match (form, slot.descriptor(py)) {
            (Form::Array, Some(descriptor)) => {
                memory::array_of(descriptor, &tensor).map(Self::Array)
            }
            _ => form.of_host(tensor).map(Self::Tensor),
        }
    }

    /// Whether it is in the memory of a device.
    pub fn is_on_device(&self) -> bool {
        let held = match self {
            Self::Array(_) => return false,
            Self::Tensor(held) | Self::Lent(_, held) => held,
            Self::Shared(held) => held,
        };
        matches!(held, Held::Device(..))
    }

    /// Its dimensions.
    pub fn shape(&self) -> Vec<i64> {
        match self {
            Self::Array(array) => array.shape().iter().map(|extent| *extent as i64).collect(),
            Self::Tensor(tensor) | Self::Lent(_, tensor) => tensor.shape().to_vec(),
            Self::Shared(tensor) => tensor.shape().to_vec(),
        }
    }

    /// The bytes of its elements.
    pub fn bytes(&self) -> usize {
        match self {
            Self::Array(array) => array.len() * array.dtype().itemsize(),
            Self::Tensor(tensor) | Self::Lent(_, tensor) => tensor.length(),
            Self::Shared(tensor) => tensor.length(),
        }
    }

    /// Where its elements begin, to be read.
    pub fn source(&self) -> *const c_void {
        match self {
            Self::Array(array) => memory::start(array).cast_const(),
            Self::Tensor(tensor) | Self::Lent(_, tensor) => tensor.source(),
            Self::Shared(tensor) => tensor.source(),
        }
    }

    /// Where its elements begin, to be written.
    pub fn target(&mut self) -> *mut c_void {
        match self {
            Self::Array(array) => memory::start(array),
            Self::Tensor(tensor) | Self::Lent(_, tensor) => tensor.target(),
            // Never an output.
            Self::Shared(tensor) => tensor.source().cast_mut(),
        }
    }

    /// What the caller gets.
    pub fn into_python(self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match self {
            Self::Array(array) => Ok(array.into_any()),
            Self::Lent(given, _) => Ok(given),
            Self::Shared(tensor) => {
                Ok(Bound::new(py, dlpack::Tensor::new(tensor.copy()?))?.into_any())
            }
            Self::Tensor(tensor) => Ok(Bound::new(py, dlpack::Tensor::new(tensor))?.into_any()),
        }
    }
}

/// The tensor that an object of another library hands over, of the slot's type and shape.
fn tensor_of(
    given: &Bound<'_, PyAny>,
    slot: &Slot,
    device: Option<&DeviceMemory>,
) -> PyResult<Held> {
    let tensor = dlpack::take(given, device).map_err(|error| in_slot(given.py(), &error, slot))?;
    check_tensor(&tensor, slot)?;
    Ok(tensor)
}

/// A tensor of ours, of the slot's type and shape, which Python keeps.
fn shared_tensor(
    given: &Bound<'_, dlpack::Tensor>,
    slot: &Slot,
    device: Option<&DeviceMemory>,
) -> PyResult<Arc<Held>> {
    let tensor = given.get().shared();
    let tensor = tensor
        .and_then(|tensor| dlpack::check_place(tensor.place(), device).map(|()| tensor))
        .map_err(|error| in_slot(given.py(), &error, slot))?;
    check_tensor(&tensor, slot)?;
    Ok(tensor)
}

/// Checks a tensor's type and shape.
fn check_tensor(tensor: &Held, slot: &Slot) -> PyResult<()> {
    let shape: Vec<usize> = tensor.shape().iter().map(|dim| *dim as usize).collect();
    if tensor.dtype() != slot.dtype || !slot.takes(&shape) {
        let name = element::numpy_name(tensor.dtype());
        return Err(slot.differs(&describe(name, &shape), ""));
    }
    Ok(())
}

/// Numbers of numpy are arrays without dimensions; they hand nothing over.
fn is_numpy_scalar(given: &Bound<'_, PyAny>) -> PyResult<bool> {
    let py = given.py();
    let generic = py
        .import(intern!(py, "numpy"))?
        .getattr(intern!(py, "generic"))?;
    given.is_instance(&generic)
}

/// An array of the slot's type and shape that is dense: the one that is given, or a copy.
fn array_for_input<'py>(
    array: &Bound<'py, PyUntypedArray>,
    slot: &Slot,
) -> PyResult<Bound<'py, PyUntypedArray>> {
    check(array, slot)?;
    if is_dense(array) {
        return Ok(array.clone());
    }
    let copy = array.call_method1(intern!(array.py(), "copy"), ("C",))?;
    Ok(copy.cast_into()?)
}

/// Whether elements lie one after another, the last dimension's together, each at a multiple of its size.
fn is_dense(array: &Bound<'_, PyUntypedArray>) -> bool {
    array.is_c_contiguous() && array.is_aligned()
}

/// Checks an array's type and shape.
fn check(array: &Bound<'_, PyUntypedArray>, slot: &Slot) -> PyResult<()> {
    let (dtype, py) = (array.dtype(), array.py());
    let same_type = slot
        .descriptor(py)
        .is_some_and(|known| known.is(&dtype) || known.is_equiv_to(&dtype));
    if same_type && slot.takes(array.shape()) {
        return Ok(());
    }
    let given = describe(&dtype.str()?.to_string(), array.shape());
    let name = element::numpy_name(slot.dtype);
    let remedy = match (same_type, slot.descriptor(py)) {
        (true, _) => String::new(),
        (false, Some(_)) => format!("; array.astype('{name}') makes one of this type"),
        (false, None) => "; numpy has no such type without the package ml_dtypes".into(),
    };
    Err(slot.differs(&given, &remedy))
}

/// An error that came up for a value of a slot, with the slot's name.
fn in_slot(py: Python<'_>, error: &PyErr, slot: &Slot) -> PyErr {
    let (title, reason) = (slot.title(), error.value(py));
    let named = InputError::new_err(format!("{title}: {reason}"));
    named.set_cause(py, Some(error.clone_ref(py)));
    named
}
