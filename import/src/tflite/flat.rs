//! FlatBuffers, with each bound checked where it is read.
//!
//! A file is tables that refer to each other by offsets. Nothing of it is trusted: an offset that leaves the file, a vector that is
//! longer than the file, and a table whose fields lie outside of it are errors that say at which byte. Vectors may share their
//! bytes, so that a small file could name one long vector many times: [`Flat`] counts what is decoded, and stops at a multiple of the
//! file's size.

use crate::graph::error::Result;
use std::cell::Cell;

/// How many times a file's bytes may be decoded.
const MOST_READS: usize = 8;

/// What a file may decode beside that.
const LEAST_BUDGET: usize = 1 << 16;

/// The bytes of a file, and how much of them may yet be decoded.
pub struct Flat<'f> {
    bytes: &'f [u8],
    budget: Cell<usize>,
}

impl<'f> Flat<'f> {
    /// A file.
    pub fn new(bytes: &'f [u8]) -> Self {
        let budget = bytes
            .len()
            .saturating_mul(MOST_READS)
            .saturating_add(LEAST_BUDGET);
        Self {
            bytes,
            budget: Cell::new(budget),
        }
    }

    /// The table that the file begins with, whose bytes 4 to 7 have to be an identifier.
    pub fn root(&'f self, identifier: &[u8; 4]) -> Result<Table<'f>> {
        if self.bytes.get(4..8) != Some(identifier) {
            let identifier = String::from_utf8_lossy(identifier);
            return Err(format!("bytes 4 to 7 are not the identifier {identifier}"));
        }
        self.table(self.reference(0)?)
    }

    /// The table at a place.
    pub fn table(&'f self, at: usize) -> Result<Table<'f>> {
        let back = i64::from(i32::from_le_bytes(self.array(at)?));
        let vtable = (at as i64)
            .checked_sub(back)
            .and_then(|it| usize::try_from(it).ok());
        let vtable = vtable.ok_or_else(|| wild(at))?;
        let size = usize::from(u16::from_le_bytes(self.array(vtable)?));
        let extent = usize::from(u16::from_le_bytes(self.array(vtable.saturating_add(2))?));
        let ends = [(vtable, size), (at, extent)].map(|(from, size)| from.saturating_add(size));
        if size < 4 || size % 2 != 0 || extent < 4 || ends.iter().any(|end| *end > self.bytes.len())
        {
            return Err(format!(
                "the table at byte {at} has no valid list of fields"
            ));
        }
        Ok(Table {
            flat: self,
            at,
            vtable,
            fields: (size - 4) / 2,
            extent,
        })
    }

    fn array<const N: usize>(&self, at: usize) -> Result<[u8; N]> {
        let end = at.checked_add(N).ok_or_else(|| wild(at))?;
        let bytes = self.bytes.get(at..end).ok_or_else(|| wild(at))?;
        bytes.try_into().map_err(|_| wild(at))
    }

    /// Where the offset at a place leads.
    fn reference(&self, at: usize) -> Result<usize> {
        let offset = u32::from_le_bytes(self.array(at)?) as usize;
        let to = at.checked_add(offset).filter(|to| *to < self.bytes.len());
        to.filter(|_| offset > 0).ok_or_else(|| wild(at))
    }

    /// The place of the first element of a vector, and how many there are, of so many bytes each.
    fn vector(&self, at: usize, width: usize) -> Result<(usize, usize)> {
        let from = self.reference(at)?;
        let count = u32::from_le_bytes(self.array(from)?) as usize;
        let first = from + 4;
        let size = count.checked_mul(width).ok_or_else(|| wild(at))?;
        if first
            .checked_add(size)
            .is_none_or(|end| end > self.bytes.len())
        {
            return Err(format!(
                "the vector at byte {from} says {count} elements of {width} bytes; the file has {} bytes",
                self.bytes.len()
            ));
        }
        Ok((first, count))
    }

    /// Counts bytes that become something else in memory.
    fn decode(&self, size: usize) -> Result<()> {
        let left = self.budget.get().checked_sub(size);
        let left = left
            .ok_or("its vectors share bytes so often that it decodes to a multiple of its size")?;
        self.budget.set(left);
        Ok(())
    }
}

fn wild(at: usize) -> String {
    format!("what is at byte {at} leads out of the file")
}

/// A table.
#[derive(Clone, Copy)]
pub struct Table<'f> {
    flat: &'f Flat<'f>,
    at: usize,
    vtable: usize,
    fields: usize,
    extent: usize,
}

/// Readers of fields that are numbers, and of fields that are vectors of numbers.
macro_rules! numbers {
    ($($name:ident: $ty:ty, $text:literal;)*) => {$(
        #[doc = concat!("A field of ", $text, ", or what it is where there is none.")]
        pub fn $name(&self, field: usize, default: $ty) -> Result<$ty> {
            match self.field(field, size_of::<$ty>())? {
                None => Ok(default),
                Some(at) => Ok(<$ty>::from_le_bytes(self.flat.array(at)?)),
            }
        }
    )*};
}

macro_rules! vectors {
    ($($name:ident: $ty:ty, $text:literal;)*) => {$(
        #[doc = concat!("A field that is a vector of ", $text, "; empty if it is not there.")]
        pub fn $name(&self, field: usize) -> Result<Vec<$ty>> {
            let (first, count) = match self.field(field, 4)? {
                None => return Ok(Vec::new()),
                Some(at) => self.flat.vector(at, size_of::<$ty>())?,
            };
            self.flat.decode(count * size_of::<$ty>())?;
            let places = (0..count).map(|index| first + index * size_of::<$ty>());
            places.map(|at| Ok(<$ty>::from_le_bytes(self.flat.array(at)?))).collect()
        }
    )*};
}

impl<'f> Table<'f> {
    /// The byte at which it is.
    pub fn place(&self) -> usize {
        self.at
    }

    /// How many fields it may have.
    pub fn fields(&self) -> usize {
        self.fields
    }

    /// Whether it has a field.
    pub fn has(&self, field: usize) -> Result<bool> {
        Ok(self.field(field, 1)?.is_some())
    }

    /// Where a field of so many bytes is.
    fn field(&self, field: usize, size: usize) -> Result<Option<usize>> {
        if field >= self.fields {
            return Ok(None);
        }
        let slot = self.flat.array(self.vtable + 4 + 2 * field)?;
        match usize::from(u16::from_le_bytes(slot)) {
            0 => Ok(None),
            offset if offset < 4 || offset + size > self.extent => Err(format!(
                "field {field} of the table at byte {} is outside of it",
                self.at
            )),
            offset => Ok(Some(self.at + offset)),
        }
    }

    numbers! {
        i8: i8, "an integer of 8 bits";
        u8: u8, "an integer of 8 bits without a sign";
        i32: i32, "an integer of 32 bits";
        u32: u32, "an integer of 32 bits without a sign";
        u64: u64, "an integer of 64 bits without a sign";
        f32: f32, "a float of 32 bits";
    }

    vectors! {
        u8s: u8, "integers of 8 bits without a sign";
        u16s: u16, "integers of 16 bits without a sign";
        i32s: i32, "integers of 32 bits";
        i64s: i64, "integers of 64 bits";
        f32s: f32, "floats of 32 bits";
    }

    /// A boolean.
    pub fn bool(&self, field: usize, default: bool) -> Result<bool> {
        Ok(self.u8(field, u8::from(default))? != 0)
    }

    /// A field that is a table, or a member of a union.
    pub fn table(&self, field: usize) -> Result<Option<Table<'f>>> {
        let Some(at) = self.field(field, 4)? else {
            return Ok(None);
        };
        self.flat.table(self.flat.reference(at)?).map(Some)
    }

    /// A field that is a vector of tables; empty if it is not there.
    pub fn tables(&self, field: usize) -> Result<Vec<Table<'f>>> {
        let (first, count) = match self.field(field, 4)? {
            None => return Ok(Vec::new()),
            Some(at) => self.flat.vector(at, 4)?,
        };
        self.flat
            .decode(count * size_of::<Table<'_>>() / MOST_READS)?;
        let places = (0..count).map(|index| first + 4 * index);
        places
            .map(|at| self.flat.table(self.flat.reference(at)?))
            .collect()
    }

    /// A field that is a vector of bytes: where it begins, and how long it is.
    pub fn span(&self, field: usize) -> Result<Option<(usize, usize)>> {
        match self.field(field, 4)? {
            None => Ok(None),
            Some(at) => self.flat.vector(at, 1).map(Some),
        }
    }

    /// A text; empty if it is not there. What is no UTF-8 is replaced.
    pub fn text(&self, field: usize) -> Result<String> {
        let Some((first, count)) = self.span(field)? else {
            return Ok(String::new());
        };
        self.flat.decode(count)?;
        let bytes = self
            .flat
            .bytes
            .get(first..first + count)
            .unwrap_or_default();
        Ok(String::from_utf8_lossy(bytes).into_owned())
    }
}
