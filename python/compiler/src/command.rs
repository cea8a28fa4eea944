//! The `relayc` command.

use pyo3::prelude::*;
use relay_driver::cli;
use std::ffi::OsString;

/// Runs `relayc` with arguments, of which the first one is its name; returns whether it did what they say. `program` are
/// the words that start it anew. `--help` and wrong arguments end the process.
#[pyfunction]
pub fn command(py: Python<'_>, arguments: Vec<OsString>, program: Vec<OsString>) -> bool {
    py.detach(|| cli::run(arguments, Some(&program)))
}
