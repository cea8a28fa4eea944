//! Whether types are known.

use crate::{
    ir::Op,
    pass::{PassResult, fail},
};

/// Checks that no type inside `root` is `!relay.incomplete`. Passes that look at shapes begin with this: such a type has
/// none, and looks like that of a scalar.
///
/// # Errors
/// The first operation with such a type.
pub fn check(root: Op) -> PassResult {
    let mut open = None;
    root.walk(|op| {
        let mut values = op.operands().into_iter().chain(op.results());
        if open.is_none() && values.any(|value| value.ty().is_incomplete()) {
            open = Some(op);
        }
    });
    match open {
        Some(op) => fail(
            op,
            "has types that are to be inferred; run infer-type before",
        ),
        None => Ok(()),
    }
}
