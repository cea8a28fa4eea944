//! The pages under `docs/generated/`, made from what the compiler itself reads: the TableGen files,
//! the operator tables, the passes' specs, the importer's rows, and what passes make of an example. And Python's functions for
//! Relay's operators, from the TableGen files, too.

mod dialects;
mod errors;
mod import_gguf;
mod import_keras;
mod import_mxnet;
mod import_onnx;
mod import_tensorflow;
mod import_tflite;
mod import_torch;
mod markdown;
pub mod operators;
mod passes;
mod python;
mod tablegen;
mod templates;
mod walk;

pub use dialects::{Operation, operation_names, relay_operations};
pub use tablegen::TableGen;

use crate::{Error, Result};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt, fs, io,
    path::{Path, PathBuf},
};

/// Where the pages are, from the root of the workspace.
pub const FOLDER: &str = "docs/generated";

/// Where Python's functions for Relay's operators are.
pub const PYTHON: &str = "python/relay_mlir/relay/op";

/// Pages by their path below a folder.
pub type Pages = BTreeMap<PathBuf, String>;

/// What a page needs for its folder to be up to date.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// It is missing.
    Add(PathBuf),
    /// It says something else.
    Update(PathBuf),
    /// Nothing writes it any more.
    Remove(PathBuf),
}

impl fmt::Display for Change {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (path, what) = match self {
            Self::Add(path) => (path, "missing"),
            Self::Update(path) => (path, "out of date"),
            Self::Remove(path) => (path, "no longer generated"),
        };
        write!(formatter, "{}: {what}", path.display())
    }
}

/// All pages, for the workspace at `root`.
///
/// # Errors
/// If a source cannot be read, `mlir-tblgen` fails, or a pass fails on the example.
pub fn pages(root: &Path) -> Result<Pages> {
    let tablegen = TableGen::new(root);
    let mut pages = dialects::pages(&tablegen)?;
    pages.insert("operators.md".into(), operators::page(&tablegen)?);
    pages.insert("passes.md".into(), passes::page());
    pages.insert("errors.md".into(), errors::page(root)?);
    pages.insert("import_gguf.md".into(), import_gguf::page());
    pages.insert("import_keras.md".into(), import_keras::page());
    pages.insert("import_mxnet.md".into(), import_mxnet::page());
    pages.insert("import_tensorflow.md".into(), import_tensorflow::page());
    pages.insert("import_onnx.md".into(), import_onnx::page());
    pages.insert("import_tflite.md".into(), import_tflite::page());
    pages.insert("import_torch.md".into(), import_torch::page());
    pages.insert("templates.md".into(), templates::page());
    pages.insert("walk.md".into(), walk::page(root, &walk::CONVOLUTION)?);
    pages.insert("walk_gpu.md".into(), walk::page(root, &walk::DENSE)?);
    pages.insert("README.md".into(), index(&pages));
    Ok(pages)
}

/// What is generated, by the folder from the root of the workspace.
fn all(root: &Path) -> Result<[(&'static str, Pages); 2]> {
    Ok([
        (FOLDER, pages(root)?),
        (PYTHON, python::modules(&TableGen::new(root))?),
    ])
}

/// What differs between the pages and the files of the workspace at `root`.
///
/// # Errors
/// As [`pages`], and if a file cannot be read.
pub fn changes(root: &Path) -> Result<Vec<Change>> {
    let mut changes = Vec::new();
    for (folder, pages) in all(root)? {
        changes.extend(compare(&pages, root, folder)?);
    }
    Ok(changes)
}

/// Writes the pages, removes files that are none, and returns what changed.
///
/// # Errors
/// As [`changes`], and if a file cannot be written.
pub fn write(root: &Path) -> Result<Vec<Change>> {
    let mut all_changes = Vec::new();
    for (folder, pages) in all(root)? {
        let changes = compare(&pages, root, folder)?;
        apply(&changes, &pages, root, folder)?;
        all_changes.extend(changes);
    }
    Ok(all_changes)
}

fn compare(pages: &Pages, root: &Path, folder: &str) -> Result<Vec<Change>> {
    let mut changes = Vec::new();
    for (path, text) in pages {
        let path = Path::new(folder).join(path);
        let file = root.join(&path);
        match fs::read(&file) {
            Ok(old) if old == text.as_bytes() => {}
            Ok(_) => changes.push(Change::Update(path)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                changes.push(Change::Add(path));
            }
            Err(error) => return Err(Error::at(&file)(error)),
        }
    }
    let known: BTreeSet<PathBuf> = pages.keys().cloned().collect();
    let present = files_below(&root.join(folder))?;
    let strange = present.difference(&known);
    changes.extend(strange.map(|path| Change::Remove(Path::new(folder).join(path))));
    Ok(changes)
}

fn apply(changes: &[Change], pages: &Pages, root: &Path, folder: &str) -> Result<()> {
    for change in changes {
        match change {
            Change::Remove(path) => {
                let file = root.join(path);
                fs::remove_file(&file).map_err(Error::at(&file))?;
            }
            Change::Add(path) | Change::Update(path) => {
                let file = root.join(path);
                let parent = file.parent().unwrap_or(root);
                fs::create_dir_all(parent).map_err(Error::at(parent))?;
                let page = path
                    .strip_prefix(folder)
                    .ok()
                    .and_then(|path| pages.get(path));
                let page = page.map(String::as_str).unwrap_or_default();
                fs::write(&file, page).map_err(Error::at(&file))?;
            }
        }
    }
    Ok(())
}

/// What Python keeps beside its sources.
const CACHE: &str = "__pycache__";

/// The files below a folder, relative to it; none if there is no such folder.
fn files_below(folder: &Path) -> Result<BTreeSet<PathBuf>> {
    let mut files = BTreeSet::new();
    if !folder.exists() {
        return Ok(files);
    }
    let walk = ignore::WalkBuilder::new(folder)
        .standard_filters(false)
        .build();
    for entry in walk {
        let entry = entry?;
        if entry.file_type().is_some_and(|kind| kind.is_file())
            && let Ok(path) = entry.path().strip_prefix(folder)
            && !path.components().any(|part| part.as_os_str() == CACHE)
        {
            files.insert(path.to_path_buf());
        }
    }
    Ok(files)
}

/// The page that leads to the others.
fn index(pages: &Pages) -> String {
    let mut text = String::from(
        "# Reference\n\nThese pages are written by `cargo xtask docs` from what the compiler itself \
         reads; change the source, not the page.\n\n",
    );
    // Relay's page leads to its families.
    let top = pages
        .iter()
        .filter(|(path, _)| !path.starts_with("dialects/relay"));
    for (path, page) in top {
        let title = markdown::title(page).unwrap_or("untitled");
        text += &format!("- [{title}]({})\n", path.display());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_difference_is_found_and_mended() -> Result<()> {
        let folder = tempfile::tempdir().map_err(Error::at(Path::new("temporary folder")))?;
        let folder = folder.path();
        let page = |path: &str, text: &str| (PathBuf::from(path), text.to_string());
        let old = Pages::from([
            page("same.md", "a"),
            page("old.md", "b"),
            page("x/gone.md", "c"),
        ]);
        apply(&compare(&old, folder, "p")?, &old, folder, "p")?;
        assert_eq!(compare(&old, folder, "p")?, []);

        let new = Pages::from([
            page("same.md", "a"),
            page("old.md", "B"),
            page("y/new.md", "d"),
        ]);
        let changes = compare(&new, folder, "p")?;
        let expected = [
            Change::Update("p/old.md".into()),
            Change::Add("p/y/new.md".into()),
            Change::Remove("p/x/gone.md".into()),
        ];
        assert_eq!(changes, expected);
        assert_eq!(changes[0].to_string(), "p/old.md: out of date");
        apply(&changes, &new, folder, "p")?;
        assert_eq!(compare(&new, folder, "p")?, []);
        Ok(())
    }
}
