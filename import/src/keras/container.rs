//! The files of models: the description, which is JSON, and the weights.

use super::{hdf5::File, scope::Weights};
use crate::{
    archive::Archive,
    graph::{error::Result, file::map_file},
    source::Source,
};
use bytes::Bytes;
use serde_json::Value as Json;
use std::path::{Path, PathBuf};

/// The description of a model in a zip file.
const CONFIG: &str = "config.json";
/// What says the version of Keras.
const METADATA: &str = "metadata.json";
/// The weights in a zip file.
const WEIGHTS: &str = "model.weights.h5";

/// The bytes at the start of a file in which the name of an archive's first entry is looked for.
const HEAD: usize = 256;

/// Whether a file may be a model of Keras, by its first bytes: an HDF5 file, a zip file that begins with Keras' entries, or a description.
pub fn is_magic(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(HEAD)];
    let holds = |name: &str| head.windows(name.len()).any(|part| part == name.as_bytes());
    let is_description = head.trim_ascii_start().starts_with(b"{") && holds("\"class_name\"");
    File::is_magic(bytes)
        || is_description
        || (head.starts_with(b"PK\x03\x04") && (holds(METADATA) || holds(CONFIG)))
}

/// A model as its file has it.
pub struct Container {
    /// The description.
    pub config: Json,
    /// The weights.
    pub weights: Weights,
    /// Whether Keras 2 wrote it.
    pub is_keras_2: bool,
}

impl Container {
    /// Reads a model's file.
    ///
    /// # Errors
    /// If it is none, or holds no description.
    pub fn read(source: &Source) -> Result<Self> {
        let bytes = source.bytes.clone();
        match &bytes[..] {
            [b'P', b'K', ..] => Self::of_archive(Archive::open(bytes)?),
            text if text.trim_ascii_start().starts_with(b"{") => Self::of_description(source),
            _ => Self::of_hdf5(File::open(bytes)?),
        }
    }

    /// A file of `model.to_json()`. The weights lie in a file beside it, as `model.save_weights()` writes it.
    fn of_description(source: &Source) -> Result<Self> {
        let config = json(&source.bytes)?;
        let (path, bytes) = weights_beside(&source.path)?;
        let wrong = |reason| format!("{}: {reason}", path.display());
        let file = File::open(bytes).map_err(wrong)?;
        let root = file.root().map_err(wrong)?;
        // Keras 2 wrote weights by the names of layers, as in its whole models.
        let weights = match root.text("backend").map_err(wrong)?.is_some() {
            true => Weights::by_name(&root),
            false => Weights::by_layer(&file),
        };
        let version = config.get("keras_version").and_then(Json::as_str);
        // Keras 3 says no version there, but the modules of classes.
        let is_keras_2 = match version {
            None => config.get("module").is_none(),
            version => is_keras_2(version),
        };
        Ok(Self {
            is_keras_2,
            weights: weights.map_err(wrong)?,
            config,
        })
    }

    fn of_archive(archive: Archive) -> Result<Self> {
        let config = json(&archive.read(CONFIG)?)?;
        if !archive.has(WEIGHTS) {
            let is_of_weights = |name: &&str| name.starts_with("model.weights");
            let names: Vec<&str> = archive.names().filter(is_of_weights).collect();
            return Err(match names.is_empty() {
                true => format!("there is no entry '{WEIGHTS}'"),
                false => format!(
                    "the weights are in {}; save the model again without options, to one file '{WEIGHTS}'",
                    names.join(", ")
                ),
            });
        }
        let file = File::open(archive.read(WEIGHTS)?)?;
        let version = json(&archive.read(METADATA)?)?;
        let version = version.get("keras_version").and_then(Json::as_str);
        Ok(Self {
            config,
            is_keras_2: is_keras_2(version),
            weights: Weights::by_layer(&file)?,
        })
    }

    fn of_hdf5(file: File) -> Result<Self> {
        let root = file.root()?;
        let Some(text) = root.text("model_config")? else {
            return Err(
                "there is no attribute 'model_config': the file has weights only, as save_weights writes them; \
                 save the model with model.save, or write model.to_json() to NAME.json beside NAME.weights.h5, and give that"
                    .into(),
            );
        };
        let version = root.text("keras_version")?;
        let group = root.find("model_weights")?;
        let group = group.ok_or("there is no group 'model_weights'")?;
        Ok(Self {
            config: json(text.as_bytes())?,
            is_keras_2: is_keras_2(version.as_deref()),
            weights: Weights::by_name(&group)?,
        })
    }
}

/// The file of weights beside a description: the first that is there.
fn weights_beside(path: &Path) -> Result<(PathBuf, Bytes)> {
    let candidates = weights_names(path);
    let found = candidates.iter().find(|candidate| candidate.is_file());
    let Some(found) = found else {
        let names = candidates
            .iter()
            .filter_map(|candidate| candidate.file_name());
        let names: Vec<_> = names.map(|name| name.to_string_lossy()).collect();
        return Err(format!(
            "it has layers only, and there are no weights beside it: write them with model.save_weights(\"{}\"); {} would be read, too",
            names.first().map_or("", |name| name),
            names[1..].join(" and ")
        ));
    };
    let bytes = map_file(found).map_err(|error| format!("{}: {error}", found.display()))?;
    Ok((found.clone(), bytes))
}

/// The names that the weights of a description may have: its own, and of `config.json` that in a model of Keras 3 that was unpacked.
fn weights_names(path: &Path) -> Vec<PathBuf> {
    let own = ["weights.h5", "h5"].map(|ending| path.with_extension(ending));
    match path.file_name().is_some_and(|name| name == CONFIG) {
        true => std::iter::once(path.with_file_name(WEIGHTS))
            .chain(own)
            .collect(),
        false => own.into(),
    }
}

/// Whether a version is one before 3, such as `2.15.0` and `2.1.6-tf`. The oldest files say none.
fn is_keras_2(version: Option<&str>) -> bool {
    !version.is_some_and(|version| version.starts_with('3'))
}

/// JSON as Python writes it, where numbers may be `NaN` and `Infinity`.
fn json(bytes: &[u8]) -> Result<Json> {
    serde_json::from_slice(bytes).map_err(|error| format!("the model's description: {error}"))
}
