//! What a model or a library is.

use crate::{compile::How, errors, notes::with_warnings};
use pyo3::prelude::*;
use relay_driver::{inspect as model, inspect_library as library};
use serde::Serialize;
use std::{fmt::Display, path::PathBuf};

/// A summary as text, and as the JSON that `relayc inspect --json` prints.
type Told = (String, String);

/// A model's summary.
#[pyfunction]
pub fn inspect(py: Python<'_>, path: PathBuf, how: How) -> PyResult<Told> {
    let options = how.options()?;
    let (summary, _) = py.detach(|| with_warnings(|| model::inspect(&path, &options)));
    tell(&summary.map_err(|error| errors::of_driver(&error))?)
}

/// A library's summary.
#[pyfunction]
pub fn inspect_library(py: Python<'_>, path: PathBuf) -> PyResult<Told> {
    let summary = py.detach(|| library::inspect_library(&path));
    tell(&summary.map_err(|error| errors::of_driver(&error))?)
}

fn tell(summary: &(impl Serialize + Display)) -> PyResult<Told> {
    let json = serde_json::to_string(summary);
    let json = json.map_err(|error| errors::CompileError::new_err(error.to_string()))?;
    Ok((summary.to_string(), json))
}
