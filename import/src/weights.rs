//! Files of weights beside a model: one row for each format.
//!
//! A tensor takes the place of the model's parameter of its name, or makes the input of its name a constant.

use crate::{
    error::ImportError,
    graph::{
        error::Result,
        file::{map_beside, map_file},
        stored::Stored,
        weights::Weights,
    },
    mxnet, torch, tvm_arrays,
};
use bytes::Bytes;
use relay_dialects::element::Element;
use safetensors::{Dtype, SafeTensors};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

/// Tensors with their names.
type Tensors = Vec<(String, Stored)>;

/// A format of weights.
struct Format {
    /// A file of it, with its article.
    title: &'static str,
    /// Whether a file is one, by its first bytes.
    is_magic: fn(&[u8]) -> bool,
    /// Reads a file.
    read: fn(&File<'_>) -> Result<Tensors>,
}

/// A file, and where others may lie that it names.
struct File<'a> {
    bytes: Bytes,
    folder: &'a Path,
    data_root: Option<&'a Path>,
}

/// The formats.
const FORMATS: &[Format] = &[
    Format {
        title: "a file of safetensors",
        is_magic: |bytes| bytes.get(8) == Some(&b'{'),
        read: |file| safetensors(&file.bytes),
    },
    Format {
        title: "a list of files of safetensors",
        is_magic: |bytes| bytes.trim_ascii_start().starts_with(b"{"),
        read: listed_files,
    },
    Format {
        title: "a state dictionary of PyTorch",
        is_magic: |bytes| bytes.starts_with(b"PK\x03\x04"),
        read: |file| torch::read_state(file.bytes.clone()),
    },
    Format {
        title: "a file of MXNet's arrays",
        is_magic: mxnet::is_arrays,
        read: |file| mxnet::read_arrays(&file.bytes),
    },
    Format {
        title: "a file of TVM's arrays",
        is_magic: tvm_arrays::is_arrays,
        read: |file| tvm_arrays::read(&file.bytes),
    },
];

/// Reads files of weights. Files that one names may be links to files below `data_root`.
///
/// # Errors
/// With the file that cannot be read, or is damaged, or of no format that is known.
pub fn open(paths: &[PathBuf], data_root: Option<&Path>) -> Result<Weights, ImportError> {
    let mut weights = Weights::default();
    for path in paths {
        let bytes = map_file(path).map_err(|source| ImportError::Io {
            path: path.clone(),
            source,
        })?;
        let wrong = |reason| ImportError::Model {
            path: path.clone(),
            reason,
        };
        let format = FORMATS.iter().find(|format| (format.is_magic)(&bytes));
        let format = format.ok_or_else(|| wrong(unknown()))?;
        let file = File {
            bytes,
            folder: path.parent().unwrap_or(Path::new("")),
            data_root,
        };
        let tensors = (format.read)(&file).map_err(|reason| ImportError::Decode {
            path: path.clone(),
            format: format.title,
            reason,
        })?;
        weights.add(path, tensors).map_err(wrong)?;
    }
    Ok(weights)
}

fn unknown() -> String {
    let titles: Vec<&str> = FORMATS.iter().map(|format| format.title).collect();
    format!("no file of weights that is read: {}", titles.join(", "))
}

/// The tensors of a file of [safetensors](https://huggingface.co/docs/safetensors).
fn safetensors(bytes: &Bytes) -> Result<Tensors> {
    let read = SafeTensors::deserialize(bytes).map_err(|error| error.to_string())?;
    let tensors = read.iter().map(|(name, tensor)| {
        let element = element(tensor.dtype()).map_err(|reason| format!("'{name}': {reason}"))?;
        let sizes = tensor.shape().iter().map(|size| i64::try_from(*size));
        let sizes = sizes.collect::<Result<Vec<i64>, _>>();
        let sizes = sizes.map_err(|_| format!("'{name}': shape {:?}", tensor.shape()))?;
        let bytes = bytes.slice_ref(tensor.data());
        Ok((name.to_owned(), Stored::dense(element, sizes, bytes)))
    });
    tensors.collect()
}

/// The element type that safetensors calls so.
fn element(dtype: Dtype) -> Result<Element> {
    Ok(match dtype {
        Dtype::BOOL => Element::Bool,
        Dtype::U8 => Element::U8,
        Dtype::I8 => Element::I8,
        Dtype::U16 => Element::U16,
        Dtype::I16 => Element::I16,
        Dtype::U32 => Element::U32,
        Dtype::I32 => Element::I32,
        Dtype::U64 => Element::U64,
        Dtype::I64 => Element::I64,
        Dtype::F16 => Element::F16,
        Dtype::BF16 => Element::Bf16,
        Dtype::F32 => Element::F32,
        Dtype::F64 => Element::F64,
        Dtype::F8_E4M3 => Element::F8E4M3FN,
        Dtype::F8_E5M2 => Element::F8E5M2,
        other => return Err(format!("elements of {other:?} are not supported")),
    })
}

/// What a model hub writes beside weights in several files: which file has which tensor.
#[derive(serde::Deserialize)]
struct List {
    weight_map: BTreeMap<String, String>,
}

/// The tensors of all files of a list: `model.safetensors.index.json`.
fn listed_files(file: &File<'_>) -> Result<Tensors> {
    let list: List = serde_json::from_slice(&file.bytes).map_err(|error| error.to_string())?;
    let names: BTreeSet<&String> = list.weight_map.values().collect();
    let mut tensors = Tensors::new();
    for name in names {
        let bytes = map_beside("file", (file.folder, file.data_root), name)?;
        let read = safetensors(&bytes).map_err(|reason| format!("'{name}': {reason}"))?;
        tensors.extend(read);
    }
    Ok(tensors)
}
