//! Which operators of PyTorch are imported, from the importer's rows.

use super::markdown;
use relay_import::torch::operators;
use std::collections::BTreeSet;

/// The page.
pub fn page() -> String {
    let names: BTreeSet<&str> = operators().collect();
    format!(
        "# Operators of PyTorch\n\nThe importer of [programs of torch.export](../guide/pytorch.md) knows {} operators. Those without a \
         namespace are ATen's. A name with a point behind it is one overload, which has a conversion of its own; a name without stands for \
         all others. An operator that works in place, `relu_`, is read as the one that does not, and the tensor that it changes, with all views of \
         it, is the new one from there on. [test/import/torch.mlir](../../test/import/torch.mlir) compares them with PyTorch.\n\n{}\n",
        names.len(),
        markdown::names(names)
    )
}
