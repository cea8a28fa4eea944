//! Files of arrays of TVM: the bytes of `relay.save_param_dict`.
//!
//! All numbers are little-endian. A file has a magic number and a reserved one (64 bits each), a list of names, and the number of arrays
//! (64 bits). An array has a magic number and a reserved one, a device, the number of its dimensions (32 bits), its element type (a kind,
//! bits and lanes), its dimensions, the number of its bytes (64 bits each), and these.
//!
//! Source: `SaveParams` in TVM's `src/runtime/file_utils.cc`, `SaveDLTensor` in `include/tvm/runtime/ndarray.h`, and DLPack's types.

use crate::graph::{constant::element_count, error::Result, stored::Stored};
use bytes::{Buf, Bytes};
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
    let mut rest = file.clone();
    if number(&mut rest)? != FILE {
        return Err("it is no file of TVM's arrays".into());
    }
    number(&mut rest)?;
    let count = number(&mut rest)?;
    let mut names = Vec::new();
    for _ in 0..count {
        let length = number(&mut rest)?;
        let name = take(&mut rest, length)?.to_vec();
        names.push(String::from_utf8(name).map_err(|error| format!("a name is no text: {error}"))?);
    }
    let arrays = number(&mut rest)?;
    if arrays != count {
        return Err(format!("it has {count} names and {arrays} arrays"));
    }
    let named = names.into_iter().map(|name| {
        let read = array(&mut rest).map_err(|reason| format!("array '{name}': {reason}"))?;
        Ok((name, read))
    });
    named.collect()
}

fn array(rest: &mut Bytes) -> Result<Stored> {
    if number(rest)? != ARRAY {
        return Err("it does not begin like an array".into());
    }
    number(rest)?;
    // The device, which is the processor always.
    take(rest, 8)?;
    let mut head = take(rest, 8)?;
    let rank = usize::try_from(head.get_i32_le()).ok();
    let rank = rank.filter(|rank| *rank <= MOST_DIMS);
    let rank = rank.ok_or("its number of dimensions is not valid")?;
    let (kind, bits, lanes) = (head.get_u8(), head.get_u8(), head.get_u16_le());
    let mut elements = ELEMENTS.iter();
    let found = elements.find(|(known, of_bits, _)| (*known, *of_bits, 1) == (kind, bits, lanes));
    let element = found.map(|(.., element)| *element);
    let element = element.ok_or_else(|| {
        format!("elements of kind {kind} with {bits} bits and {lanes} lanes are not supported")
    })?;
    let mut sizes = Vec::with_capacity(rank);
    for _ in 0..rank {
        sizes.push(number(rest)? as i64);
    }
    let needed = usize::try_from(element_count(&sizes)?).ok();
    let needed = needed.and_then(|count| count.checked_mul(element.bytes()));
    let length = number(rest)?;
    if needed.map(|needed| needed as u64) != Some(length) {
        return Err(format!("its shape {sizes:?} does not have {length} bytes"));
    }
    Ok(Stored::dense(element, sizes, take(rest, length)?))
}

/// The next number of 64 bits.
fn number(rest: &mut Bytes) -> Result<u64> {
    Ok(take(rest, 8)?.get_u64_le())
}

/// The next bytes.
fn take(rest: &mut Bytes, length: u64) -> Result<Bytes> {
    let length = usize::try_from(length).ok();
    let length = length.filter(|length| *length <= rest.len());
    Ok(rest.split_to(length.ok_or("the file is cut short")?))
}

#[cfg(test)]
mod tests {
    use super::*;

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
