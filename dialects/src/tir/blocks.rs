//! `tir.block`.

use super::IterType;
use crate::{
    ir::{Attr, Block as IrBlock, Op, Value},
    names,
};

/// A `tir.block`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Block(Op);

impl Block {
    /// The op's name.
    pub const NAME: &str = names::tir::BLOCK;

    /// An op as a block, if it is one.
    pub fn of(op: Op) -> Option<Self> {
        op.is(Self::NAME).then_some(Self(op))
    }

    /// All blocks inside an op, inner ones before those around them.
    pub fn all(op: Op) -> Vec<Self> {
        op.find_all(Self::NAME).into_iter().map(Self).collect()
    }

    /// The op.
    pub fn op(self) -> Op {
        self.0
    }

    /// The values of the iteration variables, with what each variable does.
    pub fn bindings(self) -> Vec<(Value, IterType)> {
        let values = self.0.operands().into_iter();
        values.zip(iter_types(self.0)).collect()
    }

    /// The body.
    pub fn body(self) -> IrBlock {
        self.0.body()
    }

    /// What sets the elements that the body adds to.
    pub fn init(self) -> Option<IrBlock> {
        self.0.block_in(1)
    }
}

/// The types of a block's iteration variables, in order.
fn iter_types(block: Op) -> Vec<IterType> {
    let types = block.attr("iter_types").and_then(Attr::as_array);
    let types = types.unwrap_or_default().into_iter();
    types.filter_map(IterType::of).collect()
}

/// Checks a block beyond what ODS states.
pub(super) fn verify(op: Op) -> Result<(), String> {
    let types = iter_types(op);
    let count = op.operand_count();
    if types.len() != count {
        let types = types.len();
        return Err(format!("has {count} bindings and {types} iteration types"));
    }
    let init = op.block_in(1);
    for block in [op.block_in(0), init].into_iter().flatten() {
        let arguments = block.args();
        if arguments.len() != count || arguments.iter().any(|value| !value.ty().is_index()) {
            return Err(format!(
                "its regions take {count} arguments of type index, one for each binding"
            ));
        }
    }
    if init.is_some() && !types.contains(&IterType::Reduce) {
        return Err("has an init, but no reduce variable to start from".into());
    }
    Ok(())
}
