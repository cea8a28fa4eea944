//! The regions of buffers that a block touches, as `tir.reads` and `tir.writes` write them.

use crate::{
    ir::{AffineMap, Attr, Builder, Op, Value},
    relay::relation::show,
};

/// A box in a buffer: TVM's `BufferRegion`.
#[derive(Clone, Debug, PartialEq)]
pub struct BufferRegion {
    /// The buffer.
    pub buffer: Value,
    /// What the first subscripts are computed from: the block's variables, and values from around the block.
    pub values: Vec<Value>,
    /// The first subscript in each dimension.
    pub first: AffineMap,
    /// The number of subscripts in each dimension.
    pub extents: Vec<i64>,
}

const FIRST: &str = "first";
const EXTENTS: &str = "extents";

impl BufferRegion {
    /// What a `tir.reads` or `tir.writes` says, if its map has no symbols.
    pub(super) fn of(op: Op) -> Option<Self> {
        let mut operands = op.operands().into_iter();
        let buffer = operands.next()?;
        let first = op.attr(FIRST)?.as_affine_map()?;
        let extents = op.attr(EXTENTS).and_then(Attr::as_ints);
        Some(Self {
            buffer,
            values: operands.collect(),
            extents: extents.unwrap_or_else(|| vec![1; first.results.len()]),
            first,
        })
    }

    /// Writes the op of that name that says so.
    pub(super) fn declare(&self, b: &Builder, name: &str) {
        let operands: Vec<Value> = [&[self.buffer], self.values.as_slice()].concat();
        let mut attrs = vec![(FIRST, Attr::affine_map(b.ctx, &self.first))];
        if self.extents.iter().any(|extent| *extent != 1) {
            attrs.push((EXTENTS, Attr::ints(b.ctx, &self.extents)));
        }
        b.op(name, &operands, &[], &attrs);
    }

    /// Checks that it is a part of its buffer (C1).
    pub(super) fn verify(&self) -> Result<(), String> {
        let shape = self.buffer.ty().shape();
        let (rank, count) = (shape.len(), self.first.results.len());
        if count != rank || self.first.dims != self.values.len() {
            return Err(format!(
                "has {count} subscripts, and the buffer has rank {rank} (C1)"
            ));
        }
        let fits = |(extent, dim): (&i64, &i64)| *extent > 0 && (*dim < 0 || extent <= dim);
        if self.extents.len() != rank || !self.extents.iter().zip(&shape).all(fits) {
            let (extents, shape) = (show(&self.extents), show(&shape));
            return Err(format!(
                "has the extents {extents}, which are not of a part of a buffer of shape {shape} (C1)"
            ));
        }
        Ok(())
    }
}
