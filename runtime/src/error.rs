//! What can go wrong when a model is loaded or run.

use std::path::PathBuf;

/// An error of loading or running a model.
#[derive(Debug, thiserror::Error)]
pub enum RuntimeError {
    /// The file is not a library that the system can load.
    #[error("cannot load {}: {reason}; check that the file is a library made by this compiler for this machine", path.display())]
    Load {
        /// The file.
        path: PathBuf,
        /// What the system says.
        reason: String,
    },
    /// The library is not a compiled model, or was made by another version.
    #[error("{} is not a model for this runtime: {reason}; compile the model again", path.display())]
    NotAModel {
        /// The file.
        path: PathBuf,
        /// What it lacks.
        reason: String,
    },
    /// The file of a model was cut short or changed.
    #[error("{} is damaged: {reason}; copy it once more from where it came from, or compile the model again", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What does not fit together.
        reason: String,
    },
    /// The inputs do not fit the model.
    #[error("{0}")]
    Input(String),
    /// A tensor of another library cannot be used here.
    #[error("cannot import the tensor: {0}")]
    Import(String),
    /// The model reported an error.
    #[error("the model failed: {0}")]
    Run(String),
}

impl RuntimeError {
    /// The error's code: `relayc explain` has a page for each.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Load { .. } => "R0401",
            Self::NotAModel { .. } => "R0402",
            Self::Input(_) => "R0403",
            Self::Import(_) => "R0404",
            Self::Run(_) => "R0405",
            Self::Damaged { .. } => "R0406",
        }
    }
}
