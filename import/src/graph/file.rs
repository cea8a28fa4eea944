//! Files of weights.

use super::error::Result;
use bytes::Bytes;
use std::{
    fs::File,
    path::{Component, Path},
};

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

/// Maps a file that a file in `folder` names. It must lie in that folder, or be a link to a file there or below `root`. `what` is what it
/// holds, for messages.
///
/// # Errors
/// If it does not, or cannot be read.
pub fn map_beside(
    what: &str,
    (folder, root): (&Path, Option<&Path>),
    location: &str,
) -> Result<Bytes> {
    let relative = Path::new(location);
    let plain = |part| matches!(part, Component::Normal(_) | Component::CurDir);
    if location.is_empty() || !relative.components().all(plain) {
        return Err(format!(
            "{what} '{location}' is not below the model's folder"
        ));
    }
    let cannot = |error| format!("cannot read {what} '{location}': {error}");
    let folder = match folder == Path::new("") {
        true => Path::new("."),
        false => folder,
    };
    let folder = folder.canonicalize().map_err(cannot)?;
    let path = folder.join(relative).canonicalize().map_err(cannot)?;
    let mut allowed = vec![folder];
    if let Some(root) = root {
        let wrong = |error| format!("data root '{}': {error}", root.display());
        allowed.push(root.canonicalize().map_err(wrong)?);
    }
    match allowed.iter().any(|folder| path.starts_with(folder)) {
        true => map_file(&path).map_err(cannot),
        false => Err(format!(
            "{what} '{location}' leaves the model's folder through a link, to '{}'; name a folder above that as the data root if it may",
            path.display()
        )),
    }
}
