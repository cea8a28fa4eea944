//! Which operators of MXNet are imported, from the importer's rows.

use super::markdown;

/// The page.
pub fn page() -> String {
    let names = relay_import::mxnet::names();
    format!(
        "# Operators of MXNet\n\nThe importer of [graphs of MXNet](../guide/mxnet.md) knows {} names of operators; MXNet has several names for \
         many. [test/import/mxnet.mlir](../../test/import/mxnet.mlir) compares them with MXNet.\n\n{}\n",
        names.len(),
        markdown::names(names)
    )
}
