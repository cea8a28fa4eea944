//! Checkpoints: the values of variables in `variables.index` and `variables.data-00000-of-00001`.

use super::{
    element::{element, part},
    proto::{BundleEntry, BundleHeader},
    table,
    tensor::{known_shape, of_bytes},
};
use crate::{
    error::ImportError,
    graph::{constant::Const, error::Result, file::map_file},
};
use bytes::Bytes;
use prost::Message;
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

/// The most files of elements that a checkpoint may have.
const MOST_SHARDS: i32 = 1 << 12;

/// The tensors of a checkpoint by key.
#[derive(Default)]
pub struct Checkpoint {
    entries: BTreeMap<String, BundleEntry>,
    shards: Vec<Bytes>,
}

impl Checkpoint {
    /// Reads the index, and maps the files of elements: `PREFIX.index` and `PREFIX.data-...`.
    ///
    /// # Errors
    /// If a file cannot be read, or the index is damaged.
    pub fn open(prefix: &Path) -> Result<Self, ImportError> {
        let path = beside(prefix, ".index");
        let bytes = map(&path)?;
        let (header, entries) = read(&bytes).map_err(|reason| ImportError::Decode {
            path: path.clone(),
            format: "an index of a checkpoint of TensorFlow",
            reason,
        })?;
        let shards = header.shards;
        let all = (0..shards)
            .map(|shard| beside(prefix, &format!(".data-{shard:05}-of-{shards:05}")))
            .map(|path| map(&path));
        Ok(Self {
            entries,
            shards: all.collect::<Result<_, _>>()?,
        })
    }

    /// The keys.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.entries.keys().map(String::as_str)
    }

    /// The number of elements of a tensor; 0 if it is not there.
    pub fn count(&self, key: &str) -> u64 {
        let shape = self.entries.get(key).map(|entry| entry.shape.as_ref());
        let shape = shape.and_then(|shape| known_shape(shape).ok());
        shape.map_or(0, |shape| shape.iter().product::<i64>() as u64)
    }

    /// A tensor.
    ///
    /// # Errors
    /// If it is not there, or its bytes are not.
    pub fn tensor(&self, key: &str) -> Result<Const> {
        let entry = self.entries.get(key);
        let entry = entry.ok_or_else(|| format!("the checkpoint has no '{key}'"))?;
        let read = || {
            if !entry.slices.is_empty() {
                return Err("it was written in parts, which is not supported; save the model from one process".into());
            }
            let shard = usize::try_from(entry.shard).ok();
            let shard = shard.and_then(|shard| self.shards.get(shard));
            let bytes = shard.ok_or_else(|| format!("there is no file {}", entry.shard))?;
            let wild = || format!("its bytes lie outside of the file's {}", bytes.len());
            let at = usize::try_from(entry.offset).map_err(|_| wild())?;
            let size = usize::try_from(entry.size).map_err(|_| wild())?;
            let end = at.checked_add(size).filter(|end| *end <= bytes.len());
            let elements = bytes.slice(at..end.ok_or_else(wild)?);
            let mut shape = known_shape(entry.shape.as_ref())?;
            if let Some(part) = part(entry.dtype) {
                shape.push(2);
                return of_bytes(part, shape, elements);
            }
            of_bytes(element(entry.dtype)?, shape, elements)
        };
        read().map_err(|reason| format!("'{key}' of the checkpoint: {reason}"))
    }
}

fn beside(prefix: &Path, ending: &str) -> PathBuf {
    let mut name = prefix.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

fn map(path: &Path) -> Result<Bytes, ImportError> {
    map_file(path).map_err(|source| ImportError::Io {
        path: path.into(),
        source,
    })
}

fn read(bytes: &[u8]) -> Result<(BundleHeader, BTreeMap<String, BundleEntry>)> {
    let mut header = None;
    let mut entries = BTreeMap::new();
    for (key, value) in table::entries(bytes)? {
        let message = |error: prost::DecodeError| error.to_string();
        // The entry without a name says what all others have in common.
        if key.is_empty() {
            header = Some(BundleHeader::decode(&value[..]).map_err(message)?);
            continue;
        }
        let key = String::from_utf8(key).map_err(|_| "a key is no text")?;
        entries.insert(key, BundleEntry::decode(&value[..]).map_err(message)?);
    }
    let header = header.ok_or("it has no header")?;
    if header.endianness != 0 {
        return Err(
            "its numbers begin with the most significant byte, which is not supported".into(),
        );
    }
    match (0..=MOST_SHARDS).contains(&header.shards) {
        true => Ok((header, entries)),
        false => Err(format!("{} files of elements", header.shards)),
    }
}
