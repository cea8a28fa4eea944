//! Files of arrays: what `mx.nd.save` writes.
//!
//! All numbers are little-endian. A file has a magic number and a reserved one (64 bits each), then a list of arrays and one of names,
//! each behind its length of 64 bits. An array has a magic number for its version, how it is stored (dense or sparse), its shape, a
//! device, the number of its element type, and its elements. The first version had no magic number and dimensions of 32 bits.

use crate::graph::{
    constant::{Const, element_count},
    error::Result,
    stored::Stored,
};
use bytes::Bytes;
use relay_dialects::element::Element;
use std::collections::HashMap;

/// What a file begins with.
const FILE: u64 = 0x112;
/// What arrays of the first version with a magic number begin with: they are dense, with dimensions of 64 bits.
const V1: u32 = 0xF993_FAC8;
/// What arrays begin with that may be sparse.
const V2: u32 = 0xF993_FAC9;
/// The same, where a shape without dimensions is that of a number.
const V3: u32 = 0xF993_FACA;

/// The most dimensions of an array.
const MOST_DIMS: usize = 32;

/// Element types by their numbers.
const ELEMENTS: [(i32, Element); 9] = [
    (0, Element::F32),
    (1, Element::F64),
    (2, Element::F16),
    (3, Element::U8),
    (4, Element::I32),
    (5, Element::I8),
    (6, Element::I64),
    (7, Element::Bool),
    (12, Element::Bf16),
];

/// The element type of a number.
pub fn element(code: i32) -> Result<Element> {
    let found = ELEMENTS.iter().find(|(known, _)| *known == code);
    let found = found.map(|(_, element)| *element);
    found.ok_or_else(|| format!("there is no element type of number {code}"))
}

/// The arrays of a file by their names, without the prefixes `arg:` and `aux:`.
///
/// # Errors
/// Where the file is not as described.
pub fn read(file: &Bytes) -> Result<HashMap<String, Const>> {
    let mut reader = Reader { file, at: 0 };
    if reader.u64()? != FILE {
        return Err("it is no file of arrays".into());
    }
    reader.u64()?;
    let count = reader.count()?;
    let mut arrays = Vec::new();
    for number in 0..count {
        let array = reader.array();
        arrays.push(array.map_err(|reason| format!("array {number}: {reason}"))?);
    }
    let names = reader.count()?;
    if names != count {
        return Err(format!("it has {count} arrays and {names} names"));
    }
    let mut named = HashMap::new();
    for array in arrays {
        let name = reader.name()?;
        let short = name.strip_prefix("arg:").or(name.strip_prefix("aux:"));
        named.insert(short.unwrap_or(&name).to_owned(), array);
    }
    Ok(named)
}

/// The arrays of a file as [`read`] has them.
///
/// # Errors
/// As [`read`].
pub fn read_stored(file: &Bytes) -> Result<Vec<(String, Stored)>> {
    let arrays = read(file)?.into_iter().map(|(name, array)| {
        let stored = Stored::dense(array.element, array.shape.clone(), array.shared_bytes());
        (name, stored)
    });
    Ok(arrays.collect())
}

/// Whether a file begins like one.
pub fn is_arrays(bytes: &[u8]) -> bool {
    bytes.starts_with(&FILE.to_le_bytes())
}

struct Reader<'f> {
    file: &'f Bytes,
    at: usize,
}

impl Reader<'_> {
    fn take(&mut self, length: usize) -> Result<Bytes> {
        let end = self
            .at
            .checked_add(length)
            .filter(|end| *end <= self.file.len());
        let end = end
            .ok_or_else(|| format!("at byte {}: {length} bytes more than the file has", self.at))?;
        let taken = self.file.slice(self.at..end);
        self.at = end;
        Ok(taken)
    }

    fn number<const BYTES: usize>(&mut self) -> Result<[u8; BYTES]> {
        let taken = self.take(BYTES)?;
        taken[..].try_into().map_err(|_| "it is cut short".into())
    }

    fn u64(&mut self) -> Result<u64> {
        self.number().map(u64::from_le_bytes)
    }

    fn u32(&mut self) -> Result<u32> {
        self.number().map(u32::from_le_bytes)
    }

    fn i32(&mut self) -> Result<i32> {
        self.number().map(i32::from_le_bytes)
    }

    /// How many things follow, each of which takes bytes.
    fn count(&mut self) -> Result<usize> {
        let at = self.at;
        let count = usize::try_from(self.u64()?).ok();
        let count = count.filter(|count| *count <= self.file.len() - self.at);
        count.ok_or_else(|| format!("at byte {at}: there cannot be so many"))
    }

    fn name(&mut self) -> Result<String> {
        let length = self.count()?;
        let bytes = self.take(length)?;
        String::from_utf8(bytes.to_vec()).map_err(|error| format!("a name is no text: {error}"))
    }

    fn array(&mut self) -> Result<Const> {
        let magic = self.u32()?;
        let dims = match magic {
            V2 | V3 => {
                let storage = self.i32()?;
                if storage != 0 {
                    return Err("sparse arrays are not supported".into());
                }
                self.dims(false)?
            }
            V1 => self.dims(false)?,
            // The first version begins with the number of dimensions.
            _ => {
                self.at -= size_of::<u32>();
                self.dims(true)?
            }
        };
        if dims.is_empty() && magic != V3 {
            return Err("it is empty".into());
        }
        // The device.
        self.take(2 * size_of::<i32>())?;
        let element = element(self.i32()?)?;
        let count = element_count(&dims)?;
        let length = usize::try_from(count)
            .ok()
            .and_then(|count| count.checked_mul(element.bytes()));
        let bytes = self.take(length.ok_or("it has too many elements")?)?;
        Ok(Const::of_bytes(element, dims, bytes))
    }

    fn dims(&mut self, are_short: bool) -> Result<Vec<i64>> {
        let rank = usize::try_from(self.i32()?)
            .ok()
            .filter(|rank| *rank <= MOST_DIMS);
        let rank = rank.ok_or("its number of dimensions is none")?;
        (0..rank)
            .map(|_| match are_short {
                true => self.u32().map(i64::from),
                false => self.number().map(i64::from_le_bytes),
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bytes that `mx.nd.save("x", {"arg:w": mx.nd.array([[1, 2]]), "aux:m": mx.nd.array([3], dtype="int8")})` writes with
    /// MXNet 1.9.1.
    fn sample() -> Vec<u8> {
        let mut file = Vec::new();
        file.extend(FILE.to_le_bytes());
        file.extend(0u64.to_le_bytes());
        file.extend(2u64.to_le_bytes());
        let arrays: [(&[i64], i32, &[u8]); 2] =
            [(&[1, 2], 0, &[0, 0, 128, 63, 0, 0, 0, 64]), (&[1], 5, &[3])];
        for (dims, code, bytes) in arrays {
            file.extend(V2.to_le_bytes());
            file.extend(0i32.to_le_bytes());
            file.extend((dims.len() as i32).to_le_bytes());
            dims.iter().for_each(|dim| file.extend(dim.to_le_bytes()));
            file.extend([1, 0, 0, 0, 0, 0, 0, 0]);
            file.extend(code.to_le_bytes());
            file.extend(bytes);
        }
        file.extend(2u64.to_le_bytes());
        for name in ["arg:w", "aux:m"] {
            file.extend((name.len() as u64).to_le_bytes());
            file.extend(name.as_bytes());
        }
        file
    }

    #[test]
    fn arrays_are_read_by_their_names() {
        let arrays = read(&sample().into()).expect("it is a file of arrays");
        assert_eq!(arrays["w"].shape, [1, 2]);
        assert_eq!(arrays["w"].to_floats(), [1.0, 2.0]);
        assert_eq!(arrays["m"].to_ints(), Some(vec![3]));
    }

    #[test]
    fn damaged_files_are_errors() {
        let file = sample();
        for end in 0..file.len() {
            assert!(read(&file[..end].to_vec().into()).is_err(), "{end}");
        }
        // Whatever a byte becomes, nothing is read that is not there.
        for at in 0..file.len() {
            let mut damaged = file.clone();
            damaged[at] = 0xFF;
            let _ = read(&damaged.into());
        }
    }
}
