//! How a pass learns what a program computes.
//!
//! Passes do not run code; whoever can compile and load it installs an evaluator.

use relay_dialects::ir::Op;
use std::sync::OnceLock;

/// Computes the results of `@main`, a function without arguments in a `builtin.module` of relay
/// operators: the bytes of each result in row-major order, one byte per boolean. The module stays
/// the caller's; the evaluator may change it.
///
/// # Errors
/// Why it cannot be computed.
pub type Evaluator = fn(module: Op) -> Result<Vec<Bytes>, String>;

/// Bytes that somebody owns.
pub type Bytes = Box<dyn AsRef<[u8]> + Send + Sync>;

static EVALUATOR: OnceLock<Evaluator> = OnceLock::new();

/// Makes `evaluator` the one of this process. The first one stays.
pub fn install(evaluator: Evaluator) {
    EVALUATOR.get_or_init(|| evaluator);
}

/// Computes the results of `@main` of `module`.
///
/// # Errors
/// If no evaluator is installed, or what it says.
pub fn evaluate(module: Op) -> Result<Vec<Bytes>, String> {
    let evaluator = EVALUATOR
        .get()
        .ok_or("this program has no evaluator for constants")?;
    evaluator(module)
}
