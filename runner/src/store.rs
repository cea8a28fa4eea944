//! The libraries that a runner keeps: files in a folder of its own, under the names that the tuner gives.

use crate::protocol::Pair;
use std::{
    fs::File,
    io::{self, BufRead, Read},
    path::{Path, PathBuf},
};
use tempfile::TempDir;

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
        let folder = tempfile::Builder::new().prefix("relay-runner-").tempdir()?;
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
            let _ = std::fs::remove_file(path);
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
    fn a_library_ends_where_it_says() {
        let store = Store::new().expect("there is a folder for temporary files");
        let mut stream = &b"abcdef\n"[..];
        store.keep("a1", 3, &mut stream).expect("it is kept");
        store.keep("../a1", 2, &mut stream).expect_err("no name");
        assert_eq!(stream, b"f\n", "what is not kept is read");
        store.keep("b", 9, &mut stream).expect_err("it is cut off");
        let kept = std::fs::read(store.path(Path::new("a1")).expect("a name"));
        assert_eq!(kept.expect("it is there"), b"abc");
        store.forget(&["a1".into(), "c".into()]);
        assert!(!store.path(Path::new("a1")).expect("a name").exists());
    }
}
