//! The exceptions of `relay_mlir.errors`, and what becomes which.

use pyo3::{PyErr, import_exception};
use relay_runtime::RuntimeError;

import_exception!(relay_mlir.errors, InputError);
import_exception!(relay_mlir.errors, LoadError);
import_exception!(relay_mlir.errors, RunError);

/// The exception for an error of the runtime.
pub fn of_runtime(error: &RuntimeError) -> PyErr {
    let told = (error.to_string(), error.code());
    match error {
        RuntimeError::Load { .. }
        | RuntimeError::NotAModel { .. }
        | RuntimeError::Damaged { .. } => LoadError::new_err(told),
        RuntimeError::Input(_) | RuntimeError::Import(_) => InputError::new_err(told),
        RuntimeError::Run(_) => RunError::new_err(told),
    }
}
