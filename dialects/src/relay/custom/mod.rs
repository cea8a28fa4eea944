//! Operators from outside: what a program or a plugin declares, and the table of these declarations.
//!
//! An op `relay.custom "mylib.swish"(...)` names its declaration. All that a row of [the operator table](super::ops)
//! says of an operator of this project, a [`Declaration`] and its [`Meaning`] say of one from outside; its expression is
//! a function of tensor expressions in MLIR's text.
//!
//! The table belongs to the process, as MLIR's registry of passes does: a declaration comes from a library that stays
//! loaded, or from the program that the compiler is a part of. Nothing is ever taken out of it.

mod attributes;
mod declaration;
pub mod export;
pub mod interface;
#[cfg(feature = "dialects")]
mod load;
mod operator;
mod table;

pub use attributes::{complete, given, named_operator};
pub use declaration::{Attribute, Declaration, Holds, Meaning, Request};
#[cfg(feature = "dialects")]
pub use load::load;
pub use operator::Operator;
pub(in crate::relay) use operator::PRECISION;
pub(in crate::relay) use table::relation;
pub use table::{all, find, of, of_attrs, of_onnx, of_torch, register, row_of};

use crate::{ir::Op, names};
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether declarations may only be asked from the thread that works.
static IS_SINGLE: AtomicBool = AtomicBool::new(false);

/// Whether a module has operators from outside. What is computed from it then depends on more than its text, so no cache
/// may keep it by that.
pub fn is_in(module: Op) -> bool {
    module.find(|op| op.is(names::relay::CUSTOM)).is_some()
}

/// Has contexts that are made from now on work on one thread. Declarations in a language with a global lock need this:
/// a thread that holds the lock waits for MLIR, whose other threads would wait for the lock.
pub fn use_one_thread() {
    IS_SINGLE.store(true, Ordering::Relaxed);
}

/// Whether contexts are to work on one thread.
#[cfg(feature = "dialects")]
pub(crate) fn is_on_one_thread() -> bool {
    IS_SINGLE.load(Ordering::Relaxed)
}
