//! The files of models: the description, which is JSON, and the weights.

use super::{hdf5::File, scope::Weights};
use crate::{archive::Archive, graph::error::Result};
use bytes::Bytes;
use serde_json::Value as Json;

/// The description of a model in a zip file.
const CONFIG: &str = "config.json";
/// What says the version of Keras.
const METADATA: &str = "metadata.json";
/// The weights in a zip file.
const WEIGHTS: &str = "model.weights.h5";

/// The bytes at the start of a file in which the name of an archive's first entry is looked for.
const HEAD: usize = 256;

/// Whether a file may be a model of Keras, by its first bytes: an HDF5 file, or a zip file that begins with Keras' entries.
pub fn is_magic(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(HEAD)];
    let holds = |name: &str| head.windows(name.len()).any(|part| part == name.as_bytes());
    File::is_magic(bytes) || (head.starts_with(b"PK\x03\x04") && (holds(METADATA) || holds(CONFIG)))
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
    pub fn read(bytes: Bytes) -> Result<Self> {
        match bytes.starts_with(b"PK") {
            true => Self::of_archive(Archive::open(bytes)?),
            false => Self::of_hdf5(File::open(bytes)?),
        }
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
                 save the model with model.save"
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

/// Whether a version is one before 3, such as `2.15.0` and `2.1.6-tf`. The oldest files say none.
fn is_keras_2(version: Option<&str>) -> bool {
    !version.is_some_and(|version| version.starts_with('3'))
}

/// JSON as Python writes it, where numbers may be `NaN` and `Infinity`.
fn json(bytes: &[u8]) -> Result<Json> {
    serde_json::from_slice(bytes).map_err(|error| format!("the model's description: {error}"))
}
