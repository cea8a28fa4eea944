//! What a model or a library is.

use crate::{
    compile::How,
    errors,
    report::{Told, tell},
};
use pyo3::prelude::*;
use relay_driver::{
    DriverError, frontend::Unsaid, inspect as model, inspect_library as library,
    notes::with_warnings,
};
use relay_import::onnx::{Metadata, Onnx};
use std::{collections::BTreeMap, path::PathBuf};

/// A model's summary.
#[pyfunction]
pub fn inspect(py: Python<'_>, path: PathBuf, how: How) -> PyResult<Told> {
    let mut options = how.options()?;
    options.reading.unsaid = Unsaid::Open;
    let (summary, _) = py.detach(|| with_warnings(|| model::inspect(&path, &options)));
    tell(&summary.map_err(|error| errors::of_driver(&error))?)
}

/// A library's summary.
#[pyfunction]
pub fn inspect_library(py: Python<'_>, path: PathBuf) -> PyResult<Told> {
    let summary = py.detach(|| library::inspect_library(&path));
    tell(&summary.map_err(|error| errors::of_driver(&error))?)
}

/// What an ONNX file says of its model: the producer, the graph's name, the domain, the descriptions of the model and of
/// the graph, the version, and further facts.
type Facts = (
    String,
    String,
    String,
    String,
    String,
    i64,
    BTreeMap<String, String>,
);

/// What an ONNX file says of its model.
#[pyfunction]
pub fn onnx_metadata(py: Python<'_>, path: PathBuf) -> PyResult<Facts> {
    let model = py.detach(|| Onnx::open(&path));
    let model = model.map_err(|error| errors::of_driver(&DriverError::Import(error)))?;
    let Metadata {
        producer,
        domain,
        version,
        description,
        graph,
        graph_description,
        properties,
    } = model.metadata();
    Ok((
        producer,
        graph,
        domain,
        description,
        graph_description,
        version,
        properties,
    ))
}
