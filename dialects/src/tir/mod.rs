//! Loop programs over buffers.

mod blocks;
mod buffers;
mod condition;
mod enums;
mod for_loop;
mod kernel;
pub mod ops;
mod regions;

pub use blocks::Block;
pub use buffers::{AllocBuffer, pointer_view, reshape_view};
pub use condition::if_holds;
pub use enums::{IterType, KernelKind, LoopKind, Scope, Thread};
pub use for_loop::{Bound, For};
pub use kernel::{in_place, join_in_place, set_in_place};
pub use regions::BufferRegion;

use crate::{ir::Op, names};

/// Checks a `tir` op beyond what ODS states.
///
/// # Errors
/// What is wrong, as a diagnostic's text.
pub fn verify(op: Op) -> Result<(), String> {
    match op.name().as_str() {
        For::NAME => for_loop::verify(op),
        Block::NAME => blocks::verify(op),
        names::tir::WHERE => blocks::verify_where(op),
        names::tir::READS | names::tir::WRITES => blocks::verify_region(op),
        AllocBuffer::NAME => buffers::verify_alloc(op),
        names::tir::ALLOCATE_CONST => buffers::verify_const(op),
        _ => Ok(()),
    }
}
