//! Names of our dialects' ops and attributes are declared, and spelled where they are declared only. Ops are declared
//! in TableGen, of which the build makes the constants of `relay_dialects::names`; attributes that passes leave for each
//! other in `dialects/src/attrs.rs`. The names of MLIR's ops are spelled nowhere: the build makes `relay_dialects::ops`.
//! Tests may spell what is declared.

use super::{Finding, Tree};
use crate::{
    Result,
    docs::{TableGen, operation_names},
};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use relay_dialects::{attrs, ops::NAMES};
use std::{collections::BTreeSet, path::Path};

/// The file that spells attributes.
const ATTRIBUTES: &str = "dialects/src/attrs.rs";

/// The check.
pub fn check(tree: &Tree) -> Result<Vec<Finding>> {
    let ops = operation_names(&TableGen::new(tree.root()))?;
    let attributes = attrs::ALL.iter().map(|declared| declared.name).collect();
    let foreign = NAMES.iter().copied().collect();
    findings(tree, &ops, &attributes, &foreign)
}

fn findings(
    tree: &Tree,
    ops: &BTreeSet<String>,
    attributes: &BTreeSet<&str>,
    foreign: &BTreeSet<&str>,
) -> Result<Vec<Finding>> {
    let mut findings = Vec::new();
    for file in tree.with_extension("rs") {
        let text = tree.text(file)?.unwrap_or_default();
        // What is no Rust is a finding of another check.
        let Ok(tokens) = text.parse::<TokenStream>() else {
            continue;
        };
        let in_tests = file.iter().any(|part| part == "tests");
        for Name {
            name,
            line,
            is_test,
        } in names(tokens, in_tests, foreign)
        {
            let message = if foreign.contains(name.as_str()) {
                if is_test {
                    continue;
                }
                format!("the op \"{name}\" has a type in relay_dialects::ops, with its name")
            } else if ops.contains(&name) {
                if is_test {
                    continue;
                }
                format!("the op \"{name}\" has a constant in relay_dialects::names")
            } else if !attributes.contains(name.as_str()) {
                format!("\"{name}\" is no declared op, and no attribute of {ATTRIBUTES}")
            } else if file != Path::new(ATTRIBUTES) {
                format!("the attribute \"{name}\" has a constant in {ATTRIBUTES}")
            } else {
                continue;
            };
            findings.push(Finding::new(file, message).at_line(line));
        }
    }
    Ok(findings)
}

/// A string literal that is a name in one of our dialects, or an op of MLIR's.
struct Name {
    name: String,
    line: usize,
    /// Whether it stands in a test.
    is_test: bool,
}

/// The names in a file or a part of it, with those of `foreign` ops; of a test, if `in_test`.
fn names(tokens: TokenStream, in_test: bool, foreign: &BTreeSet<&str>) -> Vec<Name> {
    let mut found = Vec::new();
    // Whether the attribute of tests stands before the item that is read.
    let mut is_test = in_test;
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                is_test |= group.delimiter() == Delimiter::Bracket
                    && group.stream().to_string() == "cfg (test)";
                found.extend(names(group.stream(), is_test, foreign));
                is_test &= in_test || group.delimiter() != Delimiter::Brace;
            }
            TokenTree::Literal(literal) => {
                let text = literal.to_string();
                let name = text
                    .strip_prefix('"')
                    .and_then(|text| text.strip_suffix('"'));
                let name = name.filter(|name| is_name(name) || foreign.contains(name));
                found.extend(name.map(|name| Name {
                    name: name.to_owned(),
                    line: literal.span().start().line,
                    is_test,
                }));
            }
            _ => {}
        }
    }
    found
}

/// Whether a text is `relay.`, `te.` or `tir.` and a name.
fn is_name(text: &str) -> bool {
    let own = ["relay", "te", "tir"];
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == '.';
    text.split_once('.').is_some_and(|(dialect, name)| {
        own.contains(&dialect) && !name.is_empty() && name.chars().all(is_part)
    })
}

#[cfg(test)]
mod tests {
    use super::{super::tree::sample, *};

    #[test]
    fn undeclared_names_are_found() -> Result<()> {
        let files = [
            (ATTRIBUTES, "const NAME: &str = \"relay.name\";"),
            (
                "passes/tests/c.rs",
                "fn f() { op.is(\"relay.add\"); g(\"te.x\") }",
            ),
            (
                "passes/src/a.rs",
                "fn f() {\n  op.is(\"relay.add\");\n  op.is(\"relay.ad\");\n  g(\"relay.name\");\n}\n\
                 #[cfg(test)] mod tests { fn f() { op.is(\"relay.add\") } }\nfn g() { op.is(\"relay.add\") }",
            ),
            (
                "passes/src/b.rs",
                "// \"tir.x\"\nfn f() { g(\"te.\", \"other.add\", \"a te.x\", 'x', 1, \"tir.x\") }",
            ),
            (
                "passes/src/d.rs",
                "fn f() { g(\"arith.addf\", \"arith.add\", \"%0 = arith.addf\") }\n\
                 #[cfg(test)] mod tests { fn f() { g(\"arith.addf\") } }",
            ),
        ];
        let (_folder, tree) = sample(&files)?;
        let ops = BTreeSet::from(["relay.add".to_owned()]);
        let attributes = BTreeSet::from([relay_dialects::attrs::NAME]);
        let found = findings(&tree, &ops, &attributes, &BTreeSet::from(["arith.addf"]))?;
        let found: Vec<String> = found.iter().map(Finding::to_string).collect();
        assert_eq!(
            found,
            [
                "passes/src/a.rs:2: the op \"relay.add\" has a constant in relay_dialects::names",
                "passes/src/a.rs:3: \"relay.ad\" is no declared op, and no attribute of dialects/src/attrs.rs",
                "passes/src/a.rs:4: the attribute \"relay.name\" has a constant in dialects/src/attrs.rs",
                "passes/src/a.rs:7: the op \"relay.add\" has a constant in relay_dialects::names",
                "passes/src/b.rs:2: \"tir.x\" is no declared op, and no attribute of dialects/src/attrs.rs",
                "passes/src/d.rs:1: the op \"arith.addf\" has a type in relay_dialects::ops, with its name",
                "passes/tests/c.rs:1: \"te.x\" is no declared op, and no attribute of dialects/src/attrs.rs",
            ]
        );
        Ok(())
    }
}
