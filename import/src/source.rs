//! The files of models.

use crate::{error::ImportError, graph::file::map_file};
use bytes::Bytes;
use std::path::{Path, PathBuf};

/// What is wanted of a model that has several uses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// The signature, by name; nothing for the one that the format takes by default.
    pub signature: Option<String>,
    /// The outputs, by name; none for all.
    pub outputs: Vec<String>,
}

/// A model's file.
#[derive(Clone, Debug)]
pub struct Source {
    /// Its name, for messages.
    pub path: PathBuf,
    /// Its contents.
    pub bytes: Bytes,
    /// Where other files of the model may lie: its folder.
    pub folder: Option<PathBuf>,
    /// Other files may be links that lead out of the folder, to files below this one. The caches of model hubs have such
    /// links.
    pub data_root: Option<PathBuf>,
    /// What is wanted of the model.
    pub choice: Choice,
}

impl Source {
    /// A file, whose bytes are mapped into memory.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn open(path: &Path, data_root: Option<&Path>) -> Result<Self, ImportError> {
        let bytes = map_file(path).map_err(|source| ImportError::Io {
            path: path.into(),
            source,
        })?;
        let folder = match path.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        Ok(Self {
            path: path.into(),
            bytes,
            folder: Some(folder.into()),
            data_root: data_root.map(Into::into),
            choice: Choice::default(),
        })
    }
}
