//! A pass's flag, file and test agree: `fuse-ops` is `passes/src/relay/fuse_ops.rs` and
//! `test/passes/relay/fuse_ops.mlir`.

use super::{Finding, Tree};
use crate::Result;
use relay_passes::folders;
use std::path::Path;

/// A folder, and the flags of the passes in it.
type Folder<'a> = (&'a str, Vec<&'a str>);

/// The check.
pub fn check(tree: &Tree) -> Result<Vec<Finding>> {
    let folders: Vec<Folder<'_>> = folders()
        .map(|folder| {
            let flags = folder.passes.iter().map(|pass| pass.flag);
            (folder.path, flags.collect())
        })
        .collect();
    findings(tree, &folders)
}

fn findings(tree: &Tree, folders: &[Folder<'_>]) -> Result<Vec<Finding>> {
    let mut findings = Vec::new();
    for (folder, flags) in folders {
        for flag in flags {
            findings.extend(file_of(tree, folder, flag));
            findings.extend(test_of(tree, folder, flag)?);
        }
        findings.extend(unlisted(tree, folder, flags)?);
    }
    Ok(findings)
}

/// The file that is named after the flag is missing.
fn file_of(tree: &Tree, folder: &str, flag: &str) -> Option<Finding> {
    let file = format!("{folder}/{}.rs", flag.replace('-', "_"));
    let message = format!("the pass --{flag} of {folder} belongs into this file");
    (!tree.has(&file)).then(|| Finding::new(file, message))
}

/// The test that is named after the flag is missing or does not run the pass.
fn test_of(tree: &Tree, folder: &str, flag: &str) -> Result<Option<Finding>> {
    let name = Path::new(folder).file_name().unwrap_or_default();
    let file = Path::new("test/passes").join(name);
    let file = file.join(format!("{}.mlir", flag.replace('-', "_")));
    if !tree.has(&file) {
        let message = format!("the pass --{flag} has no test; this is its place");
        return Ok(Some(Finding::new(file, message)));
    }
    let text = tree.text(&file)?.unwrap_or_default();
    let message = format!("no RUN line runs --{flag}");
    Ok((!runs(&text, flag)).then(|| Finding::new(file, message)))
}

/// Whether a RUN line names the pass, as a flag or in a pipeline.
fn runs(test: &str, flag: &str) -> bool {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '-';
    test.lines()
        .filter(|line| line.contains("RUN:"))
        .flat_map(|line| line.split(|letter| !is_part(letter)))
        .any(|word| word.trim_start_matches('-') == flag)
}

/// Files that declare a pass whose flag, by the file's name, is in no list.
fn unlisted(tree: &Tree, folder: &str, flags: &[&str]) -> Result<Vec<Finding>> {
    let place = Path::new(folder);
    let mut findings = Vec::new();
    for file in tree.with_extension("rs") {
        let text = if file.parent() == Some(place) {
            tree.text(file)?.unwrap_or_default()
        } else {
            continue;
        };
        let flag = flag_of(file);
        if text.contains("const SPEC: PassSpec") && !flags.contains(&flag.as_str()) {
            let message = format!("declares a pass, but the list of {folder} has no --{flag}");
            findings.push(Finding::new(file, message));
        }
    }
    Ok(findings)
}

/// The flag that a file's name says.
fn flag_of(file: &Path) -> String {
    let stem = file.file_stem().unwrap_or_default();
    stem.to_string_lossy().replace('_', "-")
}

#[cfg(test)]
mod tests {
    use super::{super::tree::sample, *};

    const SPEC: &str = "pub const SPEC: PassSpec = PassSpec { .. };";

    fn messages(files: &[(&str, &str)], flags: &[&str]) -> Result<Vec<String>> {
        let (_folder, tree) = sample(files)?;
        let found = findings(&tree, &[("passes/src/te", flags.to_vec())])?;
        Ok(found.iter().map(Finding::to_string).collect())
    }

    #[test]
    fn a_pass_with_file_and_test_is_right() -> Result<()> {
        let files = [
            ("passes/src/te/lower_te.rs", SPEC),
            ("passes/src/te/lower_te/bounds.rs", "fn helper() {}"),
            (
                "test/passes/te/lower_te.mlir",
                "// RUN: relay-opt --lower-te %s",
            ),
        ];
        assert!(messages(&files, &["lower-te"])?.is_empty());
        Ok(())
    }

    #[test]
    fn a_flag_unlike_the_file_is_found_from_both_sides() -> Result<()> {
        let files = [
            ("passes/src/te/lower.rs", SPEC),
            (
                "test/passes/te/lower_te.mlir",
                "// RUN: relay-opt --lower-te %s",
            ),
        ];
        let expected = [
            "passes/src/te/lower_te.rs: the pass --lower-te of passes/src/te belongs into this file",
            "passes/src/te/lower.rs: declares a pass, but the list of passes/src/te has no --lower",
        ];
        assert_eq!(messages(&files, &["lower-te"])?, expected);
        Ok(())
    }

    #[test]
    fn a_pass_without_a_test_that_runs_it_is_found() -> Result<()> {
        let pass = ("passes/src/te/lower_te.rs", SPEC);
        assert_eq!(
            messages(&[pass], &["lower-te"])?,
            ["test/passes/te/lower_te.mlir: the pass --lower-te has no test; this is its place"]
        );
        let other = (
            "test/passes/te/lower_te.mlir",
            "// RUN: relay-opt --lower-te-x %s\n// --lower-te",
        );
        assert_eq!(
            messages(&[pass, other], &["lower-te"])?,
            ["test/passes/te/lower_te.mlir: no RUN line runs --lower-te"]
        );
        Ok(())
    }

    #[test]
    fn a_pass_in_a_pipeline_counts() {
        assert!(runs(
            "// RUN: relay-opt --pass-pipeline='builtin.module(func.func(x-y{a=1}))'",
            "x-y"
        ));
    }
}
