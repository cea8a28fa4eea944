//! Files of arrays of TVM: the bytes of `relay.save_param_dict`.
//!
//! All numbers are little-endian. A file has a magic number and a reserved one (64 bits each), a list of names, and the number of arrays
//! (64 bits). An array has a magic number and a reserved one, a device, the number of its dimensions (32 bits), its element type (a kind,
//! bits and lanes), its dimensions, the number of its bytes (64 bits each), and these.
//!
//! Source: `SaveParams` in TVM's `src/runtime/file_utils.cc`, `SaveDLTensor` in `include/tvm/runtime/ndarray.h`, and DLPack's types.

use crate::{
    graph::{constant::element_count, error::Result, stored::Stored},
    reader::Reader,
};
use bytes::Bytes;
use relay_dialects::element::Element;

/// What a file begins with.
const FILE: u64 = 0xF7E5_8D4F_0504_9CB7;
/// What an array begins with.
const ARRAY: u64 = 0xDD5E_40F0_96B4_A13F;
/// The most dimensions of an array.
const MOST_DIMS: usize = 32;

/// Element types by their kinds and bits in DLPack. TVM's booleans are unsigned numbers of one bit.
const ELEMENTS: &[(u8, u8, Element)] = &[
    (0, 8, Element::I8),
    (0, 16, Element::I16),
    (0, 32, Element::I32),
    (0, 64, Element::I64),
    (1, 1, Element::Bool),
    (1, 8, Element::U8),
    (1, 16, Element::U16),
    (1, 32, Element::U32),
    (1, 64, Element::U64),
    (2, 16, Element::F16),
    (2, 32, Element::F32),
    (2, 64, Element::F64),
    (4, 16, Element::Bf16),
    (6, 8, Element::Bool),
];

/// Whether a file begins like one.
pub fn is_arrays(bytes: &[u8]) -> bool {
    bytes.starts_with(&FILE.to_le_bytes())
}

/// The arrays of a file, by their names.
///
/// # Errors
/// Where the file is not as described.
pub fn read(file: &Bytes) -> Result<Vec<(String, Stored)>> {
    let mut reader = Reader::new(file);
    if reader.u64()? != FILE {
        return Err("it is no file of TVM's arrays".into());
    }
    reader.u64()?;
    let count = reader.count(size_of::<u64>(), "names")?;
    let names: Vec<String> = (0..count).map(|_| reader.text()).collect::<Result<_>>()?;
    let arrays = reader.u64()?;
    if arrays != count as u64 {
        return Err(format!("it has {count} names and {arrays} arrays"));
    }
    let named = names.into_iter().map(|name| {
        let read = array(&mut reader).map_err(|reason| format!("array '{name}': {reason}"))?;
        Ok((name, read))
    });
    named.collect()
}

fn array(reader: &mut Reader<'_>) -> Result<Stored> {
    if reader.u64()? != ARRAY {
        return Err("it does not begin like an array".into());
    }
    reader.u64()?;
    // The device, which is the processor always.
    reader.take(8)?;
    let rank = usize::try_from(reader.i32()?).ok();
    let rank = rank.filter(|rank| *rank <= MOST_DIMS);
    let rank = rank.ok_or("its number of dimensions is not valid")?;
    let [kind, bits, lanes @ ..] = reader.array::<4>()?;
    let lanes = u16::from_le_bytes(lanes);
    let mut elements = ELEMENTS.iter();
    let found = elements.find(|(known, of_bits, _)| (*known, *of_bits, 1) == (kind, bits, lanes));
    let element = found.map(|(.., element)| *element);
    let element = element.ok_or_else(|| {
        format!("elements of kind {kind} with {bits} bits and {lanes} lanes are not supported")
    })?;
    let sizes = (0..rank).map(|_| reader.array().map(i64::from_le_bytes));
    let sizes: Vec<i64> = sizes.collect::<Result<_>>()?;
    let needed = usize::try_from(element_count(&sizes)?).ok();
    let needed = needed.and_then(|count| count.checked_mul(element.bytes()));
    let length = reader.u64()?;
    let needed = needed.filter(|needed| *needed as u64 == length);
    let needed =
        needed.ok_or_else(|| format!("its shape {sizes:?} does not have {length} bytes"))?;
    Ok(Stored::dense(element, sizes, reader.take(needed)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reader::check_damaged;

    /// What TVM writes of {"w": float32[1, 2], "m": int8[1]}.
    fn sample() -> Vec<u8> {
        let mut file = Vec::new();
        let number = |file: &mut Vec<u8>, number: u64| file.extend(number.to_le_bytes());
        number(&mut file, FILE);
        number(&mut file, 0);
        number(&mut file, 2);
        for name in ["w", "m"] {
            number(&mut file, 1);
            file.extend(name.as_bytes());
        }
        number(&mut file, 2);
        let arrays: [(&[u64], [u8; 4], &[u8]); 2] = [
            (&[1, 2], [2, 32, 1, 0], &[0, 0, 128, 63, 0, 0, 0, 64]),
            (&[1], [0, 8, 1, 0], &[3]),
        ];
        for (dims, ty, bytes) in arrays {
            number(&mut file, ARRAY);
            number(&mut file, 0);
            file.extend([1, 0, 0, 0, 0, 0, 0, 0]);
            file.extend((dims.len() as i32).to_le_bytes());
            file.extend(ty);
            dims.iter().for_each(|dim| number(&mut file, *dim));
            number(&mut file, bytes.len() as u64);
            file.extend(bytes);
        }
        file
    }

    #[test]
    fn arrays_are_read_by_their_names() {
        let arrays = read(&sample().into()).expect("it is a file of arrays");
        let (name, array) = &arrays[0];
        assert_eq!((name.as_str(), &array.sizes[..]), ("w", &[1, 2][..]));
        assert_eq!(array.read().expect("it is there").to_floats(), [1.0, 2.0]);
        assert_eq!(arrays[1].1.element, Element::I8);
    }

    #[test]
    fn damaged_files_are_errors() {
        check_damaged(&sample(), read);
    }
}
