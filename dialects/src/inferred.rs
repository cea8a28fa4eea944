//! Whether types are known.

use crate::{
    ir::Op,
    pass::{PassResult, fail},
};

/// Checks that no type inside `root` is `!relay.incomplete`. Passes that look at shapes begin with this check: such a type
/// has no shape, and looks like the type of a scalar.
///
/// # Errors
/// The first operation with such a type.
pub fn check(root: Op) -> PassResult {
    let open = root.find(|op| {
        let mut values = op.operands().into_iter().chain(op.results());
        values.any(|value| value.ty().is_incomplete())
    });
    match open {
        Some(op) => fail(
            op,
            "has types that are to be inferred; run infer-type before",
        ),
        None => Ok(()),
    }
}
