//! What is taken to be right.

use super::part::{Part, Places};
use crate::{
    DriverError,
    compile::CompileOptions,
    exposed::{self, Exposed, Inner, Tensors},
    npz, output,
};
use melior::{Context, ir::Module};
use relay_passes::pipeline::Precision;
use relay_runtime::{Model, Port, Tensor};
use serde::Serialize;
use std::{
    collections::BTreeSet,
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
        let compiled = |exposed: &Exposed<'_>, options| {
            exposed::run(context, exposed.keep(|_| true), inputs, &options, threads)
        };
        match self {
            Self::OnnxRuntime(python) => {
                let names = exposed.tensors.iter().map(|tensor| &tensor.port);
                let found = onnx_runtime(python, asked, names, &[Tensors::new()])?;
                Ok(found.into_iter().next().unwrap_or_default())
            }
            Self::F32 | Self::Unoptimised => compiled(exposed, self.options(options)),
            Self::Library(path) => exposed::run_library(&Model::load(path)?, inputs, threads),
            Self::Model(path) => {
                let other = Exposed::load(context, path, &options.reading)?;
                compiled(&other, self.options(options))
            }
            Self::Values(path) => {
                let names = npz::names(path)?;
                let known = |tensor: &&Inner| names.contains(&tensor.port.name);
                let ports = exposed.tensors.iter().filter(known);
                let ports: Vec<Port> = ports.map(|tensor| tensor.port.clone()).collect();
                Ok(named(&ports, npz::read(path, &ports)?))
            }
        }
    }

    /// The tensors of the places `wanted` in several cases: each has values that replace inputs, and tensors that nodes
    /// compute. `None` if this reference does not compute that.
    ///
    /// # Errors
    /// If the reference cannot be computed.
    pub fn moved(
        &self,
        asked: &Asked<'_, '_>,
        cases: &[Tensors],
        wanted: &Places,
    ) -> Result<Option<Vec<Tensors>>, DriverError> {
        let Asked {
            context,
            exposed,
            options,
            ..
        } = *asked;
        let wanted: Vec<&Port> = wanted
            .iter()
            .map(|place| &exposed.tensors[*place].port)
            .collect();
        let compiled = |exposed: &Exposed<'_>| {
            let part = part_with(context, exposed, cases, &wanted);
            part.map(|mut part| exposed::to_model(context, &mut part, &self.options(options)))
                .transpose()
        };
        let model = match self {
            Self::OnnxRuntime(python) => {
                let found = onnx_runtime(python, asked, wanted.iter().copied(), cases);
                return found.map(Some);
            }
            Self::F32 | Self::Unoptimised => compiled(exposed)?,
            Self::Model(path) => compiled(&Exposed::load(context, path, &options.reading)?)?,
            Self::Library(path) => {
                let is_input = |name: &String| asked.inputs.contains_key(name);
                let mut names = cases.iter().flat_map(Tensors::keys);
                names.all(is_input).then(|| Model::load(path)).transpose()?
            }
            Self::Values(_) => None,
        };
        let Some(model) = model else {
            return Ok(None);
        };
        let run = |case: &Tensors| {
            let mut given = asked.inputs.clone();
            given.extend(case.clone());
            exposed::run_library(&model, &given, asked.threads)
        };
        cases.iter().map(run).collect::<Result<_, _>>().map(Some)
    }

    /// How a reference is compiled beside a model that is compiled so.
    fn options(&self, options: &CompileOptions) -> CompileOptions {
        let mut own = options.clone();
        own.insert.clear();
        if matches!(self, Self::F32 | Self::Unoptimised) {
            own.precision = Precision::F32;
        }
        if matches!(self, Self::Unoptimised) {
            own.opt_level = 0;
        }
        own
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

/// What computes tensors of a model, with those of cases as inputs where nodes compute them; `None` if the model has no
/// tensor of such a name.
fn part_with<'c>(
    context: &'c Context,
    exposed: &Exposed<'_>,
    cases: &[Tensors],
    wanted: &[&Port],
) -> Option<Module<'c>> {
    let inputs = exposed.inputs();
    let place = |name: &str| {
        let mut tensors = exposed.tensors.iter();
        tensors.position(|tensor| tensor.port.name == name)
    };
    let mut given = Places::new();
    for name in cases.iter().flat_map(Tensors::keys) {
        match place(name) {
            Some(place) => given.insert(place),
            None if inputs.iter().any(|port| port.name == *name) => continue,
            None => return None,
        };
    }
    let wanted: Option<Places> = wanted.iter().map(|port| place(&port.name)).collect();
    Some(Part::new(exposed, &given, &wanted?).module(context))
}

/// Tensors with the names of their ports.
fn named(ports: &[Port], tensors: Vec<Tensor>) -> Tensors {
    let names = ports.iter().map(|port| port.name.clone());
    names.zip(tensors).collect()
}

/// The cases that ONNX Runtime computes in one process, as its script reads them.
#[derive(Serialize)]
struct Request<'a> {
    /// The tensors to save.
    names: Vec<&'a str>,
    /// The tensors of each case that nodes compute, and that are given instead.
    given: Vec<&'a String>,
    /// How many cases there are.
    cases: usize,
}

/// Has ONNX Runtime compute tensors in several cases: with values that replace inputs, and tensors that nodes compute.
fn onnx_runtime<'a>(
    python: &Path,
    asked: &Asked<'_, '_>,
    wanted: impl Iterator<Item = &'a Port>,
    cases: &[Tensors],
) -> Result<Vec<Tensors>, DriverError> {
    let fail = |reason: String| DriverError::Reference {
        program: python.into(),
        reason,
    };
    let is_onnx = |ending: &std::ffi::OsStr| ending == "onnx";
    if !asked.model.extension().is_some_and(is_onnx) {
        let reason = "ONNX Runtime reads .onnx files; compare another model with --ref opt0";
        return Err(fail(reason.into()));
    }
    let folder = output::temporary_folder()?;
    let file = |name: &str| folder.path().join(name);
    let ports: Vec<Port> = wanted.cloned().collect();
    let replaced = cases.iter().flat_map(Tensors::keys);
    let given: BTreeSet<&String> = replaced
        .filter(|name| !asked.inputs.contains_key(*name))
        .collect();
    let request = Request {
        names: ports.iter().map(|port| port.name.as_str()).collect(),
        given: given.into_iter().collect(),
        cases: cases.len(),
    };
    let request = serde_json::to_vec(&request).map_err(|error| fail(error.to_string()))?;
    let (script, request_file) = (file("script.py"), file("request.json"));
    output::write(&script, ONNX_RUNTIME.as_bytes())?;
    output::write(&request_file, &request)?;
    for (number, case) in cases.iter().enumerate() {
        let mut tensors = asked.inputs.clone();
        tensors.extend(case.clone());
        npz::write_all(&file(&format!("inputs-{number}.npz")), &tensors)?;
    }
    run_python(python, [&script, asked.model, folder.path()]).map_err(fail)?;
    let read = |number| {
        let tensors = npz::read(&file(&format!("outputs-{number}.npz")), &ports)?;
        Ok(named(&ports, tensors))
    };
    (0..cases.len()).map(read).collect()
}

/// Runs a script.
fn run_python(python: &Path, words: [&Path; 3]) -> Result<(), String> {
    let output = Command::new(python)
        .args(words)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .output()
        .map_err(|error| {
            format!("cannot be run: {error}; name a Python with --python or RELAY_PYTHON")
        })?;
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
