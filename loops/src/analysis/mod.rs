//! Facts about loop programs and index arithmetic; nothing here changes IR.

pub mod access;
pub mod analyzer;
pub mod condition;
mod known;
pub mod linear;
pub mod loops;
pub mod memory;
pub mod one_place;
pub mod quasi_affine;
pub mod sharing;
pub mod work;

use relay_dialects::ir::{Block, Op, Value};

/// Whether a value is made inside an op, or is an argument of one of its blocks.
pub fn is_inside(value: Value, op: Op) -> bool {
    let owner = match value.def() {
        Some(def) => def.parent(),
        None => value.owner_block().and_then(Block::parent),
    };
    std::iter::successors(owner, |owner| owner.parent()).any(|owner| owner == op)
}
