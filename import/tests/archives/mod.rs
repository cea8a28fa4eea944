//! Zip files of PyTorch with other contents, and what is said of them.

use bytes::Bytes;
use relay_import::{error::ImportError, graph::options::Options, model::Model, source::Source};
use std::{
    io::{Cursor, Read, Write},
    path::Path,
};
use zip::{CompressionMethod, ZipArchive, ZipWriter, write::SimpleFileOptions};

/// A zip file whose entries of names that end as given have other contents. All entries are packed in one way.
pub fn changed(
    bytes: Vec<u8>,
    ending: &str,
    packing: CompressionMethod,
    change: impl Fn(Vec<u8>) -> Vec<u8>,
) -> Vec<u8> {
    let mut from = ZipArchive::new(Cursor::new(bytes)).unwrap();
    let mut to = ZipWriter::new(Cursor::new(Vec::new()));
    for index in 0..from.len() {
        let mut file = from.by_index(index).unwrap();
        let mut contents = Vec::new();
        file.read_to_end(&mut contents).unwrap();
        if file.name().ends_with(ending) {
            contents = change(contents);
        }
        let options = SimpleFileOptions::default().compression_method(packing);
        to.start_file(file.name(), options).unwrap();
        to.write_all(&contents).unwrap();
    }
    to.finish().unwrap().into_inner()
}

/// What is said of a file when it is imported; nothing if all is right.
pub fn said<M: Model>(
    read: fn(Source) -> Result<M, ImportError>,
    bytes: Vec<u8>,
    options: &Options,
) -> String {
    let source = Source {
        path: Path::new("model").into(),
        bytes: Bytes::from(bytes),
        folder: None,
        data_root: None,
        choice: Default::default(),
    };
    let model = match read(source) {
        Ok(model) => model,
        Err(error) => return error.to_string(),
    };
    model.inspect();
    let context = relay_dialects::context();
    match model.import(&context, options) {
        Ok(_) => String::new(),
        Err(error) => error.to_string(),
    }
}
