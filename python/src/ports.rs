//! Inputs and outputs of a model.

use crate::{element, errors::InputError};
use numpy::PyArrayDescr;
use pyo3::{prelude::*, types::PyTuple};
use relay_runtime::{DType, Port};

/// An input or output of a model.
#[pyclass(frozen, module = "relay_mlir")]
pub struct TensorInfo {
    /// Its name in the model.
    #[pyo3(get)]
    name: String,
    /// The name of its element type, as numpy has it: `float32`, `bool`, `bfloat16` ...
    #[pyo3(get)]
    dtype: &'static str,
    dimensions: Vec<i64>,
}

impl TensorInfo {
    /// What Python is told of a port.
    pub fn of(port: &Port) -> Self {
        Self {
            name: port.name.clone(),
            dtype: element::numpy_name(port.dtype),
            dimensions: port.shape.clone(),
        }
    }
}

#[pymethods]
impl TensorInfo {
    /// Its dimensions.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.dimensions)
    }

    fn __repr__(&self) -> String {
        let (name, dtype, shape) = (&self.name, self.dtype, &self.dimensions);
        format!("TensorInfo({name:?}, {dtype}{shape:?})")
    }
}

/// A port, and what is asked of it in each call.
pub struct Slot {
    /// Its name.
    pub name: String,
    /// Its element type.
    pub dtype: DType,
    /// Its dimensions; those of tensors in memory, so no number is lost.
    pub shape: Vec<usize>,
    kind: &'static str,
    descriptor: Option<Py<PyArrayDescr>>,
}

impl Slot {
    /// The port of a model; `kind` is what messages call it.
    pub fn new(py: Python<'_>, kind: &'static str, port: &Port) -> PyResult<Self> {
        Ok(Self {
            name: port.name.clone(),
            dtype: port.dtype,
            shape: port.shape.iter().map(|extent| *extent as usize).collect(),
            kind,
            descriptor: element::descriptor(py, port.dtype)?.map(Bound::unbind),
        })
    }

    /// numpy's object for its element type; none for bf16 where `ml_dtypes` is not installed.
    pub fn descriptor<'a, 'py>(&'a self, py: Python<'py>) -> Option<&'a Bound<'py, PyArrayDescr>> {
        self.descriptor.as_ref().map(|known| known.bind(py))
    }

    /// The bytes of its elements.
    pub fn bytes(&self) -> usize {
        self.shape.iter().product::<usize>() * self.dtype.size()
    }

    /// Its name as messages have it: `input 'x'`.
    pub fn title(&self) -> String {
        format!("{} '{}'", self.kind, self.name)
    }

    /// Its type and shape, as [`describe`] has them.
    pub fn expected(&self) -> String {
        describe(element::numpy_name(self.dtype), &self.shape)
    }

    /// The error that something of another type or shape was given.
    pub fn differs(&self, given: &str, remedy: &str) -> PyErr {
        let (title, expected) = (self.title(), self.expected());
        InputError::new_err(format!("{title}: expected {expected}, got {given}{remedy}"))
    }
}

/// `float32[1, 3, 224, 224]`.
pub fn describe(dtype: &str, shape: &[usize]) -> String {
    format!("{dtype}{shape:?}")
}
