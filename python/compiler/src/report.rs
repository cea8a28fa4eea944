//! What verbs of the command find out, as text and as JSON.

use crate::{compile::How, errors, interruptible::interruptible};
use pyo3::{exceptions::PyValueError, prelude::*};
use relay_driver::{
    DriverError, codes,
    compile::CompileOptions,
    diff::{DiffOptions, Reference, Tolerance, diff as compare},
    measure::{MeasureOptions, measure},
    notes::with_warnings,
    sizes::Sizes,
};
use serde::Serialize;
use std::{fmt::Display, path::PathBuf};

/// A result as text, and as the JSON that `relayc` prints with `--json`.
pub type Told = (String, String);

/// Both forms of a result.
pub fn tell(result: &(impl Serialize + Display)) -> PyResult<Told> {
    let json = serde_json::to_string(result);
    let json = json.map_err(|error| errors::CompileError::new_err(error.to_string()))?;
    Ok((result.to_string(), json))
}

/// How to measure, as keyword arguments.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Measuring {
    threads: usize,
    repeat: usize,
    nodes: usize,
    explain: bool,
    html: Option<PathBuf>,
}

/// Measures a model or a library; returns the report and the warnings. Ctrl-C stops the compiler.
#[pyfunction]
pub fn bench(
    py: Python<'_>,
    model: PathBuf,
    measuring: Measuring,
    how: How,
) -> PyResult<(Told, Vec<String>)> {
    let Measuring {
        threads,
        repeat,
        nodes,
        explain,
        html,
    } = measuring;
    let measuring = MeasureOptions {
        threads,
        sizes: Sizes::new(),
        repeat,
        nodes,
        explain,
        html,
    };
    let work = |options: &CompileOptions| measure(&model, options, &measuring);
    report(py, how.options()?, work)
}

/// How to compare, as keyword arguments.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Comparing {
    /// `None` for the usual one of the model's kind.
    reference: Option<String>,
    inputs: Option<PathBuf>,
    seed: u64,
    /// `None` for what the precision asks for.
    atol: Option<f64>,
    rtol: Option<f64>,
    bisect: bool,
    threads: usize,
    reproducer: PathBuf,
    /// The Python that has ONNX Runtime.
    python: PathBuf,
}

/// Compares a model with a reference; returns the report and the warnings. Ctrl-C stops the compiler.
#[pyfunction]
pub fn diff(
    py: Python<'_>,
    model: PathBuf,
    comparing: Comparing,
    how: How,
) -> PyResult<(Told, Vec<String>)> {
    let options = how.options()?;
    let reference = comparing.reference.as_deref();
    let reference = reference.unwrap_or(Reference::usual_of(&model));
    let reference = Reference::parse(reference, &comparing.python);
    let usual = Tolerance::usual_of(options.precision);
    let comparing = DiffOptions {
        reference: reference.map_err(PyValueError::new_err)?,
        inputs: comparing.inputs,
        seed: comparing.seed,
        tolerance: Tolerance {
            absolute: comparing.atol.unwrap_or(usual.absolute),
            relative: comparing.rtol.unwrap_or(usual.relative),
        },
        bisect: comparing.bisect,
        threads: comparing.threads,
        reproducer: comparing.reproducer,
    };
    let work = |options: &CompileOptions| compare(&model, options, &comparing);
    report(py, options, work)
}

/// Does work that reports something, on another thread.
///
/// # Errors
/// What the work raises.
pub fn report<T: Serialize + Display + Send>(
    py: Python<'_>,
    options: CompileOptions,
    work: impl FnOnce(&CompileOptions) -> Result<T, DriverError> + Send,
) -> PyResult<(Told, Vec<String>)> {
    let (result, warnings) = interruptible(py, &options.stop, || with_warnings(|| work(&options)))?;
    let told = tell(&result.map_err(|error| errors::of_driver(&error))?)?;
    Ok((told, warnings))
}

/// The page of an error's code, or the titles of all.
#[pyfunction]
#[pyo3(signature = (code=None))]
pub fn explain(code: Option<&str>) -> PyResult<String> {
    codes::explain(code).map_err(PyValueError::new_err)
}
