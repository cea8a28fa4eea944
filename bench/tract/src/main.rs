//! tract in a process of its own, told what to do by lines of JSON: the protocol of
//! `bench/worker.py`.

use ndarray_npy::{NpzReader, NpzWriter};
use serde::Deserialize;
use serde_json::{Value, json};
use std::{
    error::Error,
    fs::{self, File},
    io::{BufRead, Write},
    path::{Path, PathBuf},
    sync::Arc,
    time::Instant,
};
use tract_onnx::{
    prelude::{multithread::Executor, *},
    tract_hir::internal::tract_ndarray::{ArrayD, IxDyn, OwnedRepr},
};

/// A request, one a line.
#[derive(Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
enum Request {
    Prepare {
        model: PathBuf,
        inputs: PathBuf,
        threads: usize,
    },
    Run {
        runs: usize,
    },
    Outputs {
        to: PathBuf,
    },
    Memory,
}

type Answer = Result<Value, Box<dyn Error>>;

/// A model that can be run, its inputs, and the results of the last run.
struct Prepared {
    model: Arc<TypedRunnableModel>,
    inputs: TVec<TValue>,
    names: Vec<String>,
    results: TVec<TValue>,
}

struct Worker {
    prepared: Option<Prepared>,
    /// The memory of this process before it did anything.
    before: u64,
}

impl Worker {
    fn answer(&mut self, line: &str) -> Answer {
        match serde_json::from_str(line)? {
            Request::Prepare {
                model,
                inputs,
                threads,
            } => {
                let start = Instant::now();
                self.prepared = Some(prepare(&model, &inputs, threads)?);
                let seconds = start.elapsed().as_secs_f64();
                Ok(json!({"seconds": seconds, "version": version(), "facts": {}}))
            }
            Request::Run { runs } => {
                let times: Result<Vec<u64>, _> =
                    (0..runs).map(|_| self.prepared()?.run()).collect();
                Ok(json!({"times_ns": times?}))
            }
            Request::Outputs { to } => {
                self.prepared()?.write_results(&to)?;
                Ok(json!({}))
            }
            Request::Memory => {
                let peak = status_bytes("VmHWM:")?;
                Ok(json!({"peak_bytes": peak.saturating_sub(self.before)}))
            }
        }
    }

    fn prepared(&mut self) -> Result<&mut Prepared, Box<dyn Error>> {
        self.prepared
            .as_mut()
            .ok_or_else(|| "prepare comes first".into())
    }
}

/// Optimises a model and loads its inputs.
fn prepare(path: &Path, inputs: &Path, threads: usize) -> Result<Prepared, Box<dyn Error>> {
    if threads > 1 {
        multithread::set_default_executor(Executor::multithread(threads));
    }
    let model = tract_onnx::onnx().model_for_path(path)?;
    let names = model
        .outputs
        .iter()
        .map(|outlet| model.outlet_label(*outlet));
    let names = names
        .map(|name| name.unwrap_or_default().to_string())
        .collect();
    let mut archive = NpzReader::new(File::open(inputs)?)?;
    let order: Vec<String> = model
        .inputs
        .iter()
        .map(|o| model.node(o.node).name.clone())
        .collect();
    let inputs: Result<TVec<TValue>, _> =
        order.iter().map(|name| read(&mut archive, name)).collect();
    Ok(Prepared {
        model: model.into_optimized()?.into_runnable()?,
        inputs: inputs?,
        names,
        results: tvec!(),
    })
}

/// An input: floats, or 64-bit integers.
fn read(archive: &mut NpzReader<File>, name: &str) -> Result<TValue, Box<dyn Error>> {
    if let Ok(array) = archive.by_name::<OwnedRepr<f32>, IxDyn>(name) {
        return Ok(tensor(&array)?.into());
    }
    let array: ArrayD<i64> = archive.by_name(name)?;
    Ok(tensor(&array)?.into())
}

fn tensor<T: Datum + Copy>(array: &ArrayD<T>) -> TractResult<Tensor> {
    let values: Vec<T> = array.iter().copied().collect();
    Tensor::from_shape(array.shape(), &values)
}

impl Prepared {
    /// Runs once; the time in nanoseconds.
    fn run(&mut self) -> Result<u64, Box<dyn Error>> {
        let inputs = self.inputs.clone();
        let start = Instant::now();
        self.results = self.model.run(inputs)?;
        Ok(start.elapsed().as_nanos().try_into()?)
    }

    fn write_results(&self, to: &Path) -> Result<(), Box<dyn Error>> {
        let mut archive = NpzWriter::new(File::create(to)?);
        for (name, result) in self.names.iter().zip(&self.results) {
            let view = result.to_plain_array_view::<f32>()?;
            archive.add_array(name.as_str(), &view.to_owned())?;
        }
        archive.finish()?;
        Ok(())
    }
}

/// The version of tract that Cargo.toml pins.
fn version() -> &'static str {
    let manifest = include_str!("../Cargo.toml");
    let line = manifest
        .lines()
        .find_map(|line| line.strip_prefix("tract-onnx = \"="));
    line.map_or("", |rest| rest.trim_end_matches('"'))
}

/// A size in /proc/self/status, in bytes.
fn status_bytes(field: &str) -> Result<u64, Box<dyn Error>> {
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix(field));
    let kib = line.and_then(|rest| rest.split_whitespace().next());
    let kib: u64 = kib
        .ok_or("the field is missing in /proc/self/status")?
        .parse()?;
    Ok(kib * 1024)
}

fn main() -> Result<(), Box<dyn Error>> {
    let before = status_bytes("VmRSS:")?;
    let mut worker = Worker {
        prepared: None,
        before,
    };
    let mut answers = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let answer = worker.answer(&line?);
        let answer = answer.unwrap_or_else(|error| json!({"error": error.to_string()}));
        writeln!(answers, "{answer}")?;
        answers.flush()?;
    }
    Ok(())
}
