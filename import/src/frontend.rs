//! The formats of models that are read: one row for each.

use crate::{
    error::ImportError,
    gguf::Gguf,
    graph::file::map_file,
    keras::{self, Keras},
    model::Model,
    mxnet::Mxnet,
    onnx::Onnx,
    source::Source,
    tensorflow::{self, Tensorflow},
    tflite::Tflite,
    torch::{self, Torch, TorchScript},
};
use std::path::{Path, PathBuf};

/// A format of models.
pub struct Frontend {
    /// Its name in flags: `relay-translate --import-NAME`.
    pub name: &'static str,
    /// A model of it in a sentence.
    pub title: &'static str,
    /// How the names of its files end, without the dot.
    pub extensions: &'static [&'static str],
    /// The file by which a folder is a model of it, if models are folders.
    pub folder: Option<&'static str>,
    /// Whether a file of another name is of this format, by its first bytes.
    pub is_magic: fn(&[u8]) -> bool,
    /// Whether its models have signatures and outputs to choose from.
    pub has_choice: bool,
    /// Reads a model.
    pub open: fn(Source) -> Result<Box<dyn Model>, ImportError>,
}

/// The formats.
pub const FRONTENDS: &[Frontend] = &[
    Frontend {
        name: "gguf",
        title: "a language model of GGUF",
        extensions: &["gguf"],
        folder: None,
        is_magic: Gguf::is_magic,
        has_choice: false,
        open: |source| Ok(Box::new(Gguf::read(source)?)),
    },
    Frontend {
        name: "keras",
        title: "a model of Keras",
        extensions: &["keras", "h5", "hdf5", "json"],
        folder: None,
        is_magic: keras::is_magic,
        has_choice: false,
        open: |source| Ok(Box::new(Keras::read(source)?)),
    },
    Frontend {
        name: "mxnet",
        title: "a graph of MXNet",
        extensions: &["json"],
        folder: None,
        is_magic: Mxnet::is_magic,
        has_choice: false,
        open: |source| Ok(Box::new(Mxnet::read(source)?)),
    },
    Frontend {
        name: "onnx",
        title: "an ONNX model",
        extensions: &["onnx"],
        folder: None,
        is_magic: |_| false,
        has_choice: false,
        open: |source| Ok(Box::new(Onnx::read(source)?)),
    },
    Frontend {
        name: "tensorflow",
        title: "a folder of TensorFlow's SavedModel, or a frozen graph",
        extensions: &["pb", "pbtxt"],
        folder: Some(tensorflow::SAVED_MODEL),
        is_magic: tensorflow::is_magic,
        has_choice: true,
        open: |source| Ok(Box::new(Tensorflow::read(source)?)),
    },
    Frontend {
        name: "tflite",
        title: "a TensorFlow Lite model",
        extensions: &["tflite"],
        folder: None,
        is_magic: Tflite::is_magic,
        has_choice: true,
        open: |source| Ok(Box::new(Tflite::read(source)?)),
    },
    Frontend {
        name: "torch",
        title: "an exported program of PyTorch",
        extensions: &["pt2"],
        folder: None,
        is_magic: torch::is_magic,
        has_choice: false,
        open: |source| Ok(Box::new(Torch::read(source)?)),
    },
    Frontend {
        name: "torchscript",
        title: "a TorchScript program",
        extensions: &["pt", "pth", "ts"],
        folder: None,
        is_magic: torch::is_script,
        has_choice: false,
        open: |source| Ok(Box::new(TorchScript::read(source)?)),
    },
];

impl Frontend {
    /// The file of a model: the model itself, or what makes its folder one.
    #[must_use]
    pub fn file(&self, path: &Path) -> PathBuf {
        match self.folder {
            Some(name) if path.is_dir() => path.join(name),
            _ => path.into(),
        }
    }
}

/// The format of a folder by what lies in it, and that of a file by the ending of its name, and by its first bytes where that does not
/// decide.
#[must_use]
pub fn find(path: &Path) -> Option<&'static Frontend> {
    if path.is_dir() {
        let has_file = |frontend: &&Frontend| {
            let file = frontend.folder.map(|name| path.join(name));
            file.is_some_and(|file| file.is_file())
        };
        return FRONTENDS.iter().find(has_file);
    }
    let ending = path.extension().and_then(|ending| ending.to_str());
    let has_ending = |frontend: &&Frontend| {
        let mut endings = frontend.extensions.iter();
        ending.is_some_and(|ending| endings.any(|known| known.eq_ignore_ascii_case(ending)))
    };
    let by_name: Vec<&Frontend> = FRONTENDS.iter().filter(has_ending).collect();
    if let [only] = by_name[..] {
        return Some(only);
    }
    // Several formats may have files of one ending.
    let named = by_name.last().copied();
    let candidates = match by_name.is_empty() {
        true => FRONTENDS.iter().collect(),
        false => by_name,
    };
    let bytes = map_file(path).ok();
    let known = bytes.and_then(|bytes| {
        let mut candidates = candidates.into_iter();
        candidates.find(|frontend| (frontend.is_magic)(&bytes))
    });
    known.or(named)
}
