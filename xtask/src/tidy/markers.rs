//! Nothing is left for later: work that is not done is in nobody's comments.

use super::{Finding, Tree};
use crate::Result;

/// The words; in pieces, so that this file does not hold them.
const MARKERS: &[&str] = &[
    concat!("TO", "DO"),
    concat!("FIX", "ME"),
    concat!("XX", "X"),
];

/// The check.
pub fn check(tree: &Tree) -> Result<Vec<Finding>> {
    let mut findings = Vec::new();
    for file in tree.files() {
        let Some(text) = tree.text(file)? else {
            continue;
        };
        for (number, line) in text.lines().enumerate() {
            if let Some(marker) = marker(line) {
                let message = format!("{marker}: do it, or write down why it is as it is");
                findings.push(Finding::new(file, message).at_line(number + 1));
            }
        }
    }
    Ok(findings)
}

/// The first marker that stands in a line as a word.
fn marker(line: &str) -> Option<&'static str> {
    let words = |marker: &&&str| {
        line.split(|letter: char| !letter.is_alphanumeric())
            .any(|word| word == **marker)
    };
    MARKERS.iter().find(words).copied()
}

#[cfg(test)]
mod tests {
    use super::{super::tree::sample, *};

    #[test]
    fn markers_are_found_as_words_only() -> Result<()> {
        let (later, mend) = (MARKERS[0], MARKERS[1]);
        let text = format!("fine\n// {later}(me): more\nmas{later}n\n# {mend}\n");
        let (_folder, tree) = sample(&[("docs/a.md", &text)])?;
        let lines: Vec<Option<usize>> = check(&tree)?.iter().map(|found| found.line).collect();
        assert_eq!(lines, [Some(2), Some(4)]);
        Ok(())
    }
}
