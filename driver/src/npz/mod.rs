//! Reads and writes tensors in numpy's files. Numpy has no bf16 and no floats of 8 bits and fewer: such tensors are f32 there. Integers of
//! fewer than 8 bits have 8 there.

mod write;

pub use relay_runner::random::random;
pub use write::{write, write_all};

use crate::DriverError;
use half::bf16;
use ndarray_npy::npy::header::Header;
use py_literal::Value;
use relay_codegen::interface;
use relay_dialects::Element;
use relay_runtime::{DType, Port, Tensor};
use std::{collections::BTreeMap, fs::File, io::Read, path::Path};
use zip::ZipArchive;

/// Reads one tensor for each of `ports`, by name, in their order. An open dimension may be any.
///
/// # Errors
/// If the file is no npz archive, or a tensor is missing or has another type or shape.
pub fn read(path: &Path, ports: &[Port]) -> Result<Vec<Tensor>, DriverError> {
    let (mut archive, places) = open(path)?;
    let read_port = |port: &Port| {
        let Some(place) = places.get(&port.name) else {
            let names: Vec<&str> = places.keys().map(String::as_str).collect();
            return Err(format!(
                "holds no array '{}'; it has {}",
                port.name,
                names.join(", ")
            ));
        };
        let entry = archive.by_index(*place);
        entry
            .map_err(|error| error.to_string())
            .and_then(|entry| read_array(entry, port))
            .map_err(|reason| format!("array '{}' {reason}", port.name))
    };
    ports
        .iter()
        .map(read_port)
        .collect::<Result<_, _>>()
        .map_err(data(path))
}

/// The names of a file's arrays.
///
/// # Errors
/// If the file is no npz archive, or two arrays have one name.
pub fn names(path: &Path) -> Result<Vec<String>, DriverError> {
    let (_, places) = open(path)?;
    Ok(places.into_keys().collect())
}

/// An error about what a file holds, from its reason.
fn data(path: &Path) -> impl Fn(String) -> DriverError {
    move |reason| DriverError::Data {
        path: path.into(),
        reason,
    }
}

/// An archive, and where each array is in it, by its name.
type Archive = (ZipArchive<File>, BTreeMap<String, usize>);

fn open(path: &Path) -> Result<Archive, DriverError> {
    let fail = data(path);
    // Opening a pipe would wait until somebody writes to it.
    let facts = path.metadata().map_err(DriverError::io(path))?;
    if !facts.is_file() {
        return Err(fail(
            "not a regular file, in which arrays can be looked up".into(),
        ));
    }
    let file = File::open(path).map_err(DriverError::io(path))?;
    let archive = ZipArchive::new(file);
    let archive = archive.map_err(|error| fail(format!("not an npz archive: {error}")))?;
    let places = places(&archive).map_err(fail)?;
    Ok((archive, places))
}

/// Where each array is in an archive. A name has `.npy` at its end or not, as numpy has it, but no array has both.
fn places(archive: &ZipArchive<File>) -> Result<BTreeMap<String, usize>, String> {
    let mut places = BTreeMap::new();
    for file in archive.file_names() {
        let name = file.strip_suffix(".npy").unwrap_or(file);
        let Some(place) = archive.index_for_name(file) else {
            continue;
        };
        if places.insert(name.to_owned(), place).is_some() {
            return Err(format!("holds two arrays '{name}', one as '{name}.npy'"));
        }
    }
    Ok(places)
}

/// Reads an array. What its header says is compared with what the port takes before it is used.
fn read_array(mut file: impl Read, port: &Port) -> Result<Tensor, String> {
    let header = Header::from_reader(&mut file);
    let header = header.map_err(|error| format!("has no header of numpy's: {error}"))?;
    let (stored, swapped) = stored_as(&header.type_descriptor, port.dtype).ok_or_else(|| {
        let found = &header.type_descriptor;
        format!(
            "is of type {found}, the model takes {} ({})",
            port.dtype,
            stored(port.dtype).numpy()
        )
    })?;
    let shape = &header.shape;
    let refused = || {
        let wanted = port.show_shape();
        format!("has shape {shape:?}, the model takes {wanted}")
    };
    let extents = shape.iter().map(|dim| i64::try_from(*dim));
    let extents: Result<Vec<i64>, _> = extents.collect();
    if !extents.is_ok_and(|extents| port.takes(&extents)) {
        return Err(refused());
    }
    let size = stored.bytes();
    let mut dims = shape.iter();
    let length = dims.try_fold(size, |length, dim| length.checked_mul(*dim));
    let length = length.ok_or_else(refused)?;
    let mut bytes = Vec::new();
    let read = file.take(length as u64 + 1).read_to_end(&mut bytes);
    read.map_err(|error| format!("cannot be read: {error}"))?;
    if bytes.len() != length {
        let more = if bytes.len() > length { "more" } else { "less" };
        return Err(format!(
            "has {more} data than the {length} bytes of its shape"
        ));
    }
    if swapped {
        bytes.chunks_exact_mut(size).for_each(<[u8]>::reverse);
    }
    if header.layout.is_fortran() {
        bytes = row_major(&bytes, shape, size);
    }
    let bytes = from_file(interface::element(port.dtype), stored, bytes);
    let shape: Vec<i64> = shape.iter().map(|dim| *dim as i64).collect();
    Tensor::from_bytes(port.dtype, &shape, &bytes)
        .ok_or_else(|| "is larger than there is memory for".into())
}

/// The elements that a file has for a tensor's.
fn stored(dtype: DType) -> Element {
    interface::element(dtype).in_files()
}

/// The elements that a file's header says for a tensor's, and whether their highest byte is first; `None` if the file holds something
/// else. Elements of a type that numpy lacks may also be as ml_dtypes writes them.
fn stored_as(descriptor: &Value, dtype: DType) -> Option<(Element, bool)> {
    let known = [stored(dtype), interface::element(dtype)];
    let mut found = known
        .into_iter()
        .filter_map(|element| Some((element, order(descriptor, element)?)));
    found.next()
}

/// Whether a file's numbers have their highest byte first; `None` if their type is another one.
fn order(descriptor: &Value, element: Element) -> Option<bool> {
    let found = descriptor.as_string()?;
    let (known, without) = (
        element.numpy(),
        found.trim_start_matches(['<', '>', '=', '|']),
    );
    (without == &known[1..]).then(|| found.starts_with('>'))
}

/// Reorders elements from column-major (Fortran's) to row-major order.
fn row_major(bytes: &[u8], shape: &[usize], size: usize) -> Vec<u8> {
    let mut ordered = Vec::with_capacity(bytes.len());
    let mut indices = vec![0; shape.len()];
    for _ in 0..bytes.len() / size {
        let place = indices
            .iter()
            .zip(shape)
            .rev()
            .fold(0, |place, (index, dim)| place * dim + index);
        ordered.extend_from_slice(&bytes[place * size..][..size]);
        for (index, dim) in indices.iter_mut().zip(shape).rev() {
            *index += 1;
            if *index < *dim {
                break;
            }
            *index = 0;
        }
    }
    ordered
}

/// A tensor's bytes from those in a file.
fn from_file(element: Element, stored: Element, bytes: Vec<u8>) -> Vec<u8> {
    if element == Element::Bool {
        // Any byte but 0 is true.
        return bytes.iter().map(|byte| u8::from(*byte != 0)).collect();
    }
    if element == stored {
        return bytes;
    }
    let singles = || {
        let (numbers, _) = bytes.as_chunks::<4>();
        numbers.iter().map(|number| f32::from_le_bytes(*number))
    };
    match element.minifloat() {
        Some(format) => singles().map(|it| format.encode(it.into())).collect(),
        None if element == Element::Bf16 => singles()
            .flat_map(|number| bf16::from_f32(number).to_le_bytes())
            .collect(),
        None => {
            let low = (1u8 << element.bits()) - 1;
            bytes.iter().map(|byte| byte & low).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray_npy::npy::header::Layout;
    use relay_dialects::ir::DYNAMIC;
    use std::io::Write;
    use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

    /// A file's name in a folder of its own.
    fn file() -> (tempfile::TempDir, std::path::PathBuf) {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let path = folder.path().join("a.npz");
        (folder, path)
    }

    fn port(dtype: DType, shape: &[i64]) -> Port {
        Port::new("x", dtype, shape)
    }

    #[test]
    fn every_type_comes_back() {
        let (_folder, path) = file();
        for dtype in DType::all() {
            for shape in [&[][..], &[0, 3], &[2, 3]] {
                let ports = [port(dtype, shape)];
                let tensors = random(&ports, 7).expect("there is memory");
                write(&path, &ports, &tensors).expect("the file is written");
                let back = read(&path, &ports).expect("the file is read");
                assert_eq!(back[0].bytes(), tensors[0].bytes(), "{dtype} {shape:?}");
            }
        }
    }

    #[test]
    fn an_open_dimension_is_any() {
        let (_folder, path) = file();
        let ports = [port(DType::F32, &[0, 3])];
        let tensors = random(&ports, 7).expect("there is memory");
        write(&path, &ports, &tensors).expect("the file is written");
        let back = read(&path, &[port(DType::F32, &[DYNAMIC, 3])]).expect("the file is read");
        assert_eq!(back[0].shape(), [0, 3]);
        let error = read(&path, &[port(DType::F32, &[DYNAMIC, 4])]).expect_err("3 is not 4");
        let error = error.to_string();
        assert!(
            error.contains("has shape [0, 3], the model takes [?, 4]"),
            "{error}"
        );
    }

    /// An archive of one array of numpy's.
    fn archive(path: &Path, method: CompressionMethod, header: Header, data: &[u8]) {
        let mut archive = ZipWriter::new(File::create(path).expect("the file can be made"));
        let options = SimpleFileOptions::default().compression_method(method);
        archive.start_file("x.npy", options).expect("a file begins");
        header.write(&mut archive).expect("the header is written");
        archive.write_all(data).expect("the data is written");
        archive.finish().expect("the archive ends");
    }

    fn header(descriptor: &str, layout: Layout, shape: &[usize]) -> Header {
        Header {
            type_descriptor: Value::String(descriptor.into()),
            layout,
            shape: shape.into(),
        }
    }

    #[test]
    fn other_orders_are_read() {
        let (_folder, path) = file();
        // numpy.asfortranarray([[0, 1, 2], [3, 4, 5]]), highest bytes first.
        let data: Vec<u8> = [0_i16, 3, 1, 4, 2, 5]
            .iter()
            .flat_map(|number| number.to_be_bytes())
            .collect();
        // As numpy.savez and numpy.savez_compressed write it.
        for method in [CompressionMethod::Stored, CompressionMethod::Deflated] {
            let header = header(">i2", Layout::Fortran, &[2, 3]);
            archive(&path, method, header, &data);
            let read = read(&path, &[port(DType::I16, &[2, 3])]).expect("the file is read");
            assert_eq!(read[0].as_slice::<i16>(), Some(&[0, 1, 2, 3, 4, 5][..]));
        }
    }

    #[test]
    fn an_array_has_one_file() {
        let (_folder, path) = file();
        let mut archive = ZipWriter::new(File::create(&path).expect("the file can be made"));
        for name in ["x", "x.npy"] {
            let options = SimpleFileOptions::default();
            archive.start_file(name, options).expect("a file begins");
            let written = header("<f4", Layout::Standard, &[0]).write(&mut archive);
            written.expect("the header is written");
        }
        archive.finish().expect("the archive ends");
        let error = read(&path, &[port(DType::F32, &[0])]).expect_err("which one is not said");
        let error = error.to_string();
        assert!(
            error.contains("holds two arrays 'x', one as 'x.npy'"),
            "{error}"
        );
    }

    #[test]
    fn what_a_header_claims_is_not_allocated() {
        let (_folder, path) = file();
        let message = |descriptor: &str, claimed: &[usize], taken: &[i64], data: &[u8]| {
            let header = header(descriptor, Layout::Standard, claimed);
            archive(&path, CompressionMethod::Stored, header, data);
            let error = read(&path, &[port(DType::F32, taken)]).expect_err("the file is refused");
            error.to_string()
        };
        // 32 GiB.
        let text = message("<f4", &[8 << 30], &[96], &[0; 384]);
        assert!(
            text.contains("array 'x' has shape [8589934592], the model takes [96]"),
            "{text}"
        );
        let text = message("<f4", &[8 << 30], &[8 << 30], &[0; 384]);
        assert!(
            text.contains("has less data than the 34359738368 bytes"),
            "{text}"
        );
        let text = message("<f4", &[1], &[1], &[0; 5]);
        assert!(text.contains("has more data than the 4 bytes"), "{text}");
        let text = message("<f8", &[1], &[1], &[0; 8]);
        assert!(
            text.contains("is of type '<f8', the model takes f32 (<f4)"),
            "{text}"
        );
    }

    #[test]
    fn a_tensor_that_is_returned_twice_is_written_once() {
        let (_folder, path) = file();
        let ports = [port(DType::I64, &[2]), port(DType::I64, &[2])];
        let tensor =
            |values| Tensor::from_slice::<i64>(&[2], values).expect("there are two numbers");
        let (a, b) = (tensor(&[1, 2]), tensor(&[1, 3]));
        write(&path, &ports, &[a.clone(), a.clone()]).expect("the file is written");
        let back = read(&path, &ports[..1]).expect("the file is read");
        assert_eq!(back[0].bytes(), a.bytes());
        let error = write(&path, &ports, &[a, b]).expect_err("names are not unique");
        assert!(
            error.to_string().contains("two outputs are called 'x'"),
            "{error}"
        );
    }
}
