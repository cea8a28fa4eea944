//! Conditions on parts of loop programs.

use crate::{
    ir::{Block, Builder, Value},
    ops::scf,
};

/// Where ops go that run if a condition holds, and only then: inside of a new `scf.if`.
pub fn if_holds(b: &Builder, condition: Value) -> Builder {
    let then = Block::new(b.ctx, &[]);
    scf::If::build(b, &[], condition, then, None);
    let end = scf::Yield::build(&Builder::at_end(then, b.loc, b.ctx), &[]);
    Builder::before(end).with_loc(b.loc)
}
