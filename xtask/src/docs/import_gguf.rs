//! Which models of GGUF are imported, from the importer's rows.

use super::markdown::names;

/// The page.
pub fn page() -> String {
    format!(
        "# Models of GGUF\n\nThe importer of [models of GGUF](../guide/gguf.md) knows these architectures: {}.\n\nAnd these types of tensors: \
         {}.\n\n[test/import/gguf.mlir](../../test/import/gguf.mlir) compares them with llama.cpp.\n",
        names(relay_import::gguf::architectures()),
        names(relay_import::gguf::tensor_types())
    )
}
