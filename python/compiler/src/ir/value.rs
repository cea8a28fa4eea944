//! What Python calls on a value.

use super::{
    attribute,
    handles::{Operation, Place, Value},
};
use pyo3::prelude::*;

#[pymethods]
impl Value {
    /// Its type, as MLIR writes it.
    #[getter]
    fn r#type(&self, py: Python<'_>) -> PyResult<String> {
        Ok(self.value(py)?.ty().to_string())
    }

    /// Changes its type in place; what makes and what reads it has to fit.
    fn set_type(&self, py: Python<'_>, text: &str) -> PyResult<()> {
        let ty = attribute::parse_type(&self.module().bind(py).borrow(), text)?;
        self.value(py)?.set_ty(ty);
        Ok(())
    }

    /// In the body of a compute: the element of this tensor at some indices.
    fn __getitem__<'py>(
        slf: &Bound<'py, Self>,
        indices: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let ir = slf.py().import("relay_mlir.ir")?;
        ir.call_method1("element", (slf, indices))
    }

    /// The dimensions of its type; None where it has none. Those that are not known are negative.
    #[getter]
    fn shape(&self, py: Python<'_>) -> PyResult<Option<Vec<i64>>> {
        let ty = self.value(py)?.ty();
        Ok((ty.is_tensor() || ty.is_memref() || ty.is_vector()).then(|| ty.shape()))
    }

    /// The element type of its type, which is the type itself where that has no elements.
    #[getter]
    fn element_type(&self, py: Python<'_>) -> PyResult<String> {
        Ok(self.value(py)?.ty().element().to_string())
    }

    /// The operation that makes it; None for the argument of a block.
    #[getter]
    fn owner(&self, py: Python<'_>) -> Option<Operation> {
        match &self.place {
            Place::Result(op) => Some(op.again(py)),
            Place::Argument(_) => None,
        }
    }

    /// The operations that read it.
    #[getter]
    fn users(&self, py: Python<'_>) -> PyResult<Vec<Operation>> {
        let module = self.module().bind(py);
        let users = self.value(py)?.users().into_iter();
        Ok(users.map(|op| Operation::lend(module, op)).collect())
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        match self.r#type(py) {
            Ok(ty) => format!("<Value of type {ty}>"),
            Err(_) => "<Value that is gone>".into(),
        }
    }
}
