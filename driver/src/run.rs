//! Running a model, compiled or not.

use crate::{
    DriverError,
    compile::{CompileOptions, Emit, compile, library_name},
    npz, output,
    sizes::{Sizes, sized_inputs},
};
use relay_runtime::{Model, Port, Session, Tensor};
use std::{
    path::Path,
    time::{Duration, Instant},
};

/// Whether a file is a compiled model, by its name.
pub fn is_library(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "so")
}

/// Loads a compiled model, or compiles one first if the file is not a library.
///
/// # Errors
/// See [`DriverError`].
pub fn load_or_compile(path: &Path, options: &CompileOptions) -> Result<Model, DriverError> {
    if is_library(path) {
        return Ok(Model::load(path)?);
    }
    let folder = output::temporary_folder()?;
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
/// If the file does not hold the model's inputs, or there is not enough memory for them.
pub fn inputs(ports: &[Port], file: Option<&Path>, seed: u64) -> Result<Vec<Tensor>, DriverError> {
    match file {
        Some(path) => npz::read(path, ports),
        None => Ok(npz::random(ports, seed)?),
    }
}

/// Inputs of a library from a file, or seeded random ones; `sizes` are those of its open dimensions.
///
/// # Errors
/// As [`inputs`], and if sizes are missing, or belong to no dimension.
pub fn inputs_of(
    model: &Model,
    sizes: &Sizes,
    file: Option<&Path>,
    seed: u64,
) -> Result<Vec<Tensor>, DriverError> {
    match file {
        Some(_) if !sizes.is_empty() => Err(DriverError::Usage(
            "--dim says sizes of random inputs, and those of --inputs have their own; leave one of the two out".into(),
        )),
        Some(path) => npz::read(path, model.inputs()),
        None => Ok(npz::random(&sized_inputs(model, sizes)?, seed)?),
    }
}

/// Runs a model `repeat` times; returns the outputs and the time of each run.
///
/// # Errors
/// If the inputs do not fit the model.
pub fn run(
    session: &mut dyn Session,
    inputs: &[Tensor],
    repeat: usize,
) -> Result<(Vec<Tensor>, Vec<Duration>), DriverError> {
    let inputs: Vec<&Tensor> = inputs.iter().collect();
    let mut outputs = session.run(&inputs)?;
    let mut times = Vec::new();
    for _ in 0..repeat {
        let start = Instant::now();
        session.run_into(&inputs, &mut outputs)?;
        times.push(start.elapsed());
    }
    Ok((outputs, times))
}

#[cfg(test)]
mod tests {
    use super::*;
    use relay_runtime::{DType, NodeTime, RuntimeError, check};

    /// A model in the test's process that counts its runs into its output: it needs no library and no machine
    /// code.
    struct Counter {
        ports: [Port; 1],
        runs: i64,
    }

    impl Session for Counter {
        fn name(&self) -> &str {
            "counter"
        }

        fn inputs(&self) -> &[Port] {
            &[]
        }

        fn outputs(&self) -> &[Port] {
            &self.ports
        }

        fn run_into(
            &mut self,
            inputs: &[&Tensor],
            outputs: &mut [Tensor],
        ) -> Result<(), RuntimeError> {
            check("input", &[], inputs)?;
            self.runs += 1;
            outputs[0]
                .bytes_mut()
                .copy_from_slice(&self.runs.to_ne_bytes());
            Ok(())
        }

        fn profile(&self) -> Vec<NodeTime> {
            Vec::new()
        }
    }

    #[test]
    fn whatever_is_a_session_can_be_run() {
        let port = Port::new("runs", DType::I64, []);
        let mut session = Counter {
            ports: [port],
            runs: 0,
        };
        let (outputs, times) = run(&mut session, &[], 3).expect("it runs");
        assert_eq!(outputs[0].as_slice::<i64>(), Some(&[4][..]));
        assert_eq!(times.len(), 3);
        assert!(run(&mut session, &outputs, 0).is_err(), "it has no inputs");
    }
}
