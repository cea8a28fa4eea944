//! The files that checks look at.

use crate::{Error, Result};
use std::{
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
};

/// The files of a workspace that git does not ignore.
pub struct Tree {
    root: PathBuf,
    /// From the root, in order.
    files: Vec<PathBuf>,
}

impl Tree {
    /// Lists the files below `root`.
    ///
    /// # Errors
    /// If a folder cannot be read.
    pub fn open(root: &Path) -> Result<Self> {
        let walk = ignore::WalkBuilder::new(root)
            .hidden(false)
            .require_git(false)
            .filter_entry(|entry| entry.file_name() != ".git")
            .build();
        let mut files = Vec::new();
        for entry in walk {
            let entry = entry?;
            if entry.file_type().is_some_and(|kind| kind.is_file())
                && let Ok(path) = entry.path().strip_prefix(root)
            {
                files.push(path.to_path_buf());
            }
        }
        files.sort();
        Ok(Self {
            root: root.to_path_buf(),
            files,
        })
    }

    /// The folder that all paths start from.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// All files.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().map(PathBuf::as_path)
    }

    /// The files whose names end in `.extension`.
    pub fn with_extension(&self, extension: &str) -> impl Iterator<Item = &Path> {
        self.files()
            .filter(move |file| file.extension() == Some(OsStr::new(extension)))
    }

    /// Whether there is such a file.
    pub fn has(&self, file: impl AsRef<Path>) -> bool {
        self.files.binary_search(&file.as_ref().into()).is_ok()
    }

    /// The text of a file; `None` if it is not UTF-8.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn text(&self, file: &Path) -> Result<Option<String>> {
        let path = self.root.join(file);
        let bytes = fs::read(&path).map_err(Error::at(&path))?;
        Ok(String::from_utf8(bytes).ok())
    }
}

/// A tree of files with the given text, for the tests of checks.
#[cfg(test)]
pub(super) fn sample(files: &[(&str, &str)]) -> Result<(tempfile::TempDir, Tree)> {
    let folder = tempfile::tempdir().map_err(Error::at(Path::new("temporary folder")))?;
    for (file, text) in files {
        let path = folder.path().join(file);
        let parent = path.parent().unwrap_or(folder.path());
        fs::create_dir_all(parent).map_err(Error::at(parent))?;
        fs::write(&path, text).map_err(Error::at(&path))?;
    }
    let tree = Tree::open(folder.path())?;
    Ok((folder, tree))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_git_ignores_is_not_listed() -> Result<()> {
        let files = [
            (".gitignore", "/target/\n"),
            (".ci/run", ""),
            ("target/a.rs", ""),
            ("src/a.rs", ""),
            (".git/config", ""),
        ];
        let (_folder, tree) = sample(&files)?;
        let listed: Vec<&Path> = tree.files().collect();
        assert_eq!(listed, [".ci/run", ".gitignore", "src/a.rs"].map(Path::new));
        assert!(tree.has("src/a.rs") && !tree.has("target/a.rs"));
        Ok(())
    }
}
