//! Files are short enough to be read in one go.

use super::{Finding, Tree};
use crate::Result;

/// The most lines of a file, by what its name ends in.
const LIMITS: &[(&str, usize)] = &[
    ("cpp", 300),
    ("md", 300),
    ("mlir", 500),
    ("py", 500),
    ("rs", 800),
    ("td", 300),
];

/// Files and folders that may be longer, and why.
const EXCEPTIONS: &[(&str, &str)] = &[
    ("docs/generated", "written by a program, read by search"),
    (
        "docs/guide/gpu_registers.md",
        "written by a program, read by search",
    ),
    (
        "python/relay_mlir/relay/op",
        "written by a program, read by search",
    ),
];

/// The check.
pub fn check(tree: &Tree) -> Result<Vec<Finding>> {
    findings(tree, LIMITS, EXCEPTIONS)
}

fn findings(
    tree: &Tree,
    limits: &[(&str, usize)],
    exceptions: &[(&str, &str)],
) -> Result<Vec<Finding>> {
    let mut findings = Vec::new();
    let mut used = vec![false; exceptions.len()];
    for (extension, limit) in limits {
        for file in tree.with_extension(extension) {
            let lines = tree.text(file)?.unwrap_or_default().lines().count();
            if lines <= *limit {
                continue;
            }
            match exceptions
                .iter()
                .position(|(place, _)| file.starts_with(place))
            {
                Some(exception) => used[exception] = true,
                None => {
                    let message = format!("has {lines} lines, more than {limit}; split it");
                    findings.push(Finding::new(file, message));
                }
            }
        }
    }
    let unused = exceptions.iter().zip(used).filter(|(_, used)| !used);
    findings.extend(unused.map(|((place, _), _)| {
        let message =
            "needs no exception any more; take it off the list in xtask/src/tidy/sizes.rs";
        Finding::new(place, message)
    }));
    Ok(findings)
}

#[cfg(test)]
mod tests {
    use super::{super::tree::sample, *};

    #[test]
    fn long_files_and_needless_exceptions_are_found() -> Result<()> {
        let files = [
            ("a.rs", "1\n2\n3\n"),
            ("b.rs", "1\n2\n"),
            ("made/c.rs", "1\n2\n3\n"),
        ];
        let (_folder, tree) = sample(&files)?;
        let exceptions = [("made", "by a program"), ("gone", "was long")];
        let found = findings(&tree, &[("rs", 2)], &exceptions)?;
        let found: Vec<String> = found.iter().map(Finding::to_string).collect();
        assert_eq!(
            found,
            [
                "a.rs: has 3 lines, more than 2; split it",
                "gone: needs no exception any more; take it off the list in \
                 xtask/src/tidy/sizes.rs",
            ]
        );
        Ok(())
    }
}
