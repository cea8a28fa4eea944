//! Datasets in chunks, which may be compressed (sections "The Data Layout Message" and "The Data Storage - Filter Pipeline Message").

use super::{
    File, MOST,
    cursor::Cursor,
    object::{Object, kind},
};
use crate::graph::error::Result;
use bytes::Bytes;
use std::{collections::HashSet, io::Read};

/// Deflate makes at most so many bytes of one.
const LARGEST_RATIO: u64 = 1032;

/// The most dimensions.
const MOST_DIMENSIONS: usize = 32;

/// A step from elements to stored bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Filter {
    /// zlib's.
    Deflate,
    /// All first bytes of elements, then all second ones and so on.
    Shuffle,
    /// A checksum of 4 bytes behind the others, which nobody needs who reads.
    Fletcher,
}

/// A chunk in the file.
struct Chunk {
    /// Its first element.
    start: Vec<u64>,
    address: u64,
    /// The bytes that are stored.
    length: u64,
    /// The filters that were left out, a bit for each.
    skipped: u32,
}

/// The chunks of a dataset.
pub(super) struct Chunks<'o> {
    file: &'o File,
    extents: Vec<u64>,
    /// The bytes of an element.
    width: usize,
    filters: Vec<Filter>,
    chunks: Vec<Chunk>,
}

impl<'o> Chunks<'o> {
    /// Reads where the chunks lie, from behind the class of a layout.
    pub fn read(
        object: &'o Object,
        version: u8,
        mut cursor: Cursor<'_>,
        width: usize,
    ) -> Result<Self> {
        let filters = match object.first(kind::FILTERS)? {
            Some(body) => filters(&object.file, body)?,
            None => Vec::new(),
        };
        let mut read = Self {
            file: &object.file,
            extents: Vec::new(),
            width,
            filters,
            chunks: Vec::new(),
        };
        match version {
            3 => {
                let rank = usize::from(cursor.u8()?);
                let tree = cursor.address()?;
                read.set_extents(&mut cursor, rank, 4)?;
                if let Some(tree) = tree {
                    read.find(tree)?;
                }
            }
            _ => read.find_single(&mut cursor)?,
        }
        Ok(read)
    }

    /// The extents of a chunk; the last one is the width of an element.
    fn set_extents(&mut self, cursor: &mut Cursor<'_>, rank: usize, width: usize) -> Result<()> {
        if !(1..=MOST_DIMENSIONS).contains(&rank) {
            return Err(format!("chunks of {rank} dimensions"));
        }
        let extents = (0..rank).map(|_| cursor.number(width));
        self.extents = extents.collect::<Result<_>>()?;
        let of_element = self.extents.pop();
        match of_element == Some(self.width as u64) && !self.extents.contains(&0) {
            true => Ok(()),
            false => Err(format!(
                "chunks of {:?} elements of {of_element:?} bytes",
                self.extents
            )),
        }
    }

    /// The chunk of a layout of version 4, which is all of the dataset.
    fn find_single(&mut self, cursor: &mut Cursor<'_>) -> Result<()> {
        let (flags, rank, width) = (cursor.u8()?, cursor.u8()?, cursor.u8()?);
        self.set_extents(cursor, rank.into(), width.into())?;
        if cursor.u8()? != 1 {
            return Err(super::group::dense("a dataset in several chunks"));
        }
        let (length, skipped) = match flags & 2 != 0 {
            true => (cursor.length()?, cursor.u32()?),
            false => (self.chunk_bytes()?, 0),
        };
        if let Some(address) = cursor.address()? {
            self.chunks.push(Chunk {
                start: vec![0; self.extents.len()],
                address,
                length,
                skipped,
            });
        }
        Ok(())
    }

    /// The bytes of the elements of a chunk.
    fn chunk_bytes(&self) -> Result<u64> {
        let mut extents = self.extents.iter();
        let bytes = extents.try_fold(self.width as u64, |all, extent| all.checked_mul(*extent));
        bytes.ok_or_else(|| format!("a chunk of {:?} elements", self.extents))
    }

    /// Finds the chunks of a tree ("Version 1 B-trees" of raw data chunks).
    fn find(&mut self, tree: u64) -> Result<()> {
        let mut nodes = vec![(tree, u8::MAX)];
        let mut seen = HashSet::new();
        while let Some((node, height)) = nodes.pop() {
            let mut cursor = self.file.at(node)?;
            cursor.expect(b"TREE")?;
            let (kind, level, count) = (cursor.u8()?, cursor.u8()?, cursor.u16()?);
            if kind != 1 || level >= height || !seen.insert(node) || self.chunks.len() > MOST {
                return Err("the tree of its chunks is damaged".into());
            }
            cursor.skip(2 * self.file.widths.offset)?;
            for _ in 0..count {
                let (length, skipped) = (cursor.u32()?.into(), cursor.u32()?);
                let start = (0..self.extents.len()).map(|_| cursor.number(8));
                let start = start.collect::<Result<Vec<_>>>()?;
                cursor.skip(8)?;
                let address = cursor.defined()?;
                match level {
                    0 => self.chunks.push(Chunk {
                        start,
                        address,
                        length,
                        skipped,
                    }),
                    _ => nodes.push((address, level)),
                }
            }
        }
        Ok(())
    }

    /// The elements of all chunks in order. A chunk that is missing is an error: nobody wrote it.
    pub fn join(&self, shape: &[i64], length: u64) -> Result<Bytes> {
        let shape: Vec<u64> = shape.iter().map(|extent| *extent as u64).collect();
        if shape.len() != self.extents.len() {
            return Err(format!(
                "chunks of {:?} elements of a dataset of {shape:?}",
                self.extents
            ));
        }
        let stored: u64 = self.chunks.iter().map(|chunk| chunk.length).sum();
        let most = match self.filters.contains(&Filter::Deflate) {
            true => stored.saturating_mul(LARGEST_RATIO),
            false => stored,
        };
        if length > most {
            return Err(format!(
                "its chunks have {stored} bytes, which cannot hold its {length}"
            ));
        }
        let mut all = vec![0; length as usize];
        let mut copied = 0;
        let mut starts = HashSet::new();
        for chunk in &self.chunks {
            if !starts.insert(&chunk.start) {
                return Err("a chunk is there twice".into());
            }
            let bytes = self.unpacked(chunk)?;
            copied += self.place(&mut all, &bytes, &chunk.start, &shape);
        }
        match copied == all.len() {
            true => Ok(all.into()),
            false => Err("parts of it were never written".into()),
        }
    }

    /// Copies a chunk to its place; returns how many bytes lie in the dataset.
    fn place(&self, all: &mut [u8], bytes: &[u8], start: &[u64], shape: &[u64]) -> usize {
        let rank = shape.len();
        let ends = start.iter().zip(&self.extents).zip(shape);
        let counts: Option<Vec<u64>> = ends
            .map(|((start, extent), whole)| Some(whole.checked_sub(*start)?.min(*extent)))
            .collect();
        let Some(counts) = counts.filter(|counts| !counts.contains(&0)) else {
            return 0;
        };
        let row = counts.last().map_or(1, |count| *count as usize) * self.width;
        let rows: u64 = counts[..rank.max(1) - 1].iter().product();
        for number in 0..rows {
            let (mut rest, mut from, mut to) = (number, 0, 0);
            let (mut of_chunk, mut of_all) = (1, 1);
            for axis in (0..rank).rev() {
                let at = match axis + 1 == rank {
                    true => 0,
                    false => {
                        let at = rest % counts[axis];
                        rest /= counts[axis];
                        at
                    }
                };
                from += at * of_chunk;
                to += (start[axis] + at) * of_all;
                of_chunk *= self.extents[axis];
                of_all *= shape[axis];
            }
            let (from, to) = (from as usize * self.width, to as usize * self.width);
            all[to..to + row].copy_from_slice(&bytes[from..from + row]);
        }
        rows as usize * row
    }

    /// The bytes of a chunk without its filters, the last of which was applied last.
    fn unpacked(&self, chunk: &Chunk) -> Result<Bytes> {
        let expected = self.chunk_bytes()?;
        let mut bytes = self.file.slice(chunk.address, chunk.length)?;
        for (place, filter) in self.filters.iter().enumerate().rev() {
            if chunk.skipped >> place.min(31) & 1 == 1 {
                continue;
            }
            bytes = match filter {
                Filter::Deflate => inflated(&bytes, expected + 4)?,
                Filter::Shuffle => unshuffled(&bytes, self.width),
                Filter::Fletcher => {
                    let end = bytes.len().checked_sub(4);
                    bytes.slice(..end.ok_or("a chunk has no checksum")?)
                }
            };
        }
        match bytes.len() as u64 == expected {
            true => Ok(bytes),
            false => Err(format!(
                "a chunk has {} bytes, expected {expected}",
                bytes.len()
            )),
        }
    }
}

/// What zlib's bytes stand for, if they are at most so many.
fn inflated(bytes: &[u8], most: u64) -> Result<Bytes> {
    let mut result = Vec::new();
    let decoder = flate2::read::ZlibDecoder::new(bytes);
    let read = decoder.take(most).read_to_end(&mut result);
    read.map_err(|error| format!("a chunk: {error}"))?;
    Ok(result.into())
}

/// Elements whose bytes lie one after the other again.
fn unshuffled(bytes: &[u8], width: usize) -> Bytes {
    let count = bytes.len() / width.max(1);
    let mut result = bytes.to_vec();
    for place in 0..count {
        for byte in 0..width {
            result[place * width + byte] = bytes[byte * count + place];
        }
    }
    result.into()
}

/// The filters in the order in which they were applied.
fn filters(file: &File, body: &[u8]) -> Result<Vec<Filter>> {
    let mut cursor = file.cursor(body);
    let (version, count) = (cursor.u8()?, cursor.u8()?);
    cursor.skip(if version == 1 { 6 } else { 0 })?;
    let mut filters = Vec::new();
    for _ in 0..count {
        let number = cursor.u16()?;
        let name = match version == 1 || number >= 256 {
            true => usize::from(cursor.u16()?),
            false => 0,
        };
        cursor.skip(2)?;
        let values = usize::from(cursor.u16()?);
        cursor.skip(match version {
            1 => name.next_multiple_of(8),
            _ => name,
        })?;
        let odd = version == 1 && values % 2 == 1;
        cursor.skip(4 * (values + usize::from(odd)))?;
        filters.push(match number {
            1 => Filter::Deflate,
            2 => Filter::Shuffle,
            3 => Filter::Fletcher,
            other => {
                return Err(format!(
                    "filter {other} is not supported; gzip, shuffle and fletcher32 are"
                ));
            }
        });
    }
    Ok(filters)
}
