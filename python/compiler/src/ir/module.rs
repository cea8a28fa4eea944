//! What Python calls on a module.

use super::{
    handles::{Block, Operation},
    store::Module,
};
use crate::{
    compile::{Texts, reading},
    errors,
};
use pyo3::{
    prelude::*,
    types::{PyBytes, PyString},
};
use relay_dialects::{parse, pass::with_diagnostics};
use relay_driver::frontend::{self, Unsaid};
use std::path::PathBuf;

#[pymethods]
impl Module {
    /// A module from MLIR text or bytecode; without it, an empty one. `name` stands for the file in locations.
    #[new]
    #[pyo3(signature = (source=None, name="-"))]
    fn new(source: Option<&Bound<'_, PyAny>>, name: &str) -> PyResult<Self> {
        let bytes = match source {
            None => b"module {}".to_vec(),
            Some(source) => match source.cast::<PyString>() {
                Ok(text) => text.to_cow()?.as_bytes().to_vec(),
                Err(_) => source.extract()?,
            },
        };
        Self::make(|context| {
            let (module, reasons) = with_diagnostics(context, || parse(context, &bytes, name));
            module.ok_or_else(|| errors::of_ir(format!("not valid MLIR:\n{reasons}")))
        })
    }

    /// The module that the compiler makes of a model file.
    #[staticmethod]
    fn of_file(
        path: PathBuf,
        shapes: Texts<Vec<String>>,
        dims: Texts<String>,
        types: Texts<String>,
        values: Texts<String>,
        files: (Option<PathBuf>, Vec<PathBuf>),
        choice: (Option<String>, Vec<String>),
    ) -> PyResult<Self> {
        let mut reading = reading(shapes, dims, types, values, files, choice)?;
        reading.unsaid = Unsaid::Open;
        Self::make(|context| {
            frontend::load(context, &path, &reading).map_err(|error| errors::of_driver(&error))
        })
    }

    /// The module's own operation, which holds all others.
    #[getter]
    fn operation(slf: &Bound<'_, Self>) -> Operation {
        Operation::lend(slf, slf.borrow().root())
    }

    /// The block that holds its functions.
    #[getter]
    fn body(slf: &Bound<'_, Self>) -> Block {
        Block::of(Self::operation(slf), 0, 0)
    }

    /// Its text. Constants of more than 16 elements are elided on request.
    #[pyo3(signature = (*, elide=false, locations=false))]
    fn to_text(&self, elide: bool, locations: bool) -> String {
        let root = self.root();
        if elide || locations {
            root.to_text(locations)
        } else {
            root.to_string()
        }
    }

    fn __str__(&self) -> String {
        self.root().to_string()
    }

    /// Its bytecode, constants included.
    fn to_bytecode<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.root().to_bytecode())
    }

    /// Runs a pipeline such as `fuse-ops,relay-to-te,lower-te`. All operations that Python knows are gone then.
    fn run(&self, pipeline: &str) -> PyResult<()> {
        let result = self.run_passes(pipeline);
        result.map_err(|reasons| errors::of_ir(format!("{pipeline} failed:\n{reasons}")))
    }

    /// Raises if the module is not valid; the text says where.
    fn verify(&self) -> PyResult<()> {
        let root = self.root();
        let (valid, reasons) =
            self.with_context(|context| with_diagnostics(context, || root.verify()));
        match valid {
            true => Ok(()),
            false => Err(errors::of_ir(format!(
                "the module is not valid:\n{reasons}"
            ))),
        }
    }

    /// The function, or other symbol, of that name.
    fn lookup(slf: &Bound<'_, Self>, name: &str) -> Option<Operation> {
        let found = slf.borrow().root().lookup(name);
        found.map(|op| Operation::lend(slf, op))
    }
}
