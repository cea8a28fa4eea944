//! Types of elements, and extents (sections "The Datatype Message" and "The Dataspace Message").

use super::cursor::Cursor;
use crate::{
    graph::{constant::element_count, error::Result},
    keras::element,
};
use relay_dialects::element::Element;

/// A type of elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Datatype {
    /// Numbers.
    Number(Element),
    /// Texts of so many bytes.
    Text(usize),
    /// Texts of any length, which lie in a heap.
    Texts,
    /// Bytes whose meaning an attribute says.
    Opaque(usize),
}

/// The most types within types.
const DEEPEST: usize = 8;

impl Datatype {
    /// Reads a type.
    ///
    /// # Errors
    /// If it is none of these.
    pub fn read(cursor: &mut Cursor<'_>) -> Result<Self> {
        Self::within(cursor, 0)
    }

    fn within(cursor: &mut Cursor<'_>, depth: usize) -> Result<Self> {
        if depth > DEEPEST {
            return Err("a type is within too many others".into());
        }
        let class = cursor.u8()? & 0x0F;
        let flags = cursor.number(3)?;
        let size = cursor.u32()? as usize;
        match class {
            0 | 1 if flags & 1 != 0 => Err(
                "numbers whose first byte is the most significant one are not supported; \
                 save the model again with Keras"
                    .into(),
            ),
            0 => {
                let (offset, bits) = (cursor.u16()?, cursor.u16()?);
                let element = match (offset, usize::from(bits) == 8 * size) {
                    (0, true) => element::of_integer(size, flags & 8 != 0),
                    _ => None,
                };
                let element = element.ok_or_else(|| {
                    format!("integers of {bits} bits in {size} bytes are not supported")
                })?;
                Ok(Self::Number(element))
            }
            1 => {
                let (_, bits) = (cursor.u16()?, cursor.u16()?);
                let (_, exponent) = (cursor.u8()?, cursor.u8()?);
                match (size, bits, exponent) {
                    (2, 16, 5) => Ok(Self::Number(Element::F16)),
                    (2, 16, 8) => Ok(Self::Number(Element::Bf16)),
                    (4, 32, 8) => Ok(Self::Number(Element::F32)),
                    (8, 64, 11) => Ok(Self::Number(Element::F64)),
                    _ => Err(format!(
                        "floats of {size} bytes with {exponent} bits of exponent are not supported"
                    )),
                }
            }
            3 => Ok(Self::Text(size)),
            5 => Ok(Self::Opaque(size)),
            // h5py writes booleans as an enumeration of bytes.
            8 => match Self::within(cursor, depth + 1)? {
                Self::Number(Element::I8 | Element::U8) => Ok(Self::Number(Element::Bool)),
                _ => Err("enumerations other than booleans are not supported".into()),
            },
            9 if flags & 0x0F == 1 => Ok(Self::Texts),
            other => Err(format!(
                "class {other} of types is not supported; numbers, booleans and texts are"
            )),
        }
    }

    /// The bytes of an element in the file.
    pub fn bytes(self, offset: usize) -> usize {
        match self {
            Self::Number(element) => element.bytes(),
            Self::Text(bytes) | Self::Opaque(bytes) => bytes,
            // A length, and the address and the number of an object in a heap.
            Self::Texts => 4 + offset + 4,
        }
    }
}

/// Reads extents; `None` for a dataspace of no elements at all.
pub fn extents(cursor: &mut Cursor<'_>) -> Result<Option<Vec<i64>>> {
    let (version, rank, _) = (cursor.u8()?, cursor.u8()?, cursor.u8()?);
    match version {
        1 => cursor.skip(5)?,
        2 => {
            if cursor.u8()? == 2 {
                return Ok(None);
            }
        }
        other => return Err(format!("version {other} of a dataspace is not known")),
    }
    let extents = (0..rank).map(|_| {
        let extent = cursor.length()?;
        i64::try_from(extent).map_err(|_| format!("an extent of {extent}"))
    });
    let extents = extents.collect::<Result<Vec<_>>>()?;
    element_count(&extents)?;
    Ok(Some(extents))
}
