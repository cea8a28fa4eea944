//! Reads numbers and texts of a file, and nothing that the file does not have.

use crate::graph::error::Result;
use bytes::Bytes;

/// Reads the bytes of a file in order.
pub struct Reader<'f> {
    bytes: &'f Bytes,
    at: usize,
}

impl<'f> Reader<'f> {
    /// A reader of bytes from the first one on.
    pub fn new(bytes: &'f Bytes) -> Self {
        Self { bytes, at: 0 }
    }

    /// Where the next byte is.
    pub fn place(&self) -> usize {
        self.at
    }

    /// The bytes from a place to the next byte.
    pub fn since(&self, place: usize) -> Bytes {
        self.bytes.slice(place..self.at)
    }

    /// The next bytes.
    ///
    /// # Errors
    /// If there are not as many.
    pub fn take(&mut self, length: usize) -> Result<Bytes> {
        let end = self.at.checked_add(length);
        let end = end.filter(|end| *end <= self.bytes.len()).ok_or_else(|| {
            format!(
                "the file is cut short or damaged: {length} bytes at byte {} are more than it has",
                self.at
            )
        })?;
        let taken = self.bytes.slice(self.at..end);
        self.at = end;
        Ok(taken)
    }

    /// The next bytes, as many as a number has.
    pub fn array<const BYTES: usize>(&mut self) -> Result<[u8; BYTES]> {
        let taken = self.take(BYTES)?;
        taken[..].try_into().map_err(|_| "it is cut short".into())
    }

    /// The next number of 32 bits.
    pub fn u32(&mut self) -> Result<u32> {
        self.array().map(u32::from_le_bytes)
    }

    /// The next number of 32 bits with a sign.
    pub fn i32(&mut self) -> Result<i32> {
        self.array().map(i32::from_le_bytes)
    }

    /// The next number of 64 bits.
    pub fn u64(&mut self) -> Result<u64> {
        self.array().map(u64::from_le_bytes)
    }

    /// How many things follow, each of which takes at least so many bytes.
    pub fn count(&mut self, least: usize, what: &str) -> Result<usize> {
        let at = self.at;
        let count = self.u64()?;
        let rest = (self.bytes.len() - self.at) / least.max(1);
        let fitting = usize::try_from(count).ok().filter(|count| *count <= rest);
        fitting.ok_or_else(|| {
            format!("at byte {at}: {count} {what} are more than the file has bytes for")
        })
    }

    /// A text behind its length.
    pub fn text(&mut self) -> Result<String> {
        let at = self.at;
        let length = self.count(1, "letters")?;
        let bytes = self.take(length)?;
        String::from_utf8(bytes.to_vec())
            .map_err(|error| format!("at byte {at}: a text is not UTF-8: {error}"))
    }
}

/// Reads a file that is cut short at each place, which is an error, and the file with each byte changed: nothing is read that is not there.
#[cfg(test)]
pub fn check_damaged<T>(file: &[u8], read: impl Fn(&Bytes) -> Result<T>) {
    for end in 0..file.len() {
        assert!(read(&file[..end].to_vec().into()).is_err(), "{end}");
    }
    for at in 0..file.len() {
        let mut damaged = file.to_vec();
        damaged[at] = 0xFF;
        let _ = read(&damaged.into());
    }
}
