//! The rules of the tree, each a check of its own.
//!
//! A check looks at a [`Tree`] and returns a [`Finding`] for everything that breaks its rule.

mod arrows;
mod circles;
mod cpp;
mod estimates;
mod families;
mod folders;
mod functions;
mod links;
mod markers;
mod names;
mod operators;
mod passes;
mod sizes;
mod tree;
mod unsafe_code;

pub use tree::Tree;

use crate::Result;
use std::{
    fmt,
    path::{Path, PathBuf},
};

/// Something that breaks a rule.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Finding {
    /// The file or folder, from the root of the workspace.
    pub path: PathBuf,
    /// The line, from 1, if it is about one.
    pub line: Option<usize>,
    /// What is wrong, and where it helps, what to do.
    pub message: String,
}

impl Finding {
    fn new(path: impl Into<PathBuf>, message: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            line: None,
            message: message.into(),
        }
    }

    fn at_line(self, line: usize) -> Self {
        Self {
            line: Some(line),
            ..self
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.path.display())?;
        if let Some(line) = self.line {
            write!(formatter, ":{line}")?;
        }
        write!(formatter, ": {}", self.message)
    }
}

/// A rule of the tree.
pub struct Check {
    /// What it is called in messages.
    pub name: &'static str,
    /// Finds what breaks it.
    pub run: fn(&Tree) -> Result<Vec<Finding>>,
}

/// Every check.
pub const CHECKS: &[Check] = &[
    Check {
        name: "crates depend in one direction",
        run: arrows::check,
    },
    Check {
        name: "modules depend in one direction",
        run: circles::check,
    },
    Check {
        name: "a pass's flag, file and test agree",
        run: passes::check,
    },
    Check {
        name: "folders of passes hold passes",
        run: folders::check,
    },
    Check {
        name: "each op family has a test, each operator row an op",
        run: families::check,
    },
    Check {
        name: "names of ops and attributes are declared",
        run: names::check,
    },
    Check {
        name: "only the cost model estimates",
        run: estimates::check,
    },
    Check {
        name: "facts about operators are columns of their rows",
        run: operators::check,
    },
    Check {
        name: "unsafe code stays in its places",
        run: unsafe_code::check,
    },
    Check {
        name: "only dialects/cpp holds C++",
        run: cpp::check,
    },
    Check {
        name: "files are short",
        run: sizes::check,
    },
    Check {
        name: "functions are short",
        run: functions::check,
    },
    Check {
        name: "links lead somewhere",
        run: links::check,
    },
    Check {
        name: "nothing is left for later",
        run: markers::check,
    },
];

/// Runs every check on the workspace at `root`; returns what they find, in order.
///
/// # Errors
/// If the tree cannot be read.
pub fn run(root: &Path) -> Result<Vec<Finding>> {
    let tree = Tree::open(root)?;
    let mut findings = Vec::new();
    for check in CHECKS {
        let mut found = (check.run)(&tree)?;
        found.sort();
        findings.extend(found);
    }
    Ok(findings)
}
