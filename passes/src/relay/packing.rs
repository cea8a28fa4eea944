//! Values whose channels lie in blocks, beside the plain ones.

use super::dataflow::make;
use relay_dialects::ir::{Attr, Builder, Op, Value};
use std::collections::HashMap;

/// The channels that one block holds: a power of two up to a vector's lanes, or all of few.
pub fn block_size(channels: i64, lanes: i64) -> i64 {
    if (1..=4).contains(&channels) {
        return channels;
    }
    let halves = std::iter::successors(Some(lanes), |block| (*block > 1).then_some(block / 2));
    halves
        .into_iter()
        .find(|block| channels % block == 0)
        .unwrap_or(1)
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

    /// The block size in which this value is there already.
    pub fn block_of(&self, value: Value) -> Option<i64> {
        self.unpacked.get(&value).map(|(_, block)| *block)
    }

    /// A plain value in blocks of `block`.
    pub fn packed(&mut self, builder: &Builder, value: Value, block: i64) -> Value {
        let target = format!("NCHW{block}c");
        let (source, layout) = match self.unpacked.get(&value) {
            Some((packed, own)) if *own == block => return *packed,
            Some((packed, own)) => (*packed, format!("NCHW{own}c")),
            None => (value, "NCHW".to_owned()),
        };
        let known = self.packed.entry((value, block));
        *known.or_insert_with(|| transform(builder, source, &layout, &target))
    }

    /// Puts the packed value in the place of `op`'s result, which is unpacked for those who need
    /// it plain.
    pub fn replace(&mut self, op: Op, packed: Value, block: i64) {
        let builder = Builder::before(op);
        let plain = transform(&builder, packed, &format!("NCHW{block}c"), "NCHW");
        op.result(0).replace_all_uses_with(plain);
        self.unpacked.insert(plain, (packed, block));
    }

    /// Whether an operand that broadcasts against a packed one of `channels` can be packed.
    pub fn can_broadcast(&self, value: Value, channels: i64) -> bool {
        let shape = value.ty().shape();
        value.ty().is_static() && shape.len() <= 4 && [1, channels].contains(&dims(&shape)[1])
    }

    /// An operand that broadcasts against a packed one, in a shape that does so, too.
    pub fn broadcast(
        &mut self,
        builder: &Builder,
        value: Value,
        channels: i64,
        block: i64,
    ) -> Value {
        let shape = value.ty().shape();
        if shape.iter().all(|&dim| dim == 1) && shape.len() < 4 {
            return value;
        }
        let [n, c, h, w] = dims(&shape);
        if c == 1 && channels != 1 {
            return reshape(builder, value, &[n, 1, h, w, 1]);
        }
        if n * h * w == 1 && self.block_of(value).is_none() {
            // The order of the elements is the same: no transform.
            return reshape(builder, value, &[1, c / block, 1, 1, block]);
        }
        let value = if shape.len() == 4 {
            value
        } else {
            reshape(builder, value, &[n, c, h, w])
        };
        self.packed(builder, value, block)
    }
}

/// A shape of up to four dimensions as broadcasting sees it among four.
fn dims(shape: &[i64]) -> [i64; 4] {
    let mut dims = [1; 4];
    dims[4 - shape.len()..].copy_from_slice(shape);
    dims
}

fn reshape(builder: &Builder, value: Value, shape: &[i64]) -> Value {
    if value.ty().shape() == shape {
        return value;
    }
    make(
        builder,
        "reshape",
        &[value],
        &[("newshape", Attr::ints(builder.ctx, shape))],
    )
}

/// A value in another layout.
pub fn transform(builder: &Builder, value: Value, source: &str, target: &str) -> Value {
    let layout = |text| Attr::str(builder.ctx, text);
    let attrs = [
        ("src_layout", layout(source)),
        ("dst_layout", layout(target)),
    ];
    make(builder, "layout_transform", &[value], &attrs)
}
