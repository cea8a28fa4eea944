//! The libraries that a runner keeps: files in a folder of its own, under the names that the tuner gives.

use crate::protocol::Pair;
use std::{
    env,
    fs::{self, File},
    io::{self, BufRead, Read},
    path::{Path, PathBuf},
    process,
};
use tempfile::TempDir;

/// What the names of folders begin with, before the number of the process.
const PREFIX: &str = "relay-runner-";

/// Removes the folders of runners that were killed.
fn remove_left_folders(parent: &Path) {
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let name = name.to_str().and_then(|name| name.strip_prefix(PREFIX));
        let owner: Option<u32> = name
            .and_then(|name| name.split('-').next())
            .and_then(|owner| owner.parse().ok());
        let is_gone = |owner: u32| !Path::new(&format!("/proc/{owner}")).exists();
        if Path::new("/proc/self").exists() && owner.is_some_and(is_gone) {
            // Another runner may do the same, and other users' folders stay.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// The libraries.
pub struct Store {
    folder: TempDir,
}

impl Store {
    /// An empty one.
    ///
    /// # Errors
    /// If no folder can be made.
    pub fn new() -> io::Result<Self> {
        remove_left_folders(&env::temp_dir());
        let prefix = format!("{PREFIX}{}-", process::id());
        let folder = tempfile::Builder::new().prefix(&prefix).tempdir()?;
        Ok(Self { folder })
    }

    /// Takes in a library of so many bytes. What cannot be written is read to its end nevertheless: requests come behind it.
    ///
    /// # Errors
    /// If the name is none, the bytes end early, or they cannot be written.
    pub fn keep(&self, name: &str, bytes: u64, from: &mut impl BufRead) -> io::Result<()> {
        let mut content = from.take(bytes);
        let written = self.path(Path::new(name)).and_then(|path| {
            let mut file = File::create(path)?;
            io::copy(&mut content, &mut file)
        });
        io::copy(&mut content, &mut io::sink())?;
        match content.limit() {
            0 => written.map(|_| ()),
            _ => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }

    /// Removes libraries. One that is not there is no error.
    pub fn forget(&self, names: &[String]) {
        for path in names
            .iter()
            .filter_map(|name| self.path(Path::new(name)).ok())
        {
            let _ = fs::remove_file(path);
        }
    }

    /// A pair of names as one of files.
    ///
    /// # Errors
    /// If a name is none.
    pub fn files(&self, pair: &Pair) -> io::Result<Pair> {
        Ok(Pair {
            incumbent: self.path(&pair.incumbent)?,
            candidate: self.path(&pair.candidate)?,
            ..pair.clone()
        })
    }

    /// The file of a name. What is no name of letters and digits may be a path to somewhere else.
    fn path(&self, name: &Path) -> io::Result<PathBuf> {
        let text = name.to_str().unwrap_or_default();
        let is_name = !text.is_empty() && text.chars().all(|it| it.is_ascii_alphanumeric());
        match is_name {
            true => Ok(self.folder.path().join(format!("{text}.so"))),
            false => Err(io::Error::other(format!(
                "'{}' is no name of a library: letters and digits",
                name.display()
            ))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_left_is_removed() {
        let parent = tempfile::tempdir().expect("there is a folder for temporary files");
        let folder = |name: String| {
            let folder = parent.path().join(name);
            fs::create_dir(&folder).expect("it is made");
            folder
        };
        // The greatest number of a process on Linux is 2^22.
        let left = folder(format!("{PREFIX}{}-a", u32::MAX));
        let used = folder(format!("{PREFIX}{}-a", process::id()));
        let other = folder(format!("{PREFIX}other"));
        remove_left_folders(parent.path());
        assert!(!left.exists() && used.exists() && other.exists());
    }

    #[test]
    fn a_library_ends_where_it_says() {
        let store = Store::new().expect("there is a folder for temporary files");
        let mut stream = &b"abcdef\n"[..];
        store.keep("a1", 3, &mut stream).expect("it is kept");
        store.keep("../a1", 2, &mut stream).expect_err("no name");
        assert_eq!(stream, b"f\n", "what is not kept is read");
        store.keep("b", 9, &mut stream).expect_err("it is cut off");
        let kept = fs::read(store.path(Path::new("a1")).expect("a name"));
        assert_eq!(kept.expect("it is there"), b"abc");
        store.forget(&["a1".into(), "c".into()]);
        assert!(!store.path(Path::new("a1")).expect("a name").exists());
    }
}
