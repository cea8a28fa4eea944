//! What commands write: whether it can be written, asked before the work that makes it, and writing it.

use crate::DriverError;
use relay_codegen::files::{self, TemporaryFolder};
use std::{io::Write, path::Path};

/// Checks that `path` can be written; `-`, the standard output, always can. What is there stays as it is.
///
/// # Errors
/// If its folder is missing or nothing can be written to it, or it is a folder itself.
pub fn check(path: &Path) -> Result<(), DriverError> {
    if path == Path::new("-") {
        return Ok(());
    }
    let fail = |reason: String| DriverError::Output {
        path: path.into(),
        reason,
    };
    if path.is_dir() {
        return Err(fail("is a folder; name a file in it".into()));
    }
    let folder = files::folder_of(path);
    if !folder.is_dir() {
        let reason = format!("there is no folder {}; make it first", folder.display());
        return Err(fail(reason));
    }
    // A file that is there may be one of which the folder says nothing: a device, a pipe.
    if path.exists() && !path.is_file() {
        return Ok(());
    }
    // Permissions say less than trying: a file system may be mounted to be read only.
    let written = tempfile::tempfile_in(folder);
    written.map_err(|error| fail(format!("cannot be written: {error}")))?;
    Ok(())
}

/// Writes a file whole or not at all; `-` is the standard output.
///
/// # Errors
/// If it cannot be written, or not all of it.
pub fn write(path: &Path, content: &[u8]) -> Result<(), DriverError> {
    if path == Path::new("-") {
        return print(content);
    }
    files::write_bytes(path, content).map_err(DriverError::io(path))
}

/// Writes to the standard output.
///
/// # Errors
/// If that is a file on a full disk, say. Where nobody reads a pipe any more, the process ends.
pub fn print(content: &[u8]) -> Result<(), DriverError> {
    let mut output = std::io::stdout().lock();
    let written = output.write_all(content).and_then(|()| output.flush());
    written.map_err(DriverError::io("standard output"))
}

/// A folder for files that nobody is to keep.
///
/// # Errors
/// If it cannot be made.
pub fn temporary_folder() -> Result<TemporaryFolder, DriverError> {
    TemporaryFolder::new().map_err(DriverError::io("temporary folder"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_there_stays() {
        let folder = tempfile::tempdir().expect("there is a folder for temporary files");
        let file = folder.path().join("old");
        std::fs::write(&file, "old").expect("it is written");
        check(&file).expect("a file can be written again");
        let text = std::fs::read_to_string(&file).expect("it is read");
        assert_eq!(text, "old");
        check(&folder.path().join("new")).expect("a new file can be written");
        let files = std::fs::read_dir(folder.path()).expect("it is read");
        assert_eq!(files.count(), 1, "nothing is left");
        check(Path::new("/dev/null")).expect("a device can be written");
    }
}
