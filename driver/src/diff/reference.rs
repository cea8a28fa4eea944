//! What is taken to be right.

use crate::{
    DriverError,
    compile::CompileOptions,
    exposed::{self, Exposed, Inner, Tensors},
    npz, output,
};
use melior::Context;
use relay_passes::pipeline::Precision;
use relay_runtime::{Model, Port};
use std::{
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// The program that has ONNX Runtime compute a model's tensors.
const ONNX_RUNTIME: &str = include_str!("onnxruntime.py");

/// Where the tensors come from that are taken to be right.
#[derive(Clone, Debug)]
pub enum Reference {
    /// ONNX Runtime, in this Python.
    OnnxRuntime(PathBuf),
    /// The model as it is compiled for f32.
    F32,
    /// The model as it is compiled without optimisations.
    Unoptimised,
    /// A library; its outputs.
    Library(PathBuf),
    /// Another model; its tensors of the same names.
    Model(PathBuf),
    /// The arrays of a file.
    Values(PathBuf),
}

impl Reference {
    /// The name of the reference that a model is compared with if none is named.
    pub fn usual_of(model: &Path) -> &'static str {
        match model.extension().and_then(|ending| ending.to_str()) {
            Some("onnx") => "onnxruntime",
            _ => "opt0",
        }
    }

    /// Reads what `--ref` says.
    ///
    /// # Errors
    /// If it is neither a reference with a name nor a file of a known kind.
    pub fn parse(text: &str, python: &Path) -> Result<Self, String> {
        let path = PathBuf::from(text);
        match (text, path.extension().and_then(|ending| ending.to_str())) {
            ("onnxruntime", _) => Ok(Self::OnnxRuntime(python.into())),
            ("f32", _) => Ok(Self::F32),
            ("opt0", _) => Ok(Self::Unoptimised),
            (_, Some("so")) => Ok(Self::Library(path)),
            (_, Some("onnx" | "mlir" | "mlirbc")) => Ok(Self::Model(path)),
            (_, Some("npz")) => Ok(Self::Values(path)),
            _ => Err(format!(
                "'{text}' is no reference: it is onnxruntime, f32, opt0, or a file: .so, .onnx, .mlir or .npz"
            )),
        }
    }

    /// The tensors of a model that are known, for these inputs.
    ///
    /// # Errors
    /// If the reference cannot be computed.
    pub fn tensors(&self, asked: &Asked<'_, '_>) -> Result<Tensors, DriverError> {
        let Asked {
            context,
            exposed,
            inputs,
            options,
            threads,
            ..
        } = *asked;
        let compiled = |options: CompileOptions| {
            exposed::run(context, exposed.keep(|_| true), inputs, &options, threads)
        };
        let plain = CompileOptions {
            insert: Vec::new(),
            ..options.clone()
        };
        match self {
            Self::OnnxRuntime(python) => onnx_runtime(python, asked),
            Self::F32 => compiled(CompileOptions {
                precision: Precision::F32,
                ..plain
            }),
            Self::Unoptimised => compiled(CompileOptions {
                precision: Precision::F32,
                opt_level: 0,
                ..plain
            }),
            Self::Library(path) => exposed::run_library(&Model::load(path)?, inputs, threads),
            Self::Model(path) => {
                let other = Exposed::load(context, path, &options.reading)?;
                exposed::run(context, other.keep(|_| true), inputs, &plain, threads)
            }
            Self::Values(path) => {
                let names = npz::names(path)?;
                let known = |tensor: &&Inner| names.contains(&tensor.port.name);
                let ports = exposed.tensors.iter().filter(known);
                let ports: Vec<Port> = ports.map(|tensor| tensor.port.clone()).collect();
                let tensors = npz::read(path, &ports)?;
                Ok(ports
                    .into_iter()
                    .map(|port| port.name)
                    .zip(tensors)
                    .collect())
            }
        }
    }
}

/// What a reference is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a, 'c> {
    /// Where modules are.
    pub context: &'c Context,
    /// The model's file.
    pub model: &'a Path,
    /// The model.
    pub exposed: &'a Exposed<'c>,
    /// Its inputs.
    pub inputs: &'a Tensors,
    /// How the model is compiled that is compared.
    pub options: &'a CompileOptions,
    /// The number of threads to run it with.
    pub threads: usize,
}

/// Has ONNX Runtime compute all tensors.
fn onnx_runtime(python: &Path, asked: &Asked<'_, '_>) -> Result<Tensors, DriverError> {
    let fail = |reason: String| DriverError::Reference {
        program: python.into(),
        reason,
    };
    if asked
        .model
        .extension()
        .is_none_or(|ending| ending != "onnx")
    {
        let reason = "ONNX Runtime reads .onnx files; compare another model with --ref opt0";
        return Err(fail(reason.into()));
    }
    let folder = output::temporary_folder()?;
    let [script, given, found] =
        ["script.py", "inputs.npz", "outputs.npz"].map(|name| folder.path().join(name));
    output::write(&script, ONNX_RUNTIME.as_bytes())?;
    npz::write_all(&given, asked.inputs)?;
    let ports: Vec<Port> = asked
        .exposed
        .tensors
        .iter()
        .map(|tensor| tensor.port.clone())
        .collect();
    let names: Vec<&str> = ports.iter().map(|port| port.name.as_str()).collect();
    let words = [&script, asked.model, &given, &found];
    run_python(python, words, &names.join("\n")).map_err(fail)?;
    let tensors = npz::read(&found, &ports)?;
    Ok(ports
        .into_iter()
        .map(|port| port.name)
        .zip(tensors)
        .collect())
}

/// Runs a script, and gives it `stdin`.
fn run_python(python: &Path, words: [&Path; 4], stdin: &str) -> Result<(), String> {
    let mut child = Command::new(python)
        .args(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| {
            format!("cannot be run: {error}; name a Python with --python or RELAY_PYTHON")
        })?;
    if let Some(mut pipe) = child.stdin.take() {
        // A program that ends early says why itself.
        let _ = pipe.write_all(stdin.as_bytes());
    }
    let output = child
        .wait_with_output()
        .map_err(|error| error.to_string())?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let last = said.trim().lines().last().unwrap_or("it does not say why");
    Err(if last.starts_with("cannot import") {
        format!(
            "{last}; install onnxruntime and numpy for it (pip install onnxruntime), name another \
             Python with --python or RELAY_PYTHON, or compare with --ref opt0"
        )
    } else {
        format!("ONNX Runtime failed: {last}")
    })
}
