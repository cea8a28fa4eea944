//! Runs modules of the relay dialect by walking them.
//!
//! This says what a program means: other ways to run it give the same results. Operators are compiled, each on its own and for
//! the shapes that it meets; everything else is looked at as it stands. Calls take memory from the heap, no stack, and a call
//! that is the last thing a function does takes none.

mod error;
mod extents;
mod kernels;
mod loops;
mod machine;
mod matching;
mod value;

pub use error::InterpreterError;
pub use kernels::Kernels;
pub use machine::run;
pub use value::{Data, Value};
