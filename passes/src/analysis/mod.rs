//! Facts about IR; nothing here changes it.

pub mod access;
pub mod analyzer;
pub mod bytes;
pub mod condition;
pub mod cost;
pub mod dtypes;
pub mod features;
pub mod flops;
mod known;
pub mod layers;
pub mod linear;
pub mod liveness;
pub mod loops;
pub mod macs;
pub mod memory;
pub mod quasi_affine;
pub mod sharing;

use relay_dialects::ir::{Block, Op, Value};

/// Whether a value is made inside an op, or is an argument of one of its blocks.
pub fn is_inside(value: Value, op: Op) -> bool {
    let owner = match value.def() {
        Some(def) => def.parent(),
        None => value.owner_block().and_then(Block::parent),
    };
    std::iter::successors(owner, |owner| owner.parent()).any(|owner| owner == op)
}
