//! Folders of passes hold passes: each file of `passes/src/relay/` declares one, and what only `fuse-ops` needs
//! stands in `passes/src/relay/fuse_ops/`.

use super::{Finding, Tree};
use crate::Result;
use relay_passes::folders;
use std::path::Path;

/// How a file declares a pass.
const DECLARATION: &str = "const SPEC: PassSpec";

/// The check.
pub fn check(tree: &Tree) -> Result<Vec<Finding>> {
    let folders: Vec<&str> = folders().map(|folder| folder.path).collect();
    findings(tree, &folders)
}

fn findings(tree: &Tree, folders: &[&str]) -> Result<Vec<Finding>> {
    let mut findings = Vec::new();
    for folder in folders {
        let place = Path::new(folder);
        for file in tree.with_extension("rs") {
            if let Ok(within) = file.strip_prefix(place) {
                let message = wrong(tree, place, within)?;
                findings.extend(message.map(|message| Finding::new(file, message)));
            }
        }
    }
    Ok(findings)
}

/// What is wrong with a file that stands `within` the folder of passes at `place`.
fn wrong(tree: &Tree, place: &Path, within: &Path) -> Result<Option<String>> {
    if within == Path::new("mod.rs") {
        return Ok(None);
    }
    let Some(helpers) = within.iter().next().filter(|first| *first != within) else {
        let message = "declares no pass; what helps one stands in a folder of the pass's name, what helps \
                       several beside this folder";
        return Ok((!declares(tree, &place.join(within))?).then(|| message.to_owned()));
    };
    if declares(tree, &place.join(within))? {
        let message = "declares a pass, but stands in a folder of helpers";
        return Ok(Some(message.to_owned()));
    }
    let pass = place.join(helpers).with_extension("rs");
    let message = format!("no pass stands in {} that this helps", pass.display());
    Ok((!declares(tree, &pass)?).then_some(message))
}

fn declares(tree: &Tree, file: &Path) -> Result<bool> {
    if !tree.has(file) {
        return Ok(false);
    }
    let text = tree.text(file)?.unwrap_or_default();
    Ok(text.contains(DECLARATION))
}

#[cfg(test)]
mod tests {
    use super::{super::tree::sample, *};

    const SPEC: &str = "pub const SPEC: PassSpec = PassSpec { .. };";

    fn messages(files: &[(&str, &str)]) -> Result<Vec<String>> {
        let (_folder, tree) = sample(files)?;
        let found = findings(&tree, &["passes/src/te"])?;
        Ok(found.iter().map(Finding::to_string).collect())
    }

    #[test]
    fn passes_and_their_helpers_are_right() -> Result<()> {
        let files = [
            ("passes/src/te/mod.rs", "pub mod lower_te;"),
            ("passes/src/te/lower_te.rs", SPEC),
            ("passes/src/te/lower_te.md", ""),
            ("passes/src/te/lower_te/bounds.rs", "fn helper() {}"),
            ("passes/src/te/lower_te/loops/scan.rs", "fn helper() {}"),
            ("passes/src/analysis/linear.rs", "fn helper() {}"),
        ];
        assert!(messages(&files)?.is_empty());
        Ok(())
    }

    #[test]
    fn helpers_among_passes_are_found() -> Result<()> {
        let files = [
            ("passes/src/te/lower_te.rs", SPEC),
            ("passes/src/te/bounds.rs", "fn helper() {}"),
            ("passes/src/te/schedule/mod.rs", "fn helper() {}"),
        ];
        let expected = [
            "passes/src/te/bounds.rs: declares no pass; what helps one stands in a folder of the pass's \
             name, what helps several beside this folder",
            "passes/src/te/schedule/mod.rs: no pass stands in passes/src/te/schedule.rs that this helps",
        ];
        assert_eq!(messages(&files)?, expected);
        Ok(())
    }

    #[test]
    fn passes_among_helpers_are_found() -> Result<()> {
        let files = [
            ("passes/src/te/lower_te.rs", SPEC),
            ("passes/src/te/lower_te/bounds.rs", SPEC),
        ];
        assert_eq!(
            messages(&files)?,
            [
                "passes/src/te/lower_te/bounds.rs: declares a pass, but stands in a folder of helpers"
            ]
        );
        Ok(())
    }
}
