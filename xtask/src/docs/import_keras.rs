//! Which layers and operations of Keras are imported, from the importer's rows.

/// The page.
pub fn page() -> String {
    let list = |names: Vec<&str>| {
        let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        (names.len(), names.join(", "))
    };
    let (layers, of_layers) = list(relay_import::keras::layer_names());
    let (operations, of_operations) = list(relay_import::keras::operation_names());
    format!(
        "# Layers of Keras\n\nThe importer of [models of Keras](../guide/keras.md) knows {layers} names of layers and {operations} of \
         operations. [test/import/keras.mlir](../../test/import/keras.mlir) compares them with Keras.\n\n## Layers\n\n{of_layers}\n\n\
         ## Operations\n\nOf `keras.ops`, by their classes:\n\n{of_operations}\n"
    )
}
