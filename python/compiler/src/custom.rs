//! Operators that Python declares: `relay_mlir.register_op`. What they mean is asked from Python, in texts of MLIR.

use crate::{errors, ir::to_python};
use pyo3::{prelude::*, types::PyDict};
use relay_dialects::{
    ir::{Attr, Ctx, Type},
    relay::{
        Pattern,
        custom::{self, Attribute, Declaration, Holds, Meaning, Request},
    },
    signatures::Operands,
};
use relay_driver::plugins;
use std::path::PathBuf;

/// A declaration, as keyword arguments.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Given {
    name: String,
    /// How many operands there are at least, and whether there may be more.
    operands: (usize, bool),
    results: usize,
    /// Names, what they hold, and defaults in MLIR's text.
    attributes: Vec<(String, String, Option<String>)>,
    fusion: String,
    onnx: Option<(String, String)>,
    torch: Option<String>,
}

/// Registers an operator. `relation` gets texts of types and attributes, and returns texts of types; `compute` gets the types of
/// results, too, and returns the text of a module.
#[pyfunction]
pub fn register_op(declared: Given, relation: Py<PyAny>, compute: Py<PyAny>) -> PyResult<()> {
    let (count, is_variadic) = declared.operands;
    let attributes = declared
        .attributes
        .into_iter()
        .map(|(name, holds, default)| {
            let holds = Holds::of_name(&holds).ok_or_else(|| {
                errors::of_ir(format!(
                    "attribute '{name}' holds {holds}, which no attribute does"
                ))
            })?;
            Ok(Attribute {
                name,
                holds,
                default,
            })
        });
    let pattern = Pattern::of_name(&declared.fusion).ok_or_else(|| {
        let names: Vec<&str> = Pattern::NAMES.iter().map(|(name, _)| *name).collect();
        errors::of_ir(format!(
            "fusion is \"{}\", not one of {}",
            declared.fusion,
            names.join(", ")
        ))
    })?;
    let declaration = Declaration {
        name: declared.name,
        operands: match is_variadic {
            true => Operands::AtLeast(count),
            false => Operands::Exactly(count),
        },
        results: declared.results,
        attributes: attributes.collect::<PyResult<_>>()?,
        pattern,
        onnx: declared.onnx,
        torch: declared.torch,
    };
    let meaning = InPython { relation, compute };
    custom::register(declaration, Box::new(meaning)).map_err(errors::of_ir)?;
    custom::use_one_thread();
    Ok(())
}

/// Loads a library that declares operators, which stay for as long as the process lives.
#[pyfunction]
pub fn load_operators(path: PathBuf) -> PyResult<()> {
    let loaded = plugins::load_operators(&path);
    loaded.map_err(|error| errors::of_driver(&error))
}

/// The number of results of an operator from outside; none if no operator of this name is registered.
#[pyfunction]
pub fn count_results(name: &str) -> Option<usize> {
    let known = custom::find(name).ok();
    known.map(|known| known.declaration.results)
}

/// A form of open dimensions, in the one way to write it.
#[pyfunction]
pub fn dimension(text: &str) -> PyResult<String> {
    let dim = relay_dialects::dim::Dim::parse(text);
    dim.map(|dim| dim.to_string()).map_err(errors::of_ir)
}

/// Functions of Python.
struct InPython {
    relation: Py<PyAny>,
    compute: Py<PyAny>,
}

impl Meaning for InPython {
    fn relation(&self, request: &Request) -> Result<Vec<Type>, String> {
        let texts: Vec<String> = Python::attach(|py| {
            let result = values(py, request.attributes).and_then(|attributes| {
                let given = (texts(&request.operands), attributes);
                self.relation.call1(py, given)?.extract(py)
            });
            result.map_err(|error| reason(py, "its type relation", &error))
        })?;
        let types = texts.iter().map(|text| parsed(request.ctx, text));
        types.collect()
    }

    fn compute(&self, request: &Request) -> Result<String, String> {
        let [operands, results] = [&request.operands, &request.results].map(|types| texts(types));
        Python::attach(|py| {
            let result = values(py, request.attributes).and_then(|attributes| {
                let given = (operands, results, attributes);
                self.compute.call1(py, given)?.extract(py)
            });
            result.map_err(|error| reason(py, "its compute", &error))
        })
    }
}

fn parsed(ctx: Ctx, text: &str) -> Result<Type, String> {
    Type::parse(ctx, text).ok_or_else(|| format!("its type relation gives {text}, no type"))
}

fn texts(types: &[Type]) -> Vec<String> {
    types.iter().map(ToString::to_string).collect()
}

fn values<'py>(py: Python<'py>, attributes: Attr) -> PyResult<Bound<'py, PyDict>> {
    let values = PyDict::new(py);
    for (name, attr) in attributes.as_entries().unwrap_or_default() {
        values.set_item(name, to_python(py, attr)?)?;
    }
    Ok(values)
}

/// Why Python's function gave nothing: its message, if it refuses; with the trace, if that is a mistake in it.
fn reason(py: Python<'_>, whose: &str, error: &PyErr) -> String {
    if error.is_instance_of::<errors::OpError>(py) {
        return error.value(py).to_string();
    }
    let trace = error.traceback(py).and_then(|trace| trace.format().ok());
    format!(
        "{whose} raised {error}\n{}",
        trace.unwrap_or_default().trim_end()
    )
}
