//! Samples of a model's inputs, in files of numpy's.

use crate::{DriverError, compile::CompileOptions, npz};
use relay_dialects::ir::DYNAMIC;
use relay_runtime::{Model, Port, Session, Tensor};
use std::path::{Path, PathBuf};

/// The rows that a run takes of an input with an open first dimension.
const ROWS: i64 = 16;

/// Where samples are: an archive, or a folder of archives. Arrays have the names of the model's inputs, and a sample in each row.
#[derive(Clone, Debug)]
pub struct Samples {
    files: Vec<PathBuf>,
    /// The most runs of the model; `None` for all that there is data for.
    limit: Option<usize>,
}

impl Samples {
    /// The samples in an archive or a folder.
    ///
    /// # Errors
    /// If there is nothing to read.
    pub fn open(path: &Path, limit: Option<usize>) -> Result<Self, DriverError> {
        if !path.is_dir() {
            return Ok(Self {
                files: vec![path.into()],
                limit,
            });
        }
        let entries = path.read_dir().map_err(DriverError::io(path))?;
        let mut files = Vec::new();
        for entry in entries {
            let file = entry.map_err(DriverError::io(path))?.path();
            if file.extension().is_some_and(|ending| ending == "npz") {
                files.push(file);
            }
        }
        files.sort();
        match files.is_empty() {
            true => Err(DriverError::Data {
                path: path.into(),
                reason: "holds no .npz files; numpy.savez writes them".into(),
            }),
            false => Ok(Self { files, limit }),
        }
    }

    /// Runs a model on all samples, and calls `visit` with the outputs of each run. Returns as [`Self::each`].
    ///
    /// # Errors
    /// As [`Self::each`], or if the model fails.
    pub fn run(
        &self,
        model: &Model,
        (options, threads): (&CompileOptions, usize),
        mut visit: impl FnMut(Vec<Tensor>),
    ) -> Result<usize, DriverError> {
        let mut session = model.instance(threads)?;
        self.each(model.inputs(), |inputs| {
            options.stop.check()?;
            visit(session.run(&inputs.iter().collect::<Vec<_>>())?);
            Ok(())
        })
    }

    /// Calls `visit` with the inputs of each run, in order. One file is in memory at a time. Returns the number of samples: rows
    /// of the first input.
    ///
    /// # Errors
    /// If a file does not hold the inputs, or `visit` fails.
    pub fn each(
        &self,
        ports: &[Port],
        mut visit: impl FnMut(&[Tensor]) -> Result<(), DriverError>,
    ) -> Result<usize, DriverError> {
        let mut rows = 0;
        let mut runs = 0;
        for file in &self.files {
            for inputs in runs_of(file, ports)? {
                if self.limit.is_some_and(|limit| rows >= limit) {
                    return Ok(rows);
                }
                visit(&inputs)?;
                runs += 1;
                let first = inputs.first().and_then(|input| input.shape().first());
                rows += first.map_or(1, |rows| *rows as usize);
            }
        }
        match runs {
            0 => Err(DriverError::Data {
                path: self.files[0].clone(),
                reason: "holds no whole batch of samples".into(),
            }),
            _ => Ok(rows),
        }
    }
}

/// The inputs of each run that a file has data for.
fn runs_of(file: &Path, ports: &[Port]) -> Result<Vec<Vec<Tensor>>, DriverError> {
    let any_rows = |port: &Port| {
        let mut shape = port.shape.clone();
        if let Some(rows) = shape.first_mut() {
            *rows = DYNAMIC;
        }
        Port::new(&port.name, port.dtype, shape)
    };
    let wide: Vec<Port> = ports.iter().map(any_rows).collect();
    let tensors = npz::read(file, &wide)?;
    let parts = ports.iter().zip(&tensors);
    let parts: Vec<Vec<Tensor>> = parts.map(|(port, tensor)| split(port, tensor)).collect();
    let runs = parts.iter().map(Vec::len).max().unwrap_or_default();
    for (port, parts) in ports.iter().zip(&parts) {
        // What is the same in all runs is there once.
        if parts.len() != runs && parts.len() != 1 {
            return Err(DriverError::Data {
                path: file.into(),
                reason: format!(
                    "array '{}' has data for {} runs, others have it for {runs}; give each input as many samples",
                    port.name,
                    parts.len()
                ),
            });
        }
    }
    let run = |number: usize| -> Vec<Tensor> {
        let of = |parts: &Vec<Tensor>| parts[number.min(parts.len() - 1)].clone();
        parts.iter().map(of).collect()
    };
    Ok((0..runs).map(run).collect())
}

/// A tensor in the parts that runs take. Rows that fill no batch are left out.
fn split(port: &Port, tensor: &Tensor) -> Vec<Tensor> {
    let shape = tensor.shape();
    let (Some(all), Some(batch)) = (shape.first(), port.shape.first()) else {
        return vec![tensor.clone()];
    };
    let is_open = *batch < 0;
    let rows = if is_open { ROWS.min(*all) } else { *batch };
    if rows <= 0 || *all == 0 {
        return Vec::new();
    }
    let bytes = tensor.bytes();
    let per_row = bytes.len() / *all as usize;
    let part = |bytes: &[u8]| {
        let own = (bytes.len() / per_row.max(1)) as i64;
        let shape = [&[own], &shape[1..]].concat();
        Tensor::from_bytes(tensor.dtype(), &shape, bytes)
    };
    let parts = bytes.chunks((per_row * rows as usize).max(1));
    let whole = parts.filter(|part| is_open || part.len() == per_row * rows as usize);
    whole.filter_map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use relay_runtime::DType;

    fn saved(rows: i64) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let path = folder.path().join("a.npz");
        let ports = [
            Port::new("x", DType::F32, [rows, 2]),
            Port::new("k", DType::I64, [1]),
        ];
        let tensors = npz::random(&ports, 1).expect("there is memory");
        npz::write(&path, &ports, &tensors).expect("the file is written");
        (folder, path)
    }

    fn shapes(path: &Path, first: i64, limit: Option<usize>) -> (usize, Vec<i64>) {
        let ports = [
            Port::new("x", DType::F32, [first, 2]),
            Port::new("k", DType::I64, [1]),
        ];
        let samples = Samples::open(path, limit).expect("it is there");
        let mut found = Vec::new();
        let rows = samples.each(&ports, |inputs| {
            assert_eq!(inputs[1].shape(), [1], "it is the same in all runs");
            found.push(inputs[0].shape()[0]);
            Ok(())
        });
        (rows.expect("it is read"), found)
    }

    #[test]
    fn rows_are_batches() {
        let (folder, path) = saved(20);
        assert_eq!(shapes(&path, 8, None), (16, vec![8, 8]));
        assert_eq!(shapes(&path, DYNAMIC, None), (20, vec![16, 4]));
        assert_eq!(shapes(&path, 1, Some(3)), (3, vec![1, 1, 1]));
        assert_eq!(shapes(folder.path(), 8, None), (16, vec![8, 8]));
    }

    #[test]
    fn data_for_no_run_is_an_error() {
        let (_folder, path) = saved(3);
        let samples = Samples::open(&path, None).expect("it is there");
        let ports = [Port::new("x", DType::F32, [8, 2])];
        let error = samples
            .each(&ports, |_| Ok(()))
            .expect_err("3 rows are no batch of 8");
        assert!(error.to_string().contains("no whole batch"), "{error}");
    }
}
