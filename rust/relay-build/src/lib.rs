//! Compiles models in build scripts.
//!
//! ```no_run
//! // build.rs
//! fn main() -> Result<(), relay_build::Error> {
//!     relay_build::Model::new("models/digits.onnx").target("x86-64-v3").compile()
//! }
//! ```
//!
//! The program brings in what that has written by `relay::include_model!("digits")`: a module `digits` with the compiled
//! library inside, in which `Session::run` takes an `ndarray` view of the right element type and rank for each
//! input, and returns a struct of arrays. `relayc` is the one that `RELAYC` names, or the one on the `PATH`.

mod module;

use relay_runtime::RuntimeError;
use std::{
    env, fmt, fs, io,
    path::{Path, PathBuf},
    process::Command,
};

/// The variable that names the compiler.
pub const COMPILER_VARIABLE: &str = "RELAYC";

/// A model to compile.
#[derive(Clone, Debug)]
pub struct Model {
    source: PathBuf,
    name: Option<String>,
    options: Vec<String>,
}

/// What keeps a model from being compiled.
#[derive(thiserror::Error)]
pub enum Error {
    /// The compiler could not be started.
    #[error(
        "cannot run {program}: {source}; install relay-mlir, or set RELAYC to the path of relayc"
    )]
    Compiler {
        /// Its name.
        program: String,
        /// Why.
        source: io::Error,
    },
    /// The compiler refused the model.
    #[error("relayc cannot compile {}:\n{message}", model.display())]
    Model {
        /// The model.
        model: PathBuf,
        /// What it says.
        message: String,
    },
    /// This is no build script, or one for another machine.
    #[error("{0}")]
    Script(String),
    /// A file could not be written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// What was compiled cannot be read.
    #[error(transparent)]
    Runtime(#[from] RuntimeError),
}

/// As a text, because a build script prints what its `main` returns like this.
impl fmt::Debug for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

impl Model {
    /// A model in a file, `.onnx` or `.mlir`; its name is the file's.
    pub fn new(source: impl Into<PathBuf>) -> Self {
        Self {
            source: source.into(),
            name: None,
            options: Vec::new(),
        }
    }

    /// Another name for the module.
    #[must_use]
    pub fn name(mut self, name: &str) -> Self {
        self.name = Some(name.into());
        self
    }

    /// The processor, as `relayc compile --target` takes it; that of the machine that builds if there is none.
    #[must_use]
    pub fn target(self, target: &str) -> Self {
        self.option("--target").option(target)
    }

    /// What products read, `f32` or `bf16`.
    #[must_use]
    pub fn precision(self, precision: &str) -> Self {
        self.option("--precision").option(precision)
    }

    /// Another option of `relayc compile`.
    #[must_use]
    pub fn option(mut self, option: &str) -> Self {
        self.options.push(option.into());
        self
    }

    /// Compiles the model and writes its module into `OUT_DIR`. Tells cargo to do so again when the model changes.
    ///
    /// # Errors
    /// If there is no relayc, it refuses the model, or a file cannot be written.
    pub fn compile(&self) -> Result<(), Error> {
        println!("cargo:rerun-if-changed={}", self.source.display());
        println!("cargo:rerun-if-env-changed={COMPILER_VARIABLE}");
        let (host, target) = (variable("HOST")?, variable("TARGET")?);
        if host != target {
            // What was compiled is loaded here, to find out its types.
            let reason = "relay-build compiles for the machine that builds only";
            return Err(Error::Script(format!("{reason}: {host}, not {target}")));
        }
        let folder = PathBuf::from(variable("OUT_DIR")?);
        let stem = self.source.file_stem().unwrap_or_default();
        let name = self.name.clone();
        let name = name.unwrap_or_else(|| stem.to_string_lossy().into_owned());
        let library = folder.join(format!("{name}.so"));
        self.run_compiler(&library)?;
        let model = relay_runtime::Model::load(&library)?;
        module::check(&model).map_err(Error::Script)?;
        let path = folder.join(format!("{name}.rs"));
        let written = fs::write(&path, module::text(&name, &model, &library));
        written.map_err(|source| Error::Io { path, source })
    }

    fn run_compiler(&self, library: &Path) -> Result<(), Error> {
        let program = env::var(COMPILER_VARIABLE).unwrap_or_else(|_| "relayc".into());
        let mut command = Command::new(&program);
        command.arg("compile").arg(&self.source).arg("-o");
        let result = command.arg(library).args(&self.options).output();
        let result = result.map_err(|source| Error::Compiler { program, source })?;
        if result.status.success() {
            return Ok(());
        }
        Err(Error::Model {
            model: self.source.clone(),
            message: String::from_utf8_lossy(&result.stderr).into_owned(),
        })
    }
}

fn variable(name: &str) -> Result<String, Error> {
    let missing = |_| {
        Error::Script(format!(
            "{name} is not set: this belongs into a build script"
        ))
    };
    env::var(name).map_err(missing)
}
