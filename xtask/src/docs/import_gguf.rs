//! Which models of GGUF are imported, from the importer's rows.

/// The page.
pub fn page() -> String {
    let listed = |names: Vec<&str>| {
        let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        names.join(", ")
    };
    format!(
        "# Models of GGUF\n\nThe importer of [models of GGUF](../guide/gguf.md) knows these architectures: {}.\n\nAnd these types of tensors: \
         {}.\n\n[test/import/gguf.mlir](../../test/import/gguf.mlir) compares them with llama.cpp.\n",
        listed(relay_import::gguf::architectures()),
        listed(relay_import::gguf::tensor_types())
    )
}
