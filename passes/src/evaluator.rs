//! How a pass learns what a program computes, and how long it takes.
//!
//! Passes do not run code; whoever can compile and load it registers them [with](crate::register_with) an
//! evaluator.

use relay_dialects::{ir::Op, pass::Options};

/// Bytes that somebody owns.
pub type Bytes = Box<dyn AsRef<[u8]> + Send + Sync>;

/// Runs programs for passes.
#[derive(Clone, Copy, Debug)]
pub struct Evaluator {
    /// Computes the results of `@main`, a function without arguments in a `builtin.module` of relay operators:
    /// the bytes of each result in row-major order, one byte per boolean. The module stays the caller's; the
    /// evaluator may change it. With `cache` it may take the compiled program from where it keeps such.
    ///
    /// # Errors
    /// Why it cannot be computed.
    pub evaluate: fn(module: Op, cache: bool) -> Result<Vec<Bytes>, String>,
    /// Measures how many nanoseconds the kernels of `@main` take on this machine, in a `builtin.module` of relay operators
    /// with static shapes: the median of several runs. What has a `relay.target` is for the external code generator of that
    /// name: one that is built in, or of one of `plugins`, which are paths of libraries. The module stays the caller's. With
    /// `cache`, machine code may come from where it is kept.
    ///
    /// # Errors
    /// Why it cannot be run.
    pub time: fn(module: Op, plugins: &[&str], cache: bool) -> Result<f64, String>,
}

impl Evaluator {
    /// The one that the passes were registered with.
    ///
    /// # Errors
    /// If they were registered without.
    pub fn of(options: &Options) -> Result<&'static Self, String> {
        let evaluator = options.service();
        evaluator
            .ok_or_else(|| "this program has nothing that compiles and runs code for passes".into())
    }
}
