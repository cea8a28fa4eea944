//! Numbers one after the other in a file. Nothing outside of it is read.

use crate::graph::error::Result;

/// The widths, in bytes, of offsets and lengths in a file ("Size of Offsets" and "Size of Lengths" of the superblock).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Widths {
    /// That of addresses.
    pub offset: usize,
    /// That of lengths.
    pub length: usize,
}

/// A place in a part of a file.
#[derive(Clone)]
pub struct Cursor<'f> {
    rest: &'f [u8],
    widths: Widths,
}

impl<'f> Cursor<'f> {
    /// The start of a part.
    pub fn new(part: &'f [u8], widths: Widths) -> Self {
        Self { rest: part, widths }
    }

    /// How many bytes are left.
    pub fn left(&self) -> usize {
        self.rest.len()
    }

    /// So many bytes.
    ///
    /// # Errors
    /// If there are fewer.
    pub fn take(&mut self, count: usize) -> Result<&'f [u8]> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or_else(|| {
            format!(
                "{count} bytes are expected where {} are left",
                self.rest.len()
            )
        })?;
        self.rest = rest;
        Ok(taken)
    }

    /// Moves over bytes that say nothing.
    pub fn skip(&mut self, count: usize) -> Result<()> {
        self.take(count).map(drop)
    }

    /// Checks a signature.
    pub fn expect(&mut self, signature: &[u8]) -> Result<()> {
        match self.take(signature.len())? {
            found if found == signature => Ok(()),
            _ => Err(format!(
                "'{}' is expected where there is something else",
                String::from_utf8_lossy(signature)
            )),
        }
    }

    /// A number of so many bytes, up to 8.
    pub fn number(&mut self, width: usize) -> Result<u64> {
        let bytes = self.take(width)?;
        if width > 8 {
            return Err(format!("a number of {width} bytes"));
        }
        let mut wide = [0; 8];
        wide[..width].copy_from_slice(bytes);
        Ok(u64::from_le_bytes(wide))
    }

    /// A byte.
    pub fn u8(&mut self) -> Result<u8> {
        Ok(self.number(1)? as u8)
    }

    /// A number of 2 bytes.
    pub fn u16(&mut self) -> Result<u16> {
        Ok(self.number(2)? as u16)
    }

    /// A number of 4 bytes.
    pub fn u32(&mut self) -> Result<u32> {
        Ok(self.number(4)? as u32)
    }

    /// A length.
    pub fn length(&mut self) -> Result<u64> {
        self.number(self.widths.length)
    }

    /// An address; `None` if it is undefined, which all bits set say.
    pub fn address(&mut self) -> Result<Option<u64>> {
        let width = self.widths.offset;
        let address = self.number(width)?;
        let undefined = u64::MAX >> (8 * (8 - width));
        Ok((address != undefined).then_some(address))
    }

    /// An address that has to be defined.
    pub fn defined(&mut self) -> Result<u64> {
        let address = self.address()?;
        address.ok_or_else(|| "an address is undefined".into())
    }
}
