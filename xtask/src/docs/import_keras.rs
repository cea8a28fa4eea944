//! Which layers and operations of Keras are imported, from the importer's rows.

use super::markdown::names;
use relay_import::keras::{layer_names, operation_names};

/// The page.
pub fn page() -> String {
    let (layers, operations) = (layer_names(), operation_names());
    format!(
        "# Layers of Keras\n\nThe importer of [models of Keras](../guide/keras.md) knows {} names of layers and {} of \
         operations. [test/import/keras.mlir](../../test/import/keras.mlir) compares them with Keras.\n\n## Layers\n\n{}\n\n\
         ## Operations\n\nOf `keras.ops`, by their classes:\n\n{}\n",
        layers.len(),
        operations.len(),
        names(layers),
        names(operations)
    )
}
