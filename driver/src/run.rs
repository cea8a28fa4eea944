//! Running a model, compiled or not.

use crate::{
    DriverError,
    compile::{CompileOptions, Emit, compile, library_name},
    npz,
};
use relay_runtime::{Model, Tensor};
use std::{
    path::Path,
    time::{Duration, Instant},
};

/// Loads a compiled model, or compiles one first if the file is not a library.
///
/// # Errors
/// See [`DriverError`].
pub fn load_or_compile(path: &Path, options: &CompileOptions) -> Result<Model, DriverError> {
    if path.extension().is_some_and(|extension| extension == "so") {
        return Ok(Model::load(path)?);
    }
    let folder = tempfile::tempdir().map_err(DriverError::io("temporary folder"))?;
    let output = folder.path().join(format!("{}.so", library_name(path)));
    compile(
        path,
        &output,
        &CompileOptions {
            emit: Emit::Library,
            ..options.clone()
        },
    )?;
    // The mapping outlives the file.
    Ok(Model::load(&output)?)
}

/// Inputs from a file, or seeded random ones.
///
/// # Errors
/// If the file does not hold the model's inputs.
pub fn inputs(model: &Model, file: Option<&Path>, seed: u64) -> Result<Vec<Tensor>, DriverError> {
    match file {
        Some(path) => npz::read(path, model.inputs()),
        None => Ok(npz::random(model.inputs(), seed)),
    }
}

/// Runs a model `repeat` times; returns the outputs and the time of each run.
///
/// # Errors
/// If the inputs do not fit the model.
pub fn run(
    model: &Model,
    threads: usize,
    inputs: &[Tensor],
    repeat: usize,
) -> Result<(Vec<Tensor>, Vec<Duration>), DriverError> {
    let mut instance = model.instance(threads)?;
    let inputs: Vec<&Tensor> = inputs.iter().collect();
    let mut outputs = instance.run(&inputs)?;
    let mut times = Vec::new();
    for _ in 0..repeat {
        let start = Instant::now();
        instance.run_into(&inputs, &mut outputs)?;
        times.push(start.elapsed());
    }
    Ok((outputs, times))
}
