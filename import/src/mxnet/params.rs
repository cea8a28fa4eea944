//! Files of arrays: what `mx.nd.save` writes.
//!
//! All numbers are little-endian. A file has a magic number and a reserved one (64 bits each), then a list of arrays and one of names,
//! each behind its length of 64 bits. An array has a magic number for its version, how it is stored (dense or sparse), its shape, a
//! device, the number of its element type, and its elements. The first version had no magic number and dimensions of 32 bits.

use crate::{
    graph::{
        constant::{Const, element_count},
        error::Result,
        stored::Stored,
    },
    reader::Reader,
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
    let mut reader = Reader::new(file);
    if reader.u64()? != FILE {
        return Err("it is no file of arrays".into());
    }
    reader.u64()?;
    let count = reader.count(size_of::<u32>(), "arrays")?;
    let mut arrays = Vec::new();
    for number in 0..count {
        let array = array(&mut reader);
        arrays.push(array.map_err(|reason| format!("array {number}: {reason}"))?);
    }
    let names = reader.count(size_of::<u64>(), "names")?;
    if names != count {
        return Err(format!("it has {count} arrays and {names} names"));
    }
    let mut named = HashMap::new();
    for array in arrays {
        let name = reader.text()?;
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

fn array(reader: &mut Reader<'_>) -> Result<Const> {
    let magic = reader.u32()?;
    let dims = match magic {
        V2 | V3 => {
            let storage = reader.i32()?;
            if storage != 0 {
                return Err("sparse arrays are not supported".into());
            }
            let rank = reader.i32()?;
            dims(reader, rank, false)?
        }
        V1 => {
            let rank = reader.i32()?;
            dims(reader, rank, false)?
        }
        // The first version begins with the number of dimensions.
        rank => dims(reader, rank.cast_signed(), true)?,
    };
    if dims.is_empty() && magic != V3 {
        return Err("it is empty".into());
    }
    // The device.
    reader.take(2 * size_of::<i32>())?;
    let element = element(reader.i32()?)?;
    let count = element_count(&dims)?;
    let length = usize::try_from(count)
        .ok()
        .and_then(|count| count.checked_mul(element.bytes()));
    let bytes = reader.take(length.ok_or("it has too many elements")?)?;
    Ok(Const::of_bytes(element, dims, bytes))
}

fn dims(reader: &mut Reader<'_>, rank: i32, are_short: bool) -> Result<Vec<i64>> {
    let rank = usize::try_from(rank).ok().filter(|rank| *rank <= MOST_DIMS);
    let rank = rank.ok_or("its number of dimensions is none")?;
    (0..rank)
        .map(|_| match are_short {
            true => reader.u32().map(i64::from),
            false => reader.array().map(i64::from_le_bytes),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reader::check_damaged;

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
        check_damaged(&sample(), read);
    }
}
