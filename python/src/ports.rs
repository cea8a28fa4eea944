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
    dimensions: Vec<Dimension>,
    /// Of an input, the output that may lie in its memory.
    #[pyo3(get)]
    donated: Option<String>,
}

/// A dimension, as Python has it.
#[derive(Clone, IntoPyObject)]
enum Dimension {
    /// A number.
    Known(i64),
    /// An open one: a form of names, such as `n` or `2*n + 1`.
    Open(String),
}

impl TensorInfo {
    /// What Python is told of a port; `outputs` are those that it may be donated to.
    pub fn of(port: &Port, outputs: &[Port]) -> Self {
        let donated = port.donated.and_then(|output| outputs.get(output));
        Self {
            name: port.name.clone(),
            dtype: element::numpy_name(port.dtype),
            dimensions: port
                .shape
                .iter()
                .zip(port.dimensions())
                .map(|(extent, text)| match *extent {
                    known @ 0.. => Dimension::Known(known),
                    _ => Dimension::Open(text),
                })
                .collect(),
            donated: donated.map(|output| output.name.clone()),
        }
    }
}

#[pymethods]
impl TensorInfo {
    /// Its dimensions: numbers, and texts for open ones.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.dimensions.clone())
    }

    fn __repr__(&self) -> String {
        let text = |dimension: &Dimension| match dimension {
            Dimension::Known(extent) => extent.to_string(),
            Dimension::Open(form) => form.clone(),
        };
        let shape: Vec<String> = self.dimensions.iter().map(text).collect();
        format!(
            "TensorInfo({:?}, {}[{}])",
            self.name,
            self.dtype,
            shape.join(", ")
        )
    }
}

/// A port, and what is asked of it in each call.
pub struct Slot {
    /// Its name.
    pub name: String,
    /// Its element type.
    pub dtype: DType,
    /// Its dimensions.
    pub port: Port,
    kind: &'static str,
    descriptor: Option<Py<PyArrayDescr>>,
}

impl Slot {
    /// The port of a model; `kind` is what messages call it.
    pub fn new(py: Python<'_>, kind: &'static str, port: &Port) -> PyResult<Self> {
        Ok(Self {
            name: port.name.clone(),
            dtype: port.dtype,
            port: port.clone(),
            kind,
            descriptor: element::descriptor(py, port.dtype)?.map(Bound::unbind),
        })
    }

    /// numpy's object for its element type; none for one that only `ml_dtypes` has, where that is not installed.
    pub fn descriptor<'a, 'py>(&'a self, py: Python<'py>) -> Option<&'a Bound<'py, PyArrayDescr>> {
        self.descriptor.as_ref().map(|known| known.bind(py))
    }

    /// Whether a tensor of this shape may be its: open dimensions take any extent.
    pub fn takes(&self, shape: &[usize]) -> bool {
        is_shape(&self.port.shape, shape)
    }

    /// Its name as messages have it: `input 'x'`.
    pub fn title(&self) -> String {
        format!("{} '{}'", self.kind, self.name)
    }

    /// Its type and shape, as [`describe`] has them, with the texts of open dimensions.
    pub fn expected(&self) -> String {
        format!(
            "{}{}",
            element::numpy_name(self.dtype),
            self.port.show_shape()
        )
    }

    /// The error that something of another type or shape was given.
    pub fn differs(&self, given: &str, remedy: &str) -> PyErr {
        let (title, expected) = (self.title(), self.expected());
        InputError::new_err(format!("{title}: expected {expected}, got {given}{remedy}"))
    }
}

/// Whether a shape is one that is wanted, where a negative extent stands for any.
pub fn is_shape(wanted: &[i64], shape: &[usize]) -> bool {
    // Extents of tensors in memory lose nothing as numbers with a sign.
    let fits = |(wanted, extent): (&i64, &usize)| *wanted < 0 || *wanted == *extent as i64;
    wanted.len() == shape.len() && wanted.iter().zip(shape).all(fits)
}

/// `float32[1, 3, 224, 224]`.
pub fn describe(dtype: &str, shape: &[usize]) -> String {
    format!("{dtype}{shape:?}")
}
