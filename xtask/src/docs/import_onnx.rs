//! Which ONNX operators are imported, from the importer's rows and the list of test cases that are
//! known to fail.

use super::markdown::{code, table};
use crate::{Error, Result};
use relay_import::onnx::{
    NEWEST_OPSET, OLDEST_OPSET,
    coverage::{self, Coverage},
};
use std::{collections::BTreeMap, fs, path::Path};

/// Cases of onnx's own backend tests that fail, one `<operator>/<case>` per line.
const KNOWN_FAILURES: &str = "test/import/Inputs/known_failures.txt";

/// The page.
pub fn page(root: &Path) -> Result<String> {
    let file = root.join(KNOWN_FAILURES);
    let failures = fs::read_to_string(&file).map_err(Error::at(&file))?;
    Ok(text(&coverage::rows(), &by_operator(&failures)))
}

/// The failing cases of each operator.
fn by_operator(list: &str) -> BTreeMap<&str, Vec<&str>> {
    let mut failures: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (operator, case) in list.lines().filter_map(|line| line.trim().split_once('/')) {
        failures.entry(operator).or_default().push(case);
    }
    failures
}

fn text(rows: &[Coverage], failures: &BTreeMap<&str, Vec<&str>>) -> String {
    let mut ranges: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for row in rows {
        ranges.entry(row.operator).or_default().push(range(row));
    }
    let cases: usize = failures.values().map(Vec::len).sum();
    let mut text = format!(
        "# Operators of ONNX\n\nThe importer knows {} operators, in models of operator sets \
         {OLDEST_OPSET} to {NEWEST_OPSET}. Of onnx's own test cases {cases} are known to fail; \
         [{KNOWN_FAILURES}](../../{KNOWN_FAILURES}) names them, and `./x test` fails if one more \
         does.\n\n",
        ranges.len()
    );
    let cells = ranges.iter().map(|(operator, ranges)| {
        let failing = failures.get(operator).into_iter().flatten();
        let failing: Vec<String> = failing.map(|case| code(case)).collect();
        vec![operator.to_string(), ranges.join(", "), failing.join(", ")]
    });
    text += &table(&["operator", "operator sets", "cases known to fail"], cells);
    text
}

/// `7-12`, or `13+` if it holds up to the newest.
fn range(row: &Coverage) -> String {
    match row.until {
        Some(until) => format!("{}-{until}", row.since),
        None => format!("{}+", row.since),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_and_failing_cases_stand_beside_their_operator() {
        let row = |operator, since, until| Coverage {
            operator,
            since,
            until,
        };
        let rows = [
            row("Abs", 6, None),
            row("Slice", 1, Some(9)),
            row("Slice", 10, None),
        ];
        let page = text(&rows, &by_operator("Slice/a\nSlice/b\n"));
        assert!(page.contains("knows 2 operators"), "{page}");
        assert!(page.contains("test cases 2 are known to fail"), "{page}");
        assert!(page.contains("| Abs | 6+ |  |"), "{page}");
        assert!(page.contains("| Slice | 1-9, 10+ | `a`, `b` |"), "{page}");
    }
}
