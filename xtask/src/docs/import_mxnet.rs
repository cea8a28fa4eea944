//! Which operators of MXNet are imported, from the importer's rows.

/// The page.
pub fn page() -> String {
    let names = relay_import::mxnet::names();
    let listed: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    format!(
        "# Operators of MXNet\n\nThe importer of [graphs of MXNet](../guide/mxnet.md) knows {} names of operators; MXNet has several names for \
         many. [test/import/mxnet.mlir](../../test/import/mxnet.mlir) compares them with MXNet.\n\n{}\n",
        names.len(),
        listed.join(", ")
    )
}
