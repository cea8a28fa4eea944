//! How a pass learns what a program computes.
//!
//! Passes do not run code; whoever can compile and load it registers them [with](crate::register_with) an
//! evaluator.

use relay_dialects::{ir::Op, pass::Options};

/// Bytes that somebody owns.
pub type Bytes = Box<dyn AsRef<[u8]> + Send + Sync>;

/// Computes what programs make of constants.
#[derive(Clone, Copy, Debug)]
pub struct Evaluator {
    /// Computes the results of `@main`, a function without arguments in a `builtin.module` of relay operators:
    /// the bytes of each result in row-major order, one byte per boolean. The module stays the caller's; the
    /// evaluator may change it. With `cache` it may take the compiled program from where it keeps such.
    ///
    /// # Errors
    /// Why it cannot be computed.
    pub evaluate: fn(module: Op, cache: bool) -> Result<Vec<Bytes>, String>,
}

impl Evaluator {
    /// The one that the passes were registered with.
    ///
    /// # Errors
    /// If they were registered without.
    pub fn of(options: &Options) -> Result<&'static Self, String> {
        let evaluator = options.service();
        evaluator.ok_or_else(|| "this program has no evaluator for constants".into())
    }
}
