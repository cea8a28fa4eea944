//! Which ONNX operators are imported, from the importer's rows.

use super::markdown::table;
use relay_import::onnx::{
    NEWEST_OPSET, OLDEST_OPSET,
    coverage::{self, Coverage},
};
use std::collections::BTreeMap;

/// The page.
pub fn page() -> String {
    text(&coverage::rows())
}

fn text(rows: &[Coverage]) -> String {
    let mut ranges: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for row in rows {
        ranges.entry(row.operator).or_default().push(range(row));
    }
    let of = |domain: &str| {
        let names = ranges
            .keys()
            .filter(|operator| operator.starts_with(domain));
        names.count()
    };
    let (own, ml, preview) = (
        of("com.microsoft."),
        of("ai.onnx.ml."),
        of("ai.onnx.preview."),
    );
    let mut text = format!(
        "# Operators of ONNX\n\nThe importer knows {} operators of ONNX, in models of operator sets {OLDEST_OPSET} to \
         {NEWEST_OPSET}. [test/import/onnx_cases.mlir](../../test/import/onnx_cases.mlir) runs onnx's own test cases \
         of each.\n\nThe importer inlines the functions of a model. It imports only the taken branch of an If. If that \
         is unknown, the program chooses the branch that it computes, and both must return the same types; \
         where only one fits the shapes, a run that takes the other one ends with an error. A recurrent operator, a Scan and a Loop \
         become loops, and their lengths may be open. A Loop may also end by data; then it returns states, and collects \
         no outputs. A loop with a body that returns states of other types than it takes is unrolled, so the number of \
         its steps must be known, and be at most 4096. The length of a sequence, the \
         positions in it, and the presence of an optional must be known, too. The tensors of a sequence \
         `x` that a model takes or returns are called `x.0`, `x.1` and so on; of one that it takes, there are as many as shapes are given \
         for, and an optional is there if its shape is given.\n\nIt \
         also knows {own} operators of ONNX Runtime, in the domain `com.microsoft`; ONNX Runtime's optimisers and \
         quantisers write them. [test/import/microsoft.mlir](../../test/import/microsoft.mlir) compares them with ONNX \
         Runtime. It knows {ml} operators of the domain `ai.onnx.ml`, of numbers only, and {preview} of `ai.onnx.preview`, some of which are steps of optimisers.\n\nFloats of 8 bits and fewer and \
         integers of 4 and 2 bits are stored only: operators move and convert them.\n\nOperators that draw random numbers take \
         them from Philox 4x32-10, with the node's seed or, without one, a hash of its name as the key: each run draws the \
         same.\n\n",
        ranges.len() - own - ml - preview
    );
    let cells = ranges
        .iter()
        .map(|(operator, ranges)| vec![operator.to_string(), ranges.join(", ")]);
    text += &table(&["operator", "operator sets"], cells);
    text += "\n\n## What is refused\n\nBeside these operators, the importer refuses: strings as elements of tensors, as which \
             labels of classes may be, too; floats of the type float8e8m0; sparse tensors; the output shape of a MaxUnpool, which ONNX and \
             ONNX Runtime read in different ways; a Scan of operator set 8; a BatchNormalization or Dropout of operator sets 1 to 6 that \
             trains.\n\n";
    let cells = coverage::REFUSED
        .iter()
        .map(|(operator, reason)| vec![operator.to_string(), reason.to_string()]);
    text += &table(&["operator", "why it is refused"], cells);
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
    fn ranges_stand_beside_their_operator() {
        let row = |operator, since, until| Coverage {
            operator,
            since,
            until,
        };
        let rows = [
            row("Abs", 6, None),
            row("Slice", 1, Some(9)),
            row("Slice", 10, None),
            row("com.microsoft.Gelu", 1, None),
            row("ai.onnx.ml.Binarizer", 1, None),
        ];
        let page = text(&rows);
        assert!(page.contains("knows 2 operators"), "{page}");
        assert!(page.contains("| Abs | 6+ |"), "{page}");
        assert!(page.contains("| Slice | 1-9, 10+ |"), "{page}");
    }
}
