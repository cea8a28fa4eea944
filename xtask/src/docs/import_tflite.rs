//! Which operators of TensorFlow Lite are imported, from the importer's rows.

use super::markdown::table;
use relay_import::tflite::coverage;

/// The page.
pub fn page() -> String {
    let operators = coverage();
    let text = format!(
        "# Operators of TensorFlow Lite\n\nThe importer knows {} operators. [A guide](../guide/tflite.md) says what becomes of quantised \
         numbers and of what a model keeps from run to run. [test/import/tflite_operators.mlir](../../test/import/tflite_operators.mlir) \
         compares the operators with LiteRT.\n\n",
        operators.len()
    );
    let rows = operators.iter().map(|operator| vec![(*operator).into()]);
    text + &table(&["operator"], rows)
}
