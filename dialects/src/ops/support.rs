//! What the types of ops are made of: the build writes code that calls these functions.

pub use crate::ir::{self, Attr, Builder, Op, Type, Value};

pub(crate) use crate::enums::{choice, flags};
use crate::ir::{Block, NamedAttr};

/// An op in the making.
pub struct Making<'a> {
    b: &'a Builder,
    name: &'static str,
    operands: Vec<Value>,
    /// The number of values in each group of operands.
    groups: Vec<i32>,
    types: Vec<Type>,
    /// The number of types in each group of results.
    result_groups: Vec<i32>,
    attrs: Vec<NamedAttr<'static>>,
    blocks: Vec<Option<Block>>,
    is_inferred: bool,
}

impl<'a> Making<'a> {
    /// An op without parts.
    pub fn new(b: &'a Builder, name: &'static str) -> Self {
        Self {
            b,
            name,
            operands: Vec::new(),
            groups: Vec::new(),
            types: Vec::new(),
            result_groups: Vec::new(),
            attrs: Vec::new(),
            blocks: Vec::new(),
            is_inferred: false,
        }
    }

    /// Adds a group of operands.
    pub fn operands(mut self, group: &[Value]) -> Self {
        self.operands.extend_from_slice(group);
        self.groups.push(group.len() as i32);
        self
    }

    /// Adds a group of results.
    pub fn types(mut self, group: &[Type]) -> Self {
        self.types.extend_from_slice(group);
        self.result_groups.push(group.len() as i32);
        self
    }

    /// Leaves it to MLIR to find the types of results.
    pub fn inferred(mut self) -> Self {
        self.is_inferred = true;
        self
    }

    /// Adds an attribute, if there is one.
    pub fn attr(mut self, name: &'static str, value: Option<Attr>) -> Self {
        self.attrs.extend(value.map(|value| (name, value)));
        self
    }

    /// Adds regions: with a block each, or empty.
    pub fn blocks(mut self, blocks: &[Option<Block>]) -> Self {
        self.blocks.extend_from_slice(blocks);
        self
    }

    /// Says which operands belong together.
    pub fn operand_segments(mut self) -> Self {
        let sizes = Attr::short_ints(self.b.ctx, &self.groups);
        self.attrs.push((OPERAND_SEGMENTS, sizes));
        self
    }

    /// Says which results belong together.
    pub fn result_segments(mut self) -> Self {
        let sizes = Attr::short_ints(self.b.ctx, &self.result_groups);
        self.attrs.push((RESULT_SEGMENTS, sizes));
        self
    }

    /// Makes the op.
    pub fn op(self) -> Op {
        let made = self.b.create(
            self.name,
            &self.operands,
            &self.types,
            &self.attrs,
            &self.blocks,
            self.is_inferred,
        );
        made.unwrap_or_else(|| panic!("{} cannot have these operands", self.name))
    }

    /// Makes the op; returns its one result.
    pub fn value(self) -> Value {
        self.op().result(0)
    }
}

/// The attribute of the sizes of groups of operands.
pub const OPERAND_SEGMENTS: &str = "operandSegmentSizes";

/// The attribute of the sizes of groups of results.
pub const RESULT_SEGMENTS: &str = "resultSegmentSizes";

/// The values of a group that takes what `before` values in front of it and `after` behind it leave.
pub fn group(all: &[Value], before: usize, after: usize) -> Vec<Value> {
    let end = all.len().saturating_sub(after);
    all.get(before..end).unwrap_or_default().to_vec()
}

/// The values of group `number`, by the attribute that holds the sizes of groups.
pub fn segment(op: Op, all: &[Value], sizes: &str, number: usize) -> Vec<Value> {
    let sizes = op.attr(sizes).and_then(Attr::as_short_ints);
    let sizes = sizes.unwrap_or_default();
    let size = |group: usize| sizes.get(group).map_or(0, |size| *size as usize);
    let begin = (0..number).map(size).sum::<usize>();
    let found = all.get(begin..begin + size(number));
    found.unwrap_or_default().to_vec()
}

/// The value of a group that has one.
pub fn only(op: Op, group: &[Value], name: &str) -> Value {
    let value = group.first().copied();
    value.unwrap_or_else(|| panic!("{} has no {name}", op.name()))
}

/// What an attribute holds that the op has to have.
pub fn held<T>(op: Op, name: &str, read: impl FnOnce(Attr) -> Option<T>) -> T {
    let value = op.attr(name).and_then(read);
    value.unwrap_or_else(|| panic!("{} has no {name}", op.name()))
}

/// For tests: panics if MLIR does not find the types of results of one of the ops.
#[cfg(test)]
pub fn require_inference(ops: &[&str]) {
    let context = crate::context();
    let ctx = ir::Ctx::of(&context);
    for name in ops {
        assert_eq!(ctx.infers_types(name), Some(true), "{name}");
    }
}
