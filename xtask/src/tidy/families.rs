//! Each op family has a test of its own, and the operator tables and TableGen name the same ops.

use super::{Finding, Tree};
use crate::{
    Result,
    docs::{Operation, TableGen, operators::LANGUAGE, relay_operations},
};
use relay_dialects::relay::ops;
use std::{collections::BTreeSet, path::PathBuf};

/// The check.
pub fn check(tree: &Tree) -> Result<Vec<Finding>> {
    let mut findings = without_test(tree);
    let declared = relay_operations(&TableGen::new(tree.root()))?;
    let typed: Vec<&str> = ops::rows().map(|row| row.name).collect();
    let computed = relay_topi::operators();
    findings.extend(unknown(&declared, &typed, "dialects/src/relay/ops"));
    findings.extend(unknown(&declared, &computed, "topi/src"));
    findings.extend(untyped(&declared, &typed));
    Ok(findings)
}

/// Families without a test.
fn without_test(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for td in tree.with_extension("td") {
        let parts: Vec<_> = td.iter().map(|part| part.to_string_lossy()).collect();
        let [a, b, dialect, c, file] = &parts[..] else {
            continue;
        };
        if (a.as_ref(), b.as_ref(), c.as_ref()) != ("dialects", "td", "ops") {
            continue;
        }
        let family = file.trim_end_matches(".td");
        let test = format!("test/dialect/{dialect}/{family}.mlir");
        if !tree.has(&test) {
            let message = format!("this family has no test {test}");
            findings.push(Finding::new(td, message));
        }
    }
    findings
}

/// Rows of a table in `place` for ops that are not declared, and rows that are there twice.
fn unknown(declared: &[Operation], rows: &[&str], place: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut seen = BTreeSet::new();
    for row in rows {
        let name = format!("relay.{row}");
        if !declared.iter().any(|op| op.name == name) {
            let message =
                format!("has a row for {name}, which dialects/td/relay/ops does not declare");
            findings.push(Finding::new(place, message));
        }
        if !seen.insert(row) {
            findings.push(Finding::new(place, format!("has two rows for {name}")));
        }
    }
    findings
}

/// Operators without a type relation.
fn untyped(declared: &[Operation], typed: &[&str]) -> Vec<Finding> {
    let is_typed = |op: &Operation| typed.iter().any(|name| op.name == format!("relay.{name}"));
    declared
        .iter()
        .filter(|op| !LANGUAGE.contains(&op.family.as_str()) && !is_typed(op))
        .map(|op| {
            let td = PathBuf::from(format!("dialects/td/relay/ops/{}.td", op.family));
            Finding::new(
                td,
                format!("{} has no row in dialects/src/relay/ops", op.name),
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{super::tree::sample, *};

    fn texts(findings: Vec<Finding>) -> Vec<String> {
        findings.iter().map(Finding::to_string).collect()
    }

    #[test]
    fn a_family_without_a_test_is_found() -> Result<()> {
        let files = [
            ("dialects/td/relay/RelayDialect.td", ""),
            ("dialects/td/relay/ops/unary.td", ""),
            ("dialects/td/relay/ops/pool.td", ""),
            ("test/dialect/relay/unary.mlir", ""),
            ("test/dialect/te/pool.mlir", ""),
        ];
        let (_folder, tree) = sample(&files)?;
        assert_eq!(
            texts(without_test(&tree)),
            ["dialects/td/relay/ops/pool.td: this family has no test test/dialect/relay/pool.mlir"]
        );
        Ok(())
    }

    #[test]
    fn tables_that_differ_from_tablegen_are_found() {
        let op = |name: &str, family: &str| Operation {
            name: name.into(),
            summary: String::new(),
            family: family.into(),
        };
        let declared = [
            op("relay.abs", "unary"),
            op("relay.exp", "unary"),
            op("relay.if", "language"),
        ];
        assert_eq!(
            texts(unknown(&declared, &["abs", "sin", "abs"], "topi/src")),
            [
                "topi/src: has a row for relay.sin, which dialects/td/relay/ops does not declare",
                "topi/src: has two rows for relay.abs",
            ]
        );
        assert_eq!(
            texts(untyped(&declared, &["abs"])),
            ["dialects/td/relay/ops/unary.td: relay.exp has no row in dialects/src/relay/ops"]
        );
    }
}
