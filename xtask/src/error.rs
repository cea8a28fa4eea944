//! What keeps a task from doing its work.

use std::path::{Path, PathBuf};

/// What keeps a task from doing its work; not what it finds.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file or folder cannot be read or written.
    #[error("{path}: {source}", path = path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The workspace's files cannot be listed.
    #[error(transparent)]
    Walk(#[from] ignore::Error),
    /// Cargo cannot read the workspace's manifests.
    #[error(transparent)]
    Metadata(#[from] cargo_metadata::Error),
    /// A program fails.
    #[error("{program} failed:\n{message}", program = program.display())]
    Program {
        /// The program.
        program: PathBuf,
        /// What it says.
        message: String,
    },
    /// Passes fail on an example of the documentation.
    #[error("{passes} failed:\n{message}")]
    Passes {
        /// The passes, as a pipeline.
        passes: String,
        /// Their diagnostics.
        message: String,
    },
}

/// What a task returns.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// Says which file or folder an error is about.
    pub(crate) fn at(path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        move |source| Self::Io {
            path: path.to_path_buf(),
            source,
        }
    }
}
