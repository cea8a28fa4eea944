//! Which operators of TensorFlow are imported, from the importer's rows.

use super::markdown;

/// The page.
pub fn page() -> String {
    let names = relay_import::tensorflow::names();
    format!(
        "# Operators of TensorFlow\n\nThe importer of [models of TensorFlow](../guide/tensorflow.md) knows {} operators, and the nodes of \
         control flow `Enter`, `Exit`, `Merge`, `NextIteration` and `Switch`. \
         [test/import/tensorflow.mlir](../../test/import/tensorflow.mlir) compares them with TensorFlow.\n\n{}\n",
        names.len(),
        markdown::names(names)
    )
}
