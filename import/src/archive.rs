//! Zip files, of which formats of models are made.

use crate::graph::error::Result;
use bytes::Bytes;
use std::{
    cell::RefCell,
    collections::HashMap,
    io::{Cursor, Read},
};
use zip::{CompressionMethod, ZipArchive};

/// Deflate makes at most so many bytes of one: an entry that says more is no honest one.
const LARGEST_RATIO: u64 = 1032;

/// A zip file in memory.
pub struct Archive {
    bytes: Bytes,
    zip: ZipArchive<Cursor<Bytes>>,
    /// The folder that all entries lie in, with its slash.
    root: String,
    /// The bytes of entries that were unpacked, by their places: several tensors may lie in one entry.
    unpacked: RefCell<HashMap<usize, Bytes>>,
}

impl Archive {
    /// Reads the directory of a zip file.
    ///
    /// # Errors
    /// If it is none.
    pub fn open(bytes: Bytes) -> Result<Self> {
        let zip = ZipArchive::new(Cursor::new(bytes.clone())).map_err(|error| error.to_string())?;
        let root = root(&zip);
        Ok(Self {
            bytes,
            zip,
            root,
            unpacked: RefCell::default(),
        })
    }

    /// Checks that numbers have the order of bytes that is read.
    ///
    /// # Errors
    /// If they have the other one.
    pub fn check_order(&self) -> Result<()> {
        match self.has("byteorder") && &self.read("byteorder")?[..] != b"little" {
            true => Err("its numbers are big-endian, which is not supported".into()),
            false => Ok(()),
        }
    }

    /// Whether there is an entry of this name, below the root.
    pub fn has(&self, name: &str) -> bool {
        let path = format!("{}{name}", self.root);
        self.zip.index_for_name(&path).is_some()
    }

    /// The names of the entries, below the root.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let names = self.zip.file_names();
        names.map(|name| name.strip_prefix(&self.root).unwrap_or(name))
    }

    /// The bytes of an entry. Those that are stored as they are lie in the file, and are not copied. Others are unpacked once.
    ///
    /// # Errors
    /// If there is no such entry, or it is damaged.
    pub fn read(&self, name: &str) -> Result<Bytes> {
        self.entry(name)
            .map_err(|reason| format!("entry '{name}': {reason}"))
    }

    fn entry(&self, name: &str) -> Result<Bytes> {
        let path = format!("{}{name}", self.root);
        let index = self.zip.index_for_name(&path);
        let index = index.ok_or("there is none of this name")?;
        if let Some(bytes) = self.unpacked.borrow().get(&index) {
            return Ok(bytes.clone());
        }
        // Reading moves the cursor only, which is this copy's own.
        let mut zip = self.zip.clone();
        let mut file = zip.by_index(index).map_err(|error| error.to_string())?;
        let (size, packed) = (file.size(), file.compressed_size());
        match file.compression() {
            CompressionMethod::Stored => {
                let end = file.data_start().checked_add(size);
                let end = end.filter(|end| *end <= self.bytes.len() as u64 && size == packed);
                let end = end.ok_or_else(|| {
                    format!("it has {size} bytes, which lie beyond the end of the file")
                })?;
                Ok(self.bytes.slice(file.data_start() as usize..end as usize))
            }
            CompressionMethod::Deflated => {
                if packed > self.bytes.len() as u64 || size > packed.saturating_mul(LARGEST_RATIO) {
                    return Err(format!(
                        "{packed} bytes cannot hold the {size} that it says"
                    ));
                }
                let mut contents = Vec::new();
                let read = file.by_ref().take(size + 1).read_to_end(&mut contents);
                read.map_err(|error| error.to_string())?;
                if contents.len() as u64 != size {
                    return Err(format!("it does not hold the {size} bytes that it says"));
                }
                let contents = Bytes::from(contents);
                self.unpacked.borrow_mut().insert(index, contents.clone());
                Ok(contents)
            }
            other => Err(format!("its compression, {other}, is not supported")),
        }
    }
}

/// The folder that all entries lie in, with its slash, if there is one: PyTorch makes one with the name of the file.
fn root(zip: &ZipArchive<Cursor<Bytes>>) -> String {
    let mut names = zip.file_names();
    let first = names.next().and_then(|name| name.split_once('/'));
    let Some((folder, _)) = first else {
        return String::new();
    };
    let root = format!("{folder}/");
    match names.all(|name| name.starts_with(&root)) {
        true => root,
        false => String::new(),
    }
}
