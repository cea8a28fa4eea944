//! Reads HDF5 files as Keras and h5py write them: groups, datasets and attributes. The names of sections in the comments are those of the
//! "HDF5 File Format Specification", version 3.0.
//!
//! Nothing is read that the file does not hold, nothing is allocated that it does not back, and trees are bounded. Contiguous datasets stay
//! in the file, which may be mapped.

mod attribute;
mod chunk;
mod cursor;
mod dataset;
mod datatype;
mod group;
mod object;

use self::cursor::{Cursor, Widths};
pub use self::object::Object;
use crate::graph::error::Result;
use bytes::Bytes;

/// The first bytes of a file.
const SIGNATURE: &[u8] = b"\x89HDF\r\n\x1a\n";

/// The most nodes of a tree, links of a group, and messages of an object: no file of Keras has as many, and no loop is longer.
const MOST: usize = 1 << 20;

/// A file in memory.
#[derive(Clone)]
pub struct File {
    /// From the base address on.
    bytes: Bytes,
    widths: Widths,
    root: u64,
}

impl File {
    /// Whether a file begins like one of HDF5.
    pub fn is_magic(bytes: &[u8]) -> bool {
        bytes.starts_with(SIGNATURE)
    }

    /// Reads the superblock (section "Disk Format: Level 0A").
    ///
    /// # Errors
    /// If the file is not of HDF5.
    pub fn open(bytes: Bytes) -> Result<Self> {
        // Before it there may be a block of the user's, of 512 bytes or a greater power of two.
        let starts = std::iter::once(0).chain((9..32).map(|power| 1_usize << power));
        let mut starts = starts.take_while(|start| *start < bytes.len());
        let start = starts.find(|start| Self::is_magic(&bytes[*start..]));
        let bytes = bytes.slice(start.ok_or("the signature of HDF5 is missing")?..);
        let one = Widths {
            offset: 1,
            length: 1,
        };
        let mut cursor = Cursor::new(&bytes, one);
        cursor.expect(SIGNATURE)?;
        let version = cursor.u8()?;
        match version {
            0 | 1 => cursor.skip(4)?,
            2 | 3 => {}
            other => return Err(format!("version {other} of the superblock is not known")),
        }
        let widths = Widths {
            offset: cursor.u8()?.into(),
            length: cursor.u8()?.into(),
        };
        let is_known = |width: usize| matches!(width, 2 | 4 | 8);
        if !is_known(widths.offset) || !is_known(widths.length) {
            return Err(format!(
                "addresses of {} bytes and lengths of {} are not supported",
                widths.offset, widths.length
            ));
        }
        let rest = bytes.get(SIGNATURE.len()..).unwrap_or_default();
        let mut cursor = Cursor::new(rest, widths);
        let root = match version {
            0 | 1 => {
                cursor.skip(if version == 0 { 16 } else { 20 })?;
                // Base, free space, end of file and driver; then the root's entry, whose first part is the offset of its name.
                cursor.skip(5 * widths.offset)?;
                cursor.defined()?
            }
            _ => {
                cursor.skip(4 + 3 * widths.offset)?;
                cursor.defined()?
            }
        };
        Ok(Self {
            bytes,
            widths,
            root,
        })
    }

    /// The root group.
    ///
    /// # Errors
    /// If it is damaged.
    pub fn root(&self) -> Result<Object> {
        Object::read(self, self.root)
    }

    /// What lies at an address.
    fn at(&self, address: u64) -> Result<Cursor<'_>> {
        let start = usize::try_from(address)
            .ok()
            .filter(|start| *start < self.bytes.len());
        let start = start.ok_or_else(|| {
            format!("address {address} is behind the end of the file, which may be truncated")
        })?;
        Ok(Cursor::new(&self.bytes[start..], self.widths))
    }

    /// So many bytes at an address, which are not copied.
    fn slice(&self, address: u64, length: u64) -> Result<Bytes> {
        let end = address
            .checked_add(length)
            .filter(|end| *end <= self.bytes.len() as u64);
        let end = end.ok_or_else(|| {
            format!(
                "{length} bytes at address {address} lie beyond the end of the file, which may be truncated"
            )
        })?;
        Ok(self.bytes.slice(address as usize..end as usize))
    }

    fn cursor<'b>(&self, bytes: &'b [u8]) -> Cursor<'b> {
        Cursor::new(bytes, self.widths)
    }
}
