//! The formats of models that are read: one row for each.

use crate::{
    error::ImportError,
    gguf::Gguf,
    graph::file::map_file,
    model::Model,
    mxnet::Mxnet,
    onnx::Onnx,
    source::Source,
    tflite::Tflite,
    torch::{self, Torch},
};
use std::path::Path;

/// A format of models.
pub struct Frontend {
    /// Its name in flags: `relay-translate --import-NAME`.
    pub name: &'static str,
    /// A model of it in a sentence.
    pub title: &'static str,
    /// How the names of its files end, without the dot.
    pub extensions: &'static [&'static str],
    /// Whether a file of another name is of this format, by its first bytes.
    pub is_magic: fn(&[u8]) -> bool,
    /// Reads a model.
    pub open: fn(Source) -> Result<Box<dyn Model>, ImportError>,
}

/// The formats.
pub const FRONTENDS: &[Frontend] = &[
    Frontend {
        name: "gguf",
        title: "a language model of GGUF",
        extensions: &["gguf"],
        is_magic: Gguf::is_magic,
        open: |source| Ok(Box::new(Gguf::read(source)?)),
    },
    Frontend {
        name: "mxnet",
        title: "a graph of MXNet",
        extensions: &["json"],
        is_magic: Mxnet::is_magic,
        open: |source| Ok(Box::new(Mxnet::read(source)?)),
    },
    Frontend {
        name: "onnx",
        title: "an ONNX model",
        extensions: &["onnx"],
        is_magic: |_| false,
        open: |source| Ok(Box::new(Onnx::read(source)?)),
    },
    Frontend {
        name: "tflite",
        title: "a TensorFlow Lite model",
        extensions: &["tflite"],
        is_magic: Tflite::is_magic,
        open: |source| Ok(Box::new(Tflite::read(source)?)),
    },
    Frontend {
        name: "torch",
        title: "an exported program of PyTorch",
        extensions: &["pt2"],
        is_magic: torch::is_magic,
        open: |source| Ok(Box::new(Torch::read(source)?)),
    },
];

/// The format of a file: by the ending of its name, else by its first bytes.
#[must_use]
pub fn find(path: &Path) -> Option<&'static Frontend> {
    let ending = path.extension().and_then(|ending| ending.to_str());
    let by_name = FRONTENDS.iter().find(|frontend| {
        let mut endings = frontend.extensions.iter();
        ending.is_some_and(|ending| endings.any(|known| known.eq_ignore_ascii_case(ending)))
    });
    by_name.or_else(|| {
        let bytes = map_file(path).ok()?;
        FRONTENDS
            .iter()
            .find(|frontend| (frontend.is_magic)(&bytes))
    })
}
