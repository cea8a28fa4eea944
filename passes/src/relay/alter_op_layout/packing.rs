//! Values whose channels lie in blocks, beside the plain ones.

use crate::graph::{
    operators::is_foldable,
    shapes::{fill_axis, first_channels, pad_axis, reshape, transform},
};
use relay_dialects::{
    dim::Dim,
    index::ceil_div,
    ir::{Builder, Op, Value},
    relay::{row::LayoutRule, row_of},
};
use relay_topi::cost::layout;
use std::collections::HashMap;

/// The channels that one block holds: a power of two up to a vector's lanes.
pub fn block_size(channels: i64, lanes: i64) -> i64 {
    let halves = std::iter::successors(Some(lanes), |block| (*block > 1).then_some(block / 2));
    halves
        .into_iter()
        .find(|block| channels % block == 0)
        .unwrap_or(1)
}

/// The channels of the result of a convolution with a `kernel` [outputs, inputs, height, width] with the
/// last vector filled up, where that costs next to nothing, or where most lanes are used and
/// blocks without would be of less than half a vector; else as they are.
pub fn padded_channels(kernel: &[i64], lanes: i64) -> i64 {
    let channels = kernel[0];
    let padded = ceil_div(channels, lanes) * lanes;
    // Without a window there are products of matrices, which take any number.
    let has_window = kernel[2..].iter().any(|extent| *extent > 1);
    let is_narrow = has_window
        && block_size(channels, lanes) < lanes / 2
        && layout::is_worth_filling_up(kernel[1..].iter().product());
    if layout::fills_up_free(channels, padded) || (is_narrow && 2 * channels > padded) {
        padded
    } else {
        channels
    }
}

/// Knows for plain NCHW values which NCHW{c}c values they were unpacked from.
pub struct Packer {
    /// The f32 elements of a vector.
    pub lanes: i64,
    unpacked: HashMap<Value, (Value, i64)>,
    /// What has been packed on purpose, so that it is packed once.
    packed: HashMap<(Value, i64), Value>,
}

impl Packer {
    /// One that knows no value.
    pub fn new(lanes: i64) -> Self {
        Self {
            lanes,
            unpacked: HashMap::new(),
            packed: HashMap::new(),
        }
    }

    /// The block size in which this value is there already, with no channels beside its own.
    pub fn block_of(&self, value: Value) -> Option<i64> {
        let block = self.padded_block_of(value)?;
        (self.channels(value) == value.ty().shape()[1]).then_some(block)
    }

    /// The block size in which this value is there already, the last block perhaps filled up with
    /// channels that mean nothing.
    pub fn padded_block_of(&self, value: Value) -> Option<i64> {
        self.unpacked.get(&value).map(|(_, block)| *block)
    }

    /// The channels of what is there in place of this value, or that it broadcasts against: as many as it
    /// has, or more.
    pub fn channels(&self, value: Value) -> i64 {
        match self.unpacked.get(&value) {
            Some((packed, block)) => packed.ty().shape()[1] * block,
            None => dims(&value.ty().shape())[1],
        }
    }

    /// A plain value in blocks of `block`.
    pub fn packed(&mut self, builder: &Builder, value: Value, block: i64) -> Value {
        let target = format!("NCHW{block}c");
        let (source, layout) = match self.unpacked.get(&value) {
            Some((packed, own)) if *own == block => return *packed,
            Some((packed, own)) if self.block_of(value).is_some() => {
                (*packed, format!("NCHW{own}c"))
            }
            _ => (value, "NCHW".to_owned()),
        };
        let known = self.packed.entry((value, block));
        *known.or_insert_with(|| transform(builder, source, &layout, &target))
    }

    /// A plain value in blocks of `block`, of which finite numbers fill up the last one.
    pub fn filled_up(&mut self, builder: &Builder, value: Value, block: i64) -> Value {
        if let Some((packed, own)) = self.unpacked.get(&value)
            && *own == block
            && is_finite(*packed)
        {
            return *packed;
        }
        let whole = fill_axis(builder, value, 1, block);
        self.packed(builder, whole, block)
    }

    /// Puts the packed value in the place of `op`'s result, which is unpacked for those who need
    /// it plain and without channels that fill up a block.
    pub fn replace(&mut self, op: Op, packed: Value, block: i64) {
        let builder = Builder::before(op);
        let plain = transform(&builder, packed, &format!("NCHW{block}c"), "NCHW");
        let plain = first_channels(&builder, plain, op.result(0).ty().shape()[1]);
        op.result(0).replace_all_uses_with(plain);
        self.unpacked.insert(plain, (packed, block));
    }

    /// The block size in which a value is there, the last block perhaps filled up with finite numbers.
    pub fn filled_block_of(&self, value: Value) -> Option<i64> {
        let (packed, block) = self.unpacked.get(&value)?;
        (self.block_of(value).is_some() || is_finite(*packed)).then_some(*block)
    }

    /// Whether an operand that broadcasts against a packed one of `channels` can be packed.
    pub fn can_broadcast(&self, value: Value, channels: i64) -> bool {
        let shape = value.ty().shape();
        shape.len() <= 4 && [1, channels].contains(&dims(&shape)[1])
    }

    /// An operand that broadcasts against a packed one of `channels` in all, in a shape that does
    /// so, too.
    pub fn broadcast(
        &mut self,
        builder: &Builder,
        value: Value,
        channels: i64,
        block: i64,
    ) -> Value {
        if self.channels(value) == channels && self.padded_block_of(value) == Some(block) {
            return self.packed(builder, value, block);
        }
        let value = fill_channels(builder, value, channels);
        let own = value.ty().dims();
        if own.iter().all(|&dim| dim == 1) && own.len() < 4 {
            return value;
        }
        let mut shape = [Dim::Known(1); 4];
        shape[4 - own.len()..].copy_from_slice(&own);
        let [n, c, h, w] = shape;
        let one = Dim::Known(1);
        if c == one && channels != 1 {
            return reshape(builder, value, &[n, one, h, w, one]);
        }
        if [n, h, w] == [one; 3] && self.block_of(value).is_none() {
            // The order of the elements is the same: no transform.
            return reshape(builder, value, &[1, channels / block, 1, 1, block]);
        }
        let value = reshape(builder, value, &shape);
        self.packed(builder, value, block)
    }
}

/// Whether what fills up the last block of channels is finite: that of a packed convolution's result is zeros, because
/// its weight has zeros there, and most of what follows makes finite numbers of such.
fn is_finite(packed: Value) -> bool {
    let Some((op, row)) = packed.def().and_then(|op| Some((op, row_of(op)?))) else {
        return false;
    };
    let keeps = match row.layout {
        LayoutRule::Elementwise => !row.has_pole_at_zero,
        LayoutRule::Broadcasting { filled } => filled,
        LayoutRule::Spatial | LayoutRule::Concatenate | LayoutRule::Pad | LayoutRule::Slice => true,
        _ => row.is_view,
    };
    let is_known = |value: Value| is_foldable(value) || is_finite(value);
    row.fills_with_zeros || (keeps && op.operands().into_iter().all(is_known))
}

/// A value of shape [c, 1, 1] or [n, c, h, w] with zeros for channels up to `channels`; one that
/// broadcasts along them as it is.
fn fill_channels(builder: &Builder, value: Value, channels: i64) -> Value {
    let shape = value.ty().shape();
    let own = dims(&shape)[1];
    if own == channels || own == 1 {
        return value;
    }
    let at = shape.len() - 3;
    pad_axis(builder, value, at, channels - own)
}

/// A shape of up to four dimensions as broadcasting sees it among four.
fn dims(shape: &[i64]) -> [i64; 4] {
    let mut dims = [1; 4];
    dims[4 - shape.len()..].copy_from_slice(shape);
    dims
}
