//! Writes tensors into an archive of numpy's.

use super::stored;
use crate::DriverError;
use half::bf16;
use ndarray_npy::npy::header::{Header, Layout};
use py_literal::Value;
use relay_codegen::{files, interface};
use relay_runtime::{Port, Tensor};
use std::{
    collections::BTreeMap,
    io::{self, Seek, SeekFrom, Write},
    path::Path,
};
use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

/// Writes tensors by name.
///
/// # Errors
/// If the file cannot be written.
pub fn write_all(path: &Path, tensors: &BTreeMap<String, Tensor>) -> Result<(), DriverError> {
    let port = |(name, tensor): (&String, &Tensor)| Port::new(name, tensor.dtype(), tensor.shape());
    let ports: Vec<Port> = tensors.iter().map(port).collect();
    let tensors: Vec<Tensor> = tensors.values().cloned().collect();
    write(path, &ports, &tensors)
}

/// Writes tensors under the names of `ports`. A tensor that a model returns twice under one name is written
/// once.
///
/// # Errors
/// If the file cannot be written, or two different tensors have the same name.
pub fn write(path: &Path, ports: &[Port], tensors: &[Tensor]) -> Result<(), DriverError> {
    let fail = |reason: String| DriverError::Data {
        path: path.into(),
        reason,
    };
    let mut named: BTreeMap<&str, &Tensor> = BTreeMap::new();
    for (port, tensor) in ports.iter().zip(tensors) {
        let known = named.insert(&port.name, tensor);
        let is_same = |known: &Tensor| {
            (known.dtype(), known.shape(), known.bytes())
                == (tensor.dtype(), tensor.shape(), tensor.bytes())
        };
        if known.is_some_and(|known| !is_same(known)) {
            return Err(fail(format!("two outputs are called '{}'", port.name)));
        }
    }
    if path == Path::new("-") {
        let mut output = Kept::new(io::stdout().lock());
        let put = put_all(ZipWriter::new_stream(&mut output), &named);
        return output.end(put).map_err(DriverError::io("standard output"));
    }
    let written = files::write_whole(path, 0o666, |file| {
        let mut file = Kept::new(file);
        // In a pipe nothing can be written before its end.
        let put = if file.output.stream_position().is_ok() {
            put_all(ZipWriter::new(&mut file), &named)
        } else {
            put_all(ZipWriter::new_stream(&mut file), &named)
        };
        file.end(put)
    });
    written.map_err(DriverError::io(path))
}

/// Writes tensors into an archive, and ends it.
fn put_all<W: Write + Seek>(
    mut archive: ZipWriter<W>,
    tensors: &BTreeMap<&str, &Tensor>,
) -> io::Result<()> {
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Stored)
        .large_file(true);
    for (name, tensor) in tensors {
        archive.start_file(format!("{name}.npy"), options)?;
        let header = Header {
            type_descriptor: Value::String(stored(tensor.dtype()).numpy().into()),
            layout: Layout::Standard,
            shape: tensor.shape().iter().map(|&dim| dim as usize).collect(),
        };
        header.write(&mut archive).map_err(io::Error::other)?;
        archive.write_all(&to_file(tensor))?;
    }
    archive.finish()?;
    Ok(())
}

/// A file's bytes from those of a tensor.
fn to_file(tensor: &Tensor) -> Vec<u8> {
    if let Some(numbers) = tensor.as_slice::<bf16>() {
        let wide = numbers.iter().map(|number| number.to_f32().to_le_bytes());
        return wide.flatten().collect();
    }
    let (element, bytes) = (interface::element(tensor.dtype()), tensor.bytes());
    match element.minifloat() {
        Some(format) => {
            let wide = bytes.iter().map(|byte| format.decode(*byte) as f32);
            wide.flat_map(f32::to_le_bytes).collect()
        }
        None if element.is_stored_only() => bytes
            .iter()
            .map(|byte| element.small_integer(*byte) as u8)
            .collect(),
        None => bytes.to_vec(),
    }
}

/// Keeps the first error of what it writes to, and takes all that comes after it. So an archive ends as any other
/// one does where the disk is full, and the error is the system's own.
struct Kept<W> {
    output: W,
    error: Option<io::Error>,
    position: u64,
}

impl<W: Write> Kept<W> {
    fn new(output: W) -> Self {
        Self {
            output,
            error: None,
            position: 0,
        }
    }

    /// What became of an archive.
    fn end(mut self, archive: io::Result<()>) -> io::Result<()> {
        let flushed = self.output.flush();
        match self.error {
            Some(error) => Err(error),
            None => archive.and(flushed),
        }
    }

    /// Writes or seeks, if there was no error, and counts where that ends; `position` is where it is to end.
    fn go<T>(&mut self, position: u64, done: T, step: impl FnOnce(&mut W) -> io::Result<T>) -> T {
        self.position = position;
        match self.error {
            Some(_) => done,
            None => step(&mut self.output).unwrap_or_else(|error| {
                self.error = Some(error);
                done
            }),
        }
    }
}

impl<W: Write> Write for Kept<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let end = self.position + bytes.len() as u64;
        self.go(end, (), |output| output.write_all(bytes));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.go(self.position, (), Write::flush);
        Ok(())
    }
}

impl<W: Write + Seek> Seek for Kept<W> {
    fn seek(&mut self, target: SeekFrom) -> io::Result<u64> {
        let position = match target {
            SeekFrom::Start(position) => position,
            SeekFrom::Current(distance) | SeekFrom::End(distance) => {
                self.position.saturating_add_signed(distance)
            }
        };
        self.position = self.go(position, position, |output| output.seek(target));
        Ok(self.position)
    }
}
