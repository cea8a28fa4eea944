//! `tir.block`, and what it says of itself: `tir.where`, `tir.reads`, `tir.writes`.

use super::{BufferRegion, IterType, ops};
use crate::{
    ir::{Attr, Block as IrBlock, Builder, Op, Type, Value},
    names,
    ops::{memref, vector},
};

/// A `tir.block`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Block(Op);

/// Reading.
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

    /// The condition under which it runs, if there is one.
    pub fn condition(self) -> Option<Value> {
        let condition = self.said(names::tir::WHERE).next()?;
        Some(condition.operand(0))
    }

    /// What it says that it reads.
    pub fn reads(self) -> Vec<BufferRegion> {
        let said = self.said(names::tir::READS);
        said.filter_map(BufferRegion::of).collect()
    }

    /// What it says that it writes.
    pub fn writes(self) -> Vec<BufferRegion> {
        let said = self.said(names::tir::WRITES);
        said.filter_map(BufferRegion::of).collect()
    }

    /// The ops that say when it runs and what it touches, which compute nothing.
    pub fn declarations(self) -> Vec<Op> {
        let names = [names::tir::WHERE, names::tir::READS, names::tir::WRITES];
        names.into_iter().flat_map(|name| self.said(name)).collect()
    }

    fn said(self, name: &'static str) -> impl Iterator<Item = Op> {
        let ops = self.body().ops().into_iter();
        ops.filter(move |op| op.is(name))
    }

    /// Whether an op stands in it, or in something inside it.
    fn holds(self, op: Op) -> bool {
        let mut around = std::iter::successors(op.parent(), |op| op.parent());
        around.any(|around| around == self.0)
    }

    /// Whether a value is made in it, or is one of its variables.
    pub fn makes(self, value: Value) -> bool {
        match (value.def(), value.owner_block().and_then(IrBlock::parent)) {
            (Some(def), _) => self.holds(def),
            (None, Some(owner)) => owner == self.0 || self.holds(owner),
            (None, None) => false,
        }
    }
}

/// Making.
impl Block {
    /// A block with empty regions: its name, its variables by name, binding and type, and whether it has an init.
    pub fn build(
        b: &Builder,
        name: &str,
        variables: &[(String, Value, IterType)],
        has_init: bool,
    ) -> Self {
        let values: Vec<Value> = variables.iter().map(|(_, value, _)| *value).collect();
        let types = variables.iter().map(|(_, _, ty)| ty.attr(b.ctx));
        let mut attrs = vec![
            ("name", Attr::str(b.ctx, name)),
            ("iter_types", Attr::array(b.ctx, &types.collect::<Vec<_>>())),
        ];
        if variables.iter().any(|(name, ..)| !name.is_empty()) {
            let names = variables.iter().map(|(name, ..)| Attr::str(b.ctx, name));
            attrs.push(("axes", Attr::array(b.ctx, &names.collect::<Vec<_>>())));
        }
        let region = || IrBlock::new(b.ctx, &vec![Type::index(b.ctx); variables.len()]);
        let regions = [Some(region()), has_init.then(region)];
        Self(b.region_op(Self::NAME, &values, &[], &attrs, &regions))
    }

    /// Says when it runs, if not always, and which regions it reads and writes, at the start of its body.
    pub fn declare(
        self,
        condition: Option<Value>,
        reads: &[BufferRegion],
        writes: &[BufferRegion],
    ) {
        let b = Builder::at_start(self.body(), self.0.loc(), self.0.ctx());
        if let Some(condition) = condition {
            ops::Where::build(&b, condition);
        }
        for region in reads {
            region.declare(&b, names::tir::READS);
        }
        for region in writes {
            region.declare(&b, names::tir::WRITES);
        }
    }
}

/// The types of a block's iteration variables, in order.
fn iter_types(block: Op) -> Vec<IterType> {
    let types = block.attr("iter_types").and_then(Attr::as_array);
    let types = types.unwrap_or_default().into_iter();
    types.filter_map(IterType::of).collect()
}

/// Checks the constraints of `tir.block`.
pub(super) fn verify(op: Op) -> Result<(), String> {
    let types = iter_types(op);
    let count = op.operand_count();
    if types.len() != count {
        let types = types.len();
        return Err(format!(
            "has {count} bindings and {types} iteration types (C1)"
        ));
    }
    let init = op.block_in(1);
    for block in [op.block_in(0), init].into_iter().flatten() {
        let arguments = block.args();
        if arguments.len() != count || arguments.iter().any(|value| !value.ty().is_index()) {
            return Err(format!(
                "its regions take {count} arguments of type index, one for each binding (C1)"
            ));
        }
    }
    if init.is_some() && !types.contains(&IterType::Reduce) {
        return Err("has an init, but no reduce variable to start from (C2)".into());
    }
    verify_complete(Block(op))
}

/// Checks the constraints of `tir.where`.
pub(super) fn verify_where(op: Op) -> Result<(), String> {
    // Where it stands is ODS's to check.
    let Some(block) = op.parent().and_then(Block::of) else {
        return Ok(());
    };
    if block.makes(op.operand(0)) {
        return Err(
            "its condition is made in the block; it must be known outside of it (C1)".into(),
        );
    }
    match block.said(names::tir::WHERE).count() {
        1 => Ok(()),
        count => Err(format!("is one of {count} in its block (C2)")),
    }
}

/// Checks the constraints of `tir.reads` and `tir.writes`.
pub(super) fn verify_region(op: Op) -> Result<(), String> {
    let Some(region) = BufferRegion::of(op) else {
        return Err("has a subscript with symbols; values stand for themselves (C1)".into());
    };
    region.verify()?;
    let block = op.parent().and_then(Block::of);
    match block.is_some_and(|block| block.makes(region.buffer)) {
        true => Err("is about a buffer that the block makes itself (C2)".into()),
        false => Ok(()),
    }
}

/// What a block says of buffers, if it does, it says of all that it loads from and stores to: C3 and C4.
fn verify_complete(block: Block) -> Result<(), String> {
    let touched = |names: [&str; 2], operand: usize| -> Vec<Value> {
        let ops = names.into_iter().flat_map(|name| block.0.find_all(name));
        let buffers = ops.filter_map(|op| op.operands().get(operand).copied());
        buffers.filter(|buffer| !block.makes(*buffer)).collect()
    };
    let buffers = |regions: Vec<BufferRegion>| -> Vec<Value> {
        regions.into_iter().map(|region| region.buffer).collect()
    };
    let writes = buffers(block.writes());
    let of_init = block.init().is_some().then_some(&writes);
    let reads = buffers(block.reads());
    let is_read = |buffer: &Value| {
        reads.contains(buffer) || of_init.is_some_and(|writes| writes.contains(buffer))
    };
    let loaded = touched([memref::Load::NAME, vector::Load::NAME], 0);
    if !reads.is_empty()
        && let Some(buffer) = loaded.iter().find(|buffer| !is_read(buffer))
    {
        let (ty, name) = (buffer.ty(), names::tir::READS);
        return Err(format!("loads from a {ty}, and says it in no {name} (C3)"));
    }
    let stored = touched([memref::Store::NAME, vector::Store::NAME], 1);
    if !writes.is_empty()
        && let Some(buffer) = stored.iter().find(|buffer| !writes.contains(buffer))
    {
        let (ty, name) = (buffer.ty(), names::tir::WRITES);
        return Err(format!("stores to a {ty}, and says it in no {name} (C4)"));
    }
    Ok(())
}
