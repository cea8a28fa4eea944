//! An archive of `torch.export.save`: the exported program and its tensors.
//!
//! There are two layouts. Newer versions of PyTorch write `models/NAME.json`, and beside it the bytes of each tensor with JSON that
//! says which is where. Older ones write `serialized_exported_program.json`, and the tensors as `torch.save` does.

use super::{
    element::{name_of, of_number, part_of},
    pickle::{read_tensor, read_tensors},
    schema::{ExportedProgram, Extent, Payload, Payloads, TensorMeta},
};
use crate::{
    archive::Archive,
    graph::{error::Result, stored::Stored},
};
use bytes::Bytes;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;

/// The version of the schema that is read; its minor versions only add to it.
const SCHEMA: i64 = 8;
/// What a layout of tensors is called that has all of its elements.
const STRIDED: i64 = 7;

/// A program and its tensors.
pub struct Program {
    /// The program.
    pub exported: ExportedProgram,
    /// Parameters, buffers and constants, by their names in the model.
    pub tensors: BTreeMap<String, Result<Stored>>,
}

/// The bytes at the start of a file in which the name of an archive's first entry is looked for.
const HEAD: usize = 256;

/// Whether a file may be such an archive, by its first bytes: those of a zip file whose first entry has a name that such archives have.
pub fn is_magic(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(HEAD)];
    let holds = |name: &[u8]| head.windows(name.len()).any(|part| part == name);
    head.starts_with(b"PK\x03\x04")
        && [
            &b"/data/weights/"[..],
            b"serialized_exported_program",
            b"/archive_format",
        ]
        .into_iter()
        .any(holds)
}

impl Program {
    /// Reads an archive.
    ///
    /// # Errors
    /// If it is none, or a damaged one.
    pub fn read(bytes: Bytes) -> Result<Self> {
        let archive = Archive::open(bytes)?;
        archive.check_order()?;
        let name = model(&archive)?;
        let path = match &name {
            Some(name) => format!("models/{name}.json"),
            None => OLDER.into(),
        };
        let exported: ExportedProgram = json(&archive, &path)?;
        let version = exported.schema_version;
        if version.major != SCHEMA {
            return Err(format!(
                "it is of version {}.{} of the schema, and {SCHEMA} is supported: load and save it with another PyTorch",
                version.major, version.minor
            ));
        }
        let mut tensors = BTreeMap::new();
        match &name {
            Some(name) => {
                let parts = [("data/weights", "weights"), ("data/constants", "constants")];
                for (folder, kind) in parts {
                    let config = format!("{folder}/{name}_{kind}_config.json");
                    let pickled = format!("{folder}/{name}.pt");
                    match archive.has(&config) || !archive.has(&pickled) {
                        true => add_payloads(&archive, (folder, &config), &mut tensors)?,
                        false => add_pickled(&archive, &pickled, &mut tensors)?,
                    }
                }
            }
            None => {
                add_pickled(&archive, "serialized_state_dict.pt", &mut tensors)?;
                if archive.has("serialized_constants.pt") {
                    add_pickled(&archive, "serialized_constants.pt", &mut tensors)?;
                }
            }
        }
        Ok(Self { exported, tensors })
    }
}

/// The program in the older layout.
const OLDER: &str = "serialized_exported_program.json";

/// The name of the one model of an archive; none in the older layout.
fn model(archive: &Archive) -> Result<Option<String>> {
    if archive.has(OLDER) {
        return Ok(None);
    }
    let inner = |name: &str| {
        let name = name.strip_prefix("models/")?.strip_suffix(".json")?;
        Some(name.to_owned())
    };
    let mut names: Vec<String> = archive.names().filter_map(inner).collect();
    names.sort_unstable();
    match &names[..] {
        [name] => Ok(Some(name.clone())),
        [] => Err(format!(
            "it has neither models/*.json nor {OLDER}: only torch.export.save writes what is read here"
        )),
        _ => Err(format!(
            "it has several models ({}), and one is supported",
            names.join(", ")
        )),
    }
}

fn json<T: DeserializeOwned>(archive: &Archive, path: &str) -> Result<T> {
    let bytes = archive.read(path)?;
    serde_json::from_slice(&bytes).map_err(|error| format!("entry '{path}': {error}"))
}

/// Adds the tensors of a file of `torch.save`.
fn add_pickled(
    archive: &Archive,
    path: &str,
    tensors: &mut BTreeMap<String, Result<Stored>>,
) -> Result<()> {
    let read = read_tensors(archive.read(path)?);
    let read = read.map_err(|reason| format!("entry '{path}': {reason}"))?;
    tensors.extend(read.into_iter().map(|(name, tensor)| (name, Ok(tensor))));
    Ok(())
}

/// Adds tensors whose bytes are entries of a folder.
fn add_payloads(
    archive: &Archive,
    (folder, config): (&str, &str),
    tensors: &mut BTreeMap<String, Result<Stored>>,
) -> Result<()> {
    let payloads: Payloads = json(archive, config)?;
    for (name, payload) in payloads.config {
        let path = format!("{folder}/{}", payload.path_name);
        let tensor = stored(&payload, archive.read(&path)?);
        let tensor = tensor.map_err(|reason| format!("entry '{path}', '{name}': {reason}"));
        tensors.insert(name, tensor);
    }
    Ok(())
}

fn stored(payload: &Payload, bytes: Bytes) -> Result<Stored> {
    if payload.use_pickle {
        return read_tensor(bytes);
    }
    let meta = payload.tensor_meta.as_ref().ok_or("it is no tensor")?;
    if meta.layout != STRIDED {
        return Err(
            "only tensors that have all of their elements are supported, and it is sparse".into(),
        );
    }
    let part = part_of(meta.dtype);
    let mut stored = Stored {
        element: of_number(part.unwrap_or(meta.dtype))?,
        sizes: known(&meta.sizes)?,
        strides: known(&meta.strides)?,
        offset: known(std::slice::from_ref(&meta.storage_offset))?[0],
        bytes,
        is_complex: false,
    };
    if part.is_some() {
        let element = stored.element;
        stored = stored.as_complex(element)?;
    }
    if stored.bytes.is_empty() && !stored.sizes.contains(&0) {
        return Err("it has no bytes: the model was exported with weights of which only the shapes are known; --params FILE gives them".into());
    }
    Ok(stored)
}

/// Extents that are numbers.
///
/// # Errors
/// If one is a form.
pub fn known(extents: &[Extent]) -> Result<Vec<i64>> {
    let numbers = extents.iter().map(|extent| match extent {
        Extent::AsInt(number) => Ok(*number),
        Extent::AsExpr(form) => Err(format!("an extent is {}, no number", form.expr_str)),
    });
    numbers.collect()
}

/// The type of a tensor for messages: `float32[s0, 3]`. Of complex numbers, it says the type in which they are given and returned, too:
/// `complex64[2] as float32[2, 2]`.
pub fn describe(meta: &TensorMeta) -> String {
    let sizes = meta.sizes.iter().map(|extent| match extent {
        Extent::AsInt(number) => number.to_string(),
        Extent::AsExpr(form) => {
            super::sympy::arithmetic(&form.expr_str).unwrap_or_else(|| "?".into())
        }
    });
    let sizes: Vec<String> = sizes.collect();
    let text = format!("{}[{}]", name_of(meta.dtype), sizes.join(", "));
    match part_of(meta.dtype) {
        None => text,
        Some(part) => {
            let pairs: Vec<String> = sizes.into_iter().chain(["2".into()]).collect();
            format!("{text} as {}[{}]", name_of(part), pairs.join(", "))
        }
    }
}
