//! The exceptions of `relay_mlir.errors`, and what becomes which.

use pyo3::{PyErr, import_exception};
use relay_codegen::CodegenError;
use relay_dialects::visible;
use relay_driver::DriverError;
use std::fmt::Display;

import_exception!(relay_mlir.errors, CompileError);
import_exception!(relay_mlir.errors, IRError);
import_exception!(relay_mlir.errors, LoadError);
import_exception!(relay_mlir.errors, OpError);

/// The exception for an error of the compiler, with its whole text.
pub fn of_driver(error: &DriverError) -> PyErr {
    match error {
        DriverError::Runtime(known) => LoadError::new_err((shown(known), error.code())),
        other => CompileError::new_err((shown(other), error.code())),
    }
}

/// The exception for a target that does not exist.
pub fn of_codegen(error: &CodegenError) -> PyErr {
    CompileError::new_err((shown(error), error.code()))
}

/// The exception for IR that is not as it must be.
pub fn of_ir(text: impl Display) -> PyErr {
    IRError::new_err(shown(text))
}

/// A message as a terminal may show it.
fn shown(message: impl Display) -> String {
    visible(&message.to_string()).into_owned()
}
