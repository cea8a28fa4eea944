//! What can go wrong between a model and its results.

use relay_machine::TargetError;
use std::path::PathBuf;

/// An error of the driver.
#[derive(Debug, thiserror::Error)]
pub enum DriverError {
    /// A file could not be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A file could not be written to, which was found before any work.
    #[error("{}: {reason}", path.display())]
    Output {
        /// The file.
        path: PathBuf,
        /// Why, and what to do.
        reason: String,
    },
    /// The file is of no kind that we read.
    #[error("{}: {reason}", path.display())]
    Model {
        /// The file.
        path: PathBuf,
        /// What is wrong, and what to do.
        reason: String,
    },
    /// A pass failed; diagnostics say where.
    #[error("pass {pass} failed:\n{diagnostics}")]
    Pass {
        /// The pass, as in a pipeline.
        pass: String,
        /// What it reported.
        diagnostics: String,
    },
    /// A kernel cannot be compiled on its own.
    #[error("{model}: kernel {name}: {reason}")]
    Kernel {
        /// The model.
        model: String,
        /// The fused function.
        name: String,
        /// Why.
        reason: String,
    },
    /// What another program computes cannot be had.
    #[error("{}: {reason}", program.display())]
    Reference {
        /// The program.
        program: PathBuf,
        /// Why, and what to do.
        reason: String,
    },
    /// Input or output data do not fit.
    #[error("{path}: {reason}", path = path.display())]
    Data {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// A library with passes cannot be loaded.
    #[error("{}: {reason}", path.display())]
    Plugin {
        /// The file.
        path: PathBuf,
        /// Why, and what to do.
        reason: String,
    },
    /// What was asked for cannot be done.
    #[error("{0}")]
    Usage(String),
    /// What was looked for was found: no failure of the command, but of what it looked at.
    #[error("{0}")]
    Found(String),
    /// A file of records cannot be read or written.
    #[error(transparent)]
    Records(#[from] relay_tune::DatabaseError),
    /// The model could not be imported.
    #[error(transparent)]
    Import(#[from] relay_import::error::ImportError),
    /// A program could not be run to its end.
    #[error(transparent)]
    Interpreter(#[from] relay_interpreter::InterpreterError),
    /// Code generation failed.
    #[error(transparent)]
    Codegen(#[from] relay_codegen::CodegenError),
    /// Loading or running failed.
    #[error(transparent)]
    Runtime(#[from] relay_runtime::RuntimeError),
}

impl From<TargetError> for DriverError {
    fn from(error: TargetError) -> Self {
        Self::Codegen(error.into())
    }
}

impl DriverError {
    /// For `map_err` on file operations.
    pub fn io(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io { path, source }
    }
}

impl DriverError {
    /// The error's code: `relayc explain` has a page for each.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Io { .. } => "R0201",
            Self::Output { .. } => "R0202",
            Self::Model { .. } => "R0203",
            Self::Pass { .. } => "R0204",
            Self::Kernel { .. } => "R0205",
            Self::Reference { .. } => "R0206",
            Self::Data { .. } => "R0207",
            Self::Usage(_) => "R0208",
            Self::Found(_) => "R0209",
            Self::Plugin { .. } => "R0210",
            Self::Interpreter(_) => "R0211",
            Self::Records(_) => "R0212",
            Self::Import(error) => error.code(),
            Self::Codegen(error) => error.code(),
            Self::Runtime(error) => error.code(),
        }
    }
}
