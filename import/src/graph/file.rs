//! Files of weights.

use bytes::Bytes;
use std::{fs::File, path::Path};

/// Maps a file into memory.
pub fn map_file(path: &Path) -> std::io::Result<Bytes> {
    // Opening a pipe would wait until somebody writes to it.
    if !path.metadata()?.is_file() {
        return Err(std::io::Error::other("not a regular file"));
    }
    let file = File::open(path)?;
    if file.metadata()?.len() == 0 {
        return Ok(Bytes::new());
    }
    // SAFETY: the map is read-only and private; as with any mapped file, another process that
    // shortens the file meanwhile makes reads fault.
    let map = unsafe { memmap2::Mmap::map(&file)? };
    Ok(Bytes::from_owner(map))
}
