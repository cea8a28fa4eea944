//! Links between pages of the repository lead somewhere.

use super::{Finding, Tree};
use crate::Result;
use pulldown_cmark::{Event, Parser, Tag};
use std::path::{Component, Path, PathBuf};

/// The check.
pub fn check(tree: &Tree) -> Result<Vec<Finding>> {
    let mut findings = Vec::new();
    for page in tree.with_extension("md") {
        let text = tree.text(page)?.unwrap_or_default();
        for (target, line) in links(&text) {
            let file = resolved(page, &target);
            if !tree.has(&file) && !tree.files().any(|other| other.starts_with(&file)) {
                let message = format!("the link to {target} leads nowhere");
                findings.push(Finding::new(page, message).at_line(line));
            }
        }
    }
    Ok(findings)
}

/// The links and images of a page that name a file of the repository, each with its line.
fn links(text: &str) -> Vec<(String, usize)> {
    let is_file = |target: &str| !target.is_empty() && !target.contains(':');
    Parser::new(text)
        .into_offset_iter()
        .filter_map(|(event, range)| match event {
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                let target = dest_url.split('#').next().unwrap_or_default();
                let line = text[..range.start].matches('\n').count() + 1;
                is_file(target).then(|| (target.to_string(), line))
            }
            _ => None,
        })
        .collect()
}

/// A link's file, from the root of the workspace.
fn resolved(page: &Path, target: &str) -> PathBuf {
    let mut file = page.parent().map(PathBuf::from).unwrap_or_default();
    for component in Path::new(target).components() {
        match component {
            Component::ParentDir => {
                file.pop();
            }
            Component::CurDir => {}
            other => file.push(other),
        }
    }
    file
}

#[cfg(test)]
mod tests {
    use super::{super::tree::sample, *};

    #[test]
    fn a_link_that_leads_nowhere_is_found() -> Result<()> {
        let page = "# A\n\n[b](b.md#part) and [root](../README.md), [folder](../src)\n\
                    [gone](gone.md), [web](https://example.org), [here](#a)\n\
                    `[code](code.md)`\n";
        let files = [
            ("docs/a.md", page),
            ("docs/b.md", ""),
            ("README.md", "![plot](plot.svg)"),
            ("src/lib.rs", ""),
        ];
        let (_folder, tree) = sample(&files)?;
        let found: Vec<String> = check(&tree)?.iter().map(Finding::to_string).collect();
        let expected = [
            "README.md:1: the link to plot.svg leads nowhere",
            "docs/a.md:4: the link to gone.md leads nowhere",
        ];
        assert_eq!(found, expected);
        Ok(())
    }
}
