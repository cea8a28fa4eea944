//! The padding of convolutions: which taps of a window meet data, and where.

use super::{Stage, cost::sizes::planned_shape};
use crate::conv::STEPS;
use relay_dialects::{
    index::constant,
    ir::{Attr, Op, Value},
    ops::{arith, tensor},
    te::{Compute, Role},
};

/// The padded data of a convolution, if nothing else reads it.
pub fn own_pad(conv: Stage) -> Option<Stage> {
    let mut stages = conv.producers().into_iter();
    stages.find(|stage| stage.is(Role::Pad) && stage.readers() == [conv])
}

/// The padded data of a convolution, which nothing else reads: data, and zeros around it.
#[derive(Clone, Copy)]
pub struct Padding {
    /// The stage.
    pub stage: Stage,
    /// The place of the data, in rows and in columns: its first, and how many there are.
    data: [(i64, i64); 2],
}

/// Where the taps of a window meet data in one dimension: for each tap the positions, from the first to before the last.
pub type Met = Vec<(i64, i64)>;

impl Padding {
    /// That of a convolution [n, c, y, x, lane].
    pub fn of(conv: Stage) -> Option<Self> {
        let stage = own_pad(conv)?;
        let inside = Compute::of(stage.op)?.zero_outside()?;
        let [value] = inside.block_in(0)?.terminator()?.operands()[..] else {
            return None;
        };
        let read = value.def_of(tensor::Extract::NAME)?;
        let extents = planned_shape(read, read.operand(0));
        let data = |dim: usize| Some((before(read, dim)?, *extents.get(dim)?));
        Some(Self {
            stage,
            data: [data(2)?, data(3)?],
        })
    }

    /// Where the taps of the convolution meet data: of the rows of its window, and of the columns.
    pub fn met(&self, conv: Stage) -> Option<[Met; 2]> {
        let steps = conv.op.attr(STEPS).and_then(Attr::as_ints)?;
        let (window, shape) = (conv.reduce_extents(), conv.shape());
        let met = |dim: usize| {
            let (first, count) = self.data[dim];
            let (stride, dilation) = (*steps.get(dim)?, *steps.get(dim + 2)?);
            let taps = 0..*window.get(dim + 1)?;
            let positions = taps.map(|tap| {
                let reaching = |place: i64| {
                    let position = (place - tap * dilation + stride - 1).div_euclid(stride);
                    position.clamp(0, shape[dim + 2])
                };
                (reaching(first), reaching(first + count))
            });
            Some(positions.collect())
        };
        Some([met(0)?, met(1)?])
    }
}

/// How much padding lies before the data in one dimension of it, of which this is the read.
fn before(read: Op, dim: usize) -> Option<i64> {
    let index: Value = read.operand(dim + 1);
    match index.def_of(arith::SubI::NAME) {
        Some(op) => constant(op.operand(1)),
        None => Some(0),
    }
}
