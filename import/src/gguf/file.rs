//! Files of GGUF, versions 2 and 3.
//!
//! All numbers are little-endian. A file has a magic number, its version, the number of tensors and that of metadata; then the metadata,
//! then what is said of each tensor (name, dimensions with the fastest one first, type, offset), then the tensors, each at a multiple of
//! the alignment. Source: `docs/gguf.md` of ggml.

use super::{
    metadata::{Metadata, ValueType},
    tensor_type::TensorType,
};
use crate::{
    error::ImportError,
    graph::{constant::element_count, error::Result},
    reader::Reader,
    source::Source,
};
use bytes::Bytes;
use std::collections::HashMap;

/// What a file begins with.
pub const MAGIC: &[u8] = b"GGUF";

/// The most dimensions of a tensor.
const MOST_DIMS: u32 = 4;
/// The alignment of tensors where the metadata say nothing.
const ALIGNMENT: u64 = 32;
/// The fewest bytes of what is said of a tensor: a name of no letters, no dimensions, a type and an offset.
const LEAST_OF_TENSOR: usize = 24;
/// The fewest bytes of a number of the metadata: a name of no letters, a type and a byte.
const LEAST_OF_ENTRY: usize = 13;

/// A file that was read. Tensors stay in its bytes.
pub struct File {
    /// What it says of the model.
    pub metadata: Metadata,
    /// The tensors in the order of the file.
    pub tensors: Vec<Tensor>,
}

/// A tensor of a file.
#[derive(Clone)]
pub struct Tensor {
    /// Its name.
    pub name: String,
    /// Its dimensions, with the fastest one last.
    pub shape: Vec<i64>,
    /// How its numbers are stored.
    pub kind: &'static TensorType,
    /// The stored numbers.
    pub bytes: Bytes,
}

impl File {
    /// Reads a model's file.
    ///
    /// # Errors
    /// If it is damaged.
    pub fn open(source: &Source) -> Result<Self, ImportError> {
        Self::read(&source.bytes).map_err(|reason| ImportError::Decode {
            path: source.path.clone(),
            format: "a file of GGUF",
            reason,
        })
    }

    /// Reads bytes as a file.
    ///
    /// # Errors
    /// Where the file is not as described.
    pub fn read(bytes: &Bytes) -> Result<Self> {
        let mut reader = Reader::new(bytes);
        check_version(&mut reader)?;
        let tensors = reader.count(LEAST_OF_TENSOR, "tensors")?;
        let entries = reader.count(LEAST_OF_ENTRY, "metadata")?;
        let metadata = read_metadata(&mut reader, entries)?;
        let mut headers = Vec::new();
        for number in 0..tensors {
            let tensor = Header::read(&mut reader);
            headers.push(tensor.map_err(|reason| format!("tensor {number}: {reason}"))?);
        }
        let alignment = alignment(&metadata)?;
        let begin = (reader.place() as u64).next_multiple_of(alignment);
        Ok(Self {
            metadata,
            tensors: placed(bytes, headers, (begin, alignment))?,
        })
    }
}

fn check_version(reader: &mut Reader<'_>) -> Result<()> {
    if &reader.take(MAGIC.len())?[..] != MAGIC {
        return Err("it does not begin with 'GGUF'".into());
    }
    match reader.u32()? {
        2 | 3 => Ok(()),
        1 => Err(
            "it is of version 1; versions 2 and 3 are supported, so convert it anew with llama.cpp"
                .into(),
        ),
        swapped if swapped.trailing_zeros() >= 16 => Err(
            "its numbers are big-endian; only little-endian files are supported (gguf-convert-endian of the Python package gguf converts it)"
                .into(),
        ),
        other => Err(format!(
            "it is of version {other}; versions 2 and 3 are supported"
        )),
    }
}

fn read_metadata(reader: &mut Reader<'_>, entries: usize) -> Result<Metadata> {
    let mut values = HashMap::new();
    for number in 0..entries {
        let within = |reason: String| format!("metadata {number}: {reason}");
        let key = reader.text().map_err(within)?;
        let value = ValueType::of(reader.u32()?).and_then(|kind| kind.read(reader, 0));
        let value = value.map_err(|reason| format!("'{key}': {reason}"))?;
        if values.insert(key.clone(), value).is_some() {
            return Err(format!("there are two metadata '{key}'"));
        }
    }
    Ok(Metadata::new(values))
}

fn alignment(metadata: &Metadata) -> Result<u64> {
    let alignment = metadata.size("general.alignment")?;
    let alignment = alignment.map_or(ALIGNMENT, |given| given.unsigned_abs());
    match alignment.is_power_of_two() && alignment <= 1 << 20 {
        true => Ok(alignment),
        false => Err(format!(
            "'general.alignment' is {alignment}, which is no power of two"
        )),
    }
}

/// What is said of a tensor before the tensors.
struct Header {
    name: String,
    shape: Vec<i64>,
    kind: &'static TensorType,
    offset: u64,
}

impl Header {
    fn read(reader: &mut Reader<'_>) -> Result<Self> {
        let name = reader.text()?;
        Self::of_name(reader, name.clone()).map_err(|reason| format!("'{name}': {reason}"))
    }

    fn of_name(reader: &mut Reader<'_>, name: String) -> Result<Self> {
        let rank = reader.u32()?;
        if rank > MOST_DIMS {
            return Err(format!(
                "it has {rank} dimensions, at most {MOST_DIMS} are allowed"
            ));
        }
        let mut shape = Vec::new();
        for _ in 0..rank {
            let dim = reader.u64()?;
            shape.push(i64::try_from(dim).map_err(|_| format!("dimension {dim} is too large"))?);
        }
        shape.reverse();
        element_count(&shape)?;
        Ok(Self {
            name,
            shape,
            kind: TensorType::of(reader.u32()?)?,
            offset: reader.u64()?,
        })
    }

    /// The number of stored bytes.
    fn length(&self) -> Result<u64> {
        let row = self.shape.last().copied().unwrap_or(1);
        let of_block = self.kind.numbers;
        if row % of_block != 0 {
            return Err(format!(
                "rows of {row} numbers are no whole blocks of {of_block}, which {} has",
                self.kind.name
            ));
        }
        let blocks = element_count(&self.shape)? / of_block;
        let length = blocks.checked_mul(self.kind.bytes as i64);
        length
            .map(i64::unsigned_abs)
            .ok_or_else(|| "it is too large".into())
    }
}

/// The tensors with their bytes. No two of them may have a byte in common: so a file of few bytes says no more than these.
fn placed(
    file: &Bytes,
    headers: Vec<Header>,
    (begin, alignment): (u64, u64),
) -> Result<Vec<Tensor>> {
    let mut tensors: Vec<Tensor> = Vec::new();
    let mut places: Vec<(u64, u64, usize)> = Vec::new();
    let mut numbers: HashMap<String, usize> = HashMap::new();
    for (number, header) in headers.into_iter().enumerate() {
        let name = header.name.clone();
        let wrong = |reason: String| format!("tensor '{name}': {reason}");
        let length = header.length().map_err(wrong)?;
        if header.offset % alignment != 0 {
            return Err(wrong(format!(
                "its offset {} is no multiple of the alignment {alignment}",
                header.offset
            )));
        }
        let first = begin.checked_add(header.offset);
        let end = first.and_then(|first| first.checked_add(length));
        let (Some(first), Some(end)) = (first, end.filter(|end| *end <= file.len() as u64)) else {
            return Err(wrong(format!(
                "it has {length} bytes from {} on behind {begin} bytes, and the file has {}; it may be cut short",
                header.offset,
                file.len()
            )));
        };
        if numbers.insert(name.clone(), number).is_some() {
            return Err(format!("two tensors are called '{name}'"));
        }
        if length > 0 {
            places.push((first, end, number));
        }
        tensors.push(Tensor {
            bytes: file.slice(first as usize..end as usize),
            name: header.name,
            shape: header.shape,
            kind: header.kind,
        });
    }
    places.sort_unstable();
    match places.windows(2).find(|pair| pair[1].0 < pair[0].1) {
        Some(pair) => Err(format!(
            "tensors '{}' and '{}' overlap",
            tensors[pair[0].2].name, tensors[pair[1].2].name
        )),
        None => Ok(tensors),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(file: &mut Vec<u8>, text: &str) {
        file.extend((text.len() as u64).to_le_bytes());
        file.extend(text.as_bytes());
    }

    /// A file with a list of lists, and two tensors.
    fn sample() -> Vec<u8> {
        let mut file = MAGIC.to_vec();
        file.extend(3u32.to_le_bytes());
        file.extend(2u64.to_le_bytes());
        file.extend(3u64.to_le_bytes());
        text(&mut file, "general.architecture");
        file.extend(8u32.to_le_bytes());
        text(&mut file, "llama");
        text(&mut file, "list");
        file.extend(9u32.to_le_bytes());
        file.extend(9u32.to_le_bytes());
        file.extend(1u64.to_le_bytes());
        file.extend(4u32.to_le_bytes());
        file.extend(2u64.to_le_bytes());
        file.extend([7, 0, 0, 0, 8, 0, 0, 0]);
        text(&mut file, "words");
        file.extend(9u32.to_le_bytes());
        file.extend(8u32.to_le_bytes());
        file.extend(2u64.to_le_bytes());
        text(&mut file, "a");
        text(&mut file, "bc");
        for (name, kind, offset) in [("x", 0u32, 0u64), ("y", 8, 32)] {
            text(&mut file, name);
            file.extend(2u32.to_le_bytes());
            file.extend(if kind == 0 { 2u64 } else { 32 }.to_le_bytes());
            file.extend(1u64.to_le_bytes());
            file.extend(kind.to_le_bytes());
            file.extend(offset.to_le_bytes());
        }
        file.resize(file.len().next_multiple_of(32) + 32 + 34, 1);
        file
    }

    #[test]
    fn metadata_and_tensors_are_read() {
        let file = File::read(&sample().into()).expect("it is a file");
        assert_eq!(
            file.metadata.text("general.architecture"),
            Ok(Some("llama"))
        );
        let words = file.metadata.texts("words");
        assert_eq!(words, Ok(Some(vec!["a".to_owned(), "bc".to_owned()])));
        assert!(file.metadata.ints("list").is_err(), "it is a list of lists");
        let [x, y] = &file.tensors[..] else {
            panic!("there are two tensors");
        };
        assert_eq!(
            (&x.shape[..], x.kind.name, x.bytes.len()),
            (&[1, 2][..], "F32", 8)
        );
        assert_eq!(
            (&y.shape[..], y.kind.name, y.bytes.len()),
            (&[1, 32][..], "Q8_0", 34)
        );
    }

    #[test]
    fn damaged_files_are_errors() {
        let file = sample();
        for end in 0..file.len() {
            assert!(File::read(&file[..end].to_vec().into()).is_err(), "{end}");
        }
        // Whatever a byte becomes, nothing is read that is not there.
        for at in 0..file.len() {
            for byte in [0, 0x7F, 0x80, 0xFF] {
                let mut damaged = file.clone();
                damaged[at] = byte;
                let _ = File::read(&damaged.into());
            }
        }
    }

    /// The message about a file in which a text of bytes is replaced.
    fn refused(from: &[u8], to: &[u8]) -> String {
        let mut file = sample();
        let at = file.windows(from.len()).position(|part| part == from);
        let at = at.expect("the file has these bytes");
        file.splice(at..at + from.len(), to.iter().copied());
        match File::read(&file.into()) {
            Ok(_) => panic!("it is refused"),
            Err(reason) => reason,
        }
    }

    #[test]
    fn what_does_not_fit_is_named() {
        let version = |number: u32| [MAGIC, &number.to_le_bytes()].concat();
        let of = |number| refused(&version(3), &version(number));
        assert!(of(1).contains("version 1"));
        assert!(of(3 << 24).contains("big-endian"));
        assert!(of(9).contains("version 9"));
        // The second tensor where the first one is.
        let offset = |offset: u64| [&8u32.to_le_bytes()[..], &offset.to_le_bytes()].concat();
        assert!(refused(&offset(32), &offset(0)).contains("overlap"));
        assert!(refused(&offset(32), &offset(8)).contains("alignment"));
        assert!(refused(&offset(32), &offset(64)).contains("cut short"));
        assert!(refused(&offset(32), &offset(u64::MAX - 31)).contains("cut short"));
        let columns = |columns: u64| [&2u32.to_le_bytes()[..], &columns.to_le_bytes()].concat();
        assert!(refused(&columns(32), &columns(33)).contains("no whole blocks"));
        assert!(refused(&columns(2), &columns(u64::MAX)).contains("too large"));
        assert!(refused(&columns(2), &columns(1 << 60)).contains("2^40"));
        assert!(refused(b"y\x02", b"x\x02").contains("two tensors"));
    }

    #[test]
    fn lists_of_lists_end() {
        let mut file = MAGIC.to_vec();
        file.extend(3u32.to_le_bytes());
        file.extend(0u64.to_le_bytes());
        file.extend(1u64.to_le_bytes());
        text(&mut file, "list");
        file.extend(9u32.to_le_bytes());
        for _ in 0..100_000 {
            file.extend(9u32.to_le_bytes());
            file.extend(1u64.to_le_bytes());
        }
        let reason = File::read(&file.into()).err().expect("it is refused");
        assert!(reason.contains("lists lie in more"), "{reason}");
    }
}
