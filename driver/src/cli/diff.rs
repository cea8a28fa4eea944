//! `relayc diff`.

use super::{how::How, json, log::Voice};
use crate::{
    DriverError,
    compile::Emit,
    diff::{DiffOptions, Reference, Tolerance, diff},
};
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Args {
    /// The model, as relayc compile takes it
    model: PathBuf,
    /// The reference: "onnxruntime"; "f32", the model without --precision; "opt0", the model without
    /// optimisations; or a file: a library or another model, compared by tensor names, or the tensors
    /// themselves (.npz) [default: onnxruntime for .onnx, opt0 for .mlir]
    #[arg(long = "ref", value_name = "REFERENCE")]
    reference: Option<String>,
    /// Find the node in the unchanged build: expose one tensor inside a kernel at a time. By default, all
    /// tensors are exposed, and no operators are fused
    #[arg(long)]
    bisect: bool,
    /// The inputs (.npz, by tensor name); without them, seeded random ones
    #[arg(long)]
    inputs: Option<PathBuf>,
    /// The seed of random inputs
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// The absolute tolerance of an element [default: 1e-4, for bf16 0.05]
    #[arg(long)]
    atol: Option<f64>,
    /// The relative tolerance of an element [default: 1e-3, for bf16 0.05]
    #[arg(long)]
    rtol: Option<f64>,
    /// The number of threads; 0 for as many as this process may use
    #[arg(long, default_value_t = 0)]
    threads: usize,
    /// A Python with onnxruntime
    #[arg(long, env = "RELAY_PYTHON", default_value = "python3")]
    python: PathBuf,
    /// The folder for the differing node alone [default: the model's name with .diff]
    #[arg(long, value_name = "DIR")]
    reproducer: Option<PathBuf>,
    /// Print JSON, as docs/json.md describes it
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    how: How,
}

impl Args {
    /// Compares a model with a reference; an error if they differ.
    pub fn run(self, voice: Voice) -> Result<(), DriverError> {
        let options = self.how.options(Emit::Library, voice)?;
        let reference = self.reference.as_deref();
        let reference = reference.unwrap_or(Reference::usual_of(&self.model));
        let reference = Reference::parse(reference, &self.python).map_err(DriverError::Usage)?;
        let usual = Tolerance::usual_of(options.precision);
        let name = PathBuf::from(self.model.file_name().unwrap_or_default());
        let how = DiffOptions {
            reference,
            inputs: self.inputs,
            seed: self.seed,
            tolerance: Tolerance {
                absolute: self.atol.unwrap_or(usual.absolute),
                relative: self.rtol.unwrap_or(usual.relative),
            },
            bisect: self.bisect,
            threads: self.threads,
            reproducer: self
                .reproducer
                .unwrap_or_else(|| name.with_extension("diff")),
        };
        let report = diff(&self.model, &options, &how)?;
        json::print(self.json, &report)?;
        match &report.first {
            Some(first) => Err(DriverError::Found(format!(
                "{}: {first} differs",
                self.model.display()
            ))),
            None => Ok(()),
        }
    }
}
